"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, dot, matvec, scale, subtract
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    BED_DAMPING, CABLE_COUNT, CABLE_FIRST, END_HUB, END_POINT, GEOMETRIC, LENGTH, N_CONTROLLED, N_HUBS,
    RELEASE_TENSION, RELEASE_TIME, START_HUB, START_POINT, WORK_DAMPING, WORK_DRIVES, WORK_FRICTION, model_of,
    scratch_of, state_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, EXPLICIT_EULER, PLAIN, SCHEME_KIND, SCHEME_THETA, STEP, set_joints, set_scheme
from .element import axis_of, centripetal, end_offset_columns, point_velocity, remember_contact
from .hubs import solve
from .signals import command
from .sweep import quaternion_of, vector_of

OK, RANGE, SINGULAR, HUB_RANGE = 0, 1, 2, 3
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
SPIN_LIMIT = 1.0e5
"""rad/s, likewise."""


@kernel
def place_points(model, scratch):
    """Fixed points where they are, at rest."""
    for k in range(model.points.shape[0]):
        for i in range(3):
            scratch.points[k, i] = model.points[k, i]
            scratch.points[k, 3 + i] = 0.0
            scratch.points[k, 6 + i] = 0.0


@kernel
def drive_points(t, u, model, state, scratch):
    """Acceleration of the controlled points from their second-order filter (Eq. 9 with a cut-off ω_c).

    In a step the filter is taken implicitly, so that no cut-off is too fast for a step:
    v₁ = (v₀ + hω²(p − x₀))/(1 + √2 ωh + ω²h²), x₁ = x₀ + h v₁.
    """
    h = scratch.scheme[STEP]
    plain = scratch.scheme[SCHEME_KIND] == PLAIN
    for k in range(model.ints[N_CONTROLLED]):
        cutoff = model.controls[k, 3]
        moment = t if plain else t + h
        goal = command(moment, model.controls_int[k], model.controls[k], model.table, u[3 * k], u[3 * k + 1], u[3 * k + 2])
        place = scratch.points[model.controls_int[k, 0]]
        filtered = state.controls[k]
        for i in range(3):
            x, v = filtered[i], filtered[3 + i]
            a = cutoff * cutoff * (goal[i] - x) - math.sqrt(2.0) * cutoff * v
            if not plain:
                a -= cutoff * cutoff * h * v
                a /= 1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h
            place[i] = x
            place[3 + i] = v
            place[6 + i] = a


@kernel
def release_ends(t, model, state):
    """Let go of ends whose time has come or whose tension was exceeded."""
    for c in range(model.cables.shape[0]):
        for side in range(2):
            if state.attached[c, side] < 0.5:
                continue
            end = model.ends[c, side]
            j = model.cables[c, CABLE_FIRST] + c + (model.cables[c, CABLE_COUNT] if side == 1 else 0)
            force = vector_of(state.multipliers[j], 0)
            if t >= end[RELEASE_TIME] or dot(force, force) > end[RELEASE_TENSION] * end[RELEASE_TENSION]:
                state.attached[c, side] = 0.0


@kernel
def move_body(body, acceleration, h, theta, explicit):
    """Advance one body's row in place; False when it leaves the physical range."""
    v, w = vector_of(body, 7), vector_of(body, 10)
    a, s = vector_of(acceleration, 0), vector_of(acceleration, 3)
    carried = 0.0 if explicit else theta * h
    rate = add_scaled(v, carried, a)
    turn = scale(h, add_scaled(w, carried, s))
    q = turned(quaternion_of(body), turn[0], turn[1], turn[2])
    speed2, spin2 = 0.0, 0.0
    for k in range(3):
        body[k] += h * rate[k]
        body[7 + k] = v[k] + h * a[k]
        body[10 + k] = w[k] + h * s[k]
        speed2 += body[7 + k] * body[7 + k]
        spin2 += body[10 + k] * body[10 + k]
    body[3], body[4], body[5], body[6] = q
    return speed2 < SPEED_LIMIT * SPEED_LIMIT and spin2 < SPIN_LIMIT * SPIN_LIMIT


@kernel
def contact_force(bar, side, model, state, scratch):
    """Normal force N ≥ 0 and friction (3) on a bar end after the solve, with the end's velocity."""
    kept = scratch.contact[bar, side]
    body = state.bars[bar]
    R = rotation(quaternion_of(body))
    o = 0.5 * model.bars[bar, LENGTH] * (1.0 if side == 1 else -1.0)
    w = vector_of(body, 10)
    velocity = point_velocity(o, R, vector_of(body, 7), w)
    if kept[0] < 0.5:
        return 0.0, (0.0, 0.0, 0.0), velocity
    n = (model.sea[BED_X], model.sea[BED_Y], model.sea[BED_Z])
    out = scratch.acceleration[bar]
    a = add(vector_of(out, 0), matvec(end_offset_columns(o, R), vector_of(out, 3)))
    a = add(a, centripetal(o, R, w))
    across = dot(n, a)
    normal = -(kept[1] * across + kept[2])
    friction = subtract(vector_of(kept, 4), scale(kept[3], add_scaled(a, -across, n)))
    return normal, friction, velocity


@kernel
def book_contact(model, state, scratch):
    """Work of friction and bed damping in this step; the kept bias makes room for the normal force."""
    h = scratch.scheme[BOOK_STEP]
    n = (model.sea[BED_X], model.sea[BED_Y], model.sea[BED_Z])
    for bar in range(model.bars.shape[0]):
        for side in range(2):
            kept = scratch.contact[bar, side]
            if kept[0] > 0.5:
                normal, friction, velocity = contact_force(bar, side, model, state, scratch)
                rate = dot(n, velocity)
                state.ledger[WORK_FRICTION] += h * dot(friction, velocity)
                state.ledger[WORK_DAMPING] -= h * model.bars[bar, BED_DAMPING] * rate * rate
                kept[2] = normal


@kernel
def remember(model, state, scratch):
    """Friction memory after the move."""
    for bar in range(model.bars.shape[0]):
        body = state.bars[bar]
        R = rotation(quaternion_of(body))
        half = 0.5 * model.bars[bar, LENGTH]
        for side in range(2):
            kept = scratch.contact[bar, side]
            memory = state.contact[bar, side]
            if kept[0] > 0.5 or memory[3] != 0.0:
                place = add_scaled(vector_of(body, 0), half if side == 1 else -half, axis_of(R))
                remember_contact(model.bars[bar], place, kept[0] > 0.5, kept[2], memory, model.sea)


@kernel
def book_multipliers(t, model, state, scratch):
    """Keep the position multipliers for the next step, note slack, book the work of prescribed points."""
    h = scratch.scheme[BOOK_STEP]
    for c in range(model.cables.shape[0]):
        first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
        least, most = 0.0, 0.0
        for i in range(count + 1):
            j = first + c + i
            axis = axis_of(rotation(quaternion_of(state.bars[first + min(i, count - 1)])))
            force = vector_of(scratch.multipliers[j], 0)
            tension = dot(force, axis)
            least = min(least, tension)
            most = max(most, tension)
            state.multipliers[j, 0], state.multipliers[j, 1], state.multipliers[j, 2] = force
        if state.slack_since[c] < 0.0 and least < -0.02 * most and t > 0.0:
            state.slack_since[c] = t
        if model.cables[c, START_HUB] < 0:
            velocity = vector_of(scratch.points[model.cables[c, START_POINT]], 3)
            state.ledger[WORK_DRIVES] -= h * dot(vector_of(scratch.multipliers[first + c], 0), velocity)
        if model.cables[c, END_HUB] < 0:
            velocity = vector_of(scratch.points[model.cables[c, END_POINT]], 3)
            state.ledger[WORK_DRIVES] += h * dot(vector_of(scratch.multipliers[first + c + count], 0), velocity)


@kernel
def move(t, model, state, scratch):
    """Advance every body and controlled point by one step; returns a status."""
    h, theta = scratch.scheme[STEP], scratch.scheme[SCHEME_THETA]
    explicit = scratch.scheme[SCHEME_KIND] == EXPLICIT_EULER
    for c in range(model.cables.shape[0]):
        first = model.cables[c, CABLE_FIRST]
        for i in range(model.cables[c, CABLE_COUNT]):
            if not move_body(state.bars[first + i], scratch.acceleration[first + i], h, theta, explicit):
                scratch.fault[0], scratch.fault[1], scratch.fault[2] = t + h, c, i
                return RANGE
    for k in range(model.ints[N_HUBS]):
        if not move_body(state.hubs[k], scratch.hub_rhs[k], h, theta, explicit):
            scratch.fault[0], scratch.fault[1] = t + h, k
            return HUB_RANGE
    for k in range(model.ints[N_CONTROLLED]):
        place = scratch.points[model.controls_int[k, 0]]
        for i in range(3):
            v = state.controls[k, 3 + i]
            state.controls[k, 3 + i] = v + h * place[6 + i]
            state.controls[k, i] += h * (v if explicit else v + theta * h * place[6 + i])
    return OK


@kernel
def prepare(kind, h, model, scratch):
    """Coefficients of all joints for steps of size h."""
    set_scheme(kind, h, model.settings, model.ints[GEOMETRIC], scratch.scheme)
    set_joints(model, scratch.scheme, scratch.joints)
    place_points(model, scratch)


@kernel
def advance(t, y, n, h, u, ints, reals, work, kind):
    """n steps of size h from t, in place. Returns a status; the place of a fault is in `work`."""
    model, state, scratch = model_of(ints, reals), state_of(ints, y), scratch_of(ints, work)
    prepare(kind, h, model, scratch)
    bed = model.sea[BED_PRESENT] > 0.0
    for step in range(n):
        now = t + step * h
        release_ends(now, model, state)
        drive_points(now, u, model, state, scratch)
        status = solve(now, model, state, scratch)
        if status != OK:
            return status
        book_multipliers(now, model, state, scratch)
        if bed:
            book_contact(model, state, scratch)
        status = move(now, model, state, scratch)
        if status != OK:
            return status
        if bed:
            remember(model, state, scratch)
    return OK
