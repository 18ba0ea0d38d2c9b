"""A surface through heights on a grid: smooth, with a slope everywhere, held beyond the edges.

In a cell of the grid, with u and v from 0 to 1 along its sides a and b, Hermite's cubics take height, slopes and twist
from the corners:

    z = Σ P_i(u) (Q_j(v) z_ij + b T_j(v) ∂y z_ij) + a S_i(u) (Q_j(v) ∂x z_ij + b T_j(v) ∂xy z_ij)

P and Q are 1 − 3u² + 2u³ and 3u² − 2u³, S and T u − 2u² + u³ and u³ − u². Slopes at the corners are those of parabolas
through three neighbours: a plane comes back as it is, and heights and normals are continuous, as contact wants them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Relief:
    """Axes x (n,) and y (m,) that grow, and of every node height, ∂x, ∂y and ∂xy, (n, m, 4)."""

    x: Floats
    y: Floats
    nodes: Floats

    @classmethod
    def through(cls, x: ArrayLike, y: ArrayLike, heights: ArrayLike) -> Relief:
        """The surface through heights (n, m); an axis of one value: it is the same all along it."""
        along, across, z = np.array(x, dtype=float), np.array(y, dtype=float), np.array(heights, dtype=float)
        if len(along) == 1:
            along, z = along[0] + np.array([0.0, 1.0]), np.repeat(z, 2, axis=0)
        if len(across) == 1:
            across, z = across[0] + np.array([0.0, 1.0]), np.repeat(z, 2, axis=1)
        by_x, by_y = _slopes(z, along, 0), _slopes(z, across, 1)
        return cls(along, across, np.stack([z, by_x, by_y, _slopes(by_x, across, 1)], axis=-1))

    def at(self, x: Any, y: Any) -> tuple[Any, Any, Any]:
        """Height and slopes ∂x, ∂y at places, of their shape."""
        i, u, a, within = _cell(self.x, x)
        j, v, b, between = _cell(self.y, y)
        height, by_x, by_y = 0.0, 0.0, 0.0
        for k, (p, s, dp, ds) in enumerate(_cubics(u)):
            for m, (q, t, dq, dt) in enumerate(_cubics(v)):
                z, zx, zy, zxy = np.moveaxis(self.nodes[i + k, j + m], -1, 0)
                height = height + p * (q * z + b * t * zy) + a * s * (q * zx + b * t * zxy)
                by_x = by_x + dp / a * (q * z + b * t * zy) + ds * (q * zx + b * t * zxy)
                by_y = by_y + p * (dq / b * z + dt * zy) + a * s * (dq / b * zx + dt * zxy)
        return height, np.where(within, by_x, 0.0), np.where(between, by_y, 0.0)


def _slopes(z: Floats, axis: Floats, which: int) -> Floats:
    return np.asarray(np.gradient(z, axis, axis=which, edge_order=2 if len(axis) > 2 else 1))


def _cell(axis: Floats, x: Any) -> tuple[Any, Any, Any, Any]:
    """Number of the cell, how far into it (0 to 1), its width, and whether the place is between the edges."""
    x = np.asarray(x, dtype=float)
    i = np.clip(np.searchsorted(axis, x, side="right") - 1, 0, len(axis) - 2)
    width = axis[i + 1] - axis[i]
    return i, np.clip((x - axis[i]) / width, 0.0, 1.0), width, (x > axis[0]) & (x < axis[-1])


def _cubics(u: Any) -> tuple[tuple[Any, Any, Any, Any], ...]:
    """Of both ends of a cell: what its height and its slope count for at u, and the rates of both with u."""
    f, df = u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u)
    near, far = u * (1.0 - u) * (1.0 - u), u * u * (u - 1.0)
    return (1.0 - f, near, -df, (1.0 - u) * (1.0 - 3.0 * u)), (f, far, df, u * (3.0 * u - 2.0))
