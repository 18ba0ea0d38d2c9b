"""Cables and bodies under waves: carried with the water, held against it, and with energy accounted for."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.model import System
from fairlead.studies.verification.checks.waves_on_cables import (
    FREE,
    HELD,
    carried_with_the_water,
    held_against_the_waves,
)


@pytest.mark.parametrize("formulation", FREE)
def test_a_cable_as_dense_as_water_goes_with_the_waves(formulation):
    """What is left is of second order in the height: a tenth of it a tenth the difference."""
    high, low = carried_with_the_water(formulation, 1.0), carried_with_the_water(formulation, 0.1)
    assert low < 0.015
    assert low < 0.2 * high


@pytest.mark.parametrize("formulation", HELD)
def test_a_cable_held_still_bears_the_force_of_morison(formulation):
    assert max(held_against_the_waves(formulation)) < 0.01


@pytest.mark.parametrize("stretching", ["wheeler", "vertical", "none"])
def test_waves_are_felt_where_the_stretching_puts_them(stretching):
    """Under the crest of a wave of 3 m, 2 m down, the wave read at the level of another rule is wrong by 4 %."""
    across, up = held_against_the_waves("bars", height=3.0, depth=2.0, stretching=stretching)
    assert max(across, up) < 0.01


def floating(formulation, step):
    """A line from a float at the surface to an anchor, in waves and current."""
    return System.model_validate(
        {
            "environment": {
                "waves": {"kind": "regular", "height": 1.5, "period": 6.0, "direction_deg": 20.0},
                "current": [{"z": 0, "velocity": [0.3, 0.1, 0.0]}],
            },
            "types": {
                "rope": {
                    "diameter": 0.05, "density": 1300, "axial_stiffness": 2e5, "damping_time": 0.05,
                    "drag": {"normal": 1.2, "axial": 0.02}, "added_mass": {"normal": 1.0, "axial": 0.1},
                }
            },
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, -20]},
                "float": {"kind": "free", "position": [9, 3, 0], "mass": 80, "volume": 0.3, "drag_area": 0.3,
                          "added_mass": 60},
            },
            "cables": {"rope": {"type": "rope", "length": 24.0, "elements": 12, "start": "anchor", "end": "float"}},
            "simulation": {"start": "catenary",
                "formulation": formulation, "duration": 20, "step": step, "output_every": 0.4},
        }
    )  # fmt: skip


def unaccounted(result):
    """Largest gap between the energy held and the works booked, over the largest work."""
    held = sum(result[name] for name in result if name.startswith("energy_")).values
    given = sum(result[name] for name in result if name.startswith("work_")).values
    scale = max(np.abs(result[name].values).max() for name in result if name.startswith("work_"))
    return np.abs(held - held[0] - given + given[0]).max() / scale


@pytest.mark.parametrize(("formulation", "order"), [("bars", 1), ("lumped", 1), ("links", 2)])
def test_the_energy_the_waves_give_is_booked(formulation, order):
    """The gap in the ledger vanishes with the step, by the order of the scheme: 1 or 2 (0.9 of it is asked for).

    The works go to and fro with every wave; what is left of them in the end is small beside what was exchanged.
    """
    coarse, fine = (unaccounted(fl.simulate(floating(formulation, step))) for step in (0.008, 0.002))
    assert fine < 4.0 ** (-0.9 * order) * coarse
