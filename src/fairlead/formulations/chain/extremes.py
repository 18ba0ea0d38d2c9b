"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import scale, subtract
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.loads.reported import place_of_point
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    COUNT, FIRST, I_POINTS, LENGTH, N_CABLES, N_POINTS, POINT_INTS, R_POINTS, W_RHS, Y_CONTROLS, Y_POSITION,
    Y_VELOCITY, cable_at, link_at, vector_of,
)  # fmt: skip
from .links import force_on_support


@kernel
def tension_at(c, i, ints, reals, work):
    """Tension at node i of cable c, the mean of its links, after a solution: multipliers times lengths."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    tension = 0.0
    for k in (max(i - 1, 0), min(i, count - 1)):
        tension += 0.5 * reals[link_at(ints, first - c + k) + LENGTH] * work[ints[W_RHS] + 4 * (first + k) + 3]
    return tension


@kernel
def note_cables(t, ints, reals, y, work):
    """Fold the cables in the state at t, solved, into the extremes."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        found = NOTHING
        behind, before = (0.0, 0.0, 0.0), 0.0
        for i in range(count + 1):
            place, bend = vector_of(y, ints[Y_POSITION] + 3 * (first + i)), 0.0
            if i < count:
                length = reals[link_at(ints, first - c + i) + LENGTH]
                chord = subtract(vector_of(y, ints[Y_POSITION] + 3 * (first + i + 1)), place)
                ahead = scale(1.0 / length, chord)
                if i > 0:
                    bend = bend_between(behind, ahead, 0.5 * (before + length))
                behind, before = ahead, length
            found = note_node(y, at, i, tension_at(c, i, ints, reals, work), bend, bed_distance(place, reals), found)
        note_cable(t, c, found, reals, ints, y)
        for side in range(2):
            note_end(t, c, side, force_on_support(t, c, side * count, ints, reals, y, work), ints, y)
        at += NODE_EXTREMES * (count + 1)


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold the state at t, from which a step begins and whose forces are known, into the extremes."""
    note_cables(t, ints, reals, y, work)
    since = time_since(t, ints, y)
    for k in range(ints[N_POINTS]):
        node, control = ints[ints[I_POINTS] + POINT_INTS * k], ints[ints[I_POINTS] + POINT_INTS * k + 1]
        if node >= 0:
            place, velocity = vector_of(y, ints[Y_POSITION] + 3 * node), vector_of(y, ints[Y_VELOCITY] + 3 * node)
        else:
            place, velocity = place_of_point(control, k, ints[Y_CONTROLS], 9, ints[R_POINTS], reals, y)
        note_point(t, since, k, place, velocity, reals, ints, y)
