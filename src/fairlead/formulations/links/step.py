"""Time: what happens in a step, and many steps in one compiled call.

A step is half a drift, a kick and half a drift. In a drift every link turns with its rate along a great circle,
exactly. The kick solves the equations of motion half-way,

    (M + h C + β h² K) w = f(q, q̇) − C q̇ − …,

twice, because forces depend on velocities: once with those of its beginning, once with those of its middle. Drag and
internal damping (C), bending and the string stiffness of the tension (K) are linearly implicit. Without water and
bending stiffness this is the leapfrog: second order, and it neither gains nor loses energy. Twist runs beside it,
propagated exactly.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.loads.seabed_contact import remember_push
from fairlead.loads.end_motion import goal_at, plan_known
from fairlead.loads.signals import filter_acceleration, is_filtered, is_live
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    BOOK, CHAIN_COUNT, CHAIN_FIRST, CHAIN_START, CONTACT_ACTIVE, CONTACT_BIAS, CONTACT_COLUMNS, CONTACT_FRICTION,
    CONTACT_GAIN, CONTACT_SHEAR, CONTROL_INTS, CONTROL_REALS, FAULT, I_CONTROLS, LATER, LENGTH, N_CHAINS, N_CONTROLLED,
    N_LINKS, N_POINTS, NODE_DAMPING, NODE_REALS, NODE_SHEAR, R_CONTROLS, R_NODES, R_POINTS, R_TABLE, STEP,
    W_ACCELERATION, W_BEND, W_CONTACT, W_FORCE, W_MIDDLE, W_PLACE, W_SWING, W_TURN, W_VELOCITY, WORK_DAMPING,
    WORK_FRICTION, Y_CONTACT, Y_CONTROLS, Y_LEDGER, Y_LINKS, Y_STARTS, Y_TENSION, chain_at, link_at, point_at, put,
    vector_of,
)  # fmt: skip
from .extremes import note_extremes
from .hung import drift_bodies, kick_bodies
from .point_loads import take_loads
from .sweep import ZERO3, solve_chain
from .twist import twist_step

OK, RANGE, SINGULAR = 0, 1, 2
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k: the live input where it is a number, else the file's motion."""
    kind, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    return goal_at(t, k, u, ints[kind + 1], ints[R_TABLE] + ints[kind + 2], ints[kind + 3], base, reals)


@kernel
def place_points(ints, reals, work):
    """Fixed points where they are, at rest."""
    for k in range(ints[N_POINTS]):
        point = point_at(ints, k)
        put(work, point, vector_of(reals, ints[R_POINTS] + 3 * k))
        put(work, point + 3, ZERO3)
        put(work, point + 6, ZERO3)


@kernel
def drive_points(t, half, seen, u, ints, reals, y, work):
    """Place, velocity and acceleration of the controlled points: at t, or (`half` = ½h) in the middle of a step from t.

    There the state has drifted half a step. A motion of the file is then taken so that the rest of the step ends in its
    place and speed, x₁ − ½h v₁ with a = (v₁ − v₀)/h. The filter of an input aims at where it is to be a step ahead of
    that middle. To be `seen` (1, else 0), the point of an input has the acceleration of the filter in the state, half a
    step late as in all steps: the step to come, for which the input is held, would brake it, which the next one undoes.
    """
    h = work[STEP]
    for k in range(ints[N_CONTROLLED]):
        control, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
        point, at = point_at(ints, ints[control]), ints[Y_CONTROLS] + 6 * k
        if is_filtered(k, ints[control + 1], u):
            goal, cutoff = command(t + 1.5 * h, k, u, ints, reals), reals[base + 3]
            for i in range(3):
                x, v = y[at + i], y[at + 3 + i]
                work[point + i] = x
                work[point + 3 + i] = v
                if seen == 1 and is_live(k, u):
                    work[point + 6 + i] = filter_acceleration(goal[i], x + 0.5 * h * v, v, cutoff, 0.0)
                else:
                    work[point + 6 + i] = filter_acceleration(goal[i], x + (0.5 * h - half) * v, v, cutoff, h)
            continue
        for i in range(3):
            y[at + i] -= half * y[at + 3 + i]
        step, first = 2.0 * half, ints[R_TABLE] + ints[control + 2]
        plan_known(t, step, 0.5, ints[control + 1], first, ints[control + 3], base, reals, y, at, work, point)
        for i in range(3):
            if half > 0.0:
                work[point + i] = work[point + 9 + i] - half * work[point + 12 + i]
            y[at + i], y[at + 3 + i] = work[point + i], work[point + 3 + i]


@kernel
def lay_out(share, ints, reals, y, work):
    """Places and velocities of all nodes; middle velocities are those after `share` of the accelerations in `work`.

    W_BEND: the centripetal part of their accelerations, −Σ l|q̇|² q of all links above.
    """
    work[LATER] = share
    for c in range(ints[N_CHAINS]):
        chain = chain_at(ints, c)
        first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
        node = first + c
        if ints[chain + CHAIN_START] >= 0:
            point = point_at(ints, ints[chain + CHAIN_START])
            place, velocity = vector_of(work, point), vector_of(work, point + 3)
            middle = add_scaled(velocity, share, vector_of(work, point + 6))
        else:
            place, velocity = vector_of(y, ints[Y_STARTS] + 6 * c), vector_of(y, ints[Y_STARTS] + 6 * c + 3)
            middle = velocity
            if share > 0.0:
                middle = add_scaled(velocity, share, vector_of(work, ints[W_ACCELERATION] + 3 * node))
        bend = ZERO3
        for i in range(count + 1):
            put(work, ints[W_BEND] + 3 * (node + i), bend)
            put(work, ints[W_PLACE] + 3 * (node + i), place)
            put(work, ints[W_VELOCITY] + 3 * (node + i), velocity)
            put(work, ints[W_MIDDLE] + 3 * (node + i), middle)
            if i < count:
                j = first + i
                length, state = reals[link_at(ints, j) + LENGTH], ints[Y_LINKS] + 6 * j
                turn = vector_of(y, state + 3)
                place = add_scaled(place, length, vector_of(y, state))
                velocity = add_scaled(velocity, length, turn)
                if share > 0.0:
                    turn = add_scaled(turn, share, vector_of(work, ints[W_SWING] + 3 * j))
                middle = add_scaled(middle, length, turn)
                bend = add_scaled(bend, -length * dot(turn, turn), vector_of(y, state))
                put(work, ints[W_TURN] + 3 * j, turn)


@kernel
def solve(t, ints, reals, y, work):
    """Accelerations of everything in the state laid out; returns a status."""
    for c in range(ints[N_CHAINS]):
        if not solve_chain(t, c, ints, reals, y, work):
            work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, 0
            return SINGULAR
    return OK


@kernel
def drift(h, ints, y):
    """Every link turns with its rate for a time h along a great circle; free starts and controlled points move on."""
    for j in range(ints[N_LINKS]):
        state = ints[Y_LINKS] + 6 * j
        q, w = vector_of(y, state), vector_of(y, state + 3)
        rate2 = dot(w, w)
        angle2 = h * h * rate2
        if angle2 < 1.0e-2:  # series to rounding
            c = 1.0 - angle2 * (0.5 - angle2 * (1.0 / 24.0 - angle2 * (1.0 / 720.0 - angle2 / 40320.0)))
            s = h * (1.0 - angle2 * (1.0 / 6.0 - angle2 * (1.0 / 120.0 - angle2 * (1.0 / 5040.0 - angle2 / 362880.0))))
        else:
            rate = math.sqrt(rate2)
            c, s = math.cos(h * rate), math.sin(h * rate) / rate
        turned = add_scaled(scale(c, q), s, w)
        turned = scale(1.5 - 0.5 * dot(turned, turned), turned)
        w = add_scaled(scale(c, w), -s * rate2, q)
        put(y, state, turned)
        put(y, state + 3, add_scaled(w, -dot(turned, w), turned))
    drift_bodies(h, ints, y)
    for k in range(ints[N_CHAINS]):
        at = ints[Y_STARTS] + 6 * k
        put(y, at, add_scaled(vector_of(y, at), h, vector_of(y, at + 3)))
    for k in range(ints[N_CONTROLLED]):
        at = ints[Y_CONTROLS] + 6 * k
        put(y, at, add_scaled(vector_of(y, at), h, vector_of(y, at + 3)))


@kernel
def kick(t, ints, y, work):
    """Rates after the step; tensions kept for the string stiffness of the next. Returns a status."""
    h = work[STEP]
    kick_bodies(h, ints, y, work)
    for c in range(ints[N_CHAINS]):
        chain = chain_at(ints, c)
        first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
        if ints[chain + CHAIN_START] < 0:
            at = ints[Y_STARTS] + 6 * c + 3
            put(y, at, add_scaled(vector_of(y, at), h, vector_of(work, ints[W_ACCELERATION] + 3 * (first + c))))
        for i in range(count):
            j = first + i
            state = ints[Y_LINKS] + 6 * j
            put(y, state + 3, add_scaled(vector_of(y, state + 3), h, vector_of(work, ints[W_SWING] + 3 * j)))
            node = ints[W_FORCE] + 3 * (j + c)
            both = add_scaled(vector_of(work, node), 1.0, vector_of(work, node + 3))
            y[ints[Y_TENSION] + j] = 0.5 * dot(both, vector_of(y, state))
            speed = vector_of(work, ints[W_MIDDLE] + 3 * (j + c + 1))
            if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t + h, c, i
                return RANGE
    for k in range(ints[N_CONTROLLED]):
        at = ints[Y_CONTROLS] + 6 * k + 3
        point = point_at(ints, ints[ints[I_CONTROLS] + CONTROL_INTS * k])
        put(y, at, add_scaled(vector_of(y, at), h, vector_of(work, point + 6)))
    return OK


@kernel
def push_of(node, ints, reals, work):
    """Normal force and friction (3) of the bed on a node after the solve."""
    kept = ints[W_CONTACT] + CONTACT_COLUMNS * node
    if work[kept + CONTACT_ACTIVE] < 0.5:
        return 0.0, ZERO3
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    a = vector_of(work, ints[W_ACCELERATION] + 3 * node)
    across = dot(n, a)
    normal = -(work[kept + CONTACT_GAIN] * across + work[kept + CONTACT_BIAS])
    along = add_scaled(a, -across, n)
    return normal, add_scaled(vector_of(work, kept + CONTACT_FRICTION), -work[kept + CONTACT_SHEAR], along)


@kernel
def is_prescribed(node, c, ints):
    """Whether a node is the prescribed start of chain c, which the bed does not see."""
    chain = chain_at(ints, c)
    return ints[chain + CHAIN_START] >= 0 and node == ints[chain + CHAIN_FIRST] + c


@kernel
def book_contact(ints, reals, y, work):
    """Works of friction and bed damping, and the memory of friction.

    The damper pushes as it does at the end of the step, −c ġ₁, along the mean rate of it.
    """
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    for c in range(ints[N_CHAINS]):
        chain = chain_at(ints, c)
        first = ints[chain + CHAIN_FIRST] + c
        for node in range(first, first + ints[chain + CHAIN_COUNT] + 1):
            if is_prescribed(node, c, ints):
                continue
            normal, friction = push_of(node, ints, reals, work)
            constants = ints[R_NODES] + NODE_REALS * node
            middle = vector_of(work, ints[W_MIDDLE] + 3 * node)
            active = work[ints[W_CONTACT] + CONTACT_COLUMNS * node + CONTACT_ACTIVE] > 0.5
            if active:
                rate = dot(n, middle)
                last = rate + 0.5 * work[STEP] * dot(n, vector_of(work, ints[W_ACCELERATION] + 3 * node))
                y[ints[Y_LEDGER] + WORK_FRICTION] += work[BOOK] * dot(friction, middle)
                y[ints[Y_LEDGER] + WORK_DAMPING] -= work[BOOK] * reals[constants + NODE_DAMPING] * last * rate
            place = add_scaled(vector_of(work, ints[W_PLACE] + 3 * node), work[STEP], middle)
            remember_push(reals, reals[constants + NODE_SHEAR], place, active, normal, y, ints[Y_CONTACT] + 4 * node)


@fold
def advance(t, y, n, h, u, ints, reals, work):
    """n steps of size h from t, in place. Returns a status; the place of a fault is in `work`."""
    work[STEP] = h
    take_loads(u, ints, reals)
    place_points(ints, reals, work)
    for step in range(n):
        now = t + step * h
        drift(0.5 * h, ints, y)
        drive_points(now, 0.5 * h, 0, u, ints, reals, y, work)
        status = OK
        for corrected in range(2):
            work[BOOK] = h if corrected == 1 else 0.0
            lay_out(0.5 * h * corrected, ints, reals, y, work)
            status = solve(now + 0.5 * h, ints, reals, y, work)
            if status != OK:
                return status
        note_extremes(now + 0.5 * h, ints, reals, y, work)
        if reals[BED_PRESENT] > 0.0:
            book_contact(ints, reals, y, work)
        status = kick(now, ints, y, work)
        if status != OK:
            return status
        twist_step(now + 0.5 * h, ints, reals, y, work)
        drift(0.5 * h, ints, y)
    return OK
