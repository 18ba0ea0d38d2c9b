"""Waves on point masses: the water's acceleration carries an element along, and what it gives is in the balance."""

from __future__ import annotations

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.sea.water import fluid
from fairlead.simulate import simulate

from .systems import compiled


def water(t, x, y, z, sea):
    """Velocity and acceleration of the water."""
    return plain(fluid)(t, x, y, z, sea)[:2]


def floating(density, direction, added):
    """A file of a short straight cable 6 m under waves of 8 s, without drag."""
    ends = np.array([[10.0, 3.0, -6.0], [10.0, 3.0, -6.0] + 0.1 * np.array(direction)])
    return System.model_validate(
        {
            "environment": {
                "water_density": 1025.0,
                "waves": {"kind": "regular", "height": 2.0, "period": 8.0, "direction_deg": 30.0, "ramp": 0.0},
            },
            "types": {
                "line": {
                    "diameter": 0.05, "density": density, "axial_stiffness": 1e5, "drag": "none",
                    "added_mass": {"normal": added, "axial": 0.3 * added},
                }
            },
            "points": {
                "a": {"kind": "free", "position": ends[0].tolist()},
                "b": {"kind": "free", "position": ends[1].tolist()},
            },
            "cables": {"c": {"type": "line", "length": 0.1, "elements": 1, "start": "a", "end": "b"}},
            "simulation": {"start": "catenary", "formulation": "lumped", "duration": 1, "step": 0.01},
        }
    )  # fmt: skip


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 0, 1), (0.6, 0, 0.8)])
@pytest.mark.parametrize("added", [0.0, 1.0])
@pytest.mark.parametrize("time", [0.0, 1.3, 3.1])
def test_an_element_as_heavy_as_the_water_moves_with_it(direction, added, time):
    """(ρV + A) a = (m + A) ẍ with m = ρV, for any direction and any added mass."""
    system = compiled(floating(1025.0, direction, added))
    y, rate = system.initial_state(), np.zeros(system.layout.size)
    middle = system.tables(y).node.position.mean(axis=0)
    velocity, acceleration = water(time, *middle, system.reals)
    system.tables(y).node.velocity = system.tables(y).hub_state.velocity = velocity
    system.rhs(time, y, system.initial_inputs(), system.ints, system.reals, system.work, rate)
    found = system.tables(rate).node.velocity.mean(axis=0)
    assert found == pytest.approx(np.array(acceleration), abs=2e-4 * np.linalg.norm(acceleration))


def test_a_heavier_one_is_carried_by_its_water_alone():
    """A level line across the waves, twice as heavy as the water: (ρV + A) a / (m + A) less its weight in water."""
    system = compiled(floating(2050.0, (-0.5, np.sqrt(0.75), 0.0), 1.0))
    y, rate = system.initial_state(), np.zeros(system.layout.size)
    middle = system.tables(y).node.position.mean(axis=0)
    _, acceleration = water(2.0, *middle, system.reals)
    system.rhs(2.0, y, system.initial_inputs(), system.ints, system.reals, system.work, rate)
    found = system.tables(rate).node.velocity.mean(axis=0)
    expected = (2.0 * np.array(acceleration) - np.array([0, 0, system.system.environment.gravity])) / 3.0
    assert found == pytest.approx(expected, rel=1e-3)


def test_what_waves_give_a_mooring_line_is_in_the_balance():
    system = System.model_validate(
        {
            "environment": {
                "waves": {"kind": "regular", "height": 3.0, "period": 7.0, "direction_deg": 0.0},
                "seabed": {"depth": 40.0},
            },
            "types": {"line": {"diameter": 0.1, "density": 1400, "axial_stiffness": 1e7, "damping_time": 0.01}},
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, -38]},
                "buoy": {
                    "kind": "free", "position": [45, 0, 0], "mass": 300, "volume": 1.5, "drag_area": 0.5,
                    "added_mass": 400,
                },
            },
            "cables": {"c": {"type": "line", "length": 70, "elements": 20, "start": "anchor", "end": "buoy"}},
            "simulation": {
                "formulation": "lumped", "start": "statics", "duration": 30, "step": 0.005, "output_every": 0.5,
            },
        }
    )  # fmt: skip
    result = simulate(system)
    assert np.ptp(result["position"].values[-40:, 0, -1, 2]) > 1.5
    assert energy_balance(result).error < 0.02


def test_a_buoy_in_waves_closes_its_balance() -> None:
    """What the waves give is taken along the velocity of the middle of the step: that of its start lacks ½h F·a."""
    system = System.model_validate(
        {
            "environment": {"waves": {"kind": "regular", "height": 1.5, "period": 6, "ramp": 6}},
            "types": {"rope": {"diameter": 0.048, "mass_per_length": 2.5, "axial_stiffness": 4e6}},
            "points": {
                "buoy": {
                    "kind": "free", "position": [0, 0, 0], "mass": 3000, "volume": 4.2, "drag_area": 6,
                    "added_mass": 2000,
                },
                "end": {"kind": "free", "position": [0, 0, -2], "mass": 1},
            },
            "cables": {"rope": {"type": "rope", "length": 2, "elements": 1, "start": "buoy", "end": "end"}},
            "simulation": {"formulation": "lumped", "duration": 18, "step": 0.01, "start": "catenary"},
        }
    )  # fmt: skip
    assert energy_balance(simulate(system)).error < 5e-4
