"""Tension at a node: what is transmitted there from element to element."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import common
from fairlead.algebra.small import dot

from .schema import NO_COMPRESSION


@kernel
def one_way(pull, e, sys):
    """A tension of element e as it is, or nothing where the element does not push and it would."""
    return max(0.0, pull) if common(sys.element[e].pushed) == NO_COMPRESSION else pull


@kernel
def tension_at(c, i, lines, sys):
    """Tension at node i of cable c; at a joined end the force on its point. `lines` are rows with the directions of the
    elements.

    Within the cable it is the mean of what either element beside it transmits there: its tension, and what its half at
    the node carries by itself. A clump weight at a node belongs to the element behind it. An element that does not push
    has no tension below zero.
    """
    first, count = sys.cable[c].first, sys.cable[c].count
    if i == 0:
        return one_way(dot(sys.end_force[2 * c].force, lines[first].direction), first, sys)
    if i == count:
        e = first + count - 1
        return one_way(-dot(sys.end_force[2 * c + 1].force, lines[e].direction), e, sys)
    total = 0.0
    for side in range(2):  # the element ahead, of which this is the first node; then the one behind
        e, node = first + i - side, first + c + i
        chord, along = sys.chord[e], lines[e].direction
        here = dot(along, sys.row[node].acceleration)
        there = dot(along, sys.row[node + 1 - 2 * side].acceleration)
        own = chord.load_along[side] - chord.mass_along[side] * here - chord.mass_shared * there
        total += one_way(sys.spring[e].tension + (own if side == 0 else -own), e, sys)
    return 0.5 * total
