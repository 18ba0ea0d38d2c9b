"""How a body turns when roll, pitch or yaw are held: rates of angles and spins, R = Rz(yaw) Ry(pitch) Rx(roll)."""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.compiled import entry, kernel

from .panels import Floats

TURN = 6
"""Numbers of a hull with angles held: itself, its first spin among all speeds, its free angles (one or two of 0, 1, 2,
the second −1 when there is one), and their columns among the free speeds."""


def angles_of(R: Floats) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation (3, 3), rad."""
    pitch = math.atan2(-R[2, 0], math.hypot(R[2, 1], R[2, 2]))
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


def spin_of_angle_rates(R: Floats) -> Floats:
    """E (3, 3) of ω = E (rates of roll, pitch, yaw), body axes."""
    s, c, sin_pitch, cos_pitch = sines_of.py_func(R.ravel())
    return np.array([[1.0, 0.0, -sin_pitch], [0.0, c, cos_pitch * s], [0.0, -s, cos_pitch * c]])


@kernel
def sines_of(R):
    """Sine and cosine of the roll and of the pitch of a rotation, nine numbers row by row."""
    away = math.hypot(R[7], R[8])
    return R[7] / away, R[8] / away, -R[6], away


@entry
def free_speeds(motions, speeds, turns, S, d):
    """S (speeds, free speeds) and d (speeds,) of v̇ = S x + d where hulls have angles held; rows of what turns.

    motions[k] begins with the rotation of hull k; turns: rows of TURN numbers. With ω = E (rates of the angles) of the
    free angles α: ω̇ = E α̈ + Ė α̇, and α̇ is what comes nearest to the spins there are.
    """
    for i in range(turns.shape[0]):
        R, at = motions[turns[i, 0]], turns[i, 1]
        s, c, sin_pitch, cos_pitch = sines_of(R)
        p, q, r = speeds[at], speeds[at + 1], speeds[at + 2]
        tipping = c * q - s * r
        turning = p + sin_pitch * (s * q + c * r) / cos_pitch
        E = ((1.0, 0.0, -sin_pitch), (0.0, c, cos_pitch * s), (0.0, -s, cos_pitch * c))
        dE = (
            (0.0, 0.0, -cos_pitch * tipping),
            (0.0, -s * turning, cos_pitch * c * turning - sin_pitch * s * tipping),
            (0.0, -c * turning, -cos_pitch * s * turning - sin_pitch * c * tipping),
        )
        j, k = turns[i, 2], turns[i, 3]
        along = E[0][j] * p + E[1][j] * q + E[2][j] * r
        rate, other = along, 0.0  # columns of E have unit length
        if k >= 0:
            both = E[0][j] * E[0][k] + E[1][j] * E[1][k] + E[2][j] * E[2][k]
            across = E[0][k] * p + E[1][k] * q + E[2][k] * r
            det = 1.0 - both * both
            rate, other = (along - both * across) / det, (across - both * along) / det
        for n in range(3):
            S[at + n, turns[i, 4]] = E[n][j]
            d[at + n] = dE[n][j] * rate
            if k >= 0:
                S[at + n, turns[i, 5]] = E[n][k]
                d[at + n] += dE[n][k] * other
