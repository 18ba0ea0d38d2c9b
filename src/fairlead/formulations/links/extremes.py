"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, dot, scale
from fairlead.loads.extremes import bend_between, first_extreme
from fairlead.rigging.extremes import note_ends, note_line, note_points

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
def seen(k, i, sys):
    """Tension, square of the curvature and place at node i of cable k, in the order of its chain."""
    cable = sys.cable[k]
    c, at = cable.chain, cable.first - sys.chain[cable.chain].first + i
    motion = sys.motion[cable.first + c + i]
    return dot(motion.force, axis_at(c, at, sys)), bend_at(c, at, sys), motion.position


@kernel
def end_forces(k, sys):
    """Forces of cable k on what is at its first and at its last node, in the order of its chain."""
    cable = sys.cable[k]
    c, start = cable.chain, sys.motion[cable.first + cable.chain].force
    if sys.chain[c].start < 0 and cable.first == sys.chain[c].first:
        start = ZERO3
    return start, scale(-1.0, sys.motion[cable.first + c + cable.count].force)


@kernel
def note_extremes(t, sys):
    """Fold what is laid out and solved at time t into the extremes."""
    at = first_extreme(sys.ints, sys.y)
    for k in range(sys.cables):
        reverse = sys.cable[k].reversed == 1
        at = note_line(t, k, at, sys.cable[k].count, 0, reverse, seen, sys)
        start, end = end_forces(k, sys)
        note_ends(t, k, start, end, reverse, sys)
    note_points(t, sys.named, named_state, sys)
