"""Time: what happens in a step, and many steps in one compiled call.

A step is that of a midpoint rule with the stiff parts taken implicitly. From q₀, v₀ at its start:

1. all is placed at q₀ + ½h v₀ and loaded; tension and its damping are taken at θh into the step, drag and joints'
   springs in its middle, by terms on the diagonal of the elimination; the accelerations a′ come out;
2. the same with the speeds v₀ + ½h a′ in drag and in the terms quadratic in the speeds, giving a;
3. v₁ = v₀ + h a and q₁ = q₀ + ½h (v₀ + v₁); lengths of elements q₁ = q₀ + h((1 − θ) v₀ + θ v₁).

It is of second order (with θ = 1, the default, but for the stretching of the cables, which it damps), and no axial
stiffness is too stiff for it. What limits the step is the string stiffness T/ℓ of the cables: h < 2/ω, ω² = 4T/(mℓ).
"""

from __future__ import annotations

from fairlead.algebra.compiled import fold, kernel

from .arrays import (
    AT_Q, AT_V, CABLE, CABLE_ELEMENT, ELEMENT, FAULT, HALF, KIND, N_BODIES, N_CABLES, N_Q, N_V, POWER_DRAG,
    POWER_DRIVES, POWER_FRICTION, PREDICTED, ROD, R_SETTINGS, SLACK, STEP, STIFFNESS, THETA, THETA_STEP, WORK_DAMPING,
    WORK_DRAG, WORK_DRIVES, WORK_FRICTION, W_RATES, W_START, W_STIFF, W_TENSION, Y_LEDGER, Y_LENGTH, Y_Q, Y_RATE, Y_V,
    body_at, cable_at, element_at, first_active, is_active,
)  # fmt: skip
from .articulated import OK
from .commands import follow, move_bases, rest_bases
from .coordinates import drift
from .equations import book_powers
from .extremes import note_extremes
from .forces import damper_power, solve
from .joints import place_all
from .lines import push_all, stretch_energy
from .standing import book_standing
from .upkeep import keep_up
from .winch import length_rate_of, rate_at, steered


@kernel
def grow(share, ints, y, work):
    """Let line enter (or leave) the first elements for a time `share` [s]."""
    for c in range(ints[N_CABLES]):
        rate = work[ints[W_RATES] + c]
        if rate != 0.0:
            first = ints[cable_at(ints, c) + CABLE_ELEMENT] + first_active(ints, y, c)
            y[ints[Y_LENGTH] + first] += share * rate


@kernel
def stretch_on(h, ints, reals, y, work):
    """Elements' lengths by θ at the end of the step, and the work of the dampers, that of the step itself included.

    What the tension does not store it has taken: ΔE − T Δℓ; the drum's part of ΔE is booked with its power.
    """
    theta = reals[ints[R_SETTINGS] + THETA]
    start_q, start_v, found = ints[W_START] - ints[Y_Q], ints[W_START] + ints[N_Q] - ints[Y_V], ints[N_V]
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        if ints[body + KIND] != CABLE or not is_active(ints, y, body):
            continue
        q, v, e = ints[body + AT_Q] + 2, ints[body + AT_V] + 2, ints[body + ELEMENT]
        element = element_at(ints, e)
        before, speed = work[start_q + q], work[start_v + v]
        y[q] = before + h * ((1.0 - theta) * speed + theta * y[v])
        acceleration = work[start_v + v + found]
        tension = work[ints[W_TENSION] + e] + work[ints[W_STIFF] + v - ints[Y_V]] * acceleration
        rate, length = length_rate_of(body, ints, y, work), y[ints[Y_LENGTH] + e]
        stored = stretch_energy(y[q], length, ints, reals, element)
        stored -= stretch_energy(before, length - h * rate, ints, reals, element)
        strain = (0.5 * (before + y[q])) / (length - 0.5 * h * rate) - 1.0
        if rate != 0.0 and (strain > 0.0 or ints[SLACK] == ROD):
            stored += h * rate * reals[element + STIFFNESS] * strain * (1.0 + 0.5 * strain)
        y[ints[Y_LEDGER] + WORK_DAMPING] += stored - tension * (y[q] - before)


@kernel
def one_step(t, h, u, ints, reals, y, work):
    """One step from t, in place. Returns a status."""
    start, speeds = ints[W_START], ints[W_START] + ints[N_Q]
    rates = speeds + ints[N_V]
    work[STEP], work[HALF], work[THETA_STEP] = h, 0.5 * h, reals[ints[R_SETTINGS] + THETA] * h
    for k in range(ints[N_Q] + ints[N_V]):
        work[start + k] = y[ints[Y_Q] + k]
    if steered(ints, reals):
        rest_bases(ints, reals, work)
        move_bases(t, u, ints, reals, y, work)
        place_all(ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        work[ints[W_RATES] + c] = rate_at(t + 0.5 * h, c, h, u, ints, reals, y, work)
        y[ints[Y_RATE] + c] = work[ints[W_RATES] + c]
    drift(0.5 * h, ints, y, work, speeds)
    grow(0.5 * h, ints, y, work)
    rest_bases(ints, reals, work)
    follow(t, 0.5 * h, u, ints, reals, y)
    move_bases(t + 0.5 * h, u, ints, reals, y, work)
    work[PREDICTED] = 0.0
    damped = 0.0
    for turn in range(2):
        status = solve(t + 0.5 * h, ints, reals, y, work, work, rates)
        if status != OK:
            work[FAULT] = t
            return status
        work[PREDICTED] = 1.0
        for k in range(ints[N_V]):
            y[ints[Y_V] + k] = work[speeds + k] + (0.5 * h if turn == 0 else h) * work[rates + k]
        if turn == 0:
            damped = damper_power(ints, reals, y)
    damped += push_all(ints, reals, y, work)
    note_extremes(t + 0.5 * h, ints, reals, y, work)
    damped += book_standing(ints, reals, work)
    book_powers(t + 0.5 * h, ints, reals, y, work)
    ledger = ints[Y_LEDGER]
    y[ledger + WORK_DRAG] += h * work[POWER_DRAG]
    y[ledger + WORK_DAMPING] += h * damped
    y[ledger + WORK_FRICTION] += h * work[POWER_FRICTION]
    y[ledger + WORK_DRIVES] += h * work[POWER_DRIVES]
    grow(0.5 * h, ints, y, work)
    drift(0.5 * h, ints, y, y, ints[Y_V])
    stretch_on(h, ints, reals, y, work)
    follow(t + 0.5 * h, 0.5 * h, u, ints, reals, y)
    move_bases(t + h, u, ints, reals, y, work)
    place_all(ints, reals, y, work)
    return keep_up(t + h, ints, reals, y, work)


@fold
def advance(t, n, h, u, ints, reals, y, work):
    """n steps of size h from t, in place. Returns a status."""
    for i in range(n):
        status = one_step(t + i * h, h, u, ints, reals, y, work)
        if status != OK:
            return status
    return OK
