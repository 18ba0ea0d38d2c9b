"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, scale
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    CABLE_ALLOTTED_COUNT, CABLE_ALLOTTED_FIRST, CABLE_COUNT, CABLE_FIRST, CABLE_REVERSED, I_NAMED, LENGTH, N_CABLES,
    N_NAMED, W_MULTIPLIERS, Y_ATTACHED, bar_at, bar_state_at, cable_at, hub_state_at, is_attached, is_clamped, point_at,
    quaternion_of, vector_of,
)  # fmt: skip
from .element import axis_of
from .loosening import along_line, only_pulls
from .sweep import relative_of


@kernel
def note_along(t, c, at, ints, reals, y, work):
    """Nodes of cable c, whose first one's extremes stand at `at`; the force of a joint is that of the step from t."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    reverse = ints[cable + CABLE_REVERSED] == 1
    unused = first - ints[cable + CABLE_ALLOTTED_FIRST]
    if reverse:
        unused = ints[cable + CABLE_ALLOTTED_COUNT] - count - unused
    found = NOTHING
    behind, before = (0.0, 0.0, 0.0), 0.0
    place = behind
    for i in range(count + 1):
        j = first + c + i
        ahead, after = behind, before
        if i < count:
            body = bar_state_at(ints, first + i)
            axis, after = axis_of(rotation(quaternion_of(y, body))), reals[bar_at(ints, first + i) + LENGTH]
            ahead = along_line(j + 1, axis, ints, reals, work)
            place = add_scaled(vector_of(y, body), -0.5 * after, ahead if i == 0 else axis)
        else:
            place = add_scaled(place, before, behind)
        force = vector_of(work, ints[W_MULTIPLIERS] + 6 * j)
        if i == 0 or i == count:
            end = 2 * c if i == 0 else 2 * c + 1
            tension = dot(force, ahead) if is_attached(y, ints, end) else 0.0
            bend = 0.0
            if is_clamped(y, ints, end):
                turn, half = relative_of(j, ints, work), 0.5 * after
                bend = 4.0 * (turn[1] * turn[1] + turn[2] * turn[2]) / (half * half)
        else:
            axis = add(behind, ahead)
            tension = dot(force, axis) / max(1e-9, math.sqrt(dot(axis, axis)))
            bend = bend_between(behind, ahead, 0.5 * (before + after))
        if only_pulls(j, ints, reals):
            tension = max(0.0, tension)
        node = unused + (count - i if reverse else i)
        found = note_node(y, at, node, tension, bend, bed_distance(place, reals), found)
        behind, before = ahead, after
    note_cable(t, c, found, reals, ints, y)
    for side in range(2):
        end = (1 - side) if reverse else side
        force = vector_of(work, ints[W_MULTIPLIERS] + 6 * (first + c + end * count))
        note_end(t, c, side, scale(y[ints[Y_ATTACHED] + 2 * c + end], force), ints, y)


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold the step that begins at t, solved but not yet made, into the extremes."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        note_along(t, c, at, ints, reals, y, work)
        at += NODE_EXTREMES * (ints[cable_at(ints, c) + CABLE_ALLOTTED_COUNT] + 1)
    since = time_since(t, ints, y)
    for k in range(ints[N_NAMED]):
        which = ints[ints[I_NAMED] + k]
        if which >= 0:
            point = point_at(ints, which)
            place, velocity = vector_of(work, point), vector_of(work, point + 3)
        else:
            body = hub_state_at(ints, -which - 1)
            place, velocity = vector_of(y, body), vector_of(y, body + 7)
        note_point(t, since, k, place, velocity, reals, ints, y)
