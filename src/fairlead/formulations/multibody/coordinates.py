"""Joint coordinates: how they advance, and how they are found again from where things are.

The two turns of a cable element are singular where the element lies along the axis of the first (q₂ = ±90°). Long
before that the frame in which they are counted is laid along the element anew. Its spin about the element's own axis,
which no joint can hold, then changes, and with it all rates further out: they are found again from the global motion
of every node and body, which stays as it is. A split and a merge at a drum use the same way back.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import turned
from fairlead.algebra.small import cross, dot, matmul, scale, subtract, transpose, transposed_matvec

from .arrays import (
    AT_Q, AT_V, AXES, CABLE, ELEMENT, FREE, KIND, N_BASES, N_BODIES, OLD, PARENT, POSITION, R_SETTINGS, REBASE_AT,
    ROTATION, SPHERICAL, SPIN, VELOCITY, W_OLD, Y_FRAMES, body_at, is_active, matrix_of, put, quaternion_of,
    record_at, vector_of,
)  # fmt: skip
from .joints import base_of, kind_of, place, speeds_of
from .lines import near_end


@kernel
def put_quaternion(y, at, q):
    """Write four consecutive numbers."""
    y[at], y[at + 1], y[at + 2], y[at + 3] = q


@kernel
def drift(h, ints, y, before, first):
    """Let all coordinates go on for a time h with speeds in `before` from `first` on (speeds in the order of y)."""
    speed = first
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        kind = ints[body + KIND]
        q = ints[body + AT_Q]
        n = speeds_of(kind)
        if is_active(ints, y, body):
            straight = n
            if kind == SPHERICAL:
                straight = 0
            elif kind == FREE:
                straight = 3
            for k in range(straight):
                y[q + k] += h * before[speed + k]
            if straight < n:
                at, w = q + straight, speed + straight
                turn = turned(quaternion_of(y, at), h * before[w], h * before[w + 1], h * before[w + 2])
                put_quaternion(y, at, turn)
        speed += n


@kernel
def coordinate_rates(ints, y, dy):
    """q̇ of all joints into `dy`: their speeds, and ½ q∘(0, ω) for rotations."""
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        kind, q, v = ints[body + KIND], ints[body + AT_Q], ints[body + AT_V]
        n = speeds_of(kind)
        straight = n
        if kind == SPHERICAL:
            straight = 0
        elif kind == FREE:
            straight = 3
        live = is_active(ints, y, body)
        for k in range(straight):
            dy[q + k] = y[v + k] if live else 0.0
        if straight < n:
            q, v = q + straight, v + straight
            s, a, b, c = quaternion_of(y, q)
            dy[q] = -0.5 * (a * y[v] + b * y[v + 1] + c * y[v + 2])
            dy[q + 1] = 0.5 * (s * y[v] + b * y[v + 2] - c * y[v + 1])
            dy[q + 2] = 0.5 * (s * y[v + 1] + c * y[v] - a * y[v + 2])
            dy[q + 3] = 0.5 * (s * y[v + 2] + a * y[v + 1] - b * y[v])


@kernel
def unit_again(ints, y):
    """Make all quaternions unit."""
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        kind, at = ints[body + KIND], ints[body + AT_Q]
        if kind == FREE:
            at += 3
        if kind in (SPHERICAL, FREE):
            s, a, b, c = quaternion_of(y, at)
            f = 1.0 / math.sqrt(s * s + a * a + b * b + c * c)
            put_quaternion(y, at, (f * s, f * a, f * b, f * c))


@kernel
def quaternion_from(R):
    """Quaternion of a rotation matrix, by its largest component."""
    s, x, y, z = 1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8]
    if s >= x and s >= y and s >= z:
        q = (s, R[7] - R[5], R[2] - R[6], R[3] - R[1])
    elif x >= y and x >= z:
        q = (R[7] - R[5], x, R[1] + R[3], R[2] + R[6])
    elif y >= z:
        q = (R[2] - R[6], R[1] + R[3], y, R[5] + R[7])
    else:
        q = (R[3] - R[1], R[2] + R[6], R[5] + R[7], z)
    f = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (f * q[0], f * q[1], f * q[2], f * q[3])


@kernel
def remember(ints, work):
    """Keep where every body is and how it moves."""
    for j in range(ints[N_BODIES]):
        record, old = record_at(ints, ints[N_BASES] + j), ints[W_OLD] + OLD * j
        for k in range(OLD):
            work[old + k] = work[record + k]


@kernel
def turns_to(direction, R):
    """Turns q₁, q₂ that lay the z axis of the frame R along a unit direction: (s₁c₂, −s₂, c₁c₂) in that frame."""
    x, y, z = transposed_matvec(R, direction)
    return math.atan2(x, z), -math.asin(min(1.0, max(-1.0, y)))


@kernel
def refold_element(j, body, ints, reals, y, work):
    """Coordinates and rates of an element whose far node is to be where `remember` has it; its parent is in place.

    The rate of the arm, free of the parent's spin, is ℓ q̇₁ y₀ × t + ℓ q̇₂ x₁ × t + ℓ̇ t, three vectors at right angles.
    """
    old, q, v = ints[W_OLD] + OLD * j, ints[body + AT_Q], ints[body + AT_V]
    up, _, p1, v1 = near_end(j, body, ints, reals, work)
    chord = subtract(vector_of(work, old + POSITION), p1)
    length = math.sqrt(dot(chord, chord))
    R = base_of(j, body, CABLE, ints, reals, y, work)
    y[q], y[q + 1] = turns_to(scale(1.0 / length, chord), R)
    y[q + 2] = length
    place(j, ints, reals, y, work)
    record = record_at(ints, ints[N_BASES] + j)
    rate = subtract(subtract(vector_of(work, old + VELOCITY), v1), cross(vector_of(work, up + SPIN), chord))
    one, two = vector_of(work, record + AXES), vector_of(work, record + AXES + 6)
    y[v] = dot(rate, one) / dot(one, one)
    y[v + 1] = dot(rate, two) / dot(two, two)
    y[v + 2] = dot(rate, vector_of(work, record + AXES + 12))
    place(j, ints, reals, y, work)


@kernel
def refold_body(j, ints, reals, y, work):
    """Coordinates and rates of body j from the motion that `remember` has kept; its parent is in place."""
    body = body_at(ints, j)
    kind = kind_of(ints, y, body)
    if kind == CABLE:
        refold_element(j, body, ints, reals, y, work)
        return
    if kind == SPHERICAL:
        old = ints[W_OLD] + OLD * j
        own = matrix_of(work, old + ROTATION)
        base = base_of(j, body, kind, ints, reals, y, work)
        put_quaternion(y, ints[body + AT_Q], quaternion_from(matmul(transpose(base), own)))
        above = vector_of(work, record_at(ints, ints[body + PARENT]) + SPIN)
        put(y, ints[body + AT_V], transposed_matvec(own, subtract(vector_of(work, old + SPIN), above)))
    place(j, ints, reals, y, work)


@kernel
def refold(ints, reals, y, work):
    """Find all coordinates and rates again from the motion that `remember` has kept."""
    for j in range(ints[N_BODIES]):
        refold_body(j, ints, reals, y, work)


@kernel
def frame_along(direction, first_axis):
    """Rotation whose z is a unit direction and whose y is as near as can be to `first_axis`."""
    y = subtract(first_axis, scale(dot(first_axis, direction), direction))
    y = scale(1.0 / math.sqrt(dot(y, y)), y)
    x = cross(y, direction)
    return (x[0], y[0], direction[0], x[1], y[1], direction[1], x[2], y[2], direction[2])


@kernel
def lay_frame(j, body, own, ints, work, y):
    """Count the turns of an element from the frame `own` (global), its parent standing as it does."""
    above = matrix_of(work, record_at(ints, ints[body + PARENT]) + ROTATION)
    put_quaternion(y, ints[Y_FRAMES] + 4 * ints[body + ELEMENT], quaternion_from(matmul(transpose(above), own)))


@kernel
def rebase(ints, reals, y, work):
    """Lay anew the frames of elements whose second turn nears the singular place; the number of frames laid.

    The state is left exactly where it was, but for roundings. All bodies must be in place.
    """
    limit = reals[ints[R_SETTINGS] + REBASE_AT]
    count = 0
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        if kind_of(ints, y, body) == CABLE and abs(y[ints[body + AT_Q] + 1]) > limit:
            count += 1
    if count == 0:
        return 0
    remember(ints, work)
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        if kind_of(ints, y, body) == CABLE and abs(y[ints[body + AT_Q] + 1]) > limit:
            # a node's rotation stays as it is, so that its children find their parent as it was
            lay_frame(j, body, matrix_of(work, ints[W_OLD] + OLD * j + ROTATION), ints, work, y)
    refold(ints, reals, y, work)
    return count
