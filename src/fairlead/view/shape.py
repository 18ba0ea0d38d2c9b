"""Shapes of cables from the places of their nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def curvature(position: NDArray[np.float64]) -> NDArray[np.float64]:
    """Curvature of the polygon through the nodes (time, node, 3), as (time, node), 1/m; NaN where there is no cable.

    The turn between two segments over their mean length; at an end that of its neighbour.
    """
    out = np.zeros(position.shape[:2])
    if position.shape[1] >= 3:
        legs = np.diff(position, axis=1)
        lengths = np.linalg.norm(legs, axis=-1)
        along = legs / np.maximum(lengths, 1e-12)[..., np.newaxis]
        turn = np.linalg.norm(np.diff(along, axis=1), axis=-1)
        inner = turn / np.maximum(0.5 * (lengths[:, 1:] + lengths[:, :-1]), 1e-12)
        out[:, 1:-1] = np.where(np.isfinite(inner), inner, 0.0)
        out[:, 0], out[:, -1] = out[:, 1], out[:, -2]
    return np.where(np.isfinite(position[..., 0]), out, np.nan)
