"""The energy-momentum midpoint rule on the reduced state: large steps that keep what is stored and given in balance.

M(ż₁ − ż₀)/h = F and (ż₀ + ż₁)/2 = (z₁ − z₀)/h. The mean of s_a at the two ends of the step acts on the gradient in the
mean state, which makes the change of U = ½Σs_a² exact since s_a is quadratic; bending is linear; the twist's gradient
is corrected along the step (Gonzalez). Momentum is that of the q-rows of M ż, so that accelerations of the ends are
never needed. What is left is K equations, whatever the number of elements.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import CONTROL_REALS, commanded, fading, filtered

from .arrays import (
    COMPLIANCE, FIXED, HELD_END, HELD_START, I_CONTROLS, MODES, N_CONTROLLED, N_TWIST, R_BENDING, R_CONTROLS, R_MASS,
    R_SCALARS, R_SINES, R_SQUARES, R_TABLE, R_WEIGHT, TENSIONS, TIME_AXIAL, TIME_BENDING, TIME_TORSION, TWISTED, W_BASE,
    W_CONSTANT, W_FORCE, W_FRAMES, W_GRADIENT, W_INERTIA, W_MATRIX, W_MEAN, W_NEW, W_NEW_GRADIENT, W_OLD,
    W_OLD_GRADIENT, W_OLD_RATE, W_REST, W_REST_STRAIN, W_RHS, W_SPEED, W_STRAIN, W_TWIST, WATER,
    WORK_DAMPING, WORK_DRAG, WORK_DRIVES, Y_ACCELERATION, Y_CONTROLS, Y_COORDINATE, Y_END_RATE, Y_ENDS, Y_LEDGER,
    Y_RATE, Y_REACTION, Y_TENSION, Y_TORQUE, gain, product,
)  # fmt: skip
from .forms import dense_solve, gradients, rest_parts
from .sea_loads import water_rows
from .twist import FLAT, frames_of, turned, twist_gradient, twist_of

OK, RANGE, NEWTON, FRAME = 0, 1, 2, 3
MOST_ITERATIONS = 40
CLOSE = 1e-6
"""Last move of Newton's method, m: what is left after it is about its square."""
CALM = 0.05
"""Damping time of the stretching in steps. Tensions that change faster than the steps would ring from one to the next
for ever; so they fade within some ten steps, and slower ones do not feel it. It is booked with the damping."""
FAR = 1e3
"""m: no coordinate moves so far in a step."""


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k."""
    return commanded(t, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_SINES], ints[R_TABLE], ints, reals)


@kernel
def drive(t, h, u, ints, reals, y):
    """Move the controlled points' filters by a step."""
    for k in range(ints[N_CONTROLLED]):
        at = ints[Y_CONTROLS] + 6 * k
        first, goal = command(t, k, u, ints, reals), command(t + h, k, u, ints, reals)
        middle = command(t + 0.5 * h, k, u, ints, reals)
        cutoff = reals[ints[R_CONTROLS] + CONTROL_REALS * k + 3]
        faded = fading(cutoff, h)
        for i in range(3):
            y[at + i], y[at + 3 + i] = filtered(
                y[at + i], y[at + 3 + i], first[i], middle[i], goal[i], cutoff, h, faded
            )


@kernel
def fill(k, y, coordinate, ends, last, work, to):
    """(q, ends, last) into work."""
    for i in range(k):
        work[to + i] = y[coordinate + i]
    for i in range(6):
        work[to + k + i] = y[ends + i]
    work[to + k + 6] = last


@kernel
def first_guess(h, ints, y, work):
    """Old state and rates from y; the new state: q as it would go on, ends where they are driven to."""
    k = ints[MODES]
    old, new, rate = ints[W_OLD], ints[W_NEW], ints[W_OLD_RATE]
    fill(k, y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, work, old)
    fill(k, y, ints[Y_RATE], ints[Y_END_RATE], 0.0, work, rate)
    for i in range(k):
        work[new + i] = work[old + i] + h * (work[rate + i] + 0.5 * h * y[ints[Y_ACCELERATION] + i])
    for side in range(2):
        held = ints[HELD_START] if side == 0 else ints[HELD_END]
        for i in range(3):
            at = k + 3 * side + i
            work[new + at] = work[old + at] if held == FIXED else y[ints[Y_CONTROLS] + 6 * held + i]
    work[new + k + 6] = 1.0


@kernel
def base_matrix(h, ints, reals, work):
    """The matrix of mass and bending of a step h, which never changes, into W_BASE."""
    k = ints[MODES]
    m = k + 7
    heavy, stiff = 2.0 / (h * h), 0.5 + reals[ints[R_SCALARS] + TIME_BENDING] / h
    for i in range(k):
        mass, bend = ints[R_MASS] + i * m, ints[R_BENDING] + i * m
        for j in range(k):
            work[ints[W_BASE] + i * k + j] = heavy * reals[mass + j] + stiff * reals[bend + j]


@kernel
def linear_parts(h, ints, reals, work):
    """What of the residual does not change with q₁, as if that were zero."""
    k = ints[MODES]
    m = k + 7
    old, new, rate = ints[W_OLD], ints[W_NEW], ints[W_OLD_RATE]
    inertia, place = ints[W_INERTIA], ints[W_MEAN]
    time = reals[ints[R_SCALARS] + TIME_BENDING]
    for j in range(m):
        after = 0.0 if j < k else work[new + j]
        moved = after - work[old + j]
        work[inertia + j] = 2.0 / h * (moved / h - work[rate + j])
        work[place + j] = 0.5 * (work[old + j] + after) + time / h * moved
    for i in range(k):
        total = reals[ints[R_WEIGHT] + i] + product(reals, ints[R_MASS] + i * m, work, inertia, m)
        work[ints[W_CONSTANT] + i] = -total - product(reals, ints[R_BENDING] + i * m, work, place, m)


@kernel
def means(h, ints, work):
    """Mean places, speeds and accelerations of the step."""
    old, new, rate = ints[W_OLD], ints[W_NEW], ints[W_OLD_RATE]
    for i in range(ints[MODES] + 7):
        speed = (work[new + i] - work[old + i]) / h
        work[ints[W_MEAN] + i] = 0.5 * (work[old + i] + work[new + i])
        work[ints[W_SPEED] + i] = speed
        work[ints[W_INERTIA] + i] = 2.0 * (speed - work[rate + i]) / h


@kernel
def stretch_rows(h, ints, reals, work):
    """The tension's part of residual and matrix."""
    k, p = ints[MODES], ints[TENSIONS]
    m = k + 7
    new, rhs, matrix, gradient = ints[W_NEW], ints[W_RHS], ints[W_MATRIX], ints[W_NEW_GRADIENT]
    rate = CALM + reals[ints[R_SCALARS] + TIME_AXIAL] / h
    for a in range(p):
        form, rest = ints[R_SQUARES] + a * k * k, ints[W_REST] + a * m
        before = ints[W_OLD_GRADIENT] + a * m
        for i in range(k):
            work[gradient + i] = work[rest + i]
        for j in range(k):  # by columns, which are rows since the form is symmetric
            gain(work, gradient, work[new + j], reals, form + j * k, k)
        strain = product(work, new, work, gradient, k) + product(work, new, work, rest, k)
        strain, old = 0.5 * strain + work[ints[W_REST_STRAIN] + a], work[ints[W_STRAIN] + a]
        pull = 0.5 * (old + strain) + rate * (strain - old)
        gain(work, matrix, 0.5 * pull, reals, form, k * k)
        for i in range(k):
            mean = 0.5 * (work[before + i] + work[gradient + i])
            work[rhs + i] -= pull * mean
            gain(work, matrix + i * k, (0.5 + rate) * mean, work, gradient, k)


@kernel
def twist_rows(h, before, alpha0, alpha1, ints, reals, work):
    """Torque over the step and how clear its frame is; its gradient by z, corrected along the step, into W_TWIST."""
    fixed = ints[R_SCALARS]
    m = ints[MODES] + 7
    old, size = ints[W_FRAMES], 6 * ints[N_TWIST]
    new, mean = old + size, old + 2 * size
    frames_of(ints[W_NEW], new, ints, reals, work)
    after, nearest = twist_of(new, ints, reals, work)
    for i in range(size):
        work[mean + i] = 0.5 * (work[old + i] + work[new + i])
    twist_gradient(mean, ints[W_TWIST], ints, reals, work)
    grown, length = 0.0, 0.0
    for i in range(m):
        moved = work[ints[W_NEW] + i] - work[ints[W_OLD] + i]
        grown += work[ints[W_TWIST] + i] * moved
        length += moved * moved
    correction = (after - before - grown) / length if length > 1e-24 else 0.0
    for i in range(m):
        work[ints[W_TWIST] + i] += correction * (work[ints[W_NEW] + i] - work[ints[W_OLD] + i])
    swift = (after - before + alpha1 - alpha0) / h
    torque = 0.5 * (before + after + alpha0 + alpha1) + reals[fixed + TIME_TORSION] * swift
    return torque / reals[fixed + COMPLIANCE], swift, nearest


@kernel
def support_work(h, torque, ints, reals, y, work):
    """Force of the supports on the cable by the ends' places over the step into y, and its work with the ends.

    W_FORCE holds the water's forces, W_GRADIENT the new gradients.
    """
    k, p = ints[MODES], ints[TENSIONS]
    m = k + 7
    time, rate = reals[ints[R_SCALARS] + TIME_BENDING], CALM + reals[ints[R_SCALARS] + TIME_AXIAL] / h
    done = 0.0
    for e in range(6):
        i = k + e
        total = reals[ints[R_WEIGHT] + i]
        if ints[WATER] == 1:
            total -= work[ints[W_FORCE] + i]
        mass, bend = ints[R_MASS] + i * m, ints[R_BENDING] + i * m
        total += product(reals, mass, work, ints[W_INERTIA], m) + product(reals, bend, work, ints[W_MEAN], m)
        if time > 0.0:
            total += time * product(reals, bend, work, ints[W_SPEED], m)
        for a in range(p):
            old, new = work[ints[W_STRAIN] + a], work[ints[W_STRAIN] + p + a]
            pull = 0.5 * (old + new) + rate * (new - old)
            total += 0.5 * pull * (work[ints[W_OLD_GRADIENT] + a * m + i] + work[ints[W_GRADIENT] + a * m + i])
        if ints[TWISTED] == 1:
            total += torque * work[ints[W_TWIST] + i]
        y[ints[Y_REACTION] + e] = total
        done += total * (work[ints[W_NEW] + i] - work[ints[W_OLD] + i])
    return done


@kernel
def lost_power(h, swift, ints, reals, work):
    """Power of internal damping over the step [W]."""
    k, p = ints[MODES], ints[TENSIONS]
    m = k + 7
    fixed = ints[R_SCALARS]
    lost = 0.0
    time = CALM * h + reals[fixed + TIME_AXIAL]
    for a in range(p):
        rate = (work[ints[W_STRAIN] + p + a] - work[ints[W_STRAIN] + a]) / h
        lost -= time * rate * rate
    if reals[fixed + TIME_BENDING] > 0.0:
        for i in range(m):
            row = product(reals, ints[R_BENDING] + i * m, work, ints[W_SPEED], m)
            lost -= reals[fixed + TIME_BENDING] * row * work[ints[W_SPEED] + i]
    if ints[TWISTED] == 1:
        lost -= reals[fixed + TIME_TORSION] * swift * swift / reals[fixed + COMPLIANCE]
    return lost


@kernel
def midpoint_step(t, h, u, ints, reals, y, work):
    """One step from t, in place; W_OLD_GRADIENT and W_STRAIN hold those of the state, and hold them after it."""
    k, p = ints[MODES], ints[TENSIONS]
    m = k + 7
    drive(t, h, u, ints, reals, y)
    first_guess(h, ints, y, work)
    rest_parts(ints[W_NEW], ints, reals, work)
    linear_parts(h, ints, reals, work)
    twisted, water = ints[TWISTED] == 1, ints[WATER] == 1
    alpha0, alpha1, before, torque, swift = 0.0, 0.0, 0.0, 0.0, 0.0
    if twisted:
        alpha0, alpha1 = turned(t, u, ints, reals), turned(t + h, u, ints, reals)
        frames_of(ints[W_OLD], ints[W_FRAMES], ints, reals, work)
        before, _ = twist_of(ints[W_FRAMES], ints, reals, work)
    new, rhs, matrix, power = ints[W_NEW], ints[W_RHS], ints[W_MATRIX], 0.0
    move, done = 1.0, False
    for _ in range(MOST_ITERATIONS):
        for i in range(k):
            row = ints[W_BASE] + i * k
            work[rhs + i] = work[ints[W_CONSTANT] + i] - product(work, row, work, new, k)
        for i in range(k * k):
            work[matrix + i] = work[ints[W_BASE] + i]
        stretch_rows(h, ints, reals, work)
        if twisted or water:
            means(h, ints, work)
        if twisted:
            torque, swift, nearest = twist_rows(h, before, alpha0, alpha1, ints, reals, work)
            if not nearest > FLAT:
                return FRAME
            stiff = (0.5 + reals[ints[R_SCALARS] + TIME_TORSION] / h) / reals[ints[R_SCALARS] + COMPLIANCE]
            for i in range(k):
                f = work[ints[W_TWIST] + i]
                work[rhs + i] -= torque * f
                gain(work, matrix + i * k, stiff * f, work, ints[W_TWIST], k)
        if water:
            for i in range(m):
                work[ints[W_FORCE] + i] = 0.0
            power = water_rows(
                t + 0.5 * h, ints[W_MEAN], ints[W_SPEED], ints[W_INERTIA], h, ints[W_FORCE], ints, reals, work
            )
            for i in range(k):
                work[rhs + i] += work[ints[W_FORCE] + i]
        if not dense_solve(k, matrix, rhs, work):
            return NEWTON
        move = 0.0
        for i in range(k):
            work[new + i] += work[rhs + i]
            move = max(move, abs(work[rhs + i]))
        if not move < FAR:
            return NEWTON
        if move < CLOSE:
            done = True
            break
    if not done:
        return NEWTON
    means(h, ints, work)
    gradients(new, ints[W_GRADIENT], ints[W_STRAIN] + p, ints, reals, work)
    ledger = ints[Y_LEDGER]
    y[ledger + WORK_DRIVES] += support_work(h, torque, ints, reals, y, work) + torque * (alpha1 - alpha0)
    y[ledger + WORK_DAMPING] += h * lost_power(h, swift, ints, reals, work)
    y[ledger + WORK_DRAG] += h * power
    y[ints[Y_TORQUE]] = torque
    for i in range(k):
        y[ints[Y_COORDINATE] + i] = work[new + i]
        y[ints[Y_RATE] + i] = 2.0 * work[ints[W_SPEED] + i] - work[ints[W_OLD_RATE] + i]
        y[ints[Y_ACCELERATION] + i] = work[ints[W_INERTIA] + i]
    for i in range(6):
        y[ints[Y_ENDS] + i] = work[new + k + i]
        y[ints[Y_END_RATE] + i] = 2.0 * work[ints[W_SPEED] + k + i] - work[ints[W_OLD_RATE] + k + i]
    for i in range(p * m):
        work[ints[W_OLD_GRADIENT] + i] = work[ints[W_GRADIENT] + i]
    rate = CALM + reals[ints[R_SCALARS] + TIME_AXIAL] / h
    for a in range(p):
        old, after = work[ints[W_STRAIN] + a], work[ints[W_STRAIN] + p + a]
        y[ints[Y_TENSION] + a] = 0.5 * (old + after) + rate * (after - old)
        work[ints[W_STRAIN] + a] = after
    return OK


@kernel
def static_rows(t, u, ints, reals, y, work, out):
    """Forces by all of z (m) on the state at rest at t into `out`; the torque into y. Returns a status."""
    k, p = ints[MODES], ints[TENSIONS]
    m = k + 7
    z, speed = ints[W_OLD], ints[W_SPEED]
    fill(k, y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, work, z)
    gradients(z, ints[W_GRADIENT], ints[W_STRAIN] + p, ints, reals, work)
    torque = 0.0
    if ints[TWISTED] == 1:
        frames_of(z, ints[W_FRAMES], ints, reals, work)
        total, nearest = twist_of(ints[W_FRAMES], ints, reals, work)
        twist_gradient(ints[W_FRAMES], ints[W_TWIST], ints, reals, work)
        if not nearest > FLAT:
            return FRAME
        torque = (total + turned(t, u, ints, reals)) / reals[ints[R_SCALARS] + COMPLIANCE]
    y[ints[Y_TORQUE]] = torque
    for a in range(p):
        y[ints[Y_TENSION] + a] = work[ints[W_STRAIN] + p + a]
    for i in range(m):
        work[speed + i] = 0.0
        work[ints[W_FORCE] + i] = 0.0
    if ints[WATER] == 1:
        water_rows(t, z, speed, speed, 0.0, ints[W_FORCE], ints, reals, work)
    for i in range(m):
        total = work[ints[W_FORCE] + i] - reals[ints[R_WEIGHT] + i]
        total -= product(reals, ints[R_BENDING] + i * m, work, z, m)
        for a in range(p):
            total -= work[ints[W_STRAIN] + p + a] * work[ints[W_GRADIENT] + a * m + i]
        if ints[TWISTED] == 1:
            total -= torque * work[ints[W_TWIST] + i]
        out[i] = total
    return OK
