"""The equations of a cable's nodes: block rows of 3×3 with the next node and, where it bends, the one after.

Row i of M a = r reads  A_{i−1}ᵀ a_{i−1} + D_i a_i + A_i a_{i+1}  (+ C_{i−2}ᵀ a_{i−2} + C_i a_{i+2} with bending).
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import WIDTH, all_lanes, any_lane, common, total, where
from fairlead.algebra.records import expected
from fairlead.algebra.small import add, add_scaled, dot, outer_scaled, scale, subtract, symadd
from fairlead.rigging.bed import free_fall, touch_bed
from fairlead.sea.water import bed_at

from .bending import bend, general
from .element import element_loads, lump_loads, spring
from .ends import ZERO3, place_ends
from .schema import FILTERED, NO_COMPRESSION
from .scheme import string_form
from .vortices import vortex_lift

CAUGHT = 2.0
"""An element whose tension grows by more than this factor in a step is caught by a blow."""
RISE = 1.5
THROWN = 0.25
"""Half the angle [rad] by which an element of the second-order step may turn in a step and count as resolved."""
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def isotropic(m, b):
    """M + b·1 of a symmetric matrix."""
    return (m[0] + b, m[1], m[2], m[3] + b, m[4], m[5] + b)


@inlined
def rest_on_bed(i, place, velocity, k, c, ks, radius, weight, lift, inertia, sys):
    """Contact of node i: what it adds to the node's matrix and force; the rest is kept for after the solve.

    Looked at closer only where the node may touch: within the step if nothing accelerates, or since it pressed before.
    A node that an anchor holds at the bed (a remembered force of HELD) is no contact.
    """
    contact, scheme, pressed = sys.contact[i], sys.scheme, sys.grip[i].normal_force
    height, n = bed_at(place[0], place[1], sys.reals)
    gap, held = n[2] * (place[2] - height) - radius, pressed < 0.0
    contact.k, contact.gap, contact.normal = where(held, 0.0, k), gap, n
    above = gap + scheme.step * dot(n, velocity) >= 0.0
    near = not (held | (above & (pressed == 0.0)))
    if not any_lane(near):
        contact.active = 0.0
        return ZERO6, ZERO3
    contact.ks = ks
    return touch_bed(
        place, velocity, radius, k, c, ks, free_fall(weight, lift, inertia), near, contact, sys.grip[i],
        scheme.step, scheme.g_per_c, scheme.g_per_k, scheme.d_per_k, sys,
    )  # fmt: skip


@inlined
def lengths(span, rate, speed2, half):
    """Length of an element at the start of the step and, if nothing accelerates, at its end; its mean rate.

    `span` and `rate` are those in the middle of the step of twice `half`, `speed2` the square of its nodes' relative
    velocity: with the vector d there and the velocity u, l² = |d|² ± h d·u + ¼h²|u|².
    """
    turn = 2.0 * span * rate
    middle = span * span + half * half * speed2
    before, after = math.sqrt(middle - half * turn), math.sqrt(middle + half * turn)
    return before, after, turn / (before + after)


@inlined
def expected_tension(latest, scheme):
    """Tension that the string stiffness of an element is taken with: that of the step before; in the second-order step
    it goes on as from the step before that one, at most to `RISE` times as much, unless the cable is loose."""
    tension = max(0.0, latest.tension)
    if common(scheme.geometric) == FILTERED:
        ahead = min(max(0.0, 2.0 * latest.tension - latest.earlier), RISE * tension)
        tension = where(scheme.loose > 0.0, tension, ahead)
    return tension


@inlined
def load_element(t, e, node, guess, sys):
    """Spring, inertia, weight and water of element e behind `node`: what its two nodes' rows take, and what tensions
    follow from, is kept in its `chord`. Returns the power of the water, and 1 where its string stiffness is damped.

    guess: whether to take from the springs themselves which elements are slack, or as `slackening` has left it.
    """
    scheme, chord, latest, element = sys.scheme, sys.chord[e], sys.spring[e], sys.element[e]
    one, two = sys.node[node], sys.node[node + 1]
    p1, v1, p2, v2 = one.position, one.velocity, two.position, two.velocity
    axis = subtract(p2, p1)
    span = math.sqrt(dot(axis, axis))
    per_span = 1.0 / span
    axis = scale(per_span, axis)
    apart = subtract(v2, v1)
    rate = dot(axis, apart)
    speed2 = dot(apart, apart)
    before, after, stretching = lengths(span, rate, speed2, scheme.drift)
    if sys.winches > 0:
        stretching -= element.growth * span / element.length
    bow = (speed2 - rate * rate) * per_span
    thrown = scheme.foresight * scheme.foresight * bow > THROWN * THROWN * span
    g, bias, damping, lossy = spring(before, after, stretching, bow, thrown, latest, element, e, guess, sys)
    chord.tension_g, chord.tension_bias = g, bias
    chord.damping, chord.damping_g = damping, lossy
    if guess:
        slack = (common(element.pushed) == NO_COMPRESSION) & (bias <= 0.0)
        chord.taut, chord.string = where(slack, 0.0, 1.0), expected_tension(latest, scheme)
    slack = chord.taut == 0.0
    if any_lane(slack):
        g, bias = where(slack, (0.0, 0.0), (g, bias))
    mass_n, mass_a, slow_n, slow_a, force1, force2, drag1, drag2, power = element_loads(
        t, sys, element, node, p1, p2, v1, v2, axis, per_span
    )
    if sys.wakes > 0:
        aside, given = vortex_lift(t, e, node, p1, p2, v1, v2, axis, sys)
        drag1, drag2, power = add_scaled(drag1, 0.5, aside), add_scaled(drag2, 0.5, aside), power + given
    chord.slow_across, chord.slow_along, chord.drag_first, chord.drag_last = slow_n, slow_a, drag1, drag2
    force1, force2 = add(force1, drag1), add(force2, drag2)
    across1, across2, across = mass_n + slow_n[0], mass_n + slow_n[1], slow_n[2]
    along1, along2, along = mass_a + slow_a[0], mass_a + slow_a[1], slow_a[2]
    caught = slack | thrown | (chord.string > CAUGHT * latest.tension)
    stiff, slow, memory, damps = string_form(chord.string * per_span, across1, caught, scheme)
    pull = add_scaled(scale(slow, apart), bias - slow * rate, axis)
    if common(scheme.geometric) == FILTERED:
        was = latest.sway
        pull = add_scaled(add_scaled(pull, memory, was), -memory * dot(was, axis), axis)
    chord.load_along = dot(force1, axis), dot(force2, axis)
    chord.mass_along, chord.mass_shared = (along1, along2), along
    chord.all_round = across1 + stiff, across2 + stiff, across - stiff
    chord.beyond = along1 + g - across1 - stiff, along2 + g - across2 - stiff, along - across + stiff - g
    chord.push_first, chord.push_last = add(force1, pull), subtract(force2, pull)
    chord.direction, chord.span, chord.rate = axis, span, stretching
    return power, damps


@inlined
def of_one_kind(e, rows):
    """Whether eight elements, from e on, may do the same when pushed together and have drag by the same law."""
    kind = rows.element[e]
    return all_lanes((kind.pushed == common(kind.pushed)) & (kind.drag_law == common(kind.drag_law)))


@kernel
def load_elements(c, t, guess, rows, sys):
    """`load_element` of all of cable c, eight at a time of `rows` where they are of one kind. Returns their power and
    how many are damped across."""
    e, last = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
    power, damped = 0.0, 0.0
    while e < last:
        if rows is not None and last - e >= WIDTH and of_one_kind(e, rows):
            powers, damps = load_element(t, e, e + c, guess, rows)
            power, damped, e = power + total(powers), damped + total(damps), e + WIDTH
        else:
            expected(sys.node.position, min(e + 2, last) + c, 6)
            expected(sys.spring.tension, min(e + 1, last - 1), 2)
            given, is_damped = load_element(t, e, e + c, guess, sys)
            power, damped, e = power + given, damped + is_damped, e + 1
    return power, damped


@kernel
def load_lumps(c, t, sys):
    """Add the attachments of cable c to its elements, as point masses between their nodes; returns their power."""
    power = 0.0
    for e in range(sys.cable[c].first, sys.cable[c].first + sys.cable[c].count):
        if not common(sys.element[e].lump_count) > 0.0:
            continue
        chord, one, two = sys.chord[e], sys.node[e + c], sys.node[e + c + 1]
        masses, slowed, force1, force2, drag1, drag2, given = lump_loads(
            t, e, e + c, one.position, two.position, one.velocity, two.velocity, sys
        )
        m11, m22, m12 = add(masses, slowed)
        power += given
        chord.all_round = add(chord.all_round, (m11, m22, m12))
        chord.slow_across, chord.slow_along = add(chord.slow_across, slowed), add(chord.slow_along, slowed)
        chord.drag_first, chord.drag_last = add(chord.drag_first, drag1), add(chord.drag_last, drag2)
        force1, force2 = add(force1, drag1), add(force2, drag2)
        chord.push_first, chord.push_last = add(chord.push_first, force1), add(chord.push_last, force2)
        load1, load2 = chord.load_along
        chord.load_along = load1 + dot(force1, chord.direction), load2 + dot(force2, chord.direction)
        along1, along2 = chord.mass_along
        chord.mass_along, chord.mass_shared = (along1 + m11, along2 + m22), chord.mass_shared + m12
    return power


@kernel
def load_cable(c, t, guess, sys):
    """Ends of cable c where their points are; springs, inertia, weight and water of all its elements, with what is
    attached to them; the work of the water. guess: see `load_element`."""
    place_ends(c, sys)
    sys.scheme.loose = sys.slack[c].loose
    power, damped = load_elements(c, t, guess, in_eights(sys), sys)
    if sys.lumps > 0:
        power += load_lumps(c, t, sys)
    ledger = sys.ledger
    ledger.drag += sys.scheme.book * power
    ledger.element_steps += sys.cable[c].count
    ledger.element_steps_damped += damped


NOTHING = (ZERO6, ZERO3, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
"""Before the first node there is no element."""


@inlined
def bedding(element):
    """What a node of an element has of it where it lies on the bed: stiffness, damping, shear, radius, weight, lift,
    inertia."""
    return (
        element.bed_stiffness, element.bed_damping, element.bed_shear, element.radius, element.weight, element.buoyancy,
        element.mass + element.added_normal,
    )  # fmt: skip


@inlined
def row_of(c, i, before, sys):
    """The row of node i of cable c: A, D and r from the elements at the node, of which the one before it has given
    `before`, and from the seabed below. Returns what the element behind it gives to the next, too."""
    first, count = sys.cable[c].first, sys.cable[c].count
    bed, node = sys.sea.bed > 0.0, first + c + i
    soon = first + min(i + 1, count - 1)
    expected(sys.chord.direction, soon, 3)
    expected(sys.chord.all_round, soon, 12)
    if bed:
        expected(sys.node.position, min(node + 1, first + c + count), 6)
        expected(sys.grip.normal_force, min(node + 1, first + c + count), 1)
    d, r, lying = before
    a, d_next, r_next, next_lying = ZERO9, ZERO6, ZERO3, NOTHING[2]
    if i < count:
        chord = sys.chord[first + i]
        axis = chord.direction
        round1, round2, shared = chord.all_round
        beyond1, beyond2, coupling = chord.beyond
        a = general(isotropic(outer_scaled(coupling, axis), shared))
        d, r = isotropic(symadd(d, outer_scaled(beyond1, axis)), round1), add(r, chord.push_first)
        d_next, r_next = isotropic(outer_scaled(beyond2, axis), round2), chord.push_last
    if bed:
        if i < count:
            next_lying = bedding(sys.element[first + i])
        k, damper, shear, _, weight, lift, inertia = add_all(lying, next_lying)
        place, velocity, radius = sys.node[node].position, sys.node[node].velocity, max(lying[3], next_lying[3])
        push, f = rest_on_bed(node, place, velocity, k, damper, shear, radius, weight, lift, inertia, sys)
        d, r = symadd(d, push), add(r, f)
    return a, d, r, (d_next, r_next, next_lying)


@inlined
def add_all(x, y):
    """x + y of seven numbers."""
    return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5], x[6] + y[6]


@kernel
def fill_rows(c, sys):
    """Rows of cable c, whose elements are loaded."""
    cable, before = sys.cable[c], NOTHING
    for i in range(cable.count + 1):
        row = sys.row[cable.first + c + i]
        row.A, row.D, row.r, before = row_of(c, i, before, sys)
    if cable.bends == 1:
        bend(c, sys)


@kernel
def assemble(c, t, guess, sys):
    """Fill the rows of cable c: springs, inertia, weight, water and seabed; keep what the tensions follow from.

    guess: see `load_element`.
    """
    load_cable(c, t, guess, sys)
    fill_rows(c, sys)
