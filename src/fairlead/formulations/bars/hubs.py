"""Free points (hubs) where cable ends meet: a small block system over what the cables leave behind.

Each hub has six rows, global linear and body angular acceleration. A cable that ends in a hub gives it an effective
joint; a cable between two hubs also couples them. Rows nothing acts on are locked.
"""

from __future__ import annotations

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add, dot, matmul, matvec, symmat, transpose, transposed_matvec, transposed_symmetric_product,
)  # fmt: skip
from fairlead.loads.body import body_loads

from .arrays import (
    CABLE_CARRIED, CABLE_COUNT, CABLE_FIRST, CABLE_ROTARY, CABLE_SLOT, END_HUB, FACTOR_COLUMNS, FAULT, HUB_ADDED,
    HUB_BUOYANCY, HUB_DRAG, HUB_HEIGHT, HUB_INERTIA, HUB_MASS, I_COLUMN_ROWS, I_COLUMN_SLOTS, I_COLUMN_START, I_LOADS,
    I_NAMED, I_ORDER, I_UPDATE_START, I_UPDATES, LENGTH, LOAD_INTS, LOAD_REALS, N_CABLES, N_HUBS, N_LOADS, N_SLOTS,
    N_UPDATES, R_LOADS, START_HUB, W_BIAS, W_CARRIED, W_FACTORS, W_HUB_BLOCKS, W_HUB_RHS, WORK_DRAG, WORK_DRIVES,
    Y_LEDGER, bar_at, bar_state_at, cable_at, end_at, hub_at, hub_state_at, is_attached, is_clamped,
)  # fmt: skip
from .coefficients import BOOK_STEP, STEP_DRAG
from .element import end_offset_columns, offset_torque
from .joint import turn_of_first, turn_of_second
from .signals import load_factor
from .sweep import (
    ZERO3, ZERO9, apply_factors, backward, forward, frame_of, joint_row, quaternion_of, relative_of, vector_of,
)  # fmt: skip


@kernel
def block_at(ints, slot, row, column):
    """Where an entry of a block of the hub system stands in `work`."""
    return ints[W_HUB_BLOCKS] + 36 * slot + 6 * row + column


@kernel
def hub_loads(h, t, ints, reals, y):
    """Inertia, drag secant, force and power of the water on a hub's own body (a sphere: no gyroscopic torque)."""
    hub, body = hub_at(ints, h), hub_state_at(ints, h)
    return body_loads(
        t, vector_of(y, body), vector_of(y, body + 7), reals[hub + HUB_MASS], reals[hub + HUB_ADDED],
        reals[hub + HUB_BUOYANCY], reals[hub + HUB_DRAG], reals[hub + HUB_HEIGHT], reals,
    )  # fmt: skip


@kernel
def begin(t, ints, reals, y, work):
    """Fill the hub system with each hub's own inertia and loads."""
    for k in range(ints[W_HUB_BLOCKS], ints[W_CARRIED]):  # the blocks and, behind them, the right-hand sides
        work[k] = 0.0
    for h in range(ints[N_HUBS]):
        inertia, drag, force, power = hub_loads(h, t, ints, reals, y)
        y[ints[Y_LEDGER] + WORK_DRAG] += work[BOOK_STEP] * power
        rhs = ints[W_HUB_RHS] + 6 * h
        for k in range(3):
            work[block_at(ints, h, k, k)] += inertia + work[STEP_DRAG] * drag
            work[block_at(ints, h, 3 + k, 3 + k)] += reals[hub_at(ints, h) + HUB_INERTIA]
            work[rhs + k] += force[k]
    for i in range(ints[N_LOADS]):
        load = ints[I_LOADS] + LOAD_INTS * i
        h = ints[load]
        body, rhs = hub_state_at(ints, h), ints[W_HUB_RHS] + 6 * h
        f = load_factor(t, load, ints, reals)
        at = ints[R_LOADS] + LOAD_REALS * i
        force = (f * reals[at], f * reals[at + 1], f * reals[at + 2])
        torque = (f * reals[at + 3], f * reals[at + 4], f * reals[at + 5])
        local = transposed_matvec(rotation(quaternion_of(y, body)), torque)
        for k in range(3):
            work[rhs + k] += force[k]
            work[rhs + 3 + k] += local[k]
        power = dot(force, vector_of(y, body + 7)) + dot(local, vector_of(y, body + 10))
        y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK_STEP] * power


@kernel
def hub_turn(end, turn, ints, reals):
    """T·Fᵀ: rotation rows of a clamp in terms of the hub's own angular acceleration."""
    return matmul(turn, transpose(rotation(frame_of(reals, end_at(ints, end)))))


@kernel
def add_effective_joint(h, e_pp, e_pr, e_rr, turn, rotary, ints, work):
    """Add JᵀEJ with J = [[1, 0], [0, T]] to the diagonal block of hub h (lower triangle)."""
    d = block_at(ints, h, 0, 0)
    work[d] += e_pp[0]
    work[d + 6] += e_pp[1]
    work[d + 12] += e_pp[2]
    work[d + 7] += e_pp[3]
    work[d + 13] += e_pp[4]
    work[d + 14] += e_pp[5]
    if rotary:
        mixed = matmul(e_pr, turn)
        turned = transposed_symmetric_product(turn, symmat(e_rr, turn))
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
def add_to_rhs(h, sign, force, moment, rotary, ints, work):
    """Add a joint's force and moment to a hub's right-hand side."""
    rhs = ints[W_HUB_RHS] + 6 * h
    for k in range(3):
        work[rhs + k] += sign * force[k]
        if rotary:
            work[rhs + 3 + k] += sign * moment[k]


@fold
def add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, ints, reals, y, work):
    """Add what cable c leaves at its hubs, after its forward sweep."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    start, end = ints[cable + START_HUB], ints[cable + END_HUB]
    if end >= 0 and is_attached(y, ints, 2 * c + 1):
        rotary = is_clamped(y, ints, 2 * c + 1)
        turn = hub_turn(2 * c + 1, turn_of_second(relative_of(first + c + count, ints, work)), ints, reals)
        add_effective_joint(end, e_pp, e_pr, e_rr, turn, rotary, ints, work)
        add_to_rhs(end, -1.0, beta_p, transposed_matvec(turn, beta_r), rotary, ints, work)
    if start >= 0:
        if is_attached(y, ints, 2 * c):
            j = first + c
            row = joint_row(j, ints, work)
            rotary = is_clamped(y, ints, 2 * c)
            turn = hub_turn(2 * c, turn_of_first(relative_of(j, ints, work)), ints, reals)
            stiff, turning = (row[0], 0.0, 0.0, row[0], 0.0, row[0]), (row[3], 0.0, 0.0, row[3], 0.0, row[6])
            add_effective_joint(start, stiff, ZERO9, turning, turn, rotary, ints, work)
            bias = ints[W_BIAS] + 6 * j
            moment = transposed_matvec(turn, vector_of(work, bias + 3))
            add_to_rhs(start, 1.0, vector_of(work, bias), moment, rotary, ints, work)
        carry(c, ints, reals, y, work)


@kernel
def carry(c, ints, reals, y, work):
    """Carry the coupling to the first hub through a cable between two hubs.

    N_i (6×6) is the force on bar i for a unit acceleration of the first hub: N₀ = J₀ᵀ G J_S,
    N_{i+1} = J_Bᵀ G J_A D_i⁻¹ N_i; the hub's own block loses Σ Nᵀ D⁻¹ N, its right-hand side gains Σ Nᵀ D⁻¹ r.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    start, end, slot = ints[cable + START_HUB], ints[cable + END_HUB], ints[cable + CABLE_SLOT]
    base = ints[W_CARRIED] + 36 * ints[cable + CABLE_CARRIED]
    rotary_cable = ints[cable + CABLE_ROTARY] == 1
    rhs = ints[W_HUB_RHS] + 6 * start

    j = first + c
    row = joint_row(j, ints, work)
    rotary = is_clamped(y, ints, 2 * c)
    relative = relative_of(j, ints, work)
    turn_hub = hub_turn(2 * c, turn_of_first(relative), ints, reals)
    R = rotation(quaternion_of(y, bar_state_at(ints, first)))
    half = 0.5 * reals[bar_at(ints, first) + LENGTH]
    for k in range(6):
        unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        spin = ZERO3
        if rotary and k >= 3:
            spin = (row[3] * turn_hub[k - 3], row[3] * turn_hub[k], row[6] * turn_hub[k + 3])
        keep_column(base + k, row[0], unit, spin, rotary, relative, half, R, work)

    for i in range(count):
        block = base + 36 * i
        kept = ints[W_FACTORS] + FACTOR_COLUMNS * (first + i)
        R_here = rotation(quaternion_of(y, bar_state_at(ints, first + i)))
        columns = end_offset_columns(0.5 * reals[bar_at(ints, first + i) + LENGTH], R_here)
        j = first + c + i + 1
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
                s = 0.0
                for r in range(3):
                    s += work[block + 6 * r + m] * linear[r] + work[block + 6 * (3 + r) + m] * angular[r]
                work[block_at(ints, start, m, k)] -= s
            moved = add(linear, matvec(columns, angular))
            spin = ZERO3
            if rotary:
                turned = matvec(turn1, angular)
                spin = (row[3] * turned[0], row[3] * turned[1], row[6] * turned[2])
            if not last:
                keep_column(block + 36 + k, row[0], moved, spin, rotary, relative, half, R, work)
            else:
                moment = ZERO3
                if rotary:
                    moment = transposed_matvec(hub_turn(2 * c + 1, turn_of_second(relative), ints, reals), spin)
                couple(start, end, slot, k, row[0], moved, moment, ints, work)


@kernel
def keep_column(at, g, moved, spin, rotary, relative, half, R, work):
    """One column of N, beginning at `at`, for a bar whose start offset is −half: J_Bᵀ (G moved, spin)."""
    force = (g * moved[0], g * moved[1], g * moved[2])
    torque = offset_torque(-half, R, force)
    if rotary:
        torque = add(torque, transposed_matvec(turn_of_second(relative), spin))
    for r in range(3):
        work[at + 6 * r] = force[r]
        work[at + 6 * (3 + r)] = torque[r]


@kernel
def couple(start, end, slot, k, g, moved, moment, ints, work):
    """Subtract column k of the end hub's coupling to the start hub from the hub system."""
    for r in range(6):
        value = g * moved[r] if r < 3 else moment[r - 3]
        if start == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
            work[block_at(ints, start, max(r, k), min(r, k))] -= value if r != k else 2.0 * value
        elif slot >= 0:
            work[block_at(ints, slot, r, k)] -= value
        else:
            work[block_at(ints, -slot - 1, k, r)] -= value


@kernel
def lock_idle_rows(ints, work):
    """Give rows nothing acts on a unit diagonal, so that they simply stay at rest.

    A clamp without torsional stiffness leaves one turn of a hub without inertia to nobody; a 1e-12th part of the
    others' keeps it still.
    """
    for h in range(ints[N_HUBS]):
        grip = 0.0
        for k in range(3, 6):
            grip += 1e-12 * work[block_at(ints, h, k, k)]
        for k in range(3, 6):
            work[block_at(ints, h, k, k)] += grip
        for k in range(6):
            at = block_at(ints, h, k, k)
            if work[at] == 0.0:
                work[at] = 1.0
                work[ints[W_HUB_RHS] + 6 * h + k] = 0.0


@kernel
def solve_hubs(t, ints, work):
    """Accelerations of the hubs in place of their right-hand sides. Returns 0, or 2 when not positive definite."""
    lock_idle_rows(ints, work)
    blocks = work[ints[W_HUB_BLOCKS] : ints[W_HUB_RHS]].reshape((ints[N_SLOTS], 6, 6))
    rhs = work[ints[W_HUB_RHS] : ints[W_CARRIED]].reshape((ints[N_HUBS], 6))
    order = ints[ints[I_ORDER] : ints[I_COLUMN_START]]
    column_start = ints[ints[I_COLUMN_START] : ints[I_COLUMN_ROWS]]
    column_rows = ints[ints[I_COLUMN_ROWS] : ints[I_COLUMN_SLOTS]]
    column_slots = ints[ints[I_COLUMN_SLOTS] : ints[I_UPDATES]]
    updates = ints[ints[I_UPDATES] : ints[I_UPDATE_START]].reshape((ints[N_UPDATES], 3))
    update_start = ints[ints[I_UPDATE_START] : ints[I_NAMED]]
    failed = block_cholesky.factor(blocks, order, column_start, column_slots, updates, update_start)
    if failed >= 0:
        work[FAULT] = t
        work[FAULT + 1] = failed
        return 2
    block_cholesky.solve(blocks, order, column_start, column_rows, column_slots, rhs)
    return 0


@fold
def solve(t, ints, reals, y, work):
    """All accelerations and multipliers at time t. Returns 0, or 2 when the hub system is not positive definite."""
    hubs = ints[N_HUBS] > 0
    if hubs:
        begin(t, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        e_pp, e_pr, e_rr, beta_p, beta_r = forward(c, t, ints, reals, y, work)
        if hubs:
            add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, ints, reals, y, work)
    if hubs:
        status = solve_hubs(t, ints, work)
        if status != 0:
            return status
    for c in range(ints[N_CABLES]):
        backward(c, ints, reals, y, work)
    return 0
