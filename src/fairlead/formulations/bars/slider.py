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
`riders`) through all bars behind the one it is on, whichever that is.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, cross, dot, subtract, transposed_matvec

from .coefficients import late_row
from .loosening import far_end, line_side, only_pulls, span_on_bar
from .topology import hub_of_end


@kernel
def ring_in_bar(k, p, R, v, w, sys):
    """r and ṙ of ring k in the frame of the bar it is on."""
    ring = sys.hub_state[sys.slider[k].ring]
    r = transposed_matvec(R, subtract(ring.position, p))
    rate = subtract(transposed_matvec(R, subtract(ring.velocity, v)), cross(w, r))
    return r, rate


@kernel
def friction_spring(k, sys):
    """Stiffness of the spring by which ring k sticks: the host's, at most m/h² with what must move along with the ring.

    That is its own mass and, of each cable that ends in it, what the end of a bar feels across: a quarter of its mass.
    """
    hub = sys.slider[k].ring
    mass = sys.hub[hub].mass
    for end in range(2 * sys.cables):
        if hub_of_end(end, sys) == hub:
            cable = sys.cable[end // 2]
            bar = cable.first + (cable.count - 1 if end % 2 == 1 else 0)
            mass += 0.25 * sys.bar[bar].mass
    return min(sys.ring[k].grip, mass / (sys.scheme.step * sys.scheme.step))


@kernel
def along_row(k, stopped, beyond, rate, sys):
    """G and bias of the row along the bar: a stop where the step leads past an end of the host, else friction.

    A stop acts on where the ring will be and is damped by 3hk, so that the ring arrives without a rebound and rests
    there; `beyond` (signed) is where it is.
    """
    slider, state = sys.ring[k], sys.ring_state[k]
    if stopped:
        g, d, stiffness = late_row(slider.grip, 3.0 * sys.scheme.step * slider.grip, sys)
        return g, stiffness * beyond + d * rate[2]
    limit = slider.friction * state.press
    if limit <= 0.0:
        return 0.0, 0.0
    g, d, stiffness = late_row(friction_spring(k, sys), 0.0, sys)
    trial = stiffness * (state.slip + sys.scheme.half * rate[2]) + d * rate[2]
    if trial > limit:
        return 0.0, limit
    if trial < -limit:
        return 0.0, -limit
    return g, trial


@kernel
def slider_rows(k, i, half, p, R, v, w, sys):
    """r, and G and bias of the rows of ring k in the frame of the bar it is on, element i (sweep order) of its host.

    Returns r, (g across, g along), bias (3); keeps them for the way back.
    """
    r, rate = ring_in_bar(k, p, R, v, w, sys)
    c = sys.slider[k].host
    host = sys.cable[c]
    side, slides = line_side(c, i, sys), only_pulls(host.first + c, sys)
    near, far = (-side if slides else -1.0) * half, far_end(i == 0, side, slides) * half
    ahead, stop, stopped = r[2] + sys.scheme.step * rate[2], 0.0, False
    if i == 0 and side * (ahead - near) < 0.0:
        stop, stopped = near, True
    elif i + 1 == host.count and side * (ahead - far) > 0.0:
        stop, stopped = far, True
    gz, along = along_row(k, stopped, r[2] - stop, rate, sys)
    g, d, stiffness = late_row(sys.ring[k].across, 0.0, sys)
    known = add_scaled(cross(w, cross(w, r)), 2.0, cross(w, rate))
    bias = (
        d * rate[0] + stiffness * r[0] - g * known[0],
        d * rate[1] + stiffness * r[1] - g * known[1],
        along - gz * known[2],
    )
    kept = sys.ring_rows[k]
    kept.across, kept.along, kept.before = g, gz, r[2] - sys.scheme.half * rate[2]
    kept.bias = bias
    return r, g, gz, bias


@kernel
def book_sliders(sys):
    """Multipliers of all rings after the solve: the force across is kept for friction, the work of friction booked."""
    for k in range(sys.sliders):
        state, kept = sys.ring_state[k], sys.ring_rows[k]
        bar = int(state.on_bar)
        body, out = sys.bar_state[bar], sys.acceleration[bar]
        p, v, w = body.position, body.velocity, body.spin
        R = rotation(body.turn)
        r, rate = ring_in_bar(k, p, R, v, w, sys)
        ring = sys.hub_rhs[sys.slider[k].ring]
        a = transposed_matvec(R, subtract(ring.linear, out.linear))
        a = subtract(a, cross(out.angular, r))
        x, y = kept.across * a[0] + kept.bias[0], kept.across * a[1] + kept.bias[1]
        z = kept.along * a[2] + kept.bias[2]
        kept.force = (x, y, z)
        state.press = math.sqrt(x * x + y * y)
        known = add_scaled(cross(w, cross(w, r)), 2.0, cross(w, rate))
        mean = rate[2] + 0.5 * sys.scheme.step * (a[2] - known[2])
        sys.ledger.friction -= sys.scheme.book * z * mean


@kernel
def follow_sliders(sys):
    """After the move: the slip of each ring, and the bar it is on now; a ring at an end of its host stays there."""
    for k in range(sys.sliders):
        state, kept = sys.ring_state[k], sys.ring_rows[k]
        slider = sys.ring[k]
        c = sys.slider[k].host
        host = sys.cable[c]
        first, last = host.first, host.first + host.count - 1
        ring = sys.hub_state[sys.slider[k].ring]
        bar = int(state.on_bar)
        for passed in range(2):  # a ring passes one joint in a step, and by chance two
            body = sys.bar_state[bar]
            R = rotation(body.turn)
            z = dot((R[2], R[5], R[8]), subtract(ring.position, body.position))
            near, far, side = span_on_bar(c, bar - first, sys)
            if passed == 0:
                state.slip += z - kept.before
            if side * (z - far) > 0.0 and bar < last:
                bar += 1
            elif side * (z - near) < 0.0 and bar > first:
                bar -= 1
        state.on_bar = bar
        reach = slider.friction * state.press / friction_spring(k, sys)
        if state.slip > reach:
            state.slip = reach
        elif state.slip < -reach:
            state.slip = -reach
