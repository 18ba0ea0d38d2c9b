"""Floating bodies with a shape in waves: they ride long ones, and short ones pass under them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from marks import slowly

import fairlead as fl

WAVELENGTH, HEIGHT = 100.0, 2.0
PERIOD = 2 * math.pi / math.sqrt(9.81 * 2 * math.pi / WAVELENGTH)
SLOPE = math.degrees(math.pi * HEIGHT / WAVELENGTH)


def raft(formulation: str, direction: float = 0.0, **body: object) -> fl.System:
    """A raft of 6 m by 6 m and a long slack line to an anchor."""
    side, tall, draft = 6.0, 1.0, 0.5
    mass = 1025 * side * side * draft
    return fl.System.model_validate(
        {
            "environment": {
                "seabed": {"depth": 200},
                "waves": {"kind": "regular", "height": HEIGHT, "period": PERIOD, "direction_deg": direction},
            },
            "types": {"line": {"diameter": 0.02, "density": 1100, "axial_stiffness": 1e5, "damping_time": 0.02}},
            "points": {"anchor": {"kind": "fixed", "position": [60, 0, -20]}},
            "bodies": {
                "raft": {
                    "kind": "free", "position": [0, 0, 0], "mass": mass, "floating": True,
                    "inertia": [mass * 3.1, mass * 3.1, mass * 6.0],
                    "shape": {"box": {"length": side, "width": side, "height": tall}},
                    "drag_area": [3, 3, 36], "drag_moment": [3e3, 3e3, 3e3], "added_mass": [2e3, 2e3, 2e4],
                    "attachments": {"bow": [3, 0, 0]}, **body,
                }
            },
            "cables": {"line": {"type": "line", "length": 80, "elements": 8, "start": "raft.bow", "end": "anchor"}},
            "simulation": {
                "formulation": formulation, "start": "catenary", "duration": 64.0, "step": 0.02,
                "output_every": 0.1,
            },
        }
    )  # fmt: skip


@pytest.mark.parametrize("formulation", ["lumped", *slowly("bars", "multibody")])
def test_a_raft_follows_the_slope_of_a_long_swell(formulation: str) -> None:
    """6 m in 100 m: it pitches by the slope of the wave, π H/λ = 3.6 degrees, and heaves by its height."""
    result = fl.simulate(raft(formulation))
    late = result.sel(time=slice(4 * PERIOD, None))
    pitch = np.degrees(late["raft.pitch"].values)
    assert 0.5 * np.ptp(pitch) == pytest.approx(SLOPE, rel=0.06)
    heave = late["point_position"].sel(point="raft", axis="z").values
    assert 0.5 * np.ptp(heave) == pytest.approx(0.5 * HEIGHT, rel=0.05)


def test_the_slope_may_come_from_anywhere() -> None:
    """From 30 degrees off the bow the tilt is the same, about an axis along the crests."""
    result = fl.simulate(raft("lumped", direction=30.0))
    late = result.sel(time=slice(4 * PERIOD, None))
    pitch, roll = (0.5 * np.ptp(np.degrees(late[f"raft.{name}"].values)) for name in ("pitch", "roll"))
    assert math.hypot(pitch, roll) == pytest.approx(SLOPE, rel=0.08)
    assert roll / pitch == pytest.approx(math.tan(math.radians(30.0)), rel=0.15)
