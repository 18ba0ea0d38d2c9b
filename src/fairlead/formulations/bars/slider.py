"""Rings that slide along a cable: the sliding end of a cable (Eq. 18–21 of the paper).

A ring is a hub. It is held to one bar of its host by two rows across the bar, λ = G·C̈ + D·Ċ + K·C with C the offset
from the bar's axis, and along the bar by friction or, at the ends of the host, by a stop. The rows are written in the
bar's frame: with r = Rᵀ(p_ring − p_bar),

    ṙ = Rᵀ(v_ring − v_bar) − w × r,     r̈ = Rᵀ(a_ring − a_bar) − α × r − 2 w × ṙ − w × (w × r).

Friction is elastic stick–slip with memory, as on the seabed: a spring along the bar from where the ring stuck last,
capped at μ times the force across of the previous step. (The paper's regularised Coulomb friction creeps.) The memory
is the slip itself, so that it goes along when the ring passes from one bar to the next. The spring is no stiffer than
m/h²: a ring that comes to rest overshoots by up to h²F/m in its last step, and the spring must still hold it there, or
it slips back and forth for ever.

Which bar a ring is on is part of the state. Passing on needs no new order of elimination: the ring is *carried* (see
`hubs`) through all bars behind the one it is on, whichever that is.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, cross, dot, subtract, transposed_matvec
from fairlead.loads.rigid_body import BODY_MASS

from .arrays import (
    CABLE_COUNT, CABLE_FIRST, I_SLIDERS, MASS, N_CABLES, N_SLIDERS, R_SLIDERS, SLIDER_INTS, SLIDER_KEPT,
    SLIDER_REALS, SLIDER_STATE, WORK_FRICTION, W_ACCELERATION, W_HUB_RHS, W_SLIDERS, Y_LEDGER, Y_SLIDERS, bar_at,
    bar_state_at, cable_at, hub_at, hub_of_end, hub_state_at, quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, STEP, rule_row
from .loosening import far_end, line_side, only_pulls, span_on_bar

RING, HOST = 0, 1
"""Of a slider in `ints`: its hub, the cable it slides on."""
ACROSS, GRIP, FRICTION_COEFFICIENT = 0, 1, 2
"""In `reals`: stiffness of the rows across; of the stops, and the greatest of the friction's spring; μ."""
ON_BAR, SLIP, PRESS = 0, 1, 2
"""In `y`: the bar it is on (counted through all bars), its slip since it stuck [m], the force across it [N]."""
G_ACROSS, G_ALONG, BIAS, ALONG_BEFORE, FORCE = 0, 1, 2, 5, 6
"""Kept in `work`: G of the rows, bias (3, bar frame), r_z before the step, multiplier (3, bar frame)."""


@kernel
def slider_state(ints, k):
    """Where slider k's state begins in `y`."""
    return ints[Y_SLIDERS] + SLIDER_STATE * k


@kernel
def ring_in_bar(k, p, R, v, w, ints, y):
    """r and ṙ of ring k in the frame of the bar it is on."""
    ring = hub_state_at(ints, ints[ints[I_SLIDERS] + SLIDER_INTS * k + RING])
    r = transposed_matvec(R, subtract(vector_of(y, ring), p))
    rate = subtract(transposed_matvec(R, subtract(vector_of(y, ring + 7), v)), cross(w, r))
    return r, rate


@kernel
def friction_spring(k, ints, reals, work):
    """Stiffness of the spring by which ring k sticks: the host's, at most m/h² with what must move along with the ring.

    That is its own mass and, of each cable that ends in it, what the end of a bar feels across: a quarter of its mass.
    """
    hub = ints[ints[I_SLIDERS] + SLIDER_INTS * k + RING]
    mass = reals[hub_at(ints, hub) + BODY_MASS]
    for end in range(2 * ints[N_CABLES]):
        if hub_of_end(ints, end) == hub:
            cable = cable_at(ints, end // 2)
            bar = ints[cable + CABLE_FIRST] + (ints[cable + CABLE_COUNT] - 1 if end % 2 == 1 else 0)
            mass += 0.25 * reals[bar_at(ints, bar) + MASS]
    return min(reals[ints[R_SLIDERS] + SLIDER_REALS * k + GRIP], mass / (work[STEP] * work[STEP]))


@kernel
def along_row(k, stopped, beyond, rate, ints, reals, y, work):
    """G and bias of the row along the bar: a stop where the step leads past an end of the host, else friction.

    A stop acts on where the ring will be and is damped by 3hk, so that the ring arrives without a rebound and rests
    there; `beyond` (signed) is where it is.
    """
    slider, state = ints[R_SLIDERS] + SLIDER_REALS * k, slider_state(ints, k)
    if stopped:
        g, d, stiffness = rule_row(reals[slider + GRIP], 3.0 * work[STEP] * reals[slider + GRIP], work)
        return g, stiffness * beyond + d * rate[2]
    limit = reals[slider + FRICTION_COEFFICIENT] * y[state + PRESS]
    if limit <= 0.0:
        return 0.0, 0.0
    g, d, stiffness = rule_row(friction_spring(k, ints, reals, work), 0.0, work)
    trial = stiffness * y[state + SLIP] + d * rate[2]
    if trial > limit:
        return 0.0, limit
    if trial < -limit:
        return 0.0, -limit
    return g, trial


@kernel
def slider_rows(k, i, half, p, R, v, w, ints, reals, y, work):
    """r, and G and bias of the rows of ring k in the frame of the bar it is on, element i (sweep order) of its host.

    Returns r, (g across, g along), bias (3); keeps them for the way back.
    """
    r, rate = ring_in_bar(k, p, R, v, w, ints, y)
    c = ints[ints[I_SLIDERS] + SLIDER_INTS * k + HOST]
    host = cable_at(ints, c)
    side, slides = line_side(c, i, ints, reals, work), only_pulls(ints[host + CABLE_FIRST] + c, ints, reals)
    near, far = (-side if slides else -1.0) * half, far_end(i, side, slides) * half
    ahead, stop, stopped = r[2] + work[STEP] * rate[2], 0.0, False
    if i == 0 and side * (ahead - near) < 0.0:
        stop, stopped = near, True
    elif i + 1 == ints[host + CABLE_COUNT] and side * (ahead - far) > 0.0:
        stop, stopped = far, True
    gz, along = along_row(k, stopped, r[2] - stop, rate, ints, reals, y, work)
    g, d, stiffness = rule_row(reals[ints[R_SLIDERS] + SLIDER_REALS * k + ACROSS], 0.0, work)
    known = add_scaled(cross(w, cross(w, r)), 2.0, cross(w, rate))
    bias = (
        d * rate[0] + stiffness * r[0] - g * known[0],
        d * rate[1] + stiffness * r[1] - g * known[1],
        along - gz * known[2],
    )
    kept = ints[W_SLIDERS] + SLIDER_KEPT * k
    work[kept + G_ACROSS], work[kept + G_ALONG], work[kept + ALONG_BEFORE] = g, gz, r[2]
    work[kept + BIAS], work[kept + BIAS + 1], work[kept + BIAS + 2] = bias
    return r, g, gz, bias


@kernel
def book_sliders(ints, reals, y, work):
    """Multipliers of all rings after the solve: the force across is kept for friction, the work of friction booked."""
    for k in range(ints[N_SLIDERS]):
        state, kept = slider_state(ints, k), ints[W_SLIDERS] + SLIDER_KEPT * k
        bar = int(y[state + ON_BAR])
        body, out = bar_state_at(ints, bar), ints[W_ACCELERATION] + 6 * bar
        p, v, w = vector_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
        R = rotation(quaternion_of(y, body))
        r, rate = ring_in_bar(k, p, R, v, w, ints, y)
        ring = ints[W_HUB_RHS] + 6 * ints[ints[I_SLIDERS] + SLIDER_INTS * k + RING]
        a = transposed_matvec(R, subtract(vector_of(work, ring), vector_of(work, out)))
        a = subtract(a, cross(vector_of(work, out + 3), r))
        x = work[kept + G_ACROSS] * a[0] + work[kept + BIAS]
        y_force = work[kept + G_ACROSS] * a[1] + work[kept + BIAS + 1]
        z = work[kept + G_ALONG] * a[2] + work[kept + BIAS + 2]
        work[kept + FORCE], work[kept + FORCE + 1], work[kept + FORCE + 2] = x, y_force, z
        y[state + PRESS] = math.sqrt(x * x + y_force * y_force)
        known = add_scaled(cross(w, cross(w, r)), 2.0, cross(w, rate))
        mean = rate[2] + 0.5 * work[STEP] * (a[2] - known[2])
        y[ints[Y_LEDGER] + WORK_FRICTION] -= work[BOOK_STEP] * z * mean


@kernel
def follow_sliders(ints, reals, y, work):
    """After the move: the slip of each ring, and the bar it is on now; a ring at an end of its host stays there."""
    for k in range(ints[N_SLIDERS]):
        state, kept = slider_state(ints, k), ints[W_SLIDERS] + SLIDER_KEPT * k
        slider = ints[R_SLIDERS] + SLIDER_REALS * k
        c = ints[ints[I_SLIDERS] + SLIDER_INTS * k + HOST]
        host = cable_at(ints, c)
        first, last = ints[host + CABLE_FIRST], ints[host + CABLE_FIRST] + ints[host + CABLE_COUNT] - 1
        ring = hub_state_at(ints, ints[ints[I_SLIDERS] + SLIDER_INTS * k + RING])
        bar = int(y[state + ON_BAR])
        for passed in range(2):  # a ring passes one joint in a step, and by chance two
            body = bar_state_at(ints, bar)
            R = rotation(quaternion_of(y, body))
            z = dot((R[2], R[5], R[8]), subtract(vector_of(y, ring), vector_of(y, body)))
            near, far, side = span_on_bar(c, bar - first, ints, reals, work)
            if passed == 0:
                y[state + SLIP] += z - work[kept + ALONG_BEFORE]
            if side * (z - far) > 0.0 and bar < last:
                bar += 1
            elif side * (z - near) < 0.0 and bar > first:
                bar -= 1
        y[state + ON_BAR] = bar
        reach = reals[slider + FRICTION_COEFFICIENT] * y[state + PRESS] / friction_spring(k, ints, reals, work)
        if y[state + SLIP] > reach:
            y[state + SLIP] = reach
        elif y[state + SLIP] < -reach:
            y[state + SLIP] = -reach
