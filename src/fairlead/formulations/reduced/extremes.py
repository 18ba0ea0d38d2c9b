"""What a step adds to the extremes: tensions along the cables, end forces, points.

Places of nodes are not known in a step, only the coordinates they follow from; to work them out would cost as much as
the step. So there are no extremes of curvature and of the clearance of cables: the samples show these.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.loads.extremes import NOTHING, first_extreme, note_cable, note_node
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.rigging.extremes import note_ends, note_points
from fairlead.rigging.observation import held_state, node_line

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
    note_cable(t, c, found, sys.ints, y)
    start = sys.reaction[cable.start].xyz if cable.start >= 0 else (ends[0], 0.0, 0.0)
    note_ends(t, c, start, sys.reaction[cable.finish].xyz if cable.finish >= 0 else (ends[1], 0.0, 0.0), False, sys)
    return at + NODE_EXTREMES * (count + 1)


@kernel
def state_at(k, places, rates, sys):
    """Place and velocity of point k, a node of the shapes having those of z and ż that begin at `places`, `rates`."""
    point = sys.point[k]
    if point.node >= 0:
        rows = node_rows(point.node, sys)
        return at_rows(rows, places, sys), at_rows(rows, rates, sys)
    if point.held >= 0 and point.control < 0:
        return sys.ends[point.held].xyz, sys.end_rate[point.held].xyz
    return held_state(k, sys)


@kernel
def stepped_state(k, sys):
    """The same after a step."""
    return state_at(k, sys.new.start, sys.old_rate.start, sys)


@kernel
def note_extremes(t, sys):
    """Fold a step that was made to t into the extremes."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        at = note_tensions(t, c, at, sys)
    note_points(t, sys.points, stepped_state, sys)
