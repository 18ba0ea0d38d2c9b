"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, dot, scale
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .hung import named_state


@kernel
def axis_at(c, i, sys):
    """Mean direction of the links that meet at node i of chain c."""
    first, count = sys.chain[c].first, sys.chain[c].count
    above = sys.link_state[first + max(0, i - 1)].direction
    axis = add(above, sys.link_state[first + min(count - 1, i)].direction)
    size = math.sqrt(dot(axis, axis))
    return scale(1.0 / size, axis) if size > 1e-9 else above


@kernel
def bend_at(c, i, sys):
    """Square of the curvature at node i of chain c; at a clamp over half a link, at other ends none."""
    end, first, count = sys.end[c], sys.chain[c].first, sys.chain[c].count
    if i == 0:
        if sys.link[first].bending == 0.0:
            return 0.0
        above, length = end.start_axis, 0.0
    else:
        above, length = sys.link_state[first + i - 1].direction, sys.link[first + i - 1].length
    if i == count:
        if end.stop_bending == 0.0:
            return 0.0
        return bend_between(above, end.stop_axis, 0.5 * length)
    length += sys.link[first + i].length
    return bend_between(above, sys.link_state[first + i].direction, 0.5 * length)


@kernel
def note_extremes(t, sys):
    """Fold what is laid out and solved at time t into the extremes."""
    ints, y = sys.ints, sys.y
    at = first_extreme(ints, y)
    for k in range(sys.cables):
        cable = sys.cable[k]
        c, first, count, reverse = cable.chain, cable.first, cable.count, cable.reversed == 1
        before = first - sys.chain[c].first
        found = NOTHING
        for i in range(count + 1):
            motion = sys.motion[first + c + i]
            tension = dot(motion.force, axis_at(c, before + i, sys))
            distance = bed_distance(motion.position, sys.reals)
            bend = bend_at(c, before + i, sys)
            found = note_node(y, at, count - i if reverse else i, tension, bend, distance, found)
        note_cable(t, k, found, sys.reals, ints, y)
        loose = sys.chain[c].start < 0 and before == 0
        for side in range(2):
            end = (1 - side) if reverse else side
            force = sys.motion[first + c + end * count].force
            note_end(t, k, side, scale(0.0 if loose and end == 0 else 1.0, force), ints, y)
        at += NODE_EXTREMES * (count + 1)
    since = time_since(t, ints, y)
    for k in range(sys.named):
        place, velocity = named_state(k, sys)
        note_point(t, since, k, place, velocity, sys.reals, ints, y)
