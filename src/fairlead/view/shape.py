"""Shapes of cables from the places of their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results.strength import end_stiffness

if TYPE_CHECKING:
    import xarray as xr


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


def curvature_along(dataset: xr.Dataset, i: int, position: NDArray[np.float64]) -> NDArray[np.float64]:
    """Curvature of cable i at its nodes (time, node), 1/m, with M/EI at ends that have a bending stiffness.

    The polygon does not know in which direction a clamp holds its end, the moment there does. A ball joint has none.
    """
    out = curvature(position)
    if "bending_moment" not in dataset:
        return out
    moment = np.abs(dataset["bending_moment"].values[:, i, : out.shape[1]])
    for node, stiffness in zip((0, -1), end_stiffness(dataset, i), strict=True):
        if stiffness > 0.0 and (moment > 0.0).any():
            known = np.isfinite(moment[:, node]) & np.isfinite(out[:, node])
            out[known, node] = moment[known, node] / stiffness
    return out
