"""Unit quaternions, scalar first, local to global, as tuples `(s, x, y, z)`."""

from __future__ import annotations

import math

import numpy as np

from .compiled import inlined, kernel
from .lanes import any_lane, where


@kernel
def rotation(q):
    """Rotation matrix R (local to global), nine numbers row by row."""
    s, x, y, z = q
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - s * z), 2.0 * (x * z + s * y),
        2.0 * (x * y + s * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - s * x),
        2.0 * (x * z - s * y), 2.0 * (y * z + s * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@kernel
def product(a, b):
    """a∘b."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def relative(a, b):
    """a⁻¹∘b with the sign chosen so that the scalar part is not negative (q and −q are one rotation)."""
    s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
    z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
    return where(s < 0.0, (-s, -x, -y, -z), (s, x, y, z))


@inlined
def turned(q, x, y, z):
    """q∘exp(½(x, y, z)): the orientation after a turn by the rotation vector (x, y, z) in the body frame, unit again.

    The exponential is a series for turns below half a radian (no transcendental call) and exact beyond.
    """
    square = x * x + y * y + z * z
    f = 0.25 * square
    c = 1.0 - f * (1.0 / 2.0 - f * (1.0 / 24.0 - f * (1.0 / 720.0 - f / 40320.0)))
    k = 0.5 * (1.0 - f * (1.0 / 6.0 - f * (1.0 / 120.0 - f * (1.0 / 5040.0 - f / 362880.0))))
    far = square >= 0.25
    if any_lane(far):
        angle = math.sqrt(square)
        c, k = where(far, (math.cos(0.5 * angle), math.sin(0.5 * angle) / angle), (c, k))
    p = product(q, (c, k * x, k * y, k * z))
    n = 1.5 - 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])  # 1/|p|, since |p| is nearly 1
    return (p[0] * n, p[1] * n, p[2] * n, p[3] * n)


@kernel
def unit_turn(q):
    """A quaternion brought to unit size."""
    f = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (f * q[0], f * q[1], f * q[2], f * q[3])


def from_axis(tangent: np.ndarray) -> np.ndarray:
    """Quaternion that turns e_z into the unit vector `tangent` by the shortest way, shape (4,)."""
    s = 1.0 + tangent[2]
    if s < 1e-9:  # pointing straight down: any half turn about a horizontal axis
        return np.array([0.0, 1.0, 0.0, 0.0])
    q = np.array([s, -tangent[1], tangent[0], 0.0])
    return np.asarray(q / np.linalg.norm(q))


def along(tangents: np.ndarray) -> np.ndarray:
    """Twist-free frames along a polyline: quaternions (n, 4) whose local z follows `tangents` (n, 3).

    Each frame is the previous one turned the shortest way (parallel transport), so that a cable laid out so
    carries no torsion.
    """
    frames = np.empty((len(tangents), 4))
    frames[0] = from_axis(tangents[0])
    for i in range(1, len(tangents)):
        a, b = tangents[i - 1], tangents[i]
        c = 1.0 + float(a @ b)
        if c < 1e-9:  # a hairpin: half a turn about the previous frame's own x axis
            axis = np.array(rotation.py_func(tuple(frames[i - 1]))).reshape(3, 3)[:, 0]
            turn = np.array([0.0, *axis])
        else:
            turn = np.array([c, *np.cross(a, b)])
            turn /= np.linalg.norm(turn)
        frames[i] = product.py_func(turn, frames[i - 1])
        frames[i] /= np.linalg.norm(frames[i])
    return frames


def from_matrix(rotation: np.ndarray) -> np.ndarray:
    """Quaternion (4,) of a rotation matrix (3, 3), scalar ≥ 0."""
    trace = np.array([
        1 + rotation[0, 0] + rotation[1, 1] + rotation[2, 2], 1 + rotation[0, 0] - rotation[1, 1] - rotation[2, 2],
        1 - rotation[0, 0] + rotation[1, 1] - rotation[2, 2], 1 - rotation[0, 0] - rotation[1, 1] + rotation[2, 2],
    ])  # fmt: skip
    k = int(np.argmax(trace))  # the largest component is the safe one to divide by
    off = rotation - rotation.T
    both = rotation + rotation.T
    vector = np.array([off[2, 1], off[0, 2], off[1, 0]])
    if k == 0:
        q = np.array([trace[0], *vector])
    else:
        q = np.array([vector[k - 1], both[k - 1, 0], both[k - 1, 1], both[k - 1, 2]])
        q[k] = trace[k]
    q /= np.linalg.norm(q)
    return np.asarray(q if q[0] >= 0 else -q)
