"""How a body turns when roll, pitch or yaw are held: rates of angles and spins, R = Rz(yaw) Ry(pitch) Rx(roll)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .panels import Floats, Integers


@dataclass(frozen=True)
class HeldAngles:
    """How a hull with some of its angles held may turn: ω̇ = spins · (accelerations of the free angles) + drift."""

    speeds: slice
    """Its three spins among all speeds."""
    columns: Integers
    """Its free angles among the free speeds."""
    spins: Floats
    """(3, free angles)."""
    drift: Floats
    """(3,), rad/s²."""


def angles_of(R: Floats) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation (3, 3), rad."""
    pitch = math.atan2(-R[2, 0], math.hypot(R[2, 1], R[2, 2]))
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


def spin_of_angle_rates(R: Floats, spin: Floats) -> tuple[Floats, Floats]:
    """E (3, 3) of ω = E (rates of roll, pitch, yaw), body axes, and its rate while the body turns with the spin ω."""
    roll, sin_pitch = math.atan2(R[2, 1], R[2, 2]), -R[2, 0]
    cos_pitch = math.hypot(R[2, 1], R[2, 2])
    s, c = math.sin(roll), math.cos(roll)
    E = np.array([[1.0, 0.0, -sin_pitch], [0.0, c, cos_pitch * s], [0.0, -s, cos_pitch * c]])
    turning, tipping, _ = np.linalg.solve(E, spin)
    dE = np.array(
        [
            [0.0, 0.0, -cos_pitch * tipping],
            [0.0, -s * turning, cos_pitch * c * turning - sin_pitch * s * tipping],
            [0.0, -c * turning, -cos_pitch * s * turning - sin_pitch * c * tipping],
        ]
    )
    return E, dE
