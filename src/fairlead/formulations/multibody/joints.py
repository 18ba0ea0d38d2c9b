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
from fairlead.algebra.small import ZERO3, add, add_scaled, cross, matmul, matvec, scale

from .schema import CABLE, FIXED, FREE, PRISMATIC, REVOLUTE, SPHERICAL, TRANSLATION


@kernel
def three(table, i):
    """Three values in a row."""
    return (table[i].value, table[i + 1].value, table[i + 2].value)


@kernel
def four(table, i):
    """Four values in a row."""
    return (table[i].value, table[i + 1].value, table[i + 2].value, table[i + 3].value)


@kernel
def first_active(c, sys):
    """Number within its cable of the first element that is off the drum; those before it are still on it."""
    return sys.cable[c].count - int(sys.paid[c].count)


@kernel
def at_drum(c, sys):
    """The first element of cable c that is off the drum."""
    return sys.cable[c].element + first_active(c, sys)


@kernel
def length_rate_of(body, sys):
    """Rate at which the element above a body grows by line that enters it [m/s]."""
    c = body.cable
    if c < 0 or body.element != at_drum(c, sys):
        return 0.0
    return sys.payout[c].rate


@kernel
def is_active(body, sys):
    """Whether a body moves by its joint: nodes on the drum do not."""
    return body.cable < 0 or body.element >= at_drum(body.cable, sys)


@kernel
def kind_of(body, sys):
    """Kind of a body's joint at this moment: a node on a drum is fixed to it."""
    return body.kind if is_active(body, sys) else FIXED


@kernel
def direction_of(record):
    """Direction of the element above a node: the third axis of its frame."""
    R = record.rotation
    return (R[2], R[5], R[8])


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
def put_axis(r, k, linear, angular, sys):
    """Write column k of S of record r."""
    sys.axis[6 * r + k].linear, sys.axis[6 * r + k].angular = linear, angular


@kernel
def put_directions(r, sys):
    """The first three columns of S of what moves along the global axes."""
    put_axis(r, 0, (1.0, 0.0, 0.0), ZERO3, sys)
    put_axis(r, 1, (0.0, 1.0, 0.0), ZERO3, sys)
    put_axis(r, 2, (0.0, 0.0, 1.0), ZERO3, sys)


@kernel
def base_of(j, kind, sys):
    """Rotation of the frame in which body j's joint moves, global: of its parent, turned as the joint is built in."""
    body = sys.body[j]
    parent = sys.record[body.parent].rotation
    if kind == CABLE:
        return matmul(parent, rotation(sys.frame[body.element].turn))
    return matmul(parent, sys.joint[j].frame)


@kernel
def put_motion(record, up, r, R, v_joint, w_joint, a_joint, alpha_joint):
    """Write rotation, position, velocity and γ of a body whose joint moves as given."""
    w = up.spin
    turned = cross(w, r)
    record.rotation, record.arm = R, r
    record.position = add(up.position, r)
    record.velocity = add(up.velocity, add(turned, v_joint))
    record.spin = add(w, w_joint)
    record.drift = add(add_scaled(cross(w, turned), 2.0, cross(w, v_joint)), a_joint)
    record.drift_turn = add(cross(w, w_joint), alpha_joint)


@kernel
def place_cable(r, up, arm, R, q, rates, sys):
    """Far node of a cable element: a turn q₁ about y, a turn q₂ about the new x, then the length q₃ along z.

    Three joints at a time (Eqs. 8–10 of Guillaume et al.): with y₀ and x₁ the axes of the turns and t the direction,
    S = [ℓ y₀ × t, ℓ x₁ × t, t; y₀, x₁, 0]. The length counts positive along the cable, away from the base.
    """
    c1, s1, c2, s2 = math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1])
    length = q[2]
    rate1, rate2, stretch = rates
    y0 = (R[1], R[4], R[7])
    x1 = (c1 * R[0] - s1 * R[2], c1 * R[3] - s1 * R[5], c1 * R[6] - s1 * R[8])
    z1 = (s1 * R[0] + c1 * R[2], s1 * R[3] + c1 * R[5], s1 * R[6] + c1 * R[8])
    y2 = add_scaled(scale(c2, y0), s2, z1)
    t = add_scaled(scale(-s2, y0), c2, z1)
    w = add_scaled(scale(rate1, y0), rate2, x1)
    alpha = scale(rate1 * rate2, cross(y0, x1))
    turning = cross(w, t)
    a = add_scaled(scale(2.0 * stretch, turning), length, add(cross(alpha, t), cross(w, turning)))
    put_axis(r, 0, scale(length, cross(y0, t)), y0, sys)
    put_axis(r, 1, scale(length, cross(x1, t)), x1, sys)
    put_axis(r, 2, t, ZERO3, sys)
    own = (x1[0], y2[0], t[0], x1[1], y2[1], t[1], x1[2], y2[2], t[2])
    # the arm is fixed in the parent, the element moves: both turn with the parent
    v = add_scaled(scale(stretch, t), length, turning)
    put_motion(sys.record[r], up, add_scaled(arm, length, t), own, v, w, a, alpha)


@kernel
def place(j, sys):
    """Place body j, its parent being in place."""
    body, joint, r = sys.body[j], sys.joint[j], sys.bases + j
    record, up = sys.record[r], sys.record[body.parent]
    kind, q, v = kind_of(body, sys), body.coordinate, body.speed
    arm = matvec(up.rotation, joint.place)
    R = base_of(j, kind, sys)
    if kind == CABLE:
        place_cable(r, up, arm, R, three(sys.coordinate, q), three(sys.speed, v), sys)
    elif kind == REVOLUTE:
        along = matvec(R, joint.axis)
        put_axis(r, 0, ZERO3, along, sys)
        R = matmul(R, about_axis(joint.axis, sys.coordinate[q].value))
        put_motion(record, up, arm, R, ZERO3, scale(sys.speed[v].value, along), ZERO3, ZERO3)
    elif kind == PRISMATIC:
        along = matvec(R, joint.axis)
        put_axis(r, 0, along, ZERO3, sys)
        arm = add_scaled(arm, sys.coordinate[q].value, along)
        put_motion(record, up, arm, R, scale(sys.speed[v].value, along), ZERO3, ZERO3, ZERO3)
    elif kind == TRANSLATION:
        put_directions(r, sys)
        arm = add(arm, three(sys.coordinate, q))
        put_motion(record, up, arm, R, three(sys.speed, v), ZERO3, ZERO3, ZERO3)
    elif kind in (SPHERICAL, FREE):
        first = 0 if kind == SPHERICAL else 3  # turns after moves
        R = matmul(R, rotation(four(sys.coordinate, q + first)))
        put_axis(r, first, ZERO3, (R[0], R[3], R[6]), sys)
        put_axis(r, first + 1, ZERO3, (R[1], R[4], R[7]), sys)
        put_axis(r, first + 2, ZERO3, (R[2], R[5], R[8]), sys)
        speed = ZERO3
        if kind == FREE:
            put_directions(r, sys)
            arm, speed = add(arm, three(sys.coordinate, q)), three(sys.speed, v)
        put_motion(record, up, arm, R, speed, matvec(R, three(sys.speed, v + first)), ZERO3, ZERO3)
    else:
        put_motion(record, up, arm, R, ZERO3, ZERO3, ZERO3, ZERO3)


@kernel
def place_all(sys):
    """Place every body, from the bases outward."""
    for j in range(sys.bodies):
        place(j, sys)
