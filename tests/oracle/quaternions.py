"""Rotations for the oracle: unit quaternions, scalar first, from the local to the global frame."""

from itertools import pairwise

import numpy as np

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
EYE = np.eye(3)


def skew(r):
    """S(r), the 3x3 matrix with S(r) b = r x b."""
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def cross(a, b):
    """a x b of two vectors; `np.cross`, which is made for many, takes ten times as long."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def product(a, b):
    """Hamilton product a∘b."""
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    vector = a[0] * b[1:] + b[0] * a[1:] + cross(a[1:], b[1:])
    return np.concatenate([[scalar], vector])


def conjugate(q):
    """The inverse of a unit quaternion."""
    return np.concatenate([[q[0]], -q[1:]])


def exponential(phi):
    """The rotation by |phi| radians about phi: (cos(|phi|/2), sin(|phi|/2) phi/|phi|)."""
    half = 0.5 * np.linalg.norm(phi)
    # np.sinc(x) is sin(pi x)/(pi x): finite at zero without a branch.
    return np.concatenate([[np.cos(half)], 0.5 * np.sinc(half / np.pi) * np.asarray(phi)])


def matrix(q):
    """R(q): the columns are the local axes in global components."""
    s, u = q[0], q[1:]
    return (s * s - u @ u) * EYE + 2.0 * u[:, None] * u + 2.0 * s * skew(u)


def shortest_turn(a, b):
    """The rotation with the smallest angle that turns the unit vector a into b (any axis when they are opposite)."""
    cosine = a @ b
    if cosine < -1.0 + 1e-12:
        axis = cross(a, EYE[np.argmin(np.abs(a))])
        return np.concatenate([[0.0], axis / np.linalg.norm(axis)])
    q = np.concatenate([[1.0 + cosine], cross(a, b)])
    return q / np.linalg.norm(q)


def frames_along(tangents):
    """Frames (n, 4) with local z along the unit vectors `tangents` (n, 3), turned on without twist."""
    frames = [shortest_turn(np.array([0.0, 0.0, 1.0]), tangents[0])]
    for before, after in pairwise(tangents):
        frames.append(product(shortest_turn(before, after), frames[-1]))
    return np.array(frames)


def random_frames(rng, n):
    """n frames (n, 4), every direction equally likely."""
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)
