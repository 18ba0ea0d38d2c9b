"""Free points, rings and bodies (hubs) where cable ends meet: a small block system over what the cables leave behind.

Each hub has six rows, global linear and body angular acceleration. A cable that ends in a hub gives it an effective
joint; a cable between two hubs also couples them, and so does one that a ring slides on. Rows nothing acts on are
locked.
"""

from __future__ import annotations

import math

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, matadd, matmul, matvec, outer_scaled, positive, scale, subtract, symadd, symmat,
    symvec, transpose, transposed_matvec, transposed_symmetric_product,
)  # fmt: skip
from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.loads.landing import BED_KEPT, BED_MEMORY, press_foot
from fairlead.loads.rigid_body import BODY_FEET, BODY_INERTIA, BODY_MASS, rigid_body_loads

from .arrays import (
    BAR_STEPS, BAR_STEPS_DAMPED, CABLE_COUNT, CABLE_FIRST, CABLE_RIDERS, CABLE_RIDER_COUNT, CABLE_ROTARY, END_HUB,
    FACTOR_COLUMNS, FAULT, HYBRID_INTS, HYBRID_REALS, I_HYBRIDS, I_LOADS, I_ORDER, I_PAIRS, LENGTH, LOAD_INTS, LOOSENS,
    N_CABLES, N_HUBS, N_HYBRIDS, N_LOADS, N_STANDING, RIDER_CARRIED, RIDER_HUB, RIDER_PAIRS, RIDER_SLIDER, RIDER_SLOT,
    R_HYBRIDS, SLIDER_KEPT, START_HUB, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, W_BIAS, W_CARRIED, W_CONTROLS, W_FACTORS,
    W_HUB_BLOCKS, W_HUB_RHS, W_SLIDERS, W_STANDING, Y_LEDGER, Y_MULTIPLIERS, Y_STANDING, bar_at, bar_state_at, cable_at,
    end_at, hub_at, hub_of_end, hub_state_at, is_attached, is_clamped, joint_of_end, quaternion_of, rider_at, vector_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, D_PER_K, G_PER_C, G_PER_K, STEP, STEP_DRAG
from .element import axis_of, end_offset_columns, offset_torque
from .ends import frame_of, hub_lever, lever_columns
from .joint import turn_of_first, turn_of_second
from .loosening import BOTH_WAYS, PASSES, acts_at, held_across, is_loose, normal_part
from .signals import load_on_hub
from .slider import BIAS, G_ACROSS, G_ALONG
from .sweep import (
    ZERO3, ZERO6, ZERO9, apply_factors, backward, boarding, forward, joint_row, relative_of, symmetric_sum,
)  # fmt: skip


@kernel
def block_at(ints, slot, row, column):
    """Where an entry of a block of the hub system stands in `work`."""
    return ints[W_HUB_BLOCKS] + 36 * slot + 6 * row + column


@kernel
def begin(t, u, ints, reals, y, work):
    """Fill the hub system with each hub's own inertia and loads."""
    for k in range(ints[W_HUB_BLOCKS], ints[W_CARRIED]):  # the blocks and, behind them, the right-hand sides
        work[k] = 0.0
    h_drag = work[STEP_DRAG]
    for h in range(ints[N_HUBS]):
        body, rhs = hub_state_at(ints, h), ints[W_HUB_RHS] + 6 * h
        R = rotation(quaternion_of(y, body))
        mass, drag, inertia, damping, force, torque, power = rigid_body_loads(
            t, vector_of(y, body), R, vector_of(y, body + 7), vector_of(y, body + 10), reals, hub_at(ints, h)
        )
        y[ints[Y_LEDGER] + WORK_DRAG] += work[BOOK_STEP] * power
        for k in range(3):
            for m in range(k + 1):
                s = 0.0
                for n in range(3):
                    s += R[3 * k + n] * (mass[n] + h_drag * drag[n]) * R[3 * m + n]
                work[block_at(ints, h, k, m)] += s
            work[block_at(ints, h, 3 + k, 3 + k)] += inertia[k] + h_drag * damping[k]
            work[rhs + k] += force[k]
            work[rhs + 3 + k] += torque[k]
        if ints[N_STANDING] > 0:
            stand(t, h, R, ints, reals, y, work)
    for i in range(ints[N_LOADS]):
        h = ints[ints[I_LOADS] + LOAD_INTS * i]
        body, rhs = hub_state_at(ints, h), ints[W_HUB_RHS] + 6 * h
        force, torque = load_on_hub(t, i, u, rotation(quaternion_of(y, body)), ints, reals)
        for k in range(3):
            work[rhs + k] += force[k]
            work[rhs + 3 + k] += torque[k]
        power = dot(force, vector_of(y, body + 7)) + dot(torque, vector_of(y, body + 10))
        y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK_STEP] * power
    for i in range(ints[N_HYBRIDS]):
        drive_hybrid(i, ints, reals, y, work)


@kernel
def stand(t, h, R, ints, reals, y, work):
    """Add the feet of hub h that press on the seabed: a matrix and a force at the end of a lever each."""
    body, hub = hub_state_at(ints, h), hub_at(ints, h)
    w = matvec(R, vector_of(y, body + 10))
    for k in range(int(reals[hub + BODY_FEET])):
        active, lever, matrix, force = press_foot(
            t, k, vector_of(y, body), R, vector_of(y, body + 7), w, reals, hub, y, ints[Y_STANDING] + BED_MEMORY * h,
            work[STEP], work[G_PER_C], work[G_PER_K], work[D_PER_K], work, ints[W_STANDING] + BED_KEPT * h,
        )  # fmt: skip
        if active:
            columns = lever_columns(transposed_matvec(R, lever), R)
            swing = symvec(matrix, cross(w, cross(w, lever)))
            add_effective_joint(h, matrix, ZERO9, ZERO6, columns, ZERO9, False, ints, work)
            add_to_rhs(h, 1.0, subtract(force, swing), columns, ZERO3, ints, work)


@kernel
def hybrid_limit(i, ints, reals, y):
    """Largest force that may drive hybrid point i: F_max (1 − (T/T_max)²), T the largest end force of its cables."""
    at, h = ints[R_HYBRIDS] + HYBRID_REALS * i, ints[ints[I_HYBRIDS] + HYBRID_INTS * i]
    most = 0.0
    for end in range(2 * ints[N_CABLES]):
        if hub_of_end(ints, end) == h and is_attached(y, ints, end):
            pull = vector_of(y, ints[Y_MULTIPLIERS] + 3 * joint_of_end(ints, end))
            if dot(pull, pull) > most:
                most = dot(pull, pull)
    return positive(reals[at + 2] * (1.0 - most / (reals[at + 3] * reals[at + 3])))


@kernel
def drive_hybrid(i, ints, reals, y, work):
    """The force that drives hybrid point i: F = k(x_c − x) + d(v_c − v), |F| ≤ F_max (1 − (T/T_max)²).

    T is the largest end force of its cables in the previous step. Within its limit the force is taken implicitly.
    """
    at = ints[R_HYBRIDS] + HYBRID_REALS * i
    h, control = ints[ints[I_HYBRIDS] + HYBRID_INTS * i], ints[ints[I_HYBRIDS] + HYBRID_INTS * i + 1]
    goal, body, rhs = ints[W_CONTROLS] + STEP_NUMBERS * control, hub_state_at(ints, h), ints[W_HUB_RHS] + 6 * h
    limit = hybrid_limit(i, ints, reals, y)
    if limit <= 0.0:
        return
    step = work[STEP]
    gain = reals[at + 1] + step * reals[at]
    ahead = add_scaled(vector_of(work, goal + 3), step, vector_of(work, goal + 6))  # where the command will be
    miss = subtract(add_scaled(vector_of(work, goal), step, ahead), vector_of(y, body))
    late = subtract(ahead, vector_of(y, body + 7))
    force = add_scaled(scale(reals[at], add_scaled(miss, -step, vector_of(y, body + 7))), reals[at + 1], late)
    size = math.sqrt(dot(force, force))
    if size > limit:
        force, gain = scale(limit / size, force), 0.0
    for k in range(3):
        work[block_at(ints, h, k, k)] += step * gain
        work[rhs + k] += force[k]
    y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK_STEP] * dot(force, vector_of(y, body + 7))


@kernel
def hub_turn(end, turn, ints, reals):
    """T·Fᵀ: rotation rows of a clamp in terms of the hub's own angular acceleration."""
    return matmul(turn, transpose(rotation(frame_of(reals, end_at(ints, end)))))


@kernel
def add_effective_joint(h, e_pp, e_pr, e_rr, lever, turn, rotary, ints, work):
    """Add JᵀEJ with J = [[1, U], [0, T]] to the diagonal block of hub h (lower triangle)."""
    d = block_at(ints, h, 0, 0)
    work[d] += e_pp[0]
    work[d + 6] += e_pp[1]
    work[d + 12] += e_pp[2]
    work[d + 7] += e_pp[3]
    work[d + 13] += e_pp[4]
    work[d + 14] += e_pp[5]
    mixed = symmat(e_pp, lever)
    turned = transposed_symmetric_product(lever, mixed)
    if rotary:
        clamped = matmul(e_pr, turn)
        turned = symadd(turned, symmetric_sum(matmul(transpose(lever), clamped)))
        turned = symadd(turned, transposed_symmetric_product(turn, symmat(e_rr, turn)))
        mixed = matadd(mixed, clamped)
    for r in range(3):
        for k in range(3):
            work[d + 6 * (3 + k) + r] += mixed[3 * r + k]
    work[d + 21] += turned[0]
    work[d + 27] += turned[1]
    work[d + 33] += turned[2]
    work[d + 28] += turned[3]
    work[d + 34] += turned[4]
    work[d + 35] += turned[5]


@kernel
def add_to_rhs(h, sign, force, lever, moment, ints, work):
    """Add a joint's force at the end of a lever, and its moment, to a hub's right-hand side."""
    rhs = ints[W_HUB_RHS] + 6 * h
    torque = add(transposed_matvec(lever, force), moment)
    for k in range(3):
        work[rhs + k] += sign * force[k]
        work[rhs + 3 + k] += sign * torque[k]


@kernel
def add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, rig, ints, reals, y, work):
    """Add what cable c leaves at its hubs, after its forward sweep."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    start, end = ints[cable + START_HUB], ints[cable + END_HUB]
    if end >= 0 and is_attached(y, ints, 2 * c + 1):
        rotary = is_clamped(y, ints, 2 * c + 1)
        turn = hub_turn(2 * c + 1, turn_of_second(relative_of(first + c + count, ints, work)), ints, reals)
        lever = hub_lever(2 * c + 1, ints, reals, y)
        add_effective_joint(end, e_pp, e_pr, e_rr, lever, turn, rotary, ints, work)
        add_to_rhs(end, -1.0, beta_p, lever, transposed_matvec(turn, beta_r) if rotary else ZERO3, ints, work)
    if start >= 0 and is_attached(y, ints, 2 * c):
        j = first + c
        row = joint_row(j, ints, work)
        rotary = is_clamped(y, ints, 2 * c)
        turn = hub_turn(2 * c, turn_of_first(relative_of(j, ints, work)), ints, reals)
        lever = hub_lever(2 * c, ints, reals, y)
        stiff, turning = (row[0], 0.0, 0.0, row[0], 0.0, row[0]), (row[3], 0.0, 0.0, row[3], 0.0, row[6])
        if is_loose(j, ints, reals, work):
            stiff = held_across(row[0], axis_of(rotation(quaternion_of(y, bar_state_at(ints, first)))))
        add_effective_joint(start, stiff, ZERO9, turning, lever, turn, rotary, ints, work)
        bias = ints[W_BIAS] + 6 * j
        moment = transposed_matvec(turn, vector_of(work, bias + 3)) if rotary else ZERO3
        add_to_rhs(start, 1.0, vector_of(work, bias), lever, moment, ints, work)
    riders = ints[cable + CABLE_RIDERS]
    for r in range(riders, riders + ints[cable + CABLE_RIDER_COUNT]):
        carry(c, r, rig, ints, reals, y, work)


@kernel
def board_hub(c, base, ints, reals, y, work):
    """N of the first bar for the hub at the cable's start: J₀ᵀ G J_S."""
    first = ints[cable_at(ints, c) + CABLE_FIRST]
    j = first + c
    row, relative = joint_row(j, ints, work), relative_of(j, ints, work)
    rotary = is_clamped(y, ints, 2 * c)
    turn = hub_turn(2 * c, turn_of_first(relative), ints, reals)
    lever = hub_lever(2 * c, ints, reals, y)
    R = rotation(quaternion_of(y, bar_state_at(ints, first)))
    near = acts_at(j, -0.5 * reals[bar_at(ints, first) + LENGTH], ints, reals, work)
    loose = is_loose(j, ints, reals, work)
    for k in range(6):
        spin = ZERO3
        moved = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        if k >= 3:
            moved = (lever[k - 3], lever[k], lever[k + 3])
            if rotary:
                spin = (row[3] * turn[k - 3], row[3] * turn[k], row[6] * turn[k + 3])
        if loose:
            moved = normal_part(moved, axis_of(R))
        keep_column(base + k, row[0], moved, spin, rotary, relative, near, R, work)


@kernel
def board_ring(ring, hub, base, bar, ints, y, work):
    """N of the bar a ring is on, [W; UᵀW] with W = R G Rᵀ, and what the bar's rows put on the ring's hub."""
    body, kept = bar_state_at(ints, bar), ints[W_SLIDERS] + SLIDER_KEPT * ring
    R = rotation(quaternion_of(y, body))
    offset = transposed_matvec(R, subtract(vector_of(y, hub_state_at(ints, hub)), vector_of(y, body)))
    g = work[kept + G_ACROSS]
    held = symadd((g, 0.0, 0.0, g, 0.0, g), outer_scaled(work[kept + G_ALONG] - g, axis_of(R)))
    add_effective_joint(hub, held, ZERO9, ZERO6, ZERO9, ZERO9, False, ints, work)
    add_to_rhs(hub, -1.0, matvec(R, vector_of(work, kept + BIAS)), ZERO9, ZERO3, ints, work)
    lever = lever_columns(offset, R)
    for k in range(6):
        force = ZERO3
        if k < 3:
            force = symvec(held, (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0))
        torque = transposed_matvec(lever, force)
        for r in range(3):
            work[base + 6 * r + k] = force[r]
            work[base + 6 * (3 + r) + k] = torque[r]


@kernel
def carry(c, rider, rig, ints, reals, y, work):
    """Carry the coupling to a rider (the hub at the cable's start, or a ring) through the bars behind it.

    N_i (6×6) is the force on bar i for a unit acceleration of the rider's hub; behind the bar where it boards,
    N_{i+1} = J_Bᵀ G J_A D_i⁻¹ N_i. The hub's own block loses Σ Nᵀ D⁻¹ N, its block with a rider that boarded before
    Σ N_qᵀ D⁻¹ N, its right-hand side gains Σ Nᵀ D⁻¹ r. The blocks are the same wherever a ring is.
    """
    cable, record = cable_at(ints, c), rider_at(ints, rider)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    hub, ring = ints[record + RIDER_HUB], ints[record + RIDER_SLIDER]
    end = ints[cable + END_HUB]
    base = ints[W_CARRIED] + 36 * ints[record + RIDER_CARRIED]
    rotary_cable = ints[cable + CABLE_ROTARY] == 1
    rhs = ints[W_HUB_RHS] + 6 * hub
    boards = boarding(rider, first, ints, y)
    if ring < 0:
        board_hub(c, base, ints, reals, y, work)
    elif rig is not None:
        board_ring(ring, hub, base + 36 * boards, first + boards, ints, y, work)
    lever = ZERO9
    if end >= 0:
        lever = hub_lever(2 * c + 1, ints, reals, y)
    R = rotation(quaternion_of(y, bar_state_at(ints, first)))
    half = 0.0
    for i in range(boards, count):
        block = base + 36 * i
        kept = ints[W_FACTORS] + FACTOR_COLUMNS * (first + i)
        R_here = rotation(quaternion_of(y, bar_state_at(ints, first + i)))
        j = first + c + i + 1
        far = acts_at(j, 0.5 * reals[bar_at(ints, first + i) + LENGTH], ints, reals, work)
        loose = is_loose(j, ints, reals, work)
        columns = end_offset_columns(far, R_here)
        last = i + 1 == count
        row = joint_row(j, ints, work)
        rotary = is_clamped(y, ints, 2 * c + 1) if last else rotary_cable
        relative = relative_of(j, ints, work)
        turn1 = turn_of_first(relative)
        if not last:
            R = rotation(quaternion_of(y, bar_state_at(ints, first + i + 1)))
            half = 0.5 * reals[bar_at(ints, first + i + 1) + LENGTH]
        for k in range(6):
            force = (work[block + k], work[block + 6 + k], work[block + 12 + k])
            torque = (work[block + 18 + k], work[block + 24 + k], work[block + 30 + k])
            linear, angular = apply_factors(work, kept, force, torque)
            work[rhs + k] += dot(linear, vector_of(work, kept + 21)) + dot(angular, vector_of(work, kept + 24))
            for m in range(k, 6):
                work[block_at(ints, hub, m, k)] -= shared(block, m, linear, angular, work)
            for before in range(ints[cable + CABLE_RIDERS], rider):
                if i >= boarding(before, first, ints, y):
                    slot = ints[ints[I_PAIRS] + ints[record + RIDER_PAIRS] + before - ints[cable + CABLE_RIDERS]]
                    other = ints[W_CARRIED] + 36 * (ints[rider_at(ints, before) + RIDER_CARRIED] + i)
                    for m in range(6):
                        couple(slot, m, k, shared(other, m, linear, angular, work), ints, work)
            moved = add(linear, matvec(columns, angular))
            if loose:
                moved = normal_part(moved, axis_of(R_here))
            spin = ZERO3
            if rotary:
                turned = matvec(turn1, angular)
                spin = (row[3] * turned[0], row[3] * turned[1], row[6] * turned[2])
            if not last:
                keep_column(block + 36 + k, row[0], moved, spin, rotary, relative, -half, R, work)
            elif end >= 0:
                force = scale(row[0], moved)
                moment = transposed_matvec(lever, force)
                if rotary:
                    turn = hub_turn(2 * c + 1, turn_of_second(relative), ints, reals)
                    moment = add(moment, transposed_matvec(turn, spin))
                for m in range(6):
                    value = force[m] if m < 3 else moment[m - 3]
                    if hub == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
                        low, high = (m, k) if m > k else (k, m)
                        work[block_at(ints, hub, low, high)] -= value if m != k else 2.0 * value
                    else:
                        couple(ints[record + RIDER_SLOT], m, k, value, ints, work)


@kernel
def shared(block, m, linear, angular, work):
    """Column m of a kept N times an acceleration of its bar."""
    s = 0.0
    for r in range(3):
        s += work[block + 6 * r + m] * linear[r] + work[block + 6 * (3 + r) + m] * angular[r]
    return s


@kernel
def couple(slot, row, column, value, ints, work):
    """Subtract a value from a block between two hubs; a negative slot is that of the transposed block."""
    if slot >= 0:
        work[block_at(ints, slot, row, column)] -= value
    else:
        work[block_at(ints, -slot - 1, column, row)] -= value


@kernel
def keep_column(at, g, moved, spin, rotary, relative, near, R, work):
    """One column of N, beginning at `at`, for a bar joined behind at the offset `near`: J_Bᵀ (G moved, spin)."""
    force = (g * moved[0], g * moved[1], g * moved[2])
    torque = offset_torque(near, R, force)
    if rotary:
        torque = add(torque, transposed_matvec(turn_of_second(relative), spin))
    for r in range(3):
        work[at + 6 * r] = force[r]
        work[at + 6 * (3 + r)] = torque[r]


@kernel
def lock_idle_rows(ints, reals, work):
    """Give rows nothing acts on a unit diagonal, so that they simply stay at rest.

    A clamp without torsional stiffness leaves one turn of a hub without inertia to nobody, a loose joint the motion of
    a hub without mass along its bar: a 1e-10th part of the others' keeps it still, 1e-12 where it has some of its own.
    """
    for h in range(ints[N_HUBS]):
        hub = hub_at(ints, h)
        for first in range(0, 6, 3):
            own = reals[hub + (BODY_MASS if first == 0 else BODY_INERTIA)]
            if first == 0 and (own > 0.0 or ints[LOOSENS] == 0):
                continue
            grip = 0.0
            for k in range(first, first + 3):
                grip += (1e-10 if own == 0.0 else 1e-12) * work[block_at(ints, h, k, k)]
            for k in range(first, first + 3):
                work[block_at(ints, h, k, k)] += grip
        for k in range(6):
            at = block_at(ints, h, k, k)
            if work[at] == 0.0:
                work[at] = 1.0
                work[ints[W_HUB_RHS] + 6 * h + k] = 0.0


@kernel
def solve_hubs(t, ints, reals, work):
    """Accelerations of the hubs in place of their right-hand sides. Returns 0, or 2 when not positive definite."""
    lock_idle_rows(ints, reals, work)
    failed = block_cholesky.factor_at(ints, I_ORDER, ints[N_HUBS], work, ints[W_HUB_BLOCKS], 6)
    if failed >= 0:
        work[FAULT] = t
        work[FAULT + 1] = failed
        return 2
    block_cholesky.solve_at(ints, I_ORDER, ints[N_HUBS], work, ints[W_HUB_BLOCKS], ints[W_HUB_RHS], 6)
    return 0


@kernel
def solve_once(t, u, guess, loosen, rig, ints, reals, y, work):
    """All accelerations and multipliers at time t with the joints that are taut, as guessed or as they stand.

    Returns 0, or 2 when the hub system is not positive definite, and how many joints have to change (see `loosening`).
    """
    hubs = ints[N_HUBS] > 0
    if hubs:
        begin(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        e_pp, e_pr, e_rr, beta_p, beta_r = forward(c, t, guess, rig, ints, reals, y, work)
        if hubs:
            add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, rig, ints, reals, y, work)
    if hubs:
        status = solve_hubs(t, ints, reals, work)
        if status != 0:
            return status, 0
    changes = 0
    for c in range(ints[N_CABLES]):
        changes += backward(c, loosen, ints, reals, y, work)
    return 0, changes


@kernel
def solve(t, u, rig, ints, reals, y, work):
    """All accelerations and multipliers at time t. Returns 0, or 2 when the hub system is not positive definite."""
    ledger = ints[Y_LEDGER]
    drag, damping, drives = y[ledger + WORK_DRAG], y[ledger + WORK_DAMPING], y[ledger + WORK_DRIVES]
    steps, damped = y[ledger + BAR_STEPS], y[ledger + BAR_STEPS_DAMPED]
    status = 0
    for k in range(PASSES):
        status, changes = solve_once(t, u, k == 0, k >= BOTH_WAYS, rig, ints, reals, y, work)
        if status != 0 or changes == 0 or k + 1 == PASSES:
            break
        y[ledger + WORK_DRAG], y[ledger + WORK_DAMPING], y[ledger + WORK_DRIVES] = drag, damping, drives
        y[ledger + BAR_STEPS], y[ledger + BAR_STEPS_DAMPED] = steps, damped
    return status
