"""Whole runs: energy, releases, seabed, repeatability."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.simulate import Simulation, simulate
from fairlead.studies.verification.checks import energy_balance as worked

from .systems import web


def worked_line(step, **lumped):
    """The worked mooring line of the energy check, by point masses."""
    import unittest.mock as mock

    def by_masses(system):
        return simulate(system.with_settings(formulation="lumped", lumped=lumped))

    with mock.patch.object(worked, "simulate", by_masses):
        return worked.work_the_line(step)


def test_what_the_winch_of_a_worked_line_gives_is_stored_or_lost():
    """Elements that push: a snap loses energy in waves that no step resolves, which no finer step brings back."""
    coarse, fine = (energy_balance(worked_line(step, compression="carried")).error for step in (0.01, 0.0025))
    assert coarse < 0.0015
    assert fine < 0.00075


def test_the_balance_closes_with_tension_only_and_with_theta():
    assert energy_balance(worked_line(0.005, compression="none")).error < 0.01
    assert energy_balance(worked_line(0.005, theta=0.55)).error < 0.01


@pytest.mark.parametrize("heading", [[0.0, 0.0, -1.0], [0.6, 0.8, 0.0], [0.48, -0.36, -0.8]])
def test_a_straight_line_that_sinks_books_its_drag_to_the_last_digit(heading):
    """Let go at rest in a current, upright, level or aslant, with a weight in its middle: it moves as one, and the drag
    of a long step, with its secants along and across, works along the mean velocity of the step."""
    middle, way = np.array([0.0, 0.0, -100.0]), 5.0 * np.array(heading)
    result = simulate(
        System.model_validate(
            {
                "environment": {"current": [{"z": 0, "velocity": [0.7, -0.4, 0.0]}]},
                "types": {
                    "wire": {"diameter": 0.05, "density": 7850, "axial_stiffness": 1e7,
                             "drag": {"normal": 1.2, "axial": 0.3}, "added_mass": {"normal": 0.0}},
                },
                "points": {
                    "a": {"kind": "fixed", "position": (middle - way).tolist()},
                    "b": {"kind": "fixed", "position": (middle + way).tolist()},
                },
                "cables": {
                    "c": {
                        "type": "wire", "length": 10, "elements": 1,
                        "attachments": [{"at": 5.0, "mass": 100.0, "volume": 0.02, "drag_area": 0.3}],
                        "start": {"point": "a", "release": {"time": 0.0}},
                        "end": {"point": "b", "release": {"time": 0.0}},
                    }
                },
                "simulation": {
                    "formulation": "lumped", "start": "catenary", "duration": 6, "step": 0.25, "output_every": 0.25,
                },
            }
        )
    )  # fmt: skip
    velocity = result["velocity"].values[:, 0]
    assert np.abs(velocity[-1]).max() > 1.0
    assert energy_balance(result).error < 1e-6


def test_a_web_of_cables_keeps_its_energy_balance():
    result = simulate(web(), duration=5.0, step=0.002, output_every=0.1, start="statics")
    assert energy_balance(result).error < 0.01


def test_runge_kutta_and_the_implicit_step_agree_as_the_step_shrinks():
    places = []
    for integrator, step in (("rk4", 2e-4), ("semi_implicit", 2e-4), ("semi_implicit", 1e-4)):
        result = simulate(web(), duration=0.5, step=step, output_every=0.5, integrator=integrator, start="statics")
        places.append(result["position"].values[-1])
    coarse, fine = (np.nanmax(np.abs(places[k] - places[0])) for k in (1, 2))
    assert coarse < 1e-3
    assert fine < 0.6 * coarse


def test_a_released_end_falls_freely():
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"wire": {"diameter": 0.01, "density": 7850, "axial_stiffness": 1e6}},
            "points": {
                "a": {"kind": "fixed", "position": [0, 0, 0]},
                "b": {"kind": "free", "position": [0, 0, -5]},
            },
            "cables": {
                "c": {
                    "type": "wire", "length": 5, "elements": 5, "end": "b",
                    "start": {"point": "a", "release": {"time": 0.5}},
                }
            },
            "simulation": {"formulation": "lumped", "start": "statics", "duration": 2, "step": 0.001},
        }
    )  # fmt: skip
    simulation = Simulation(system)
    before = np.array(simulation.step(0.5)["c.position"])
    after = np.array(simulation.step(1.0)["c.position"])
    assert (after - before)[:, 2].mean() == pytest.approx(-0.5 * 9.81, rel=2e-3)
    assert simulation.step(0.1)["c.force_end"] is not None


def test_a_weak_link_lets_go_at_its_tension():
    file = {
        "environment": {"water_density": 0.0},
        "types": {"wire": {"diameter": 0.01, "density": 7850, "axial_stiffness": 1e6}},
        "points": {"a": {"kind": "fixed", "position": [0, 0, 0]}, "b": {"kind": "free", "position": [0, 0, -5]}},
        "cables": {
            "c": {
                "type": "wire", "length": 5, "elements": 5, "end": "b",
                "start": {"point": "a", "release": {"tension": 100.0}},
            }
        },
        "loads": [{"point": "b", "force": [0, 0, -1.0], "table": [[0, 0], [10, 200]]}],
        "simulation": {"formulation": "lumped", "start": "statics", "duration": 10, "step": 0.001},
    }  # fmt: skip
    simulation = Simulation(System.model_validate(file))
    weight = 7850 * np.pi * 0.25e-4 * 5 * 9.81
    simulation.step(round((100.0 - weight) / 20.0 - 0.1, 3))
    assert simulation.compiled.tables(simulation.state).hold.attached.all()
    simulation.step(0.2)
    assert not simulation.compiled.tables(simulation.state).hold.attached[0]


def test_a_chain_pushed_on_a_rough_bed_sticks_then_slips():
    """10 m of chain on the bed, pulled at its end: nothing moves far below μN, and it slides beyond."""

    def pulled(force):
        return Simulation(
            System.model_validate(
                {
                    "environment": {"seabed": {"depth": 20.0, "friction": 0.5, "stiffness": 1e5}},
                    "types": {"chain": {"diameter": 0.05, "density": 7000, "axial_stiffness": 1e7}},
                    "points": {
                        "a": {"kind": "free", "position": [0, 0, -19.976]},
                        "b": {"kind": "free", "position": [10, 0, -19.976]},
                    },
                    "cables": {"c": {"type": "chain", "length": 10, "elements": 10, "start": "a", "end": "b"}},
                    "loads": [{"point": "b", "force": [force, 0, 0], "table": [[0, 0], [5, 1]]}],
                    "simulation": {"start": "catenary", "formulation": "lumped", "duration": 20, "step": 0.01},
                }
            )
        )  # fmt: skip

    limit = 0.5 * (7000 - 1025) * np.pi * 0.05**2 / 4 * 10 * 9.81
    held, slid = (float(pulled(f * limit).step(20.0)["a.position"][0]) for f in (0.9, 1.1))
    assert abs(held) < 0.05
    assert slid > 1.0


def test_two_runs_are_bit_identical_and_so_is_a_resumed_one():
    first, second, third = Simulation(web()), Simulation(web()), Simulation(web())
    for simulation in (first, second):
        simulation.step(0.5)
    third.set_state(second.time, second.state)
    for simulation in (first, second, third):
        simulation.step(0.5)
    assert np.array_equal(first.state, second.state)
    assert np.array_equal(first.state, third.state)
