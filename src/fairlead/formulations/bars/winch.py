"""Winches: cables whose unstretched length changes while they move.

`drum`: the bar at the drum grows or shrinks; bars are created and absorbed there by the rules of `fairlead.payout`.
`rescale`: all bars of the cable change their length together (section 2.5.4 of the paper).

A bar that changes its length slides through its own ends: an end moves past the line with a speed s along the axis
(`SLIDE_START`, `SLIDE_END`), and the middle with the mean of both. So the velocity of an end as its joint sees it is
v + w × r + s·t, its acceleration has the Coriolis part 2s·w × t, and the middle moves with v + ½(s₀ + s₁)·t. Line
enters at the speed of the line that is there, so that no force comes with it; the paper's Eq. 29, which lets it come
in at rest, would brake a cable that is towed while it is paid out.

Bars are allotted for the greatest length. `CABLE_FIRST` and `CABLE_COUNT`, and those constants of bars and joints that
depend on length, are *live*: they follow from the state and are unfolded anew at the start of every call.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract, transposed_matvec
from fairlead.loads.signals import table_value
from fairlead.payout.control import CONTROL_KIND, NO_CONTROL, controlled_rate
from fairlead.payout.rules import MERGE, SPLIT, event, limited_rate

from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BAR_COLUMNS, BED_DAMPING, BED_SHEAR, BED_STIFFNESS, BUOYANCY, CABLE_COUNT, CABLE_FIRST,
    DIAMETER, DRAG_AXIAL, DRAG_NORMAL, INERTIA, INERTIA_ADDED, I_SLIDERS, I_WINCHES, JOINT_COLUMNS, K_AXIAL, LENGTH,
    MASS, N_CONTROLLED, N_SLIDERS, N_WINCHES, ONE_WAY, PRISTINE_COLUMNS, R_JOINTS, R_PRISTINE, R_TABLE, R_WINCHES,
    SLIDER_INTS, SLIDE_END, SLIDE_START, SPIN_INERTIA, WEIGHT, WINCH_INTS, WINCH_REALS, WINCH_STATE, WORK_DRIVES,
    W_MULTIPLIERS, Y_LEDGER, Y_MULTIPLIERS, Y_WINCHES, bar_at, bar_state_at, cable_at, hub_state_at, is_attached,
    memory_at, quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, STEP, clear_joint, rule_rows
from .element import axis_of, axis_rate, point_velocity
from .ends import point_of_end
from .loosening import is_folded, line_side, only_pulls
from .slider import HOST, ON_BAR, RING, slider_state

WINCH_CABLE, AT_END, RESCALING, ALLOTTED_FIRST, ALLOTTED_COUNT, PRISTINE, RATE_TABLE, RATE_ROWS = range(8)
"""Of a winch in `ints`: its cable; 1 when the drum is at the sweep's end; 1 when it rescales; bars allotted; where its
pristine bars begin; its table of rates (no rows: a constant rate)."""
SHORTEST, LONGEST, SPLIT_AT, MERGE_AT, MERGE_AFTER_SPLIT, RATE_CONSTANT, CONTROLLER = range(7)
"""In `reals`; the last is where the record of its controller begins."""
PAID_OUT, FIRST_LENGTH, COUNT, LATEST, DEBT, RATE = range(6)
"""In `y`: unstretched length out [m]; that of the bar at the drum [m], or of all as a part of the nominal one when
rescaling; bars; latest event; length owed [m]; rate [m/s], and what its controller reads."""
PER_LENGTH = (
    LENGTH, MASS, ADDED_NORMAL, ADDED_AXIAL, SPIN_INERTIA, WEIGHT, BUOYANCY, DRAG_NORMAL, DRAG_AXIAL, BED_STIFFNESS,
    BED_DAMPING, BED_SHEAR,
)  # fmt: skip
"""Constants of a bar that grow with its length."""


@kernel
def winch_at(ints, k):
    """Where winch k's record begins in `ints`."""
    return ints[I_WINCHES] + WINCH_INTS * k


@kernel
def winch_state(ints, k):
    """Where winch k's state begins in `y`."""
    return ints[Y_WINCHES] + WINCH_STATE * k


@kernel
def pristine_at(ints, k, bar):
    """Where the constants of a bar of winch k at its nominal length begin in `reals`; its half stiffnesses follow."""
    winch = winch_at(ints, k)
    return ints[R_PRISTINE] + PRISTINE_COLUMNS * (ints[winch + PRISTINE] + bar - ints[winch + ALLOTTED_FIRST])


@kernel
def stretch_bar(k, bar, length, ints, reals):
    """Give a bar another unstretched length: its constants from those of its nominal length."""
    source, live = pristine_at(ints, k, bar), bar_at(ints, bar)
    f = length / reals[source + LENGTH]
    for column in range(BAR_COLUMNS):
        reals[live + column] = reals[source + column]
    for column in PER_LENGTH:
        reals[live + column] *= f
    d = reals[source + DIAMETER]
    reals[live + INERTIA] = reals[live + MASS] * (d * d / 16.0 + length * length / 12.0)
    reals[live + INERTIA_ADDED] = reals[live + ADDED_NORMAL] * length * length / 12.0


@kernel
def half_stiffness(k, bar, kind, ints, reals):
    """Stiffness of half a bar as it is now: axial, bending or torsion."""
    source = pristine_at(ints, k, bar)
    return reals[source + BAR_COLUMNS + 2 * kind] * reals[source + LENGTH] / reals[bar_at(ints, bar) + LENGTH]


@kernel
def tie_joint(k, j, before, after, ints, reals, y, work):
    """Stiffness and damping of joint j between bars `before` and `after` (−1: none), in series, and its rows.

    The joint of a drum at the sweep's start holds its bar both ways while it is that, as the guide of the drum does:
    what it pushes is the weight and inertia of that bar alone.
    """
    joint = ints[R_JOINTS] + JOINT_COLUMNS * j
    guided = before < 0 and ints[winch_at(ints, k) + AT_END] == 0
    reals[joint + ONE_WAY] = -abs(reals[joint + ONE_WAY]) if guided else abs(reals[joint + ONE_WAY])
    for kind in range(3):
        soft, time, sides = 0.0, 0.0, 0.0
        for bar in (before, after):
            if bar >= 0:
                stiff = half_stiffness(k, bar, kind, ints, reals)
                soft += 1.0 / stiff if stiff > 0.0 else math.inf
                time += reals[pristine_at(ints, k, bar) + BAR_COLUMNS + 2 * kind + 1]
                sides += 1.0
        reals[joint + 2 * kind] = 1.0 / soft
        reals[joint + 2 * kind + 1] = time / sides / soft
    c = ints[winch_at(ints, k) + WINCH_CABLE]
    if (before < 0 and not is_attached(y, ints, 2 * c)) or (after < 0 and not is_attached(y, ints, 2 * c + 1)):
        clear_joint(j, ints, work)
    else:
        rule_rows(j, ints, reals, work)


@kernel
def tie_joints(k, begin, end, ints, reals, y, work):
    """All joints at the bars from `begin` up to `end`, which is not one of them."""
    c = ints[winch_at(ints, k) + WINCH_CABLE]
    first, count = ints[cable_at(ints, c) + CABLE_FIRST], ints[cable_at(ints, c) + CABLE_COUNT]
    for bar in range(begin, end + 1):
        before = bar - 1 if bar > first else -1
        after = bar if bar < first + count else -1
        tie_joint(k, bar + c, before, after, ints, reals, y, work)


@kernel
def unfold_winch(k, whole, ints, reals, y, work):
    """Bring what is live into accord with winch k's state: the whole cable, or only what a drum changes in a step."""
    winch, state = winch_at(ints, k), winch_state(ints, k)
    cable = cable_at(ints, ints[winch + WINCH_CABLE])
    count = int(y[state + COUNT])
    first = ints[winch + ALLOTTED_FIRST]
    rescaling = ints[winch + RESCALING] == 1
    drum = first + count - 1
    if ints[winch + AT_END] == 0:
        first += ints[winch + ALLOTTED_COUNT] - count
        drum = first
    ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT] = first, count
    begin, end = first, first + count
    if not whole and not rescaling:
        begin = drum if ints[winch + AT_END] == 0 or count == 1 else drum - 1
        end = drum + 1 if ints[winch + AT_END] == 1 or count == 1 else drum + 2
    f = y[state + FIRST_LENGTH] if rescaling else 1.0
    for bar in range(begin, end):
        length = f * reals[pristine_at(ints, k, bar) + LENGTH]
        if bar == drum and not rescaling:
            length = y[state + FIRST_LENGTH]
        stretch_bar(k, bar, length, ints, reals)
    tie_joints(k, begin, end, ints, reals, y, work)
    slide_ends(k, y[state + RATE], ints, reals, y)


@kernel
def slide_ends(k, rate, ints, reals, y):
    """Speeds with which the ends of the bars slide past the line, at a rate of payout of winch k [m/s]."""
    winch, state = winch_at(ints, k), winch_state(ints, k)
    cable = cable_at(ints, ints[winch + WINCH_CABLE])
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    if ints[winch + RESCALING] == 1:
        for bar in range(first, first + count):
            growth = rate * reals[bar_at(ints, bar) + LENGTH] / y[state + PAID_OUT]
            reals[bar_at(ints, bar) + SLIDE_START], reals[bar_at(ints, bar) + SLIDE_END] = -0.5 * growth, 0.5 * growth
    elif ints[winch + AT_END] == 0:
        reals[bar_at(ints, first) + SLIDE_START] = -rate
    else:
        reals[bar_at(ints, first + count - 1) + SLIDE_END] = rate


@kernel
def drive_winches(t, u, ints, reals, y, work):
    """Rate of every winch over the coming step: the live input where it is a number, else the file's schedule.

    The rate of a schedule is taken at the middle of the step, which makes the length exact; a controller adds to it. It
    stops at the least and the greatest length. The length a merge came short by is paid out along with the line, over a
    bar's length of it.
    """
    h = work[STEP]
    for k in range(ints[N_WINCHES]):
        winch, state, at = winch_at(ints, k), winch_state(ints, k), ints[R_WINCHES] + WINCH_REALS * k
        rate = u[3 * ints[N_CONTROLLED] + k]
        if math.isnan(rate):
            rate = reals[at + RATE_CONSTANT]
            if ints[winch + RATE_ROWS] > 0:
                table = ints[R_TABLE] + ints[winch + RATE_TABLE]
                rate = table_value(t + 0.5 * h, reals, table, ints[winch + RATE_ROWS], 2, 1)
        if reals[at + CONTROLLER + CONTROL_KIND] != NO_CONTROL:
            rate = steer(k, rate, ints, reals, y, work)
        if h > 0.0:
            rate = limited_rate(rate, y[state + PAID_OUT], reals[at + SHORTEST], reals[at + LONGEST], h)
        y[state + RATE] = rate
        slide_ends(k, rate + repaid(k, rate, ints, reals, y), ints, reals, y)


@kernel
def steer(k, scheduled, ints, reals, y, work):
    """Rate of winch k with a controller; what it is joined to must be in place."""
    c, at_end = ints[winch_at(ints, k) + WINCH_CABLE], ints[winch_at(ints, k) + AT_END]
    outward, end = 1.0 - 2.0 * at_end, 2 * c + at_end
    first, count = ints[cable_at(ints, c) + CABLE_FIRST], ints[cable_at(ints, c) + CABLE_COUNT]
    drum = first + at_end * (count - 1)
    joint = drum + c + at_end
    body = bar_state_at(ints, drum)
    R = rotation(quaternion_of(y, body))
    away = scale(outward, axis_of(R))
    half = 0.5 * reals[bar_at(ints, drum) + LENGTH]
    _, velocity, _, _, _, _ = point_of_end(end, ints, reals, y, work)
    line = point_velocity(-outward * half, R, vector_of(y, body + 7), vector_of(y, body + 10))
    return controlled_rate(
        scheduled, dot(vector_of(y, ints[Y_MULTIPLIERS] + 3 * joint), axis_of(R)), dot(away, subtract(line, velocity)),
        1.0 / soft(joint, ints, reals), velocity, away, work[STEP], reals,
        ints[R_WINCHES] + WINCH_REALS * k + CONTROLLER, y, winch_state(ints, k) + RATE,
    )  # fmt: skip


@kernel
def repaid(k, rate, ints, reals, y):
    """Rate at which winch k pays back the length it owes [m/s]."""
    winch, state = winch_at(ints, k), winch_state(ints, k)
    nominal = reals[pristine_at(ints, k, ints[winch + ALLOTTED_FIRST]) + LENGTH]
    return y[state + DEBT] * (rate if rate > 0.0 else -rate) / nominal


@kernel
def turn_winches(ints, reals, y, work):
    """After the move: lengths as the winches left them, bars created and absorbed, and the energy line brought in."""
    h = work[STEP]
    for k in range(ints[N_WINCHES]):
        winch, state = winch_at(ints, k), winch_state(ints, k)
        rate = y[state + RATE]
        if rate == 0.0:
            continue
        c = ints[winch + WINCH_CABLE]
        if ints[winch + RESCALING] == 1:
            cable = cable_at(ints, c)
            for bar in range(ints[cable + CABLE_FIRST], ints[cable + CABLE_FIRST] + ints[cable + CABLE_COUNT]):
                joint = ints[W_MULTIPLIERS] + 6 * (bar + c)
                pull = scale(0.5, add(vector_of(work, joint), vector_of(work, joint + 6)))
                growth = rate * reals[bar_at(ints, bar) + LENGTH] / y[state + PAID_OUT]
                book_line(k, bar, 0.0, pull, growth, ints, reals, y, work)
            y[state + FIRST_LENGTH] *= 1.0 + h * rate / y[state + PAID_OUT]
            y[state + PAID_OUT] += h * rate
            unfold_winch(k, True, ints, reals, y, work)
            continue
        outward = 1 if ints[winch + AT_END] == 0 else -1
        first, count = ints[cable_at(ints, c) + CABLE_FIRST], ints[cable_at(ints, c) + CABLE_COUNT]
        drum = first if outward == 1 else first + count - 1
        extra = repaid(k, rate, ints, reals, y)
        drift_middle(drum, -0.5 * outward * (rate + extra), ints, y, work)
        near = drum + c if outward == 1 else drum + c + 1
        pull = vector_of(work, ints[W_MULTIPLIERS] + 6 * near)
        start = -0.5 * outward * reals[bar_at(ints, drum) + LENGTH]
        book_line(k, drum, start, pull, rate + extra, ints, reals, y, work)
        y[state + PAID_OUT] += h * rate
        y[state + FIRST_LENGTH] += h * (rate + extra)
        y[state + DEBT] -= h * extra
        unfold_winch(k, False, ints, reals, y, work)
        at = ints[R_WINCHES] + WINCH_REALS * k
        nominal = reals[pristine_at(ints, k, drum) + LENGTH]
        what = event(
            y[state + FIRST_LENGTH], nominal, rate, y[state + LATEST], reals[at + SPLIT_AT], reals[at + MERGE_AT],
            reals[at + MERGE_AFTER_SPLIT],
        )  # fmt: skip
        if what == SPLIT and count < ints[winch + ALLOTTED_COUNT] and line_side(c, drum - first, ints, reals, work) > 0:
            split_bar(k, drum, outward, c, nominal, ints, reals, y, work)
        elif what == MERGE and count > 1:
            merge_bars(k, drum, outward, c, ints, reals, y, work)


@kernel
def drift_middle(bar, speed, ints, y, work):
    """Move the middle of a bar along its axis, past the line: its velocity is that of the line now there."""
    body = bar_state_at(ints, bar)
    R, w = rotation(quaternion_of(y, body)), vector_of(y, body + 10)
    axis, turning = axis_of(R), axis_rate(R, w)
    for i in range(3):
        y[body + i] += work[STEP] * speed * axis[i]
        y[body + 7 + i] += work[STEP] * speed * turning[i]


@kernel
def book_line(k, bar, o, pull, growth, ints, reals, y, work):
    """Energy that enters a bar with the line it gains at offset o: its motion, its height and its stretch, less what
    the pull there takes out."""
    record, body = bar_at(ints, bar), bar_state_at(ints, bar)
    length = reals[record + LENGTH]
    R = rotation(quaternion_of(y, body))
    place = add_scaled(vector_of(y, body), o, axis_of(R))
    velocity = point_velocity(o, R, vector_of(y, body + 7), vector_of(y, body + 10))
    weight = reals[record + WEIGHT] - (reals[record + BUOYANCY] if place[2] < 0.0 else 0.0)
    energy = (0.5 * reals[record + MASS] * dot(velocity, velocity) + weight * place[2]) / length
    energy += dot(pull, pull) / (half_stiffness(k, bar, 0, ints, reals) * length) - dot(pull, axis_of(R))
    y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK_STEP] * growth * energy


@kernel
def soft(j, ints, reals):
    """Axial softness of a joint [m/N]."""
    return 1.0 / reals[ints[R_JOINTS] + JOINT_COLUMNS * j + K_AXIAL]


@kernel
def put_body(y, body, place, q, velocity, spin):
    """Write the state of a body."""
    for i in range(3):
        y[body + i], y[body + 7 + i], y[body + 10 + i] = place[i], velocity[i], spin[i]
    y[body + 3], y[body + 4], y[body + 5], y[body + 6] = q


@kernel
def forget_contact(bar, side, ints, y):
    """Clear the friction memory of a bar end."""
    for i in range(4):
        y[memory_at(ints, bar, side) + i] = 0.0


@kernel
def split_bar(k, drum, outward, c, nominal, ints, reals, y, work):
    """Split the bar at the drum into one at the drum and one of nominal length behind it.

    The joint forces λ₀ at the drum and λ₁ behind the bar stay; between the parts there is λ₀L_b/L + λ₁L_a/L. Joints
    open as these forces and their new softness ask: the start moves by λ₀(1/k₀′ − 1/k₀), the far end by
    −λ₁(1/k₁′ − 1/k₁), and what is left between the parts is just the gap their joint needs. The part behind no
    longer stretches by line that enters, so it takes over the rate λ₁L̇/2EA at which the far joint had opened.
    """
    state = winch_state(ints, k)
    body, fresh = bar_state_at(ints, drum), bar_state_at(ints, drum - outward)
    p, q, v, w = vector_of(y, body), quaternion_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
    R = rotation(q)
    length = y[state + FIRST_LENGTH]
    near, far = (drum + c, drum + c + 1) if outward == 1 else (drum + c + 1, drum + c)
    soft_near, soft_far = soft(near, ints, reals), soft(far, ints, reals)
    half = half_stiffness(k, drum, 0, ints, reals)
    kept = ints[Y_MULTIPLIERS]
    pull_near, pull_far = vector_of(y, kept + 3 * near), vector_of(y, kept + 3 * far)

    y[state + FIRST_LENGTH], y[state + COUNT], y[state + LATEST] = length - nominal, y[state + COUNT] + 1, SPLIT
    unfold_winch(k, False, ints, reals, y, work)
    for i in range(3):
        y[kept + 3 * (near - outward) + i] = pull_near[i]
        y[kept + 3 * near + i] = pull_near[i] + (pull_far[i] - pull_near[i]) * (length - nominal) / length
    start = add_scaled(
        add_scaled(p, -0.5 * outward * length, axis_of(R)),
        outward * (soft(near - outward, ints, reals) - soft_near), pull_near,
    )  # fmt: skip
    end = add_scaled(
        add_scaled(p, 0.5 * outward * length, axis_of(R)),
        -outward * (soft(far, ints, reals) - soft_far), pull_far,
    )  # fmt: skip
    o = 0.5 * outward * (length - nominal)
    a = add_scaled(start, o, axis_of(R))
    b = add_scaled(end, -0.5 * outward * nominal, axis_of(R))
    put_body(y, fresh, a, q, point_velocity(o - 0.5 * outward * length, R, v, w), w)
    opening = outward * y[state + RATE] / (half * length)
    velocity = point_velocity(0.5 * outward * (length - nominal), R, v, w)
    put_body(y, body, b, q, add_scaled(velocity, opening, pull_far), w)
    forget_contact(drum - outward, 0, ints, y)
    forget_contact(drum - outward, 1, ints, y)
    forget_contact(drum, 0 if outward == 1 else 1, ints, y)
    reseat_rings(c, drum, drum - outward, outward, ints, reals, y)


@kernel
def merged_span(drum, other, outward, c, start, end, length, ints, reals, y, work):
    """Ends of a bar merged from slack ones: of their whole length, at the drum's side of the sweep or at its start.

    It lies towards the node beyond; where that is at the same place, as it happens to lie.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    if outward == 1:
        goal = end
        if other < first + count - 1:
            ahead = bar_state_at(ints, other + 1)
            half = 0.5 * reals[bar_at(ints, other + 1) + LENGTH]
            goal = add_scaled(vector_of(y, ahead), -half, axis_of(rotation(quaternion_of(y, ahead))))
        elif is_attached(y, ints, 2 * c + 1):
            goal, _, _, _, _, _ = point_of_end(2 * c + 1, ints, reals, y, work)
        held = start
    else:
        held, goal = end, start
        if other == first and only_pulls(first + c, ints, reals) and is_attached(y, ints, 2 * c):
            held, _, _, _, _, _ = point_of_end(2 * c, ints, reals, y, work)
        if is_attached(y, ints, 2 * c + 1):
            goal, _, _, _, _, _ = point_of_end(2 * c + 1, ints, reals, y, work)
    chord = subtract(goal, held)
    distance = math.sqrt(dot(chord, chord))
    axis = axis_of(rotation(quaternion_of(y, bar_state_at(ints, other))))
    if distance > 1e-6 * length:
        axis = scale(1.0 / distance, chord)
    beyond = add_scaled(held, length, axis)
    return (held, beyond) if outward == 1 else (beyond, held)


@kernel
def merge_bars(k, drum, outward, c, ints, reals, y, work):
    """Absorb the bar at the drum into the one behind it: momentum is kept, and so are the joint forces.

    The new bar spans what lies between its joints, opened as their new softness asks. Where the two were not in line
    that is less than their lengths; the rest is owed, and paid out with the line. Where they overlap or the line ahead
    is slack, the new bar has their whole length from one joint towards the other, which is then slack by the rest.
    """
    state = winch_state(ints, k)
    other = drum + outward
    body_a, body_b = bar_state_at(ints, drum), bar_state_at(ints, other)
    Ra, Rb = rotation(quaternion_of(y, body_a)), rotation(quaternion_of(y, body_b))
    la, lb = reals[bar_at(ints, drum) + LENGTH], reals[bar_at(ints, other) + LENGTH]
    ma, mb = reals[bar_at(ints, drum) + MASS], reals[bar_at(ints, other) + MASS]
    va, vb = vector_of(y, body_a + 7), vector_of(y, body_b + 7)
    wa, wb = vector_of(y, body_a + 10), vector_of(y, body_b + 10)
    start = add_scaled(vector_of(y, body_a), -0.5 * outward * la, axis_of(Ra))
    end = add_scaled(vector_of(y, body_b), 0.5 * outward * lb, axis_of(Rb))
    start_speed = point_velocity(-0.5 * outward * la, Ra, va, wa)
    end_speed = point_velocity(0.5 * outward * lb, Rb, vb, wb)
    near = drum + c if outward == 1 else drum + c + 1
    far = near + 2 * outward
    soft_near, soft_far = soft(near, ints, reals), soft(far, ints, reals)
    kept = ints[Y_MULTIPLIERS]
    pull_near, pull_far = vector_of(y, kept + 3 * near), vector_of(y, kept + 3 * far)
    slack = is_folded(near + outward, ints, reals, work) or is_folded(far if outward == 1 else near, ints, reals, work)

    y[state + FIRST_LENGTH], y[state + COUNT], y[state + LATEST] = la + lb, y[state + COUNT] - 1, MERGE
    unfold_winch(k, False, ints, reals, y, work)
    start = add_scaled(start, outward * (soft(near + outward, ints, reals) - soft_near), pull_near)
    end = add_scaled(end, -outward * (soft(far, ints, reals) - soft_far), pull_far)
    if slack:
        start, end = merged_span(drum, other, outward, c, start, end, la + lb, ints, reals, y, work)
    chord = scale(outward, subtract(end, start))
    length = math.sqrt(dot(chord, chord))
    axis = scale(1.0 / length, chord)
    y[state + FIRST_LENGTH] = length
    y[state + DEBT] += la + lb - length
    unfold_winch(k, False, ints, reals, y, work)
    for i in range(3):
        y[kept + 3 * (near + outward) + i] = pull_near[i]

    local = transposed_matvec(Rb, axis)
    across = math.sqrt(local[0] * local[0] + local[1] * local[1])
    turn = math.atan2(across, local[2]) / across if across > 0.0 else 0.0
    q = turned(quaternion_of(y, body_b), -turn * local[1], turn * local[0], 0.0)
    R = rotation(q)
    swing = scale(outward / length, cross(axis, subtract(end_speed, start_speed)))
    spin = transposed_matvec(R, swing)
    spin = (spin[0], spin[1], (la * wa[2] + lb * wb[2]) / (la + lb))
    velocity = scale(1.0 / (ma + mb), add(scale(ma, va), scale(mb, vb)))
    put_body(y, body_b, scale(0.5, add(start, end)), q, velocity, spin)
    forget_contact(other, 0 if outward == 1 else 1, ints, y)
    reseat_rings(c, drum, other, 0, ints, reals, y)


@kernel
def reseat_rings(c, bar, other, outward, ints, reals, y):
    """After a split or merge: rings on `bar` go to `other` where that is now the bar they are at."""
    for k in range(ints[N_SLIDERS]):
        slider, state = ints[I_SLIDERS] + SLIDER_INTS * k, slider_state(ints, k)
        if ints[slider + HOST] != c or int(y[state + ON_BAR]) != bar:
            continue
        if outward == 0:
            y[state + ON_BAR] = other
            continue
        ring, body = hub_state_at(ints, ints[slider + RING]), bar_state_at(ints, bar)
        away = dot(axis_of(rotation(quaternion_of(y, body))), subtract(vector_of(y, ring), vector_of(y, body)))
        if outward * away < -0.5 * reals[bar_at(ints, bar) + LENGTH]:
            y[state + ON_BAR] = other
