"""Buoys: the draft of a sphere, the heave of a spar, and a sphere pulled under by a current."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, hypot, pi, sqrt
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

DENSITY, GRAVITY = 1000.0, 9.81  # kg/m3, m/s2
DRAFT = 0.3  # of the diameter of 1 m
FLOATING = "volume of a spherical cap of height h: pi h^2 (3 R - h) / 3, and Archimedes"
HEAVE = "2 pi sqrt((m + a) / (rho g A)) with the added mass of the part under water"
TOWED = "balance of drag, buoyancy, weight and the pull of a light line"


def _buoy(buoy: dict[str, Any], current: float, anchor: list[float], length: float, **simulation: float) -> System:
    """A buoy on a light, neutrally buoyant line that the water does not hold."""
    flow = [{"z": 0.0, "velocity": [current, 0.0, 0.0]}] if current else []
    return System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY, "current": flow},
            "types": {
                "line": {
                    "diameter": 0.002, "density": DENSITY, "axial_stiffness": 1e5, "drag": "none",
                    "added_mass": {"normal": 0.0, "axial": 0.0}, "damping_time": 0.05,
                }
            },
            "points": {"anchor": {"kind": "fixed", "position": anchor}, "buoy": {"kind": "passive", **buoy}},
            "cables": {"line": {"type": "line", "length": length, "elements": 4, "start": "anchor", "end": "buoy"}},
            "simulation": {"start": "catenary",
                "formulation": "bars", "output_every": simulation["step"], **simulation},
        }
    )  # fmt: skip


def sphere_heights(start: float) -> np.ndarray:
    """Height (sample,) m of the middle of a floating sphere of 1 m let go at `start`, without drag, 8 s."""
    cap = pi * DRAFT**2 * (1.5 - DRAFT) / 3.0
    buoy = {
        "position": [0.0, 0.0, start], "mass": DENSITY * cap, "shape": {"sphere": {"diameter": 1.0}},
        "drag_coefficient": 0.0,
    }  # fmt: skip
    result = simulate(_buoy(buoy, 0.0, [0.0, 0.0, -3.0], 4.5, duration=8.0, step=0.005))
    return np.asarray(result["point_position"].sel(point="buoy").values[:, 2])


def spar_period(amplitude: float = 0.05) -> tuple[float, float]:
    """Period of a spar's heave, found and exact, s: 0.5 m across, 3 m high, two thirds under water."""
    area, height = 0.25 * pi * 0.5**2, 3.0
    mass, added = DENSITY * area * 2.0, 0.2 * DENSITY * area * 2.0
    buoy = {
        "position": [0.0, 0.0, -0.5 + amplitude], "mass": mass, "drag_coefficient": 0.0, "added_mass_coefficient": 0.2,
        "shape": {"cylinder": {"diameter": 0.5, "height": height}},
    }  # fmt: skip
    result = simulate(_buoy(buoy, 0.0, [0.0, 0.0, -5.0], 6.5, duration=20.0, step=0.01))
    z = result["point_position"].sel(point="buoy").values[:, 2] + 0.5
    t = result["time"].values
    down = np.flatnonzero((z[:-1] > 0.0) & (z[1:] <= 0.0))
    times = t[down] + z[down] / (z[down] - z[down + 1]) * (t[1] - t[0])
    return float((times[-1] - times[0]) / (len(times) - 1)), 2.0 * pi * sqrt(
        (mass + added) / (DENSITY * GRAVITY * area)
    )


def pulled_under(speed: float = 1.0) -> tuple[float, float, float, float]:
    """Angle of the line from the vertical and its pull, found and exact (rad, rad, N, N), once all is still."""
    mass, diameter, drag = 20.0, 0.5, 0.5
    volume = pi / 6.0 * diameter**3
    buoy = {
        "position": [0.0, 0.0, -10.0], "mass": mass, "shape": {"sphere": {"diameter": diameter}},
        "drag_coefficient": drag,
    }  # fmt: skip
    result = simulate(_buoy(buoy, speed, [0.0, 0.0, -15.0], 5.0, duration=60.0, step=0.02))
    pull = result["force_end"].sel(cable="line", end="end").values[-1]
    push = 0.5 * DENSITY * drag * 0.25 * pi * diameter**2 * speed**2
    lift = (DENSITY * volume - mass) * GRAVITY
    return atan2(-pull[0], -pull[2]), atan2(push, lift), float(np.linalg.norm(pull)), hypot(push, lift)


def check() -> Iterator[Record]:
    """Where a sphere floats, how a spar heaves, how a sphere lies in a current."""
    rest = float(np.abs(sphere_heights(0.5 - DRAFT) - (0.5 - DRAFT)).max())
    yield Record.absolute(
        "floating sphere, largest motion from its exact draft in 8 s, in m", FLOATING, rest, 0.0, 5e-4
    )
    period, exact = spar_period()
    yield Record.relative("spar, period of heave", HEAVE, period, exact, 2e-3)
    angle, exact_angle, pull, exact_pull = pulled_under()
    yield Record.relative("sphere in a current, angle of its line", TOWED, angle, exact_angle, 2e-3)
    yield Record.relative("sphere in a current, pull of its line", TOWED, pull, exact_pull, 1e-3)
