"""A straight rod twisted until it coils: the critical torque of a follower torque against Greenhill's formula."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.formulations import compile_system
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.studies.verification.record import Record

LENGTH, EI, GJ = 10.0, 100.0, 80.0  # m, N m2
SOURCE = "Greenhill (1883): 2 pi EI / L"


def twisted(angle_deg: float, torque: str, elements: int) -> System:
    """A straight rod along x without weight, pinned at both ends, its end turned by `angle_deg`."""
    return System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 0.0},
            "types": {
                "rod": {
                    "diameter": 0.05,
                    "mass_per_length": 1.0,
                    "axial_stiffness": 1e6,
                    "bending_stiffness": EI,
                    "torsional_stiffness": GJ,
                }
            },
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, 0]},
                "B": {"kind": "fixed", "position": [LENGTH, 0, 0]},
            },
            "cables": {"rod": {"type": "rod", "length": LENGTH, "elements": elements, "start": "A", "end": "B"}},
            "simulation": {
                "start": "catenary",
                "formulation": "spline",
                "duration": 1.0,
                "step": 0.01,
                "spline": {"twists": {"rod": {"angle_deg": angle_deg, "torque": torque}}},
            },
        }
    )


def stiffness(angle_deg: float, torque: str, elements: int) -> np.ndarray:
    """Stiffness matrix of the straight rod, its end turned by `angle_deg`."""
    system = twisted(angle_deg, torque, elements)
    compiled = compile_system(system, first_geometry(system))
    y = compiled.initial_state()
    return np.asarray(compiled.linearised().tangent(y).toarray())


def critical_torque(torque: str = "follower", elements: int = 32) -> float:
    """The smallest torque at which the straight rod has no stiffness left against some bend, N m.

    The stiffness is linear in the torque, K + M K', so that M is the reciprocal of the largest eigenvalue of -K^-1 K'.
    """
    plain, turned = stiffness(0.0, torque, elements), stiffness(1.0, torque, elements)
    moment = GJ * math.radians(1.0) / LENGTH
    values = np.linalg.eigvals(-np.linalg.solve(plain, (turned - plain) / moment))
    return 1.0 / float(values.real.max())


def check() -> Iterator[Record]:
    """32 elements."""
    exact = 2.0 * math.pi * EI / LENGTH
    yield Record.relative("critical torque of a pinned rod, 32 splines", SOURCE, critical_torque(), exact, 1e-3)
