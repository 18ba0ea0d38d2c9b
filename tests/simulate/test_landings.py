"""What is said of energy that steps took from line that landed on a bed without damping, and of no other."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.results.energy import EnergyBalance
from fairlead.results.observation import NODE_CONTACT_FORCE, NODE_VELOCITY
from fairlead.simulate.landings import landing_note

STEP, SPEED = 0.05, 2.0
MASS = 10.0 * (100.0 + 1025.0 * np.pi / 4 * 0.1**2)
"""Of an element of 10 m, with its added mass, kg."""


def note(lost: float, exchanged: float, speed: float = SPEED, damped: float = 0.0, **tow: float) -> tuple[str, ...]:
    """Of a run that lost so much (J), or booked it as `damped`, while one node of a line came down with `speed` (m/s);
    `tow`: damping of another line, which does not land."""
    system = fl.System.model_validate(
        {
            "environment": {"seabed": {"depth": 80.0}},
            "types": {
                "chain": {"diameter": 0.1, "mass_per_length": 100.0, "axial_stiffness": 1e8},
                "rope": {"diameter": 0.1, "mass_per_length": 10.0, "axial_stiffness": 1e6, **tow},
            },
            "points": {
                "a": {"kind": "anchor", "position": [0, 0]},
                "b": {"kind": "fixed", "position": [50, 0, 0]},
                "c": {"kind": "fixed", "position": [60, 0, 0]},
            },
            "cables": {
                "line": {"type": "chain", "length": 100.0, "elements": 10, "start": "a", "end": "b"},
                "tow": {"type": "rope", "length": 11.0, "elements": 2, "start": "b", "end": "c"},
            },
            "simulation": {"start": "catenary", "duration": 1.0, "step": STEP},
        }
    )
    shape = fl.Simulation(system).compiled.shape
    rows = np.tile(np.zeros_like(shape.empty_row()), (3, 1))
    nodes = shape.node_table(rows, "line")
    nodes[0, 5, NODE_VELOCITY + 2] = -speed
    nodes[1:, 5, NODE_CONTACT_FORCE + 2] = 1.0
    residual = np.array([0.0, -lost, -lost])
    nothing, times = np.zeros(3), np.arange(3.0)
    works = {"work_damping": -damped * np.array([0.0, 1.0, 1.0])}
    balance = EnergyBalance(times, {}, works, residual, nothing, residual, 0.5 * exchanged * times, 0.0, False)
    return landing_note(system, balance, STEP, shape, iter([rows[:1], rows[1:]]))


def test_what_line_brought_down_is_told_with_the_damping_that_takes_it():
    brought = 0.5 * MASS * SPEED**2
    (said,) = note(1.5 * brought, 100.0 * brought)
    assert said.startswith("note: environment.seabed.damping: 1.5 % of the energy exchanged went where line landed")
    critical = float(said.partition("following them; ")[2].partition(" N*s/m^3")[0].replace(",", ""))
    assert critical == pytest.approx(2.0 * np.sqrt(1e5 * MASS / 10.0 / 0.1), rel=0.03)


def test_a_loss_that_no_landing_can_explain_is_not_put_down_to_the_bed():
    """A mooring that works on the bed all the time: what it lays down gently is next to nothing of what steps lost."""
    brought = 0.5 * MASS * SPEED**2
    assert note(3.0 * brought, 100.0 * brought) == ()
    assert note(1.5 * brought, 100.0 * brought, speed=0.1 * SPEED) == ()


def test_a_balance_made_poor_by_landing_is_one_warning_with_its_own_cure():
    brought = 0.5 * MASS * SPEED**2
    (said,) = note(1.5 * brought, 20.0 * brought)
    assert said.startswith("environment.seabed.damping: the energy balance closes only to 7.5 % of the energy")
    assert "do not rely on this result; most of that went where line landed on the bed" in said
    assert said.endswith("lets the bed take it")


def test_what_a_bed_is_booked_with_is_told_and_what_another_line_damps_is_not():
    brought = 0.5 * MASS * SPEED**2
    (said,) = note(0.0, 100.0 * brought, damped=1.5 * brought)
    assert "1.5 % of the energy exchanged went where line landed" in said
    assert note(0.0, 100.0 * brought, damped=1.5 * brought, damping_time=0.5) == ()


def test_line_at_rest_over_a_bed_without_damping_exchanges_nothing_and_nothing_is_said():
    text = """
    environment: {seabed: {depth: 50}}
    types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN}}
    points: {A: {kind: fixed, position: [0, 0, -5]}, B: {kind: free, mass: 10}}
    cables: {line: {type: rope, length: 2, elements: 2, start: A, end: B}}
    simulation: {formulation: links, duration: 0.2, step: 0.01}
    """
    assert fl.simulate(fl.load_text(text)).attrs["status"] == "complete"
