"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .ends import is_attached
from .points import clamp_direction
from .tensions import tension_at


@kernel
def bend_at(c, i, sys):
    """Square of the curvature at node i of cable c; at a clamp over half an element, at other ends none."""
    first, count = sys.cable[c].first, sys.cable[c].count
    if i > 0 and i < count:
        e = first + i
        length = 0.5 * (sys.element[e - 1].length + sys.element[e].length)
        return bend_between(sys.chord[e - 1].direction, sys.chord[e].direction, length)
    end = 2 * c + (1 if i == count else 0)
    if sys.joint[end].clamp == 0 or not is_attached(end, sys):
        return 0.0
    e = first + (count - 1 if i == count else 0)
    return bend_between(clamp_direction(end, sys), sys.chord[e].direction, 0.5 * sys.element[e].length)


@kernel
def note_extremes(t, sys):
    """Fold the step that begins at t, solved but not yet made, into the extremes. Places are those it is solved at."""
    ints, sea, y = sys.ints, sys.reals, sys.y
    at = first_extreme(ints, y)
    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count, allotted, reverse = cable.first + c, cable.count, cable.allotted_count, cable.reversed == 1
        found = NOTHING
        for i in range(count + 1):
            node = count - i if reverse else i + allotted - count  # what is on the drum are the cable's first nodes
            distance = bed_distance(sys.node[first + i].position, sea)
            found = note_node(y, at, node, tension_at(c, i, sys), bend_at(c, i, sys), distance, found)
        note_cable(t, c, found, sea, ints, y)
        for side in range(2):
            end = (1 - side) if reverse else side
            note_end(t, c, side, sys.end_force[2 * c + end].force, ints, y)
        at += NODE_EXTREMES * (allotted + 1)
    since = time_since(t, ints, y)
    for k in range(sys.places):
        which = sys.seen[k].place
        if which >= 0:
            place, velocity = sys.point[which].position, sys.point[which].velocity
        else:
            place, velocity = sys.hub[-which - 1].position, sys.hub[-which - 1].velocity
        note_point(t, since, k, place, velocity, sea, ints, y)
