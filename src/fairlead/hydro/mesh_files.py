"""Meshes of hulls from files: STL, OBJ and Nemoh's .dat by readers of our own, anything else by `meshio`.

A file's panels have normals out of the body, as all these formats do; here they are turned to point out of the fluid.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from .hulls import Hull
from .mesh_checks import MeshError, check_closed, check_panels
from .panels import Panels


def read_mesh(path: Path, scale: float = 1.0, inverted: bool = False) -> Panels:
    """The panels of a mesh file, normals out of the fluid; `inverted`: the file has them the other way round."""
    if not path.is_file():
        raise MeshError(f"{path}: there is no such mesh file; give its path from the folder of the system's file")
    reader = {".stl": _stl, ".obj": _obj, ".dat": _nemoh}.get(path.suffix.lower(), _meshio)
    try:
        points, faces = reader(path)
    except (ValueError, IndexError, struct.error) as error:
        raise MeshError(f"{path}: cannot be read as a mesh ({error}); check the file") from None
    if len(points) and (faces.min(initial=0) < 0 or faces.max(initial=0) >= len(points)):
        raise MeshError(
            f"{path}: a panel names corner {int(faces.max()) + 1}, but there are {len(points)}; check the file"
        )
    points, faces = _merged(scale * points, faces)
    panels = Panels(points, faces if inverted else np.ascontiguousarray(faces[:, ::-1]))
    check_panels(panels, str(path))
    return panels


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


def _stl(path: Path) -> tuple[np.ndarray, np.ndarray]:
    data = path.read_bytes()
    if data[:5] == b"solid" and b"facet" in data[:2000]:
        rows = [
            line.split()[1:4] for line in data.decode("ascii", "replace").splitlines() if line.split()[:1] == ["vertex"]
        ]
        points = np.array(rows, dtype=float).reshape(-1, 3)
    else:
        (count,) = struct.unpack_from("<I", data, 80)
        if len(data) < 84 + 50 * count:
            raise ValueError("the file is shorter than it says")
        kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        points = np.frombuffer(data, kind, count, 84)["corners"].reshape(-1, 3).astype(float)
    faces = np.arange(len(points)).reshape(-1, 3)
    return points, np.column_stack((faces, faces[:, 2]))


def _obj(path: Path) -> tuple[np.ndarray, np.ndarray]:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            corners = [c - 1 if c > 0 else len(points) + c for c in corners]
            if not 3 <= len(corners) <= 4:
                raise ValueError(f"a panel with {len(corners)} corners")
            faces.append([*corners[:3], corners[-1]])
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 4)


def _nemoh(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Nemoh's mesh: a head line, `number x y z` until a line of zeros, then four corner numbers a panel until zeros."""
    rows = [[float(word) for word in line.split()] for line in path.read_text().splitlines()[1:] if line.split()]
    end = next(k for k, row in enumerate(rows) if row[0] == 0)
    points = np.array([row[1:4] for row in rows[:end]])
    faces = [[int(value) - 1 for value in row[:4]] for row in rows[end + 1 :] if row[0] != 0]
    return points, np.array(faces, dtype=np.int64).reshape(-1, 4)


def _meshio(path: Path) -> tuple[np.ndarray, np.ndarray]:
    try:
        import meshio
    except ImportError:
        raise MeshError(
            f"{path}: '{path.suffix}' files need meshio, which is not installed; `pip install fairlead[meshes]`, "
            "or convert the file to .stl, .obj or Nemoh's .dat"
        ) from None
    mesh = meshio.read(path)
    parts = [np.column_stack((block.data[:, :3], block.data[:, -1])) for block in mesh.cells
             if block.type in ("triangle", "quad")]  # fmt: skip
    if not parts:
        raise ValueError("it has neither triangles nor quads")
    return np.asarray(mesh.points, dtype=float), np.concatenate(parts).astype(np.int64)
