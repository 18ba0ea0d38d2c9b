"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import WIDTH, all_lanes, any_lane, common, like, pick, placed, total, where
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.records import expected, taken
from fairlead.algebra.small import add, add_scaled, dot, positive, scale, subtract, transposed_matvec
from fairlead.rigging.frames import move_controls, place_points
from fairlead.rigging.standing import remember_standing
from fairlead.rigging.watching import EVERY
from fairlead.sea.water import BED_PRESENT, bed_at

from .coefficients import clear_joint, set_joints, set_scheme, step_theta
from .element import (
    are_alike, axis_of, axis_rate, centripetal, drag_as_applied, either_touches, remember_contact,
    touches_of,
)  # fmt: skip
from .ends import point_of_end
from .extremes import note_extremes
from .floating import keep_floating, prepare_floating
from .frames import drive_points
from .joint import turn_of_first, turn_of_second
from .loosening import FORGOTTEN, held_along, is_held_loose, only_pulls
from .multipliers import clear_dampers
from .ropes import let_creep, take_up_ropes
from .schema import RULE
from .slider import bend_bars, book_sliders, follow_sliders, shorten_bars, straighten_hosts
from .solving import solve
from .standing import book_standing
from .sweep import ZERO3
from .watching import watch
from .topology import bar_of_joint, hub_of_end, is_attached, is_clamped, joint_of_end, point_of_end_index
from .winch import drive_winches, grow_winches, turn_winches, unfold_winch

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
STILL = 1.0e-3
"""m/s: a bar on the bed whose velocity changes by less in a step has no blow to book."""


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
def drift_body(body, time):
    """Let a body go on as it moves and spins, for a time."""
    turn = scale(time, body.spin)
    body.turn = turned(body.turn, turn[0], turn[1], turn[2])
    body.position = add_scaled(body.position, time, body.velocity)


@kernel
def drift(rows, sys):
    """Let every bar and hub go on for half a step, to where a second-order step is solved."""
    half = sys.scheme.half
    for c in range(sys.cables):
        bar, end = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
        while bar < end:
            if rows is not None and bar + WIDTH <= end:
                drift_body(rows.bar_state[bar], half)
                bar += WIDTH
            else:
                expected(sys.bar_state.position, min(bar + 2, end - 1), 13)
                drift_body(sys.bar_state[bar], half)
                bar += 1
    for k in range(sys.hubs):
        drift_body(sys.hub_state[k], half)


@inlined
def move_body(there, felt, body, acceleration, scheme):
    """Advance one body to where `there` keeps it, its accelerations to where they are `felt` in the next step; whether
    it stays in the physical range."""
    v, w = body.velocity, body.spin
    a, s, h = acceleration.linear, acceleration.angular, scheme.step
    rate = add_scaled(v, scheme.carried, a)
    turn = scale(scheme.travel, add_scaled(w, scheme.carried, s))
    there.turn = turned(body.turn, turn[0], turn[1], turn[2])
    there.position = add_scaled(body.position, scheme.travel, rate)
    if scheme.half > 0.0:
        felt.linear, felt.angular = a, s
    v, w = add_scaled(v, h, a), add_scaled(w, h, s)
    there.velocity, there.spin = v, w
    return (dot(v, v) < SPEED_LIMIT * SPEED_LIMIT) & (dot(w, w) < SPIN_LIMIT * SPIN_LIMIT)


@inlined
def end_motion(body, solved):
    """What the velocity and acceleration of a point of a bar gain along it after the solve, a metre [1/s, 1/s²]; `body`
    and `solved` are its rows of `bar_state` and `acceleration`."""
    R, w = rotation(body.turn), body.spin
    return axis_rate(R, w), add(axis_rate(R, solved.angular), centripetal(1.0, R, w))


@inlined
def end_force(bar, side, body, solved, tilt, bend, sys):
    """`contact_force` of an end that touches, with what `end_motion` has of its bar."""
    kept = sys.touch[2 * bar + side]
    o = 0.5 * sys.bar[bar].length * (1.0 if side == 1 else -1.0)
    velocity, a = add_scaled(body.velocity, o, tilt), add_scaled(solved.linear, o, bend)
    n = kept.normal
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
    body, solved = sys.bar_state[bar], sys.acceleration[bar]
    tilt, bend = end_motion(body, solved)
    return end_force(bar, side, body, solved, tilt, bend, sys)


@inlined
def sprung_loss(bar, kept, normal, damping, mean, sys):
    """What a first-order step gives (−: takes) by its one force of the bed's spring, along the mean speed off the bed
    [J]: the work of that force, and what the spring stores from the beginning of the step to its end."""
    scheme, k = sys.scheme, bar.bed_stiffness
    h = scheme.step
    if h == 0.0:
        return 0.0 * normal
    across = -(normal + kept.normal_bias) / kept.normal_g
    rate = mean - 0.5 * h * across
    gap = (kept.normal_bias - (bar.bed_damping + scheme.d_per_k * k) * rate) / k
    before = positive(-gap)
    after = positive(-(gap + scheme.travel * (rate + scheme.carried * across)))
    return h * (normal - damping) * mean + 0.5 * k * (after * after - before * before)


@inlined
def bed_energy(bar, gap):
    """What the bed's spring stores below an end of a bar with a `gap` to it [J]."""
    sunk = positive(-gap)
    return 0.5 * bar.bed_stiffness * sunk * sunk


@inlined
def bed_taken(bar, side, body, solved, tilt, bend, acts, normal, sys):
    """What the bed takes (−) of an end of a bar in a second-order step beyond what its spring stores [J]: the work of
    the normal force, and the change of the stored energy. It is stored only where the end presses (see `bed_stored`):
    what leaves the bed before the spring has pushed it out loses the rest."""
    row, h, half = sys.bar[bar], sys.scheme.step, sys.scheme.half
    o = 0.5 * row.length * (1.0 if side == 1 else -1.0)
    place = add_scaled(body.position, o, axis_of(rotation(body.turn)))
    height, n = bed_at(place[0], place[1], sys.reals)
    gap = n[2] * (place[2] - height) - row.radius
    rate = dot(n, add_scaled(body.velocity, o, tilt))
    gained = h * dot(n, add_scaled(solved.linear, o, bend))
    before, after = bed_energy(row, gap - half * rate), bed_energy(row, gap + half * (rate + gained))
    presses, pressed = acts & (normal > 0.0), sys.contact[2 * bar + side].normal_force > 0.0
    work = where(acts, h * normal * (rate + 0.5 * gained), 0.0)
    return work + where(presses, after, 0.0) - where(pressed, before, 0.0)


@kernel
def bed_stored(sys):
    """What the bed's springs store below all ends of bars that pressed on it in the latest second-order step [J]."""
    stored = 0.0
    for c in range(sys.cables):
        first = sys.cable[c].first
        for bar in range(first, first + sys.cable[c].count):
            for side in range(2):
                if sys.contact[2 * bar + side].normal_force > 0.0:
                    row, body = sys.bar[bar], sys.bar_state[bar]
                    o = 0.5 * row.length * (1.0 if side == 1 else -1.0)
                    place = add_scaled(body.position, o, axis_of(rotation(body.turn)))
                    height, n = bed_at(place[0], place[1], sys.reals)
                    stored += bed_energy(row, n[2] * (place[2] - height) - row.radius)
    return stored


@inlined
def is_booked(touches, sys):
    """Whether a bar has works of the bed to be booked, with `touches` as `touches_of` has them: in the second-order
    step also where it pressed in the step before."""
    return has_pressed(touches) if sys.scheme.half > 0.0 else either_touches(touches)


@inlined
def book_bar(t, bar, body, solved, touching, sys):
    """Works of drag, friction and damping of one bar, or of eight side by side, by whether they are `touching` the bed
    (`is_booked`); `body` and `solved` as in `end_motion`."""
    h = sys.scheme.book
    drag = rubbed = damped = like(solved.linear[0], 0.0)
    if not any_lane(touching):
        return drag, rubbed, damped
    tilt, bend = end_motion(body, solved)
    struck = touching & (sys.scheme.step**2 * dot(solved.linear, solved.linear) > STILL * STILL)
    if any_lane(struck):
        beyond = drag_as_applied(t, bar, solved.linear, solved.angular, sys)
        drag = where(struck, h * beyond, 0.0)
    for side in range(2):
        kept = sys.touch[2 * bar + side]
        acts = kept.active > 0.5
        if sys.scheme.half > 0.0 and any_lane(kept.active != 0.0):
            normal, friction, _, velocity = end_force(bar, side, body, solved, tilt, bend, sys)
            damped += bed_taken(bar, side, body, solved, tilt, bend, acts, normal, sys)
            rubbed += where(acts, h * dot(friction, velocity), 0.0)
            kept.normal_force = where(acts, normal, kept.normal_force)
        elif any_lane(acts):
            normal, friction, damping, velocity = end_force(bar, side, body, solved, tilt, bend, sys)
            mean = dot(kept.normal, velocity)
            taken = h * damping * mean + sprung_loss(sys.bar[bar], kept, normal, damping, mean, sys)
            rubbed += where(acts, h * dot(friction, velocity), 0.0)
            damped += where(acts, taken, 0.0)
            kept.normal_force = where(acts, normal, kept.normal_force)
    return drag, rubbed, damped


@kernel
def book_contact(t, rows, sys):
    """Works of friction and of the bed's damper and spring in this step, and of drag where a bar comes down, all as the
    forces act along the mean velocity of the step. The normal force is kept for the friction of the next."""
    drag = rubbed = damped = like(sys.ledger.drag, 0.0)
    for c in range(sys.cables):
        bar, end = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
        coming = touches_of(bar, sys)
        while bar < end:
            if rows is not None and bar + WIDTH <= end and are_alike(bar, rows, sys):
                of_drag, of_friction, of_damping = book_bar(
                    t, bar, rows.bar_state[bar], rows.acceleration[bar], is_booked(touches_of(bar, rows), rows), rows
                )
                drag += total(of_drag)
                rubbed += total(of_friction)
                damped += total(of_damping)
                bar += WIDTH
                coming = touches_of(min(bar, end - 1), sys)
            else:
                soon = 2 * min(bar + 2, end - 1)
                expected(sys.touch.active, soon, 1)
                expected(sys.touch.active, soon + 1, 1)
                touches, coming = coming, touches_of(min(bar + 1, end - 1), sys)
                body, solved = sys.bar_state[bar], sys.acceleration[bar]
                by_drag, by_friction, by_damping = book_bar(t, bar, body, solved, is_booked(touches, sys), sys)
                drag += by_drag
                rubbed += by_friction
                damped += by_damping
                bar += 1
    book_works(drag, rubbed, damped, sys)


@kernel
def book_works(drag, rubbed, damped, sys):
    """Book these works of all bars, and those of bodies that stand on the bed."""
    ledger = sys.ledger
    ledger.drag += drag
    ledger.friction += rubbed
    ledger.damping += damped
    if sys.standing_hubs > 0:
        for k in range(lane_count(sys)):
            book_standing(lane_of(sys, k))


@inlined
def has_pressed(touches):
    """Whether either end of a bar presses on the bed, or did in the step before, with `touches` as `touches_of` has
    them."""
    return (touches[0] != 0.0) | (touches[1] != 0.0)


@inlined
def remember_bar(bar, pressed, sys):
    """Friction memory of a bar, or of eight side by side, after the move, by whether it has `pressed` on the bed."""
    if not any_lane(pressed):
        return
    body = sys.bar_state[bar]
    half, axis = 0.5 * sys.bar[bar].length, axis_of(rotation(body.turn))
    for side in range(2):
        kept, memory = sys.touch[2 * bar + side], sys.contact[2 * bar + side]
        touching = kept.active > 0.5
        touched = touching | (memory.normal_force != 0.0)
        if any_lane(touched):
            place = add_scaled(body.position, half if side == 1 else -half, axis)
            remember_contact(sys.bar[bar], place, touched, touching, kept.normal_force, memory, sys)


@kernel
def remember(rows, sys):
    """Friction memory after the move."""
    for c in range(sys.cables):
        bar, end = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
        coming = touches_of(bar, sys)
        while bar < end:
            if rows is not None and bar + WIDTH <= end:
                remember_bar(bar, has_pressed(touches_of(bar, rows)), rows)
                bar += WIDTH
                coming = touches_of(min(bar, end - 1), sys)
            else:
                soon = 2 * min(bar + 2, end - 1)
                expected(sys.touch.active, soon, 1)
                expected(sys.touch.active, soon + 1, 1)
                touches, coming = coming, touches_of(min(bar + 1, end - 1), sys)
                remember_bar(bar, has_pressed(touches), sys)
                bar += 1
    remember_feet(sys)


@kernel
def remember_feet(sys):
    """Friction memory of bodies that stand on the bed."""
    if sys.standing_hubs > 0:
        for k in range(lane_count(sys)):
            remember_standing(lane_of(sys, k))


@kernel
def clamp_power(end, sys):
    """Power of a clamp's moment λ at a prescribed body that turns: (Tᵀλ)·w in the clamp's frame."""
    j = joint_of_end(end, sys)
    relative, moment = sys.relative[j].turn, sys.joint_load[j].moment
    _, _, _, _, spin, turning = point_of_end(end, sys)
    turn = turn_of_second(relative) if end % 2 == 1 else turn_of_first(relative)
    return dot(transposed_matvec(turn, moment), add_scaled(spin, 0.5 * sys.scheme.step, turning))


@kernel
def note_slack(t, c, least, most, weight, rise, loose, sys):
    """Keep since when cable c has been slack somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap; and whether a joint is `loose` now,
    which the second-order step forgets slowly.

    least, most, weight, rise, loose  what `book_joint` has of all its joints
    """
    since, snap = sys.slack_since[c], sys.snap[c]
    slack = loose | (least < -SLACK_FRACTION * most - SLACK_FLOOR * weight)
    lasting = 1.0 if sys.scheme.half > 0.0 else 0.0
    snap.loose = where(loose, 1.0, lasting * positive(snap.loose - FORGOTTEN))
    since.time = where((since.time < 0.0) & slack & (t > 0.0), t, since.time)
    was = since.time >= 0.0
    if any_lane(was):
        snap.rise = where(was, max(snap.rise, rise), snap.rise)
        snap.most = where(was, max(snap.most, most), snap.most)


@inlined
def fail(well, bad, why, status, time, place, part, sys):
    """The status where what was `well` turns `bad`, whose time and place are left; of others as it was."""
    fails = well & bad
    if any_lane(fails):
        fault = sys.fault
        fault.time, fault.cable, fault.element = where(
            fails, (time, place, part), (fault.time, fault.cable, fault.element)
        )
        status = where(fails, why, status)
    return status


@inlined
def pull_at(c, i, sys):
    """Multiplier of joint i of cable c in this step and in the one before, what is held of it in `sys.loose`, the bar
    it pulls at, and whether it only pulls."""
    first, count = sys.cable[c].first, sys.cable[c].count
    j = first + c + i
    pulls = only_pulls(j, sys)
    host = host_of_joint(i, pulls, count)
    return (
        taken(sys.joint_load[j]), taken(sys.multipliers[j]), taken(sys.loose[j]), taken(sys.bar_state[first + host]),
        pulls,
    )  # fmt: skip


@inlined
def host_of_joint(i, pulls, count):
    """Bar of a cable that joint i pulls at, by whether it only `pulls`."""
    return max(0, i - 1) if pulls else bar_of_joint(i, count)


@inlined
def book_joint(
    t, c, first, element, j, well, status, force, before, pulls, held, axis, least, most, weight, rise, loose, rig, sys
):  # fmt: skip
    """Keep the multiplier of joint j of an element of cable c, whose bars begin at `first`; it was `before`.

    well                              whether a tension beyond the physical range is a fault
    pulls, held                       whether the joint only pulls, and what `sys.loose` has of it
    axis                              of the bar it pulls at
    least, most, weight, rise, loose  of all joints so far: least and largest tension, weight, the largest rise of a
                                      tension and whether one is loose; they are returned with this one, and the status
    """
    axis = held_along(pulls, axis, held)
    tension = dot(force, axis)
    least, most = where(tension < least, tension, least), where(tension > most, tension, most)
    bar = sys.bar[first + element]
    weight += bar.weight
    broken = not (abs(tension) < STRAIN_LIMIT * sys.joint[j].stiffness[0] * bar.length)
    status = fail(well, broken, STRAIN, status, t, c, element, sys)
    is_slack = is_held_loose(pulls, held)
    if rig is not None:
        let_creep(j, 0.0 if is_slack else tension, sys)
    rise = max(rise, tension - dot(before, axis))
    if sys.scheme.half > 0.0:
        felt, parting = sys.joint_felt[j], sys.parting[j]
        felt.parting, felt.tension = parting.position, dot(before, axis)
        if sys.turning > 0:
            sys.turn_felt[j].parting, sys.turn_felt[j].moment = parting.rotation, sys.joint_load[j].moment
    sys.multipliers[j].force = force
    if any_lane(is_slack):  # an end that was let go holds nothing, and is not slack
        is_slack = is_slack & (sys.row[j].gdk[2] > 0.0)
    return status, least, most, weight, rise, loose | is_slack


@inlined
def watches_strain(sys):
    """Whether tensions tell of strain: under the paper's tunings the multiplier is mostly damping."""
    return sys.tuning == RULE


@kernel
def book_multipliers(t, status, rig, sys):
    """Keep the position multipliers for the next step, note slack, book the work of prescribed points.

    Returns the status: a tension that would stretch an element to twice its length is no physical state.
    """
    well = (status == OK) & watches_strain(sys)
    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count = cable.first, cable.count
        least, most, weight, rise, loose = 0.0, 0.0, 0.0, 0.0, False
        coming = pull_at(c, 0, sys)
        for i in range(count + 1):
            soon = first + c + min(i + 2, count)
            expected(sys.joint_load.force, soon, 3)
            expected(sys.multipliers.force, soon, 3)
            expected(sys.loose.loose, soon, 1)
            expected(sys.loose.side, soon, 1)
            expected(sys.bar_state.turn, first + min(i + 2, count - 1), 4)
            load, before, held, body, pulls = coming
            coming = pull_at(c, min(i + 1, count), sys)
            status, least, most, weight, rise, loose = book_joint(
                t, c, first, bar_of_joint(i, count), first + c + i, well, status, load.force, before.force, pulls, held,
                axis_of(rotation(body.turn)), least, most, weight, rise, loose, rig, sys,
            )  # fmt: skip
        note_slack(t, c, least, most, weight, rise, loose, sys)
        book_drives(c, sys)
    return status


@kernel
def book_drives(c, sys):
    """Book the work of prescribed points at the ends of cable c."""
    h = sys.scheme.book
    for end in range(2 * c, 2 * c + 2):  # the cable pulls its start with +λ, its end with −λ
        if hub_of_end(end, sys) < 0:
            point = sys.point_now[point_of_end_index(end, sys)]
            velocity = add_scaled(point.velocity, 0.5 * sys.scheme.step, point.acceleration)
            pull = sys.joint_load[joint_of_end(end, sys)].force
            power = dot(pull, velocity)
            if sys.owner[point_of_end_index(end, sys)].frame >= 0 and is_clamped(end, sys):
                for k in range(lane_count(sys)):
                    power = placed(power, k, pick(power, k) + clamp_power(end, lane_of(sys, k)))
            sys.ledger.drives += (h if end % 2 == 1 else -h) * power


@inlined
def motion_of(bar, sys):
    """State and accelerations of a bar."""
    return taken(sys.bar_state[bar]), taken(sys.acceleration[bar])


@kernel
def move(t, status, rows, sys):
    """Advance every body and controlled point by one step; returns the status."""
    h = sys.scheme.step
    for c in range(sys.cables):
        first, i, count = sys.cable[c].first, 0, sys.cable[c].count
        coming = motion_of(first, sys)
        while i < count:
            if rows is not None and i + WIDTH <= count:
                body = rows.bar_state[first + i]
                stays = move_body(body, rows.bar_felt[first + i], body, rows.acceleration[first + i], sys.scheme)
                if not all_lanes(stays):
                    for k in range(WIDTH):
                        status = fail(status == OK, not pick(stays, k), RANGE, status, t + h, c, i + k, sys)
                    return status
                i += WIDTH
                coming = motion_of(first + min(i, count - 1), sys)
            else:
                soon = first + min(i + 2, count - 1)
                expected(sys.bar_state.position, soon, 13)
                expected(sys.acceleration.linear, soon, 6)
                body, acceleration = coming
                coming = motion_of(first + min(i + 1, count - 1), sys)
                felt = sys.bar_felt[first + i]
                lost = not move_body(sys.bar_state[first + i], felt, body, acceleration, sys.scheme)
                if any_lane(lost):
                    status = fail(status == OK, lost, RANGE, status, t + h, c, i, sys)
                    if all_lanes(status != OK):
                        return status
                i += 1
    return move_hubs(t, status, sys)


@kernel
def move_hubs(t, status, sys):
    """Advance hubs and controlled points by one step; returns the status."""
    h = sys.scheme.step
    for k in range(sys.hubs):
        lost = not move_body(sys.hub_state[k], sys.hub_felt[k], sys.hub_state[k], sys.hub_rhs[k], sys.scheme)
        if any_lane(lost):
            status = fail(status == OK, lost, HUB_RANGE, status, t + h, k, 0, sys)
            if all_lanes(status != OK):
                return status
    move_controls(sys)
    return status


@kernel
def prepare(kind, h, afloat, rig, sys):
    """Coefficients of all joints for steps of size h."""
    set_scheme(kind, h, sys)
    if rig is not None:
        straighten_hosts(sys)
        for k in range(sys.winches):
            unfold_winch(k, True, sys)
        shorten_bars(sys)
    else:
        clear_dampers(sys)
    set_joints(sys)
    place_points(sys)
    if afloat is not None:
        prepare_floating(sys)


@kernel
def follow_theta(h, afloat, sys):
    """Coefficients of all joints for the θ of the step that begins, where it is not that of the step before."""
    if step_theta(sys) != sys.scheme.theta:
        set_scheme(int(sys.scheme.kind), h, sys)
        set_joints(sys)
        if afloat is not None:
            prepare_floating(sys)


@kernel
def begin_step(now, u, rig, sys):
    """What happens at the beginning of a step: ends let go, points and winches are driven, and in the second-order step
    all bodies drift to its middle."""
    sys.scheme.fresh = 1.0 if common(sys.ledger.steps) == 0.0 else 0.0
    for k in range(lane_count(sys)):
        release_ends(now, lane_of(sys, k))
        drive_points(now, 0, u, lane_of(sys, k))
    if rig is not None:
        drive_winches(now, u, sys)
        take_up_ropes(sys)
    if sys.scheme.half > 0.0:
        drift(in_eights(sys), sys)
        if rig is not None:
            grow_winches(sys.scheme.half, sys)
    if rig is not None:
        bend_bars(sys)


@kernel
def end_step(now, status, afloat, rig, sys):
    """Book a step that is solved, and make it. Returns the status."""
    bed, middle = common(sys.reals[BED_PRESENT]) > 0.0, now + sys.scheme.half
    status = book_multipliers(now, status, rig, sys)
    if all_lanes(status != OK):
        return status
    note_extremes(middle, sys)
    if bed:
        book_contact(middle, in_eights(sys), sys)
    if rig is not None:
        book_sliders(sys)
    if afloat is not None:
        keep_floating(status, sys)
    status = move(now, status, in_eights(sys), sys)
    if all_lanes(status != OK):
        return status
    if bed:
        remember(in_eights(sys), sys)
    if rig is not None:
        follow_sliders(sys)
        turn_winches(sys)
        shorten_bars(sys)
    return status


@kernel
def advance(t, n, h, u, status, seen, afloat, rig, whole, sys):
    """n steps of size h from t, in place, joints prepared, of all that are well. Returns the status; the place of a
    fault is in `fault`. A member of a pack that has failed goes on in vain and disturbs nobody.

    seen  None, or what is kept of samples (`rigging.watching`), of which the first is that at t; none is taken at the
          end. With n = 0 it is the only one, and the state is no longer to be used.
    """
    last = n
    if seen is not None:
        last = max(1, n)
    for step in range(last):
        now = t + step * h
        follow_theta(h, afloat, sys)
        begin_step(now, u, rig, sys)
        status = solve(now + sys.scheme.half, u, status, afloat, rig, whole, sys)
        if all_lanes(status != OK):
            return status
        if seen is not None:
            if step % seen[EVERY] == 0:
                watch(now, step // seen[EVERY], u, seen, sys)
            if n == 0:
                return status
        status = end_step(now, status, afloat, rig, sys)
        if all_lanes(status != OK):
            return status
    return status
