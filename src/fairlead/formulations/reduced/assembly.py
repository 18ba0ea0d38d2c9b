"""All cables of a system as one: their nodes one after the other, what holds their ends, and their matrices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fairlead.model import System
from fairlead.model.points import FreePoint

from .operators import CableOperators, Element

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Assembly:
    """The cables of a system.

    names   of the cables
    parts   their matrices
    joined  the names of the points at their starts and ends
    free    the free points that cables end in: their nodes (one a cable end) and masses, kg
    """

    names: tuple[str, ...]
    parts: tuple[CableOperators, ...]
    joined: tuple[tuple[str, str], ...]
    free: Mapping[str, tuple[tuple[int, ...], float]]

    @classmethod
    def of(cls, system: System, element: Element, first: Mapping[str, Floats]) -> Assembly:
        """Of a system whose cables are first shaped as `first` (by name: (node, 3) m)."""
        names = tuple(system.cables)
        parts = tuple(CableOperators.of(system, name, element, np.asarray(first[name])) for name in names)
        joined = tuple((system.cables[name].start.point, system.cables[name].end.point) for name in names)
        nodes: dict[str, list[int]] = {}
        start = 0
        for part, points in zip(parts, joined, strict=True):
            for node, point in zip((start, start + len(part.lengths)), points, strict=True):
                if isinstance(system.points.get(point), FreePoint):
                    nodes.setdefault(point, []).append(node)
            start += len(part.lengths) + 1
        free = {name: (tuple(found), float(system.points[name].mass)) for name, found in nodes.items()}  # type: ignore[union-attr]
        return cls(names, parts, joined, free)

    @cached_property
    def nodes(self) -> tuple[slice, ...]:
        """The nodes of each cable among those of all."""
        ends = np.cumsum([0] + [len(part.lengths) + 1 for part in self.parts])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @property
    def along(self) -> Floats:
        """Places of the nodes along their cables, from 0 to 1."""
        return np.concatenate([part.along for part in self.parts])

    @property
    def lengths(self) -> Floats:
        """Lengths of all elements, (element,) m."""
        return np.concatenate([part.lengths for part in self.parts])

    @property
    def stiffnesses(self) -> Floats:
        """√(EA h) of all elements."""
        return np.concatenate([part.stiffnesses for part in self.parts])

    @cached_property
    def held(self) -> tuple[tuple[int, int], ...]:
        """Cable and side (0 start, 1 end) of every end that is held."""
        sides = [(c, side) for c in range(len(self.parts)) for side in (0, 1)]
        return tuple((c, side) for c, side in sides if self.joined[c][side] not in self.free)

    @cached_property
    def moving(self) -> NDArray[np.bool_]:
        """(node,): the nodes that are not held."""
        moving = np.ones(self.nodes[-1].stop, dtype=bool)
        for c, side in self.held:
            moving[self.nodes[c].start if side == 0 else self.nodes[c].stop - 1] = False
        return moving

    @cached_property
    def spread(self) -> Floats:
        """(node, place): 1 where a node is at one of the places that move, which cables joined in a point share."""
        whole = np.eye(len(self.moving))
        shared = np.zeros(len(self.moving), dtype=bool)
        for nodes, _ in self.free.values():
            whole[list(nodes), nodes[0]] = 1.0
            shared[list(nodes[1:])] = True
        return whole[:, self.moving & ~shared]

    @cached_property
    def lift(self) -> Floats:
        """(node, held end): places of the nodes when the held ends move and every cable follows in proportion.

        A free point stands between its neighbours, the nearer the shorter the cable to them: a loose end goes along.
        """
        count, free = len(self.held), list(self.free)
        graph, pulled = np.zeros((len(free), len(free))), np.zeros((len(free), count))
        ends: list[tuple[int, int]] = []  # of each cable: held end k as k, free point k as −1 − k
        for c, part in enumerate(self.parts):
            marks = [
                -1 - free.index(name) if name in self.free else self.held.index((c, side))
                for side, name in enumerate(self.joined[c])
            ]
            ends.append((marks[0], marks[1]))
            near = 1.0 / part.lengths.sum()
            for one, other in ((marks[0], marks[1]), (marks[1], marks[0])):
                if one < 0:
                    graph[-1 - one, -1 - one] += near
                    if other < 0:
                        graph[-1 - one, -1 - other] -= near
                    else:
                        pulled[-1 - one, other] += near
        places = np.linalg.pinv(graph) @ pulled if free else pulled
        rows = []
        for part, pair in zip(self.parts, ends, strict=True):
            start, end = (np.eye(count)[mark] if mark >= 0 else places[-1 - mark] for mark in pair)
            rows.append(np.outer(1.0 - part.along, start) + np.outer(part.along, end))
        return np.vstack(rows)

    def ends_of(self, places: Floats) -> Floats:
        """Places (sample, held end, 3) of the held ends, of places (sample, node, 3)."""
        nodes = [self.nodes[c].start if side == 0 else self.nodes[c].stop - 1 for c, side in self.held]
        return places[:, nodes]

    def shapes(self, modes: Floats, mean: Floats) -> Floats:
        """Z (node, 3, m): places per mode, per held end and for the mean."""
        count, k, held = modes.shape[0], modes.shape[2], len(self.held)
        whole = np.zeros((count, 3, k + 3 * held + 1))
        whole[:, :, :k] = modes
        for axis in range(3):
            whole[:, axis, k + axis : k + 3 * held : 3] = self.lift
        whole[:, :, -1] = mean
        return whole

    # --- matrices ---------------------------------------------------------------------------------------------------
    def strain_forms(self, shapes: Floats) -> Floats:
        """E (element, m, m) of shapes (node, 3, m)."""
        return np.concatenate([part.strain_forms(shapes[own]) for part, own in self._each()])

    def strains(self, places: Floats) -> Floats:
        """Strain of every element, (sample, element), of places (sample, node, 3) m."""
        return np.concatenate([part.strains(places[:, own]) for part, own in self._each()], axis=1)

    def strain_gradients(self, weights: Floats, places: Floats) -> Floats:
        """Gradient (sample, node, 3) of Σ_e weights_e e_e at places (sample, node, 3)."""
        parts, start = [], 0
        for part, own in self._each():
            count = len(part.lengths)
            parts.append(part.strain_gradients(weights[start : start + count], places[:, own]))
            start += count
        return np.concatenate(parts, axis=1)

    def bending_form(self, shapes: Floats, damping: bool = False) -> Floats:
        """(m, m): EI ∫ r″·r″ as a form of z; with `damping` EI times the damping time of each element."""
        return np.asarray(sum(part.bending_form(shapes[own], damping) for part, own in self._each()))

    def mass(self) -> Floats:
        """(node, node) kg, the same along x, y and z, with the masses of free points."""
        whole = np.zeros((self.nodes[-1].stop,) * 2)
        for part, own in self._each():
            whole[own, own] = part.mass()
        for nodes, mass in self.free.values():
            whole[nodes[0], nodes[0]] += mass
        return whole

    def mass_form(self, shapes: Floats) -> Floats:
        """(m, m): the mass matrix on z."""
        return np.asarray(np.einsum("niz,nm,miw->zw", shapes, self.mass(), shapes, optimize=True))

    def weight_form(self, shapes: Floats) -> Floats:
        """(m,): weight as a gradient by z, N."""
        whole = np.asarray(sum(part.weight_form(shapes[own]) for part, own in self._each()))
        for nodes, mass in self.free.values():
            whole = whole + mass * self.parts[0].gravity * shapes[nodes[0], 2]
        return whole

    def curvatures(self, shapes: Floats) -> Floats:
        """(node, 3, m): curvatures of shapes at the nodes."""
        return np.concatenate([part.bent(shapes[own]) for part, own in self._each()])

    def _each(self) -> list[tuple[CableOperators, slice]]:
        return list(zip(self.parts, self.nodes, strict=True))
