"""Moving ends, length paid out and in, slack, current, seabed, weights, branches."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.tether.start import paper_nodes
from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation, simulate
from fairlead.studies.verification.checks.tether_catenary import WEIGHT, tether

from .systems import rope, system


def heaving(**settings: object):
    """The tether of 25 m, nearly taut, its right end heaving 0.5 m in 1.5 s."""
    data = tether(14, span=24.0, first_shape="chain", **settings).to_dict()
    data["points"]["right"] = {
        "kind": "controlled",
        "position": [24.0, 0, -13],
        "motion": {"harmonic": {"amplitude": [0, 0, 0.5], "period": 1.5, "ramp": 1.5}},
    }
    return simulate(System.model_validate(data), duration=9.0, output_every=0.05)


def test_a_moving_end_does_the_work_that_is_stored_and_lost():
    result = heaving()
    assert energy_balance(result).error < 1e-3
    assert float(result["work_drives"][-1]) > 0.0
    assert float(result["point_position"].sel(point="right", axis="z").max()) > -12.7


def test_tension_only_links_never_push():
    """Two-way links push with tens of newtons when the end comes down faster than the tether can sink."""
    assert float(heaving(tension_only=False)["tension_effective"].min()) < -1.0
    middle = heaving(tension_only=True)["tension_effective"].values[..., 1:-1]
    assert np.nanmin(middle) > -1e-12


def paying(rate_table: list[list[float]], **winch: object):
    """20 m between ends 15 m apart, on a winch."""
    data = tether(14, first_shape="chain", aim="length").to_dict()
    data["cables"]["tether"] |= {
        "length": 20.0,
        "winch": {"end": "start", "table": rate_table, "mode": "rescale", **winch},
    }
    data["simulation"] |= {"duration": 260.0, "output_every": 1.0, "step": 0.002}
    return Simulation(System.model_validate(data))


def from_catenary(out, length: float) -> float:
    nodes = np.array(out["tether.position"])
    return float(np.linalg.norm(nodes - paper_nodes(nodes[0], nodes[-1], length, 14, ""), axis=1).max())


def test_line_paid_out_and_hauled_in_hangs_as_the_longer_and_the_shorter_catenary():
    """20 to 30 to 20 m at 0.25 m/s: 0.06 m and 0.02 m from the catenary, as an independent implementation finds."""
    table = [[0, 0.25], [40, 0.25], [40.001, 0], [100, 0], [100.001, -0.25], [140, -0.25], [140.001, 0]]
    simulation = paying(table)
    out = simulation.step(99.0)
    assert from_catenary(out, 30.0) < 0.06
    weight = abs(np.array(out["tether.force_start"])[2] + np.array(out["tether.force_end"])[2])
    assert weight == pytest.approx(30.0 * WEIGHT, rel=1e-3), "line that is paid out has its weight"
    out = simulation.step(81.0)
    assert from_catenary(out, 20.0) < 0.02


def test_paying_out_keeps_its_books():
    result = paying([[0, 0.25], [40, 0.25], [40.001, 0]]).run(duration=60.0)
    assert energy_balance(result).error < 2e-3


def test_a_winch_obeys_its_input_and_its_limits():
    simulation = paying([[0, 0.0]], length_max=21.0)
    out = simulation.step(2.0, inputs={"tether.winch.rate": 0.25})
    assert out["link_length_mean"] == pytest.approx(20.5 / 14, rel=5e-3)
    out = simulation.step(30.0)
    assert out["link_length_mean"] == pytest.approx(21.0 / 14, rel=2e-3)


def test_what_lies_on_the_bed_is_carried_by_it():
    case = system(
        environment={"seabed": {"depth": 10, "stiffness": 1e4, "damping": 2000, "friction": 0.5}},
        types={"rope": rope(diameter=0.02, mass_per_length=1.0, drag={"normal": 1.2, "axial": 0.02})},
        points={"A": {"kind": "fixed", "position": [0, 0, -9.96]}, "B": {"kind": "free", "position": [9, 0, -9.5]}},
        cables={"line": {"type": "rope", "length": 10, "elements": 10, "start": "A", "end": "B"}},
        simulation={"step": 0.01, "duration": 60.0},
        tether={"substeps": 4},  # nothing damps a tip that swings against the bed's shear spring but the step
    )
    out = Simulation(case).step(60.0)
    push = np.array(out["line.contact_force"])[:, 2].sum()
    weight = 10.0 * (1.0 - 1025.0 * np.pi / 4.0 * 0.02**2) * 9.81
    held = -np.array(out["line.force_start"])[2]
    assert push + held == pytest.approx(weight, rel=1e-3)
    assert abs(held) < 0.11 * weight, "no more than the half link at the anchor"
    assert np.abs(np.array(out["line.velocity"])).max() < 1e-3


def test_weights_along_the_tether_are_carried_by_its_ends():
    data = tether(14, first_shape="chain").to_dict()
    data["cables"]["tether"]["attachments"] = [{"at": 8.0, "mass": 0.5, "volume": 1e-4, "drag_area": 0.01}]
    out = Simulation(System.model_validate(data)).step(120.0)
    total = -(np.array(out["tether.force_start"])[2] + np.array(out["tether.force_end"])[2])
    assert total == pytest.approx(25.0 * WEIGHT + (0.5 - 1025.0 * 1e-4) * 9.81, rel=1e-3)


def test_three_cables_in_one_point_pull_as_they_do_with_bars():
    knot = {
        "environment": {"gravity": 9.81},
        "types": {"rope": rope(mass_per_length=0.5, drag={"normal": 1.2, "axial": 0.02})},
        "points": {
            "A": {"kind": "fixed", "position": [0, 0, -5]},
            "B": {"kind": "fixed", "position": [10, 0, -5]},
            "C": {"kind": "fixed", "position": [5, 8, -8]},
            "K": {"kind": "free", "mass": 3.0, "volume": 5e-4, "drag_area": 0.05},
        },
        "cables": {
            name: {"type": "rope", "length": length, "elements": 10, "start": name.upper(), "end": "K"}
            for name, length in (("a", 6.5), ("b", 6.5), ("c", 6.0))
        },
        "simulation": {"start": "catenary", "step": 0.01, "duration": 60.0},
    }
    pulls = {}
    for formulation in ("bars", "tether"):
        knot["simulation"]["formulation"] = formulation
        out = Simulation(system(**knot)).step(60.0)
        pulls[formulation] = np.array([out[f"{name}.force_start"] for name in "abc"])
    assert pulls["tether"] == pytest.approx(pulls["bars"], rel=5e-3, abs=0.05)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"loads": [{"point": "B", "torque": [0, 0, 1]}]}, "do not turn"),
        ({"simulation": {"start": "catenary", "integrator": "rk4"}}, "integrator: auto"),
        ({"types": {"rope": rope(torsional_stiffness=1.0)}}, "torsional stiffness"),
    ],
)
def test_what_it_cannot_carry_gets_one_sentence(change, words):
    case = system(**change)
    with pytest.raises(UnsupportedSystem, match=words):
        compile_system(case, first_geometry(case))


def test_a_run_that_is_taken_up_again_gives_the_same_bits():
    case = tether(14, away=4.0)
    whole, half = Simulation(case), Simulation(case)
    expected = whole.step(0.5), whole.step(0.5)
    half.step(0.5)
    again = Simulation(case)
    again.set_state(half.time, half.state)
    assert np.array_equal(again.step(0.5).row, expected[1].row, equal_nan=True)
