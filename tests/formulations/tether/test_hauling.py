"""Tension of a tether that is hauled in and paid out slowly, and of tension-only links that go slack and taut again."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.simulate import Simulation

from .systems import rope, system

STIFFNESS, DAMPING_TIME, SPAN = 1e4, 0.2, 10.0


def between(length: float, **parts) -> Simulation:
    """A tether between two points 10 m apart, on a winch that is run by hand."""
    return Simulation(
        system(
            types={"rope": rope(axial_stiffness=STIFFNESS, damping_time=DAMPING_TIME, mass_per_length=0.1)},
            points={name: {"kind": "fixed", "position": [x, 0, -5]} for name, x in (("A", 0), ("B", SPAN))},
            cables={
                "line": {
                    "type": "rope",
                    "length": length,
                    "elements": 5,
                    "start": "A",
                    "end": "B",
                    "allow_stretch": True,
                    "winch": {"end": "start", "mode": "rescale", "length_max": 13.0},
                },
            },
            **parts,
        )
    )


def haul(simulation: Simulation, rate: float, seconds: float) -> np.ndarray:
    """Tensions along the line after some time at a rate of payout (m/s)."""
    return np.array(simulation.step(seconds, {"line.winch.rate": rate}, hold=True)["line.tension_effective"])


def static(length: float) -> float:
    """Tension EA (D − L)/L."""
    return STIFFNESS * (SPAN - length) / length


@pytest.mark.parametrize(("rate", "length"), [(-0.02, 9.86), (0.02, 9.94)])
def test_damping_adds_to_the_tension_when_hauled_in_and_takes_from_it_when_paid_out(rate, length):
    """T = EA(ε + τε̇), ε̇ = −L̇ D/L²; and that of the stretch alone once the winch stands."""
    simulation = between(9.9, tether={"proportional": STIFFNESS, "integral": 0.0})
    assert haul(simulation, 0.0, 1.0) == pytest.approx(static(9.9), rel=1e-9)
    damping = -STIFFNESS * DAMPING_TIME * rate * SPAN / length**2
    assert damping * rate < 0.0
    assert haul(simulation, rate, 2.0) == pytest.approx(static(length) + damping, rel=1e-4)
    assert haul(simulation, 0.0, 2.0) == pytest.approx(static(length), rel=1e-6)


@pytest.mark.parametrize(("rate", "length"), [(-0.01, 9.86), (0.01, 9.94)])
def test_suggested_gains_have_the_stiffness_and_the_damping_of_the_cable(rate, length):
    """Steps are as many as it takes for the proportional gain to be EA beside so much damping."""
    simulation = between(9.9)
    assert simulation.compiled.gains.proportional == pytest.approx(STIFFNESS)
    damping = -STIFFNESS * DAMPING_TIME * rate * SPAN / length**2
    assert haul(simulation, rate, 4.0) == pytest.approx(static(length) + damping, rel=1e-4)
    assert haul(simulation, 0.0, 2.0) == pytest.approx(static(length), rel=1e-4)


def test_tension_only_links_go_slack_without_a_push_and_taut_again_with_the_tension_of_their_stretch():
    """Twice: what the integral learns while it is taut must not stay, and it must learn nothing while slack."""
    simulation = between(9.9, tether={"tension_only": True})
    for _ in range(2):
        assert haul(simulation, 0.0, 3.0) == pytest.approx(static(9.9), rel=1e-4)
        for rate, seconds in ((0.1, 3.0), (0.0, 3.0), (-0.1, 1.5)):
            assert haul(simulation, rate, seconds) == pytest.approx(0.0, abs=1e-9), "longer than 10 m: slack"
        haul(simulation, -0.1, 1.5)


def test_line_paid_out_in_flight_takes_its_energy_of_motion_from_the_winch():
    """Both ends go 50 m along the line in 10 s, with the speed 30 s(1 − s), s = t/10: 7.2 m/s at 4 s and at 6 s.

    Line paid out between them brings ½ m ΔL V², and what drives and damping do then is what is stored: the balance is
    off by less than 1 % of that.
    """
    per_length, rate, speed = 0.5, 0.05, 7.2
    carried = {"kind": "controlled", "motion": {"table": [[0, 0, 0, 0], [10, 50, 0, 0]]}}
    winch = {"end": "start", "mode": "rescale", "length_max": 13.0}
    line = {"type": "rope", "length": 9.8, "elements": 5, "start": "A", "end": "B", "allow_stretch": True}
    simulation = Simulation(
        system(
            types={"rope": rope(axial_stiffness=1e3, damping_time=0.2, mass_per_length=per_length)},
            points={name: {**carried, "position": [x, 0, -5]} for name, x in (("A", 0), ("B", SPAN))},
            cables={"line": {**line, "winch": winch}},
        )
    )
    before = simulation.step(4.0)
    after = simulation.step(2.0, {"line.winch.rate": rate}, hold=True)
    kinetic, elastic, drives, damping = (
        float(after[name]) - float(before[name])
        for name in ("energy_kinetic", "energy_elastic", "work_drives", "work_damping")
    )
    gained = 0.5 * per_length * 2.0 * rate * speed**2
    assert kinetic == pytest.approx(gained, rel=0.05)
    assert drives + damping == pytest.approx(kinetic + elastic, abs=0.01 * gained)
