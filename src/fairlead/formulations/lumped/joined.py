"""Bodies that joints hold together: the bonds of `rigging.joints` over a step, on top of the hub system.

Without its joints a step gives the accelerations a₀ = M⁻¹f. Bonds with the directions g (at x₁/₂) add W λ, W = M⁻¹Gᵀ,
with everything that hangs on the bodies in M. At the end of the step they are to hold in place and in speed,

    g(x₁)·v₁ = 0,  v₁ = v₀ + h(a₀ + W λ)        and        C(x₁) = 0,  x₁ = x₁/₂ + ½h v₁ + W μ,

λ being forces, and μ what mends the little (of third order) by which a step along straight lines leaves the way that
the joints allow; it moves places alone and does no work. Both are found by Newton's method with the matrix S = G W,
small and full; a spring is a bond that gives way, 1/h(¼hk + ½c) on its diagonal. Bonds that repeat one another, as in a
closed loop in a plane, share what they hold: `SOFT` of each diagonal is added, which the next round makes good.
"""

from __future__ import annotations

import math

from fairlead.algebra import block_cholesky
from fairlead.algebra.angles import from_angles, spin_of_angles
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, dot, matvec, scale, transposed_matvec
from fairlead.rigging.joints import (
    SPRING_ABOUT, SPRING_ALONG, SPRING_BALL, bond_rate, is_held, load_spring, see_bond, spring_energy,
)  # fmt: skip
from fairlead.rigging.observation import put_two

from .ends import ZERO3
from .schema import HUB_PLAN

NO_TURN = (1.0, 0.0, 0.0, 0.0)
SOFT = 1e-8
ROUNDS = 12
CLOSE = 1e-11
"""m, rad: what may be left of a bond, and of its rate times the step."""
LOST = 1e-3
"""m, rad: a joint that is not closed better than this is broken."""
STIFF = 1e30
"""Diagonal, in parts of itself, of a spring that has neither stiffness nor damping at the moment."""


@kernel
def side_half(which, sys):
    """Place, turn, velocity and angular velocity (global) of a side of a joint as the step takes them."""
    if which < 0:
        hub = sys.hub_state[-which - 1]
        return hub.position, hub.turn, hub.velocity, matvec(rotation(hub.turn), hub.spin)
    point, frame = sys.point_now[which], sys.owner[which].frame
    if frame < 0:
        return point.position, NO_TURN, point.velocity, ZERO3
    turn = sys.frame_now[frame].turn
    return point.position, turn, point.velocity, matvec(rotation(turn), sys.frame_now[frame].spin)


@kernel
def side_ahead(which, sys):
    """The same at the end of the step."""
    if which < 0:
        hub = sys.hub_ahead[-which - 1]
        return hub.position, hub.turn, hub.velocity, matvec(rotation(hub.turn), hub.spin)
    point, frame = sys.point_now[which], sys.owner[which].frame
    velocity = add_scaled(point.velocity, sys.scheme.step, point.acceleration)
    place = add_scaled(point.position, sys.scheme.drift, velocity)
    if frame < 0:
        return place, NO_TURN, velocity, ZERO3
    plan = sys.plan[sys.frame[frame].rotation]
    turn = from_angles(plan.next_position)
    return place, turn, velocity, matvec(rotation(turn), spin_of_angles(plan.next_position, plan.next_velocity))


@kernel
def see_bonds(ahead, rows, sys):
    """All bonds as the bodies stand, into `rows`: as the step takes them, or `ahead` at its end."""
    for i in range(sys.bonds):
        bond, row = sys.bond[i], rows[i]
        joint, law = sys.body_joint[bond.joint], sys.body_joint_law[bond.joint]
        if ahead:
            xp, qp, vp, wp = side_ahead(joint.parent, sys)
            xc, qc, vc, wc = side_ahead(joint.child, sys)
        else:
            xp, qp, vp, wp = side_half(joint.parent, sys)
            xc, qc, vc, wc = side_half(joint.child, sys)
        latest = sys.body_joint_state[bond.joint].coordinate
        see_bond(bond.form, bond.axis, law, latest, xp, qp, xc, qc, row)
        row.rate = bond_rate(row, vp, wp, vc, wc)


@kernel
def put_side(which, sign, line, turning, to, sys):
    """Write the direction of a bond on one of its sides to the unknowns of its hub, which begin at `to` for all."""
    if which < 0:
        h = -which - 1
        own = transposed_matvec(rotation(sys.hub_state[h].turn), turning)
        for k in range(3):
            sys.work[to + 6 * h + k] = sign * line[k]
            sys.work[to + 6 * h + 3 + k] = sign * own[k]


@kernel
def along_side(which, sign, line, turning, at, sys):
    """How fast one side goes along a bond when all hubs move as the unknowns that begin at `at` say."""
    if which >= 0:
        return 0.0
    h, total = -which - 1, 0.0
    own = transposed_matvec(rotation(sys.hub_state[h].turn), turning)
    for k in range(3):
        total += line[k] * sys.work[at + 6 * h + k] + own[k] * sys.work[at + 6 * h + 3 + k]
    return sign * total


@kernel
def gather_bonds(sys):
    """How the hubs answer to each bond, and the factor of S. False where a bond acts on nothing that can move."""
    n, size = sys.bonds, 6 * sys.hubs
    work, first, matrix = sys.work, sys.bond_answer.start, sys.bond_matrix.start
    for i in range(n):
        row, at = sys.bond_row[i], first + size * i
        joint = sys.body_joint[sys.bond[i].joint]
        for k in range(size):
            work[at + k] = 0.0
        put_side(joint.parent, -1.0, row.line, row.one, at, sys)
        put_side(joint.child, 1.0, row.line, row.two, at, sys)
        block_cholesky.solve_at(sys.ints, HUB_PLAN, sys.hubs, work, sys.matrix.start, at, 6)
        for j in range(i + 1):
            other = sys.bond_row[j]
            ends = sys.body_joint[sys.bond[j].joint]
            s = along_side(ends.parent, -1.0, other.line, other.one, at, sys)
            work[matrix + n * i + j] = s + along_side(ends.child, 1.0, other.line, other.two, at, sys)
        diagonal = matrix + n * i + i
        if is_held(sys.bond[i].form):
            work[diagonal] *= 1.0 + SOFT
        elif row.gain > 0.0:
            work[diagonal] += 1.0 / (sys.scheme.step * row.gain)
        else:
            work[diagonal] *= STIFF
    return block_cholesky.factor_block_at(work, matrix, n)


@kernel
def look_ahead(sys):
    """Where all hubs are at the end of the step, and how they move, with the forces of the bonds as they are."""
    h, half, n, size = sys.scheme.step, sys.scheme.drift, sys.bonds, 6 * sys.hubs
    for k in range(sys.hubs):
        balance, mend, ahead, hub = sys.balance[k], sys.hub_mend[k], sys.hub_ahead[k], sys.hub_state[k]
        at = sys.unknown.start + 6 * k
        a = (sys.work[at], sys.work[at + 1], sys.work[at + 2])
        b = (sys.work[at + 3], sys.work[at + 4], sys.work[at + 5])
        move, turn = ZERO3, ZERO3
        for i in range(n):
            row, at = sys.bond_row[i], sys.bond_answer.start + size * i + 6 * k
            linear = (sys.work[at], sys.work[at + 1], sys.work[at + 2])
            angular = (sys.work[at + 3], sys.work[at + 4], sys.work[at + 5])
            a, b = add_scaled(a, row.force, linear), add_scaled(b, row.force, angular)
            move, turn = add_scaled(move, row.mend, linear), add_scaled(turn, row.mend, angular)
        balance.acceleration, balance.spin_rate = a, b
        mend.move, mend.turn = move, turn
        ahead.velocity, ahead.spin = add_scaled(hub.velocity, h, a), add_scaled(hub.spin, h, b)
        ahead.position = add(add_scaled(hub.position, half, ahead.velocity), move)
        way = scale(half, ahead.spin)
        ahead.turn = turned(turned(hub.turn, way[0], way[1], way[2]), turn[0], turn[1], turn[2])


@kernel
def join_bodies(sys):
    """Accelerations of the hubs with joints, from those without in the unknowns. False where joints do not close."""
    n, h, work = sys.bonds, sys.scheme.step, sys.work
    matrix, error, miss = sys.bond_matrix.start, sys.bond_error.start, sys.bond_miss.start
    see_bonds(False, sys.bond_row, sys)
    for i in range(n):
        row, bond = sys.bond_row[i], sys.bond[i]
        row.force, row.mend = 0.0, 0.0
        if not is_held(bond.form):
            load_spring(bond.form, sys.body_joint_law[bond.joint], row, h)
    if not gather_bonds(sys):
        return False
    left = 0.0
    for _ in range(ROUNDS):
        look_ahead(sys)
        see_bonds(True, sys.bond_ahead, sys)
        left = 0.0
        for i in range(n):
            row, then = sys.bond_row[i], sys.bond_ahead[i]
            work[error + i], work[miss + i] = then.rate, then.value
            if not is_held(sys.bond[i].form):
                work[error + i], work[miss + i] = 0.0, 0.0
                if row.gain > 0.0:
                    work[error + i] = then.rate - row.rate + (row.force + row.push) / row.gain
            left = max(left, abs(h * work[error + i]), abs(work[miss + i]))
        if left < CLOSE:
            break
        for x in (error, miss):
            block_cholesky.forward_at(work, matrix, x, n)
            block_cholesky.backward_at(work, matrix, x, n)
        for i in range(n):
            row = sys.bond_row[i]
            row.force -= work[error + i] / h
            row.mend -= work[miss + i]
    return left < LOST


@kernel
def mend_hubs(sys):
    """Bring all hubs, moved to the end of the step, to where their joints have them, and keep where these stand."""
    for k in range(sys.hubs):
        hub, mend = sys.hub_state[k], sys.hub_mend[k]
        hub.position = add(hub.position, mend.move)
        hub.turn = turned(hub.turn, mend.turn[0], mend.turn[1], mend.turn[2])
    for i in range(sys.bonds):
        bond = sys.bond[i]
        if bond.form == SPRING_ABOUT or bond.form == SPRING_ALONG:
            sys.body_joint_state[bond.joint].coordinate = sys.bond_ahead[i].value


@kernel
def book_joints(sys):
    """Work of the joints' dampers in a step that is solved, and of what prescribes a side of a joint."""
    half, book = sys.scheme.drift, sys.scheme.book
    given, spent = 0.0, 0.0
    for i in range(sys.bonds):
        row, bond = sys.bond_row[i], sys.bond[i]
        joint = sys.body_joint[bond.joint]
        if not is_held(bond.form):
            rate = 0.5 * (row.rate + sys.bond_ahead[i].rate)
            spent += row.damping * rate * rate
        for side in range(2):
            which = joint.child if side == 1 else joint.parent
            if which >= 0:
                _, _, velocity, spin = side_half(which, sys)
                turning = row.two if side == 1 else row.one
                velocity = add_scaled(velocity, half, sys.point_now[which].acceleration)
                going = dot(row.line, velocity) + dot(turning, spin)
                given -= row.force * (going if side == 1 else -going)
    sys.ledger.damping -= book * spent
    sys.ledger.drives += book * given


@kernel
def joint_energies(sys):
    """Energy in the springs and limits of all joints as the bodies stand, which are seen ahead for it [J]."""
    see_bonds(False, sys.bond_ahead, sys)
    total = 0.0
    for i in range(sys.bonds):
        bond, value = sys.bond[i], sys.bond_ahead[i].value
        law = sys.body_joint_law[bond.joint]
        if bond.form == SPRING_BALL:
            total += 0.5 * law.spring * value * value
        elif not is_held(bond.form):
            total += spring_energy(law, value)
    return total


@kernel
def put_joints(out, at, sys):
    """Coordinate of each joint that has one, as seen ahead, and the sizes of the force and the moment it carries."""
    for j in range(sys.body_joints):
        joint = sys.body_joint[j]
        last = joint.first + joint.count - 1
        force, moment = joint_load(j, sys)
        if sys.bond[last].form == SPRING_ALONG or sys.bond[last].form == SPRING_ABOUT:
            out[at] = sys.bond_ahead[last].value
            at += 1
        at = put_two(out, at, math.sqrt(dot(force, force)), math.sqrt(dot(moment, moment)))
    return at


@kernel
def joint_load(j, sys):
    """Force and moment (global) of joint j on its child, at its place there."""
    joint, force, moment = sys.body_joint[j], ZERO3, ZERO3
    for i in range(joint.first, joint.first + joint.count):
        row = sys.bond_row[i]
        if dot(row.line, row.line) > 0.5:
            force = add_scaled(force, row.force, row.line)
        else:
            moment = add_scaled(moment, row.force, row.two)
    return force, moment
