"""Turns of many bodies at once, in numpy: rotation matrices, products of quaternions, cross products as matrices."""

from __future__ import annotations

import numpy as np


def rotations(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of quaternions (n, 4)."""
    s, x, y, z = q.T
    return np.stack(
        [
            1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y),
            2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x),
            2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y),
        ],
        axis=-1,
    ).reshape(-1, 3, 3)  # fmt: skip


def of_angles(angles: np.ndarray) -> np.ndarray:
    """Quaternion (1, 4) of roll, pitch and yaw (3,) [rad]: first roll, yaw last."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(0.5 * angles).tolist(), np.sin(0.5 * angles).tolist()
    s, x = cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy
    y, z = cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
    return np.array([[s, x, y, z]])


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Quaternion products p∘q, (n, 4)."""
    (a, b, c, d), (s, x, y, z) = p.T, q.T
    return np.stack(
        [
            a * s - b * x - c * y - d * z, a * x + b * s + c * z - d * y,
            a * y - b * z + c * s + d * x, a * z + b * y - c * x + d * s,
        ],
        axis=-1,
    )  # fmt: skip


def turned(q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Unit quaternions (n, 4) after turns about the bodies' own axes, vectors (n, 3) [rad]."""
    half = 0.5 * np.linalg.norm(turn, axis=1, keepdims=True)
    product = multiply(q, np.hstack([np.cos(half), 0.5 * np.sinc(half / np.pi) * turn]))
    return np.asarray(product / np.linalg.norm(product, axis=1, keepdims=True))


def skew(v: np.ndarray) -> np.ndarray:
    """S(v) with S(v)·w = v × w, of vectors (..., 3) as matrices (..., 3, 3)."""
    out = np.zeros((*v.shape, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return np.asarray(out - np.swapaxes(out, -1, -2))
