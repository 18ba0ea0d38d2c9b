"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, subtract
from fairlead.loads.extremes import (
    NOTHING, bed_distance, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.loads.reported import place_of_point
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    CABLE_INTS, COUNT, FIRST, I_HELD, I_POINTS, N_CABLES, N_POINTS, POINT_INTS, PULL_END, PULL_START, R_BANDS, R_POINTS,
    W_CURVATURE, W_SLOPE, WATER, Y_ACCELERATION, Y_CONTROLS, Y_POSITION, Y_REACTION, Y_VELOCITY, cable_at, node_at,
    vector_of,
)  # fmt: skip
from .inertia import MASS_BAND
from .observe import force_on_support, node_tension
from .sea_loads import added_inertia, added_masses


@kernel
def end_inertia(t, c, i, ints, reals, y, work):
    """Inertia force of end node i of cable c: its row of (M + A) a, with what held ends do to the others' a."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    half = ints[cable + CABLE_INTS + 2 * MASS_BAND]
    row = ints[R_BANDS] + ints[cable + CABLE_INTS + 2 * MASS_BAND + 1] + i * (2 * half + 1) + half - i
    a = ints[Y_ACCELERATION] + 3 * first
    start, end = vector_of(y, a), vector_of(y, a + 3 * count)
    total = (0.0, 0.0, 0.0)
    for j in range(max(0, i - half), min(count, i + half) + 1):
        speeding = vector_of(y, a + 3 * j)
        if ints[ints[I_HELD] + first + j] == -1:
            node = node_at(ints, first + j)
            speeding = add_scaled(speeding, reals[node + PULL_START], start)
            speeding = add_scaled(speeding, reals[node + PULL_END], end)
        total = add_scaled(total, reals[row + j], speeding)
    if ints[WATER] == 1:
        tangent = vector_of(work, ints[W_SLOPE] + 3 * (first + i))
        place = vector_of(y, ints[Y_POSITION] + 3 * (first + i))
        masses = added_masses(t, place, tangent, reals, node_at(ints, first + i))
        total = add(total, added_inertia(masses, tangent, vector_of(y, a + 3 * i)))
    return total


@kernel
def end_force(t, c, side, explicit, ints, reals, y, work):
    """Force of cable c on what holds its end after a step to t: at a held end what was left of the forces on its node.

    An implicit step keeps it as its mean over the step, an explicit one as it is at t but for the inertia.
    """
    cable = cable_at(ints, c)
    i = side * ints[cable + COUNT]
    if ints[ints[I_HELD] + ints[cable + FIRST] + i] == -1:
        return force_on_support(t, c, side, ints, reals, y, work)
    force = vector_of(y, ints[Y_REACTION] + 6 * c + 3 * side)
    return subtract(force, end_inertia(t, c, i, ints, reals, y, work)) if explicit else force


@kernel
def note_extremes(t, explicit, ints, reals, y, work):
    """Fold a step that was made to t, by an explicit or an implicit rule, into the extremes."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        found = NOTHING
        for i in range(count + 1):
            bent = vector_of(work, ints[W_CURVATURE] + 3 * (first + i))
            distance = bed_distance(vector_of(y, ints[Y_POSITION] + 3 * (first + i)), reals)
            found = note_node(y, at, i, node_tension(c, i, ints, reals, y, work), dot(bent, bent), distance, found)
        note_cable(t, c, found, reals, ints, y)
        for side in range(2):
            note_end(t, c, side, end_force(t, c, side, explicit, ints, reals, y, work), ints, y)
        at += NODE_EXTREMES * (count + 1)
    since = time_since(t, ints, y)
    for k in range(ints[N_POINTS]):
        node, control = ints[ints[I_POINTS] + POINT_INTS * k], ints[ints[I_POINTS] + POINT_INTS * k + 1]
        if node >= 0:
            place, velocity = vector_of(y, ints[Y_POSITION] + 3 * node), vector_of(y, ints[Y_VELOCITY] + 3 * node)
        else:
            place, velocity = place_of_point(control, k, ints[Y_CONTROLS], 6, ints[R_POINTS], reals, y)
        note_point(t, since, k, place, velocity, reals, ints, y)
