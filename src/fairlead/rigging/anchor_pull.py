"""The pull on anchors: what a cable does to a point on the seabed, without what the bed itself carries there.

The half element at an anchor, and what a lying line presses with, rest on the bed and not on the anchor. Of the force F
of the cable on its support, with the part V = F·n along the bed's normal n, the anchor feels

    F + (max(0, V − N) − V) n,

N being the push of the bed on the neighbouring node. A first element that lies a little askew, because the point is not
just where the axis of a lying line would be, pulls along the bed. Once the neighbour has lifted off N = 0, and V grows
as the continuous line has it, from zero where its touchdown reaches the anchor. Between samples the extremes of the
pull are those of the tension at the anchor, which every step knows: where the line lies they are the same, and beyond
that they differ by no more than half an element's weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.model import System
from fairlead.model.anchors import held_on_bed
from fairlead.results.extremes import END_EXTREMES, END_FORCE_MIN, NODE_EXTREMES, NODE_TENSION_MIN
from fairlead.results.observation import NODE_COLUMNS, NODE_CONTACT_FORCE, ObservationShape


@dataclass(frozen=True)
class AnchorPulls:
    """The ends of cables that anchors hold at the bed: where their forces and the pushes beside them are in a row."""

    normals: tuple[np.ndarray, ...]
    """(3,) of the bed under each."""
    places: tuple[tuple[slice, slice], ...]
    extremes: tuple[tuple[int, int], ...]
    """Of each end: the columns of its least force and of the least tension at its node; the largest follow them."""

    @classmethod
    def of(cls, system: System, shape: ObservationShape) -> AnchorPulls:
        """Those of a system whose observations have this shape."""
        bed = system.environment.seabed
        normals, places, extremes = [], [], []
        node, kept = 0, shape.extremes
        for c, name in enumerate(shape.cables if bed is not None else ()):
            nodes, ends = shape.cable_nodes(name), shape.cable_ends(name)
            beside = (nodes.start + NODE_COLUMNS, nodes.stop - 2 * NODE_COLUMNS)
            for side, held in enumerate(held_on_bed(system, system.cables[name])):
                if held and bed is not None:
                    point = system.place((system.cables[name].start, system.cables[name].end)[side].point)
                    _, by_x, by_y = bed.at(*np.array(point.position)[:2])
                    normals.append(np.array([-by_x, -by_y, 1.0]) / np.sqrt(1.0 + by_x**2 + by_y**2))
                    push = beside[side] + NODE_CONTACT_FORCE
                    force = ends.start + 3 * side
                    places.append((slice(force, force + 3), slice(push, push + 3)))
                    at = node + side * (shape.nodes_per_cable[c] - 1)
                    end = kept.end_start + (2 * c + side) * END_EXTREMES + END_FORCE_MIN
                    extremes.append((end, kept.start + at * NODE_EXTREMES + NODE_TENSION_MIN))
            node += shape.nodes_per_cable[c]
        return cls(tuple(normals), tuple(places), tuple(extremes))

    def take_off(self, row: np.ndarray) -> None:
        """Take what the bed carries off the end forces in an observation row, in place."""
        for normal, (force, push) in zip(self.normals, self.places, strict=True):
            along = float(row[force] @ normal)
            row[force] += (max(0.0, along - float(row[push] @ normal)) - along) * normal
        for end, node in self.extremes:
            row[end : end + 2] = np.abs(row[node : node + 2])
