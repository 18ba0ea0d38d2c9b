"""The hulls of bodies whose water was solved for, as a result keeps them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Corners (n, 3) in the frame of the body [m], and panels (m, 4) of them."""


def hulls_of(dataset: xr.Dataset) -> dict[str, Mesh]:
    """Hulls by the names of their bodies, both halves where only one was computed."""
    kept = json.loads(str(dataset.attrs.get("hydro_hulls", "{}")))
    meshes = {name: (np.array(hull["vertices"]), np.array(hull["quads"])) for name, hull in kept.items()}
    if dataset.attrs.get("hydro_symmetric") == "yes":
        return {name: _both(*mesh) for name, mesh in meshes.items()}
    return meshes


def _both(vertices: NDArray[np.float64], quads: NDArray[np.int64]) -> Mesh:
    """A half hull and its mirror image."""
    mirrored = vertices * np.array([1.0, -1.0, 1.0])
    return np.concatenate([vertices, mirrored]), np.concatenate([quads, quads[:, ::-1] + len(vertices)])
