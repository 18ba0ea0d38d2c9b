"""The force of one link, as corrected and as printed (Brateau, section II)."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.simulate import Simulation, SimulationError

from .systems import hanging_load, rope, system

GAINS = {"proportional": 100.0, "derivative": 40.0}


@pytest.mark.parametrize("weight", [10.0, 40.0])
def test_a_link_is_a_spring_of_stiffness_kp_when_its_error_is_a_strain(weight):
    assert hanging_load(weight, integral=0.0, **GAINS) == pytest.approx(2.0 * (1.0 + weight / 100.0), rel=1e-6)


@pytest.mark.parametrize("weight", [10.0, 40.0])
def test_the_force_of_the_papers_error_saturates_at_kp(weight):
    """d = l/(1 − W/Kp): at half of Kp a link has twice its length, at Kp there is no equilibrium."""
    assert hanging_load(weight, integral=0.0, error="paper", **GAINS) == pytest.approx(
        2.0 / (1.0 - weight / 100.0), rel=1e-6
    )


def test_a_load_beyond_kp_runs_away_with_the_papers_error():
    with pytest.raises(SimulationError, match="twice its length"):
        hanging_load(110.0, integral=0.0, error="paper", **GAINS)


def test_the_papers_integral_makes_the_length_right_under_any_load():
    assert hanging_load(20.0, integral=10.0, aim="length", **GAINS) == pytest.approx(2.0, rel=1e-6)


def test_the_corrected_integral_makes_the_stretch_that_of_the_cable():
    """F = EA e at rest, whatever Kp: EA = 100 kN."""
    stretch = hanging_load(20.0, integral=10.0, **GAINS) - 2.0
    assert stretch == pytest.approx(2.0 * 20.0 / 1e5, rel=1e-3)


def test_difference_and_velocity_give_the_same_rate():
    one = hanging_load(20.0, integral=0.0, rate="difference", **GAINS)
    assert one == pytest.approx(hanging_load(20.0, integral=0.0, rate="velocity", **GAINS), rel=1e-9)


def test_the_direction_of_the_papers_text_blows_up():
    with pytest.raises(SimulationError, match="direction of the paper's text"):
        hanging_load(10.0, direction="text", **GAINS)


@pytest.mark.parametrize(("only", "pushes"), [(False, True), (True, False)])
def test_a_squeezed_link_pushes_unless_it_is_tension_only(only, pushes):
    case = system(
        points={
            "A": {"kind": "fixed", "position": [0, 0, 0]},
            "B": {"kind": "free", "position": [0, 0, -1.9], "mass": 1.0},
        },
        cables={"line": {"type": "rope", "length": 2, "elements": 1, "start": "A", "end": "B", "allow_stretch": True}},
        tether={"tension_only": only, "integral": 0.0, **GAINS},
    )
    out = Simulation(case).outputs()
    pull = float(np.array(out["line.tension_effective"])[0])
    assert pull == pytest.approx(-5.0 if pushes else 0.0, abs=1e-9)


@pytest.mark.parametrize("kept", [0.0, 0.1])
def test_the_integral_of_a_slack_link_waits(kept):
    """It neither winds up nor down while the link is slack, and pulls as before once the link is taut again."""
    case = system(
        points={
            "A": {"kind": "fixed", "position": [0, 0, 0]},
            "B": {"kind": "controlled", "position": [0, 0, -1.9], "cutoff": 100.0},
        },
        cables={"line": {"type": "rope", "length": 2, "elements": 1, "start": "A", "end": "B", "allow_stretch": True}},
        tether={"tension_only": True, "integral": 10.0, **GAINS},
    )
    simulation = Simulation(case)
    y, links = simulation.state, simulation.compiled.layout["link_state"]
    y[links][0] = kept
    simulation.state = y
    out = simulation.step(1.0)
    assert np.array(out["line.tension_effective"])[0] == 0.0
    assert simulation.state[links][0] == kept
    out = simulation.step(0.2, inputs={"B.position": (0.0, 0.0, -2.02)}, hold=True)
    pull = float(np.array(out["line.tension_effective"])[0])
    assert 100.0 * 0.01 + 10.0 * kept < pull < 100.0 * 0.01 + 10.0 * kept + 10.0 * 0.01 * 0.2 + 0.05


def test_links_act_equally_on_both_their_nodes():
    """Momentum of a tether that flies freely, stretched and turning, is kept to rounding."""
    case = system(
        types={"rope": rope(bending_stiffness=0.5)},
        points={
            "A": {"kind": "free", "position": [0, 0, 0], "mass": 0.2},
            "B": {"kind": "free", "position": [1.8, 0, 0], "mass": 0.1},
        },
        cables={"line": {"type": "rope", "length": 2, "elements": 8, "start": "A", "end": "B"}},
        tether={"first_shape": "chain"},
    )
    simulation = Simulation(case)
    y = simulation.state
    simulation.compiled.tables(y).point_state.velocity[1] = (0.3, 0.5, 0.2)
    simulation.state = y

    def momentum() -> np.ndarray:
        out = simulation.outputs()
        velocity = np.array(out["line.velocity"])
        masses = np.full(9, 0.01 * 0.25)
        masses[[0, -1]] = 0.5 * 0.01 * 0.25 + np.array([0.2, 0.1])
        return masses @ velocity

    before = momentum()
    simulation.step(5.0)
    assert momentum() == pytest.approx(before, abs=1e-13)
    assert before == pytest.approx([0.030375, 0.050625, 0.02025], rel=1e-9)
