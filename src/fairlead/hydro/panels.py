"""Flat four-cornered panels, of which every boundary of the fluid is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .vectors import crosses

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Panels:
    """Quadrilaterals over shared vertices; a triangle repeats its last vertex.

    vertices: (n, 3), m. quads: (m, 4), corners in the order that makes the normal point OUT OF THE FLUID: into a
    body, upwards at the free surface (seen from the side the normal points to, the corners run anticlockwise).
    """

    vertices: Floats
    quads: Integers

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", np.ascontiguousarray(self.vertices, dtype=np.float64).reshape(-1, 3))
        object.__setattr__(self, "quads", np.ascontiguousarray(self.quads, dtype=np.int64).reshape(-1, 4))

    def __len__(self) -> int:
        return len(self.quads)

    @cached_property
    def corners(self) -> Floats:
        """Corners of each panel (m, 4, 3), m."""
        return self.vertices[self.quads]

    @cached_property
    def _halves(self) -> tuple[Floats, Floats]:
        """Area vectors of the two triangles (a, b, c) and (a, c, d) of each panel, each (m, 3), m²."""
        a, b, c, d = (self.corners[:, k] for k in range(4))
        return 0.5 * crosses(b - a, c - a), 0.5 * crosses(c - a, d - a)

    @cached_property
    def area_vectors(self) -> Floats:
        """Normal times area (m, 3), m²: they add up to nothing over a closed surface."""
        first, second = self._halves
        return first + second

    @cached_property
    def areas(self) -> Floats:
        """Area (m), m²."""
        return np.asarray(np.linalg.norm(self.area_vectors, axis=1))

    @cached_property
    def normals(self) -> Floats:
        """Unit normal out of the fluid (m, 3); nothing where a panel has no area."""
        size = self.areas[:, None]
        return np.divide(self.area_vectors, size, out=np.zeros_like(self.area_vectors), where=size > 0.0)

    @cached_property
    def centres(self) -> Floats:
        """Centroid (m, 3), m: where the boundary conditions hold."""
        a, b, c, d = (self.corners[:, k] for k in range(4))
        other = 0.5 * crosses(b - a, d - a), 0.5 * crosses(c - b, d - b)
        thirds = (a + b + c, a + c + d, a + b + d, b + c + d)  # either way of cutting a warped panel counts the same
        shares = [np.einsum("ij,ij->i", half, self.normals)[:, None] for half in (*self._halves, *other)]
        total = sum(shares[1:], shares[0])
        weighed = sum(share * third for share, third in zip(shares, thirds, strict=True)) / 3.0
        middle = 0.25 * (a + b + c + d)
        return np.asarray(np.divide(weighed, total, out=middle, where=np.abs(total) > 0.0))

    @cached_property
    def warps(self) -> Floats:
        """Distance between the middles of the two diagonals along the normal, of the diameter (m); 0 for flat ones."""
        a, b, c, d = (self.corners[:, k] for k in range(4))
        gap = np.abs(np.einsum("ij,ij->i", 0.5 * (a + c - b - d), self.normals))
        return np.where(np.any(self.quads[:, 2:3] == self.quads[:, 3:], axis=1), 0.0, gap) / self.diameters

    @cached_property
    def diameters(self) -> Floats:
        """Longer diagonal (m), m."""
        a, b, c, d = (self.corners[:, k] for k in range(4))
        return np.asarray(np.maximum(np.linalg.norm(c - a, axis=1), np.linalg.norm(d - b, axis=1)))

    @property
    def volume(self) -> float:
        """Volume that a closed surface with normals pointing inwards holds (a body in the fluid), m³."""
        first, second = self._halves
        a, b, c, d = (self.corners[:, k] for k in range(4))
        return -float(np.sum(first * (a + b + c)) + np.sum(second * (a + c + d))) / 9.0

    def joined(self, *others: Panels) -> Panels:
        """These panels, then the others', as one set; vertices are not shared across."""
        parts = (self, *others)
        starts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
        quads = [part.quads + start for part, start in zip(parts, starts, strict=True)]
        return Panels(np.concatenate([part.vertices for part in parts]), np.concatenate(quads))

    def mirrored(self) -> Panels:
        """The other half, y → −y; the corners run the other way, so that normals still point out of the fluid."""
        return Panels(self.vertices * np.array([1.0, -1.0, 1.0]), np.ascontiguousarray(self.quads[:, ::-1]))

    def whole(self) -> Panels:
        """This half and its mirror image."""
        return self.joined(self.mirrored())

    def moved(self, place: Floats, rotation: Floats | None = None) -> Panels:
        """Turned by `rotation` (3, 3, body to world) and then shifted by `place` (3), m."""
        turned = self.vertices if rotation is None else self.vertices @ np.asarray(rotation).T
        return Panels(turned + np.asarray(place), self.quads)
