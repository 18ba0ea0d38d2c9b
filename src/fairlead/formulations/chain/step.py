"""Time: the classic Runge–Kutta rule on the index-1 equations, with the links put right after every step."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, subtract
from fairlead.loads.end_motion import CONTROL_INTS, commanded, follow, known_motion, off_file
from fairlead.loads.signals import is_filtered

from .arrays import (
    COUNT, FAULT, FIRST, I_CONTROLS, I_HELD, LENGTH, N_CABLES, N_CONTROLLED, N_NODES, R_CONTROLS, R_TABLE,
    W_ENDS, W_RHS, W_START, W_SUM, WORK_DRAG, WORK_DRIVES, Y_CONTROLS, Y_LEDGER, Y_POSITION, Y_TENSION, Y_VELOCITY,
    cable_at, link_at, put, vector_of,
)  # fmt: skip
from .extremes import note_extremes
from .links import accelerations, fill, hold, link_state, solve_cable

OK, RANGE, SINGULAR, APART = 0, 1, 2, 3
SPEED_LIMIT = 1.0e3
MOST_PROJECTIONS = 20
TRUE = 1e-13
"""Error of a link's length, as a part of it, that is put right no further."""


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k."""
    return commanded(t, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals)


@kernel
def file_motion(t, k, u, ints, reals):
    """Position, velocity and acceleration of controlled point k by the file; zero where it passes the filter."""
    if is_filtered(k, ints[ints[I_CONTROLS] + CONTROL_INTS * k], u):
        zero = (0.0, 0.0, 0.0)
        return zero, zero, zero
    return known_motion(t, k, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals)


@kernel
def plan_ends(t, h, u, ints, reals, y, work):
    """Motion of the controlled points beside that of the file over the step: position, velocity at its start and end.

    Into W_ENDS; it is nothing where they follow the file.
    """
    for k in range(ints[N_CONTROLLED]):
        at, plan = ints[Y_CONTROLS] + 9 * k, ints[W_ENDS] + 12 * k
        x1, v1, _ = file_motion(t + h, k, u, ints, reals)
        z, dz = vector_of(y, at), vector_of(y, at + 3)
        if not is_filtered(k, ints[ints[I_CONTROLS] + CONTROL_INTS * k], u):
            z, dz = off_file(t, k, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals, y, at)
        put(work, plan, z)
        put(work, plan + 3, dz)
        follow(t, h, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals, y, at)
        for i in range(3):
            work[plan + 6 + i], work[plan + 9 + i] = y[at + i] - x1[i], y[at + 3 + i] - v1[i]


@kernel
def place_ends(t, s, h, u, ints, reals, y, work):
    """Controlled points at the part s of the step from t: position, velocity, acceleration.

    As the file has them; what they move beside it is on the cubic through the ends of the step.
    """
    for k in range(ints[N_CONTROLLED]):
        at, plan = ints[Y_CONTROLS] + 9 * k, ints[W_ENDS] + 12 * k
        x, v, acceleration = file_motion(t + s * h, k, u, ints, reals)
        for i in range(3):
            x0, v0, x1, v1 = work[plan + i], h * work[plan + 3 + i], work[plan + 6 + i], h * work[plan + 9 + i]
            a, b = 2.0 * (x0 - x1) + v0 + v1, 3.0 * (x1 - x0) - 2.0 * v0 - v1
            y[at + i] = x[i] + x0 + s * (v0 + s * (b + s * a))
            y[at + 3 + i] = v[i] + (v0 + s * (2.0 * b + 3.0 * s * a)) / h
            y[at + 6 + i] = acceleration[i] + (2.0 * b + 6.0 * s * a) / (h * h)
    for i in range(ints[N_NODES]):
        control = ints[ints[I_HELD] + i]
        if control >= 0:
            at = ints[Y_CONTROLS] + 9 * control
            put(y, ints[Y_POSITION] + 3 * i, vector_of(y, at))
            put(y, ints[Y_VELOCITY] + 3 * i, vector_of(y, at + 3))


@kernel
def end_accelerations(ints, y, work):
    """Accelerations of the controlled points (3 each) behind W_SUM; returns where."""
    at = ints[W_SUM] + 6 * ints[N_NODES] + 4
    for k in range(ints[N_CONTROLLED]):
        put(work, at + 3 * k, vector_of(y, ints[Y_CONTROLS] + 9 * k + 6))
    return at


@kernel
def lengthen(t, c, ints, reals, y, work):
    """Put the links of cable c back to their lengths, moving masses as little as possible: M δ + Gᵀμ = 0, G δ = −φ.

    Newton's method; False when it does not succeed, as when the ends are further apart than the links reach.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    rhs, x = ints[W_RHS] + 4 * first, ints[Y_POSITION] + 3 * first
    for _ in range(MOST_PROJECTIONS):
        worst = 0.0
        for i in range(count):
            length = reals[link_at(ints, first - c + i) + LENGTH]
            r0, r1, _, _ = link_state(first + i, ints, y)
            way = subtract(r1, r0)
            error = 0.5 * (dot(way, way) - length * length)
            worst = max(worst, abs(error) / (length * length))
            put(work, rhs + 4 * i, (0.0, 0.0, 0.0))
            work[rhs + 4 * i + 3] = -error
        put(work, rhs + 4 * count, (0.0, 0.0, 0.0))
        work[rhs + 4 * count + 3] = 0.0
        if not worst > TRUE:
            return worst <= TRUE
        if not worst < 1.0:
            return False
        fill(t, c, ints, reals, y, work)
        hold(c, ints, work)
        if not solve_cable(c, ints, work):
            return False
        for i in range(count + 1):
            for k in range(3):
                y[x + 3 * i + k] += work[rhs + 4 * i + k]
    return False


@kernel
def straighten(t, c, ints, reals, y, work):
    """Take out what would stretch the links: M δv + Gᵀμ = 0, G δv = −G v. False when it cannot be solved."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    rhs, v = ints[W_RHS] + 4 * first, ints[Y_VELOCITY] + 3 * first
    for i in range(count):
        r0, r1, v0, v1 = link_state(first + i, ints, y)
        put(work, rhs + 4 * i, (0.0, 0.0, 0.0))
        work[rhs + 4 * i + 3] = -dot(subtract(r1, r0), subtract(v1, v0))
    put(work, rhs + 4 * count, (0.0, 0.0, 0.0))
    work[rhs + 4 * count + 3] = 0.0
    fill(t, c, ints, reals, y, work)
    hold(c, ints, work)
    if not solve_cable(c, ints, work):
        return False
    for i in range(count + 1):
        for k in range(3):
            y[v + 3 * i + k] += work[rhs + 4 * i + k]
    return True


@kernel
def put_right(t, ints, reals, y, work):
    """Lengths and their rates of all cables; returns a status."""
    for c in range(ints[N_CABLES]):
        work[FAULT], work[FAULT + 1] = t, c
        if not lengthen(t, c, ints, reals, y, work):
            return APART
        if not straighten(t, c, ints, reals, y, work):
            return SINGULAR
    return OK


@kernel
def stage(t, weight, h, ints, reals, y, work):
    """Accelerations in the present state; `weight` of them and of the velocities goes to W_SUM. Returns a status."""
    ends = end_accelerations(ints, y, work)
    total = ints[W_SUM]
    for c in range(ints[N_CABLES]):
        well, drag, driven = accelerations(t, c, ends, ints, reals, y, work)
        if not well:
            work[FAULT], work[FAULT + 1] = t, c
            return SINGULAR
        cable = cable_at(ints, c)
        for i in range(ints[cable + FIRST], ints[cable + FIRST] + ints[cable + COUNT] + 1):
            for k in range(3):
                work[total + 6 * i + k] += weight * y[ints[Y_VELOCITY] + 3 * i + k]
                work[total + 6 * i + 3 + k] += weight * work[ints[W_RHS] + 4 * i + k]
        y[ints[Y_LEDGER] + WORK_DRAG] += h * weight * drag
        y[ints[Y_LEDGER] + WORK_DRIVES] += h * weight * driven
    return OK


@kernel
def move_free(part, ints, y, work):
    """State at `part` seconds from the start of the step with the accelerations in W_RHS and the present velocities."""
    start = ints[W_START]
    for i in range(ints[N_NODES]):
        if ints[ints[I_HELD] + i] == -1:
            for k in range(3):
                x, v = ints[Y_POSITION] + 3 * i + k, ints[Y_VELOCITY] + 3 * i + k
                y[x] = work[start + 6 * i + k] + part * y[v]
                y[v] = work[start + 6 * i + 3 + k] + part * work[ints[W_RHS] + 4 * i + k]


@kernel
def step(t, h, u, ints, reals, y, work):
    """One step from t, in place. Returns a status."""
    plan_ends(t, h, u, ints, reals, y, work)
    start, total = ints[W_START], ints[W_SUM]
    for i in range(ints[N_NODES]):
        for k in range(3):
            work[start + 6 * i + k] = y[ints[Y_POSITION] + 3 * i + k]
            work[start + 6 * i + 3 + k] = y[ints[Y_VELOCITY] + 3 * i + k]
            work[total + 6 * i + k] = 0.0
            work[total + 6 * i + 3 + k] = 0.0
    for number in range(4):
        s = 0.0 if number == 0 else (1.0 if number == 3 else 0.5)
        place_ends(t, s, h, u, ints, reals, y, work)
        status = stage(t + s * h, 1.0 / 6.0 if number == 0 or number == 3 else 1.0 / 3.0, h, ints, reals, y, work)
        if status != OK:
            return status
        if number == 0:
            note_extremes(t, ints, reals, y, work)
        if number < 3:
            move_free(h if number == 2 else 0.5 * h, ints, y, work)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        for i in range(count):
            length = reals[link_at(ints, first - c + i) + LENGTH]
            y[ints[Y_TENSION] + first - c + i] = work[ints[W_RHS] + 4 * (first + i) + 3] * length
        for i in range(first, first + count + 1):
            if ints[ints[I_HELD] + i] == -1:
                for k in range(3):
                    y[ints[Y_POSITION] + 3 * i + k] = work[start + 6 * i + k] + h * work[total + 6 * i + k]
                    y[ints[Y_VELOCITY] + 3 * i + k] = work[start + 6 * i + 3 + k] + h * work[total + 6 * i + 3 + k]
            v = vector_of(y, ints[Y_VELOCITY] + 3 * i)
            if not dot(v, v) < SPEED_LIMIT * SPEED_LIMIT:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t + h, c, i - first
                return RANGE
    return put_right(t + h, ints, reals, y, work)
