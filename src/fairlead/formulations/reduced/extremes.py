"""What a step adds to the extremes: tensions along the cables, end forces, points.

Places of nodes are not known in a step, only the coordinates they follow from; to work them out would cost as much as
the step. So there are no extremes of curvature and of the clearance of cables: the samples show these.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.loads.extremes import NOTHING, first_extreme, note_cable, note_end, note_node, note_point, time_since
from fairlead.loads.reported import node_line, place_of_point
from fairlead.results.extremes import NODE_EXTREMES

from .runs import product
from .sea_loads import at_rows


@kernel
def true_tension(pulling, ea):
    """The force along an element [N] whose Green strain e is pulled by EA e: that times the stretch √(1 + 2e)."""
    return pulling * math.sqrt(max(0.0, 1.0 + 2.0 * pulling / ea))


@kernel
def element_tension(e, sys):
    """Tension of element e [N]: the mean of the last step."""
    p = sys.tensions
    pulling = product(sys.reals, sys.share.start + p * e, sys.y, sys.tension.start, p)
    return true_tension(pulling, sys.element[e].ea)


@kernel
def node_rows(i, sys):
    """Where the places of node i, counted through all cables, begin; its curvatures follow."""
    return sys.node_row.start + 6 * sys.state * i


@kernel
def note_tensions(t, c, at, sys):
    """Fold the tensions at the nodes of cable c; each lies on the line through its two nearest elements."""
    cable, y = sys.cable[c], sys.y
    count, first = cable.count, cable.first - c
    h0, h1 = sys.element[first].length, 0.0
    t0, t1 = element_tension(first, sys), 0.0
    found, ends = NOTHING, (0.0, 0.0)
    for i in range(count + 1):
        if (i == 0 and count > 1) or (1 < i < count):
            e = first + max(i, 1)
            if i > 1:
                h0, t0 = h1, t1
            h1, t1 = sys.element[e].length, element_tension(e, sys)
        tension = node_line(i, count, h0, h1, t0, t1)
        found = note_node(y, at, i, tension, -math.inf, math.inf, found)
        ends = (tension, tension) if i == 0 else (ends[0], tension)
    note_cable(t, c, found, sys.reals, sys.ints, y)
    for side in range(2):
        held = cable.start if side == 0 else cable.finish
        force = sys.reaction[held].xyz if held >= 0 else (ends[side], 0.0, 0.0)
        note_end(t, c, side, force, sys.ints, y)
    return at + NODE_EXTREMES * (count + 1)


@kernel
def note_extremes(t, sys):
    """Fold a step that was made to t into the extremes."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        at = note_tensions(t, c, at, sys)
    since = time_since(t, sys.ints, sys.y)
    for k in range(sys.points):
        point = sys.point[k]
        if point.node >= 0:
            rows = node_rows(point.node, sys)
            place, velocity = at_rows(rows, sys.new.start, sys), at_rows(rows, sys.old_rate.start, sys)
        elif point.held >= 0:
            place, velocity = sys.ends[point.held].xyz, sys.end_rate[point.held].xyz
        else:
            place, velocity = place_of_point(
                point.control, k, sys.controls.start, 6, sys.place.start, sys.reals, sys.y
            )  # fmt: skip
        note_point(t, since, k, place, velocity, sys.reals, sys.ints, sys.y)
