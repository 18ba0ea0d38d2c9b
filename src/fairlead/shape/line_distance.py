"""How near cables come to each other: the least distance between any two, and where two went through each other.

Cables do not touch each other in any formulation. Elements are compared in chunks of a few whose boxes are near enough
to beat the least distance known so far, and which may have come nearer since they were last compared than nodes have
moved since, so looking at a sample costs little. What ends at a common point is left out
near that point: two elements or a tenth of the shorter cable, whichever is more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairlead.model import System
from fairlead.words import number

CHUNK = 8
"""Elements in a chunk."""
LEFT_OUT = 0.1
"""Part of the shorter of two cables that is left out beside a point that both end at."""
MOST = 64
"""Pairs of chunks that are compared at a time, the nearest first."""


@dataclass(frozen=True)
class Nearest:
    """Where two cables were nearest: their names, the distance, time, and the place along each from its start."""

    cables: tuple[str, str]
    distance: float
    time: float
    along: tuple[float, float]
    radii: float
    """Sum of the radii of both, m."""

    @property
    def touching(self) -> bool:
        """Whether the two lie in each other."""
        return self.distance < self.radii

    def plain(self) -> dict[str, object]:
        """For JSON."""
        return {
            "cables": list(self.cables), "distance": self.distance, "time": self.time, "along": list(self.along),
            "radii": self.radii,
        }  # fmt: skip

    def warning(self, at_rest: bool = False) -> str:
        """What a user should know of two cables that lie in each other."""
        one, two = self.cables
        when = "at the start" if at_rest else f"at t = {number(self.time)} s"
        return (
            f"cables.{one}: {number(1e3 * self.distance)} mm from '{two}' {when}, less than the sum of their radii "
            f"({number(1e3 * self.radii)} mm): lines do not touch each other in a simulation, so these pass through "
            f"each other {number(self.along[0])} m along '{one}' and {number(self.along[1])} m along '{two}', and what "
            "happens after is not to be trusted; move them apart"
        )


class LineDistances:
    """Watches the least distance between any two cables of a system over the places of their nodes."""

    def __init__(self, system: System, arc_length: Mapping[str, np.ndarray]):
        """arc_length: unstretched distance of the nodes of each cable from its start."""
        self._names = tuple(arc_length)
        arcs = [np.asarray(arc_length[name], dtype=float) for name in self._names]
        counts = [len(arc) - 1 for arc in arcs]
        none = np.zeros(0, dtype=int)
        firsts = np.cumsum([0, *(count + 1 for count in counts)])[:-1]
        self._owner = np.repeat(np.arange(len(counts)), counts)
        self._node = np.concatenate([first + np.arange(n) for first, n in zip(firsts, counts, strict=True)] or [none])
        self._from_start = np.concatenate([arc[:-1] - arc[0] for arc in arcs] or [none])
        self._to_end = np.concatenate([arc[-1] - arc[1:] for arc in arcs] or [none])
        self._length = np.concatenate([np.diff(arc) for arc in arcs] or [none])
        self._radius = np.array([_radius(system, name) for name in self._names])
        self._meet, self._reach = _meetings(system, self._names, arcs)
        self._chunks = [
            (owner, low, min(low + CHUNK, end))
            for owner, (start, end) in enumerate(_spans(counts))
            for low in range(start, end, CHUNK)
        ]
        owners = np.array([owner for owner, _, _ in self._chunks])
        one, two = np.triu_indices(len(self._chunks), 1)
        other = owners[one] != owners[two] if len(one) else np.zeros(0, bool)
        self._pairs = one[other], two[other]
        self._starts = np.array([low for _, low, _ in self._chunks], dtype=int)
        self._stops = np.array([high for _, _, high in self._chunks], dtype=int)
        self._known = np.zeros(len(self._pairs[0]))  # m: no pair is nearer than this
        self._before: np.ndarray | None = None
        self.nearest: Nearest | None = None

    def take(self, time: float, nodes: np.ndarray) -> None:
        """See the nodes of all cables one after another, (node, 3); those that are not paid out are NaN."""
        if not len(self._pairs[0]):
            return
        self._forget(nodes)
        best = np.inf if self.nearest is None else self.nearest.distance
        open_ = np.nonzero(self._known < best)[0]
        if not len(open_):
            return
        ends = np.stack([nodes[self._node], nodes[self._node + 1]])
        low = np.fmin.reduceat(ends.min(axis=0), self._starts)
        high = np.fmax.reduceat(ends.max(axis=0), self._starts)
        one, two = self._pairs[0][open_], self._pairs[1][open_]
        apart = np.maximum(np.maximum(low[one] - high[two], low[two] - high[one]), 0.0)
        bound = np.sqrt(np.sum(apart * apart, axis=1))  # NaN where nothing is paid out: never compared
        order = np.argsort(bound)
        for k in range(0, len(order), MOST):
            some = order[k : k + MOST]
            best = np.inf if self.nearest is None else self.nearest.distance
            some = some[bound[some] < best]
            if not len(some):
                return
            self._known[open_[some]] = self._compare(time, ends, one[some], two[some])

    def _forget(self, nodes: np.ndarray) -> None:
        """Pairs may have come nearer by twice what nodes moved since the last sample, but for what moved them all."""
        before, self._before = self._before, nodes.copy()
        if before is None or not np.array_equal(np.isnan(nodes), np.isnan(before)):
            self._known[:] = 0.0
            return
        moved = nodes - before
        moved -= np.nanmean(moved, axis=0)
        self._known -= 2.0 * float(np.sqrt(np.nanmax(np.sum(moved * moved, axis=1))))

    def _compare(self, time: float, ends: np.ndarray, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Least distance of elements of pairs of chunks, (pair,); keeps the nearest if it is nearer than before."""
        lows, highs = self._starts, self._stops
        grid = np.arange(CHUNK)
        a = np.minimum(lows[one][:, None] + grid, highs[one][:, None] - 1)[:, :, None].repeat(CHUNK, axis=2).ravel()
        b = np.minimum(lows[two][:, None] + grid, highs[two][:, None] - 1)[:, None, :].repeat(CHUNK, axis=1).ravel()
        i, j = self._owner[a], self._owner[b]
        distance, s, t = segment_distances(ends[0, a], ends[1, a], ends[0, b], ends[1, b])
        reach, meet = self._reach[i, j], self._meet[i, j]
        out = np.isnan(distance)
        edges = (self._from_start, self._to_end)
        for bit, (x, y) in enumerate((x, y) for x in edges for y in edges):
            out |= ((meet >> bit) & 1 == 1) & (x[a] < reach) & (y[b] < reach)
        for bit, x in enumerate(edges):  # an end that rides on the other cable
            out |= ((meet >> (4 + bit)) & 1 == 1) & (x[a] < reach)
            out |= ((meet >> (6 + bit)) & 1 == 1) & (x[b] < reach)
        distance = np.where(out, np.inf, distance)
        k = int(np.argmin(distance))
        if distance[k] < (np.inf if self.nearest is None else self.nearest.distance):
            places = (
                float(self._from_start[a[k]] + s[k] * self._length[a[k]]),
                float(self._from_start[b[k]] + t[k] * self._length[b[k]]),
            )
            names = (self._names[i[k]], self._names[j[k]])
            radii = float(self._radius[i[k]] + self._radius[j[k]])
            self.nearest = Nearest(names, float(distance[k]), float(time), places, radii)
        return np.asarray(distance.reshape(len(one), -1).min(axis=1))


def segment_distances(
    p: np.ndarray, q: np.ndarray, r: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distance of segments pq and rw, (n, 3) each, and where on either they are nearest, 0 to 1 (n,) each.

    After C. Ericson, Real-Time Collision Detection (2005), 5.1.9.
    """
    d, e, between = q - p, w - r, p - r
    dd, ee, de = _dot(d, d), _dot(e, e), _dot(d, e)
    db, eb = _dot(d, between), _dot(e, between)
    tiny = 1e-300
    across = dd * ee - de * de
    s = np.where(across > 1e-12 * dd * ee, (de * eb - db * ee) / np.maximum(across, tiny), 0.0)
    s = np.clip(s, 0.0, 1.0)
    t = np.clip((de * s + eb) / np.maximum(ee, tiny), 0.0, 1.0)
    s = np.clip((de * t - db) / np.maximum(dd, tiny), 0.0, 1.0)
    gap = between + s[:, None] * d - t[:, None] * e
    return np.sqrt(_dot(gap, gap)), s, t


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("ni,ni->n", a, b))


def _spans(counts: list[int]) -> list[tuple[int, int]]:
    ends = np.cumsum(counts).tolist()
    return [(end - count, end) for end, count in zip(ends, counts, strict=True)]


def _radius(system: System, name: str) -> float:
    return 0.5 * max(system.types[part.type_name].diameter for part in system.cables[name].segments(system))


def _meetings(system: System, names: tuple[str, ...], arcs: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Which ends of two cables are at one point (cable, cable), in bits, and how far from there they are left out.

    Bits 0 to 3: start and start, start and end, end and start, end and end; 4 and 5: the start or the end of the first
    rides on the second; 6 and 7: of the second on the first.
    """
    meet, reach = np.zeros((len(names), len(names)), int), np.zeros((len(names), len(names)))
    for i, j in combinations(range(len(names)), 2):
        one, two = system.cables[names[i]], system.cables[names[j]]
        ends = ((one.start.point, one.end.point), (two.start.point, two.end.point))
        pairs = [(x, y) for x in range(2) for y in range(2)]
        bits = sum(1 << (2 * x + y) for x, y in pairs if _same_place(system, ends[0][x], ends[1][y]))
        for x in range(2):
            for first, other, shift in ((ends[0], names[j], 4), (ends[1], names[i], 6)):
                point = system.points.get(first[x])
                if point is not None and point.kind == "sliding" and point.cable == other:
                    bits |= 1 << (shift + x)
        longest = max(float(np.diff(arcs[k]).max(initial=0.0)) for k in (i, j))
        shorter = min(float(arcs[k][-1] - arcs[k][0]) for k in (i, j))
        meet[i, j], reach[i, j] = bits, max(2.0 * longest, LEFT_OUT * shorter)
    return meet, reach


def nearest_lines(system: System, nodes: Mapping[str, np.ndarray], time: float = 0.0) -> Nearest | None:
    """Where two cables are nearest to each other in one shape, nodes (n+1, 3) [m] by cable."""
    if len(nodes) < 2:
        return None
    arcs = {}
    for name, places in nodes.items():
        lengths = np.array([part.length for part in system.cables[name].segments(system)])
        if len(lengths) + 1 != len(places):  # a winch has made or taken elements
            lengths = np.nan_to_num(np.linalg.norm(np.diff(places, axis=0), axis=1))
        arcs[name] = np.concatenate([[0.0], np.cumsum(lengths)])
    lines = LineDistances(system, arcs)
    lines.take(time, np.concatenate(list(nodes.values())))
    return lines.nearest


def touching_lines(system: System, nodes: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    """A warning where two cables lie in each other in the first shape of a system."""
    nearest = nearest_lines(system, nodes)
    return (nearest.warning(at_rest=True),) if nearest is not None and nearest.touching else ()


def _same_place(system: System, one: str, two: str) -> bool:
    """Whether two ends are at one point, or at two points that the file puts in one place."""
    if one == two:
        return True
    places = [system.points[name].position for name in (one, two) if name in system.points]
    return len(places) == 2 and places[0] is not None and places[0] == places[1]
