"""Meshes of hulls from files (`mesh_readers`): checked, turned the right way round, cut at the water.

A file's panels have normals out of the body, as all these formats do; here they are turned to point out of the fluid.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .hulls import Hull
from .mesh_checks import MeshError, check_closed, check_panels
from .mesh_readers import read_corners
from .panels import Panels

MOST_PANELS = 20_000
"""Of one hull: the influences of twice as many would fill 13 GB."""
FARTHEST = 1e5
"""Of a corner from the origin of its file, after scaling, m."""


def read_mesh(path: Path, scale: float = 1.0, inverted: bool = False) -> Panels:
    """The panels of a mesh file, normals out of the fluid; `inverted`: the file has them the other way round."""
    if not path.is_file():
        raise MeshError(f"{path}: there is no such mesh file; give its path from the folder of the system's file")
    try:
        points, faces = read_corners(path)
    except ValueError as error:
        raise MeshError(f"{path}: cannot be read as a mesh: {error}; check the file, or export it anew") from None
    _check_numbers(path, scale * points, faces)
    points, faces = _merged(scale * points, faces)
    panels = Panels(points, faces if inverted else np.ascontiguousarray(faces[:, ::-1]))
    check_panels(panels, str(path))
    return panels


def _check_numbers(path: Path, points: np.ndarray, faces: np.ndarray) -> None:
    """Refuse corners that are nowhere or far off, panels of corners that are not there, and far too many of them."""
    if not len(faces):
        raise MeshError(f"{path}: the mesh has no panels; check the file, or export it anew")
    if len(faces) > MOST_PANELS:
        raise MeshError(f"{path}: {len(faces)} panels are more than {MOST_PANELS}; use a coarser mesh")
    beyond = (faces < 0) | (faces >= len(points))
    if beyond.any():
        panel = int(np.flatnonzero(beyond.any(axis=1))[0])
        corner = int(faces[panel][beyond[panel]][0]) + 1
        raise MeshError(
            f"{path}: panel {panel + 1} names corner {corner}, but there are {len(points)}; check the file, or export "
            "it anew"
        )
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise MeshError(
            f"{path}: corner {bad[0] + 1} of {len(points)} is not a finite number; mend the file, or export it anew"
        )
    far = float(np.abs(points).max())
    if far > FARTHEST:
        raise MeshError(f"{path}: a corner lies {far:.3g} m away; check the file's unit and 'scale'")


def hull_of(panels: Panels, name: str, place: np.ndarray, rotation: np.ndarray | None = None) -> Hull:
    """A hull of closed panels in the body's frame, cut at the water with the body at `place` (3,); rigid thereafter.

    rotation: (3, 3), body to world, of a body that starts turned.
    """
    check_closed(panels, name)
    turn = np.eye(3) if rotation is None else np.asarray(rotation, dtype=float)
    there = panels.moved(place, turn)
    lowest, highest = there.vertices[:, 2].min(), there.vertices[:, 2].max()
    if lowest >= 0.0:
        raise MeshError(
            f"{name}: the whole hull is above the water; its lowest point is at z = {lowest:.4g} m; lower it"
        )
    if highest <= 0.0:
        return Hull(panels)
    wet = cut(there)
    check_closed(wet, name, open_at=0.0)
    return Hull(Panels((wet.vertices - place) @ turn, wet.quads))


def cut(panels: Panels, height: float = 0.0) -> Panels:
    """What of the panels lies below a height; panels across it are cut."""
    z = panels.vertices[:, 2] - height
    size = float(np.median(panels.diameters))
    z = np.where(np.abs(z) < 1e-9 * size, 0.0, z)
    vertices = list(panels.vertices)
    quads: list[list[int]] = []
    made: dict[tuple[int, int], int] = {}

    def crossing(i: int, j: int) -> int:
        key = (min(i, j), max(i, j))
        if key not in made:
            a, b = key
            part = z[a] / (z[a] - z[b])
            place = panels.vertices[a] + part * (panels.vertices[b] - panels.vertices[a])
            place[2] = height
            made[key] = len(vertices)
            vertices.append(place)
        return made[key]

    for quad in panels.quads:
        corners = [int(v) for k, v in enumerate(quad) if v != quad[k - 1] or k == 0]
        if len(corners) > 1 and corners[0] == corners[-1]:
            corners.pop()
        kept: list[int] = []
        for i, j in zip(corners, corners[1:] + corners[:1], strict=True):
            if z[i] <= 0.0:
                kept.append(i)
            if z[i] * z[j] < 0.0:
                kept.append(crossing(i, j))
        if len(kept) < 3 or all(k < len(z) and z[k] == 0.0 for k in kept):
            continue
        quads.append([*kept[:3], kept[3] if len(kept) > 3 else kept[2]])
        if len(kept) == 5:
            quads.append([kept[0], kept[3], kept[4], kept[4]])
    below = Panels(np.array(vertices), np.array(quads, dtype=np.int64))
    keep = below.areas > 1e-9 * float(np.mean(below.areas))
    return Panels(below.vertices, below.quads[keep])


def waterlines(panels: Panels, height: float = 0.0) -> list[np.ndarray]:
    """The closed lines (points, 3) along which a hull was cut at a height, anticlockwise from above.

    Each starts where it meets a ray along +x from its middle, as those of built-in hulls do.
    """
    edges: dict[int, int] = {}
    panels = Panels(*_merged(panels.vertices, panels.quads))
    paired = {(int(i), int(j)) for quad in panels.quads for i, j in zip(quad, np.roll(quad, -1), strict=True) if i != j}
    size = 1e-6 * float(np.median(panels.diameters))
    level = np.abs(panels.vertices[:, 2] - height) < size
    for i, j in paired:
        if (j, i) not in paired and level[i] and level[j]:
            edges[i] = j
    found = []
    while edges:
        loop = [next(iter(edges))]
        while loop[-1] in edges:
            loop.append(edges.pop(loop[-1]))
        line = panels.vertices[loop[:-1]]
        x, y = line[:, 0], line[:, 1]
        area = 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
        line = line if area > 0.0 else line[::-1]
        from_x = np.abs(np.arctan2(line[:, 1] - line[:, 1].mean(), line[:, 0] - line[:, 0].mean()))
        found.append(np.roll(line, -int(np.argmin(from_x)), axis=0))
    return found


def _merged(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with points at one place made one."""
    if not len(points):
        return points, faces
    span = float(np.ptp(points, axis=0).max()) or 1.0
    _, first, number = np.unique(np.round(points / (1e-8 * span)), axis=0, return_index=True, return_inverse=True)
    return points[first], number.ravel()[faces]
