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

from .arrays import (
    CABLE_INTS, COUNT, ELEMENT_EA, ELEMENT_LENGTH, ELEMENT_REALS, FINISH, FIRST, I_CABLES, I_POINTS, N_CABLES, N_POINTS,
    POINT_INTS, R_ELEMENTS, R_NODES, R_POINTS, START, STATE, TENSIONS, W_NEW, W_OLD_RATE, Y_CONTROLS, Y_END_RATE,
    Y_ENDS, Y_REACTION, Y_TENSION, product, vector_of, vector_product,
)  # fmt: skip


@kernel
def element_at(e, ints):
    """Where the numbers of element e, counted through all cables, begin."""
    return ints[R_ELEMENTS] + (ELEMENT_REALS + ints[TENSIONS]) * e


@kernel
def true_tension(pulling, ea):
    """The force along an element [N] whose Green strain e is pulled by EA e: that times the stretch √(1 + 2e)."""
    return pulling * math.sqrt(max(0.0, 1.0 + 2.0 * pulling / ea))


@kernel
def element_tension(e, ints, reals, y):
    """Tension of element e [N]: the mean of the last step."""
    element = element_at(e, ints)
    pulling = product(reals, element + ELEMENT_REALS, y, ints[Y_TENSION], ints[TENSIONS])
    return true_tension(pulling, reals[element + ELEMENT_EA])


@kernel
def node_rows(i, ints):
    """Where the places of node i, counted through all cables, begin; its curvatures follow."""
    return ints[R_NODES] + 6 * ints[STATE] * i


@kernel
def note_tensions(t, c, at, ints, reals, y):
    """Fold the tensions at the nodes of cable c; each lies on the line through its two nearest elements."""
    cable = ints[I_CABLES] + CABLE_INTS * c
    count, first = ints[cable + COUNT], ints[cable + FIRST] - c
    h0, h1 = reals[element_at(first, ints) + ELEMENT_LENGTH], 0.0
    t0, t1 = element_tension(first, ints, reals, y), 0.0
    found, ends = NOTHING, (0.0, 0.0)
    for i in range(count + 1):
        if (i == 0 and count > 1) or (1 < i < count):
            e = first + max(i, 1)
            if i > 1:
                h0, t0 = h1, t1
            h1, t1 = reals[element_at(e, ints) + ELEMENT_LENGTH], element_tension(e, ints, reals, y)
        tension = node_line(i, count, h0, h1, t0, t1)
        found = note_node(y, at, i, tension, -math.inf, math.inf, found)
        ends = (tension, tension) if i == 0 else (ends[0], tension)
    note_cable(t, c, found, reals, ints, y)
    for side in range(2):
        held = ints[cable + (START if side == 0 else FINISH)]
        force = vector_of(y, ints[Y_REACTION] + 3 * held) if held >= 0 else (ends[side], 0.0, 0.0)
        note_end(t, c, side, force, ints, y)
    return at + NODE_EXTREMES * (count + 1)


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold a step that was made to t into the extremes."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        at = note_tensions(t, c, at, ints, reals, y)
    since, m = time_since(t, ints, y), ints[STATE]
    for k in range(ints[N_POINTS]):
        point = ints[I_POINTS] + POINT_INTS * k
        held, control, node = ints[point], ints[point + 1], ints[point + 2]
        if node >= 0:
            rows = node_rows(node, ints)
            place = vector_product(reals, rows, work, ints[W_NEW], m)
            velocity = vector_product(reals, rows, work, ints[W_OLD_RATE], m)
        elif held >= 0:
            place, velocity = vector_of(y, ints[Y_ENDS] + 3 * held), vector_of(y, ints[Y_END_RATE] + 3 * held)
        else:
            place, velocity = place_of_point(control, k, ints[Y_CONTROLS], 6, ints[R_POINTS], reals, y)
        note_point(t, since, k, place, velocity, reals, ints, y)
