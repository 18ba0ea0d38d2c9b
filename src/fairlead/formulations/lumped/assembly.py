"""The equations of a cable's nodes: block rows of 3×3 with the next node and, where it bends, the one after.

Row i of M a = r reads  A_{i−1}ᵀ a_{i−1} + D_i a_i + A_i a_{i+1}  (+ C_{i−2}ᵀ a_{i−2} + C_i a_{i+2} with bending).
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, outer_scaled, scale, subtract, symadd
from fairlead.loads.seabed_contact import bed_push
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    ACTIVE, ADDED_NORMAL, BED_C, BED_DAMPING, BED_K, BED_KS, BED_SHEAR, BED_STIFFNESS, BUOYANCY, CABLE_BENDS,
    CABLE_COUNT, CABLE_FIRST, DAMPING, DAMPING_G, DIRECTION, ELEMENT_STEPS, ELEMENT_STEPS_DAMPED, FRICTION, GROWTH,
    LENGTH, LOAD_ALONG, LUMP_COUNT, MASS, MASS_ALONG, MASS_SHARED, NODE_A, NODE_D, NODE_R, NORMAL_BIAS, NORMAL_G,
    NO_COMPRESSION, PUSHED, RADIUS, RATE, SHEAR_G, SPAN, TAUT, TENSION_BIAS, TENSION_G, WEIGHT, WORK_DRAG, Y_LEDGER,
    Y_STRAINING, Y_TENSION, cable_at, contact_at, element_at, element_work_at, is_attached, memory_at, node_state_at,
    node_work_at, put, put_symmetric, vector_of,
)  # fmt: skip
from .bending import bend
from .element import element_loads, lump_loads, spring
from .ends import ZERO3, place_end
from .scheme import BOOK_STEP, D_PER_K, DRIFT, G_PER_C, G_PER_K, STEP, string_form

ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def isotropic(m, b):
    """M + b·1 of a symmetric matrix."""
    return (m[0] + b, m[1], m[2], m[3] + b, m[4], m[5] + b)


@kernel
def rest_on_bed(i, place, velocity, k, c, ks, radius, fall, ints, reals, y, work):
    """Contact of node i: what it adds to the node's matrix and force; the rest is kept for after the solve.

    A node that an anchor holds at the bed (a remembered force of HELD) is no contact.
    """
    kept = contact_at(ints, i)
    if y[memory_at(ints, i) + 3] < 0.0:
        work[kept + ACTIVE] = 0.0
        return ZERO6, ZERO3
    active, g, bias, shear, friction = bed_push(
        reals, radius, k, c, ks, fall, place, velocity, y, memory_at(ints, i), work[STEP], work[G_PER_C],
        work[G_PER_K], work[D_PER_K],
    )  # fmt: skip
    work[kept + ACTIVE] = 1.0 if active else 0.0
    work[kept + BED_KS] = ks
    if not active:
        return ZERO6, ZERO3
    work[kept + NORMAL_G], work[kept + NORMAL_BIAS], work[kept + SHEAR_G] = g, bias, shear
    work[kept + BED_K], work[kept + BED_C] = k, c
    put(work, kept + FRICTION, friction)
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    return isotropic(outer_scaled(g - shear, n), shear), add_scaled(friction, -bias, n)


@kernel
def lengths(span, rate, speed2, work):
    """Length of an element at the start of the step and, if nothing accelerates, at its end; its mean rate.

    `span` and `rate` are those in the middle of the step, `speed2` the square of its nodes' relative velocity: with the
    vector d there and the velocity u, l² = |d|² ± h d·u + ¼h²|u|².
    """
    half = work[DRIFT]
    turn = 2.0 * span * rate
    middle = span * span + half * half * speed2
    before, after = math.sqrt(middle - half * turn), math.sqrt(middle + half * turn)
    return before, after, turn / (before + after)


@kernel
def assemble(c, t, guess, ints, reals, y, work):
    """Fill the rows of cable c: springs, inertia, weight, water and seabed; keep what the tensions follow from.

    guess: whether to take from the springs themselves which elements are slack, or as `slackening` has left it.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    for end in range(2 * c, 2 * c + 2):
        if is_attached(y, ints, end):
            place_end(end, ints, reals, y, work)
    h = work[STEP]
    bed = reals[BED_PRESENT] > 0.0
    power, damped = 0.0, 0.0
    d, r = ZERO6, ZERO3
    k_bed, c_bed, s_bed, radius, weight, inertia = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    state = node_state_at(ints, first + c)
    p1, v1 = vector_of(y, state), vector_of(y, state + 3)
    for i in range(count + 1):
        node = first + c + i
        row = node_work_at(ints, node)
        d_next, r_next = ZERO6, ZERO3
        element = element_at(ints, first + min(i, count - 1))
        p2, v2 = p1, v1
        if i < count:
            state = node_state_at(ints, node + 1)
            p2, v2 = vector_of(y, state), vector_of(y, state + 3)
            axis = subtract(p2, p1)
            span = math.sqrt(dot(axis, axis))
            axis = scale(1.0 / span, axis)
            apart = subtract(v2, v1)
            rate = dot(axis, apart)
            speed2 = dot(apart, apart)
            before, after, stretching = lengths(span, rate, speed2, work)
            stretching -= reals[element + GROWTH] * span / reals[element + LENGTH]
            straining = y[ints[Y_STRAINING] + first + i]
            bow = (speed2 - rate * rate) / span
            g, bias, c_axial, lossy = spring(before, after, stretching, bow, straining, ints, reals, element, work)
            kept = element_work_at(ints, first + i)
            work[kept + TENSION_G], work[kept + TENSION_BIAS] = g, bias
            work[kept + DAMPING], work[kept + DAMPING_G] = c_axial, lossy
            if guess:
                work[kept + TAUT] = 0.0 if reals[element + PUSHED] == NO_COMPRESSION and bias <= 0.0 else 1.0
            if work[kept + TAUT] == 0.0:
                g, bias = 0.0, 0.0
            across1, along1, across2, along2, across, along, force1, force2, given = element_loads(
                t, reals, element, p1, p2, v1, v2, axis, span, h
            )
            power += given
            string = max(0.0, y[ints[Y_TENSION] + first + i]) / span
            stiff, slow, is_damped = string_form(string, across1, work)
            if is_damped:
                damped += 1.0
            pull = add_scaled(scale(slow, apart), bias - slow * rate, axis)
            across1 += stiff
            across2 += stiff
            d = isotropic(symadd(d, outer_scaled(along1 + g - across1, axis)), across1)
            d_next = isotropic(outer_scaled(along2 + g - across2, axis), across2)
            b = isotropic(outer_scaled(along - across + stiff - g, axis), across - stiff)
            r = add(add(r, force1), pull)
            r_next = subtract(force2, pull)
            work[kept + LOAD_ALONG], work[kept + LOAD_ALONG + 1] = dot(force1, axis), dot(force2, axis)
            work[kept + MASS_ALONG], work[kept + MASS_ALONG + 1], work[kept + MASS_SHARED] = along1, along2, along
            if reals[element + LUMP_COUNT] > 0.0:
                m11, m12, m22, force1, force2, given = lump_loads(t, ints, reals, element, p1, p2, v1, v2, h)
                d, d_next, b = isotropic(d, m11), isotropic(d_next, m22), isotropic(b, m12)
                r, r_next = add(r, force1), add(r_next, force2)
                power += given
                work[kept + LOAD_ALONG] += dot(force1, axis)
                work[kept + LOAD_ALONG + 1] += dot(force2, axis)
                work[kept + MASS_ALONG] += m11
                work[kept + MASS_ALONG + 1] += m22
                work[kept + MASS_SHARED] += m12
            a = row + NODE_A
            work[a], work[a + 1], work[a + 2] = b[0], b[1], b[2]
            work[a + 3], work[a + 4], work[a + 5] = b[1], b[3], b[4]
            work[a + 6], work[a + 7], work[a + 8] = b[2], b[4], b[5]
            put(work, kept + DIRECTION, axis)
            work[kept + SPAN], work[kept + RATE] = span, stretching
        if bed:
            if i < count:
                k_bed += reals[element + BED_STIFFNESS]
                c_bed += reals[element + BED_DAMPING]
                s_bed += reals[element + BED_SHEAR]
                radius = max(radius, reals[element + RADIUS])
                weight += reals[element + WEIGHT] - reals[element + BUOYANCY]
                inertia += reals[element + MASS] + reals[element + ADDED_NORMAL]
            fall = min(0.0, -reals[BED_Z] * weight / inertia)
            push, f = rest_on_bed(node, p1, v1, k_bed, c_bed, s_bed, radius, fall, ints, reals, y, work)
            d, r = symadd(d, push), add(r, f)
            k_bed, c_bed, s_bed = (
                reals[element + BED_STIFFNESS], reals[element + BED_DAMPING], reals[element + BED_SHEAR],
            )  # fmt: skip
            radius = reals[element + RADIUS]
            weight = reals[element + WEIGHT] - reals[element + BUOYANCY]
            inertia = reals[element + MASS] + reals[element + ADDED_NORMAL]
        put_symmetric(work, row + NODE_D, d)
        put(work, row + NODE_R, r)
        d, r = d_next, r_next
        p1, v1 = p2, v2
    if ints[cable + CABLE_BENDS] == 1:
        bend(c, ints, reals, y, work)
    ledger = ints[Y_LEDGER]
    y[ledger + WORK_DRAG] += work[BOOK_STEP] * power
    y[ledger + ELEMENT_STEPS] += count
    y[ledger + ELEMENT_STEPS_DAMPED] += damped
