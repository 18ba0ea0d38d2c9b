"""Extremes of every step: how all formulations go through cables and points.

`seen(c, i, sys)` is a formulation's kernel that gives tension, square of the curvature and place at node i of cable c,
`point_state(k, sys)` one that gives place and velocity of the k-th of all points and bodies of the file.
"""

from __future__ import annotations

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.lanes import WIDTH
from fairlead.algebra.small import scale, subtract
from fairlead.loads.extremes import (
    NOTHING,
    bend_between,
    best_of_eight,
    note_cable,
    note_eight,
    note_end,
    note_node,
    note_point,
    nothing_in_eight,
    time_since,
)
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.sea.water import bed_clearance


@fold
def note_line(t, c, at, count, spare, reverse, seen, sys):
    """Fold the nodes of cable c, of `count` elements, at time t; returns where the extremes of the next one stand.

    spare    elements that are still on a drum: the cable's first
    reverse  whether it is kept against the direction of the file
    """
    found = NOTHING
    for i in range(count + 1):
        tension, bend, place = seen(c, i, sys)
        node = count - i if reverse else spare + i
        found = note_node(sys.y, at, node, tension, bend, bed_clearance(place, sys.reals), found)
    note_cable(t, c, found, sys.ints, sys.y)
    return at + NODE_EXTREMES * (spare + count + 1)


@fold
def note_line_in_eights(t, c, at, first, count, reverse, seen, seen_within, rows, sys):
    """The same of a cable whose elements begin at `first` and that is all paid out, its inner nodes eight at a time:
    `seen_within(e, c, rows)` gives of the nodes at which the elements from e on begin what `seen` does."""
    ahead = -1 if reverse else 1
    tension, bend, place = seen(c, 0, sys)
    found = note_node(sys.y, at, count if reverse else 0, tension, bend, bed_clearance(place, sys.reals), NOTHING)
    i, best = 1, nothing_in_eight()
    while i + WIDTH <= count:
        tensions, bends, places = seen_within(first + i, c, rows)
        node = count - i if reverse else i
        best = note_eight(
            sys.y, at + NODE_EXTREMES * node, ahead * NODE_EXTREMES, i, tensions, bends,
            bed_clearance(places, rows.reals), best,
        )  # fmt: skip
        i += WIDTH
    if i > 1:
        found = best_of_eight(best, count if reverse else 0, ahead, found)
    for k in range(i, count + 1):
        tension, bend, place = seen(c, k, sys)
        node = count - k if reverse else k
        found = note_node(sys.y, at, node, tension, bend, bed_clearance(place, sys.reals), found)
    note_cable(t, c, found, sys.ints, sys.y)
    return at + NODE_EXTREMES * (count + 1)


@kernel
def note_ends(t, c, start, end, reverse, sys):
    """Fold the forces at the start and the end of cable c, in the order it is kept."""
    note_end(t, c, 0, end if reverse else start, sys.ints, sys.y)
    note_end(t, c, 1, start if reverse else end, sys.ints, sys.y)


@fold
def note_points(t, count, point_state, sys):
    """Fold all points and bodies at time t."""
    since = time_since(t, sys.ints, sys.y)
    for k in range(count):
        place, velocity = point_state(k, sys)
        note_point(t, since, k, place, velocity, sys.reals, sys.ints, sys.y)


@kernel
def bend_of_two(p0, p1, p2, l0, l1):
    """Square of the curvature where two straight elements of lengths l0 and l1 meet: from p0 by p1 to p2 [1/m²]."""
    one, two = scale(1.0 / l0, subtract(p1, p0)), scale(1.0 / l1, subtract(p2, p1))
    return bend_between(one, two, 0.5 * (l0 + l1))
