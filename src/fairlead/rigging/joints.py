"""Joints between bodies as bonds: one row for each direction in which a joint holds, and for each spring it has.

A joint has a frame J on its parent and one on its child, which fall together at t = 0; its own axis is their z. With
the places p of both, d = p_C − p_P, the axes e of J on the parent, and q = q_PJ⁻¹∘q_CJ the turn of one against the
other, the bonds and their rates are

    held along e_k:  e_k·d = 0,     e_k·(v_C + ω_C × r_C − v_P − ω_P × (r_P + d)),
    held about k:    2 q_k = 0,     n·(ω_C − ω_P),  n = R_CJ (q₀ e_k + e_k × q),
    spring:          the coordinate s = e_z·d, the angle 2 atan2(q_z, q₀), or the turn of q as a vector.

For a hinge the n of q_x and q_y are the axes across it turned by half of its angle: it may go round and round.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import product, relative, rotation
from fairlead.algebra.records import INTS, REALS, WORK, Table, Y
from fairlead.algebra.small import add, cross, dot, matvec, subtract

HELD_ALONG, HELD_ABOUT, SPRING_ALONG, SPRING_ABOUT, SPRING_BALL = 0, 1, 2, 3, 4
"""Forms of bonds."""
ZERO3 = (0.0, 0.0, 0.0)
WHOLE_TURN = 2.0 * math.pi

JOINT_COUNTS = "body_joints bonds bond_pairs bond_answers joined_hubs"
JOINT_TABLES = (
    # its two sides: a prescribed point, or −1 − hub; its bonds
    Table("body_joint", INTS, "parent child first count", per="body_joints"),
    Table("bond", INTS, "joint form axis", per="bonds"),
    # places (3) and turns (4) of J on both sides, in the axes of the bodies
    Table("body_joint_law", REALS, "parent_at:3 child_at:3 parent_turn:4 child_turn:4 spring damper rest low high stop "
          "stop_damper", per="body_joints"),
    Table("body_joint_state", Y, "coordinate", per="body_joints", unit="rad or m"),  # to count whole turns by
    # direction, and what turns parent and child (global); where the bond is and how fast it goes; its force over a step
    # and its share in the mending of places; of a spring its law: force = −push − gain·(change of the rate)
    Table("bond_row", WORK, "line:3 one:3 two:3 value rate force mend push gain damping", per="bonds"),
    Table("bond_ahead", WORK, "line:3 one:3 two:3 value rate", per="bonds"),  # at the end of the step
    Table("bond_error", WORK, "rate", per="bonds"),
    Table("bond_miss", WORK, "value", per="bonds"),
    Table("bond_matrix", WORK, "number", per="bond_pairs"),
    Table("bond_answer", WORK, "number", per="bond_answers"),  # of all hubs to a unit of each bond's force
    Table("hub_ahead", WORK, "position:3 turn:4 velocity:3 spin:3", per="joined_hubs"),  # at the end of the step
    Table("hub_mend", WORK, "move:3 turn:3", per="joined_hubs"),
)  # fmt: skip


@kernel
def column_of(R, k):
    """Axis k of a rotation matrix."""
    return (R[k], R[3 + k], R[6 + k])


@kernel
def unit(k):
    """Axis k of a frame in itself."""
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@kernel
def rotation_vector(q):
    """The turn of a quaternion as a vector: angle times axis, the shorter way."""
    s, x, y, z = q
    if s < 0.0:
        s, x, y, z = -s, -x, -y, -z
    size = math.sqrt(x * x + y * y + z * z)
    f = 2.0 if size < 1e-9 else 2.0 * math.atan2(size, s) / size
    return (f * x, f * y, f * z)


@kernel
def joint_spring(k, c, angle, rate, low, high, stop, stop_damper):
    """Torque, stiffness and damping of a joint with spring, damper and limits at `angle` from its rest."""
    torque = -k * angle - c * rate
    over = angle - high if angle > high else (angle - low if angle < low else 0.0)
    if over != 0.0:
        push = -stop * over - stop_damper * rate
        if push * over < 0.0:  # a limit only pushes back
            return torque + push, k + stop, c + stop_damper
    return torque, k, c


@kernel
def spring_energy(law, s):
    """Energy in spring and limits of a joint at its coordinate s [J]."""
    over = s - law.high if s > law.high else min(s - law.low, 0.0)
    return 0.5 * (law.spring * (s - law.rest) * (s - law.rest) + law.stop * over * over)


@kernel
def unwound(angle, latest):
    """The angle, known but for whole turns, next to the latest one."""
    return angle + WHOLE_TURN * math.floor((latest - angle) / WHOLE_TURN + 0.5)


@kernel
def see_bond(form, k, law, latest, parent, parent_turn, child, child_turn, row):
    """Where a bond is, and its directions, with places and turns of its two bodies: see above."""
    on_parent, on_child = product(parent_turn, law.parent_turn), product(child_turn, law.child_turn)
    if form in (HELD_ALONG, SPRING_ALONG):
        n = column_of(rotation(on_parent), k)
        arm = matvec(rotation(child_turn), law.child_at)
        reach = subtract(add(child, arm), parent)
        row.line, row.one, row.two = n, cross(reach, n), cross(arm, n)
        row.value = dot(n, subtract(reach, matvec(rotation(parent_turn), law.parent_at)))
        return
    q = relative(on_parent, on_child)
    row.line = ZERO3
    if form == HELD_ABOUT:
        e = unit(k)
        turn = (q[1], q[2], q[3])
        across = cross(e, turn)
        n = matvec(rotation(on_child), (q[0] * e[0] + across[0], q[0] * e[1] + across[1], q[0] * e[2] + across[2]))
        row.value = 2.0 * turn[k]
    elif form == SPRING_ABOUT:
        n = column_of(rotation(on_parent), 2)
        row.value = unwound(2.0 * math.atan2(q[3], q[0]), latest)
    else:
        n = column_of(rotation(on_child), k)
        row.value = rotation_vector(q)[k]
    row.one, row.two = n, n


@kernel
def bond_rate(row, v_parent, w_parent, v_child, w_child):
    """Rate of a bond, with the velocities and (global) angular velocities of its two bodies."""
    return dot(row.line, subtract(v_child, v_parent)) + dot(row.two, w_child) - dot(row.one, w_parent)


@kernel
def is_held(form):
    """Whether a bond holds; else it is a spring."""
    return form in (HELD_ALONG, HELD_ABOUT)


@kernel
def load_spring(form, law, row, h):
    """Force of a spring bond over a step of h from what is seen in its middle, taken so that it keeps its energy:

    f = −push − gain (ṡ₁ − ṡ₀),  push = k(s_½ − rest) + c ṡ₀,  gain = ¼h k + ½c.
    """
    low, high = law.low - law.rest, law.high - law.rest
    if form == SPRING_BALL:
        low, high = -math.inf, math.inf
    at = row.value if form == SPRING_BALL else row.value - law.rest
    force, k, c = joint_spring(law.spring, law.damper, at, row.rate, low, high, law.stop, law.stop_damper)
    row.push, row.gain, row.damping = -force, 0.25 * h * k + 0.5 * c, c
