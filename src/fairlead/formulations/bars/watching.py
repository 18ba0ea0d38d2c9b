"""What a study keeps of a sample: the numbers that were asked for and no others.

The tensions of a moment follow from the accelerations then, which the step that begins there computes anyway: a sample
is taken in the middle of that step, and costs what its few numbers cost. `asked` has a row for each channel:

    how, cable or point, node or part, where in `y` its least and its largest of the steps since stand (or −1), roots

`how` is one of the kinds below; `roots` is 1 where squares are kept. Three numbers come of it: value, least, largest.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import lanes, pick, where
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, dot
from fairlead.loads.extremes import clear_extremes
from fairlead.results.extremes import UNSET

from .element import axis_of
from .frames import drive_points, point_state, show_points
from .loosening import along_line, only_pulls
from .topology import is_attached

AT_NODE, MOST, LEAST, PLACE, SPEED, OFFSET, EXTREME = range(7)
"""Tension at a node, the largest and the least along a cable; a coordinate, the speed and the way of a point; nothing
but the extreme."""
HOW, WHICH, PART, LOW, HIGH, ROOTS = range(6)
ASKED = 6


@kernel
def node_tension(c, node, sys):
    """Effective tension at a node of cable c, as the file counts them, after a solve."""
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    i = count - node if cable.reversed == 1 else node
    j, axis, attached = first + c + i, (0.0, 0.0, 0.0), True
    if i > 0:
        axis = add(axis, along_line(j, axis_of(rotation(sys.bar_state[first + i - 1].turn)), sys))
    if i < count:
        axis = add(axis, along_line(j + 1, axis_of(rotation(sys.bar_state[first + i].turn)), sys))
    if i == 0 or i == count:
        attached = is_attached(2 * c if i == 0 else 2 * c + 1, sys)
    size = math.sqrt(dot(axis, axis))
    tension = dot(sys.joint_load[j].force, axis) / where(size > 1e-9, size, 1.0)
    if only_pulls(j, sys):
        tension = max(0.0, tension)
    return tension if attached else 0.0 * tension


@kernel
def value_now(how, which, part, home, at, sys):
    """A channel's number at this moment; `home` has the place that a way is measured from, x at `at`."""
    if how == AT_NODE:
        return node_tension(which, part, sys)
    if how in (MOST, LEAST):
        found = node_tension(which, 0, sys)
        for node in range(1, sys.cable[which].count + 1):
            tension = node_tension(which, node, sys)
            found = max(found, tension) if how == MOST else min(found, tension)
        return found
    place, velocity = point_state(which, sys)
    if how == SPEED:
        return math.sqrt(dot(velocity, velocity))
    if how == OFFSET:
        x, y = place[0] - lanes(home, at), place[1] - lanes(home, at + 8)
        return math.sqrt(x * x + y * y)
    return place[0] if part == 0 else place[1] if part == 1 else place[2]


@kernel
def extreme_since(at, roots, sys):
    """An extreme of the steps since the sample before; NaN where there was none."""
    x = sys.y[at]
    kept = where(abs(x) < UNSET, x, math.nan)
    return math.sqrt(kept) if roots == 1 else kept


@kernel
def watch(t, sample, u, asked, home, out, sys):
    """Write what is asked for into row `sample` of every lane's table, and begin new extremes."""
    points = False
    for c in range(asked.shape[0]):
        points = points or PLACE <= asked[c, HOW] <= OFFSET
    if points:
        for k in range(lane_count(sys)):
            show_points(lane_of(sys, k))
    for c in range(asked.shape[0]):
        how, roots = asked[c, HOW], asked[c, ROOTS]
        least = extreme_since(max(0, asked[c, LOW]), roots, sys)
        largest = extreme_since(max(0, asked[c, HIGH]), roots, sys)
        value = least if asked[c, LOW] >= 0 else largest
        if how != EXTREME:
            value = value_now(how, asked[c, WHICH], asked[c, PART], home, 16 * c, sys)
        for k in range(lane_count(sys)):
            out[k, sample, 3 * c], out[k, sample, 3 * c + 1] = pick(value, k), pick(least, k)
            out[k, sample, 3 * c + 2] = pick(largest, k)
    clear_extremes(sys.ints, sys.y)
    if points:
        for k in range(lane_count(sys)):
            drive_points(t, 0, u, lane_of(sys, k))
