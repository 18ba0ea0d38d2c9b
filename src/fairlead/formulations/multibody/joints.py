"""Where a body is and how it moves, from its parent and the coordinates of its joint.

With the arm r from the parent's origin to the body's, the joint's own velocities v_J, ω_J and their bias accelerations
a_J, α_J (for q̈ = 0, seen from the parent):

    v = v_p + ω_p × r + v_J,                          ω = ω_p + ω_J,
    γ = (ω_p × (ω_p × r) + 2 ω_p × v_J + a_J,  ω_p × ω_J + α_J),
    (a, α) = (a_p + α_p × r, α_p) + S q̈ + γ.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, matmul, matvec, scale

from .arrays import (
    ARM, AT_Q, AT_V, AXES, AXIS, CABLE, DRIFT, ELEMENT, FIXED, FRAME, FREE, KIND, N_BASES, N_BODIES, PARENT, PLACE,
    POSITION, PRISMATIC, REVOLUTE, ROTATION, SPHERICAL, SPIN, TRANSLATION, VELOCITY, Y_FRAMES, ZERO3, body_at,
    constants_at, is_active, matrix_of, put, put_matrix, quaternion_of, record_at, vector_of,
)  # fmt: skip


@kernel
def kind_of(ints, y, body):
    """Kind of a body's joint at this moment: a node on a drum is fixed to it."""
    return ints[body + KIND] if is_active(ints, y, body) else FIXED


@kernel
def speeds_of(kind):
    """Number of speeds of a joint."""
    if kind in (REVOLUTE, PRISMATIC):
        return 1
    if kind == FIXED:
        return 0
    return 6 if kind == FREE else 3


@kernel
def about_axis(axis, angle):
    """Rotation by an angle about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis
    k = 1.0 - c
    return (
        c + k * x * x, k * x * y - s * z, k * x * z + s * y,
        k * x * y + s * z, c + k * y * y, k * y * z - s * x,
        k * x * z - s * y, k * y * z + s * x, c + k * z * z,
    )  # fmt: skip


@kernel
def put_axis(work, record, k, linear, angular):
    """Write column k of S."""
    at = record + AXES + 6 * k
    put(work, at, linear)
    put(work, at + 3, angular)


@kernel
def base_of(j, body, kind, ints, reals, y, work):
    """Rotation of the frame in which body j's joint moves, global: of its parent, turned as the joint is built in."""
    parent = matrix_of(work, record_at(ints, ints[body + PARENT]) + ROTATION)
    if kind == CABLE:
        return matmul(parent, rotation(quaternion_of(y, ints[Y_FRAMES] + 4 * ints[body + ELEMENT])))
    return matmul(parent, matrix_of(reals, constants_at(ints, j) + FRAME))


@kernel
def put_motion(record, up, r, R, v_joint, w_joint, a_joint, alpha_joint, work):
    """Write rotation, position, velocity and γ of a body whose joint moves as given."""
    w = vector_of(work, up + SPIN)
    turned = cross(w, r)
    put_matrix(work, record + ROTATION, R)
    put(work, record + ARM, r)
    put(work, record + POSITION, add(vector_of(work, up + POSITION), r))
    put(work, record + VELOCITY, add(vector_of(work, up + VELOCITY), add(turned, v_joint)))
    put(work, record + SPIN, add(w, w_joint))
    put(work, record + DRIFT, add(add_scaled(cross(w, turned), 2.0, cross(w, v_joint)), a_joint))
    put(work, record + DRIFT + 3, add(cross(w, w_joint), alpha_joint))


@kernel
def place_cable(record, up, arm, R, q, v, y, work):
    """Far node of a cable element: a turn q₁ about y, a turn q₂ about the new x, then the length q₃ along z.

    Three joints at a time (Eqs. 8–10 of Guillaume et al.): with y₀ and x₁ the axes of the turns and t the direction,
    S = [ℓ y₀ × t, ℓ x₁ × t, t; y₀, x₁, 0]. The length counts positive along the cable, away from the base.
    """
    c1, s1, c2, s2 = math.cos(y[q]), math.sin(y[q]), math.cos(y[q + 1]), math.sin(y[q + 1])
    length, rate1, rate2, stretch = y[q + 2], y[v], y[v + 1], y[v + 2]
    y0 = (R[1], R[4], R[7])
    x1 = (c1 * R[0] - s1 * R[2], c1 * R[3] - s1 * R[5], c1 * R[6] - s1 * R[8])
    z1 = (s1 * R[0] + c1 * R[2], s1 * R[3] + c1 * R[5], s1 * R[6] + c1 * R[8])
    y2 = add_scaled(scale(c2, y0), s2, z1)
    t = add_scaled(scale(-s2, y0), c2, z1)
    w = add_scaled(scale(rate1, y0), rate2, x1)
    alpha = scale(rate1 * rate2, cross(y0, x1))
    turning = cross(w, t)
    a = add_scaled(scale(2.0 * stretch, turning), length, add(cross(alpha, t), cross(w, turning)))
    put_axis(work, record, 0, scale(length, cross(y0, t)), y0)
    put_axis(work, record, 1, scale(length, cross(x1, t)), x1)
    put_axis(work, record, 2, t, ZERO3)
    own = (x1[0], y2[0], t[0], x1[1], y2[1], t[1], x1[2], y2[2], t[2])
    r = add_scaled(arm, length, t)
    # the arm is fixed in the parent, the element moves: both turn with the parent
    put_motion(record, up, r, own, add_scaled(scale(stretch, t), length, turning), w, a, alpha, work)


@kernel
def place(j, ints, reals, y, work):
    """Place body j, its parent being in place."""
    body, const = body_at(ints, j), constants_at(ints, j)
    record, up = record_at(ints, ints[N_BASES] + j), record_at(ints, ints[body + PARENT])
    kind = kind_of(ints, y, body)
    q, v = ints[body + AT_Q], ints[body + AT_V]
    arm = matvec(matrix_of(work, up + ROTATION), vector_of(reals, const + PLACE))
    R = base_of(j, body, kind, ints, reals, y, work)
    if kind == CABLE:
        place_cable(record, up, arm, R, q, v, y, work)
    elif kind == REVOLUTE:
        axis = vector_of(reals, const + AXIS)
        along = matvec(R, axis)
        put_axis(work, record, 0, ZERO3, along)
        R = matmul(R, about_axis(axis, y[q]))
        put_motion(record, up, arm, R, ZERO3, scale(y[v], along), ZERO3, ZERO3, work)
    elif kind == PRISMATIC:
        along = matvec(R, vector_of(reals, const + AXIS))
        put_axis(work, record, 0, along, ZERO3)
        put_motion(record, up, add_scaled(arm, y[q], along), R, scale(y[v], along), ZERO3, ZERO3, ZERO3, work)
    elif kind == TRANSLATION:
        put_axis(work, record, 0, (1.0, 0.0, 0.0), ZERO3)
        put_axis(work, record, 1, (0.0, 1.0, 0.0), ZERO3)
        put_axis(work, record, 2, (0.0, 0.0, 1.0), ZERO3)
        put_motion(record, up, add(arm, vector_of(y, q)), R, vector_of(y, v), ZERO3, ZERO3, ZERO3, work)
    elif kind in (SPHERICAL, FREE):
        turn = q if kind == SPHERICAL else q + 3
        spin = v if kind == SPHERICAL else v + 3
        R = matmul(R, rotation(quaternion_of(y, turn)))
        first = 0 if kind == SPHERICAL else 3
        put_axis(work, record, first, ZERO3, (R[0], R[3], R[6]))
        put_axis(work, record, first + 1, ZERO3, (R[1], R[4], R[7]))
        put_axis(work, record, first + 2, ZERO3, (R[2], R[5], R[8]))
        speed = ZERO3
        if kind == FREE:
            put_axis(work, record, 0, (1.0, 0.0, 0.0), ZERO3)
            put_axis(work, record, 1, (0.0, 1.0, 0.0), ZERO3)
            put_axis(work, record, 2, (0.0, 0.0, 1.0), ZERO3)
            arm, speed = add(arm, vector_of(y, q)), vector_of(y, v)
        put_motion(record, up, arm, R, speed, matvec(R, vector_of(y, spin)), ZERO3, ZERO3, work)
    else:
        put_motion(record, up, arm, R, ZERO3, ZERO3, ZERO3, ZERO3, work)


@kernel
def place_all(ints, reals, y, work):
    """Place every body, from the bases outward."""
    for j in range(ints[N_BODIES]):
        place(j, ints, reals, y, work)
