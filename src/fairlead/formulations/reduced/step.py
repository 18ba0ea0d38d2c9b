"""The energy-momentum midpoint rule on the reduced state: large steps that keep what is stored and given in balance.

M(ż₁ − ż₀)/h = F and (ż₀ + ż₁)/2 = (z₁ − z₀)/h. The mean of s_a at the two ends of the step, the pull λ_a, acts on the
gradient in the mean state, which makes the change of U = ½Σs_a² exact since s_a is quadratic; bending is linear; the
twist's gradient is corrected along the step (Gonzalez). Momentum is that of the q-rows of M ż, so that accelerations of
the ends are never needed. What is left is K equations, whatever the number of elements.

Coordinates and pulls are sought together. Among the coordinates mass, bending and the first pulls are diagonal, so that
all that is left to be factored is p × p, once a step; what the pulls differ from the first ones acts on the right-hand
side alone. Where that does not converge in a few iterations, and in water, whose matrix is full, the whole is factored.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import FLAT
from fairlead.algebra.small import dot
from fairlead.loads.end_motion import commanded, follow
from fairlead.loads.signals import table_value

from .arrays import (
    COMPLIANCE, DAMPED, FIXED, I_CONTROLS, I_HELD, I_LOADS, LOAD_INTS, MODES, N_CONTROLLED, N_HELD, N_LOADS, N_TWISTS,
    NEW_ANGLE, OLD_ANGLE, R_CONTROLS, R_DAMPING, R_EASE, R_LOADS, R_MASS, R_PULLS, R_SQUARES, R_STIFF, R_TABLE,
    R_WEIGHT, STATE, SWIFT, TENSIONS, TIME, TORQUE, TWIST_WORK, W_BASE, W_CHANGE, W_CONSTANT, W_EASE, W_FORCE,
    W_FRAMES, W_GRADIENT, W_INERTIA, W_INVERSE, W_LAW, W_MATRIX, W_MEAN, W_MEAN_ROWS, W_MOVE, W_NEW, W_OLD,
    W_OLD_GRADIENT, W_OLD_RATE, W_OLD_ROWS, W_OLD_STRAIN, W_PULL, W_RHS, W_ROWS, W_SCHUR, W_SOFT, W_SPEED, W_STRAIN,
    W_TURN, W_WET, WATER, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, Y_ACCELERATION, Y_BEFORE, Y_CONTROLS, Y_COORDINATE,
    Y_END_RATE, Y_ENDS, Y_LEDGER, Y_RATE, Y_REACTION, Y_TENSION, Y_TORQUE, R_FORMS, clear, copy, gain, gain_columns,
    gain_vector, product, vector_of, vector_product,
)  # fmt: skip
from .forms import factor, gradients, substitute
from .sea_loads import water_energies, water_rows
from .twist import begin_twist, by_frame, by_state, frame_of, move_frame, still_torque, twist_reals, twist_step

OK, RANGE, NEWTON, FRAME_LOST = 0, 1, 2, 3
MOST_ITERATIONS = 40
FEW = 6
"""Iterations after which the whole matrix is factored."""
CLOSE = 1e-8
"""m: what may be left of the last move, as the last two tell."""
TURNED = 1e-5
"""m: moves that no longer change the gradient of the twist."""
CALM = 0.05
"""Damping time of the stretching in steps. Tensions that change faster than the steps would ring from one to the next
for ever; so they fade within some ten steps, and slower ones do not feel it. It is booked with the damping."""
FAR = 1e3
"""m: no coordinate moves so far in a step."""


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k."""
    return commanded(t, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals)


@kernel
def drive(t, h, u, ints, reals, y):
    """Move the controlled points by a step."""
    for k in range(ints[N_CONTROLLED]):
        at = ints[Y_CONTROLS] + 6 * k
        follow(t, h, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals, y, at)


@kernel
def fill(y, coordinate, ends, last, ints, work, to):
    """(q, ends, last) into work."""
    k, m = ints[MODES], ints[STATE]
    copy(work, to, y, coordinate, k)
    copy(work, to + k, y, ends, m - k - 1)
    work[to + m - 1] = last


@kernel
def load_factor(t, k, ints, reals):
    """Factor of point load k (1 when it has no table)."""
    load = ints[I_LOADS] + LOAD_INTS * k
    if ints[load + 1] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load], ints[load + 1], 2, 1)


@kernel
def load_rows(t, force, ints, reals, work):
    """Add the loads on free points by z to work from `force`."""
    m = ints[STATE]
    for k in range(ints[N_LOADS]):
        at, f = ints[R_LOADS] + (3 + 3 * m) * k, load_factor(t, k, ints, reals)
        push = (f * reals[at], f * reals[at + 1], f * reals[at + 2])
        gain_vector(work, force, push, reals, at + 3, m)


@kernel
def begin(t, h, ints, reals, y, work):
    """What steps of size h from the state at t start from: its gradients, frames, energies in water, fixed matrices."""
    k, p, m = ints[MODES], ints[TENSIONS], ints[STATE]
    fill(y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, ints, work, ints[W_NEW])
    fill(y, ints[Y_RATE], ints[Y_END_RATE], 0.0, ints, work, ints[W_OLD_RATE])
    gradients(ints[W_NEW], ints[W_GRADIENT], ints[W_STRAIN], ints, reals, work)
    for j in range(ints[N_TWISTS]):
        frame_of(ints[W_NEW], j, ints, reals, work)
    if ints[WATER] == 1:
        wet = ints[W_WET]
        work[wet], work[wet + 1] = water_energies(t, ints[W_NEW], ints[W_OLD_RATE], ints, reals, work)
    for i in range(k):
        base = 2.0 / (h * h) * reals[ints[R_MASS] + i * m + i] + 0.5 * reals[ints[R_STIFF] + i * m + i]
        work[ints[W_BASE] + i] = base
        work[ints[W_INVERSE] + i] = 1.0 / (base + reals[ints[R_DAMPING] + i * m + i] / h)
    for a in range(p):
        for b in range(p):
            ease = reals[ints[R_EASE] + a * p + b] / h + (CALM if a == b else 0.0)
            work[ints[W_EASE] + a * p + b] = ease
            work[ints[W_SCHUR] + a * p + b] = ease + (0.5 if a == b else 0.0)
    well = factor(p, ints[W_SCHUR], work)
    for b in range(p):
        clear(work, ints[W_CHANGE], p)
        work[ints[W_CHANGE] + b] = 1.0
        substitute(p, ints[W_SCHUR], ints[W_CHANGE], work)
        for a in range(p):
            work[ints[W_LAW] + a * p + b] = work[ints[W_CHANGE] + a]
    return well


@kernel
def first_guess(t, h, u, ints, reals, y, work):
    """The step's start: old state, the ends where they are driven to, coordinates as they would go on; what of the
    balance does not change in the step."""
    k, p, m = ints[MODES], ints[TENSIONS], ints[STATE]
    old, new, rate, move = ints[W_OLD], ints[W_NEW], ints[W_OLD_RATE], ints[W_MOVE]
    copy(work, old, work, new, m)
    copy(work, ints[W_OLD_GRADIENT], work, ints[W_GRADIENT], p * m)
    copy(work, ints[W_OLD_STRAIN], work, ints[W_STRAIN], p)
    copy(work, ints[W_PULL], y, ints[Y_TENSION], p)
    for i in range(k):
        grown = 2.0 * y[ints[Y_ACCELERATION] + i] - y[ints[Y_BEFORE] + i]
        work[move + i] = h * (work[rate + i] + 0.5 * h * grown)
    for e in range(ints[N_HELD]):
        held = ints[ints[I_HELD] + e]
        for i in range(3):
            at = k + 3 * e + i
            work[move + at] = 0.0 if held == FIXED else y[ints[Y_CONTROLS] + 6 * held + i] - work[old + at]
    work[move + m - 1] = 0.0
    for i in range(m):
        work[new + i] = work[old + i] + work[move + i]
    ends, mean, inertia = m - k, ints[W_MEAN] + k, ints[W_INERTIA] + k
    for e in range(ends):
        at = k + e
        work[mean + e] = work[old + at] + 0.5 * work[move + at]
        work[inertia + e] = 2.0 / h * (work[move + at] / h - work[rate + at])
    clear(work, ints[W_FORCE], m)
    load_rows(t + 0.5 * h, ints[W_FORCE], ints, reals, work)
    for i in range(k):
        row = ints[R_MASS] + i * m
        total = 2.0 / h * reals[row + i] * (work[old + i] / h + work[rate + i])
        total -= product(reals, row + k, work, inertia, ends - 1)
        row = ints[R_STIFF] + i * m
        total -= 0.5 * reals[row + i] * work[old + i] + product(reals, row + k, work, mean, ends)
        work[ints[W_CONSTANT] + i] = total - reals[ints[R_WEIGHT] + i] + work[ints[W_FORCE] + i]
    begin_rows(ints, reals, work)
    for j in range(ints[N_TWISTS]):
        begin_twist(t, h, j, u, ints, reals, work)


@kernel
def begin_rows(ints, reals, work):
    """Gradients and strains of the guess: those of the old state and what the move adds."""
    k, p, m = ints[MODES], ints[TENSIONS], ints[STATE]
    now, was = ints[W_GRADIENT], ints[W_OLD_GRADIENT]
    gain_columns(work, now, work, ints[W_MOVE], m - 1, reals, ints[R_FORMS], p * m)
    for a in range(p):
        grown = product(work, was + a * m, work, ints[W_MOVE], m - 1)
        grown += product(work, now + a * m, work, ints[W_MOVE], m - 1)
        work[ints[W_STRAIN] + a] = work[ints[W_OLD_STRAIN] + a] + 0.5 * grown
        copy(work, ints[W_OLD_ROWS] + a * k, work, was + a * m, k)
        copy(work, ints[W_ROWS] + a * k, work, now + a * m, k)


@kernel
def whole_matrix(h, ints, reals, work):
    """The matrix of a step with the present pulls, (K, K); the water's part is in W_MATRIX already."""
    k, p, m = ints[MODES], ints[TENSIONS], ints[STATE]
    for i in range(k):
        row = ints[W_MATRIX] + i * k
        work[row + i] += work[ints[W_BASE] + i]
        if ints[DAMPED] == 1:
            gain(work, row, 1.0 / h, reals, ints[R_DAMPING] + i * m, k)
        for a in range(p):
            excess = work[ints[W_PULL] + a] - reals[ints[R_PULLS] + a]
            gain(work, row, 0.5 * excess, reals, ints[R_SQUARES] + i * p * k + a * k, k)
    return factor(k, ints[W_MATRIX], work)


@kernel
def soften(whole, at, ints, work):
    """Forces on the coordinates (K) in work become moves."""
    k = ints[MODES]
    if whole:
        substitute(k, ints[W_MATRIX], at, work)
    else:
        for i in range(k):
            work[at + i] *= work[ints[W_INVERSE] + i]


@kernel
def factor_pulls(whole, ints, work):
    """W⁻¹ of the mean gradients into W_SOFT, and the factors of what the pulls themselves obey, (p, p)."""
    k, p = ints[MODES], ints[TENSIONS]
    soft, rows = ints[W_SOFT], ints[W_ROWS]
    copy(work, soft, work, ints[W_MEAN_ROWS], p * k)
    for a in range(p):
        soften(whole, soft + a * k, ints, work)
    for a in range(p):
        for b in range(p):
            at = a * p + b
            work[ints[W_SCHUR] + at] = work[ints[W_LAW] + at] + product(work, rows + a * k, work, soft + b * k, k)
    return factor(p, ints[W_SCHUR], work)


@kernel
def correct(whole, ints, reals, work):
    """One correction of coordinates and pulls from the forces left over in W_RHS. Returns the largest move."""
    k, p = ints[MODES], ints[TENSIONS]
    rhs, rows, change, pull = ints[W_RHS], ints[W_ROWS], ints[W_CHANGE], ints[W_PULL]
    strain, was, mean = ints[W_STRAIN], ints[W_OLD_STRAIN], ints[W_MEAN_ROWS]
    soften(whole, rhs, ints, work)
    for a in range(p):  # by how far the pulls are not those of the strains
        grown = 0.5 * (work[strain + a] + work[was + a]) - work[pull + a]
        for b in range(p):
            grown += work[ints[W_EASE] + a * p + b] * (work[strain + b] - work[was + b])
        work[mean + a] = grown  # the mean gradients are no longer needed
    for a in range(p):
        own = product(work, ints[W_LAW] + a * p, work, mean, p)
        work[change + a] = own + product(work, rows + a * k, work, rhs, k)
    substitute(p, ints[W_SCHUR], change, work)
    for a in range(p):
        work[pull + a] += work[change + a]
        gain(work, rhs, -work[change + a], work, ints[W_SOFT] + a * k, k)
    most = 0.0
    for i in range(k):
        d = work[rhs + i]
        work[ints[W_NEW] + i] += d
        work[ints[W_MOVE] + i] += d
        most = max(most, abs(d))
        if not abs(d) < FAR:
            return FAR
    copy(work, mean, work, rows, p * k)
    gain_columns(work, rows, work, rhs, k, reals, ints[R_SQUARES], p * k)
    for a in range(p):
        grown = product(work, rows + a * k, work, rhs, k) + product(work, mean + a * k, work, rhs, k)
        work[strain + a] += 0.5 * grown
    return most


@kernel
def means(h, ints, work):
    """Mean places, speeds and accelerations of the step."""
    old, move, rate = ints[W_OLD], ints[W_MOVE], ints[W_OLD_RATE]
    for i in range(ints[STATE]):
        speed = work[move + i] / h
        work[ints[W_MEAN] + i] = work[old + i] + 0.5 * work[move + i]
        work[ints[W_SPEED] + i] = speed
        work[ints[W_INERTIA] + i] = 2.0 * (speed - work[rate + i]) / h


@kernel
def balance(h, ints, reals, work):
    """Forces left over on the coordinates, less water and twist, into W_RHS; the mean gradients into W_MEAN_ROWS."""
    k, p, m = ints[MODES], ints[TENSIONS], ints[STATE]
    rhs, new, mean = ints[W_RHS], ints[W_NEW], ints[W_MEAN_ROWS]
    for i in range(p * k):
        work[mean + i] = 0.5 * (work[ints[W_OLD_ROWS] + i] + work[ints[W_ROWS] + i])
    for i in range(k):
        work[rhs + i] = work[ints[W_CONSTANT] + i] - work[ints[W_BASE] + i] * work[new + i]
    for a in range(p):
        gain(work, rhs, reals[ints[R_PULLS] + a] - work[ints[W_PULL] + a], work, mean + a * k, k)
    if ints[DAMPED] == 1:
        for i in range(k):
            work[rhs + i] -= product(reals, ints[R_DAMPING] + i * m, work, ints[W_MOVE], m) / h


@kernel
def solve_step(t, h, ints, reals, work):
    """Coordinates and pulls at the end of the step. Returns a status and the power of the water."""
    k = ints[MODES]
    water, twists = ints[WATER] == 1, ints[N_TWISTS]
    whole, power = water, 0.0
    latest, move = 1e300, 1e300
    for iteration in range(MOST_ITERATIONS):
        fresh = iteration == 0 or iteration >= FEW
        whole = water or iteration >= FEW
        balance(h, ints, reals, work)
        if whole and fresh:
            clear(work, ints[W_MATRIX], k * k)
        for j in range(twists):
            if move > TURNED and not twist_step(h, j, ints, reals, work) > FLAT:
                return FRAME_LOST, 0.0
            torque = work[ints[W_FRAMES] + TWIST_WORK * j + TORQUE]
            gain(work, ints[W_RHS], -torque, work, ints[W_TURN] + ints[STATE] * j, k)
        if water:
            means(h, ints, work)
            clear(work, ints[W_FORCE], ints[STATE])
            power = water_rows(
                t + 0.5 * h, ints[W_MEAN], ints[W_SPEED], ints[W_INERTIA], h, ints[W_FORCE], fresh, ints, reals, work
            )
            gain(work, ints[W_RHS], 1.0, work, ints[W_FORCE], k)
        if fresh:
            if whole and not whole_matrix(h, ints, reals, work):
                return NEWTON, 0.0
            if not factor_pulls(whole, ints, work):
                return NEWTON, 0.0
        latest = move
        move = correct(whole, ints, reals, work)
        if not move < FAR:
            return NEWTON, 0.0
        for j in range(twists):
            move_frame(j, ints[W_RHS], ints, reals, work)
        if move < CLOSE or (iteration > 0 and move * move < CLOSE * latest):
            return OK, power
    return NEWTON, 0.0


@kernel
def support_work(t, h, ints, reals, y, work):
    """Force of the supports on the cables by the ends' places over the step into y, and its work with the ends.

    W_FORCE holds the water's forces, W_GRADIENT the new gradients.
    """
    k, p, m = ints[MODES], ints[TENSIONS], ints[STATE]
    done = 0.0
    for j in range(ints[N_TWISTS]):
        by_state(j, k, m - 1 - k, ints, reals, work)
    if ints[WATER] == 0:
        clear(work, ints[W_FORCE], m)
    load_rows(t + 0.5 * h, ints[W_FORCE], ints, reals, work)
    for i in range(k, m - 1):
        total = reals[ints[R_WEIGHT] + i] - work[ints[W_FORCE] + i]
        total += product(reals, ints[R_MASS] + i * m, work, ints[W_INERTIA], m)
        total += product(reals, ints[R_STIFF] + i * m, work, ints[W_MEAN], m)
        if ints[DAMPED] == 1:
            total += product(reals, ints[R_DAMPING] + i * m, work, ints[W_SPEED], m)
        for a in range(p):
            excess = work[ints[W_PULL] + a] - reals[ints[R_PULLS] + a]
            at = a * m + i
            total += 0.5 * excess * (work[ints[W_OLD_GRADIENT] + at] + work[ints[W_GRADIENT] + at])
        for j in range(ints[N_TWISTS]):
            total += work[ints[W_FRAMES] + TWIST_WORK * j + TORQUE] * work[ints[W_TURN] + m * j + i]
        y[ints[Y_REACTION] + i - k] = total
        done += total * work[ints[W_MOVE] + i]
    return done


@kernel
def lost_work(h, ints, reals, work):
    """Work of internal damping over the step [J]."""
    p, m = ints[TENSIONS], ints[STATE]
    lost = 0.0
    for a in range(p):
        grown = work[ints[W_STRAIN] + a] - work[ints[W_OLD_STRAIN] + a]
        for b in range(p):
            ease = work[ints[W_EASE] + a * p + b]
            lost -= ease * grown * (work[ints[W_STRAIN] + b] - work[ints[W_OLD_STRAIN] + b])
    if ints[DAMPED] == 1:
        for i in range(m):
            row = product(reals, ints[R_DAMPING] + i * m, work, ints[W_SPEED], m)
            lost -= h * row * work[ints[W_SPEED] + i]
    for j in range(ints[N_TWISTS]):
        fixed, swift = twist_reals(j, ints), work[ints[W_FRAMES] + TWIST_WORK * j + SWIFT]
        lost -= h * reals[fixed + TIME] * swift * swift / reals[fixed + COMPLIANCE]
    return lost


@kernel
def given_work(t, h, ints, reals, y, work):
    """Work of turned ends and of loads on points over the step [J]; torques into y."""
    m = ints[STATE]
    given = 0.0
    for j in range(ints[N_TWISTS]):
        at = ints[W_FRAMES] + TWIST_WORK * j
        given += work[at + TORQUE] * (work[at + NEW_ANGLE] - work[at + OLD_ANGLE])
        y[ints[Y_TORQUE] + j] = work[at + TORQUE]
    for j in range(ints[N_LOADS]):
        at = ints[R_LOADS] + (3 + 3 * m) * j
        moved = vector_product(reals, at + 3, work, ints[W_MOVE], m)
        given += load_factor(t + 0.5 * h, j, ints, reals) * dot(vector_of(reals, at), moved)
    return given


@kernel
def midpoint_step(t, h, u, ints, reals, y, work):
    """One step from t, in place; W_NEW, W_OLD_RATE, W_GRADIENT, W_STRAIN and the old frames are those of the state."""
    k, p = ints[MODES], ints[TENSIONS]
    drive(t, h, u, ints, reals, y)
    first_guess(t, h, u, ints, reals, y, work)
    status, power = solve_step(t, h, ints, reals, work)
    if status != OK:
        return status
    means(h, ints, work)
    gradients(ints[W_NEW], ints[W_GRADIENT], ints[W_STRAIN], ints, reals, work)
    ledger = ints[Y_LEDGER]
    y[ledger + WORK_DRIVES] += support_work(t, h, ints, reals, y, work) + given_work(t, h, ints, reals, y, work)
    y[ledger + WORK_DAMPING] += lost_work(h, ints, reals, work)
    for i in range(k):
        y[ints[Y_BEFORE] + i] = y[ints[Y_ACCELERATION] + i]
        y[ints[Y_ACCELERATION] + i] = work[ints[W_INERTIA] + i]
    for i in range(ints[STATE] - 1):
        work[ints[W_OLD_RATE] + i] = 2.0 * work[ints[W_SPEED] + i] - work[ints[W_OLD_RATE] + i]
    copy(y, ints[Y_COORDINATE], work, ints[W_NEW], k)
    copy(y, ints[Y_RATE], work, ints[W_OLD_RATE], k)
    copy(y, ints[Y_ENDS], work, ints[W_NEW] + k, 3 * ints[N_HELD])
    copy(y, ints[Y_END_RATE], work, ints[W_OLD_RATE] + k, 3 * ints[N_HELD])
    copy(y, ints[Y_TENSION], work, ints[W_PULL], p)
    for j in range(ints[N_TWISTS]):
        frame_of(ints[W_NEW], j, ints, reals, work)
    if ints[WATER] == 1:  # what the water did, less what it keeps as energy of added mass and buoyancy
        wet = ints[W_WET]
        moving, lifted = water_energies(t + h, ints[W_NEW], ints[W_OLD_RATE], ints, reals, work)
        y[ledger + WORK_DRAG] += h * power + (moving - work[wet]) + (lifted - work[wet + 1])
        work[wet], work[wet + 1] = moving, lifted
    return OK


@kernel
def still_state(ints, y, work):
    """The state at rest: no speeds and accelerations in work, and the pulls of its strains in y."""
    clear(work, ints[W_SPEED], ints[STATE])
    clear(work, ints[W_INERTIA], ints[STATE])
    copy(y, ints[Y_TENSION], work, ints[W_STRAIN], ints[TENSIONS])


@kernel
def moving_state(ints, y, work, out):
    """Speeds and accelerations of the state into work, the latter with those of the ends in `out`."""
    k, m = ints[MODES], ints[STATE]
    fill(y, ints[Y_RATE], ints[Y_END_RATE], 0.0, ints, work, ints[W_SPEED])
    copy(work, ints[W_INERTIA], y, ints[Y_ACCELERATION], k)
    copy(work, ints[W_INERTIA] + k, out, k, m - k - 1)
    work[ints[W_INERTIA] + m - 1] = 0.0


@kernel
def force_rows(t, u, moving, ints, reals, y, work, out):
    """Forces left over by all of z (m) at t into `out`. Returns a status.

    Of the state at rest, whose pulls and torques go to y; or, `moving`, of the state as it moves, with the pulls in y
    and the accelerations of the ends in their places of `out`.
    """
    p, m = ints[TENSIONS], ints[STATE]
    z, speed, inertia = ints[W_NEW], ints[W_SPEED], ints[W_INERTIA]
    fill(y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, ints, work, z)
    gradients(z, ints[W_GRADIENT], ints[W_STRAIN], ints, reals, work)
    if moving:
        moving_state(ints, y, work, out)
    else:
        still_state(ints, y, work)
    clear(work, ints[W_MOVE], m)
    clear(work, ints[W_FORCE], m)
    load_rows(t, ints[W_FORCE], ints, reals, work)
    if ints[WATER] == 1:
        water_rows(t, z, speed, inertia, 1.0, ints[W_FORCE], False, ints, reals, work)
    for i in range(m):
        total = work[ints[W_FORCE] + i] - reals[ints[R_WEIGHT] + i]
        total -= product(reals, ints[R_STIFF] + i * m, work, z, m)
        total -= product(reals, ints[R_MASS] + i * m, work, inertia, m)
        if ints[DAMPED] == 1:
            total -= product(reals, ints[R_DAMPING] + i * m, work, speed, m)
        for a in range(p):
            excess = y[ints[Y_TENSION] + a] - reals[ints[R_PULLS] + a]
            total -= excess * work[ints[W_GRADIENT] + a * m + i]
        out[i] = total
    for j in range(ints[N_TWISTS]):
        torque, nearest = still_torque(t, j, u, ints, reals, work)
        if not nearest > FLAT:
            return FRAME_LOST
        by_frame(j, 0.0, ints, reals, work)
        by_state(j, 0, m - 1, ints, reals, work)
        y[ints[Y_TORQUE] + j] = torque
        for i in range(m - 1):
            out[i] -= torque * work[ints[W_TURN] + m * j + i]
    return OK
