"""Relaxation by the linearly implicit Euler rule, for formulations whose degrees of freedom are places of nodes."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import splu

from .contract import Linearised


def relaxed(system: Linearised, y: np.ndarray, velocity: np.ndarray, dofs: np.ndarray, n: int, h: float) -> bool:
    """n heavily damped steps of size h [s] in place, (M/h² + K)dx = F + M v/h; False when it went wrong.

    velocity: the part of `y` that holds the velocities of all nodes; dofs: the free ones among them.
    """
    for _ in range(n):
        mass = system.mass(y)
        matrix = (mass / (h * h) + system.tangent(y)).tocsc()
        dx = splu(matrix).solve(system.residual(y) + mass @ velocity[dofs] / h)
        if not np.isfinite(dx).all():
            return False
        y[:] = system.displaced(y, dx)
        velocity[dofs] = dx / h
    return True
