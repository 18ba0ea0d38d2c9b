"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, dot, matvec, scale, subtract
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    ACTIVE, BED_DAMPING, CABLE_COUNT, CABLE_FIRST, CONTROL_INTS, CONTROL_REALS, FAULT, FRICTION, I_CONTROLS,
    JOINT_COLUMNS, K_AXIAL, LENGTH, N_BARS, N_CABLES, N_CONTROLLED, N_HUBS, N_POINTS, NORMAL_BIAS, NORMAL_FORCE,
    NORMAL_G, R_CONTROLS, R_JOINTS, R_POINTS, RELEASE_TENSION, RELEASE_TIME, RULE, SHEAR_G, TUNING, W_ACCELERATION,
    W_HUB_RHS, W_MULTIPLIERS, WEIGHT, WORK_DAMPING, WORK_DRIVES, WORK_FRICTION, Y_ATTACHED, Y_CONTROLS, Y_LEDGER,
    Y_MULTIPLIERS, Y_SLACK, bar_at, bar_state_at, cable_at, end_at, hub_of_end, hub_state_at, is_attached,
    joint_of_end, kept_contact_at, memory_at, point_at, point_of_end_index,
)  # fmt: skip
from .coefficients import (
    BOOK_STEP, EXPLICIT_EULER, PLAIN, SCHEME_KIND, SCHEME_THETA, STEP, clear_joint, set_joints, set_scheme,
)  # fmt: skip
from .element import axis_of, centripetal, end_offset_columns, point_velocity, remember_contact
from .hubs import solve
from .signals import command
from .sweep import ZERO3, quaternion_of, vector_of

OK, RANGE, SINGULAR, HUB_RANGE, STRAIN = 0, 1, 2, 3, 4
STRAIN_LIMIT = 1.0
"""A cable stretched to twice its length is none any more."""
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
SPIN_LIMIT = 1.0e5
"""rad/s, likewise."""
SLACK_FRACTION = 0.02
SLACK_FLOOR = 1.0e-3
"""A cable counts as slack when somewhere it is pushed with more than these parts of its largest tension and weight."""


@kernel
def place_points(ints, reals, work):
    """Fixed points where they are, at rest."""
    for k in range(ints[N_POINTS]):
        point = point_at(ints, k)
        for i in range(3):
            work[point + i] = reals[ints[R_POINTS] + 3 * k + i]
            work[point + 3 + i] = 0.0
            work[point + 6 + i] = 0.0


@kernel
def drive_points(t, u, ints, reals, y, work):
    """Acceleration of the controlled points from their second-order filter (Eq. 9 with a cut-off ω_c).

    In a step the filter is taken implicitly, so that no cut-off is too fast for a step:
    v₁ = (v₀ + hω²(p − x₀))/(1 + √2 ωh + ω²h²), x₁ = x₀ + h v₁; for explicit Euler, whose position takes v₀, in the
    form of its own rule.
    """
    h = work[STEP]
    plain = work[SCHEME_KIND] == PLAIN
    lag = 2.0 * h if work[SCHEME_KIND] == EXPLICIT_EULER else h
    for k in range(ints[N_CONTROLLED]):
        cutoff = reals[ints[R_CONTROLS] + CONTROL_REALS * k + 3]
        goal = command(t if plain else t + h, k, u, ints, reals)
        point = point_at(ints, ints[ints[I_CONTROLS] + CONTROL_INTS * k])
        for i in range(3):
            x, v = y[ints[Y_CONTROLS] + 6 * k + i], y[ints[Y_CONTROLS] + 6 * k + 3 + i]
            a = cutoff * cutoff * (goal[i] - x) - math.sqrt(2.0) * cutoff * v
            if not plain:
                a -= cutoff * cutoff * lag * v
                a /= 1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h
            work[point + i] = x
            work[point + 3 + i] = v
            work[point + 6 + i] = a


@kernel
def release_ends(t, ints, reals, y, work):
    """Let go of ends whose time has come or whose tension was exceeded."""
    for end in range(2 * ints[N_CABLES]):
        if not is_attached(y, ints, end):
            continue
        j = joint_of_end(ints, end)
        record = end_at(ints, end)
        force = vector_of(y, ints[Y_MULTIPLIERS] + 3 * j)
        limit = reals[record + RELEASE_TENSION]
        if t >= reals[record + RELEASE_TIME] or dot(force, force) > limit * limit:
            y[ints[Y_ATTACHED] + end] = 0.0
            clear_joint(j, ints, work)


@kernel
def move_body(y, body, work, acceleration, h, theta, explicit):
    """Advance one body in place; False when it leaves the physical range."""
    v, w = vector_of(y, body + 7), vector_of(y, body + 10)
    a, s = vector_of(work, acceleration), vector_of(work, acceleration + 3)
    carried = 0.0 if explicit else theta * h
    rate = add_scaled(v, carried, a)
    turn = scale(h, add_scaled(w, carried, s))
    q = turned(quaternion_of(y, body), turn[0], turn[1], turn[2])
    speed2, spin2 = 0.0, 0.0
    for k in range(3):
        y[body + k] += h * rate[k]
        y[body + 7 + k] = v[k] + h * a[k]
        y[body + 10 + k] = w[k] + h * s[k]
        speed2 += y[body + 7 + k] * y[body + 7 + k]
        spin2 += y[body + 10 + k] * y[body + 10 + k]
    y[body + 3], y[body + 4], y[body + 5], y[body + 6] = q
    return speed2 < SPEED_LIMIT * SPEED_LIMIT and spin2 < SPIN_LIMIT * SPIN_LIMIT


@kernel
def contact_force(bar, side, ints, reals, y, work):
    """Normal force N ≥ 0, friction (3) and bed damping force on a bar end after the solve, and its mean velocity.

    The damping force is that of the end of the step, as the normal row takes it.
    """
    kept, body = kept_contact_at(ints, bar, side), bar_state_at(ints, bar)
    if work[kept + ACTIVE] < 0.5:
        return 0.0, ZERO3, 0.0, ZERO3
    R = rotation(quaternion_of(y, body))
    o = 0.5 * reals[bar_at(ints, bar) + LENGTH] * (1.0 if side == 1 else -1.0)
    w = vector_of(y, body + 10)
    velocity = point_velocity(o, R, vector_of(y, body + 7), w)
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    out = ints[W_ACCELERATION] + 6 * bar
    a = add(vector_of(work, out), matvec(end_offset_columns(o, R), vector_of(work, out + 3)))
    a = add(a, centripetal(o, R, w))
    across = dot(n, a)
    normal = -(work[kept + NORMAL_G] * across + work[kept + NORMAL_BIAS])
    along = add_scaled(a, -across, n)
    friction = subtract(vector_of(work, kept + FRICTION), scale(work[kept + SHEAR_G], along))
    rate = dot(n, velocity) + work[SCHEME_THETA] * work[STEP] * across
    damping = -reals[bar_at(ints, bar) + BED_DAMPING] * rate
    return normal, friction, damping, add_scaled(velocity, 0.5 * work[STEP], a)


@kernel
def book_contact(ints, reals, y, work):
    """Work of friction and bed damping in this step; the normal force is kept for the friction of the next."""
    h = work[BOOK_STEP]
    ledger = ints[Y_LEDGER]
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    for bar in range(ints[N_BARS]):
        for side in range(2):
            kept = kept_contact_at(ints, bar, side)
            if work[kept + ACTIVE] > 0.5:
                normal, friction, damping, velocity = contact_force(bar, side, ints, reals, y, work)
                y[ledger + WORK_FRICTION] += h * dot(friction, velocity)
                y[ledger + WORK_DAMPING] += h * damping * dot(n, velocity)
                work[kept + NORMAL_FORCE] = normal


@kernel
def remember(ints, reals, y, work):
    """Friction memory after the move."""
    for bar in range(ints[N_BARS]):
        for side in range(2):
            kept, memory = kept_contact_at(ints, bar, side), memory_at(ints, bar, side)
            touching = work[kept + ACTIVE] > 0.5
            if touching or y[memory + 3] != 0.0:
                body = bar_state_at(ints, bar)
                half = 0.5 * reals[bar_at(ints, bar) + LENGTH]
                axis = axis_of(rotation(quaternion_of(y, body)))
                place = add_scaled(vector_of(y, body), half if side == 1 else -half, axis)
                remember_contact(reals, bar_at(ints, bar), place, touching, work[kept + NORMAL_FORCE], y, memory)


@kernel
def book_multipliers(t, ints, reals, y, work):
    """Keep the position multipliers for the next step, note slack, book the work of prescribed points.

    Returns a status: a tension that would stretch an element to twice its length is no physical state.
    """
    status = OK
    rule = ints[TUNING] == RULE  # under the paper's tunings the multiplier is mostly damping
    h = work[BOOK_STEP]
    drives = ints[Y_LEDGER] + WORK_DRIVES
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        least, most, weight = 0.0, 0.0, 0.0
        for i in range(count + 1):
            j = first + c + i
            body = bar_state_at(ints, first + min(i, count - 1))
            force = vector_of(work, ints[W_MULTIPLIERS] + 6 * j)
            tension = dot(force, axis_of(rotation(quaternion_of(y, body))))
            least = min(least, tension)
            most = max(most, tension)
            bar = bar_at(ints, first + min(i, count - 1))
            weight += reals[bar + WEIGHT]
            yielding = STRAIN_LIMIT * reals[ints[R_JOINTS] + JOINT_COLUMNS * j + K_AXIAL] * reals[bar + LENGTH]
            if not abs(tension) < yielding and rule:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, min(i, count - 1)
                status = STRAIN
            kept = ints[Y_MULTIPLIERS] + 3 * j
            y[kept], y[kept + 1], y[kept + 2] = force
        if y[ints[Y_SLACK] + c] < 0.0 and least < -SLACK_FRACTION * most - SLACK_FLOOR * weight and t > 0.0:
            y[ints[Y_SLACK] + c] = t
        for end in range(2 * c, 2 * c + 2):  # the cable pulls its start with +λ, its end with −λ
            if hub_of_end(ints, end) < 0:
                point = point_at(ints, point_of_end_index(ints, end))
                velocity = add_scaled(vector_of(work, point + 3), 0.5 * work[STEP], vector_of(work, point + 6))
                pull = vector_of(work, ints[W_MULTIPLIERS] + 6 * joint_of_end(ints, end))
                y[drives] += (h if end % 2 == 1 else -h) * dot(pull, velocity)
    return status


@kernel
def move(t, ints, reals, y, work):
    """Advance every body and controlled point by one step; returns a status."""
    h, theta = work[STEP], work[SCHEME_THETA]
    explicit = work[SCHEME_KIND] == EXPLICIT_EULER
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        for i in range(ints[cable_at(ints, c) + CABLE_COUNT]):
            acceleration = ints[W_ACCELERATION] + 6 * (first + i)
            if not move_body(y, bar_state_at(ints, first + i), work, acceleration, h, theta, explicit):
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t + h, c, i
                return RANGE
    for k in range(ints[N_HUBS]):
        if not move_body(y, hub_state_at(ints, k), work, ints[W_HUB_RHS] + 6 * k, h, theta, explicit):
            work[FAULT], work[FAULT + 1] = t + h, k
            return HUB_RANGE
    for k in range(ints[N_CONTROLLED]):
        point = point_at(ints, ints[ints[I_CONTROLS] + CONTROL_INTS * k])
        filtered = ints[Y_CONTROLS] + 6 * k
        for i in range(3):
            v = y[filtered + 3 + i]
            a = work[point + 6 + i]
            y[filtered + 3 + i] = v + h * a
            y[filtered + i] += h * (v if explicit else v + theta * h * a)
    return OK


@kernel
def prepare(kind, h, ints, reals, y, work):
    """Coefficients of all joints for steps of size h."""
    set_scheme(kind, h, ints, reals, work)
    set_joints(ints, reals, y, work)
    place_points(ints, reals, work)


@fold
def advance(t, y, n, h, u, ints, reals, work):
    """n steps of size h from t, in place, joints prepared. Returns a status; the place of a fault is in `work`."""
    bed = reals[BED_PRESENT] > 0.0
    for step in range(n):
        now = t + step * h
        release_ends(now, ints, reals, y, work)
        drive_points(now, u, ints, reals, y, work)
        status = solve(now, ints, reals, y, work)
        if status != OK:
            return status
        status = book_multipliers(now, ints, reals, y, work)
        if status != OK:
            return status
        if bed:
            book_contact(ints, reals, y, work)
        status = move(now, ints, reals, y, work)
        if status != OK:
            return status
        if bed:
            remember(ints, reals, y, work)
    return OK
