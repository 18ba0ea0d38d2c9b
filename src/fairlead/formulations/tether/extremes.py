"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, scale, subtract
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    CABLE_COUNT, CABLE_LINK, END_FORCE, END_PULL, HUNG, I_POINTS, LENGTH, N_CABLES, N_POINTS, POINT_COLUMNS, W_TENSION,
    Y_SCALE, cable_at, end_at, hung_at, link_at, point_state_at, state_at, vector_of,
)  # fmt: skip


@kernel
def tension_at(c, j, ints, work):
    """Tension at node j of cable c: the mean of its links; at an end the pull on its point along the link."""
    cable = cable_at(ints, c)
    count, link = ints[cable + CABLE_COUNT], ints[cable + CABLE_LINK]
    if j == 0 or j == count:
        end = end_at(ints, c, 0 if j == 0 else 1)
        return dot(vector_of(work, end + END_FORCE), vector_of(work, end + END_PULL))
    return 0.5 * (work[ints[W_TENSION] + link + j - 1] + work[ints[W_TENSION] + link + j])


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold a step that was made from t into the extremes: its forces, and the places and velocities it led to."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        count, link, s = ints[cable + CABLE_COUNT], ints[cable + CABLE_LINK], y[ints[Y_SCALE] + c]
        found = NOTHING
        place = vector_of(y, state_at(ints, cable, 0))
        behind, before = (0.0, 0.0, 0.0), 0.0
        for j in range(count + 1):
            here, bend = place, 0.0
            if j < count:
                place = vector_of(y, state_at(ints, cable, j + 1))
                chord = subtract(place, here)
                ahead, after = scale(1.0 / math.sqrt(dot(chord, chord)), chord), reals[link_at(ints, link + j) + LENGTH]
                if j > 0:
                    bend = bend_between(behind, ahead, 0.5 * s * (before + after))
                behind, before = ahead, after
            found = note_node(y, at, j, tension_at(c, j, ints, work), bend, bed_distance(here, reals), found)
        note_cable(t, c, found, reals, ints, y)
        for side in range(2):
            note_end(t, c, side, vector_of(work, end_at(ints, c, side) + END_FORCE), ints, y)
        at += NODE_EXTREMES * (count + 1)
    since = time_since(t, ints, y)
    for p in range(ints[N_POINTS]):
        state = point_state_at(ints, p)
        place, velocity = vector_of(y, state), vector_of(y, state + 3)
        point = ints[I_POINTS] + POINT_COLUMNS * p
        if ints[point] == HUNG:
            body = hung_at(ints, ints[point + 1])
            place, velocity = vector_of(y, body), vector_of(y, body + 7)
        note_point(t, since, p, place, velocity, reals, ints, y)
