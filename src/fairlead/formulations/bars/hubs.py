"""Free points (hubs) where cable ends meet: a small block system over what the cables leave behind.

Each hub has six rows, global linear and body angular acceleration. A cable that ends in a hub gives it an effective
joint; a cable between two hubs also couples them. Rows nothing acts on are locked.
"""

from __future__ import annotations

import math

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add, add_scaled, dot, matmul, matvec, subtract, symmat, symvec, transpose, transposed_matvec,
    transposed_symmetric_product,
)  # fmt: skip
from fairlead.loads.buoyancy import submergence
from fairlead.sea.water import fluid

from .arrays import (
    CABLE_CARRIED, CABLE_COUNT, CABLE_FIRST, CABLE_ROTARY, CABLE_SLOT, END_HUB, HUB_ADDED, HUB_BUOYANCY, HUB_DRAG,
    HUB_HEIGHT, HUB_INERTIA, HUB_MASS, HUB_WEIGHT, LENGTH, N_HUBS, START_HUB, WORK_DRAG, WORK_DRIVES,
)  # fmt: skip
from .coefficients import BOOK_STEP, STEP_DRAG
from .element import end_offset_columns, offset_torque
from .joint import turn_of_first, turn_of_second
from .signals import load_factor
from .sweep import ZERO3, backward, forward, is_clamped, joint_row, quaternion_of, vector_of


@kernel
def hub_loads(h, t, hub, state, sea, step_drag, ledger, step):
    """Effective mass, moment of inertia (a sphere's: no gyroscopic torque) and force of a hub's own weight and drag."""
    body = state.hubs[h]
    p, v = vector_of(body, 0), vector_of(body, 7)
    flow, _, elevation, _ = fluid(t, p[0], p[1], p[2], sea)
    wet = submergence(p[2] - elevation, hub[HUB_HEIGHT])
    u = subtract(v, flow)
    drag = wet * hub[HUB_DRAG] * math.sqrt(dot(u, u))
    ledger[WORK_DRAG] -= step * drag * dot(u, v)
    mass = hub[HUB_MASS] + wet * hub[HUB_ADDED] + step_drag * drag
    force = (-drag * u[0], -drag * u[1], -drag * u[2] + wet * hub[HUB_BUOYANCY] - hub[HUB_WEIGHT])
    return mass, hub[HUB_INERTIA], force


@kernel
def begin(t, model, state, scratch):
    """Fill the hub system with each hub's own inertia and loads."""
    blocks, rhs = scratch.hub_blocks, scratch.hub_rhs
    blocks[:] = 0.0
    rhs[:] = 0.0
    step = scratch.scheme[BOOK_STEP]
    for h in range(model.ints[N_HUBS]):
        mass, inertia, force = hub_loads(
            h, t, model.hubs[h], state, model.sea, scratch.scheme[STEP_DRAG], state.ledger, step
        )
        for k in range(3):
            blocks[h, k, k] += mass
            blocks[h, 3 + k, 3 + k] += inertia
            rhs[h, k] += force[k]
    for i in range(model.loads_int.shape[0]):
        h = model.loads_int[i, 0]
        body = state.hubs[h]
        f = load_factor(t, model.loads_int[i], model.table)
        force = (f * model.loads[i, 0], f * model.loads[i, 1], f * model.loads[i, 2])
        torque = (f * model.loads[i, 3], f * model.loads[i, 4], f * model.loads[i, 5])
        local = transposed_matvec(rotation(quaternion_of(body)), torque)
        for k in range(3):
            rhs[h, k] += force[k]
            rhs[h, 3 + k] += local[k]
        power = dot(force, vector_of(body, 7)) + dot(local, vector_of(body, 10))
        state.ledger[WORK_DRIVES] += step * power


@kernel
def hub_turn(c, side, turn, model):
    """T·Fᵀ: rotation rows of a clamp in terms of the hub's own angular acceleration."""
    end = model.ends[c, side]
    return matmul(turn, transpose(rotation((end[0], end[1], end[2], end[3]))))


@kernel
def relative_of(j, scratch):
    """Kept relative quaternion of joint j."""
    r = scratch.relative[j]
    return (r[0], r[1], r[2], r[3])


@kernel
def add_effective_joint(h, e_pp, e_pr, e_rr, turn, rotary, blocks):
    """Add JᵀEJ with J = [[1, 0], [0, T]] to the diagonal block of hub h."""
    d = blocks[h]
    d[0, 0] += e_pp[0]
    d[1, 0] += e_pp[1]
    d[2, 0] += e_pp[2]
    d[1, 1] += e_pp[3]
    d[2, 1] += e_pp[4]
    d[2, 2] += e_pp[5]
    if rotary:
        mixed = matmul(e_pr, turn)
        turned = transposed_symmetric_product(turn, symmat(e_rr, turn))
        for r in range(3):
            for k in range(3):
                d[3 + k, r] += mixed[3 * r + k]
        d[3, 3] += turned[0]
        d[4, 3] += turned[1]
        d[5, 3] += turned[2]
        d[4, 4] += turned[3]
        d[5, 4] += turned[4]
        d[5, 5] += turned[5]


@kernel
def add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, model, state, scratch):
    """Add what cable c leaves at its hubs, after its forward sweep."""
    first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
    start, end = model.cables[c, START_HUB], model.cables[c, END_HUB]
    if end >= 0 and state.attached[c, 1] > 0.5:
        rotary = is_clamped(c, 1, model, state)
        turn = hub_turn(c, 1, turn_of_second(relative_of(first + c + count, scratch)), model)
        add_effective_joint(end, e_pp, e_pr, e_rr, turn, rotary, scratch.hub_blocks)
        moment = transposed_matvec(turn, beta_r)
        for k in range(3):
            scratch.hub_rhs[end, k] -= beta_p[k]
            if rotary:
                scratch.hub_rhs[end, 3 + k] -= moment[k]
    if start >= 0 and state.attached[c, 0] > 0.5:
        j = first + c
        row = joint_row(j, True, scratch)
        rotary = is_clamped(c, 0, model, state)
        turn = hub_turn(c, 0, turn_of_first(relative_of(j, scratch)), model)
        add_effective_joint(
            start, (row[0], 0.0, 0.0, row[0], 0.0, row[0]), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            (row[3], 0.0, 0.0, row[3], 0.0, row[6]), turn, rotary, scratch.hub_blocks,
        )  # fmt: skip
        bias = scratch.bias[j]
        moment = transposed_matvec(turn, vector_of(bias, 3))
        for k in range(3):
            scratch.hub_rhs[start, k] += bias[k]
            if rotary:
                scratch.hub_rhs[start, 3 + k] += moment[k]
    if start >= 0:
        carry(c, model, state, scratch)


@kernel
def apply_factors(kept, force, torque):
    """D⁻¹ (force, torque) of an eliminated bar."""
    a_inverse = (kept[0], kept[1], kept[2], kept[3], kept[4], kept[5])
    x = (kept[6], kept[7], kept[8], kept[9], kept[10], kept[11], kept[12], kept[13], kept[14])
    s_inverse = (kept[15], kept[16], kept[17], kept[18], kept[19], kept[20])
    angular = symvec(s_inverse, subtract(torque, transposed_matvec(x, force)))
    return subtract(symvec(a_inverse, force), matvec(x, angular)), angular


@kernel
def carry(c, model, state, scratch):
    """Carry the coupling to the first hub through a cable between two hubs.

    N_i (6×6) is the force on bar i for a unit acceleration of the first hub: N₀ = J₀ᵀ G J_S,
    N_{i+1} = J_Bᵀ G J_A D_i⁻¹ N_i; the hub's own block loses Σ Nᵀ D⁻¹ N, its right-hand side gains Σ Nᵀ D⁻¹ r.
    """
    first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
    start, end, slot = model.cables[c, START_HUB], model.cables[c, END_HUB], model.cables[c, CABLE_SLOT]
    base = model.cables[c, CABLE_CARRIED]
    rotary_cable = model.cables[c, CABLE_ROTARY] == 1
    hub_rhs, blocks = scratch.hub_rhs, scratch.hub_blocks

    j = first + c
    row = joint_row(j, state.attached[c, 0] > 0.5, scratch)
    rotary = is_clamped(c, 0, model, state)
    relative = relative_of(j, scratch)
    turn_hub = hub_turn(c, 0, turn_of_first(relative), model)
    R = rotation(quaternion_of(state.bars[first]))
    half = 0.5 * model.bars[first, LENGTH]
    for k in range(6):
        unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        spin = ZERO3
        if rotary and k >= 3:
            spin = (row[3] * turn_hub[k - 3], row[3] * turn_hub[k], row[6] * turn_hub[k + 3])
        keep_column(base, k, row[0], unit, spin, rotary, relative, half, R, scratch)

    for i in range(count):
        block = scratch.carried[base + i]
        kept = scratch.factors[first + i]
        R_here = rotation(quaternion_of(state.bars[first + i]))
        columns = end_offset_columns(0.5 * model.bars[first + i, LENGTH], R_here)
        j = first + c + i + 1
        last = i + 1 == count
        row = joint_row(j, not last or state.attached[c, 1] > 0.5, scratch)
        rotary = is_clamped(c, 1, model, state) if last else rotary_cable
        relative = relative_of(j, scratch)
        turn1 = turn_of_first(relative)
        if not last:
            R = rotation(quaternion_of(state.bars[first + i + 1]))
            half = 0.5 * model.bars[first + i + 1, LENGTH]
        for k in range(6):
            linear, angular = apply_factors(
                kept, (block[0, k], block[1, k], block[2, k]), (block[3, k], block[4, k], block[5, k])
            )
            hub_rhs[start, k] += dot(linear, vector_of(kept, 21)) + dot(angular, vector_of(kept, 24))
            for m in range(6):
                s = 0.0
                for r in range(3):
                    s += block[r, m] * linear[r] + block[3 + r, m] * angular[r]
                if m >= k:
                    blocks[start, m, k] -= s
            moved = add(linear, matvec(columns, angular))
            spin = ZERO3
            if rotary:
                turned = matvec(turn1, angular)
                spin = (row[3] * turned[0], row[3] * turned[1], row[6] * turned[2])
            if not last:
                keep_column(base + i + 1, k, row[0], moved, spin, rotary, relative, half, R, scratch)
            else:
                moment = ZERO3
                if rotary:
                    moment = transposed_matvec(hub_turn(c, 1, turn_of_second(relative), model), spin)
                couple(start, end, slot, k, row[0], moved, moment, model, scratch)


@kernel
def keep_column(place, k, g, moved, spin, rotary, relative, half, R, scratch):
    """Column k of N for a bar whose start offset is −half: J_Bᵀ (G moved, spin)."""
    block = scratch.carried[place]
    force = (g * moved[0], g * moved[1], g * moved[2])
    torque = offset_torque(-half, R, force)
    if rotary:
        torque = add_scaled(torque, 1.0, transposed_matvec(turn_of_second(relative), spin))
    for r in range(3):
        block[r, k] = force[r]
        block[3 + r, k] = torque[r]


@kernel
def couple(start, end, slot, k, g, moved, moment, model, scratch):
    """Subtract column k of the end hub's coupling to the start hub from the hub system."""
    blocks = scratch.hub_blocks
    for r in range(6):
        value = g * moved[r] if r < 3 else moment[r - 3]
        if start == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
            blocks[start, max(r, k), min(r, k)] -= value if r != k else 2.0 * value
        elif slot >= 0:
            blocks[slot, r, k] -= value
        else:
            blocks[-slot - 1, k, r] -= value


@kernel
def lock_idle_rows(model, scratch):
    """Give rows nothing acts on a unit diagonal, so that they simply stay at rest."""
    for h in range(model.ints[N_HUBS]):
        block = scratch.hub_blocks[h]
        for k in range(6):
            if block[k, k] == 0.0:
                block[k, k] = 1.0
                scratch.hub_rhs[h, k] = 0.0


@kernel
def solve(t, model, state, scratch):
    """All accelerations and multipliers at time t. Returns 0, or 2 when the hub system is not positive definite."""
    hubs = model.ints[N_HUBS]
    if hubs > 0:
        begin(t, model, state, scratch)
    for c in range(model.cables.shape[0]):
        e_pp, e_pr, e_rr, beta_p, beta_r = forward(c, t, model, state, scratch)
        if hubs > 0:
            add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, model, state, scratch)
    if hubs > 0:
        lock_idle_rows(model, scratch)
        failed = block_cholesky.factor(
            scratch.hub_blocks, model.order, model.column_start, model.column_slots, model.updates, model.update_start
        )
        if failed >= 0:
            scratch.fault[0] = t
            scratch.fault[1] = failed
            return 2
        block_cholesky.solve(
            scratch.hub_blocks, model.order, model.column_start, model.column_rows, model.column_slots, scratch.hub_rhs
        )
    for c in range(model.cables.shape[0]):
        backward(c, model, state, scratch)
    return 0
