"""Winches: cables whose unstretched length changes while they move.

`drum`: the bar at the drum grows or shrinks; bars are created and absorbed there by the rules of `fairlead.payout`.
`rescale`: all bars of the cable change their length together (section 2.5.4 of the paper).

A bar that changes its length slides through its own ends: an end moves past the line with a speed s along the axis
(`slide_start`, `slide_end`), and the middle with the mean of both. So the velocity of an end as its joint sees it is
v + w × r + s·t, its acceleration has the Coriolis part 2s·w × t, and the middle moves with v + ½(s₀ + s₁)·t. Line
enters at the speed of the line that is there, so that no force comes with it; the paper's Eq. 29, which lets it come
in at rest, would brake a cable that is towed while it is paid out.

Bars are allotted for the greatest length. `first` and `count` of a cable, and those constants of bars and joints that
depend on length, are *live*: they follow from the state and are unfolded anew at the start of every call.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract, transposed_matvec
from fairlead.payout.control import NO_CONTROL, controlled_rate
from fairlead.payout.rules import MERGE, SPLIT, limited_rate
from fairlead.rigging.winches import due, resize, scheduled_rate

from .coefficients import clear_joint, rule_rows
from .element import axis_of, axis_rate, point_velocity
from .ends import point_of_end
from .loosening import is_folded, line_side, only_pulls
from .topology import is_attached


@kernel
def nominal_bar(k, bar, sys):
    """Constants of a bar of winch k at its nominal length."""
    return sys.pristine_bar[sys.winch[k].pristine + bar - sys.winch[k].allotted_first]


@kernel
def stretch_bar(k, bar, length, sys):
    """Give a bar another unstretched length: its constants from those of its nominal length."""
    source, live = nominal_bar(k, bar, sys), sys.bar[bar]
    resize(live, source, length)
    live.whole = live.length
    live.spin_inertia = source.spin_inertia * length / source.length
    live.diameter, live.radius = source.diameter, source.radius
    live.drag_law, live.reynolds = source.drag_law, source.reynolds
    live.lump_first, live.lump_count = source.lump_first, source.lump_count
    live.slide_start, live.slide_end = source.slide_start, source.slide_end
    d = source.diameter
    live.inertia = live.mass * (d * d / 16.0 + length * length / 12.0)
    live.inertia_added = live.added_normal * length * length / 12.0


@kernel
def half_stiffness(k, bar, kind, sys):
    """Stiffness of half a bar as it is now: axial, bending or torsion."""
    source = nominal_bar(k, bar, sys)
    return source.half_stiffness[kind] * source.length / sys.bar[bar].length


@kernel
def in_series(k, before, after, kind, sys):
    """Stiffness and damping of the halves of two bars (−1: none) one behind the other."""
    soft, time, sides = 0.0, 0.0, 0.0
    for bar in (before, after):
        if bar >= 0:
            stiff = half_stiffness(k, bar, kind, sys)
            soft += 1.0 / stiff if stiff > 0.0 else math.inf
            time += nominal_bar(k, bar, sys).half_time[kind]
            sides += 1.0
    return 1.0 / soft, time / sides / soft


@kernel
def tie_joint(k, j, before, after, sys):
    """Stiffness and damping of joint j between bars `before` and `after` (−1: none), in series, and its rows.

    The joint of a drum at the sweep's start holds its bar both ways while it is that, as the guide of the drum does:
    what it pushes is the weight and inertia of that bar alone.
    """
    joint = sys.joint[j]
    guided = before < 0 and sys.winch[k].at_end == 0
    joint.one_way = -abs(joint.one_way) if guided else abs(joint.one_way)
    axial, axial_damping = in_series(k, before, after, 0, sys)
    bending, bending_damping = in_series(k, before, after, 1, sys)
    torsion, torsion_damping = in_series(k, before, after, 2, sys)
    joint.stiffness, joint.damping = (axial, bending, torsion), (axial_damping, bending_damping, torsion_damping)
    c = sys.winch[k].cable
    if (before < 0 and not is_attached(2 * c, sys)) or (after < 0 and not is_attached(2 * c + 1, sys)):
        clear_joint(j, sys)
    else:
        rule_rows(j, before, after, sys)


@kernel
def tie_joints(k, begin, end, sys):
    """All joints at the bars from `begin` up to `end`, which is not one of them."""
    c = sys.winch[k].cable
    first, count = sys.cable[c].first, sys.cable[c].count
    for bar in range(begin, end + 1):
        before = bar - 1 if bar > first else -1
        after = bar if bar < first + count else -1
        tie_joint(k, bar + c, before, after, sys)


@kernel
def unfold_winch(k, whole, sys):
    """Bring what is live into accord with winch k's state: the whole cable, or only what a drum changes in a step."""
    winch, state = sys.winch[k], sys.winch_state[k]
    cable = sys.cable[winch.cable]
    count = int(state.count)
    first = winch.allotted_first
    rescaling = winch.rescaling == 1
    drum = first + count - 1
    if winch.at_end == 0:
        first += winch.allotted_count - count
        drum = first
    cable.first, cable.count = first, count
    begin, end = first, first + count
    if not whole and not rescaling:
        begin = drum if winch.at_end == 0 or count == 1 else drum - 1
        end = drum + 1 if winch.at_end == 1 or count == 1 else drum + 2
    f = state.first_length if rescaling else 1.0
    for bar in range(begin, end):
        length = f * nominal_bar(k, bar, sys).length
        if bar == drum and not rescaling:
            length = state.first_length
        stretch_bar(k, bar, length, sys)
    tie_joints(k, begin, end, sys)
    slide_ends(k, sys.winch_rate[k].driven, sys)


@kernel
def slide_ends(k, rate, sys):
    """Speeds with which the ends of the bars slide past the line, at a rate of payout of winch k [m/s]."""
    winch, state = sys.winch[k], sys.winch_state[k]
    cable = sys.cable[winch.cable]
    first, count = cable.first, cable.count
    if winch.rescaling == 1:
        for bar in range(first, first + count):
            growth = rate * sys.bar[bar].length / state.paid_out
            sys.bar[bar].slide_start, sys.bar[bar].slide_end = -0.5 * growth, 0.5 * growth
    elif winch.at_end == 0:
        sys.bar[first].slide_start = -rate
    else:
        sys.bar[first + count - 1].slide_end = rate


@kernel
def drive_winches(t, u, sys):
    """Rate of every winch over the coming step: the live input where it is a number, else the file's schedule.

    The rate of a schedule is taken at the middle of the step, which makes the length exact; a controller adds to it. It
    stops at the least and the greatest length. The length a merge came short by is paid out along with the line, over a
    bar's length of it.
    """
    h = sys.scheme.step
    for k in range(sys.winches):
        winch, state, at, live = sys.winch[k], sys.winch_state[k], sys.drum[k], u[3 * sys.controlled + k]
        rate = scheduled_rate(t + 0.5 * h, live, winch, sys.sample.start, sys.reals)
        if sys.controller[k].kind != NO_CONTROL:
            rate = steer(k, rate, sys)
        if h > 0.0:
            rate = limited_rate(rate, state.paid_out, at.shortest, at.longest, h)
        sys.winch_rate[k].driven = rate
        slide_ends(k, rate + repaid(k, rate, sys), sys)


@kernel
def steer(k, scheduled, sys):
    """Rate of winch k with a controller; what it is joined to must be in place."""
    c, at_end = sys.winch[k].cable, sys.winch[k].at_end
    outward, end = 1.0 - 2.0 * at_end, 2 * c + at_end
    first, count = sys.cable[c].first, sys.cable[c].count
    drum = first + at_end * (count - 1)
    joint = drum + c + at_end
    body = sys.bar_state[drum]
    R = rotation(body.turn)
    away = scale(outward, axis_of(R))
    half = 0.5 * sys.bar[drum].length
    _, velocity, _, _, _, _ = point_of_end(end, sys)
    line = point_velocity(-outward * half, R, body.velocity, body.spin)
    return controlled_rate(
        scheduled, dot(sys.multipliers[joint].force, axis_of(R)), dot(away, subtract(line, velocity)),
        1.0 / soft(joint, sys), velocity, away, sys.scheme.step, sys.reals, row_start(sys.controller[k], sys.reals),
        sys.y, row_start(sys.winch_rate[k], sys.y),
    )  # fmt: skip


@kernel
def repaid(k, rate, sys):
    """Rate at which winch k pays back the length it owes [m/s]."""
    winch, state = sys.winch[k], sys.winch_state[k]
    nominal = nominal_bar(k, winch.allotted_first, sys).length
    return state.debt * (rate if rate > 0.0 else -rate) / nominal


@kernel
def grow_winches(time, sys):
    """Let line in or out for a time, with the energy it brings in; the forces are those of the latest step that was
    booked."""
    for k in range(sys.winches):
        winch, state = sys.winch[k], sys.winch_state[k]
        rate = sys.winch_rate[k].driven
        if rate == 0.0:
            continue
        c = winch.cable
        if winch.rescaling == 1:
            cable = sys.cable[c]
            for bar in range(cable.first, cable.first + cable.count):
                pull = scale(0.5, add(sys.multipliers[bar + c].force, sys.multipliers[bar + c + 1].force))
                growth = rate * sys.bar[bar].length / state.paid_out
                book_line(k, bar, 0.0, pull, growth, time, sys)
            state.first_length *= 1.0 + time * rate / state.paid_out
            state.paid_out += time * rate
            unfold_winch(k, True, sys)
            continue
        outward = 1 if winch.at_end == 0 else -1
        first, count = sys.cable[c].first, sys.cable[c].count
        drum = first if outward == 1 else first + count - 1
        extra = repaid(k, rate, sys)
        drift_middle(drum, -0.5 * outward * (rate + extra), time, sys)
        near = drum + c if outward == 1 else drum + c + 1
        pull = sys.multipliers[near].force
        start = -0.5 * outward * sys.bar[drum].length
        book_line(k, drum, start, pull, rate + extra, time, sys)
        state.paid_out += time * rate
        state.first_length += time * (rate + extra)
        state.debt -= time * extra
        unfold_winch(k, False, sys)


@kernel
def turn_winches(sys):
    """After the move: lengths as the winches left them, bars created and absorbed, and the energy line brought in."""
    grow_winches(sys.scheme.travel, sys)
    for k in range(sys.winches):
        winch, state, rate = sys.winch[k], sys.winch_state[k], sys.winch_rate[k].driven
        if rate == 0.0 or winch.rescaling == 1:
            continue
        c, outward = winch.cable, 1 if winch.at_end == 0 else -1
        first, count = sys.cable[c].first, sys.cable[c].count
        drum = first if outward == 1 else first + count - 1
        nominal = nominal_bar(k, drum, sys).length
        what = due(state.first_length, nominal, rate, state.latest, sys.drum[k], count, winch.allotted_count)
        if what == SPLIT and line_side(c, drum - first, sys) > 0:
            split_bar(k, drum, outward, c, nominal, sys)
        elif what == MERGE:
            merge_bars(k, drum, outward, c, sys)


@kernel
def drift_middle(bar, speed, time, sys):
    """Move the middle of a bar along its axis, past the line: its velocity is that of the line now there."""
    body = sys.bar_state[bar]
    R, moved = rotation(body.turn), time * speed
    body.position = add_scaled(body.position, moved, axis_of(R))
    body.velocity = add_scaled(body.velocity, moved, axis_rate(R, body.spin))


@kernel
def book_line(k, bar, o, pull, growth, time, sys):
    """Energy that enters a bar with the line it gains in a time at offset o: its motion, its height and its stretch
    T²/2EA, less what the pull there takes out along stretched line, T(1 + T/EA)."""
    record, body = sys.bar[bar], sys.bar_state[bar]
    length = record.length
    R = rotation(body.turn)
    place = add_scaled(body.position, o, axis_of(R))
    velocity = point_velocity(o, R, body.velocity, body.spin)
    weight = record.weight - (record.buoyancy if place[2] < 0.0 else 0.0)
    energy = (0.5 * record.mass * dot(velocity, velocity) + weight * place[2]) / length
    energy -= dot(pull, pull) / (half_stiffness(k, bar, 0, sys) * length) + dot(pull, axis_of(R))
    sys.ledger.drives += time * growth * energy


@kernel
def soft(j, sys):
    """Axial softness of a joint [m/N]."""
    return 1.0 / sys.joint[j].stiffness[0]


@kernel
def put_body(body, place, q, velocity, spin):
    """Write the state of a body."""
    body.position, body.turn, body.velocity, body.spin = place, q, velocity, spin


@kernel
def forget_contact(bar, side, sys):
    """Clear the friction memory of a bar end."""
    memory = sys.contact[2 * bar + side]
    memory.anchor, memory.normal_force = (0.0, 0.0, 0.0), 0.0


@kernel
def pass_memory(source, joint, sys):
    """Let a joint remember of the step before what another one does."""
    here, there = sys.joint_felt[joint], sys.joint_felt[source]
    here.parting, here.tension = there.parting, there.tension
    if sys.turning > 0:
        sys.turn_felt[joint].moment = sys.turn_felt[source].moment
        sys.turn_felt[joint].parting = sys.turn_felt[source].parting


@kernel
def part_memory(joint, one, two, sys):
    """What a new joint remembers: the mean pulls of those beside it, and no C̈."""
    here = sys.joint_felt[joint]
    here.parting, here.tension = (0.0, 0.0, 0.0), 0.5 * (sys.joint_felt[one].tension + sys.joint_felt[two].tension)
    if sys.turning > 0:
        sys.turn_felt[joint].moment = scale(0.5, add(sys.turn_felt[one].moment, sys.turn_felt[two].moment))
        sys.turn_felt[joint].parting = (0.0, 0.0, 0.0)


@kernel
def split_bar(k, drum, outward, c, nominal, sys):
    """Split the bar at the drum into one at the drum and one of nominal length behind it.

    The joint forces λ₀ at the drum and λ₁ behind the bar stay; between the parts there is λ₀L_b/L + λ₁L_a/L. Joints
    open as these forces and their new softness ask: the start moves by λ₀(1/k₀′ − 1/k₀), the far end by
    −λ₁(1/k₁′ − 1/k₁), and what is left between the parts is just the gap their joint needs. The part behind no
    longer stretches by line that enters, so it takes over the rate λ₁L̇/2EA at which the far joint had opened.
    """
    state = sys.winch_state[k]
    body, fresh = sys.bar_state[drum], sys.bar_state[drum - outward]
    p, q, v, w = body.position, body.turn, body.velocity, body.spin
    R = rotation(q)
    length = state.first_length
    near, far = (drum + c, drum + c + 1) if outward == 1 else (drum + c + 1, drum + c)
    soft_near, soft_far = soft(near, sys), soft(far, sys)
    half = half_stiffness(k, drum, 0, sys)
    pull_near, pull_far = sys.multipliers[near].force, sys.multipliers[far].force

    state.first_length, state.count, state.latest = length - nominal, state.count + 1, SPLIT
    unfold_winch(k, False, sys)
    sys.multipliers[near - outward].force = pull_near
    grown = scale(length - nominal, subtract(pull_far, pull_near))
    between = (grown[0] / length, grown[1] / length, grown[2] / length)
    sys.multipliers[near].force = add(pull_near, between)
    start = add_scaled(
        add_scaled(p, -0.5 * outward * length, axis_of(R)),
        outward * (soft(near - outward, sys) - soft_near), pull_near,
    )  # fmt: skip
    end = add_scaled(
        add_scaled(p, 0.5 * outward * length, axis_of(R)),
        -outward * (soft(far, sys) - soft_far), pull_far,
    )  # fmt: skip
    o = 0.5 * outward * (length - nominal)
    a = add_scaled(start, o, axis_of(R))
    b = add_scaled(end, -0.5 * outward * nominal, axis_of(R))
    put_body(fresh, a, q, point_velocity(o - 0.5 * outward * length, R, v, w), w)
    opening = outward * sys.winch_rate[k].driven / (half * length)
    velocity = point_velocity(0.5 * outward * (length - nominal), R, v, w)
    put_body(body, b, q, add_scaled(velocity, opening, pull_far), w)
    pass_memory(near, near - outward, sys)
    part_memory(near, near - outward, far, sys)
    felt, old = sys.bar_felt[drum - outward], sys.bar_felt[drum]
    gained, turning = old.linear, old.angular
    felt.linear, felt.angular = point_velocity(o - 0.5 * outward * length, R, gained, turning), turning
    old.linear = point_velocity(0.5 * outward * (length - nominal), R, gained, turning)
    forget_contact(drum - outward, 0, sys)
    forget_contact(drum - outward, 1, sys)
    forget_contact(drum, 0 if outward == 1 else 1, sys)
    reseat_rings(c, drum, drum - outward, outward, sys)


@kernel
def merged_span(other, outward, c, start, end, length, sys):
    """Ends of a bar merged from slack ones: of their whole length, at the drum's side of the sweep or at its start.

    It lies towards the node beyond; where that is at the same place, as it happens to lie.
    """
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    if outward == 1:
        goal = end
        if other < first + count - 1:
            ahead = sys.bar_state[other + 1]
            half = 0.5 * sys.bar[other + 1].length
            goal = add_scaled(ahead.position, -half, axis_of(rotation(ahead.turn)))
        elif is_attached(2 * c + 1, sys):
            goal, _, _, _, _, _ = point_of_end(2 * c + 1, sys)
        held = start
    else:
        held, goal = end, start
        if other == first and only_pulls(first + c, sys) and is_attached(2 * c, sys):
            held, _, _, _, _, _ = point_of_end(2 * c, sys)
        if is_attached(2 * c + 1, sys):
            goal, _, _, _, _, _ = point_of_end(2 * c + 1, sys)
    chord = subtract(goal, held)
    distance = math.sqrt(dot(chord, chord))
    axis = axis_of(rotation(sys.bar_state[other].turn))
    if distance > 1e-6 * length:
        axis = scale(1.0 / distance, chord)
    beyond = add_scaled(held, length, axis)
    return (held, beyond) if outward == 1 else (beyond, held)


@kernel
def merge_bars(k, drum, outward, c, sys):
    """Absorb the bar at the drum into the one behind it: momentum is kept, and so are the joint forces.

    The new bar spans what lies between its joints, opened as their new softness asks. Where the two were not in line
    that is less than their lengths; the rest is owed, and paid out with the line. Where they overlap or the line ahead
    is slack, the new bar has their whole length from one joint towards the other, which is then slack by the rest.
    """
    state = sys.winch_state[k]
    other = drum + outward
    body_a, body_b = sys.bar_state[drum], sys.bar_state[other]
    Ra, Rb = rotation(body_a.turn), rotation(body_b.turn)
    la, lb = sys.bar[drum].length, sys.bar[other].length
    ma, mb = sys.bar[drum].mass, sys.bar[other].mass
    va, vb = body_a.velocity, body_b.velocity
    wa, wb = body_a.spin, body_b.spin
    start = add_scaled(body_a.position, -0.5 * outward * la, axis_of(Ra))
    end = add_scaled(body_b.position, 0.5 * outward * lb, axis_of(Rb))
    start_speed = point_velocity(-0.5 * outward * la, Ra, va, wa)
    end_speed = point_velocity(0.5 * outward * lb, Rb, vb, wb)
    near = drum + c if outward == 1 else drum + c + 1
    far = near + 2 * outward
    soft_near, soft_far = soft(near, sys), soft(far, sys)
    pull_near, pull_far = sys.multipliers[near].force, sys.multipliers[far].force
    slack = is_folded(near + outward, sys) or is_folded(far if outward == 1 else near, sys)

    state.first_length, state.count, state.latest = la + lb, state.count - 1, MERGE
    unfold_winch(k, False, sys)
    start = add_scaled(start, outward * (soft(near + outward, sys) - soft_near), pull_near)
    end = add_scaled(end, -outward * (soft(far, sys) - soft_far), pull_far)
    if slack:
        start, end = merged_span(other, outward, c, start, end, la + lb, sys)
    chord = scale(outward, subtract(end, start))
    length = math.sqrt(dot(chord, chord))
    axis = scale(1.0 / length, chord)
    state.first_length = length
    state.debt += la + lb - length
    unfold_winch(k, False, sys)
    sys.multipliers[near + outward].force = pull_near
    pass_memory(near, near + outward, sys)
    past, lost = sys.bar_felt[other], sys.bar_felt[drum]
    past.linear = scale(1.0 / (ma + mb), add(scale(ma, lost.linear), scale(mb, past.linear)))

    local = transposed_matvec(Rb, axis)
    across = math.sqrt(local[0] * local[0] + local[1] * local[1])
    turn = math.atan2(across, local[2]) / across if across > 0.0 else 0.0
    q = turned(body_b.turn, -turn * local[1], turn * local[0], 0.0)
    R = rotation(q)
    swing = scale(outward / length, cross(axis, subtract(end_speed, start_speed)))
    spin = transposed_matvec(R, swing)
    spin = (spin[0], spin[1], (la * wa[2] + lb * wb[2]) / (la + lb))
    velocity = scale(1.0 / (ma + mb), add(scale(ma, va), scale(mb, vb)))
    put_body(body_b, scale(0.5, add(start, end)), q, velocity, spin)
    forget_contact(other, 0 if outward == 1 else 1, sys)
    reseat_rings(c, drum, other, 0, sys)


@kernel
def move_ring(k, bar, sys):
    """Put ring k on another bar, which is straight."""
    state = sys.ring_state[k]
    state.on_bar = state.left = bar
    state.short = state.rate = state.owed = 0.0


@kernel
def reseat_rings(c, bar, other, outward, sys):
    """After a split or merge: rings on `bar` go to `other` where that is now the bar they are at."""
    for k in range(sys.sliders):
        slider, state = sys.slider[k], sys.ring_state[k]
        if slider.host != c or int(state.on_bar) != bar:
            continue
        if outward == 0:
            move_ring(k, other, sys)
            continue
        ring, body = sys.hub_state[slider.ring], sys.bar_state[bar]
        away = dot(axis_of(rotation(body.turn)), subtract(ring.position, body.position))
        if outward * away < -0.5 * sys.bar[bar].length:
            move_ring(k, other, sys)
