"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, scale, subtract, symvec
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    ACCELERATION, AT_V, AXES, CABLE_BODY, CABLE_COUNT, CABLE_ELEMENT, CABLE_REVERSED, ELEMENT, I_NAMED, NAMED_REALS,
    N_BASES, N_CABLES, N_NAMED, N_Q, N_V, POSITION, PUSH, ROTATION, R_NAMED, SPIN, STEP, VELOCITY, W_START, W_STIFF,
    W_TENSION, Y_LENGTH, Y_V, body_at, cable_at, first_active, matrix_of, record_at, vector_of,
)  # fmt: skip
from .lines import contact_at, near_end, shared_loads


@kernel
def tension_of(j, ints, work):
    """Tension of the element above body j: in a step what is taken implicitly, else that of the moment."""
    body = body_at(ints, j)
    speed = ints[body + AT_V] + 2 - ints[Y_V]
    tension = work[ints[W_TENSION] + ints[body + ELEMENT]]
    if work[STEP] > 0.0:
        tension += work[ints[W_STIFF] + speed] * work[ints[W_START] + ints[N_Q] + ints[N_V] + speed]
    return tension


@kernel
def end_forces(t, j, ints, reals, y, work):
    """Forces (3) of the element above body j on what is at its near and at its far end: ±T t + F − M a."""
    body, record = body_at(ints, j), record_at(ints, ints[N_BASES] + j)
    up, arm, _, _ = near_end(j, body, ints, reals, work)
    m1, f1, m2, f2, _ = shared_loads(t, j, body, ints, reals, y, work)
    w = vector_of(work, up + SPIN)
    near = add(vector_of(work, up + ACCELERATION), cross(vector_of(work, up + ACCELERATION + 3), arm))
    near = add(near, cross(w, cross(w, arm)))
    axis = vector_of(work, record + AXES + 12)
    pull = scale(tension_of(j, ints, work), axis)
    one = subtract(add(pull, f1), symvec(m1, near))
    two = subtract(subtract(f2, pull), symvec(m2, vector_of(work, record + ACCELERATION)))
    return one, add(two, vector_of(work, contact_at(ints, j) + PUSH))


@kernel
def note_cables(t, ints, reals, y, work):
    """Fold all cables, placed and solved for at time t."""
    at = first_extreme(ints, y)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        count, reverse, first = ints[cable + CABLE_COUNT], ints[cable + CABLE_REVERSED] == 1, first_active(ints, y, c)
        bodies, lengths = ints[cable + CABLE_BODY], ints[Y_LENGTH] + ints[cable + CABLE_ELEMENT]
        near, _ = end_forces(t, bodies + first, ints, reals, y, work)
        _, far = end_forces(t, bodies + count - 1, ints, reals, y, work)
        found = NOTHING
        _, _, place, _ = near_end(bodies + first, body_at(ints, bodies + first), ints, reals, work)
        behind, pull = (0.0, 0.0, 0.0), 0.0
        for i in range(first, count + 1):
            ahead, held, tension, bend = behind, pull, 0.0, 0.0
            if i < count:
                ahead = vector_of(work, record_at(ints, ints[N_BASES] + bodies + i) + AXES + 12)
                held = tension_of(bodies + i, ints, work)
            if i == first:
                tension = dot(near, ahead)
            elif i == count:
                tension = -dot(far, ahead)
            else:
                tension = 0.5 * (pull + held)
                bend = bend_between(behind, ahead, 0.5 * (y[lengths + i - 1] + y[lengths + i]))
            if i > first:
                place = vector_of(work, record_at(ints, ints[N_BASES] + bodies + i - 1) + POSITION)
            node = count - i if reverse else i
            found = note_node(y, at, node, tension, bend, bed_distance(place, reals), found)
            behind, pull = ahead, held
        note_cable(t, c, found, reals, ints, y)
        note_end(t, c, 0, far if reverse else near, ints, y)
        note_end(t, c, 1, near if reverse else far, ints, y)
        at += NODE_EXTREMES * (count + 1)


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold what is placed and solved for at time t into the extremes."""
    note_cables(t, ints, reals, y, work)
    since = time_since(t, ints, y)
    for k in range(ints[N_NAMED]):
        record = record_at(ints, ints[ints[I_NAMED] + k])
        c = matvec(matrix_of(work, record + ROTATION), vector_of(reals, ints[R_NAMED] + NAMED_REALS * k))
        place = add(vector_of(work, record + POSITION), c)
        velocity = add(vector_of(work, record + VELOCITY), cross(vector_of(work, record + SPIN), c))
        note_point(t, since, k, place, velocity, reals, ints, y)
