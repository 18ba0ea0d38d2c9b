"""Whether a mesh is a hull: nothing without area, no hole but at the water, the outside outside."""

from __future__ import annotations

import numpy as np

from .panels import Panels

SMALLEST = 1e-9
"""Area of the smallest panel allowed, over the mean area."""


class MeshError(ValueError):
    """A mesh that cannot bound the water; the text names the panel, the cause and the cure."""


def check_panels(panels: Panels, name: str) -> None:
    """Refuse panels that are not finite or have no area."""
    if len(panels) == 0:
        raise MeshError(f"{name}: the mesh has no panels; give it some, or a finer panel size")
    bad = np.asarray(~np.isfinite(panels.corners).all(axis=(1, 2)))
    if bad.any():
        raise MeshError(f"{name}: panel {_first(bad)} has a corner that is not a finite number; mend the mesh file")
    flat = panels.areas <= SMALLEST * max(float(np.mean(panels.areas)), 1e-300)
    if flat.any():
        raise MeshError(
            f"{name}: panel {_first(flat)} of {len(panels)} near {_place(panels, flat)} has no area; remove it or "
            "merge its corners"
        )


def check_closed(panels: Panels, name: str, open_at: float | None = None) -> None:
    """Refuse a hull with a hole, with panels that disagree on which side is outside, or turned inside out.

    `open_at`: height at which edges may be free [m], where the hull was cut at the water.
    """
    free, wrong, crowded = _edges(panels)
    if open_at is not None and len(free):
        size = float(np.median(panels.diameters))
        free = free[np.any(np.abs(panels.vertices[free][:, :, 2] - open_at) > 1e-6 * size, axis=1)]
    if len(free):
        place = panels.vertices[free[0]].mean(axis=0)
        raise MeshError(
            f"{name}: the mesh is open: {len(free)} edges belong to one panel only, one near {_text(place)}; close the "
            "hole, or merge corners that should be the same"
        )
    if len(crowded):
        place = panels.vertices[crowded[0]].mean(axis=0)
        raise MeshError(
            f"{name}: the mesh is no surface: {len(crowded)} edges belong to more than two panels, one near "
            f"{_text(place)}; remove panels that are there twice, and walls inside the hull"
        )
    if len(wrong):
        place = panels.vertices[wrong[0]].mean(axis=0)
        raise MeshError(
            f"{name}: panels on the two sides of {len(wrong)} edges disagree on which side is outside, one near "
            f"{_text(place)}; turn the order of the corners of one of them round"
        )
    lid = 0.0 if open_at is None else open_at
    below = Panels(panels.vertices - [0.0, 0.0, lid], panels.quads)
    volume = -float(np.sum(below.centres[:, 2] * below.area_vectors[:, 2]))
    if not volume > 0.0:
        raise MeshError(
            f"{name}: the mesh is inside out (its volume comes out as {volume:.4g} m³); turn the order of the corners "
            "of all panels round, or say `inverted: true`"
        )


def _edges(panels: Panels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges of one panel only, edges that two run along in the same direction, edges of more than two; each (n, 2)."""
    _, place = np.unique(np.round(panels.vertices, 9), axis=0, return_inverse=True)
    same = place.ravel()[panels.quads]
    original = panels.quads
    tails, heads = same.ravel(), np.roll(same, -1, axis=1).ravel()
    pairs = np.stack((original.ravel(), np.roll(original, -1, axis=1).ravel()), axis=1)
    real = tails != heads
    tails, heads, pairs = tails[real], heads[real], pairs[real]
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    keys, index, counts = np.unique(np.stack((low, high), axis=1), axis=0, return_inverse=True, return_counts=True)
    index = index.ravel()
    direction = np.zeros(len(keys))
    np.add.at(direction, index, np.where(tails < heads, 1.0, -1.0))
    same_way = (counts[index] == 2) & (direction[index] != 0.0)
    return pairs[counts[index] == 1], pairs[same_way], pairs[counts[index] > 2]


def _first(bad: np.ndarray) -> int:
    return int(np.flatnonzero(bad)[0])


def _place(panels: Panels, bad: np.ndarray) -> str:
    return _text(panels.corners[_first(bad)].mean(axis=0))


def _text(place: np.ndarray) -> str:
    return "[" + ", ".join(f"{value:.4g}" for value in place) + "]"
