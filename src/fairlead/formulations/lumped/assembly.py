"""The equations of a cable's nodes: block rows of 3×3 with the next node and, where it bends, the one after.

Row i of M a = r reads  A_{i−1}ᵀ a_{i−1} + D_i a_i + A_i a_{i+1}  (+ C_{i−2}ᵀ a_{i−2} + C_i a_{i+2} with bending).
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import any_lane, common, where
from fairlead.algebra.small import add, add_scaled, dot, outer_scaled, scale, subtract, symadd
from fairlead.rigging.bed import free_fall, touch_bed
from fairlead.sea.water import bed_at

from .bending import bend, general
from .element import element_loads, lump_loads, spring
from .ends import ZERO3, place_ends
from .schema import NO_COMPRESSION
from .scheme import string_form
from .vortices import vortex_lift

ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


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


@kernel
def assemble(c, t, guess, sys):
    """Fill the rows of cable c: springs, inertia, weight, water and seabed; keep what the tensions follow from.

    guess: whether to take from the springs themselves which elements are slack, or as `slackening` has left it.
    """
    cable, scheme = sys.cable[c], sys.scheme
    first, count = cable.first, cable.count
    place_ends(c, sys)
    h = scheme.step
    bed = sys.sea.bed > 0.0
    power, damped = 0.0, 0.0
    d, r = ZERO6, ZERO3
    k_bed, c_bed, s_bed, radius, weight, lift, inertia = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    p1, v1 = sys.node[first + c].position, sys.node[first + c].velocity
    for i in range(count + 1):
        node = first + c + i
        row = sys.row[node]
        d_next, r_next = ZERO6, ZERO3
        element = sys.element[first + min(i, count - 1)]
        p2, v2 = p1, v1
        if i < count:
            p2, v2 = sys.node[node + 1].position, sys.node[node + 1].velocity
            chord, latest = sys.chord[first + i], sys.spring[first + i]
            axis = subtract(p2, p1)
            span = math.sqrt(dot(axis, axis))
            axis = scale(1.0 / span, axis)
            apart = subtract(v2, v1)
            rate = dot(axis, apart)
            speed2 = dot(apart, apart)
            before, after, stretching = lengths(span, rate, speed2, scheme.drift)
            stretching -= element.growth * span / element.length
            bow = (speed2 - rate * rate) / span
            g, bias, c_axial, lossy = spring(before, after, stretching, bow, latest, element, first + i, guess, sys)
            chord.tension_g, chord.tension_bias = g, bias
            chord.damping, chord.damping_g = c_axial, lossy
            if guess:
                slack = (common(element.pushed) == NO_COMPRESSION) & (bias <= 0.0)
                chord.taut, chord.string = where(slack, 0.0, 1.0), max(0.0, latest.tension)
            slack = chord.taut == 0.0
            if any_lane(slack):
                g, bias = where(slack, (0.0, 0.0), (g, bias))
            mass_n, mass_a, slow_n, slow_a, force1, force2, drag1, drag2, given = element_loads(
                t, sys, element, node, p1, p2, v1, v2, axis, span, h
            )
            power += given
            if sys.wakes > 0:
                aside, given = vortex_lift(t, first + i, node, p1, p2, v1, v2, axis, sys)
                drag1, drag2, power = add_scaled(drag1, 0.5, aside), add_scaled(drag2, 0.5, aside), power + given
            chord.slow_across, chord.slow_along, chord.drag_first, chord.drag_last = slow_n, slow_a, drag1, drag2
            force1, force2 = add(force1, drag1), add(force2, drag2)
            across1, across2, across = mass_n + slow_n[0], mass_n + slow_n[1], slow_n[2]
            along1, along2, along = mass_a + slow_a[0], mass_a + slow_a[1], slow_a[2]
            stiff, slow, damps = string_form(chord.string / span, across1, scheme)
            damped += damps
            pull = add_scaled(scale(slow, apart), bias - slow * rate, axis)
            across1 += stiff
            across2 += stiff
            d = isotropic(symadd(d, outer_scaled(along1 + g - across1, axis)), across1)
            d_next = isotropic(outer_scaled(along2 + g - across2, axis), across2)
            b = isotropic(outer_scaled(along - across + stiff - g, axis), across - stiff)
            r = add(add(r, force1), pull)
            r_next = subtract(force2, pull)
            load1, load2 = dot(force1, axis), dot(force2, axis)
            if common(element.lump_count) > 0.0:
                masses, slowed, force1, force2, drag1, drag2, given = lump_loads(t, first + i, p1, p2, v1, v2, h, sys)
                m11, m22, m12 = add(masses, slowed)
                d, d_next, b = isotropic(d, m11), isotropic(d_next, m22), isotropic(b, m12)
                force1, force2 = add(force1, drag1), add(force2, drag2)
                r, r_next = add(r, force1), add(r_next, force2)
                power += given
                chord.slow_across, chord.slow_along = add(slow_n, slowed), add(slow_a, slowed)
                chord.drag_first, chord.drag_last = add(chord.drag_first, drag1), add(chord.drag_last, drag2)
                load1 += dot(force1, axis)
                load2 += dot(force2, axis)
                along1 += m11
                along2 += m22
                along += m12
            chord.load_along, chord.mass_along, chord.mass_shared = (load1, load2), (along1, along2), along
            row.A = general(b)
            chord.direction, chord.span, chord.rate = axis, span, stretching
        if bed:
            if i < count:
                k_bed += element.bed_stiffness
                c_bed += element.bed_damping
                s_bed += element.bed_shear
                radius = max(radius, element.radius)
                weight += element.weight
                lift += element.buoyancy
                inertia += element.mass + element.added_normal
            push, f = rest_on_bed(node, p1, v1, k_bed, c_bed, s_bed, radius, weight, lift, inertia, sys)
            d, r = symadd(d, push), add(r, f)
            k_bed, c_bed, s_bed = element.bed_stiffness, element.bed_damping, element.bed_shear
            radius = element.radius
            weight, lift = element.weight, element.buoyancy
            inertia = element.mass + element.added_normal
        row.D, row.r = d, r
        d, r = d_next, r_next
        p1, v1 = p2, v2
    if cable.bends == 1:
        bend(c, sys)
    ledger = sys.ledger
    ledger.drag += scheme.book_step * power
    ledger.element_steps += count
    ledger.element_steps_damped += damped
