"""Störmer–Verlet: kick, drift, kick. One evaluation of the forces a step; stable up to h = 2/ω of the stiffest motion.

Held ends move by their own law; what they do to the others through a consistent mass matrix enters at the kicks, as in
the momentum form M_ff v_f + M_fp v_p, so that no acceleration of an end is ever needed. Forces that depend on the
velocity take it as it would be at the end of the step without their change.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads.end_motion import follow
from fairlead.loads.seabed_contact import remember_push
from fairlead.sea.water import BED_X, BED_Y, BED_Z

from .arrays import (
    BED, BED_SHEAR, CABLE_INTS, COUNT, FAULT, FIRST, I_CONTROLS, I_HELD, I_LOADS, LOAD_INTS, N_CABLES, N_CONTROLLED,
    N_LOADS, N_NODES, PULL_END, PULL_START, R_BANDS, R_CONTROLS, R_LOADS, R_TABLE, W_CURVATURE, W_FORCE, W_PUSH,
    W_SLOPE, WATER, WORK_DRAG, WORK_DRIVES, Y_ACCELERATION, Y_CONTACT, Y_CONTROLS, Y_LEDGER, Y_POSITION,
    Y_POWER, Y_REACTION, Y_TORQUE, Y_VELOCITY, cable_at, node_at, put, vector_of,
)  # fmt: skip
from .curve import curvatures
from .forces import OK, RANGE, load_factor, node_tangent, outside_forces, point_loads, strain_energy_forces
from .inertia import MASS_BAND, accelerate
from .sea_loads import added_inertia, added_masses
from .signals import twist

SPEED_LIMIT = 1.0e3


@kernel
def drive(t, h, u, ints, reals, y):
    """Move the controlled points by a step."""
    for k in range(ints[N_CONTROLLED]):
        at = ints[Y_CONTROLS] + 6 * k
        follow(t, h, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals, y, at)


@kernel
def held_state(node, ints, y):
    """Position and velocity a held node is to have."""
    control = ints[ints[I_HELD] + node]
    if control >= 0:
        at = ints[Y_CONTROLS] + 6 * control
        return vector_of(y, at), vector_of(y, at + 3)
    return vector_of(y, ints[Y_POSITION] + 3 * node), (0.0, 0.0, 0.0)


@kernel
def end_momentum(c, i, ints, reals, y):
    """Momentum of node i of cable c: its row of M v."""
    cable = cable_at(ints, c)
    count = ints[cable + COUNT]
    half = ints[cable + CABLE_INTS + 2 * MASS_BAND]
    row = ints[R_BANDS] + ints[cable + CABLE_INTS + 2 * MASS_BAND + 1] + i * (2 * half + 1) + half - i
    v = ints[Y_VELOCITY] + 3 * ints[cable + FIRST]
    p = (0.0, 0.0, 0.0)
    for j in range(max(0, i - half), min(count, i + half) + 1):
        p = add_scaled(p, reals[row + j], vector_of(y, v + 3 * j))
    return p


@kernel
def kick(c, share, start, end, ints, reals, y):
    """v += share·a + what the changes of velocity of the held ends do through the mass matrix."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    v, a = ints[Y_VELOCITY] + 3 * first, ints[Y_ACCELERATION] + 3 * first
    for i in range(count + 1):
        if ints[ints[I_HELD] + first + i] == -1:
            node = node_at(ints, first + i)
            f, g = reals[node + PULL_START], reals[node + PULL_END]
            for k in range(3):
                y[v + 3 * i + k] += share * y[a + 3 * i + k] + f * start[k] + g * end[k]


@kernel
def added_energy(t, c, ints, reals, y, work):
    """½ vᵀA v of the water around cable c, tangents as in W_SLOPE."""
    cable = cable_at(ints, c)
    energy = 0.0
    for i in range(ints[cable + FIRST], ints[cable + FIRST] + ints[cable + COUNT] + 1):
        tangent, v = vector_of(work, ints[W_SLOPE] + 3 * i), vector_of(y, ints[Y_VELOCITY] + 3 * i)
        masses = added_masses(t, vector_of(y, ints[Y_POSITION] + 3 * i), tangent, reals, node_at(ints, i))
        energy += 0.5 * dot(v, added_inertia(masses, tangent, v))
    return energy


@kernel
def refresh_tangents(ints, reals, y, work):
    """Tangents of all nodes into W_SLOPE, from the state alone."""
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first = ints[cable + FIRST]
        x, curved = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
        curvatures(c, y, x, False, ints, reals, work, curved)
        for i in range(ints[cable + COUNT] + 1):
            put(work, ints[W_SLOPE] + 3 * (first + i), node_tangent(c, i, y, x, curved, ints, reals, work))


@kernel
def forces(t, rate, h, u, ints, reals, y, work):
    """All forces on all nodes into W_FORCE for the state at t; `rate` counts the twist's own speed over the step h.

    Returns a status and the powers of drag, damping and friction.
    """
    for k in range(ints[W_FORCE], ints[W_FORCE] + 3 * ints[N_NODES]):
        work[k] = 0.0
    drag, damping, rubbing = 0.0, 0.0, 0.0
    for c in range(ints[N_CABLES]):
        alpha = twist(t, c, u, ints, reals)
        swift = (alpha - twist(t - h, c, u, ints, reals)) / h if rate else 0.0
        status, lost = strain_energy_forces(c, alpha, swift, ints, reals, y, work)
        if status != OK:
            work[FAULT], work[FAULT + 1] = t, c
            return status, 0.0, 0.0, 0.0
        wet, slow, rub = outside_forces(t, c, ints, reals, y, work)
        drag += wet
        damping += lost + slow
        rubbing += rub
    point_loads(t, ints, reals, work)
    return OK, drag, damping, rubbing


@kernel
def remember_bed(ints, reals, y, work):
    """Friction memory of all nodes after a step; the push of the bed is in W_PUSH."""
    for i in range(ints[N_NODES]):
        f = vector_of(work, ints[W_PUSH] + 3 * i)
        push = dot(f, (reals[BED_X], reals[BED_Y], reals[BED_Z]))
        place = vector_of(y, ints[Y_POSITION] + 3 * i)
        remember_push(reals, reals[node_at(ints, i) + BED_SHEAR], place, push > 0.0, push, y, ints[Y_CONTACT] + 4 * i)


@kernel
def verlet_step(t, h, u, ints, reals, y, work):
    """One step from t, in place. Returns a status."""
    ledger = ints[Y_LEDGER]
    water = ints[WATER] == 1
    drive(t, h, u, ints, reals, y)
    stirred = 0.0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        changes = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for side in range(2):
            i = first + side * count
            if ints[ints[I_HELD] + i] >= 0:
                at, v = ints[Y_POSITION] + 3 * i, ints[Y_VELOCITY] + 3 * i
                goal, _ = held_state(i, ints, y)
                half = scale(1.0 / h, subtract(goal, vector_of(y, at)))
                before = vector_of(y, ints[Y_REACTION] + 6 * c + 3 * side)
                lost = add_scaled(end_momentum(c, side * count, ints, reals, y), 0.5 * h, before)
                y[ledger + WORK_DRIVES] -= dot(half, lost)
                change = subtract(half, vector_of(y, v))
                changes = (change, changes[1]) if side == 0 else (changes[0], change)
                put(y, v, half)
        kick(c, 0.5 * h, changes[0], changes[1], ints, reals, y)
        if water:
            stirred -= added_energy(t, c, ints, reals, y, work)
        x, v, a = ints[Y_POSITION] + 3 * first, ints[Y_VELOCITY] + 3 * first, ints[Y_ACCELERATION] + 3 * first
        for k in range(3 * (count + 1)):
            y[x + k] += h * y[v + k]
        for i in range(count + 1):
            if ints[ints[I_HELD] + first + i] == -1:
                for k in range(3 * i, 3 * i + 3):
                    y[v + k] += 0.5 * h * y[a + k]
        alpha = twist(t + h, c, u, ints, reals) - twist(t, c, u, ints, reals)
        y[ledger + WORK_DRIVES] += 0.5 * alpha * y[ints[Y_TORQUE] + c]
    for k in range(ints[N_LOADS]):
        v = vector_of(y, ints[Y_VELOCITY] + 3 * ints[ints[I_LOADS] + LOAD_INTS * k])
        f = h * load_factor(t + 0.5 * h, k, ints, reals)
        y[ledger + WORK_DRIVES] += f * dot(v, vector_of(reals, ints[R_LOADS] + 3 * k))

    status, drag, damping, rubbing = forces(t + h, True, h, u, ints, reals, y, work)
    if status != OK:
        return status
    for k in range(3):
        power = drag if k == 0 else (damping if k == 1 else rubbing)
        y[ledger + k] += 0.5 * h * (y[ints[Y_POWER] + k] + power)
        y[ints[Y_POWER] + k] = power
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        v, a = ints[Y_VELOCITY] + 3 * first, ints[Y_ACCELERATION] + 3 * first
        changes = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for i in range(count + 1):
            if ints[ints[I_HELD] + first + i] == -1:
                for k in range(3 * i, 3 * i + 3):
                    y[v + k] -= 0.5 * h * y[a + k]
        if water:
            stirred += added_energy(t + h, c, ints, reals, y, work)
        for side in range(2):
            i = first + side * count
            if ints[ints[I_HELD] + i] >= 0:
                _, after = held_state(i, ints, y)
                change = subtract(after, vector_of(y, ints[Y_VELOCITY] + 3 * i))
                changes = (change, changes[1]) if side == 0 else (changes[0], change)
                put(y, ints[Y_ACCELERATION] + 3 * i, scale(2.0 / h, change))
        accelerate(t + h, c, ints, reals, y, work)
        kick(c, 0.5 * h, changes[0], changes[1], ints, reals, y)
        for side in range(2):
            i = first + side * count
            if ints[ints[I_HELD] + i] >= 0:
                half = vector_of(y, ints[Y_VELOCITY] + 3 * i)
                put(y, ints[Y_VELOCITY] + 3 * i, held_state(i, ints, y)[1])
                force = vector_of(work, ints[W_FORCE] + 3 * i)
                put(y, ints[Y_REACTION] + 6 * c + 3 * side, force)
                gained = add_scaled(end_momentum(c, side * count, ints, reals, y), -0.5 * h, force)
                y[ledger + WORK_DRIVES] += dot(half, gained)
        alpha = twist(t + h, c, u, ints, reals) - twist(t, c, u, ints, reals)
        y[ledger + WORK_DRIVES] += 0.5 * alpha * y[ints[Y_TORQUE] + c]
        for i in range(first, first + count + 1):
            speed = vector_of(y, ints[Y_VELOCITY] + 3 * i)
            if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t + h, c, i - first
                return RANGE
    y[ledger + WORK_DRAG] += stirred
    if ints[BED] == 1:
        remember_bed(ints, reals, y, work)
    return OK
