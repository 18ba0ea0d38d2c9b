"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract, transposed_matvec
from fairlead.sea.water import BED_PRESENT

from .coefficients import EXPLICIT_EULER, clear_joint, set_joints, set_scheme, step_theta
from .element import axis_of, axis_rate, bed_normal, centripetal, remember_contact
from .ends import point_of_end
from .extremes import note_extremes
from .frames import drive_points, move_controls, place_points
from .hubs import solve
from .joint import turn_of_first, turn_of_second
from .loosening import along_line, is_loose, only_pulls
from .multipliers import clear_dampers
from .schema import RULE
from .slider import book_sliders, follow_sliders
from .standing import book_standing, remember_standing
from .sweep import ZERO3
from .topology import bar_of_joint, hub_of_end, is_attached, is_clamped, joint_of_end, point_of_end_index
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
def release_ends(t, sys):
    """Let go of ends whose time has come or whose tension was exceeded."""
    for end in range(2 * sys.cables):
        if not is_attached(end, sys):
            continue
        j = joint_of_end(end, sys)
        record = sys.end[end]
        force = sys.multipliers[j].force
        limit = record.release_tension
        if t >= record.release_time or dot(force, force) > limit * limit:
            sys.attached[end].joined = 0.0
            clear_joint(j, sys)


@inlined
def move_body(body, acceleration, h, theta, explicit):
    """Advance one body in place; False when it leaves the physical range."""
    v, w = body.velocity, body.spin
    a, s = acceleration.linear, acceleration.angular
    carried = 0.0 if explicit else theta * h
    rate = add_scaled(v, carried, a)
    turn = scale(h, add_scaled(w, carried, s))
    body.turn = turned(body.turn, turn[0], turn[1], turn[2])
    body.position = add_scaled(body.position, h, rate)
    v, w = add_scaled(v, h, a), add_scaled(w, h, s)
    body.velocity, body.spin = v, w
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT and dot(w, w) < SPIN_LIMIT * SPIN_LIMIT


@inlined
def end_motion(bar, sys):
    """What the velocity and acceleration of a point of a bar gain along it after the solve, a metre [1/s, 1/s²]."""
    body = sys.bar_state[bar]
    R, w = rotation(body.turn), body.spin
    return axis_rate(R, w), add(axis_rate(R, sys.acceleration[bar].angular), centripetal(1.0, R, w))


@inlined
def end_force(bar, side, tilt, bend, sys):
    """`contact_force` of an end that touches, with what `end_motion` has of its bar."""
    kept = sys.touch[2 * bar + side]
    o = 0.5 * sys.bar[bar].length * (1.0 if side == 1 else -1.0)
    velocity, a = add_scaled(sys.bar_state[bar].velocity, o, tilt), add_scaled(sys.acceleration[bar].linear, o, bend)
    n = bed_normal(sys)
    across = dot(n, a)
    normal = -(kept.normal_g * across + kept.normal_bias)
    along = add_scaled(a, -across, n)
    friction = subtract(kept.friction, scale(kept.shear_g, along))
    rate = dot(n, velocity) + sys.scheme.theta * sys.scheme.step * across
    damping = -sys.bar[bar].bed_damping * rate
    return normal, friction, damping, add_scaled(velocity, 0.5 * sys.scheme.step, a)


@kernel
def contact_force(bar, side, sys):
    """Normal force N ≥ 0, friction (3) and bed damping force on a bar end after the solve, and its mean velocity.

    The damping force is that of the end of the step, as the normal row takes it.
    """
    if sys.touch[2 * bar + side].active < 0.5:
        return 0.0, ZERO3, 0.0, ZERO3
    tilt, bend = end_motion(bar, sys)
    return end_force(bar, side, tilt, bend, sys)


@inlined
def is_touching(bar, sys):
    """Whether either end of a bar presses on the bed in this step."""
    return sys.touch[2 * bar].active > 0.5 or sys.touch[2 * bar + 1].active > 0.5


@kernel
def book_contact(sys):
    """Work of friction and bed damping in this step; the normal force is kept for the friction of the next."""
    h = sys.scheme.book
    ledger = sys.ledger
    n = bed_normal(sys)
    for c in range(sys.cables):
        first = sys.cable[c].first
        for bar in range(first, first + sys.cable[c].count):
            if not is_touching(bar, sys):
                continue
            tilt, bend = end_motion(bar, sys)
            for side in range(2):
                kept = sys.touch[2 * bar + side]
                if kept.active > 0.5:
                    normal, friction, damping, velocity = end_force(bar, side, tilt, bend, sys)
                    ledger.friction += h * dot(friction, velocity)
                    ledger.damping += h * damping * dot(n, velocity)
                    kept.normal_force = normal
    book_standing(sys)


@kernel
def remember(sys):
    """Friction memory after the move."""
    for c in range(sys.cables):
        first = sys.cable[c].first
        for bar in range(first, first + sys.cable[c].count):
            near, far = sys.contact[2 * bar], sys.contact[2 * bar + 1]
            if not is_touching(bar, sys) and near.normal_force == 0.0 and far.normal_force == 0.0:
                continue
            body = sys.bar_state[bar]
            half, axis = 0.5 * sys.bar[bar].length, axis_of(rotation(body.turn))
            for side in range(2):
                kept, memory = sys.touch[2 * bar + side], sys.contact[2 * bar + side]
                touching = kept.active > 0.5
                if touching or memory.normal_force != 0.0:
                    place = add_scaled(body.position, half if side == 1 else -half, axis)
                    remember_contact(sys.bar[bar], place, touching, kept.normal_force, memory, sys)
    remember_standing(sys)


@kernel
def clamp_power(end, sys):
    """Power of a clamp's moment λ at a prescribed body that turns: (Tᵀλ)·w in the clamp's frame."""
    j = joint_of_end(end, sys)
    relative, moment = sys.relative[j].turn, sys.joint_load[j].moment
    _, _, _, _, spin, turning = point_of_end(end, sys)
    turn = turn_of_second(relative) if end % 2 == 1 else turn_of_first(relative)
    return dot(transposed_matvec(turn, moment), add_scaled(spin, 0.5 * sys.scheme.step, turning))


@kernel
def note_slack(c, t, slack, loose, rise, most, sys):
    """Keep since when cable c has been `slack` somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap; and whether a joint is `loose` now."""
    since, snap = sys.slack_since[c], sys.snap[c]
    snap.loose = 1.0 if loose else 0.0
    if since.time < 0.0 and slack and t > 0.0:
        since.time = t
    if since.time >= 0.0:
        snap.rise, snap.most = max(snap.rise, rise), max(snap.most, most)


@kernel
def book_multipliers(t, sys):
    """Keep the position multipliers for the next step, note slack, book the work of prescribed points.

    Returns a status: a tension that would stretch an element to twice its length is no physical state.
    """
    status = OK
    rule = sys.tuning == RULE  # under the paper's tunings the multiplier is mostly damping
    h = sys.scheme.book
    ledger = sys.ledger
    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count = cable.first, cable.count
        least, most, weight, rise, loose = 0.0, 0.0, 0.0, 0.0, False
        for i in range(count + 1):
            j = first + c + i
            host = max(0, i - 1) if only_pulls(j, sys) else bar_of_joint(i, count)
            force = sys.joint_load[j].force
            axis = axis_of(rotation(sys.bar_state[first + host].turn))
            axis = along_line(j, axis, sys)
            tension = dot(force, axis)
            if tension < least:
                least = tension
            if tension > most:
                most = tension
            bar = sys.bar[first + bar_of_joint(i, count)]
            weight += bar.weight
            yielding = STRAIN_LIMIT * sys.joint[j].stiffness[0] * bar.length
            if not abs(tension) < yielding and rule:
                sys.fault.time, sys.fault.cable, sys.fault.element = t, c, bar_of_joint(i, count)
                status = STRAIN
            rise = max(rise, tension - dot(sys.multipliers[j].force, axis))
            loose = loose or is_loose(j, sys)
            sys.multipliers[j].force = force
        slack = loose or least < -SLACK_FRACTION * most - SLACK_FLOOR * weight
        note_slack(c, t, slack, loose, rise, most, sys)
        for end in range(2 * c, 2 * c + 2):  # the cable pulls its start with +λ, its end with −λ
            if hub_of_end(end, sys) < 0:
                point = sys.point_now[point_of_end_index(end, sys)]
                velocity = add_scaled(point.velocity, 0.5 * sys.scheme.step, point.acceleration)
                pull = sys.joint_load[joint_of_end(end, sys)].force
                power = dot(pull, velocity)
                if sys.owner[point_of_end_index(end, sys)].frame >= 0 and is_clamped(end, sys):
                    power += clamp_power(end, sys)
                ledger.drives += (h if end % 2 == 1 else -h) * power
    return status


@kernel
def move(t, sys):
    """Advance every body and controlled point by one step; returns a status."""
    h, theta = sys.scheme.step, sys.scheme.theta
    explicit = sys.scheme.kind == EXPLICIT_EULER
    for c in range(sys.cables):
        first = sys.cable[c].first
        for i in range(sys.cable[c].count):
            if not move_body(sys.bar_state[first + i], sys.acceleration[first + i], h, theta, explicit):
                sys.fault.time, sys.fault.cable, sys.fault.element = t + h, c, i
                return RANGE
    for k in range(sys.hubs):
        if not move_body(sys.hub_state[k], sys.hub_rhs[k], h, theta, explicit):
            sys.fault.time, sys.fault.cable = t + h, k
            return HUB_RANGE
    move_controls(sys)
    return OK


@kernel
def prepare(kind, h, rig, sys):
    """Coefficients of all joints for steps of size h."""
    set_scheme(kind, h, sys)
    if rig is not None:
        for k in range(sys.winches):
            unfold_winch(k, True, sys)
    else:
        clear_dampers(sys)
    set_joints(sys)
    place_points(sys)


@kernel
def advance(t, n, h, u, rig, whole, sys):
    """n steps of size h from t, in place, joints prepared. Returns a status; the place of a fault is in `fault`."""
    bed = sys.reals[BED_PRESENT] > 0.0
    for step in range(n):
        now = t + step * h
        if step_theta(sys) != sys.scheme.theta:
            set_scheme(int(sys.scheme.kind), h, sys)
            set_joints(sys)
        release_ends(now, sys)
        drive_points(now, 0, u, sys)
        if rig is not None:
            drive_winches(now, u, sys)
        status = solve(now, u, rig, whole, sys)
        if status != OK:
            return status
        status = book_multipliers(now, sys)
        if status != OK:
            return status
        note_extremes(now, sys)
        if bed:
            book_contact(sys)
        if rig is not None:
            book_sliders(sys)
        status = move(now, sys)
        if status != OK:
            return status
        if bed:
            remember(sys)
        if rig is not None:
            follow_sliders(sys)
            turn_winches(sys)
    return OK
