"""Cross products; numpy's own take two to a hundred times as long for so few numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .panels import Floats


def cross(u: Floats, v: Floats) -> Floats:
    """u × v of two vectors (3,)."""
    a, b, c = u
    x, y, z = v
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])


def crosses(u: Floats, v: Floats) -> Floats:
    """u × v of many vectors (n, 3), or of one (3,) and many: (n, 3)."""
    a, b, c = u[..., 0], u[..., 1], u[..., 2]
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    first = b * z - c * y
    out = np.empty((*first.shape, 3))
    out[..., 0], out[..., 1], out[..., 2] = first, c * x - a * z, a * y - b * x
    return out


def skew(u: Floats) -> Floats:
    """S (3, 3) with S v = u × v."""
    x, y, z = u
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def skews(u: Floats) -> Floats:
    """The same of many vectors (n, 3), (n, 3, 3)."""
    S = np.zeros((len(u), 3, 3))
    S[:, 0, 1], S[:, 0, 2], S[:, 1, 2] = -u[:, 2], u[:, 1], -u[:, 0]
    S[:, 1, 0], S[:, 2, 0], S[:, 2, 1] = u[:, 2], -u[:, 1], u[:, 0]
    return S
