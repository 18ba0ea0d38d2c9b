"""Triangles on the free surface about several waterlines: small near the hulls, larger far off.

After P.-O. Persson and G. Strang (2004), SIAM Review 46(2), 329: places settle as the nodes of a truss whose bars push
when they are shorter than wanted. The start is a lattice, not random, and even in y where the waterlines are.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix, lil_matrix
from scipy.spatial import Delaunay, cKDTree

from .mesh_checks import MeshError
from .surface_mesh import SurfaceMesh

Edge = Callable[[np.ndarray], np.ndarray]
"""Wanted length of edges at places (n, 2), m."""


def triangles_about(
    waterlines: list[np.ndarray], centre: tuple[float, float], radius: float, outer: float, growth: float = 0.35
) -> SurfaceMesh:
    """Triangles about several waterlines, each (columns, 2): as small as the waterline's steps at it, then growing.

    `growth`: how much longer an edge is a metre farther off; `outer`: longest edge, m.
    """
    lines = [np.asarray(line, dtype=float)[:, :2] for line in waterlines]
    middle = np.asarray(centre, dtype=float)
    _require_room(lines, middle, radius)
    sizes = np.concatenate([np.linalg.norm(np.roll(line, -1, axis=0) - line, axis=1) for line in lines])
    fixed = np.concatenate(lines)
    near = cKDTree(fixed)
    symmetric = max(near.query(fixed * [1.0, -1.0])[0].max(), abs(middle[1])) < 1e-9 * radius

    def edge(p: np.ndarray) -> np.ndarray:
        distance, which = near.query(p)
        return np.asarray(np.minimum(sizes[which] + growth * distance, outer))

    rim = _outer_rim(middle, radius, edge)
    pinned = np.concatenate((fixed, rim))
    loose = _seeds(middle, radius, lines, edge, near)
    if symmetric:
        loose = loose[loose[:, 1] > 0.25 * edge(loose)]
        on_axis = _axis_seeds(middle, radius, lines, edge)
        loose = _relaxed(np.concatenate((loose, on_axis)), pinned, lines, edge, len(on_axis))
        base = np.concatenate((pinned, loose))
        triangles = _mirrored(base, lines)
    else:
        base = np.concatenate((pinned, _relaxed(loose, pinned, lines, edge, 0)))
        triangles = _triangulated(base, lines)
    quads = np.column_stack((triangles, triangles[:, 2]))
    return SurfaceMesh(base, quads, _blended(base, lines, middle, radius), fixed, middle, radius)


def _require_room(lines: list[np.ndarray], middle: np.ndarray, radius: float) -> None:
    """Refuse waterlines that leave the domain or one another no room."""
    for k, line in enumerate(lines):
        away = np.linalg.norm(line - middle, axis=1).max()
        if away >= 0.5 * radius:
            raise MeshError(
                f"free surface: waterline {k + 1} reaches {away:.4g} m from the middle of a domain of {radius:g} m; "
                "move the body to the middle or use a larger `radius`"
            )
        for other in lines[:k]:
            if _inside(line, other).any() or _inside(other, line).any():
                raise MeshError("free surface: two waterlines cross; move the bodies apart")


def _inside(p: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Whether places (n, 2) lie inside a closed line (k, 2), by the winding of rays."""
    a, b = line, np.roll(line, -1, axis=0)
    x, y = p[:, 0, None], p[:, 1, None]
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(b[:, 1] == a[:, 1], 1.0, b[:, 1] - a[:, 1])
    left = x < (b[:, 0] - a[:, 0]) * (y - a[:, 1]) / rise + a[:, 0]
    return np.asarray((crosses & left).sum(axis=1) % 2 == 1)


def _outer_rim(middle: np.ndarray, radius: float, edge: Edge) -> np.ndarray:
    size = float(edge(middle[None] + [[radius, 0.0]])[0])
    count = max(16, 4 * round(2.0 * math.pi * radius / size / 4.0))
    angle = 2.0 * math.pi * np.arange(count) / count
    rim = middle + radius * np.column_stack((np.cos(angle), np.sin(angle)))
    rim[np.abs(rim) < 1e-13 * radius] = 0.0
    return np.asarray(rim)


def _seeds(middle: np.ndarray, radius: float, lines: list[np.ndarray], edge: Edge, near: cKDTree) -> np.ndarray:
    """Places of a triangular lattice, thinned level by level to the wanted density: no random numbers."""
    kept = np.zeros((0, 2))
    size = float(edge(middle[None] + [[radius, 0.0]])[0])
    finest = float(np.min(edge(near.data)))
    levels = max(1, math.ceil(math.log2(size / finest)) + 1)
    for level in range(levels):
        d = size / 2**level
        n = math.ceil(radius / d) + 1
        i, j = np.meshgrid(np.arange(-n, n + 1), np.arange(-2 * n, 2 * n + 1), indexing="ij")
        p = middle + d * np.column_stack(((i + 0.5 * (j % 2)).ravel(), (0.5 * math.sqrt(3.0) * (j + 0.5)).ravel()))
        p = p[np.linalg.norm(p - middle, axis=1) < radius - 0.5 * d]
        wanted = edge(p)
        p = p[(wanted < 1.42 * d) & (wanted >= (0.71 * d if level < levels - 1 else 0.0))]
        for line in lines:
            p = p[~_inside(p, line)]
        if len(p):
            p = p[near.query(p)[0] > 0.6 * d]
        if len(kept) and len(p):
            p = p[cKDTree(kept).query(p)[0] > 0.75 * d]
        kept = np.concatenate((kept, p))
    return kept


def _axis_seeds(middle: np.ndarray, radius: float, lines: list[np.ndarray], edge: Edge) -> np.ndarray:
    """Places on the axis y = 0 between the waterlines that it goes through and the outer edge."""
    cuts = [middle[0] - radius]
    across = [line for line in lines if line[:, 1].min() < 0.0 < line[:, 1].max()]
    for line in sorted(across, key=lambda one: float(one[:, 0].mean())):
        cuts += [float(line[:, 0].min()), float(line[:, 0].max())]
    cuts.append(middle[0] + radius)
    places: list[float] = []
    for a, b in zip(cuts[::2], cuts[1::2], strict=True):
        grid = np.linspace(a, b, 400)
        density = 1.0 / edge(np.column_stack((grid, np.zeros_like(grid))))
        steps = np.concatenate(([0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(grid))))
        count = max(2, round(float(steps[-1])))
        places += np.interp(np.arange(1, count) * steps[-1] / count, steps, grid).tolist()
    return np.column_stack((places, np.zeros(len(places))))


def _mirrored(p: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """Triangles of the half y ≥ 0 and their mirror images, none across the axis."""
    upper = np.flatnonzero(p[:, 1] > -1e-9 * np.abs(p).max())
    half = upper[_triangulated(p[upper], lines)]
    _, image = cKDTree(p).query(p * [1.0, -1.0])
    return np.concatenate((half, image[half][:, [1, 0, 2]]))


def _triangulated(p: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """Delaunay triangles outside all waterlines, anticlockwise."""
    triangles = Delaunay(p).simplices
    corners = p[triangles]
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    doubled = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    triangles = np.where((doubled < 0.0)[:, None], triangles[:, ::-1], triangles)
    heart = corners.mean(axis=1)
    keep = np.abs(doubled) > 1e-9 * float(np.median(np.abs(doubled)))
    for line in lines:
        keep &= ~_inside(heart, line)
    return np.asarray(triangles[keep])


def _relaxed(loose: np.ndarray, pinned: np.ndarray, lines: list[np.ndarray], edge: Edge, on_axis: int) -> np.ndarray:
    """The loose places after springs along the edges have pushed them apart.

    With `on_axis`, the last of them slide along y = 0 and the others' mirror images push back.
    """
    p, count = loose.copy(), len(loose)
    for _ in range(60):
        images = p[: count - on_axis] * [1.0, -1.0] if on_axis else np.zeros((0, 2))
        cloud = np.concatenate((p, pinned, images))
        triangles = _triangulated(cloud, lines)
        pairs = np.unique(
            np.sort(np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2])), axis=1), axis=0
        )
        bar = cloud[pairs[:, 0]] - cloud[pairs[:, 1]]
        length = np.linalg.norm(bar, axis=1)
        wanted = edge(0.5 * (cloud[pairs[:, 0]] + cloud[pairs[:, 1]]))
        wanted = wanted * 1.2 * math.sqrt(float((length**2).sum() / (wanted**2).sum()))
        push = np.maximum(wanted - length, 0.0)[:, None] * bar / length[:, None]
        force = np.zeros_like(cloud)
        np.add.at(force, pairs[:, 0], push)
        np.add.at(force, pairs[:, 1], -push)
        step = 0.2 * force[:count]
        if on_axis:
            step[count - on_axis :, 1] = 0.0
        p = p + step
    if on_axis:
        p = np.concatenate((p, p[: count - on_axis] * [1.0, -1.0]))
    return p


def _blended(base: np.ndarray, lines: list[np.ndarray], middle: np.ndarray, radius: float) -> csr_matrix:
    """How much of each waterline point's displacement each vertex takes: all at it, none at the others and the edge."""
    fixed = np.concatenate(lines)
    owner = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    share = lil_matrix((len(base), len(fixed)))
    edge = np.maximum(radius - np.linalg.norm(base - middle, axis=1), 0.0)
    distance = np.stack([cKDTree(line).query(base)[0] for line in lines], axis=1)
    for v in range(len(fixed), len(base)):
        for b in range(len(lines)):
            others = np.delete(distance[v], b).min() if len(lines) > 1 else math.inf
            room = min(others, edge[v])
            part = room / (room + distance[v, b]) if room + distance[v, b] > 0.0 else 0.0
            if part == 0.0:
                continue
            columns = np.flatnonzero(owner == b)
            weight = 1.0 / np.sum((fixed[columns] - base[v]) ** 2, axis=1)
            share[v, columns] = part * part * (3.0 - 2.0 * part) * weight / weight.sum()
    for k in range(len(fixed)):
        share[k, k] = 1.0
    return csr_matrix(share)
