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
from fairlead.algebra.small import ZERO3, add_scaled, dot, scale
from fairlead.loads.signals import is_filtered, is_live
from fairlead.rigging.bed import pressed, remember_touch
from fairlead.rigging.commands import command_at, filter_accelerations, plan_known
from fairlead.rigging.frames import rest_point
from fairlead.rigging.point_loads import take_loads

from .extremes import note_extremes
from .hung import drift_bodies, kick_bodies
from .sweep import solve_chain
from .twist import twist_step

OK, RANGE, SINGULAR = 0, 1, 2
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""


@kernel
def fault(t, c, link, sys):
    """Remember where something went wrong."""
    sys.fault.time, sys.fault.chain, sys.fault.link = t, c, link


@kernel
def place_points(sys):
    """Fixed points where they are, at rest."""
    for k in range(sys.points):
        rest_point(sys.plan[k], sys.fixed[k].position)


@kernel
def drive_points(t, half, seen, u, sys):
    """Place, velocity and acceleration of the controlled points: at t, or (`half` = ½h) in the middle of a step from t.

    There the state has drifted half a step. A motion of the file is then taken so that the rest of the step ends in its
    place and speed, x₁ − ½h v₁ with a = (v₁ − v₀)/h. The filter of an input aims at where it is to be a step ahead of
    that middle. To be `seen` (1, else 0), the point of an input has the acceleration of the filter in the state, half a
    step late as in all steps: the step to come, for which the input is held, would brake it, which the next one undoes.
    """
    h, samples, reals = sys.step.size, sys.sample.start, sys.reals
    for k in range(sys.controlled):
        control, command, state = sys.control[k], sys.command[k], sys.control_state[k]
        plan = sys.plan[control.point]
        if is_filtered(k, control.kind, u):
            goal, cutoff = command_at(t + 1.5 * h, k, u, control, command, samples, reals), command.cutoff
            x, v = state.position, state.velocity
            plan.position, plan.velocity = x, v
            if seen == 1 and is_live(k, u):
                plan.acceleration = filter_accelerations(goal, add_scaled(x, 0.5 * h, v), v, cutoff, 0.0)
            else:
                plan.acceleration = filter_accelerations(goal, add_scaled(x, 0.5 * h - half, v), v, cutoff, h)
            continue
        state.position = add_scaled(state.position, -half, state.velocity)
        plan_known(t, 2.0 * half, 0.5, control, command, state, plan, samples, reals)
        if half > 0.0:
            plan.position = add_scaled(plan.next_position, -half, plan.next_velocity)
        state.position, state.velocity = plan.position, plan.velocity


@kernel
def lay_out(share, sys):
    """Places and velocities of all nodes; middle velocities are those after `share` of the accelerations known.

    `bend`: the centripetal part of their accelerations, −Σ l|q̇|² q of all links above.
    """
    sys.step.later = share
    for c in range(sys.chains):
        chain = sys.chain[c]
        node = chain.first + c
        if chain.start >= 0:
            plan = sys.plan[chain.start]
            place, velocity = plan.position, plan.velocity
            middle = add_scaled(velocity, share, plan.acceleration)
        else:
            place, velocity = sys.start_state[c].position, sys.start_state[c].velocity
            middle = velocity
            if share > 0.0:
                middle = add_scaled(velocity, share, sys.motion[node].acceleration)
        bend = ZERO3
        for i in range(chain.count + 1):
            motion = sys.motion[node + i]
            motion.bend, motion.position, motion.velocity, motion.middle = bend, place, velocity, middle
            if i < chain.count:
                j = chain.first + i
                length, q, turn = sys.link[j].length, sys.link_state[j].direction, sys.link_state[j].rate
                place = add_scaled(place, length, q)
                velocity = add_scaled(velocity, length, turn)
                if share > 0.0:
                    turn = add_scaled(turn, share, sys.turning[j].swing)
                middle = add_scaled(middle, length, turn)
                bend = add_scaled(bend, -length * dot(turn, turn), q)
                sys.turning[j].turn = turn


@kernel
def solve(t, sys):
    """Accelerations of everything in the state laid out; returns a status."""
    for c in range(sys.chains):
        if not solve_chain(t, c, sys):
            fault(t, c, 0, sys)
            return SINGULAR
    return OK


@kernel
def drift(h, sys):
    """Every link turns with its rate for a time h along a great circle; free starts and controlled points move on."""
    for j in range(sys.links):
        link = sys.link_state[j]
        q, w = link.direction, link.rate
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
        link.direction, link.rate = turned, add_scaled(w, -dot(turned, w), turned)
    drift_bodies(h, sys)
    for c in range(sys.chains):
        start = sys.start_state[c]
        start.position = add_scaled(start.position, h, start.velocity)
    for k in range(sys.controlled):
        control = sys.control_state[k]
        control.position = add_scaled(control.position, h, control.velocity)


@kernel
def kick(t, sys):
    """Rates after the step; tensions kept for the string stiffness of the next. Returns a status."""
    h = sys.step.size
    kick_bodies(h, sys)
    for c in range(sys.chains):
        chain = sys.chain[c]
        if chain.start < 0:
            start = sys.start_state[c]
            start.velocity = add_scaled(start.velocity, h, sys.motion[chain.first + c].acceleration)
        for i in range(chain.count):
            j = chain.first + i
            link = sys.link_state[j]
            link.rate = add_scaled(link.rate, h, sys.turning[j].swing)
            both = add_scaled(sys.motion[j + c].force, 1.0, sys.motion[j + c + 1].force)
            sys.pull[j].tension = 0.5 * dot(both, link.direction)
            speed = sys.motion[j + c + 1].middle
            if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
                fault(t + h, c, i, sys)
                return RANGE
    for k in range(sys.controlled):
        control = sys.control_state[k]
        control.velocity = add_scaled(control.velocity, h, sys.plan[sys.control[k].point].acceleration)
    return OK


@kernel
def push_of(node, sys):
    """Normal force and friction (3) of the bed on a node after the solve."""
    if sys.touch[node].active < 0.5:
        return 0.0, ZERO3
    normal, friction, _ = pressed(sys.touch[node], sys.motion[node].acceleration)
    return normal, friction


@kernel
def is_prescribed(node, c, sys):
    """Whether a node is the prescribed start of chain c, which the bed does not see."""
    chain = sys.chain[c]
    return chain.start >= 0 and node == chain.first + c


@kernel
def book_contact(sys):
    """Works of friction and bed damping, and the memory of friction.

    The damper pushes as it does at the end of the step, −c ġ₁, along the mean rate of it.
    """
    step = sys.step
    for c in range(sys.chains):
        first = sys.chain[c].first + c
        for node in range(first, first + sys.chain[c].count + 1):
            if is_prescribed(node, c, sys):
                continue
            normal, friction = push_of(node, sys)
            middle, active = sys.motion[node].middle, sys.touch[node].active > 0.5
            if active:
                n = sys.touch[node].normal
                rate = dot(n, middle)
                last = rate + 0.5 * step.size * dot(n, sys.motion[node].acceleration)
                sys.ledger.friction += step.book * dot(friction, middle)
                sys.ledger.damping -= step.book * sys.node[node].damping * last * rate
            place = add_scaled(sys.motion[node].position, step.size, middle)
            remember_touch(sys.node[node].shear, place, True, active, normal, sys.contact[node], sys)


@fold
def advance(t, n, h, u, sys):
    """n steps of size h from t, in place. Returns a status; the place of a fault is in `fault`."""
    sys.step.size = h
    take_loads(u, sys)
    place_points(sys)
    for step in range(n):
        now = t + step * h
        drift(0.5 * h, sys)
        drive_points(now, 0.5 * h, 0, u, sys)
        status = OK
        for corrected in range(2):
            sys.step.book = h if corrected == 1 else 0.0
            lay_out(0.5 * h * corrected, sys)
            status = solve(now + 0.5 * h, sys)
            if status != OK:
                return status
        note_extremes(now + 0.5 * h, sys)
        if sys.sea.bed > 0.0:
            book_contact(sys)
        status = kick(now, sys)
        if status != OK:
            return status
        twist_step(now + 0.5 * h, sys)
        drift(0.5 * h, sys)
    return OK
