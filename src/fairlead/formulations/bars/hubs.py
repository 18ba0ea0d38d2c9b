"""Free points, rings and bodies (hubs) where cable ends meet: a small block system over what the cables leave behind.

Each hub has six rows, global linear and body angular acceleration. A cable that ends in a hub gives it an effective
joint; a cable between two hubs also couples them, and so does one that a ring slides on. Rows nothing acts on are
locked.
"""

from __future__ import annotations

import math

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import all_lanes, any_lane, pick, placed
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, matadd, matmul, matvec, positive, scale, subtract, symadd, symmat,
    symvec, transpose, transposed_matvec, transposed_symmetric_product,
)  # fmt: skip
from fairlead.loads.landing import BED_KEPT, press_foot
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.rigging.cummins import book_floaters, load_floaters, prepare_floaters, remember_floaters, take_rates

from .coefficients import EXPLICIT_EULER
from .element import axis_of, offset_torque
from .elimination import accelerations, across_and_along, isotropic
from .ends import hub_lever, lever_columns
from .joint import turn_of_first, turn_of_second
from .loosening import MANY, PASSES, PATIENCE, acts_at, held_across, is_loose, next_pass, normal_part
from .ropes import change_pieces
from .schema import SCHEMA
from .signals import load_on_hub
from .sweep import ZERO3, ZERO6, ZERO9, backward, boarding, carried_column, forward
from .topology import hub_of_end, is_attached, is_clamped, joint_of_end

PLAN = SCHEMA.offset["order"]
"""Where the head of `ints` says where the plan of `block_cholesky` begins."""


@kernel
def entry(slot, row, column):
    """Which number of the blocks of the hub system an entry is."""
    return 36 * slot + 6 * row + column


@kernel
def begin(t, u, rig, sys):
    """Fill the hub system with each hub's own inertia and loads."""
    for k in range(36 * sys.slots):
        sys.matrix[k].value = 0.0
    for h in range(sys.hubs):
        sys.hub_rhs[h].linear, sys.hub_rhs[h].angular = ZERO3, ZERO3
    h_drag = sys.scheme.drag
    for h in range(sys.hubs):
        body = sys.hub_state[h]
        if rig is not None and is_afloat(h, sys):
            continue
        R = rotation(body.turn)
        mass, drag, inertia, damping, force, torque, power = rigid_body_loads(
            t, body.position, R, body.velocity, body.spin, sys.reals, row_start(sys.hub[h], sys.reals)
        )
        sys.ledger.drag += sys.scheme.book * power
        for k in range(3):
            for m in range(k + 1):
                s = 0.0
                for n in range(3):
                    s += R[3 * k + n] * (mass[n] + h_drag * drag[n]) * R[3 * m + n]
                sys.matrix[entry(h, k, m)].value += s
            sys.matrix[entry(h, 3 + k, 3 + k)].value += inertia[k] + h_drag * damping[k]
        press(h, 1.0, force, torque, sys)
        if sys.standing_hubs > 0:
            stand(t, h, R, sys)
    if rig is not None:
        float_hubs(t, sys)
    for i in range(sys.loads):
        h = sys.load[i].hub
        body = sys.hub_state[h]
        force, torque = load_on_hub(t, i, u, rotation(body.turn), sys)
        press(h, 1.0, force, torque, sys)
        power = dot(force, body.velocity) + dot(torque, body.spin)
        sys.ledger.drives += sys.scheme.book * power
    for i in range(sys.hybrids):
        drive_hybrid(i, sys)


# --- floaters, of systems that `run_rigged` runs ----------------------------------------------------------------------
@inlined
def is_afloat(h, sys):
    """Whether hub h is a floater by coefficients."""
    return sys.floaters > 0 and sys.afloat[h].floater >= 0


@kernel
def forces_ahead(sys):
    """How far into a step the forces on floaters are taken, (1 − θ)h: a step that moves them by h(v + θh a) then
    neither takes nor gives energy."""
    scheme = sys.scheme
    if scheme.kind == EXPLICIT_EULER:
        return scheme.step
    return (1.0 - scheme.theta) * scheme.step


@kernel
def prepare_floating(sys):
    """What floaters remember of the water, for steps of the scheme."""
    if sys.floaters > 0:
        prepare_floaters(sys.scheme.step, forces_ahead(sys), sys)


@kernel
def float_hubs(t, sys):
    """Add the floaters by coefficients."""
    if sys.floaters > 0:
        ahead = forces_ahead(sys)
        load_floaters(t + ahead, ahead, sys.hub_state, sys.matrix.start, sys)
        for k in range(sys.floaters):
            press(sys.floater[k].hub, 1.0, sys.hull_now[k].force, sys.hull_now[k].torque, sys)


@kernel
def book_floating(book, sys):
    """Work on floaters in a step that is solved; `book` makes a power a work."""
    if sys.floaters > 0:
        for k in range(sys.floaters):
            motion, now = sys.hub_rhs[sys.floater[k].hub], sys.hull_now[k]
            now.acceleration, now.spin_rate = motion.linear, motion.angular
        take_rates(sys)
        book_floaters(book, sys, sys)


@kernel
def remember_floating(sys):
    """What floaters remember of the water after a step, before they move."""
    if sys.floaters > 0:
        remember_floaters(sys.scheme.step, forces_ahead(sys), sys.hub_state, sys)


# --- all hubs ---------------------------------------------------------------------------------------------------------
@kernel
def press(h, sign, force, torque, sys):
    """Add a force and a torque to a hub's right-hand side."""
    rhs = sys.hub_rhs[h]
    rhs.linear, rhs.angular = add_scaled(rhs.linear, sign, force), add_scaled(rhs.angular, sign, torque)


@kernel
def stand(t, h, R, sys):
    """Add the feet of hub h that press on the seabed: a matrix and a force at the end of a lever each."""
    body, hub, scheme = sys.hub_state[h], sys.hub[h], sys.scheme
    w = matvec(R, body.spin)
    for k in range(int(hub.feet)):
        active, lever, matrix, force = press_foot(
            t, k, body.position, R, body.velocity, w, sys.reals, row_start(hub, sys.reals), sys.y,
            row_start(sys.standing[h], sys.y), scheme.step, scheme.g_per_c, scheme.g_per_k, scheme.d_per_k, sys.work,
            sys.feet.start + BED_KEPT * h,
        )  # fmt: skip
        if active:
            columns = lever_columns(transposed_matvec(R, lever), R)
            swing = symvec(matrix, cross(w, cross(w, lever)))
            add_effective_joint(h, matrix, ZERO9, ZERO6, columns, ZERO9, False, sys)
            add_to_rhs(h, 1.0, subtract(force, swing), columns, ZERO3, sys)


@kernel
def hybrid_limit(i, sys):
    """Largest force that may drive hybrid point i: F_max (1 − (T/T_max)²), T the largest end force of its cables."""
    drive, h = sys.drive[i], sys.hybrid[i].hub
    most = 0.0
    for end in range(2 * sys.cables):
        if hub_of_end(end, sys) == h and is_attached(end, sys):
            pull = sys.multipliers[joint_of_end(end, sys)].force
            if dot(pull, pull) > most:
                most = dot(pull, pull)
    return positive(drive.force_max * (1.0 - most / (drive.tension_max * drive.tension_max)))


@kernel
def drive_hybrid(i, sys):
    """The force that drives hybrid point i: F = k(x_c − x) + d(v_c − v), |F| ≤ F_max (1 − (T/T_max)²).

    T is the largest end force of its cables in the previous step. Within its limit the force is taken implicitly.
    """
    drive, h, goal = sys.drive[i], sys.hybrid[i].hub, sys.plan[sys.hybrid[i].control]
    body = sys.hub_state[h]
    limit = hybrid_limit(i, sys)
    if limit <= 0.0:
        return
    step = sys.scheme.step
    gain = drive.damping + step * drive.stiffness
    ahead = add_scaled(goal.velocity, step, goal.acceleration)  # where the command will be
    miss = subtract(add_scaled(goal.position, step, ahead), body.position)
    late = subtract(ahead, body.velocity)
    force = add_scaled(scale(drive.stiffness, add_scaled(miss, -step, body.velocity)), drive.damping, late)
    size = math.sqrt(dot(force, force))
    if size > limit:
        force, gain = scale(limit / size, force), 0.0
    for k in range(3):
        sys.matrix[entry(h, k, k)].value += step * gain
    press(h, 1.0, force, ZERO3, sys)
    sys.ledger.drives += sys.scheme.book * dot(force, body.velocity)


@kernel
def hub_turn(end, turn, sys):
    """T·Fᵀ: rotation rows of a clamp in terms of the hub's own angular acceleration."""
    return matmul(turn, transpose(rotation(sys.end[end].frame)))


@kernel
def symmetric_sum(m):
    """M + Mᵀ as a symmetric matrix."""
    return (2.0 * m[0], m[1] + m[3], m[2] + m[6], 2.0 * m[4], m[5] + m[7], 2.0 * m[8])


@kernel
def add_lower(at, s, sys):
    """Add the lower triangle of a symmetric matrix of six numbers to the block entries from `at` on."""
    block = sys.matrix
    block[at].value += s[0]
    block[at + 6].value += s[1]
    block[at + 12].value += s[2]
    block[at + 7].value += s[3]
    block[at + 13].value += s[4]
    block[at + 14].value += s[5]


@kernel
def add_effective_joint(h, e_pp, e_pr, e_rr, lever, turn, rotary, sys):
    """Add JᵀEJ with J = [[1, U], [0, T]] to the diagonal block of hub h (lower triangle)."""
    add_lower(entry(h, 0, 0), e_pp, sys)
    mixed = symmat(e_pp, lever)
    turned = transposed_symmetric_product(lever, mixed)
    if rotary:
        clamped = matmul(e_pr, turn)
        turned = symadd(turned, symmetric_sum(matmul(transpose(lever), clamped)))
        turned = symadd(turned, transposed_symmetric_product(turn, symmat(e_rr, turn)))
        mixed = matadd(mixed, clamped)
    for r in range(3):
        for k in range(3):
            sys.matrix[entry(h, 3 + k, r)].value += mixed[3 * r + k]
    add_lower(entry(h, 3, 3), turned, sys)


@kernel
def add_to_rhs(h, sign, force, lever, moment, sys):
    """Add a joint's force at the end of a lever, and its moment, to a hub's right-hand side."""
    press(h, sign, force, add(transposed_matvec(lever, force), moment), sys)


@kernel
def add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, rig, whole, sys):
    """Add what cable c leaves at its hubs, after its forward sweep: rotation rows in the axes of the clamp."""
    cable = sys.cable[c]
    first = cable.first
    start, end = cable.start_hub, cable.end_hub
    if end >= 0 and is_attached(2 * c + 1, sys):
        rotary = is_clamped(2 * c + 1, sys)
        turn = transpose(rotation(sys.end[2 * c + 1].frame))
        lever = hub_lever(2 * c + 1, sys)
        add_effective_joint(end, e_pp, e_pr, e_rr, lever, turn, rotary, sys)
        add_to_rhs(end, -1.0, beta_p, lever, transposed_matvec(turn, beta_r) if rotary else ZERO3, sys)
    if start >= 0 and is_attached(2 * c, sys):
        j = first + c
        row = sys.row[j].gdk
        rotary = is_clamped(2 * c, sys)
        turn = hub_turn(2 * c, turn_of_first(sys.relative[j].turn), sys)
        lever = hub_lever(2 * c, sys)
        stiff, turning = isotropic(row[0]), (row[3], 0.0, 0.0, row[3], 0.0, row[6])
        if is_loose(j, sys):
            stiff = held_across(row[0], axis_of(rotation(sys.bar_state[first].turn)))
        add_effective_joint(start, stiff, ZERO9, turning, lever, turn, rotary, sys)
        moment = transposed_matvec(turn, sys.bias[j].rotation) if rotary else ZERO3
        add_to_rhs(start, 1.0, sys.bias[j].position, lever, moment, sys)
    riders = cable.riders
    for r in range(riders, riders + cable.rider_count):
        carry(c, r, rig, whole, sys)


@kernel
def board_hub(c, base, sys):
    """N of the first bar for the hub at the cable's start: J₀ᵀ G J_S, torques about the bar's far point."""
    first = sys.cable[c].first
    j = first + c
    row, relative = sys.row[j].gdk, sys.relative[j].turn
    rotary = is_clamped(2 * c, sys)
    turn = hub_turn(2 * c, turn_of_first(relative), sys)
    lever = hub_lever(2 * c, sys)
    R = rotation(sys.bar_state[first].turn)
    half = 0.5 * sys.bar[first].length
    lever_near = acts_at(j, -half, sys) - acts_at(j + 1, half, sys)
    loose = is_loose(j, sys)
    for k in range(6):
        spin = ZERO3
        moved = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        if k >= 3:
            moved = (lever[k - 3], lever[k], lever[k + 3])
            if rotary:
                spin = (row[3] * turn[k - 3], row[3] * turn[k], row[6] * turn[k + 3])
        if loose:
            moved = normal_part(moved, axis_of(R))
        keep_column(base + k, row[0], moved, spin, rotary, relative, lever_near, R, sys)


@kernel
def board_ring(ring, hub, base, bar, far, sys):
    """N of the bar a ring is on, [W; UᵀW] with W = R G Rᵀ, and what the bar's rows put on the ring's hub.

    far  offset of the bar's far point, about which U is taken
    """
    body, kept = sys.bar_state[bar], sys.ring_rows[ring]
    R = rotation(body.turn)
    offset = transposed_matvec(R, subtract(sys.hub_state[hub].position, body.position))
    held = across_and_along(kept.across, kept.along, axis_of(R))
    add_effective_joint(hub, held, ZERO9, ZERO6, ZERO9, ZERO9, False, sys)
    add_to_rhs(hub, -1.0, matvec(R, kept.bias), ZERO9, ZERO3, sys)
    lever = lever_columns((offset[0], offset[1], offset[2] - far), R)
    for k in range(6):
        force = ZERO3
        if k < 3:
            force = symvec(held, (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0))
        put_column(base + k, force, transposed_matvec(lever, force), sys)


@kernel
def carry(c, rider, rig, whole, sys):
    """Carry the coupling to a rider (the hub at the cable's start, or a ring) through the bars behind it.

    N_i (6×6) is the force on bar i, with its torque about the far point, for a unit acceleration of the rider's hub;
    behind the bar where it boards, N_{i+1} = J_Bᵀ G J_A D_i⁻¹ N_i. The hub's own block loses Σ Nᵀ D⁻¹ N, its block with
    a rider that boarded before Σ N_qᵀ D⁻¹ N, its right-hand side gains Σ Nᵀ D⁻¹ r. The blocks are the same wherever a
    ring is.
    """
    cable, record = sys.cable[c], sys.rider[rider]
    first, count = cable.first, cable.count
    hub, ring = record.hub, record.slider
    end = cable.end_hub
    base = 36 * record.carried
    rotary_cable = cable.rotary == 1
    boards = boarding(rider, first, sys)
    if ring < 0:
        board_hub(c, base, sys)
    elif rig is not None:
        far = acts_at(first + c + boards + 1, 0.5 * sys.bar[first + boards].length, sys)
        board_ring(ring, hub, base + 36 * boards, first + boards, far, sys)
    lever = ZERO9
    if end >= 0:
        lever = hub_lever(2 * c + 1, sys)
    R = rotation(sys.bar_state[first + boards].turn)
    lever_near = 0.0
    for i in range(boards, count):
        block = base + 36 * i
        kept = sys.factor[first + i]
        axis = axis_of(R)
        j = first + c + i + 1
        loose = is_loose(j, sys)
        own, own_turn = accelerations(whole, kept, kept.force, ZERO3, kept.spin)
        last = i + 1 == count
        row = sys.row[j].gdk
        rotary = is_clamped(2 * c + 1, sys) if last else rotary_cable
        relative = sys.relative[j].turn
        turn1 = turn_of_first(relative)
        if not last:
            R = rotation(sys.bar_state[first + i + 1].turn)
            half = 0.5 * sys.bar[first + i + 1].length
            lever_near = -half - acts_at(j + 1, half, sys)
        for k in range(6):
            force, torque = carried_column(block + k, sys)
            moved, angular = accelerations(whole, kept, force, torque, ZERO3)
            sys.work[sys.hub_rhs.start + 6 * hub + k] += dot(own, force) + dot(own_turn, torque)
            for m in range(k, 6):
                sys.matrix[entry(hub, m, k)].value -= shared(block, m, moved, angular, sys)
            for before in range(cable.riders, rider):
                if i >= boarding(before, first, sys):
                    slot = sys.pair[record.pairs + before - cable.riders].slot
                    other = 36 * (sys.rider[before].carried + i)
                    for m in range(6):
                        couple(slot, m, k, shared(other, m, moved, angular, sys), sys)
            if loose:
                moved = normal_part(moved, axis)
            spin = ZERO3
            if rotary:
                turned = matvec(turn1, angular)
                spin = (row[3] * turned[0], row[3] * turned[1], row[6] * turned[2])
            if not last:
                keep_column(block + 36 + k, row[0], moved, spin, rotary, relative, lever_near, R, sys)
            elif end >= 0:
                force = scale(row[0], moved)
                moment = transposed_matvec(lever, force)
                if rotary:
                    turn = hub_turn(2 * c + 1, turn_of_second(relative), sys)
                    moment = add(moment, transposed_matvec(turn, spin))
                for m in range(6):
                    value = force[m] if m < 3 else moment[m - 3]
                    if hub == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
                        low, high = (m, k) if m > k else (k, m)
                        sys.matrix[entry(hub, low, high)].value -= value if m != k else 2.0 * value
                    else:
                        couple(record.slot, m, k, value, sys)


@kernel
def shared(block, m, linear, angular, sys):
    """Column m of a kept N times an acceleration of its bar."""
    force, torque = carried_column(block + m, sys)
    s = 0.0
    for r in range(3):
        s += force[r] * linear[r] + torque[r] * angular[r]
    return s


@kernel
def couple(slot, row, column, value, sys):
    """Subtract a value from a block between two hubs; a negative slot is that of the transposed block."""
    if slot >= 0:
        sys.matrix[entry(slot, row, column)].value -= value
    else:
        sys.matrix[entry(-slot - 1, column, row)].value -= value


@kernel
def put_column(at, force, torque, sys):
    """Write a column of N."""
    for r in range(3):
        sys.carry[at + 6 * r].value = force[r]
        sys.carry[at + 6 * (3 + r)].value = torque[r]


@kernel
def keep_column(at, g, moved, spin, rotary, relative, lever, R, sys):
    """One column of N, beginning at `at`, of a bar joined behind at a `lever` from its far point: J_Bᵀ (G moved, spin).
    """
    force = (g * moved[0], g * moved[1], g * moved[2])
    torque = offset_torque(lever, R, force)
    if rotary:
        torque = add(torque, transposed_matvec(turn_of_second(relative), spin))
    put_column(at, force, torque, sys)


@kernel
def lock_idle_rows(sys):
    """Give rows nothing acts on a unit diagonal, so that they simply stay at rest.

    A clamp without torsional stiffness leaves one turn of a hub without inertia to nobody: a 1e-10th part of the
    others' keeps it still, 1e-12 where it has some of its own. So does 1e-12 the motion of a hub without mass along a
    loose bar, when the cable it is of one piece with has been let go.
    """
    for h in range(sys.hubs):
        for first in range(0, 6, 3):
            own = sys.hub[h].mass if first == 0 else sys.hub[h].inertia[0]
            if first == 0 and (own > 0.0 or sys.loosens == 0):
                continue
            grip = 0.0
            for k in range(first, first + 3):
                grip += (1e-10 if first == 3 and own == 0.0 else 1e-12) * sys.matrix[entry(h, k, k)].value
            for k in range(first, first + 3):
                sys.matrix[entry(h, k, k)].value += grip
        for k in range(6):
            diagonal = sys.matrix[entry(h, k, k)]
            if diagonal.value == 0.0:
                diagonal.value = 1.0
                sys.work[sys.hub_rhs.start + 6 * h + k] = 0.0


@kernel
def solve_hubs(t, sys):
    """Accelerations of the hubs in place of their right-hand sides. Returns 0, or 2 when not positive definite."""
    lock_idle_rows(sys)
    failed = block_cholesky.factor_at(sys.ints, PLAN, sys.hubs, sys.work, sys.matrix.start, 6)
    if failed >= 0:
        sys.fault.time, sys.fault.cable = t, failed
        return 2
    block_cholesky.solve_at(sys.ints, PLAN, sys.hubs, sys.work, sys.matrix.start, sys.hub_rhs.start, 6)
    return 0


@kernel
def solve_once(t, u, status, guess, single, rig, whole, sys):
    """All accelerations and multipliers at time t with the joints that are taut, as guessed or as they stand.

    Returns the status, 2 where the hub system is not positive definite, and how many joints have to change (see
    `loosening`). Hubs are few, and full of decisions: members of a pack take them in turn.
    """
    hubs = sys.hubs > 0
    if hubs:
        for k in range(lane_count(sys)):
            begin(t, u, rig, lane_of(sys, k))
    for c in range(sys.cables):
        left = forward(c, t, guess, rig, whole, sys)
        if hubs:
            for k in range(lane_count(sys)):
                e_pp, e_pr, e_rr, beta_p, beta_r = pick(left, k)
                add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, rig, whole, lane_of(sys, k))
    if hubs:
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                status = placed(status, k, solve_hubs(t, lane_of(sys, k)))
        if all_lanes(status != 0):
            return status, 0.0 * status
    wrong = 0.0 * status
    for c in range(sys.cables):
        wrong = backward(c, wrong, single, rig, whole, sys)
    return status, wrong


@kernel
def solve(t, u, status, rig, whole, sys):
    """All accelerations and multipliers at time t, of members that are well (0). Returns the status, 2 where the hub
    system is not positive definite.

    A member of a pack that needs fewer passes than another is solved again to the same digits.
    """
    ledger = sys.ledger
    drag, damping, drives = ledger.drag, ledger.damping, ledger.drives
    steps, damped = ledger.steps, ledger.steps_damped
    fewest, patience, single = MANY + 0.0 * status, PATIENCE + 0.0 * status, status < 0
    for k in range(PASSES):
        status, wrong = solve_once(t, u, status, k == 0, single, rig, whole, sys)
        if rig is not None:
            wrong += change_pieces(k, sys)
        if not any_lane((status == 0) & ((wrong > 0.0) | single)) or k + 1 == PASSES:
            break
        fewest, patience, single = next_pass(wrong, fewest, patience)
        ledger.drag, ledger.damping, ledger.drives = drag, damping, drives
        ledger.steps, ledger.steps_damped = steps, damped
    return status
