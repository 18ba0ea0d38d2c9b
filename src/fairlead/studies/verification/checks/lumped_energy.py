"""A chain of point masses that swings undamped: its energy stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

LENGTH, ANGLE, DURATION = 3.2, 0.5, 5.0  # m, rad, s
STEEL, SOFT, RUBBER = 200e9 * np.pi * 1e-4, 2e5, 2e4  # EA of the cable of Pereira et al. and of softer ones, N
STEP = 1e-3  # s
SOURCE = "conservation of energy"


def drift(step: float, integrator: str, stiffness: float, **lumped: Any) -> float:
    """Largest change of the total energy in 5 s of a swing from 0.5 rad, as a part of the kinetic energy reached."""
    tip = [LENGTH * np.sin(ANGLE), 0.0, -LENGTH * np.cos(ANGLE)]
    result = simulate(
        System.model_validate(
            {
                "environment": {"water_density": 0.0},
                "types": {"chain": {"diameter": 0.02, "density": 7850.0, "axial_stiffness": stiffness}},
                "points": {"top": {"kind": "fixed", "position": [0, 0, 0]}, "tip": {"kind": "free", "position": tip}},
                "cables": {"chain": {"type": "chain", "length": LENGTH, "elements": 20, "start": "top", "end": "tip"}},
                "simulation": {
                    "start": "catenary",
                    "formulation": "lumped",
                    "duration": DURATION,
                    "step": step,
                    "output_every": 0.05,
                    "integrator": integrator,
                    "lumped": {"compression": "carried", **lumped},
                },
            }
        )
    )
    total = np.sum([result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic")], axis=0)
    return float(np.abs(total - total[0]).max() / result["energy_kinetic"].values.max())


def check() -> Iterator[Record]:
    """Runge–Kutta with a small step; the default step; theta = 1/2 where the chain vibrates along itself.

    A chain that is let go unstretched vibrates along itself with the energy of its stretch, which the default damps: of
    steel that is 3e-6 of the swing's. The soft one has 8e-4, and theta = 1/2 keeps it. Elements are rods here.
    """
    found = drift(5e-5, "rk4", RUBBER)
    yield Record.absolute("swinging chain, energy drift in 5 s, 20 masses, rk4", SOURCE, found, 0.0, 1e-10)
    found = drift(STEP, "auto", STEEL)
    yield Record.absolute("swinging chain, energy drift in 5 s, 20 masses, default", SOURCE, found, 0.0, 1e-4)
    found = drift(STEP, "auto", SOFT, theta=0.5)
    yield Record.absolute("swinging soft chain, energy drift in 5 s, 20 masses, theta 0.5", SOURCE, found, 0.0, 1e-4)
