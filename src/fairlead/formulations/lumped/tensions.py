"""Tension at a node: what is transmitted there from element to element."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import common, where
from fairlead.algebra.small import add_scaled, dot, scale

from .ends import is_attached
from .schema import NO_COMPRESSION


ALONE = -1.0
"""Steps of a state whose forces are to be those of the step to come alone, though steps have led to it."""


@kernel
def one_way(pull, e, sys):
    """A tension of element e as it is, or nothing where the element does not push and it would."""
    return max(0.0, pull) if common(sys.element[e].pushed) == NO_COMPRESSION else pull


@inlined
def tension_at(c, i, lines, sys):
    """Tension at node i of cable c in the latest step that is booked, the tension of its middle; at a joined end the
    force on its point along the element there. `lines` are rows with the directions of the elements.

    Within the cable it is the mean of what either element beside the node transmits there (`book_element`): its
    tension, and what its half at the node carries by itself. A clump weight at a node belongs to the element behind it.
    An element that does not push has no tension below zero.
    """
    first, count = sys.cable[c].first, sys.cable[c].count
    if i == 0:
        return one_way(dot(sys.hold[2 * c].force, lines[first].direction), first, sys)
    if i == count:
        e = first + count - 1
        return one_way(-dot(sys.hold[2 * c + 1].force, lines[e].direction), e, sys)
    return 0.5 * (sys.spring[first + i].passed[0] + sys.spring[first + i - 1].passed[1])


@inlined
def between_steps(before, after, sys):
    """A force at the time between two steps, from those in the middle of either: their mean. Where no step was made
    before, and with the first-order step, it is that of the step that begins.

    `sys` is the system before the second step ends.
    """
    return where(sys.history.steps > 0.0, 0.5 * (before + after), after)


@kernel
def end_force_between(end, was, sys):
    """Force (3) of a cable end on its point at the time between two steps, likewise: `was` is the state between them,
    `sys` has the second step solved. An end that has just let go pulls no more."""
    after = sys.end_force[end].force
    if was.history.steps > 0.0 and is_attached(end, sys):
        return add_scaled(scale(0.5, after), 0.5, was.hold[end].force)
    return after
