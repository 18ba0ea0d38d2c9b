"""Line paid out and hauled in at the base of a cable, and elements that come and go there, by the rules of `payout`.

Element slots nearest the base are on the drum until they are needed; a node on the drum is fixed to the base.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale
from fairlead.loads.signals import table_value
from fairlead.payout.control import CONTROL_KIND, CONTROLLER_STATE, DRIVEN, NO_CONTROL, controlled_rate
from fairlead.payout.rules import (
    MERGE, NOTHING, SPLIT, event, limited_rate, merged_speed, split_speed, split_tensions,
)  # fmt: skip

from .arrays import (
    ACCELERATION, AT_Q, AT_V, AXES, BODY_CABLE, BUOYANCY, CABLE_BODY, CABLE_COUNT, CABLE_ELEMENT, ELEMENT, I_WATER,
    I_WINCHES, LINE_MASS, N_BASES, N_BODIES, N_CONTROLS, N_WATER, N_WINCHES, OLD, PARENT, POSITION, R_TABLE, R_WATER,
    R_WINCHES, SHARE_FAR, SHARE_NEAR, STIFFNESS, VELOCITY, W_OLD, W_RATES, WATER_INTS, WATER_REALS, WEIGHT,
    WINCH_INTS, WINCH_REALS, WORK_DRIVES, Y_ACTIVE, Y_CONTACT, Y_EVENT, Y_FRAMES, Y_LEDGER, Y_LENGTH, Y_STEERED,
    body_at,     cable_at, element_at, first_active, put, record_at, vector_of,
)  # fmt: skip
from .coordinates import put_quaternion, refold, remember
from .lines import line_energies, near_end, stretch_energy, tension_parts

NOMINAL, LEAST, GREATEST, SPLIT_AT, MERGE_AT, MERGE_AFTER_REVERSAL, CONTROLLER = range(7)


@kernel
def winch_of(c, ints):
    """Number of the winch of cable c, −1 where it has none."""
    for w in range(ints[N_WINCHES]):
        if ints[ints[I_WINCHES] + WINCH_INTS * w] == c:
            return w
    return -1


@kernel
def paid_length(c, ints, y):
    """Unstretched length of cable c off the drum [m]."""
    cable = cable_at(ints, c)
    total = 0.0
    for slot in range(first_active(ints, y, c), ints[cable + CABLE_COUNT]):
        total += y[ints[Y_LENGTH] + ints[cable + CABLE_ELEMENT] + slot]
    return total


@kernel
def steered(ints, reals):
    """Whether a winch has a controller, which reads how bodies stand and move at the start of a step."""
    for w in range(ints[N_WINCHES]):
        if reals[ints[R_WINCHES] + WINCH_REALS * w + CONTROLLER + CONTROL_KIND] != NO_CONTROL:
            return True
    return False


@kernel
def steer(w, c, scheduled, h, ints, reals, y, work):
    """Rate of winch w of cable c with a controller over the coming step h; bodies stand as at its start.

    At the drum the tension is that of the element and the weight of its nearer half.
    """
    cable = cable_at(ints, c)
    slot = first_active(ints, y, c)
    j, e = ints[cable + CABLE_BODY] + slot, ints[cable + CABLE_ELEMENT] + slot
    body, element = body_at(ints, j), element_at(ints, e)
    _, _, place, velocity = near_end(j, body, ints, reals, work)
    q, v, length = ints[body + AT_Q] + 2, ints[body + AT_V] + 2, y[ints[Y_LENGTH] + e]
    state = ints[Y_STEERED] + CONTROLLER_STATE * w
    elastic, damping = tension_parts(y[q], y[v], length, y[state + DRIVEN], reals, element)
    axis = vector_of(work, record_at(ints, ints[N_BASES] + j) + AXES + 12)
    net = reals[element + WEIGHT] - (reals[element + BUOYANCY] if place[2] < 0.0 else 0.0)
    tension = elastic + damping - reals[element + SHARE_NEAR] * length * net * axis[2]
    return controlled_rate(
        scheduled, max(0.0, tension), y[v], reals[element + STIFFNESS] / length, velocity, axis, h, reals,
        ints[R_WINCHES] + WINCH_REALS * w + CONTROLLER, y, state,
    )  # fmt: skip


@kernel
def rate_at(t, c, h, u, ints, reals, y, work):
    """Rate of payout of cable c [m/s]: the live input where it is a number, else the schedule, within the limits.

    h is the step in which the limits are to be kept; 0 for a moment alone. A controller adds to the rate of a step.
    """
    w = winch_of(c, ints)
    if w < 0:
        return 0.0
    record, at = ints[I_WINCHES] + WINCH_INTS * w, ints[R_WINCHES] + WINCH_REALS * w
    rate = u[ints[N_CONTROLS] + w]
    if math.isnan(rate):
        rate = 0.0
        if ints[record + 2] > 0:
            rate = table_value(t, reals, ints[R_TABLE] + ints[record + 1], ints[record + 2], 2, 1)
    length = paid_length(c, ints, y)
    controlled = reals[at + CONTROLLER + CONTROL_KIND] != NO_CONTROL
    if controlled:
        rate = steer(w, c, rate, h, ints, reals, y, work)
    if h > 0.0:
        rate = limited_rate(rate, length, reals[at + LEAST], reals[at + GREATEST], h)
        if controlled:
            y[ints[Y_STEERED] + CONTROLLER_STATE * w + DRIVEN] = rate
        return rate
    if (rate > 0.0 and length >= reals[at + GREATEST]) or (rate < 0.0 and length <= reals[at + LEAST]):
        return 0.0
    return rate


@kernel
def length_rate_of(body, ints, y, work):
    """Rate at which the element above a body grows by line that enters it [m/s]; `body`: where its record begins."""
    c = ints[body + BODY_CABLE]
    if c < 0 or ints[body + ELEMENT] != ints[cable_at(ints, c) + CABLE_ELEMENT] + first_active(ints, y, c):
        return 0.0
    return work[ints[W_RATES] + c]


@kernel
def cable_energy(t, c, ints, reals, y, work):
    """Kinetic, gravity and elastic energy of a cable's line [J]."""
    cable = cable_at(ints, c)
    total = 0.0
    for slot in range(first_active(ints, y, c), ints[cable + CABLE_COUNT]):
        j = ints[cable + CABLE_BODY] + slot
        e = ints[cable + CABLE_ELEMENT] + slot
        kinetic, gravity = line_energies(t, j, ints, reals, y, work)
        span = y[ints[body_at(ints, j) + AT_Q] + 2]
        total += kinetic + gravity + stretch_energy(span, y[ints[Y_LENGTH] + e], ints, reals, element_at(ints, e))
    return total


@kernel
def copy_frame(y, ints, source, target):
    """Give one element's frame to another."""
    for k in range(4):
        y[ints[Y_FRAMES] + 4 * target + k] = y[ints[Y_FRAMES] + 4 * source + k]


@kernel
def split(c, nominal, ints, reals, y, work):
    """Take a node off the drum: the first element becomes one of L₁ − L₀ at the drum and one of L₀ behind it.

    The new node goes where both parts carry what they must (`split_tensions`, the total length unchanged), with the
    speed of the line there (`split_speed`); across the line it moves as the element does. Both parts lie along the old
    one: the second has no turns and no turning rates of its own.
    """
    cable = cable_at(ints, c)
    slot = first_active(ints, y, c)
    j, e = ints[cable + CABLE_BODY] + slot, ints[cable + CABLE_ELEMENT] + slot
    body, element = body_at(ints, j), element_at(ints, e)
    record = record_at(ints, ints[N_BASES] + j)
    _, _, p1, v1 = near_end(j, body, ints, reals, work)
    v2, axis = vector_of(work, record + VELOCITY), vector_of(work, record + AXES + 12)
    length, span = y[ints[Y_LENGTH] + e], y[ints[body + AT_Q] + 2]
    upper, lower = length - nominal, nominal
    stiffness = reals[element + STIFFNESS]
    share = reals[element + SHARE_FAR] * upper + reals[element + SHARE_NEAR] * lower
    net = reals[element + WEIGHT] - (reals[element + BUOYANCY] if p1[2] < 0.0 else 0.0)
    along = dot(axis, vector_of(work, record + ACCELERATION))
    force = share * (-net * axis[2] - reals[element + LINE_MASS] * along)
    one, two = split_tensions(stiffness * (span / length - 1.0), force, upper, lower)
    first = upper * (1.0 + one / stiffness)
    if one <= 0.0 or two <= 0.0:
        first = span * upper / length
    stretch_rate = (y[ints[body + AT_V] + 2] - work[ints[W_RATES] + c] * span / length) / length
    speed = split_speed(dot(v2, axis), stretch_rate, lower)
    across1, across2 = add_scaled(v1, -dot(v1, axis), axis), add_scaled(v2, -dot(v2, axis), axis)
    part = first / span
    velocity = add(add_scaled(scale(1.0 - part, across1), part, across2), scale(speed, axis))
    remember(ints, work)
    old = ints[W_OLD] + OLD * (j - 1)
    put(work, old + POSITION, add_scaled(p1, first, axis))
    put(work, old + VELOCITY, velocity)
    y[ints[Y_LENGTH] + e - 1], y[ints[Y_LENGTH] + e] = upper, lower
    copy_frame(y, ints, e, e - 1)
    put_quaternion(y, ints[Y_FRAMES] + 4 * e, (1.0, 0.0, 0.0, 0.0))
    put(y, ints[Y_CONTACT] + 4 * (j - 1), add_scaled(p1, first, axis))
    y[ints[Y_CONTACT] + 4 * (j - 1) + 3] = 0.0
    y[ints[Y_ACTIVE] + c] += 1.0
    refold(ints, reals, y, work)


@kernel
def node_mass(j, ints, reals, y):
    """Mass of the line and of what is at the node of body j or hung from it [kg]."""
    body = body_at(ints, j)
    e = ints[body + ELEMENT]
    mass = reals[element_at(ints, e) + SHARE_FAR] * y[ints[Y_LENGTH] + e] * reals[element_at(ints, e) + LINE_MASS]
    if j + 1 < ints[N_BODIES] and ints[body_at(ints, j + 1) + BODY_CABLE] == ints[body + BODY_CABLE]:
        near = element_at(ints, e + 1)
        mass += reals[near + SHARE_NEAR] * y[ints[Y_LENGTH] + e + 1] * reals[near + LINE_MASS]
    for i in range(ints[N_WATER]):
        holder = ints[ints[I_WATER] + WATER_INTS * i]
        hung = holder >= ints[N_BASES] and ints[body_at(ints, holder - ints[N_BASES]) + PARENT] == ints[N_BASES] + j
        if holder == ints[N_BASES] + j or (hung and ints[body_at(ints, holder - ints[N_BASES]) + ELEMENT] < 0):
            mass += reals[ints[R_WATER] + WATER_REALS * i]
    return mass


@kernel
def merge(c, ints, reals, y, work):
    """Take the first node back onto the drum: the first two elements become one, straight from the drum.

    The next node takes over the removed node's line that now counts at it, with its momentum.
    """
    cable = cable_at(ints, c)
    slot = first_active(ints, y, c)
    j, e = ints[cable + CABLE_BODY] + slot, ints[cable + CABLE_ELEMENT] + slot
    element = element_at(ints, e)
    more = reals[element + SHARE_FAR] * y[ints[Y_LENGTH] + e] * reals[element + LINE_MASS]
    mass = node_mass(j + 1, ints, reals, y)
    remember(ints, work)
    one, two = ints[W_OLD] + OLD * j + VELOCITY, ints[W_OLD] + OLD * (j + 1) + VELOCITY
    for k in range(3):
        work[two + k] = merged_speed(work[two + k], mass, work[one + k], more)
    y[ints[Y_LENGTH] + e + 1] += y[ints[Y_LENGTH] + e]
    y[ints[Y_LENGTH] + e] = 0.0
    copy_frame(y, ints, e, e + 1)
    put(y, ints[body_at(ints, j) + AT_V], (0.0, 0.0, 0.0))
    y[ints[Y_ACTIVE] + c] -= 1.0
    refold(ints, reals, y, work)


@kernel
def drum_events(t, ints, reals, y, work):
    """Split and merge at all drums where it is due; what that changes in energy is booked as the drives'.

    All bodies must be in place, and stay so.
    """
    for w in range(ints[N_WINCHES]):
        c = ints[ints[I_WINCHES] + WINCH_INTS * w]
        at, cable = ints[R_WINCHES] + WINCH_REALS * w, cable_at(ints, c)
        slot = first_active(ints, y, c)
        e = ints[cable + CABLE_ELEMENT] + slot
        due = event(
            y[ints[Y_LENGTH] + e], reals[at + NOMINAL], work[ints[W_RATES] + c], int(y[ints[Y_EVENT] + w]),
            reals[at + SPLIT_AT], reals[at + MERGE_AT], reals[at + MERGE_AFTER_REVERSAL],
        )  # fmt: skip
        if due == NOTHING or (due == SPLIT and slot == 0) or (due == MERGE and slot + 1 >= ints[cable + CABLE_COUNT]):
            continue
        before = cable_energy(t, c, ints, reals, y, work)
        if due == SPLIT:
            split(c, reals[at + NOMINAL], ints, reals, y, work)
        else:
            merge(c, ints, reals, y, work)
        y[ints[Y_EVENT] + w] = due
        y[ints[Y_LEDGER] + WORK_DRIVES] += cable_energy(t, c, ints, reals, y, work) - before
