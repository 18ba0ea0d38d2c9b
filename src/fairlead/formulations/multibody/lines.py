"""One cable element: its tension, and the loads on the line it stands for, shared by the nodes at its two ends."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, outer_scaled, scale, subtract, symadd
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, axial_secant, normal_secant
from fairlead.loads.seabed_contact import bed_push
from fairlead.sea.water import (
    BED_PRESENT, BED_X, BED_Y, BED_Z, GRAVITY, WAVE_COUNT, elevation, fluid, surface_rise,
)  # fmt: skip

from .arrays import (
    ACCELERATION, ACTIVE, ADDED_AXIAL, ADDED_NORMAL, AT_Q, AXES, BED_DAMPING, BED_SHEAR, BED_STIFFNESS, BODY_CABLE,
    BUOYANCY, CABLE_ELEMENT, CLIP, CONTACT_KEPT, DAMPING_TIME, DIAMETER, DRAG_AXIAL, DRAG_LAW, DRAG_NORMAL, ELEMENT,
    FAR_FLOW, FRICTION, HALF, LINE_MASS, NEAR_FLOW, NORMAL_BIAS, NORMAL_G, N_BASES, N_BODIES, PAPER, PARENT, PLACE,
    POSITION, POWER_DRAG, POWER_FRICTION, PREDICTED, PUSH, RADIUS, REYNOLDS, ROTATION, SHARE_FAR, SHARE_NEAR,
    SHEAR_G, SLACK, SPIN, STEP, STIFFNESS, SURFACE, VELOCITY, WATER_KEPT, WEIGHT, W_CONTACT, Y_CONTACT, Y_LENGTH,
    ZERO3, body_at, cable_at, constants_at, element_at, first_active, is_active, matrix_of, put, record_at,
    vector_of, water_at,
)  # fmt: skip
from .bodies import add_mass_at


@kernel
def tension_parts(span, rate, length, length_rate, reals, element):
    """Elastic and damping part of the tension [N] of an element `span` long, whose unstretched length changes.

    T = EA (ℓ/L − 1) + EA τ (ℓ̇ − L̇ ℓ/L)/L, the rate being that of the strain (Guillaume et al., Eqs. 7 and 12, lack
    ℓ/L).
    """
    stiffness = reals[element + STIFFNESS]
    damping = reals[element + DAMPING_TIME] * stiffness * (rate - length_rate * span / length) / length
    return stiffness * (span / length - 1.0), damping


@kernel
def tension_law(span, rate, ahead, change, held, length, length_rate, ints, reals, element):
    """Tension [N], stiffness [N/m] and damping [N s/m] of an element; a slack one has less of them, or none.

    ahead    time from the start of the step at which the tension is taken; 0 for that of a moment
    change   acceleration of its length in a first solution of the step: tells whether it will be slack there
    held     whether it is to count as taut whatever comes, since it is so at the start and nothing more is known

    Judged by its velocity alone, a stiff element would count as slack at every second step and never come to rest.
    """
    elastic, damping = tension_parts(span, rate, length, length_rate, reals, element)
    k = reals[element + STIFFNESS] / length
    c = reals[element + DAMPING_TIME] * k
    stretched = elastic + ahead * ahead * k * change
    if ints[SLACK] == CLIP and not held and not stretched + damping + ahead * c * change > 0.0:
        return 0.0, 0.0, 0.0
    if ints[SLACK] == PAPER and not held and stretched < 0.0:
        return damping, 0.0, c
    return elastic + damping, k, c


@kernel
def near_end(j, body, ints, reals, work):
    """Arm from the parent's origin to the near end of body j's joint, its place and its velocity, all global."""
    up = record_at(ints, ints[body + PARENT])
    arm = matvec(matrix_of(work, up + ROTATION), vector_of(reals, constants_at(ints, j) + PLACE))
    velocity = add(vector_of(work, up + VELOCITY), cross(vector_of(work, up + SPIN), arm))
    return up, arm, add(vector_of(work, up + POSITION), arm), velocity


@kernel
def predicted_change(record, arm, work):
    """Change of velocity, half a step old, that a first solution of the step has put into the velocities."""
    if work[PREDICTED] == 0.0:
        return ZERO3
    w = vector_of(work, record + SPIN)
    a = add(vector_of(work, record + ACCELERATION), cross(vector_of(work, record + ACCELERATION + 3), arm))
    return scale(work[HALF], add(a, cross(w, cross(w, arm))))


@kernel
def keep_water(t, j, ints, reals, y, work):
    """Keep the water at both ends of the element above body j, for all solutions of a step: none of them moves it."""
    body, record = body_at(ints, j), record_at(ints, ints[N_BASES] + j)
    e = ints[body + ELEMENT]
    c, kept = ints[body + BODY_CABLE], water_at(ints, e)
    _, _, near, _ = near_end(j, body, ints, reals, work)
    far = vector_of(work, record + POSITION)
    work[kept + SURFACE] = elevation(t, 0.5 * (near[0] + far[0]), 0.5 * (near[1] + far[1]), reals)
    if e > ints[cable_at(ints, c) + CABLE_ELEMENT] + first_active(ints, y, c):
        for k in range(6):
            work[kept + NEAR_FLOW + k] = work[kept - WATER_KEPT + FAR_FLOW + k]
    else:
        flow, push, _, _ = fluid(t, near[0], near[1], near[2], reals)
        put(work, kept + NEAR_FLOW, flow)
        put(work, kept + NEAR_FLOW + 3, push)
    flow, push, _, _ = fluid(t, far[0], far[1], far[2], reals)
    put(work, kept + FAR_FLOW, flow)
    put(work, kept + FAR_FLOW + 3, push)


@kernel
def half_drag(element, length, axis, flow, v, change, sigma, reals, half):
    """Drag on half an element at one node: secants across and along times half a step [kg], force (3), its power [W].

    F = −c(u)·(u − Δ + ½h a): the secant at the middle of the step, the velocity from its start, Δ = `change`.
    """
    law = reals[element + DRAG_LAW]
    u = subtract(v, flow)
    along = dot(u, axis)
    speed2 = dot(u, u)
    reynolds = reals[element + REYNOLDS]
    part = 0.5 * sigma * length
    cn = normal_secant(law, part * reals[element + DRAG_NORMAL], math.sqrt(max(0.0, speed2 - along * along)), reynolds)
    ct = axial_secant(law, part * reals[element + DRAG_AXIAL], abs(along), math.sqrt(speed2), reynolds)
    power = -dot(add_scaled(scale(cn, u), (ct - cn) * along, axis), v)
    u = subtract(u, change)
    force = add_scaled(scale(-cn, u), (cn - ct) * dot(u, axis), axis)
    return half * cn, half * ct, force, power


@kernel
def carried(push, across, along, axis):
    """Force of water that accelerates by `push` on something that displaces and drags along the given masses [kg]."""
    return add_scaled(scale(across, push), (along - across) * dot(push, axis), axis)


@kernel
def shared_loads(t, j, body, ints, reals, y, work):
    """Mass (6) and force (3) at the near and at the far node of the element above body j, and the water's power [W].

    Dry mass and weight are shared as the lumping says, what the water does half and half. Added mass acts on the true
    acceleration. Buoyancy is the gradient of ρgAL·Hσ²/2, H the height over which the element submerges. Water that
    accelerates by a_w under waves pushes with ½σL (ρA + A_a) a_w at each node. Beyond the work of its forces the water
    gives what the turn of an element, its wetting (σ̇) and a rising surface (η̇) change in added mass and potential.
    """
    record = record_at(ints, ints[N_BASES] + j)
    up, arm, p1, v1 = near_end(j, body, ints, reals, work)
    e = ints[body + ELEMENT]
    element, length = element_at(ints, e), y[ints[Y_LENGTH] + e]
    p2, v2 = vector_of(work, record + POSITION), vector_of(work, record + VELOCITY)
    axis = vector_of(work, record + AXES + 12)
    rise = p2[2] - p1[2]
    height = bar_height(rise, reals[element + DIAMETER])
    kept = water_at(ints, e)
    sigma = submergence(0.5 * (p1[2] + p2[2]) - work[kept + SURFACE], height)
    near, far = reals[element + SHARE_NEAR] * length, reals[element + SHARE_FAR] * length
    mass1, mass2 = near * reals[element + LINE_MASS], far * reals[element + LINE_MASS]
    f1 = (0.0, 0.0, -near * reals[element + WEIGHT])
    f2 = (0.0, 0.0, -far * reals[element + WEIGHT])
    power = 0.0
    if sigma == 0.0:
        return (mass1, 0.0, 0.0, mass1, 0.0, mass1), f1, (mass2, 0.0, 0.0, mass2, 0.0, mass2), f2, power
    lift = 0.5 * sigma * length * reals[element + BUOYANCY]
    tilt = lift * (1.0 - sigma) * rise / height
    f1 = (0.0, 0.0, f1[2] + lift + tilt)
    f2 = (0.0, 0.0, f2[2] + lift - tilt)
    added_n = 0.5 * sigma * length * reals[element + ADDED_NORMAL]
    added_a = 0.5 * sigma * length * reals[element + ADDED_AXIAL]
    turn = scale(1.0 / y[ints[body + AT_Q] + 2], subtract(v2, v1))
    turn = add_scaled(turn, -dot(turn, axis), axis)
    power -= (added_n - added_a) * (dot(v1, axis) * dot(v1, turn) + dot(v2, axis) * dot(v2, turn))
    swell = 0.0
    if reals[WAVE_COUNT] > 0.0:
        displaced = 0.5 * sigma * length * reals[element + BUOYANCY] / reals[GRAVITY]
        push1 = carried(vector_of(work, kept + NEAR_FLOW + 3), displaced + added_n, displaced + added_a, axis)
        push2 = carried(vector_of(work, kept + FAR_FLOW + 3), displaced + added_n, displaced + added_a, axis)
        f1, f2 = add(f1, push1), add(f2, push2)
        power += dot(push1, v1) + dot(push2, v2)
        if work[STEP] == 0.0 or work[PREDICTED] > 0.0:  # what is booked
            swell = surface_rise(t, scale(0.5, add(p1, p2)), scale(0.5, add(v1, v2)), reals)
            power += 2.0 * lift * swell
    if sigma < 1.0:
        wetting = (0.5 - sigma) * rise * (v2[2] - v1[2]) / height - 0.5 * (v1[2] + v2[2]) + swell
        wetting /= height
        moved = added_n * (dot(v1, v1) + dot(v2, v2))
        moved += (added_a - added_n) * (dot(v1, axis) * dot(v1, axis) + dot(v2, axis) * dot(v2, axis))
        power += 0.5 * wetting * moved / sigma
    n1, a1, n2, a2 = added_n, added_a, added_n, added_a
    if reals[element + DRAG_LAW] != NONE:
        flow1, flow2 = vector_of(work, kept + NEAR_FLOW), vector_of(work, kept + FAR_FLOW)
        cn, ct, drag, given = half_drag(
            element, length, axis, flow1, v1, predicted_change(up, arm, work), sigma, reals, work[HALF]
        )
        n1, a1, f1, power = n1 + cn, a1 + ct, add(f1, drag), power + given
        cn, ct, drag, given = half_drag(
            element, length, axis, flow2, v2, predicted_change(record, ZERO3, work), sigma, reals, work[HALF]
        )
        n2, a2, f2, power = n2 + cn, a2 + ct, add(f2, drag), power + given
    one = symadd(outer_scaled(a1 - n1, axis), (mass1 + n1, 0.0, 0.0, mass1 + n1, 0.0, mass1 + n1))
    two = symadd(outer_scaled(a2 - n2, axis), (mass2 + n2, 0.0, 0.0, mass2 + n2, 0.0, mass2 + n2))
    return one, f1, two, f2, power


@kernel
def touch(j, body, ints, reals, y, work):
    """Seabed under a cable's node: adds to its mass and force what the contact of this moment asks for.

    Each node stands for the footprint of the element above it.
    """
    e = ints[body + ELEMENT]
    element, length = element_at(ints, e), y[ints[Y_LENGTH] + e]
    record, kept, memory = record_at(ints, ints[N_BASES] + j), contact_at(ints, j), ints[Y_CONTACT] + 4 * j
    k, c = length * reals[element + BED_STIFFNESS], length * reals[element + BED_DAMPING]
    ks = length * reals[element + BED_SHEAR]
    h = work[STEP]
    place = vector_of(work, record + POSITION)
    velocity = subtract(vector_of(work, record + VELOCITY), predicted_change(record, ZERO3, work))
    fall = -reals[element + WEIGHT] / max(reals[element + LINE_MASS], 1e-300)
    active, g, bias, shear, friction = bed_push(
        reals, reals[element + RADIUS], k, c, ks, fall, place, velocity, y, memory, h, h, h * h, 0.5 * h
    )
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    work[kept + ACTIVE], work[kept + NORMAL_G] = (1.0 if active else 0.0), g
    work[kept + NORMAL_BIAS], work[kept + SHEAR_G] = bias, shear
    put(work, kept + FRICTION, friction)
    if active:
        matrix = symadd(outer_scaled(g - shear, n), (shear, 0.0, 0.0, shear, 0.0, shear))
        add_mass_at(work, record, matrix, add_scaled(friction, -bias, n), ZERO3, ZERO3)


@kernel
def contact_at(ints, j):
    """Where what is kept of the contact of body j begins in `work`."""
    return ints[W_CONTACT] + CONTACT_KEPT * j


@kernel
def pushed(j, ints, reals, y, work):
    """Keep the push of the bed on a node after a solution, book the power of friction; its normal part [N].

    Also returned: the power of the bed's damping [W], whose force is that of the end of the step, −c (ġ + ½h g̈).
    """
    kept, record = contact_at(ints, j), record_at(ints, ints[N_BASES] + j)
    if work[kept + ACTIVE] == 0.0:
        put(work, kept + PUSH, ZERO3)
        return 0.0, 0.0
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    a = vector_of(work, record + ACCELERATION)
    normal = max(0.0, -(work[kept + NORMAL_BIAS] + work[kept + NORMAL_G] * dot(n, a)))
    across = add_scaled(a, -dot(n, a), n)
    friction = add_scaled(vector_of(work, kept + FRICTION), -work[kept + SHEAR_G], across)
    put(work, kept + PUSH, add_scaled(friction, normal, n))
    velocity = vector_of(work, record + VELOCITY)
    work[POWER_FRICTION] += dot(friction, velocity)
    if normal == 0.0:
        return 0.0, 0.0
    e, rate = ints[body_at(ints, j) + ELEMENT], dot(n, velocity)
    damper = y[ints[Y_LENGTH] + e] * reals[element_at(ints, e) + BED_DAMPING]
    return normal, -damper * (rate + work[HALF] * dot(n, a)) * rate


@kernel
def push_all(ints, reals, y, work):
    """Keep the push of the bed on all nodes after a solution; returns the power of its damping [W]."""
    damped = 0.0
    if reals[BED_PRESENT] > 0.0:
        for j in range(ints[N_BODIES]):
            body = body_at(ints, j)
            if ints[body + ELEMENT] >= 0 and is_active(ints, y, body):
                _, power = pushed(j, ints, reals, y, work)
                damped += power
    return damped


@kernel
def load_element(t, j, ints, reals, y, work):
    """Give the line of the element above body j to the bodies at its two ends."""
    body = body_at(ints, j)
    m1, f1, m2, f2, power = shared_loads(t, j, body, ints, reals, y, work)
    up, arm, _, _ = near_end(j, body, ints, reals, work)
    record = record_at(ints, ints[N_BASES] + j)
    add_mass_at(work, up, m1, f1, vector_of(work, up + SPIN), arm)
    add_mass_at(work, record, m2, f2, ZERO3, ZERO3)
    work[POWER_DRAG] += power
    if reals[BED_PRESENT] > 0.0:
        touch(j, body, ints, reals, y, work)


@kernel
def line_energies(t, j, ints, reals, y, work):
    """Kinetic energy with added mass and gravity potential with buoyancy [J] of the element above body j."""
    body, record = body_at(ints, j), record_at(ints, ints[N_BASES] + j)
    _, _, p1, v1 = near_end(j, body, ints, reals, work)
    e = ints[body + ELEMENT]
    element, length = element_at(ints, e), y[ints[Y_LENGTH] + e]
    p2, v2 = vector_of(work, record + POSITION), vector_of(work, record + VELOCITY)
    axis = vector_of(work, record + AXES + 12)
    height = bar_height(p2[2] - p1[2], reals[element + DIAMETER])
    z = 0.5 * (p1[2] + p2[2]) - elevation(t, 0.5 * (p1[0] + p2[0]), 0.5 * (p1[1] + p2[1]), reals)
    near, far = reals[element + SHARE_NEAR] * length, reals[element + SHARE_FAR] * length
    part = 0.5 * submergence(z, height) * length
    s1, s2, both = dot(v1, axis), dot(v2, axis), dot(v1, v1) + dot(v2, v2)
    added_n, added_a = part * reals[element + ADDED_NORMAL], part * reals[element + ADDED_AXIAL]
    kinetic = reals[element + LINE_MASS] * (near * dot(v1, v1) + far * dot(v2, v2))
    kinetic += added_n * both + (added_a - added_n) * (s1 * s1 + s2 * s2)
    gravity = reals[element + WEIGHT] * (near * p1[2] + far * p2[2])
    return 0.5 * kinetic, gravity + buoyancy_energy(length * reals[element + BUOYANCY], z, height)


@kernel
def stretch_energy(span, length, ints, reals, element):
    """Elastic energy of an element [J]: ½EA (ℓ − L)²/L, none where it is slack."""
    more = span - length
    if more < 0.0 and ints[SLACK] <= PAPER:
        return 0.0
    return 0.5 * reals[element + STIFFNESS] * more * more / length
