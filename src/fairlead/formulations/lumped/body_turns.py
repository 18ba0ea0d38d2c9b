"""Turns of bodies as arrays: rotation matrices, quaternions, cross products."""

from __future__ import annotations

import numpy as np

from fairlead.model.bodies import rotation_matrix


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


def turned(angles: np.ndarray) -> np.ndarray:
    """Rotation matrix of roll, pitch and yaw [rad]."""
    roll, pitch, yaw = (float(angle) for angle in np.degrees(angles))
    return np.array(rotation_matrix((roll, pitch, yaw)))


def skew(v: np.ndarray) -> np.ndarray:
    """S(v) with S(v)·w = v × w."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Unit quaternion products p∘q, (n, 4)."""
    ps, pv, qs, qv = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    out = np.hstack([ps * qs - np.sum(pv * qv, axis=1, keepdims=True), ps * qv + qs * pv + np.cross(pv, qv)])
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))
