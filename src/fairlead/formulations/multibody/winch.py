"""Line paid out and hauled in at the base of a cable, and elements that come and go there, by the rules of `payout`.

Element slots nearest the base are on the drum until they are needed; a node on the drum is fixed to the base.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, add_scaled, dot, scale
from fairlead.payout.control import NO_CONTROL, controlled_rate
from fairlead.payout.rules import NOTHING, SPLIT, limited_rate, merged_speed, split_speed, split_tensions
from fairlead.rigging.axial import axial_slope, axial_stretch, axial_tension
from fairlead.rigging.winches import due, scheduled_rate

from .coordinates import put_three, refold, remember
from .joints import at_drum, direction_of, first_active
from .lines import line_energies, near_end
from .string_stiffness import across
from .tension import tension_parts


@kernel
def winch_of(c, sys):
    """Number of the winch of cable c, −1 where it has none."""
    for w in range(sys.winches):
        if sys.winch[w].cable == c:
            return w
    return -1


@kernel
def paid_length(c, sys):
    """Unstretched length of cable c off the drum [m]."""
    cable = sys.cable[c]
    total = 0.0
    for slot in range(first_active(c, sys), cable.count):
        total += sys.line[cable.element + slot].length
    return total


@kernel
def drum_end(c, sys):
    """The body and the element nearest to the drum of cable c."""
    slot = first_active(c, sys)
    return sys.cable[c].body + slot, sys.cable[c].element + slot


@kernel
def steer(w, c, scheduled, h, sys):
    """Rate of winch w of cable c with a controller over the coming step h; bodies stand as at its start.

    At the drum the tension is that of the element and the weight of its nearer half.
    """
    j, e = drum_end(c, sys)
    body, element = sys.body[j], sys.element[e]
    _, _, place, velocity = near_end(j, sys)
    span, rate = sys.coordinate[body.coordinate + 2].value, sys.speed[body.speed + 2].value
    length = sys.line[e].length
    elastic, damping = tension_parts(span, rate, length, sys.drum[w].driven, element, sys)
    axis = direction_of(sys.record[sys.bases + j])
    net = element.weight - (element.buoyancy if place[2] < 0.0 else 0.0)
    tension = elastic + damping - element.share_near * length * net * axis[2]
    slope = axial_slope(sys.law, span / length, length, element.stiffness)
    return controlled_rate(
        scheduled, max(0.0, tension), rate, slope, velocity, axis, h, sys.reals,
        row_start(sys.controller[w], sys.reals), sys.y, row_start(sys.drum[w], sys.y),
    )  # fmt: skip


@kernel
def rate_at(t, c, h, u, sys):
    """Rate of payout of cable c [m/s]: the live input where it is a number, else the schedule, within the limits.

    h is the step in which the limits are to be kept; 0 for a moment alone. A controller adds to the rate of a step.
    """
    w = winch_of(c, sys)
    if w < 0:
        return 0.0
    winch, limits = sys.winch[w], sys.limits[w]
    rate = scheduled_rate(t, u[3 * sys.controlled + w], winch, sys.sample.start, sys.reals)
    length = paid_length(c, sys)
    controlled = sys.controller[w].kind != NO_CONTROL
    if controlled:
        rate = steer(w, c, rate, h, sys)
    if h > 0.0:
        rate = limited_rate(rate, length, limits.shortest, limits.longest, h)
        if controlled:
            sys.drum[w].driven = rate
        return rate
    if (rate > 0.0 and length >= limits.longest) or (rate < 0.0 and length <= limits.shortest):
        return 0.0
    return rate


@kernel
def cable_energy(t, c, sys):
    """Kinetic, gravity and elastic energy of a cable's line [J]."""
    cable = sys.cable[c]
    total = 0.0
    for slot in range(first_active(c, sys), cable.count):
        kinetic, gravity, elastic = line_energies(t, cable.body + slot, sys)
        total += kinetic + gravity + elastic
    return total


@kernel
def split(c, nominal, sys):
    """Take a node off the drum: the first element becomes one of L₁ − L₀ at the drum and one of L₀ behind it.

    The new node goes where both parts carry what they must (`split_tensions`, the total length unchanged), with the
    speed of the line there (`split_speed`); across the line it moves as the element does. Both parts lie along the old
    one: the second has no turns and no turning rates of its own.
    """
    j, e = drum_end(c, sys)
    body, element = sys.body[j], sys.element[e]
    record = sys.record[sys.bases + j]
    _, _, p1, v1 = near_end(j, sys)
    v2, axis = record.velocity, direction_of(record)
    length, span = sys.line[e].length, sys.coordinate[body.coordinate + 2].value
    upper, lower = length - nominal, nominal
    stiffness = element.stiffness
    share = element.share_far * upper + element.share_near * lower
    net = element.weight - (element.buoyancy if p1[2] < 0.0 else 0.0)
    along = dot(axis, record.acceleration)
    force = share * (-net * axis[2] - element.mass * along)
    one, two = split_tensions(axial_tension(sys.law, span / length, stiffness), force, upper, lower)
    first = upper * axial_stretch(sys.law, one, stiffness)
    if one <= 0.0 or two <= 0.0:
        first = span * upper / length
    stretch_rate = (sys.speed[body.speed + 2].value - sys.payout[c].rate * span / length) / length
    speed = split_speed(dot(v2, axis), stretch_rate, lower)
    part = first / span
    velocity = add_scaled(across(add_scaled(scale(1.0 - part, v1), part, v2), axis), speed, axis)
    remember(sys)
    old, contact, place = sys.old[j - 1], sys.contact[j - 1], add_scaled(p1, first, axis)
    old.position, old.velocity = place, velocity
    sys.line[e - 1].length, sys.line[e].length = upper, lower
    sys.latest[e - 1].tension = sys.latest[e].tension
    sys.frame[e - 1].turn, sys.frame[e].turn = sys.frame[e].turn, (1.0, 0.0, 0.0, 0.0)
    contact.anchor, contact.normal_force = place, 0.0
    sys.paid[c].count += 1.0
    refold(sys)


@kernel
def node_mass(j, sys):
    """Mass of the line and of what is at the node of body j or hung from it [kg]."""
    body = sys.body[j]
    e = body.element
    mass = sys.element[e].share_far * sys.line[e].length * sys.element[e].mass
    if j + 1 < sys.bodies and sys.body[j + 1].cable == body.cable:
        near = sys.element[e + 1]
        mass += near.share_near * sys.line[e + 1].length * near.mass
    for i in range(sys.solids):
        holder = sys.solid[i].record
        hung = holder >= sys.bases and sys.body[holder - sys.bases].parent == sys.bases + j
        if holder == sys.bases + j or (hung and sys.body[holder - sys.bases].element < 0):
            mass += sys.hull[i].mass
    return mass


@kernel
def merge(c, sys):
    """Take the first node back onto the drum: the first two elements become one, straight from the drum.

    The next node takes over the removed node's line that now counts at it, with its momentum.
    """
    j, e = drum_end(c, sys)
    element = sys.element[e]
    more = element.share_far * sys.line[e].length * element.mass
    mass = node_mass(j + 1, sys)
    remember(sys)
    one, two = sys.old[j].velocity, sys.old[j + 1].velocity
    sys.old[j + 1].velocity = (
        merged_speed(two[0], mass, one[0], more), merged_speed(two[1], mass, one[1], more),
        merged_speed(two[2], mass, one[2], more),
    )  # fmt: skip
    sys.line[e + 1].length += sys.line[e].length
    sys.line[e].length = 0.0
    sys.frame[e + 1].turn = sys.frame[e].turn
    put_three(sys.speed, sys.body[j].speed, ZERO3)
    sys.paid[c].count -= 1.0
    refold(sys)


@kernel
def drum_events(t, sys):
    """Split and merge at all drums where it is due; what that changes in energy is booked as the drives'.

    All bodies must be in place, and stay so.
    """
    for w in range(sys.winches):
        c, limits = sys.winch[w].cable, sys.limits[w]
        what = due(
            sys.line[at_drum(c, sys)].length, limits.nominal, sys.payout[c].rate, int(sys.drum[w].latest), limits,
            int(sys.paid[c].count), sys.cable[c].count,
        )  # fmt: skip
        if what == NOTHING:
            continue
        before = cable_energy(t, c, sys)
        if what == SPLIT:
            split(c, limits.nominal, sys)
        else:
            merge(c, sys)
        sys.drum[w].latest = what
        sys.ledger.drives += cable_energy(t, c, sys) - before
