"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    add, add_scaled, dot, outer_scaled, scale, subtract, symadd, symmetric_inverse, symvec,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    BODY_COUNT, BODY_FIRST, CABLE_BENDS, CABLE_COUNT, CABLE_LINK, CABLE_NODE, CARRIED, END_FORCE, END_MATRIX,
    END_PARTS, END_POWER, END_PULL, END_SECANT, END_WATER, END_WEIGHT, FAULT, LENGTH, N_CABLES, STEP, STEP_DRAG,
    WORK_BENDING, WORK_DERIVATIVE, WORK_DRAG, WORK_DRIVES, WORK_INTEGRAL, WORK_PROPORTIONAL, WORK_WEIGHT, W_BENDING,
    W_TENSION, Y_GROWTH, Y_LEDGER, Y_SCALE, Y_STARTED, cable_at, end_at, link_at, node_at, put, state_at, vector_of,
)  # fmt: skip
from .bending import bend
from .extremes import note_extremes
from .links import link_parts
from .node import ZERO3, contact_push, node_water, settle_contact, touch
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
def prepare(kind, h, work):
    """Set the scheme for steps of size h."""
    work[STEP] = h
    work[STEP_DRAG] = h if kind == SEMI_IMPLICIT else 0.0
    work[CARRIED] = h if kind == SEMI_IMPLICIT else 0.0


@kernel
def diagonal(across, along, tangent):
    """across·(I − t tᵀ) + along·t tᵀ as a symmetric matrix."""
    return symadd(outer_scaled(along - across, tangent), (across, 0.0, 0.0, across, 0.0, across))


@kernel
def put_matrix(array, at, m):
    """Write a symmetric matrix into an array."""
    put(array, at, (m[0], m[1], m[2]))
    put(array, at + 3, (m[3], m[4], m[5]))


@kernel
def extra_loads(t, i, s, x, v, ints, reals, y, work):
    """Attachments and seabed on node i: force (3), mass (6), drag secant, drag (3), buoyancy less weight, wave power.

    The force holds all of it; drag and weight are given again for the ledger.
    """
    node = node_at(ints, i)
    force, matrix, secant, drag, up, raised = ZERO3, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, ZERO3, 0.0, 0.0
    first = int(reals[node + BODY_FIRST])
    for b in range(first, first + int(reals[node + BODY_COUNT])):
        inertia, c, pull, lift, power = body_water(t, b, x, v, ints, reals)
        m = inertia + work[STEP_DRAG] * c
        matrix = symadd(matrix, (m, 0.0, 0.0, m, 0.0, m))
        secant += c
        drag = add(drag, pull)
        up += lift
        raised += power
    force = (drag[0], drag[1], drag[2] + up)
    if reals[BED_PRESENT] > 0.0 and touch(i, s, x, v, ints, reals, y, work):
        push, stiff = contact_push(i, ints, reals, work)
        force, matrix = add(force, push), symadd(matrix, stiff)
    return force, matrix, secant, drag, up, raised


@kernel
def sweep(c, t, ints, reals, y, work):
    """One pass along cable c: forces of its links, loads of its nodes, and the move of its inner nodes.

    A node is moved when both its links are known; what is needed of it afterwards is carried along, so that all forces
    are those of the old state and each link acts equally on both its nodes. End nodes are left to their points.
    Returns a status.
    """
    h, lag, carried = work[STEP], work[STEP_DRAG], work[CARRIED]
    cable, ledger = cable_at(ints, c), ints[Y_LEDGER]
    first, count, link = ints[cable + CABLE_NODE], ints[cable + CABLE_COUNT], ints[cable + CABLE_LINK]
    s = y[ints[Y_SCALE] + c]
    growth = y[ints[Y_GROWTH] + c] / s
    bends = ints[cable + CABLE_BENDS] == 1
    bed = reals[BED_PRESENT] > 0.0
    if bends:
        y[ledger + WORK_BENDING] += h * bend(c, ints, reals, y, work)
    status = OK
    at = state_at(ints, cable, 0)
    x, v = vector_of(y, at), vector_of(y, at + 3)
    x_before, v_before = x, v
    back, back_p, back_i, back_d = ZERO3, 0.0, 0.0, 0.0
    work_p, work_i, work_d, work_water, work_weight = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(count + 1):
        x_next, v_next, u, p, i, d = x, v, ZERO3, 0.0, 0.0, 0.0
        ahead = at
        if j < count:
            ahead = state_at(ints, cable, j + 1)
            x_next, v_next = vector_of(y, ahead), vector_of(y, ahead + 3)
            chord = subtract(x_next, x)
            distance = math.sqrt(dot(chord, chord))
            u = scale(1.0 / distance, chord)
            length = s * reals[link_at(ints, link + j) + LENGTH]
            rate = dot(u, subtract(v_next, v)) - growth * distance
            p, i, d = link_parts(link + j, distance, rate, length, h, ints, reals, y)
            work[ints[W_TENSION] + link + j] = p + i + d
            if growth != 0.0:  # line that passes a winch under tension: the winch's work, not that of the parts
                passed = growth * distance
                work_i += passed * i
                work_d += passed * d
                y[ledger + WORK_DRIVES] -= h * (passed * (p + i + d) - 0.5 * growth * p * (distance - length))
            if not distance < STRETCH_LIMIT * length:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, j
                status = STRETCHED
        span = subtract(x_next, x_before)
        width = math.sqrt(dot(span, span))
        tangent = scale(1.0 / width, span) if width > 0.0 else (0.0, 0.0, 1.0)
        swing = subtract(v_next, v_before)
        turn = (dot(v, swing) - dot(v, tangent) * dot(swing, tangent)) / width if width > 0.0 else 0.0
        node = node_at(ints, first + j)
        across, along, cn, ct, drag, up, power = node_water(t, node, s, x, v, tangent, turn, reals)
        force = add_scaled(add_scaled(drag, p + i + d, u), -(back_p + back_i + back_d), back)
        force = (force[0], force[1], force[2] + up)
        if bends:
            force = add(force, vector_of(work, ints[W_BENDING] + 3 * (first + j)))
        if j == 0 or j == count:
            end = end_at(ints, c, 0 if j == 0 else 1)
            put(work, end + END_FORCE, force)
            put_matrix(work, end + END_MATRIX, diagonal(across + lag * cn, along + lag * ct, tangent))
            put(work, end + END_PULL, u if j == 0 else scale(-1.0, back))
            parts = (p, i, d) if j == 0 else (back_p, back_i, back_d)
            put(work, end + END_PARTS, parts)
            put(work, end + END_WATER, drag)
            put_matrix(work, end + END_SECANT, diagonal(lag * cn, lag * ct, tangent))
            work[end + END_WEIGHT], work[end + END_POWER] = up, power
            if bed:
                touch(first + j, s, x, v, ints, reals, y, work)
        else:
            heavy, light = 1.0 / (across + lag * cn), 1.0 / (along + lag * ct)
            a = add_scaled(scale(heavy, force), (light - heavy) * dot(force, tangent), tangent)
            special = bed or reals[node + BODY_COUNT] > 0.0
            secant, body_drag, body_up = 0.0, ZERO3, 0.0
            if special:
                more, matrix, secant, body_drag, body_up, raised = extra_loads(
                    t, first + j, s, x, v, ints, reals, y, work
                )
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
            put(y, at, place)
            put(y, at + 3, speed)
            if special and bed:
                settle_contact(first + j, s, v, a, place, ints, reals, y, work)
            if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t + h, c, j
                status = RANGE
        at = ahead
        x_before, v_before = x, v
        x, v = x_next, v_next
        back, back_p, back_i, back_d = u, p, i, d
    y[ledger + WORK_PROPORTIONAL] += h * work_p
    y[ledger + WORK_INTEGRAL] += h * work_i
    y[ledger + WORK_DERIVATIVE] += h * work_d
    y[ledger + WORK_DRAG] += h * work_water
    y[ledger + WORK_WEIGHT] += h * work_weight
    return status


@kernel
def step(t, u, ints, reals, y, work):
    """One step from t, in place; returns a status."""
    pay_out(t, u, ints, reals, y, work)
    begin_points(t, u, ints, reals, y, work)
    status = OK
    for c in range(ints[N_CABLES]):
        found = sweep(c, t, ints, reals, y, work)
        if found != OK:
            status = found
    gather(ints, reals, work)
    solve_points(ints, work)
    book_ends(ints, reals, y, work)
    move_points(t, u, ints, reals, y, work)
    pay_out(t + 0.5 * work[STEP], u, ints, reals, y, work)
    y[ints[Y_STARTED]] = 1.0
    return status


@kernel
def advance(t, y, n, u, ints, reals, work):
    """n steps from t, in place, the scheme prepared. Returns a status; the place of a fault is in `work`."""
    for k in range(n):
        status = step(t + k * work[STEP], u, ints, reals, y, work)
        if status != OK:
            return status
        note_extremes(t + k * work[STEP], ints, reals, y, work)
    return OK
