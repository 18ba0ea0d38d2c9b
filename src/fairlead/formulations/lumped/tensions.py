"""Tension at a node: what is transmitted there from element to element."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot

from .arrays import (
    CABLE_COUNT, CABLE_FIRST, LOAD_ALONG, MASS_ALONG, MASS_SHARED, NO_COMPRESSION, PUSHED, W_FORCES, Y_TENSION,
    acceleration_at, cable_at, element_at, element_work_at, vector_of,
)  # fmt: skip


@kernel
def one_way(pull, e, ints, reals):
    """A tension of element e as it is, or nothing where the element does not push and it would."""
    return max(0.0, pull) if reals[element_at(ints, e) + PUSHED] == NO_COMPRESSION else pull


@kernel
def tension_at(c, i, ints, reals, y, work):
    """Tension at node i of cable c; at a joined end the force on its point.

    Within the cable it is the mean of what either element beside it transmits there: its tension, and what its half at
    the node carries by itself. A clump weight at a node belongs to the element behind it. An element that does not push
    has no tension below zero.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    if i == 0:
        pull = dot(vector_of(work, ints[W_FORCES] + 6 * c), vector_of(work, element_work_at(ints, first)))
        return one_way(pull, first, ints, reals)
    if i == count:
        force = vector_of(work, ints[W_FORCES] + 6 * c + 3)
        pull = -dot(force, vector_of(work, element_work_at(ints, first + count - 1)))
        return one_way(pull, first + count - 1, ints, reals)
    total = 0.0
    for side in range(2):  # the element ahead, of which this is the first node; then the one behind
        kept = element_work_at(ints, first + i - side)
        axis = vector_of(work, kept)
        here = dot(axis, vector_of(work, acceleration_at(ints, first + c + i)))
        there = dot(axis, vector_of(work, acceleration_at(ints, first + c + i + 1 - 2 * side)))
        own = work[kept + LOAD_ALONG + side] - work[kept + MASS_ALONG + side] * here - work[kept + MASS_SHARED] * there
        pull = y[ints[Y_TENSION] + first + i - side] + (own if side == 0 else -own)
        total += one_way(pull, first + i - side, ints, reals)
    return 0.5 * total
