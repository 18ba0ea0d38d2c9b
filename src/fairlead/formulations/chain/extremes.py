"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import scale, subtract
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .links import ZERO3, force_on_support


@kernel
def tension_at(c, i, sys):
    """Tension at node i of cable c, the mean of its links, after a solution: multipliers times lengths."""
    first, count = sys.cable[c].first, sys.cable[c].count
    tension = 0.0
    for k in (max(i - 1, 0), min(i, count - 1)):
        tension += 0.5 * sys.link[first - c + k].length * sys.found[first + k].multiplier
    return tension


@kernel
def point_state(k, sys):
    """Position and velocity of point k: of the node there, as it is commanded, or fixed."""
    point = sys.point[k]
    if point.node >= 0:
        return sys.position[point.node].x, sys.velocity[point.node].v
    if point.control >= 0:
        return sys.control_state[point.control].x, sys.control_state[point.control].v
    return sys.fixed[k].position, ZERO3


@kernel
def note_cables(t, sys):
    """Fold the cables in the state at t, solved, into the extremes."""
    ints, y = sys.ints, sys.y
    at = first_extreme(ints, y)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        found = NOTHING
        behind, before = ZERO3, 0.0
        for i in range(count + 1):
            place, bend = sys.position[first + i].x, 0.0
            if i < count:
                length = sys.link[first - c + i].length
                ahead = scale(1.0 / length, subtract(sys.position[first + i + 1].x, place))
                if i > 0:
                    bend = bend_between(behind, ahead, 0.5 * (before + length))
                behind, before = ahead, length
            found = note_node(y, at, i, tension_at(c, i, sys), bend, bed_distance(place, sys.reals), found)
        note_cable(t, c, found, sys.reals, ints, y)
        for side in range(2):
            note_end(t, c, side, force_on_support(t, c, side * count, sys), ints, y)
        at += NODE_EXTREMES * (count + 1)


@kernel
def note_extremes(t, sys):
    """Fold the state at t, from which a step begins and whose forces are known, into the extremes."""
    note_cables(t, sys)
    since = time_since(t, sys.ints, sys.y)
    for k in range(sys.points):
        place, velocity = point_state(k, sys)
        note_point(t, since, k, place, velocity, sys.reals, sys.ints, sys.y)
