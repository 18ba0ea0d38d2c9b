"""Winches: cables whose unstretched length changes while they move.

`drum`: the element at the drum, always the first of its cable, grows or shrinks; elements are created and absorbed
there by the rules of `fairlead.payout`. `rescale`: all elements of the cable change their length together.

An element whose unstretched length changes by L̇ stretches by ε̇ = (l̇ − L̇ l/L)/L. Line comes in at the speed of the
line that is there, so that no force comes with it; the energy it brings, at places and speeds as they are, is booked as
work of the drives. Elements are allotted for the greatest length. First and count of a cable and those properties of
elements that depend on length are *live*: they follow from the state and are unfolded anew at the start of every call.

A drum has paid out an unstretched length [m]; the `first_length` is that of the element at the drum [m], or of all as a
part of the nominal one when it rescales; then elements that are out, the latest event, and length owed [m].
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.payout.control import NO_CONTROL, controlled_rate
from fairlead.payout.rules import MERGE, SPLIT, limited_rate, split_speed, split_tensions
from fairlead.rigging.axial import axial_slope, axial_stretch
from fairlead.rigging.winches import due, resize, scheduled_rate

from .energies import still_energies
from .points import chord
from .vortices import merge_wakes, split_wake


@kernel
def unfold(sys):
    """Bring what is live in `ints` and `reals` in accord with the state."""
    for k in range(sys.winches):
        unfold_winch(k, sys)


@kernel
def unfold_winch(k, sys):
    """The same for one winch."""
    c = sys.winch[k].cable
    cable = sys.cable[c]
    base, most, count = cable.allotted_first, cable.allotted_count, int(sys.drum[k].count)
    cable.count, cable.first = count, base + most - count
    for e in range(base + most - count, base + most):
        resize(sys.element[e], sys.nominal[e], sys.nominal[e].length)
        sys.element[e].growth = 0.0
    for i in range(base, base + most - count):  # nothing on the drum touches the bed
        sys.contact[i + c].active, sys.contact[i + c].k = 0.0, 0.0
    follow_winch(k, sys)


@kernel
def follow_winch(k, sys):
    """Give the elements that change with winch k their length and its rate."""
    drum, cable = sys.drum[k], sys.cable[sys.winch[k].cable]
    if sys.winch[k].rescales == 1:
        for e in range(cable.first, cable.first + cable.count):
            length = drum.first_length * sys.nominal[e].length
            resize(sys.element[e], sys.nominal[e], length)
            sys.element[e].growth = sys.turning[k].driven * length / drum.paid_out
    else:
        resize(sys.element[cable.first], sys.nominal[cable.first], drum.first_length)
        sys.element[cable.first].growth = growth_at_drum(k, sys)


@kernel
def growth_at_drum(k, sys):
    """Rate at which the element at the drum grows: that of the drum, and what is owed, paid back with the line."""
    rate, cable = sys.turning[k].driven, sys.cable[sys.winch[k].cable]
    return rate + sys.drum[k].debt * abs(rate) / sys.nominal[cable.allotted_first].length


@kernel
def set_rates(t, u, sys):
    """Rate of every winch for the step from t: the live input where it is a number, else the file's schedule; a
    controller adds to it."""
    h = sys.scheme.step
    for k in range(sys.winches):
        limits, live = sys.limits[k], u[3 * sys.controlled + k]
        rate = scheduled_rate(t + 0.5 * h, live, sys.winch[k], sys.sample.start, sys.reals)
        if sys.controller[k].kind != NO_CONTROL:
            rate = steer(k, rate, h, sys)
        sys.turning[k].driven = limited_rate(rate, sys.drum[k].paid_out, limits.shortest, limits.longest, h)
        follow_winch(k, sys)


@kernel
def steer(k, scheduled, h, sys):
    """Rate of winch k with a controller over the coming step h.

    At the drum the tension is that of the element and the weight of its nearer half.
    """
    c = sys.winch[k].cable
    e = sys.cable[c].first
    drum, behind, element = sys.node[e + c], sys.node[e + c + 1], sys.element[e]
    axis, span = chord(e + c, sys)
    slope = axial_slope(sys.law, span / element.length, element.length, element.stiffness)
    net = element.weight - (element.buoyancy if drum.position[2] < 0.0 else 0.0)
    tension = sys.spring[e].tension - net * axis[2]
    return controlled_rate(
        scheduled, max(0.0, tension), dot(axis, subtract(behind.velocity, drum.velocity)),
        slope, drum.velocity, axis, h, sys.reals,
        row_start(sys.controller[k], sys.reals), sys.y, row_start(sys.turning[k], sys.y),
    )  # fmt: skip


@kernel
def line_energy(t, c, sys):
    """Energy of the masses of a cable as it stands [J]."""
    first, count = sys.cable[c].first, sys.cable[c].count
    total = 0.0
    for e in range(first, first + count):
        kinetic, gravity = still_energies(t, e, e + c, chord(e + c, sys)[0], sys)
        total += kinetic + gravity
    return total


@kernel
def paid_power(c, sys):
    """Power that the line a winch adds brings into the springs: ∂U/∂L = ½T²/EA − T(1 + T/EA), T of the step [W]."""
    first, count = sys.cable[c].first, sys.cable[c].count
    power = 0.0
    for e in range(first, first + count):
        element, tension = sys.element[e], sys.spring[e].tension
        power -= element.growth * tension * (1.0 + 0.5 * tension / element.stiffness)
    return power


@kernel
def turn_winches(t, sys):
    """After the move: lengths as the winches left them, elements created and absorbed, the energy line brought in."""
    h = sys.scheme.step
    for k in range(sys.winches):
        drum, limits, rate, c = sys.drum[k], sys.limits[k], sys.turning[k].driven, sys.winch[k].cable
        if rate == 0.0:
            continue
        cable = sys.cable[c]
        before = line_energy(t, c, sys) - h * paid_power(c, sys)
        if sys.winch[k].rescales == 1:
            drum.first_length *= 1.0 + h * rate / drum.paid_out
            drum.paid_out += h * rate
            follow_winch(k, sys)
        else:
            growth = growth_at_drum(k, sys)
            drum.paid_out += h * rate
            drum.first_length += h * growth
            drum.debt -= h * (growth - rate)
            follow_winch(k, sys)
            what = due(drum.first_length, limits.nominal, rate, drum.latest, limits, cable.count, cable.allotted_count)
            if what == SPLIT:
                split_element(k, c, limits.nominal, growth, sys)
            elif what == MERGE:
                merge_elements(k, c, sys)
        sys.ledger.drives += line_energy(t, c, sys) - before


@kernel
def split_element(k, c, nominal, growth, sys):
    """Split the element at the drum into one at the drum and one of nominal length behind it.

    The new node is where the two tensions T_a, T_b of `split_tensions` put it, so that their stretch together is that
    of the element before; along the cable it moves as the line does, across as the straight line between drum and node.
    """
    drum, e = sys.drum[k], sys.cable[c].first
    element, new, at_drum, fresh = sys.element[e], sys.node[e + c], sys.node[e + c - 1], sys.spring[e - 1]
    length, stiffness = drum.first_length, element.stiffness
    p0, v0 = new.position, new.velocity
    p1, v1 = sys.node[e + c + 1].position, sys.node[e + c + 1].velocity
    axis, span = chord(e + c, sys)
    upper = length - nominal
    tension = sys.spring[e].tension
    down = -axis[2] * (element.weight - element.buoyancy)
    force = down - element.mass * dot(axis, sys.row[e + c + 1].acceleration)
    t_a, t_b = split_tensions(tension, force, upper, nominal)
    far = span * nominal / length
    far *= axial_stretch(sys.law, t_b, stiffness) / axial_stretch(sys.law, tension, stiffness)
    stretching = (dot(axis, subtract(v1, v0)) - growth * span / length) / length
    speed = split_speed(dot(axis, v1), stretching, nominal)
    v = add_scaled(scale(far / span, v0), 1.0 - far / span, v1)
    drum.first_length, drum.count, drum.latest = upper, drum.count + 1.0, SPLIT
    new.position, new.velocity = add_scaled(p1, -far, axis), add_scaled(v, speed - dot(axis, v), axis)
    at_drum.position, at_drum.velocity = p0, v0
    fresh.tension, sys.spring[e].tension = t_a, t_b
    fresh.straining, fresh.sway = sys.spring[e].straining, scale(upper / length, sys.spring[e].sway)
    sys.spring[e].sway = scale(nominal / length, sys.spring[e].sway)
    fresh.earlier, sys.spring[e].earlier = t_a, t_b
    fresh.passed, sys.spring[e].passed = (t_a, t_a), (t_b, sys.spring[e].passed[1])
    behind, was = sys.previous[e + c + 1].acceleration, sys.previous[e + c].acceleration
    sys.previous[e + c - 1].acceleration = was
    sys.previous[e + c].acceleration = add_scaled(scale(far / span, was), 1.0 - far / span, behind)
    sys.grip[e + c].normal_force = sys.grip[e + c - 1].normal_force = 0.0
    split_wake(e, sys)
    unfold_winch(k, sys)


@kernel
def merge_elements(k, c, sys):
    """Absorb the element at the drum into the one behind it: half its mass, with its momentum, goes to the next node.

    Where the two were not in line their chord is shorter than both together; the new element is as long as its chord
    under the tension of the two asks, and the rest is owed, to be paid out with the line.
    """
    drum, e = sys.drum[k], sys.cable[c].first
    at_drum, gone, kept = sys.node[e + c], sys.node[e + c + 1], sys.node[e + c + 2]
    one, two = sys.element[e], sys.element[e + 1]
    both = one.length + two.length
    tension = one.length * sys.spring[e].tension + two.length * sys.spring[e + 1].tension
    tension /= both
    d = subtract(kept.position, at_drum.position)
    length = math.sqrt(dot(d, d)) / axial_stretch(sys.law, tension, two.stiffness)
    part, rest = one.mass, two.mass
    if sys.cable[c].count > 2:
        rest += sys.element[e + 2].mass
        v = scale(part / (part + rest), gone.velocity)
        kept.velocity = add_scaled(v, rest / (part + rest), kept.velocity)
    gone.position, gone.velocity = at_drum.position, at_drum.velocity
    sys.spring[e + 1].tension = sys.spring[e + 1].earlier = tension
    sys.previous[e + c + 1].acceleration = sys.previous[e + c].acceleration
    drum.first_length, drum.count, drum.latest = length, drum.count - 1.0, MERGE
    drum.debt += both - length
    sys.grip[e + c + 1].normal_force = 0.0
    merge_wakes(e + 1, e + min(2, sys.cable[c].count - 1), sys)
    unfold_winch(k, sys)
