"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    CABLE_ALLOTTED_COUNT, CABLE_COUNT, CABLE_FIRST, CABLE_REVERSED, END_CLAMP, I_NAMED, LENGTH, N_CABLES, N_NAMED,
    START_CLAMP, W_FORCES, cable_at, element_at, element_work_at, end_at, hub_state_at, is_attached, node_state_at,
    point_at, point_of_end, vector_of,
)  # fmt: skip
from .points import clamp_direction
from .tensions import tension_at


@kernel
def bend_at(c, i, ints, reals, y, work):
    """Square of the curvature at node i of cable c; at a clamp over half an element, at other ends none."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    if i > 0 and i < count:
        one, two = element_work_at(ints, first + i - 1), element_work_at(ints, first + i)
        length = 0.5 * (reals[element_at(ints, first + i - 1) + LENGTH] + reals[element_at(ints, first + i) + LENGTH])
        return bend_between(vector_of(work, one), vector_of(work, two), length)
    side = 1 if i == count else 0
    end = 2 * c + side
    if ints[cable + (END_CLAMP if side == 1 else START_CLAMP)] == 0 or not is_attached(y, ints, end):
        return 0.0
    e = first + side * (count - 1)
    held = clamp_direction(point_of_end(ints, end), end_at(ints, end), ints, reals, work)
    return bend_between(held, vector_of(work, element_work_at(ints, e)), 0.5 * reals[element_at(ints, e) + LENGTH])


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold the step that begins at t, solved but not yet made, into the extremes. Places are those it is solved at."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST] + c, ints[cable + CABLE_COUNT]
        reverse, allotted = ints[cable + CABLE_REVERSED] == 1, ints[cable + CABLE_ALLOTTED_COUNT]
        found = NOTHING
        for i in range(count + 1):
            node = count - i if reverse else i + allotted - count  # what is on the drum are the cable's first nodes
            tension, bend = tension_at(c, i, ints, reals, y, work), bend_at(c, i, ints, reals, y, work)
            distance = bed_distance(vector_of(y, node_state_at(ints, first + i)), reals)
            found = note_node(y, at, node, tension, bend, distance, found)
        note_cable(t, c, found, reals, ints, y)
        for side in range(2):
            end = (1 - side) if reverse else side
            note_end(t, c, side, vector_of(work, ints[W_FORCES] + 6 * c + 3 * end), ints, y)
        at += NODE_EXTREMES * (allotted + 1)
    since = time_since(t, ints, y)
    for k in range(ints[N_NAMED]):
        which = ints[ints[I_NAMED] + k]
        if which >= 0:
            place, velocity = vector_of(work, point_at(ints, which)), vector_of(work, point_at(ints, which) + 3)
        else:
            body = hub_state_at(ints, -which - 1)
            place, velocity = vector_of(y, body), vector_of(y, body + 7)
        note_point(t, since, k, place, velocity, reals, ints, y)
