"""Free points and free bodies (hubs) where cable ends meet: a small block system over what the cables leave behind.

A cable leaves at its joined ends S and E the rows  D_S a_S + Nᵀ a_E = r_S,  N a_S + D_E a_E = r_E.  With a = J q + k of
either end (q the accelerations of its hub, k what is known) they become rows of the hubs: JᵀD J, Jᵀ(r − D k − …).
"""

from __future__ import annotations

import math

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, scale, subtract, symvec, transposed_matvec
from fairlead.loads.landing import BED_KEPT, BED_MEMORY, press_foot
from fairlead.loads.rigid_body import BODY_FEET, rigid_body_loads
from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.loads.signals import table_value

from .arrays import (
    BLOCK, CABLE_COUNT, CABLE_FIRST, CABLE_SLOT, END_HUB, FAULT, HYBRID_INTS, HYBRID_REALS, I_COLUMN_ROWS,
    I_COLUMN_SLOTS, I_COLUMN_START, I_HYBRIDS, I_LOADS, I_NAMED, I_ORDER, I_UPDATES, I_UPDATE_START, LOAD_INTS,
    LOAD_REALS, NODE_D, NODE_N, NODE_R, N_CABLES, N_HUBS, N_HYBRIDS, N_LOADS, N_SLOTS, N_STANDING, N_UPDATES, OFFSET,
    R_HYBRIDS, R_LOADS, R_TABLE, START_HUB, WORK_DRAG, WORK_DRIVES, W_CONTROLS, W_FORCES, W_HUB_BLOCKS, W_HUB_RHS,
    W_STANDING, Y_LEDGER, Y_PULL, Y_STANDING, add_to, cable_at, end_at, hub_at, hub_of_end, hub_state_at, is_attached,
    matrix_of, node_work_at, symmetric_of, vector_of,
)  # fmt: skip
from .assembly import assemble
from .ends import ZERO3, known_acceleration, lever_columns, turn_of
from .scheme import BOOK_STEP, D_PER_K, G_PER_C, G_PER_K, STEP
from .sweep import ZERO9, carries, eliminate, substitute

SINGULAR = 2


@kernel
def load_factor(t, load, ints, reals):
    """Factor of the point load whose record begins at `load` (1 when it has no table)."""
    if ints[load + 2] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)


@kernel
def block_at(ints, slot):
    """Where a block of the hub system begins in `work`."""
    return ints[W_HUB_BLOCKS] + ints[BLOCK] * ints[BLOCK] * slot


@kernel
def rhs_at(ints, h):
    """Where the right-hand side of hub h, later its acceleration, begins in `work`."""
    return ints[W_HUB_RHS] + ints[BLOCK] * h


@kernel
def begin(t, u, ints, reals, y, work):
    """Fill the hub system with each hub's own inertia and loads."""
    for k in range(ints[W_HUB_BLOCKS], ints[W_FORCES]):  # the blocks and, behind them, the right-hand sides
        work[k] = 0.0
    b, h_step = ints[BLOCK], work[STEP]
    power = 0.0
    for h in range(ints[N_HUBS]):
        body, block, rhs = hub_state_at(ints, h), block_at(ints, h), rhs_at(ints, h)
        R = turn_of(y, body)
        mass, drag, inertia, damping, force, torque, given = rigid_body_loads(
            t, vector_of(y, body), R, vector_of(y, body + 7), vector_of(y, body + 10), reals, hub_at(ints, h)
        )
        power += given
        for k in range(3):  # R diag(m) Rᵀ
            m = mass[k] + h_step * drag[k]
            for i in range(3):
                for j in range(i + 1):
                    work[block + b * i + j] += m * R[3 * i + k] * R[3 * j + k]
            if b == 6:
                work[block + 7 * (3 + k)] += inertia[k] + h_step * damping[k]
        add_to(work, rhs, force)
        if b == 6:
            add_to(work, rhs + 3, torque)
        if ints[N_STANDING] > 0:
            stand(t, h, R, ints, reals, y, work)
    y[ints[Y_LEDGER] + WORK_DRAG] += work[BOOK_STEP] * power
    power = 0.0
    for i in range(ints[N_LOADS]):
        load, at = ints[I_LOADS] + LOAD_INTS * i, ints[R_LOADS] + LOAD_REALS * i
        h = ints[load]
        body = hub_state_at(ints, h)
        force, torque = load_at(t, i, u, ints, reals)
        add_to(work, rhs_at(ints, h), force)
        power += dot(force, vector_of(y, body + 7))
        if b == 6:
            R = turn_of(y, body)
            own = add(transposed_matvec(R, torque), cross(vector_of(reals, at + 6), transposed_matvec(R, force)))
            add_to(work, rhs_at(ints, h) + 3, own)
            power += dot(own, vector_of(y, body + 10))
    for i in range(ints[N_HYBRIDS]):
        power += drive_hybrid(i, ints, reals, y, work)
    y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK_STEP] * power


@kernel
def stand(t, h, R, ints, reals, y, work):
    """Add the feet of hub h that press on the seabed: a matrix and a force at the end of a lever each."""
    b, body, hub = ints[BLOCK], hub_state_at(ints, h), hub_at(ints, h)
    w = matvec(R, vector_of(y, body + 10))
    for k in range(int(reals[hub + BODY_FEET])):
        active, lever, matrix, force = press_foot(
            t, k, vector_of(y, body), R, vector_of(y, body + 7), w, reals, hub, y, ints[Y_STANDING] + BED_MEMORY * h,
            work[STEP], work[G_PER_C], work[G_PER_K], work[D_PER_K], work, ints[W_STANDING] + BED_KEPT * h,
        )  # fmt: skip
        if active:
            columns = lever_columns(R, transposed_matvec(R, lever))
            swing = symvec(matrix, cross(w, cross(w, lever)))
            add_product(block_at(ints, h), b, columns, full(matrix), columns, True, False, work)
            add_force(h, columns, subtract(force, swing), ints, work)


@kernel
def load_at(t, i, u, ints, reals):
    """Force and torque (global) of load i: live inputs where they are numbers, else the file's, times its factor."""
    load, at = ints[I_LOADS] + LOAD_INTS * i, ints[R_LOADS] + LOAD_REALS * i
    f = load_factor(t, load, ints, reals)
    force, torque = scale(f, vector_of(reals, at)), scale(f, vector_of(reals, at + 3))
    live = ints[load + 3]
    if live >= 0:
        if not math.isnan(u[live] + u[live + 1] + u[live + 2]):
            force = vector_of(u, live)
        if not math.isnan(u[live + 3] + u[live + 4] + u[live + 5]):
            torque = vector_of(u, live + 3)
    return force, torque


@kernel
def drive_hybrid(i, ints, reals, y, work):
    """The force that drives hybrid point i: F = k(x_c − x) + d(v_c − v), |F| ≤ F_max (1 − (T/T_max)²); its power.

    T is the largest pull of its cables in the previous step. Within its limit the force is taken implicitly.
    """
    at, record = ints[R_HYBRIDS] + HYBRID_REALS * i, ints[I_HYBRIDS] + HYBRID_INTS * i
    h, b = ints[record], ints[BLOCK]
    goal, body = ints[W_CONTROLS] + STEP_NUMBERS * ints[record + 1], hub_state_at(ints, h)
    most = 0.0
    for end in range(2 * ints[N_CABLES]):
        if hub_of_end(ints, end) == h:  # a released end pulls with nothing
            most = max(most, y[ints[Y_PULL] + end])
    limit = reals[at + 2] * (1.0 - (most / reals[at + 3]) ** 2)
    if limit <= 0.0:
        return 0.0
    step = work[STEP]
    gain = reals[at + 1] + step * reals[at]
    v = vector_of(y, body + 7)
    ahead = add_scaled(vector_of(work, goal + 3), step, vector_of(work, goal + 6))  # where the command will be
    miss = subtract(add_scaled(vector_of(work, goal), step, ahead), add_scaled(vector_of(y, body), step, v))
    force = add_scaled(scale(reals[at], miss), reals[at + 1], subtract(ahead, v))
    size = math.sqrt(dot(force, force))
    if size > limit:
        force, gain = scale(limit / size, force), 0.0
    for k in range(3):
        work[block_at(ints, h) + (b + 1) * k] += step * gain
    add_to(work, rhs_at(ints, h), force)
    return dot(force, v)


@kernel
def columns_of_end(end, ints, reals, y):
    """U of a joined end: nine zeros where its hub does not turn it."""
    if ints[BLOCK] == 3:
        return ZERO9
    body = hub_state_at(ints, hub_of_end(ints, end))
    return lever_columns(turn_of(y, body), vector_of(reals, end_at(ints, end) + OFFSET))


@kernel
def entry_of(columns, k, m):
    """Entry of J = [1, U] at row k, column m."""
    if m < 3:
        return 1.0 if m == k else 0.0
    return columns[3 * k + m - 3]


@kernel
def add_product(block, b, left, m, right, lower, transposed, work):
    """Add J_leftᵀ M J_right to the b×b block at `block`: all of it, its lower triangle, or transposed."""
    for i in range(b):
        for j in range(b):
            if lower and j > i:
                continue
            s = 0.0
            for p in range(3):
                for q in range(3):
                    s += entry_of(left, p, i) * m[3 * p + q] * entry_of(right, q, j)
            work[block + (b * j + i if transposed else b * i + j)] += s


@kernel
def add_force(h, columns, force, ints, work):
    """Add Jᵀf to the right-hand side of hub h."""
    add_to(work, rhs_at(ints, h), force)
    if ints[BLOCK] == 6:
        add_to(work, rhs_at(ints, h) + 3, transposed_matvec(columns, force))


@kernel
def full(s):
    """A symmetric matrix as nine numbers."""
    return (s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5])


@kernel
def add_cable(c, start_d, start_r, ints, reals, y, work):
    """Add what cable c leaves at its hubs, after its elimination."""
    cable = cable_at(ints, c)
    b = ints[BLOCK]
    last = node_work_at(ints, ints[cable + CABLE_FIRST] + c + ints[cable + CABLE_COUNT])
    start, end = ints[cable + START_HUB], ints[cable + END_HUB]
    held, carried = is_attached(y, ints, 2 * c + 1), carries(c, ints, y)
    known_s, known_e, coupling = ZERO3, ZERO3, ZERO9
    if carried:
        known_s = known_acceleration(2 * c, ints, reals, y, work)
        if held:
            coupling = matrix_of(work, last + NODE_N)
            known_e = known_acceleration(2 * c + 1, ints, reals, y, work)
        columns = columns_of_end(2 * c, ints, reals, y)
        force = subtract(start_r, add(symvec(start_d, known_s), transposed_matvec(coupling, known_e)))
        add_force(start, columns, force, ints, work)
        add_product(block_at(ints, start), b, columns, full(start_d), columns, True, False, work)
    if end >= 0 and held:
        d = symmetric_of(work, last + NODE_D)
        known_e = known_acceleration(2 * c + 1, ints, reals, y, work)
        ahead = columns_of_end(2 * c + 1, ints, reals, y)
        force = subtract(vector_of(work, last + NODE_R), add(symvec(d, known_e), matvec(coupling, known_s)))
        add_force(end, ahead, force, ints, work)
        add_product(block_at(ints, end), b, ahead, full(d), ahead, True, False, work)
        if carried:
            columns = columns_of_end(2 * c, ints, reals, y)
            slot = ints[cable + CABLE_SLOT]
            if start == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
                add_product(block_at(ints, end), b, ahead, coupling, columns, True, False, work)
                mirrored = (
                    coupling[0], coupling[3], coupling[6], coupling[1], coupling[4], coupling[7], coupling[2],
                    coupling[5], coupling[8],
                )  # fmt: skip
                add_product(block_at(ints, end), b, columns, mirrored, ahead, True, False, work)
            elif slot >= 0:
                add_product(block_at(ints, slot), b, ahead, coupling, columns, False, False, work)
            else:
                add_product(block_at(ints, -slot - 1), b, ahead, coupling, columns, False, True, work)


@kernel
def solve_hubs(t, ints, work):
    """Accelerations of the hubs in place of their right-hand sides. Returns 0, or 2 when not positive definite.

    A row that nothing acts on has a unit diagonal, so that it simply stays at rest.
    """
    b = ints[BLOCK]
    for h in range(ints[N_HUBS]):
        for k in range(b):
            at = block_at(ints, h) + (b + 1) * k
            if work[at] == 0.0:
                work[at] = 1.0
                work[rhs_at(ints, h) + k] = 0.0
    blocks = work[ints[W_HUB_BLOCKS] : ints[W_HUB_RHS]].reshape((ints[N_SLOTS], b, b))
    rhs = work[ints[W_HUB_RHS] : ints[W_FORCES]].reshape((ints[N_HUBS], b))
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
        return SINGULAR
    block_cholesky.solve(blocks, order, column_start, column_rows, column_slots, rhs)
    return 0


@kernel
def solve_once(t, u, guess, ints, reals, y, work):
    """All accelerations and end forces at time t with the elements that are taut, as guessed or as they stand.

    Returns 0, or 2 when the hub system is not positive definite.
    """
    hubs = ints[N_HUBS] > 0
    if hubs:
        begin(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        assemble(c, t, guess, ints, reals, y, work)
        start_d, start_r = eliminate(c, ints, reals, y, work)
        if hubs:
            add_cable(c, start_d, start_r, ints, reals, y, work)
    if hubs:
        status = solve_hubs(t, ints, work)
        if status != 0:
            return status
    for c in range(ints[N_CABLES]):
        substitute(c, ints, reals, y, work)
    return 0
