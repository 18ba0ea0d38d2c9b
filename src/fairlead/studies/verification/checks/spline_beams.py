"""Splines as beams: deflection and frequencies of a pinned beam, the tip of a cantilever, against beam theory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.statics import Equilibrium, natural_modes, solve
from fairlead.studies.verification.record import Record

LENGTH, EI, EA, MASS = 20.0, 2e4, 1e5, 1.0  # m, N m2, N, kg/m
GRAVITY, LOAD = 0.02, 0.05  # m/s2, N: small, so that deflections are
SOURCE = "beam theory: 5 w L^4 / 384 EI, (n pi / L)^2 sqrt(EI / m), P L^3 / 3 EI"


def beam(elements: int, mass: str = "consistent", cantilever: bool = False, gravity: float = 0.0) -> System:
    """A level beam along x: pinned at both ends under its weight, or clamped at the start with a load at its tip."""
    start: Any = {"point": "wall", "joint": "clamp"} if cantilever else "wall"
    return System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": gravity},
            "types": {
                "rod": {
                    "diameter": 0.05,
                    "mass_per_length": MASS,
                    "axial_stiffness": EA,
                    "bending_stiffness": EI,
                }
            },
            "points": {
                "wall": {"kind": "fixed", "position": [0, 0, 0]},
                "tip": {"kind": "free" if cantilever else "fixed", "position": [LENGTH, 0, 0]},
            },
            "cables": {"rod": {"type": "rod", "length": LENGTH, "elements": elements, "start": start, "end": "tip"}},
            "loads": [{"point": "tip", "force": [0, 0, -LOAD]}] if cantilever else [],
            "simulation": {
                "start": "catenary",
                "formulation": "spline",
                "duration": 1.0,
                "step": 0.01,
                "spline": {"mass": mass},
            },
        }
    )


def deflection(rest: Equilibrium) -> float:
    """How far the middle has come down, m."""
    places = np.asarray(rest.outputs["rod.position"])
    return -float(places[len(places) // 2, 2])


def frequencies(rest: Equilibrium, count: int = 3) -> np.ndarray:
    """The first bending frequencies (count,) rad/s; each comes twice, in the two planes."""
    return natural_modes(rest.compiled, rest.y, count=2 * count).omega[::2]


def check() -> Iterator[Record]:
    """Eight elements, consistent mass and load."""
    pinned = solve(beam(8, gravity=GRAVITY))
    exact = 5.0 * MASS * GRAVITY * LENGTH**4 / (384.0 * EI)
    yield Record.relative("pinned beam, deflection of its middle, 8 splines", SOURCE, deflection(pinned), exact, 2e-3)
    for n, omega in enumerate(frequencies(pinned), start=1):
        exact = (n * math.pi / LENGTH) ** 2 * math.sqrt(EI / MASS)
        yield Record.relative(f"pinned beam, frequency {n}, 8 splines", SOURCE, float(omega), exact, 2e-3)
    tip = -float(np.asarray(solve(beam(8, cantilever=True)).outputs["tip.position"])[2])
    exact = LOAD * LENGTH**3 / (3.0 * EI)
    yield Record.relative("cantilever, tip deflection, 8 splines", SOURCE, tip, exact, 1e-6)
