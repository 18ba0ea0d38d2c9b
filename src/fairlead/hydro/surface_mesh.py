"""Meshes of the free surface: a disc of panels round the bodies whose inner rims follow the waterlines.

Every vertex is a fixed place plus a fixed share of the waterlines' displacements, p = p₀ + W (w − w₀): the panels stay
the same, only their corners move, and they move most where a hull is and not at all at the outer edge. So the velocity
of the mesh is W times that of the waterlines.

No piercing body: a disc without a polar centre. One: rings from its waterline outwards. Several: triangles
(`triangles.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from .hulls import butterfly
from .mesh_checks import MeshError
from .panels import Panels


@dataclass(frozen=True)
class SurfaceMesh:
    """Panels at z = 0 over given waterlines; see the head of the file."""

    base: np.ndarray
    """Vertices with the waterlines where they were when the mesh was made (vertices, 2), m."""
    quads: np.ndarray
    """(panels, 4), normals up."""
    share: csr_matrix
    """W (vertices, points of all waterlines)."""
    rest: np.ndarray
    """w₀: the waterlines the mesh was made for, one after the other (points, 2), m."""
    centre: np.ndarray
    """Middle of the disc (2,), m."""
    radius: float
    """Radius of the disc, m."""

    def at(self, waterlines: np.ndarray | None = None) -> Panels:
        """Panels at z = 0 for waterlines (points, 2 or 3), those of all piercing bodies one after the other."""
        places = self.base
        if waterlines is not None and len(self.rest):
            places = places + self.share @ (np.asarray(waterlines)[:, :2] - self.rest)
        return Panels(np.column_stack((places, np.zeros(len(places)))), self.quads)

    def velocity(self, waterline_velocities: np.ndarray) -> np.ndarray:
        """Velocity (x, y) of the vertices (vertices, 2) when the points of the waterlines move so (points, 2), m/s."""
        if not len(self.rest):
            return np.zeros_like(self.base)
        return np.asarray(self.share @ np.asarray(waterline_velocities)[:, :2])

    def halved(self) -> SurfaceMesh:
        """The panels with y > 0 only; vertices and waterlines stay whole."""
        keep = Panels(np.column_stack((self.base, np.zeros(len(self.base)))), self.quads).centres[:, 1] > 0.0
        return SurfaceMesh(self.base, self.quads[keep], self.share, self.rest, self.centre, self.radius)


def graded(length: float, first: float, largest: float, growth: float = 1.3) -> np.ndarray:
    """Places from 0 to `length`: steps grow from about `first` by `growth` each up to about `largest`, then stay."""
    if not 0.0 < first < math.inf or not 0.0 < largest < math.inf:
        raise MeshError(f"free surface: panel sizes of {first:g} m and {largest:g} m; both must be positive")
    steps: list[float] = []
    size = min(first, largest)
    while sum(steps) < length:
        steps.append(size)
        size = min(size * growth, max(first, largest))
    if len(steps) > 1 and sum(steps) - length > 0.5 * steps[-1]:
        steps.pop()
    places = np.concatenate(([0.0], np.cumsum(steps)))
    return np.asarray(places * (length / places[-1]))


def disc(
    centre: tuple[float, float], radius: float, columns: int, inner: float, outer: float, growth: float = 1.3
) -> SurfaceMesh:
    """Over a submerged body or none: a block of (columns/4)² panels of about `inner` m in the middle, rings about it.

    Rings widen from `inner` to `outer` m.
    """
    columns = max(8, 8 * round(columns / 8.0))
    block = 0.5 * inner * columns / 4.0
    if not 0.0 < block < 0.9 * radius:
        raise MeshError(
            f"free surface: a block of {columns // 4} panels of {inner:g} m does not fit in a radius of {radius:g} m; "
            "use a smaller `inner` or fewer `columns`"
        )
    plate, rim = butterfly(columns, 0.6, 1)
    start = block / 0.6
    places = graded(radius - start, inner, outer, growth)
    theta = 2.0 * math.pi * np.arange(columns) / columns
    circle = np.column_stack((np.cos(theta), np.sin(theta)))
    circle[np.abs(circle) < 1e-14] = 0.0
    points, quads, last = [start * plate.vertices[:, :2]], [plate.quads], rim
    count = len(plate.vertices)
    for r in places[1:]:
        points.append((start + r) * circle)
        here = count + np.arange(columns)
        quads.append(_ring(last, here))
        last, count = here, count + columns
    base = np.concatenate(points) + np.asarray(centre)
    middle = np.asarray(centre, dtype=float)
    return SurfaceMesh(base, np.concatenate(quads), csr_matrix((len(base), 0)), np.zeros((0, 2)), middle, radius)


def rings_about(
    waterline: np.ndarray,
    centre: tuple[float, float],
    radius: float,
    outer: float,
    inner: float | None = None,
    growth: float = 1.3,
) -> SurfaceMesh:
    """Rings from one waterline (columns, 2) out to a circle, widening to `outer` m.

    `inner`: width of the first ring, m; as the waterline's steps when left out.
    """
    line = np.asarray(waterline, dtype=float)[:, :2]
    columns, middle = len(line), np.asarray(centre, dtype=float)
    away = np.linalg.norm(line - middle, axis=1)
    if away.max() >= 0.5 * radius:
        raise MeshError(
            f"free surface: the waterline reaches {away.max():.4g} m from the middle of a domain of {radius:g} m; the "
            "body is outside the domain or the domain too small: move the body to the middle or use a larger `radius`"
        )
    edges = np.linalg.norm(np.roll(line, -1, axis=0) - line, axis=1)
    first = float(np.mean(edges)) if inner is None else inner
    gap = radius - float(np.mean(away))
    part = graded(gap, first, outer, growth) / gap
    rings = len(part) - 1
    angle = _even_angles(line - line.mean(axis=0))  # the middle of the disc may lie outside the waterline
    rim = middle + radius * np.column_stack((np.cos(angle), np.sin(angle)))
    rim[np.abs(rim) < 1e-13 * radius] = 0.0
    base = np.concatenate([(1.0 - s) * line + s * rim for s in part])
    quads = np.concatenate([_ring(k * columns + np.arange(columns), (k + 1) * columns + np.arange(columns))
                            for k in range(rings)])  # fmt: skip
    k, i = np.meshgrid(np.arange(rings + 1), np.arange(columns), indexing="ij")
    share = csr_matrix(((1.0 - part[k]).ravel(), ((k * columns + i).ravel(), i.ravel())), (len(base), columns))
    return SurfaceMesh(base, quads, share, line.copy(), middle, radius)


def _ring(inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """Quads between two closed rings that run anticlockwise, normals up."""
    return np.stack((inner, outer, np.roll(outer, -1), np.roll(inner, -1)), axis=1)


def _even_angles(line: np.ndarray) -> np.ndarray:
    """Angles of the outer ends of rings' spokes: half way between those of the waterline and evenly spread ones.

    What lies on the x axis stays on it, so that a half of the mesh ends at the plane of symmetry.
    """
    angle = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
    even = angle[0] + 2.0 * math.pi * np.arange(len(line)) / len(line)
    mixed = 0.5 * (angle + even)
    on_axis = np.abs(line[:, 1]) < 1e-9 * np.abs(line).max()
    return np.asarray(np.where(on_axis, angle, mixed))
