"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations


from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, dot, matvec, scale, subtract, transposed_matvec
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    ACTIVE, BED_DAMPING, CABLE_COUNT, CABLE_FIRST, FAULT, FRICTION, I_POINTS, JOINT_COLUMNS, K_AXIAL, LENGTH,
    NORMAL_BIAS, NORMAL_FORCE, NORMAL_G, N_CABLES, N_HUBS, N_WINCHES, RELEASE_TENSION, RELEASE_TIME, RULE, R_JOINTS,
    SHEAR_G, TUNING, WEIGHT, WORK_DAMPING, WORK_DRIVES, WORK_FRICTION, W_ACCELERATION, W_HUB_RHS, W_MULTIPLIERS,
    Y_ATTACHED, Y_LEDGER, Y_MULTIPLIERS, Y_SLACK, Y_SNAP, bar_at, bar_of_joint, bar_state_at, cable_at, end_at,
    hub_of_end, hub_state_at, is_attached, is_clamped, joint_of_end, kept_contact_at, memory_at, point_at,
    point_of_end_index, quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import (
    BOOK_STEP,
    EXPLICIT_EULER,
    SCHEME_KIND,
    SCHEME_THETA,
    STEP,
    clear_joint,
    set_joints,
    set_scheme,
    step_theta,
)
from .element import axis_of, centripetal, end_offset_columns, point_velocity, remember_contact
from .ends import point_of_end
from .extremes import note_extremes
from .frames import drive_points, move_controls, place_points
from .hubs import solve
from .joint import turn_of_first, turn_of_second
from .loosening import along_line, is_loose, only_pulls
from .slider import book_sliders, follow_sliders
from .standing import book_standing, remember_standing
from .sweep import ZERO3, relative_of
from .winch import drive_winches, turn_winches, unfold_winch

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
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        for bar in range(first, first + ints[cable_at(ints, c) + CABLE_COUNT]):
            for side in range(2):
                kept = kept_contact_at(ints, bar, side)
                if work[kept + ACTIVE] > 0.5:
                    normal, friction, damping, velocity = contact_force(bar, side, ints, reals, y, work)
                    y[ledger + WORK_FRICTION] += h * dot(friction, velocity)
                    y[ledger + WORK_DAMPING] += h * damping * dot(n, velocity)
                    work[kept + NORMAL_FORCE] = normal
    book_standing(ints, reals, y, work)


@kernel
def remember(ints, reals, y, work):
    """Friction memory after the move."""
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        for bar in range(first, first + ints[cable_at(ints, c) + CABLE_COUNT]):
            for side in range(2):
                kept, memory = kept_contact_at(ints, bar, side), memory_at(ints, bar, side)
                touching = work[kept + ACTIVE] > 0.5
                if touching or y[memory + 3] != 0.0:
                    body = bar_state_at(ints, bar)
                    half = 0.5 * reals[bar_at(ints, bar) + LENGTH]
                    axis = axis_of(rotation(quaternion_of(y, body)))
                    place = add_scaled(vector_of(y, body), half if side == 1 else -half, axis)
                    remember_contact(reals, bar_at(ints, bar), place, touching, work[kept + NORMAL_FORCE], y, memory)
    remember_standing(ints, reals, y, work)


@kernel
def clamp_power(end, ints, reals, y, work):
    """Power of a clamp's moment λ at a prescribed body that turns: (Tᵀλ)·w in the clamp's frame."""
    j = joint_of_end(ints, end)
    relative, moment = relative_of(j, ints, work), vector_of(work, ints[W_MULTIPLIERS] + 6 * j + 3)
    _, _, _, _, spin, turning = point_of_end(end, ints, reals, y, work)
    turn = turn_of_second(relative) if end % 2 == 1 else turn_of_first(relative)
    return dot(transposed_matvec(turn, moment), add_scaled(spin, 0.5 * work[STEP], turning))


@kernel
def note_slack(c, t, slack, loose, rise, most, ints, y):
    """Keep since when cable c has been `slack` somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap; and whether a joint is `loose` now."""
    since, snap = ints[Y_SLACK] + c, ints[Y_SNAP] + 3 * c
    y[snap + 2] = 1.0 if loose else 0.0
    if y[since] < 0.0 and slack and t > 0.0:
        y[since] = t
    if y[since] >= 0.0:
        y[snap], y[snap + 1] = max(y[snap], rise), max(y[snap + 1], most)


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
        least, most, weight, rise, loose = 0.0, 0.0, 0.0, 0.0, False
        for i in range(count + 1):
            j = first + c + i
            host = max(0, i - 1) if only_pulls(j, ints, reals) else bar_of_joint(i, count)
            force = vector_of(work, ints[W_MULTIPLIERS] + 6 * j)
            axis = axis_of(rotation(quaternion_of(y, bar_state_at(ints, first + host))))
            axis = along_line(j, axis, ints, reals, work)
            tension = dot(force, axis)
            if tension < least:
                least = tension
            if tension > most:
                most = tension
            bar = bar_at(ints, first + bar_of_joint(i, count))
            weight += reals[bar + WEIGHT]
            yielding = STRAIN_LIMIT * reals[ints[R_JOINTS] + JOINT_COLUMNS * j + K_AXIAL] * reals[bar + LENGTH]
            if not abs(tension) < yielding and rule:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, bar_of_joint(i, count)
                status = STRAIN
            kept = ints[Y_MULTIPLIERS] + 3 * j
            rise = max(rise, tension - dot(vector_of(y, kept), axis))
            loose = loose or is_loose(j, ints, reals, work)
            y[kept], y[kept + 1], y[kept + 2] = force
        slack = loose or least < -SLACK_FRACTION * most - SLACK_FLOOR * weight
        note_slack(c, t, slack, loose, rise, most, ints, y)
        for end in range(2 * c, 2 * c + 2):  # the cable pulls its start with +λ, its end with −λ
            if hub_of_end(ints, end) < 0:
                point = point_at(ints, point_of_end_index(ints, end))
                velocity = add_scaled(vector_of(work, point + 3), 0.5 * work[STEP], vector_of(work, point + 6))
                pull = vector_of(work, ints[W_MULTIPLIERS] + 6 * joint_of_end(ints, end))
                power = dot(pull, velocity)
                if ints[ints[I_POINTS] + point_of_end_index(ints, end)] >= 0 and is_clamped(y, ints, end):
                    power += clamp_power(end, ints, reals, y, work)
                y[drives] += (h if end % 2 == 1 else -h) * power
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
    move_controls(ints, y, work)
    return OK


@kernel
def prepare(kind, h, rig, ints, reals, y, work):
    """Coefficients of all joints for steps of size h."""
    set_scheme(kind, h, ints, reals, y, work)
    if rig is not None:
        for k in range(ints[N_WINCHES]):
            unfold_winch(k, True, ints, reals, y, work)
    set_joints(ints, reals, y, work)
    place_points(ints, reals, work)


@kernel
def advance(t, y, n, h, u, rig, ints, reals, work):
    """n steps of size h from t, in place, joints prepared. Returns a status; the place of a fault is in `work`."""
    bed = reals[BED_PRESENT] > 0.0
    for step in range(n):
        now = t + step * h
        if step_theta(ints, reals, y) != work[SCHEME_THETA]:
            set_scheme(int(work[SCHEME_KIND]), h, ints, reals, y, work)
            set_joints(ints, reals, y, work)
        release_ends(now, ints, reals, y, work)
        drive_points(now, 0, u, ints, reals, y, work)
        if rig is not None:
            drive_winches(now, u, ints, reals, y, work)
        status = solve(now, u, rig, ints, reals, y, work)
        if status != OK:
            return status
        status = book_multipliers(now, ints, reals, y, work)
        if status != OK:
            return status
        note_extremes(now, ints, reals, y, work)
        if bed:
            book_contact(ints, reals, y, work)
        if rig is not None:
            book_sliders(ints, reals, y, work)
        status = move(now, ints, reals, y, work)
        if status != OK:
            return status
        if bed:
            remember(ints, reals, y, work)
        if rig is not None:
            follow_sliders(ints, reals, y, work)
            turn_winches(ints, reals, y, work)
    return OK
