"""Hulls: what of a body is under water, as panels, wherever the body is and wherever the water stands.

A hull is given in the frame of its body by panels that are always under water (`rigid`: all of a submerged body, the
bottom of a floating one) and by lines that run up from their rim to the deck (`lines`). The lines are cut where they
meet the surface and divided afresh, so that panels end at the waterline, and the number of panels never changes. A line
must meet the surface once: the deck stays dry, the rigid part wet.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .mesh_checks import MeshError
from .panels import Panels

FEWEST_ROWS = 2
"""Of panels between bottom and waterline: a single one cannot tell how the flow changes with depth."""

Surface = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Height of the water at places x (n,), y (n,), m."""


class HullError(RuntimeError):
    """A hull that the water leaves or covers during a run; `column` is the line it happens at."""

    def __init__(self, what: str, column: int) -> None:
        super().__init__(what)
        self.column = column


def calm(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Still water."""
    return np.zeros_like(x)


@dataclass(frozen=True)
class Hull:
    """The outside of a body, in its own frame; see the head of the file."""

    rigid: Panels
    """Panels always under water, of the whole hull (both sides of y = 0)."""
    lines: np.ndarray | None = None
    """(columns, points, 3), m: closed round the body, anticlockwise from above, each from the rim up to the deck."""
    rows: int = 0
    """Panels along each line under water."""
    half: bool = False
    """Only panels with y > 0 in the body's frame are handed out; the body then stays in the plane of symmetry."""

    @property
    def piercing(self) -> bool:
        """Whether the hull goes through the surface."""
        return self.lines is not None

    @property
    def columns(self) -> int:
        """Lines round the body."""
        return 0 if self.lines is None else len(self.lines)

    def halved(self) -> Hull:
        """The same hull with the plane of symmetry y = 0 used; its panels must not lie across that plane."""
        size = float(np.median(self.rigid.diameters)) if len(self.rigid) else 1.0
        y = self.rigid.corners[:, :, 1]
        across = (y.min(axis=1) < -1e-6 * size) & (y.max(axis=1) > 1e-6 * size)
        if across.any():
            raise MeshError("the mesh has panels across the plane y = 0; use `symmetry: false`")
        return Hull(self.rigid, self.lines, self.rows, True)

    def finer(self) -> Hull:
        """The same hull with more panels along its lines where these are curved: for hydrostatics."""
        if self.lines is None or self.lines.shape[1] == 2:
            return self
        return Hull(self.rigid, self.lines, 4 * self.rows, self.half)

    def shifted(self, offset: np.ndarray) -> Hull:
        """The same hull moved by `offset` (3,) in the body's frame, m."""
        lines = None if self.lines is None else self.lines + offset
        return Hull(Panels(self.rigid.vertices + offset, self.rigid.quads), lines, self.rows, self.half)

    def wetted(self, position: np.ndarray, rotation: np.ndarray | None = None, surface: Surface = calm) -> Panels:
        """Panels under water of the body at `position` (3) turned by `rotation` (3, 3, body to world), global."""
        return self.placed(position, rotation, surface)[0]

    def placed(
        self, position: np.ndarray, rotation: np.ndarray | None = None, surface: Surface = calm
    ) -> tuple[Panels, np.ndarray]:
        """Panels under water, and the waterline of the whole hull (columns, 3): (0, 3) of a submerged body."""
        turn = np.eye(3) if rotation is None else np.asarray(rotation, dtype=float)
        panels = self._chosen(self.rigid).moved(np.asarray(position, dtype=float), turn)
        if self.lines is None:
            return panels, np.zeros((0, 3))
        lines = self.lines @ turn.T + np.asarray(position, dtype=float)
        ends = _crossings(lines, surface)
        nodes = _divided(lines, ends, self.rows)
        side = Panels(nodes.reshape(-1, 3), _strip(len(lines), self.rows + 1))
        side = self._upper(side, _strip_middle(self.lines, self.rows)) if self.half else side
        return panels.joined(side) if len(panels) else side, nodes[:, -1]

    def topside(self, position: np.ndarray, rotation: np.ndarray | None = None) -> Panels:
        """Panels from still water up to the deck, for pictures; none of a submerged body."""
        if self.lines is None:
            return Panels(np.zeros((0, 3)), np.zeros((0, 4), dtype=np.int64))
        turn = np.eye(3) if rotation is None else np.asarray(rotation, dtype=float)
        lines = self.lines @ turn.T + np.asarray(position, dtype=float)
        nodes = np.stack((self.placed(position, rotation)[1], lines[:, -1]), axis=1)
        side = Panels(nodes.reshape(-1, 3), _strip(len(lines), 2))
        return self._upper(side, _strip_middle(self.lines, 1)) if self.half else side

    def _chosen(self, panels: Panels) -> Panels:
        return self._upper(panels, panels.centres[:, 1]) if self.half and len(panels) else panels

    @staticmethod
    def _upper(panels: Panels, y: np.ndarray) -> Panels:
        return Panels(panels.vertices, panels.quads[y > 0.0])


def _crossings(lines: np.ndarray, surface: Surface) -> np.ndarray:
    """Arc length along each line at which it meets the water (columns,), m."""
    columns, points, _ = lines.shape
    flat = lines.reshape(-1, 3)
    gap = (flat[:, 2] - surface(flat[:, 0], flat[:, 1])).reshape(columns, points)
    wet, dry = gap[:, 0] < 0.0, gap[:, -1] > 0.0
    if not wet.all():
        raise HullError("the water leaves the bottom of the hull", int(np.flatnonzero(~wet)[0]))
    if not dry.all():
        raise HullError("the water comes over the deck", int(np.flatnonzero(~dry)[0]))
    upper = np.argmax(gap > 0.0, axis=1)
    at = np.arange(columns)
    a, b = lines[at, upper - 1], lines[at, upper]
    low, high = np.zeros(columns), np.ones(columns)
    f_low, f_high = gap[at, upper - 1], gap[at, upper]
    part = f_low / (f_low - f_high)
    for _ in range(60):  # the secant within the bracket, halved where it creeps (Illinois)
        place = a + part[:, None] * (b - a)
        f = place[:, 2] - surface(place[:, 0], place[:, 1])
        if np.max(np.abs(f)) < 1e-13 * np.max(np.abs(b - a)):
            break
        under = f < 0.0
        f_high = np.where(under, 0.5 * f_high, f)
        f_low = np.where(under, f, 0.5 * f_low)
        low, high = np.where(under, part, low), np.where(under, high, part)
        part = low + (high - low) * f_low / (f_low - f_high)
    lengths = np.linalg.norm(np.diff(lines, axis=1), axis=2)
    before = np.concatenate((np.zeros((columns, 1)), np.cumsum(lengths, axis=1)), axis=1)
    return np.asarray(before[at, upper - 1] + part * lengths[at, upper - 1])


def _divided(lines: np.ndarray, ends: np.ndarray, rows: int) -> np.ndarray:
    """`rows` + 1 places along each line from its foot to arc length `ends`, (columns, rows + 1, 3), evenly spaced."""
    lengths = np.linalg.norm(np.diff(lines, axis=1), axis=2)
    before = np.concatenate((np.zeros((len(lines), 1)), np.cumsum(lengths, axis=1)), axis=1)
    s = ends[:, None] * np.linspace(0.0, 1.0, rows + 1)
    piece = np.clip((s[:, :, None] >= before[:, None, :]).sum(axis=2) - 1, 0, lines.shape[1] - 2)
    at = np.arange(len(lines))[:, None]
    part = (s - before[at, piece]) / lengths[at, piece]
    return np.asarray(lines[at, piece] + part[:, :, None] * (lines[at, piece + 1] - lines[at, piece]))


def _strip(columns: int, points: int) -> np.ndarray:
    """Quads between neighbouring lines of a closed set, normals into the body; lines run anticlockwise from above."""
    i, k = np.meshgrid(np.arange(columns), np.arange(points - 1), indexing="ij")
    j = (i + 1) % columns
    quads = np.stack((i * points + k, i * points + k + 1, j * points + k + 1, j * points + k), axis=-1)
    return quads.reshape(-1, 4)


def _strip_middle(lines: np.ndarray, rows: int) -> np.ndarray:
    """y in the body's frame of the middle of each column of panels, for every panel of the strip."""
    y = lines[:, :, 1].mean(axis=1)
    return np.repeat(0.5 * (y + np.roll(y, -1)), rows)


def sphere(radius: float, panels: int) -> Hull:
    """A submerged sphere of six patches without poles (equiangular cube); `panels`: their number round a great circle.

    Corners lie a little outside the sphere, so that the volume is that of the sphere.
    """
    n = max(2, 2 * round(panels / 8.0))
    angle = np.tan(np.linspace(-math.pi / 4, math.pi / 4, n + 1))
    a, b = np.meshgrid(angle, angle, indexing="ij")
    faces = []
    one = np.ones_like(a)
    for axis in range(3):
        for sign in (1.0, -1.0):
            face = np.empty((n + 1, n + 1, 3))
            face[..., axis], face[..., (axis + 1) % 3], face[..., (axis + 2) % 3] = sign * one, sign * a, b
            face /= np.linalg.norm(face, axis=2, keepdims=True)
            faces.append(face)
    points = np.concatenate([face.reshape(-1, 3) for face in faces])
    points[np.abs(points) < 1e-14] = 0.0
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    corner = (i * (n + 1) + j).ravel()
    quad = np.stack((corner, corner + 1, corner + n + 2, corner + n + 1), axis=1)
    quads = np.concatenate([quad + f * (n + 1) ** 2 for f in range(6)])
    unit = Panels(points, quads)
    grow = (4.0 / 3.0 * math.pi / unit.volume) ** (1.0 / 3.0)
    return Hull(Panels(radius * grow * points, quads))


def floating_sphere(radius: float, panels: int) -> Hull:
    """A sphere through the surface: a cap without a pole below, lines up along meridians; `panels` round the middle."""
    columns = max(8, 8 * round(panels / 8.0))
    step = 2.0 * math.pi / columns
    low, high = math.radians(35.0), math.radians(150.0)
    r = radius * math.sqrt(step / math.sin(step))
    disc, rim = butterfly(columns)
    away = np.linalg.norm(disc.vertices[:, :2], axis=1)
    direction = disc.vertices[:, :2] / np.where(away > 0.0, away, 1.0)[:, None]
    polar = low * away
    cap = np.column_stack((r * direction * np.sin(polar)[:, None], -radius * np.cos(polar)))
    angle = np.linspace(low, high, 4 * columns)
    lines = np.empty((columns, len(angle), 3))
    lines[:, :, :2] = r * direction[rim][:, None, :] * np.sin(angle)[None, :, None]
    lines[:, :, 2] = -radius * np.cos(angle)
    return Hull(Panels(cap, disc.quads), lines, max(2, round(columns * 60.0 / 360.0)))


def cylinder(radius: float, bottom: float, top: float, columns: int, rows: int) -> Hull:
    """An upright cylinder through the surface, from z = `bottom` to z = `top` in its frame; the bottom is a disc.

    Corners lie a little outside, so that the cross-section has the area of the circle.
    """
    columns = max(8, 8 * round(columns / 8.0))
    step = 2.0 * math.pi / columns
    r = radius * math.sqrt(step / math.sin(step))
    disc, rim = butterfly(columns)
    floor = np.column_stack((r * disc.vertices[:, :2], np.full(len(disc.vertices), bottom)))
    foot = floor[rim]
    lines = np.stack((foot, foot + np.array([0.0, 0.0, top - bottom])), axis=1)
    return Hull(Panels(floor, disc.quads), lines, max(FEWEST_ROWS, rows))


def box(length: float, width: float, bottom: float, top: float, size: float) -> Hull:
    """A box through the surface, length along x, from z = `bottom` to z = `top`, with panels of about `size`."""
    nx, ny = (2 * max(1, round(0.5 * side / size)) for side in (length, width))
    x, y = np.linspace(-0.5, 0.5, nx + 1) * length, np.linspace(-0.5, 0.5, ny + 1) * width
    X, Y = np.meshgrid(x, y, indexing="ij")
    floor = np.column_stack((X.ravel(), Y.ravel(), np.full(X.size, bottom)))
    i, j = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
    at = (i * (ny + 1) + j).ravel()
    quads = np.stack((at, at + ny + 1, at + ny + 2, at + 1), axis=1)
    grid = np.arange((nx + 1) * (ny + 1)).reshape(nx + 1, ny + 1)
    rim = np.concatenate((grid[-1, ny // 2 : -1], grid[:0:-1, -1], grid[0, :0:-1], grid[:-1, 0], grid[-1, : ny // 2]))
    foot = floor[rim]
    lines = np.stack((foot, foot + np.array([0.0, 0.0, top - bottom])), axis=1)
    return Hull(Panels(floor, quads), lines, max(FEWEST_ROWS, round(-bottom / size)))


def closed(hull: Hull, size: float) -> Hull:
    """All of a hull whose bottom is flat, with its side and a deck like its bottom, as panels of about `size`."""
    assert hull.lines is not None
    parts = []
    for piece in range(hull.lines.shape[1] - 1):
        foot, head = hull.lines[:, piece], hull.lines[:, piece + 1]
        rows = max(1, round(float(np.linalg.norm(head - foot, axis=1).max()) / size))
        nodes = foot[:, None] + np.linspace(0.0, 1.0, rows + 1)[None, :, None] * (head - foot)[:, None]
        parts.append(Panels(nodes.reshape(-1, 3), _strip(hull.columns, rows + 1)))
    rim, edge = hull.lines[0, 0], hull.lines[0, -1]
    wider = float(np.linalg.norm(edge[:2]) / np.linalg.norm(rim[:2]))
    floor = hull.rigid
    deck = np.column_stack((wider * floor.vertices[:, :2], np.full(len(floor.vertices), edge[2])))
    return Hull(floor.joined(*parts, Panels(deck, np.ascontiguousarray(floor.quads[:, ::-1]))))


def revolution(profile: np.ndarray, columns: int, rows: int) -> Hull:
    """A body of revolution about z through the surface: `profile` (points, 2) of [r, z] from the keel up to the deck.

    The first point is the rim of a flat or conical bottom (its r > 0), which stays under water.
    """
    columns = max(8, 8 * round(columns / 8.0))
    step = 2.0 * math.pi / columns
    grow = math.sqrt(step / math.sin(step))
    r, z = np.asarray(profile, dtype=float).T
    if not r[0] > 0.0:
        raise MeshError("the profile of a body of revolution starts at the rim of its bottom: its first r must be > 0")
    disc, rim = butterfly(columns)
    floor = np.column_stack((grow * r[0] * disc.vertices[:, :2], np.full(len(disc.vertices), z[0])))
    direction = disc.vertices[rim, :2]
    lines = np.empty((columns, len(r), 3))
    lines[:, :, :2] = grow * direction[:, None, :] * r[None, :, None]
    lines[:, :, 2] = z
    return Hull(Panels(floor, disc.quads), lines, max(FEWEST_ROWS, rows))


def butterfly(columns: int, block: float = 0.6, rings: int | None = None) -> tuple[Panels, np.ndarray]:
    """The unit disc at z = 0 without a polar centre, normals up, and the numbers of its rim's vertices (columns,).

    A rounded square block of (columns/4)² panels in the middle, rings about it. The rim starts at angle 0 and runs
    anticlockwise; rim vertices are the last `columns` of all.
    """
    if columns % 8:
        raise ValueError(f"a disc needs a multiple of 8 columns, not {columns}")
    n = columns // 4
    rings = max(1, round(columns * (1.0 - block) / (math.pi * (1.0 + block)))) if rings is None else rings
    s = np.linspace(-1.0, 1.0, n + 1)
    X, Y = np.meshgrid(s, s, indexing="ij")
    q = 0.75  # how far the block's sides bulge: 0 is a square, 1 a circle
    x, y = q * X * np.sqrt(1.0 - 0.5 * (q * Y) ** 2), q * Y * np.sqrt(1.0 - 0.5 * (q * X) ** 2)
    side = x[-1, n // 2]
    points = [np.column_stack((block / side * x.ravel(), block / side * y.ravel()))]
    grid = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    h = n // 2
    edge = np.concatenate((grid[-1, h:-1], grid[:0:-1, -1], grid[0, :0:-1], grid[:-1, 0], grid[-1, :h]))
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    at = (i * (n + 1) + j).ravel()
    quads = [np.stack((at, at + n + 1, at + n + 2, at + 1), axis=1)]
    theta = 2.0 * math.pi * np.arange(columns) / columns
    circle = np.column_stack((np.cos(theta), np.sin(theta)))
    inner, last = points[0][edge], edge
    count = len(points[0])
    for ring in range(1, rings + 1):
        part = ring / rings
        points.append((1.0 - part) * inner + part * circle)
        here = count + np.arange(columns)
        quads.append(np.stack((last, here, np.roll(here, -1), np.roll(last, -1)), axis=1))
        last, count = here, count + columns
    flat = np.concatenate(points)
    flat[np.abs(flat) < 1e-14] = 0.0
    return Panels(np.column_stack((flat, np.zeros(len(flat)))), np.concatenate(quads)), last
