"""A stick as heavy as water, without drag and free at both ends, under waves: it moves as the water does where it is.

(m + A) a_stick = (rho V + A) a_water with m = rho V, whatever the added mass A and the direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import xarray as xr

from fairlead.model import System
from fairlead.reduction import compiled, galerkin
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "Airy's orbital velocity at the stick, waves of 0.4 m and 8 s in deep water"
HEIGHT, PERIOD, RAMP = 0.4, 8.0, 16.0  # m, s, s
STEEPNESS = math.pi * HEIGHT * (2.0 * math.pi / PERIOD) ** 2 / (2.0 * math.pi * 9.81)
"""k times the amplitude: linear waves leave out parts of this order."""


def stick(formulation: str) -> System:
    """Two metres, neither upright nor level, nine metres down, under waves that begin slowly."""
    kind = {
        "diameter": 0.1,
        "density": 1025.0,
        "axial_stiffness": 1e6,
        "drag": "none",
        "added_mass": {"normal": 1.0, "axial": 0.5},
    }
    waves = {
        "kind": "regular", "height": HEIGHT, "period": PERIOD, "direction_deg": 0.0, "ramp": RAMP,
        "stretching": "wheeler",  # read at its place, the water's acceleration lacks u·∇u: a slow drift of a free stick
    }  # fmt: skip
    ends = {"start": "A", "end": "B"}
    return System.model_validate(
        {
            "environment": {"water_density": 1025.0, "waves": waves},
            "types": {"rod": kind},
            "points": {
                "A": {"kind": "free", "position": [0, 0, -9]},
                "B": {"kind": "free", "position": [1, 1, -10.41421356]},
            },
            "cables": {"rod": {"type": "rod", "length": 2.0, "elements": 4} | ends},
            "simulation": {
                "start": "catenary",
                "formulation": formulation,
                "duration": 30.0,
                "step": 0.005,
                "output_every": 0.1,
            },
        }
    )


def orbit(run: xr.Dataset) -> np.ndarray:
    """Velocity (sample, 3) of the water where the middle of the stick is, m/s."""
    t, (x, _, z) = run["time"].values, run["position"].values[:, 0, 2].T
    omega = 2.0 * math.pi / PERIOD
    k = omega * omega / 9.81
    s = np.minimum(t / RAMP, 1.0)
    size = 0.5 * HEIGHT * omega * np.exp(k * z) * s * s * (3.0 - 2.0 * s)
    return np.column_stack([size * np.cos(k * x - omega * t), np.zeros_like(t), size * np.sin(k * x - omega * t)])


def apart(run: xr.Dataset) -> float:
    """Largest difference of the stick's velocity from the water's, as a part of the largest of these."""
    water = orbit(run)
    return float(np.abs(run["velocity"].values[:, 0, 2] - water).max() / np.abs(water).max())


def check() -> Iterator[Record]:
    """Splines, rigid links, and the splines reduced to their three modes of moving along."""
    spline = Simulation(stick("spline")).run()
    runs = {"spline": spline, "chain": Simulation(stick("chain")).run()}
    reduced = compiled(stick("spline").with_settings(step=0.025), galerkin(spline, 3, 1))
    runs["reduced"] = Simulation.of(reduced).run()
    for name, run in runs.items():
        words = f"{name}: velocity of a neutral stick in waves against the water's"
        yield Record.absolute(words, SOURCE, apart(run), 0.0, 2.0 * STEEPNESS)
