"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    ZERO3, add, add_scaled, dot, outer_scaled, scale, subtract, symadd, symmetric_inverse, symvec,
)  # fmt: skip

from .bending import bend
from .extremes import note_extremes
from .links import link_parts, note_softness
from .node import node_water, settle_contact, state_of, touch
from .points import begin_points, body_water, book_ends, gather, move_points, solve_points
from .winch import pay_out

OK, RANGE, STRETCHED = 0, 1, 2
SEMI_IMPLICIT, EXPLICIT_EULER = 0, 1
"""Schemes: velocity first, position with the new one, drag implicit; the paper's, all at the old state."""
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
STRETCH_LIMIT = 2.0
"""A link stretched to twice its length holds no tether any more."""


@kernel
def prepare(kind, h, sys):
    """Set the scheme for steps of size h."""
    sys.step.size = h
    sys.step.drag = h if kind == SEMI_IMPLICIT else 0.0
    sys.step.carried = h if kind == SEMI_IMPLICIT else 0.0


@kernel
def diagonal(across, along, tangent):
    """across·(I − t tᵀ) + along·t tᵀ as a symmetric matrix."""
    return symadd(outer_scaled(along - across, tangent), (across, 0.0, 0.0, across, 0.0, across))


@kernel
def fault(t, c, j, sys):
    """Remember where a step went wrong."""
    sys.fault.time, sys.fault.cable, sys.fault.node = t, c, j


@kernel
def extra_loads(t, i, s, x, v, sys):
    """Attachments and seabed on node i: force (3), mass (6), drag secant, drag (3), buoyancy less weight, wave power.

    The force holds all of it; drag and weight are given again for the ledger.
    """
    carried = sys.carried[i]
    force, matrix, secant, drag, up, raised = ZERO3, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, ZERO3, 0.0, 0.0
    for b in range(carried.first, carried.first + carried.count):
        inertia, c, pull, lift, power = body_water(t, b, x, v, sys)
        m = inertia + sys.step.drag * c
        matrix = symadd(matrix, (m, 0.0, 0.0, m, 0.0, m))
        secant += c
        drag = add(drag, pull)
        up += lift
        raised += power
    force = (drag[0], drag[1], drag[2] + up)
    if sys.sea.bed > 0.0 and touch(i, s, x, v, sys):
        force, matrix = add(force, sys.touch[i].force), symadd(matrix, sys.touch[i].matrix)
    return force, matrix, secant, drag, up, raised


@kernel
def sweep(c, t, sys):
    """One pass along cable c: forces of its links, loads of its nodes, and the move of its inner nodes.

    A node is moved when both its links are known; what is needed of it afterwards is carried along, so that all forces
    are those of the old state and each link acts equally on both its nodes. End nodes are left to their points.
    Returns a status.
    """
    h, lag, carried = sys.step.size, sys.step.drag, sys.step.carried
    cable, ledger = sys.cable[c], sys.ledger
    first, count, link = cable.node, cable.count, cable.link
    s = sys.paid[c].factor
    growth = sys.paid[c].rate / s
    bends, bed = cable.bends == 1, sys.sea.bed > 0.0
    if bends:
        ledger.bending += h * bend(c, sys)
    status = OK
    state = state_of(cable, 0, sys)
    x, v = state.position, state.velocity
    x_before, v_before = x, v
    back, back_p, back_i, back_d = ZERO3, 0.0, 0.0, 0.0
    work_p, work_i, work_d, work_water, work_weight = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(count + 1):
        x_next, v_next, u, p, i, d = x, v, ZERO3, 0.0, 0.0, 0.0
        ahead = state
        if j < count:
            ahead = state_of(cable, j + 1, sys)
            x_next, v_next = ahead.position, ahead.velocity
            chord = subtract(x_next, x)
            distance = math.sqrt(dot(chord, chord))
            u = scale(1.0 / distance, chord)
            length = s * sys.link[link + j].length
            rate = dot(u, subtract(v_next, v)) - growth * distance
            p, i, d = link_parts(link + j, distance, rate, length, h, sys)
            sys.pull[link + j].tension = p + i + d
            note_softness(c, link + j, p, p + i + d, sys)
            if growth != 0.0:  # line that passes a winch under tension: the winch's work, not that of the parts
                passed = growth * distance
                work_i += passed * i
                work_d += passed * d
                ledger.drives -= h * (passed * (p + i + d) - 0.5 * growth * p * (distance - length))
            if not distance < STRETCH_LIMIT * length:
                fault(t, c, j, sys)
                status = STRETCHED
        span = subtract(x_next, x_before)
        width = math.sqrt(dot(span, span))
        tangent = scale(1.0 / width, span) if width > 0.0 else (0.0, 0.0, 1.0)
        swing = subtract(v_next, v_before)
        turn, tilt = 0.0, 0.0
        if width > 0.0:
            stretch = dot(swing, tangent)
            turn, tilt = (dot(v, swing) - dot(v, tangent) * stretch) / width, (swing[2] - tangent[2] * stretch) / width
        node = sys.node[first + j]
        across, along, cn, ct, drag, up, power = node_water(t, node, s, x, v, tangent, turn, tilt, sys)
        force = add_scaled(add_scaled(drag, p + i + d, u), -(back_p + back_i + back_d), back)
        force = (force[0], force[1], force[2] + up)
        if bends:
            force = add(force, sys.bend[first + j].force)
        if j == 0 or j == count:
            end = sys.end[2 * c + (0 if j == 0 else 1)]
            end.force = force
            end.matrix = diagonal(across + lag * cn, along + lag * ct, tangent)
            end.pull = u if j == 0 else scale(-1.0, back)
            end.parts = (p, i, d) if j == 0 else (back_p, back_i, back_d)
            end.water = drag
            end.secant = diagonal(lag * cn, lag * ct, tangent)
            end.weight, end.power = up, power
            if bed:
                touch(first + j, s, x, v, sys)
        else:
            heavy, light = 1.0 / (across + lag * cn), 1.0 / (along + lag * ct)
            a = add_scaled(scale(heavy, force), (light - heavy) * dot(force, tangent), tangent)
            special = bed or sys.carried[first + j].count > 0
            secant, body_drag, body_up = 0.0, ZERO3, 0.0
            if special:
                more, matrix, secant, body_drag, body_up, raised = extra_loads(t, first + j, s, x, v, sys)
                power += raised
                matrix = symadd(matrix, diagonal(across + lag * cn, along + lag * ct, tangent))
                a = symvec(symmetric_inverse(matrix), add(force, more))
            mean = add_scaled(v, 0.5 * h, a)
            out, back_out = dot(u, mean), dot(back, mean)
            work_p += p * out - back_p * back_out
            work_i += i * out - back_i * back_out
            work_d += d * out - back_d * back_out
            work_weight += (up + body_up) * mean[2]
            a_along, mean_along = dot(a, tangent), dot(mean, tangent)
            slowed = (cn + secant) * dot(a, mean) + (ct - cn) * a_along * mean_along
            work_water += dot(drag, mean) + dot(body_drag, mean) - lag * slowed + power
            speed = add_scaled(v, h, a)
            place = add_scaled(x, h, add_scaled(v, carried, a))
            state.position, state.velocity = place, speed
            if special and bed:
                settle_contact(first + j, s, v, a, place, sys)
            if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
                fault(t + h, c, j, sys)
                status = RANGE
        state = ahead
        x_before, v_before = x, v
        x, v = x_next, v_next
        back, back_p, back_i, back_d = u, p, i, d
    ledger.proportional += h * work_p
    ledger.integral += h * work_i
    ledger.derivative += h * work_d
    ledger.drag += h * work_water
    ledger.weight += h * work_weight
    return status


@kernel
def step(t, u, sys):
    """One step from t, in place; returns a status."""
    pay_out(t, u, sys)
    begin_points(t, u, sys)
    status = OK
    for c in range(sys.cables):
        found = sweep(c, t, sys)
        if found != OK:
            status = found
    gather(sys)
    solve_points(sys)
    book_ends(sys)
    move_points(t, sys)
    pay_out(t + 0.5 * sys.step.size, u, sys)
    sys.run.started = 1.0
    return status


@kernel
def advance(t, n, u, sys):
    """n steps from t, in place, the scheme prepared. Returns a status; the place of a fault is in `fault`."""
    for k in range(n):
        status = step(t + k * sys.step.size, u, sys)
        if status != OK:
            return status
        note_extremes(t + k * sys.step.size, sys)
    return OK
