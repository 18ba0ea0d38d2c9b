"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, scale, subtract
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .node import state_of
from .schema import HUNG


@kernel
def tension_at(c, j, sys):
    """Tension at node j of cable c: the mean of its links; at an end the pull on its point along the link."""
    cable = sys.cable[c]
    if j == 0 or j == cable.count:
        end = sys.end[2 * c + (0 if j == 0 else 1)]
        return dot(end.force, end.pull)
    return 0.5 * (sys.pull[cable.link + j - 1].tension + sys.pull[cable.link + j].tension)


@kernel
def note_extremes(t, sys):
    """Fold a step that was made from t into the extremes: its forces, and the places and velocities it led to."""
    ints, y = sys.ints, sys.y
    at = first_extreme(ints, y)
    for c in range(sys.cables):
        cable, s = sys.cable[c], sys.paid[c].factor
        found = NOTHING
        place = state_of(cable, 0, sys).position
        behind, before = (0.0, 0.0, 0.0), 0.0
        for j in range(cable.count + 1):
            here, bend = place, 0.0
            if j < cable.count:
                place = state_of(cable, j + 1, sys).position
                chord = subtract(place, here)
                ahead, after = scale(1.0 / math.sqrt(dot(chord, chord)), chord), sys.link[cable.link + j].length
                if j > 0:
                    bend = bend_between(behind, ahead, 0.5 * s * (before + after))
                behind, before = ahead, after
            found = note_node(y, at, j, tension_at(c, j, sys), bend, bed_distance(here, sys.reals), found)
        note_cable(t, c, found, sys.reals, ints, y)
        for side in range(2):
            note_end(t, c, side, sys.end[2 * c + side].force, ints, y)
        at += NODE_EXTREMES * (cable.count + 1)
    since = time_since(t, ints, y)
    for p in range(sys.points):
        point, state = sys.point[p], sys.point_state[p]
        place, velocity = state.position, state.velocity
        if point.kind == HUNG:
            body = sys.body_state[point.which]
            place, velocity = body.position, body.velocity
        note_point(t, since, p, place, velocity, sys.reals, ints, y)
