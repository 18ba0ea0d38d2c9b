"""Extremes of systems with hulls: every step of the water, and every small step of the cables that hulls carry.

What is seen at the beginning of a step costs little here, since the step begins with the same solution of the water.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.algebra.small import dot, scale, subtract
from fairlead.loads.extremes import (
    NOTHING,
    bend_between,
    first_extreme,
    note_cable,
    note_end,
    note_node,
    note_point,
    report_extremes,
    time_since,
)  # fmt: skip
from fairlead.results.extremes import CABLE_KEPT, END_EXTREMES, NODE_EXTREMES, Extremes
from fairlead.results.observation import (
    END_COLUMNS,
    NODE_COLUMNS,
    NODE_POSITION,
    NODE_TENSION,
    POINT_COLUMNS,
)  # fmt: skip
from fairlead.sea.water import bed_clearance


@entry
def fold_row(t, row, along, first_node, sea, counts, kept):
    """Fold an observation row into the extremes `kept`: its cables where `along` is 1, its points always.

    `first_node` (cables + 1) counts the nodes of all cables; `counts` is `Extremes.counts`.
    """
    cables = first_node.shape[0] - 1
    ends = NODE_COLUMNS * first_node[cables]
    for c in range(cables if along == 1 else 0):
        at, found = first_extreme(counts, kept) + NODE_EXTREMES * first_node[c], NOTHING
        behind, before = (0.0, 0.0, 0.0), -1.0
        count = first_node[c + 1] - first_node[c]
        for i in range(count):
            node = NODE_COLUMNS * (first_node[c] + i)
            place, bend = (row[node + NODE_POSITION], row[node + NODE_POSITION + 1], row[node + NODE_POSITION + 2]), 0.0
            if i < count - 1:
                other = node + NODE_COLUMNS + NODE_POSITION
                chord = subtract((row[other], row[other + 1], row[other + 2]), place)
                after = math.sqrt(dot(chord, chord))
                ahead = scale(1.0 / after, chord)
                if before > 0.0:
                    bend = bend_between(behind, ahead, 0.5 * (before + after))
                behind, before = ahead, after
            found = note_node(kept, at, i, row[node + NODE_TENSION], bend, bed_clearance(place, sea), found)
        note_cable(t, c, found, counts, kept)
        for side in range(2):
            end = ends + END_COLUMNS * c + 3 * side
            note_end(t, c, side, (row[end], row[end + 1], row[end + 2]), counts, kept)
    since, at = time_since(t, counts, kept), ends + END_COLUMNS * cables
    for k in range(counts[2]):
        place, velocity = (row[at], row[at + 1], row[at + 2]), (row[at + 3], row[at + 4], row[at + 5])
        note_point(t, since, k, place, velocity, sea, counts, kept)
        at += POINT_COLUMNS


@entry
def report(counts, kept, out):
    """Extremes since the previous sample into the end of an observation row."""
    report_extremes(counts, kept, out)


def gather(theirs: np.ndarray, own: np.ndarray, extremes: Extremes) -> None:
    """Fold the extremes of the cables in `theirs`, which are the same cables, into `own`, in place."""
    nodes, cables = NODE_EXTREMES * extremes.nodes, CABLE_KEPT * extremes.cables
    ends = 2 * END_EXTREMES * extremes.cables
    for column, better in enumerate((np.minimum, np.maximum, np.maximum)):
        part = own[column:nodes:NODE_EXTREMES]
        better(part, theirs[column:nodes:NODE_EXTREMES], out=part)
    mine, other = (values[nodes : nodes + cables].reshape(-1, 4, 3) for values in (own, theirs))
    sign = np.array([-1.0, 1.0, 1.0, -1.0])
    passed = sign * other[..., 0] > sign * mine[..., 0]
    mine[passed] = other[passed]
    at = slice(nodes + cables, nodes + cables + ends)
    force, their_force = (values[at].reshape(-1, END_EXTREMES) for values in (own, theirs))
    np.minimum(force[:, 0], their_force[:, 0], out=force[:, 0])
    stronger = their_force[:, 1] > force[:, 1]
    force[stronger, 1:] = their_force[stronger, 1:]
