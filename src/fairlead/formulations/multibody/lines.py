"""One cable element: its tension, and the loads on the line it stands for, shared by the nodes at its two ends."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, cross, dot, matvec, outer_scaled, scale, subtract, symadd
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, secants
from fairlead.rigging.bed import free_fall, pressed, touch_bed
from fairlead.sea.water import elevation, fluid, surface_rise

from .bodies import add_mass_at
from .joints import at_drum, direction_of, is_active
from .string_stiffness import hold_straight
from .tension import stretch_energy


@kernel
def near_end(j, sys):
    """Arm from the parent's origin to the near end of body j's joint, its place and its velocity, all global."""
    up = sys.record[sys.body[j].parent]
    arm = matvec(up.rotation, sys.joint[j].place)
    velocity = add(up.velocity, cross(up.spin, arm))
    return up, arm, add(up.position, arm), velocity


@kernel
def at_start(r, place, sys):
    """Where a point of record r is that would go on as it moved at the start of the step, and that velocity, global.

    place: the point in the record's own axes. Joints that all go on with their rates, as the tree of the middle of the
    step has done, lead somewhere else: by h²/8 ω²ℓ an element, which would press a load at rest into a stiff bed.
    """
    record, scheme = sys.record[r], sys.scheme
    if scheme.step == 0.0 or r < sys.bases:
        arm, w = matvec(record.rotation, place), record.spin
        velocity = add(record.velocity, cross(w, arm))
        if scheme.predicted > 0.0:
            a = add(record.acceleration, add(cross(record.alpha, arm), cross(w, cross(w, arm))))
            velocity = add_scaled(velocity, -scheme.half, a)
        return add(record.position, arm), velocity
    old = sys.old[r - sys.bases]
    arm = matvec(old.rotation, place)
    velocity = add(old.velocity, cross(old.spin, arm))
    return add_scaled(add(old.position, arm), scheme.half, velocity), velocity


@kernel
def start_spin(r, sys):
    """Spin of record r at the start of the step, global."""
    record, scheme = sys.record[r], sys.scheme
    if scheme.step == 0.0 or r < sys.bases:
        return add_scaled(record.spin, -scheme.half, record.alpha) if scheme.predicted > 0.0 else record.spin
    return sys.old[r - sys.bases].spin


@kernel
def keep_water(t, j, sys):
    """Keep the water at both ends of the element above body j, for all solutions of a step: none of them moves it."""
    body, record = sys.body[j], sys.record[sys.bases + j]
    e = body.element
    flow = sys.flow[e]
    _, _, near, _ = near_end(j, sys)
    far = record.position
    flow.surface = elevation(t, 0.5 * (near[0] + far[0]), 0.5 * (near[1] + far[1]), sys.reals)
    if e > at_drum(body.cable, sys):
        flow.near, flow.near_push = sys.flow[e - 1].far, sys.flow[e - 1].far_push
    else:
        flow.near, flow.near_push, _, _ = fluid(t, near[0], near[1], near[2], sys.reals)
    flow.far, flow.far_push, _, _ = fluid(t, far[0], far[1], far[2], sys.reals)


@kernel
def half_drag(element, length, axis, flow, v, start, sigma, half):
    """Drag on half an element at one node: secants across and along times half a step [kg], force (3), its power [W].

    F = −c(u)·(u₀ + ½h a): the secant at the middle of the step, the velocity `start` that of its start.
    """
    u = subtract(v, flow)
    along = dot(u, axis)
    part = 0.5 * sigma * length
    cn, ct = secants(
        element.drag_law, part * element.drag_normal, part * element.drag_axial, element.reynolds,
        max(0.0, dot(u, u) - along * along), along,
    )  # fmt: skip
    power = -dot(add_scaled(scale(cn, u), (ct - cn) * along, axis), v)
    u = subtract(start, flow)
    force = add_scaled(scale(-cn, u), (cn - ct) * dot(u, axis), axis)
    return half * cn, half * ct, force, power


@kernel
def carried(push, across, along, axis):
    """Force of water that accelerates by `push` on something that displaces and drags along the given masses [kg]."""
    return add_scaled(scale(across, push), (along - across) * dot(push, axis), axis)


@kernel
def shared_loads(t, j, sys):
    """Mass (6) and force (3) at the near and at the far node of the element above body j, and the water's power [W].

    Dry mass and weight are shared as the lumping says, what the water does half and half. Added mass acts on the true
    acceleration. Buoyancy is the gradient of ρgAL·Hσ²/2, H the height over which the element submerges. Water that
    accelerates by a_w under waves pushes with ½σL (ρA + A_a) a_w at each node. Beyond the work of its forces the water
    gives what the turn of an element, its wetting (σ̇) and a rising surface (η̇) change in added mass and potential.
    """
    body, record = sys.body[j], sys.record[sys.bases + j]
    _, _, p1, v1 = near_end(j, sys)
    e = body.element
    element, length = sys.element[e], sys.line[e].length
    p2, v2 = record.position, record.velocity
    axis = direction_of(record)
    rise = p2[2] - p1[2]
    height = bar_height(rise, element.diameter)
    flow = sys.flow[e]
    sigma = submergence(0.5 * (p1[2] + p2[2]) - flow.surface, height)
    near, far = element.share_near * length, element.share_far * length
    mass1, mass2 = near * element.mass, far * element.mass
    f1 = (0.0, 0.0, -near * element.weight)
    f2 = (0.0, 0.0, -far * element.weight)
    power = 0.0
    if sigma == 0.0:
        return (mass1, 0.0, 0.0, mass1, 0.0, mass1), f1, (mass2, 0.0, 0.0, mass2, 0.0, mass2), f2, power
    lift = 0.5 * sigma * length * element.buoyancy
    tilt = lift * (1.0 - sigma) * rise / height
    f1 = (0.0, 0.0, f1[2] + lift + tilt)
    f2 = (0.0, 0.0, f2[2] + lift - tilt)
    added_n = 0.5 * sigma * length * element.added_normal
    added_a = 0.5 * sigma * length * element.added_axial
    turn = scale(1.0 / sys.coordinate[body.coordinate + 2].value, subtract(v2, v1))
    turn = add_scaled(turn, -dot(turn, axis), axis)
    power -= (added_n - added_a) * (dot(v1, axis) * dot(v1, turn) + dot(v2, axis) * dot(v2, turn))
    swell = 0.0
    if sys.sea.stirred > 0.0:
        displaced = 0.5 * sigma * length * element.buoyancy / sys.sea.gravity
        push1 = carried(flow.near_push, displaced + added_n, displaced + added_a, axis)
        push2 = carried(flow.far_push, displaced + added_n, displaced + added_a, axis)
        f1, f2 = add(f1, push1), add(f2, push2)
        power += dot(push1, v1) + dot(push2, v2)
        if sys.scheme.step == 0.0 or sys.scheme.predicted > 0.0:  # what is booked
            swell = surface_rise(t, scale(0.5, add(p1, p2)), scale(0.5, add(v1, v2)), sys.reals)
            power += 2.0 * lift * swell
    if sigma < 1.0:
        wetting = (0.5 - sigma) * rise * (v2[2] - v1[2]) / height - 0.5 * (v1[2] + v2[2]) + swell
        wetting /= height
        moved = added_n * (dot(v1, v1) + dot(v2, v2))
        moved += (added_a - added_n) * (dot(v1, axis) * dot(v1, axis) + dot(v2, axis) * dot(v2, axis))
        power += 0.5 * wetting * moved / sigma
    n1, a1, n2, a2 = added_n, added_a, added_n, added_a
    if element.drag_law != NONE:
        half = sys.scheme.half
        _, start = at_start(body.parent, sys.joint[j].place, sys)
        cn, ct, drag, given = half_drag(element, length, axis, flow.near, v1, start, sigma, half)
        n1, a1, f1, power = n1 + cn, a1 + ct, add(f1, drag), power + given
        _, start = at_start(sys.bases + j, ZERO3, sys)
        cn, ct, drag, given = half_drag(element, length, axis, flow.far, v2, start, sigma, half)
        n2, a2, f2, power = n2 + cn, a2 + ct, add(f2, drag), power + given
    one = symadd(outer_scaled(a1 - n1, axis), (mass1 + n1, 0.0, 0.0, mass1 + n1, 0.0, mass1 + n1))
    two = symadd(outer_scaled(a2 - n2, axis), (mass2 + n2, 0.0, 0.0, mass2 + n2, 0.0, mass2 + n2))
    return one, f1, two, f2, power


@kernel
def touch(j, sys):
    """Seabed under a cable's node: adds to its mass and force what the contact of this moment asks for.

    Each node stands for the footprint of the element above it.
    """
    e = sys.body[j].element
    element, length = sys.element[e], sys.line[e].length
    record, kept, h = sys.record[sys.bases + j], sys.touch[j], sys.scheme.step
    place, velocity = at_start(sys.bases + j, ZERO3, sys)
    fall = free_fall(element.weight, element.buoyancy, max(element.mass + element.added_normal, 1e-300))
    matrix, force = touch_bed(
        place, velocity, element.radius, length * element.bed_stiffness, length * element.bed_damping,
        length * element.bed_shear, fall, True, kept, sys.contact[j], h, h, h * h, 0.5 * h, sys,
    )  # fmt: skip
    if kept.active > 0.5:
        add_mass_at(record, matrix, force, ZERO3, ZERO3)


@kernel
def pushed(j, sys):
    """Keep the push of the bed on a node after a solution and book the power of friction.

    Returns the power of the bed's damping [W], whose force is that of the end of the step, −c (ġ + ½h g̈).
    """
    kept, record = sys.touch[j], sys.record[sys.bases + j]
    kept.push, kept.press = ZERO3, 0.0
    if kept.active == 0.0:
        return 0.0
    n = kept.normal
    normal, friction, across = pressed(kept, record.acceleration)
    kept.press = max(0.0, normal)
    kept.push = add_scaled(friction, kept.press, n)
    sys.power.friction += dot(friction, record.velocity)
    if kept.press == 0.0:
        return 0.0
    e, rate = sys.body[j].element, dot(n, record.velocity)
    damper = sys.line[e].length * sys.element[e].bed_damping
    return -damper * (rate + sys.scheme.half * across) * rate


@kernel
def push_all(sys):
    """Keep the push of the bed on all nodes after a solution; returns the power of its damping [W]."""
    damped = 0.0
    if sys.sea.bed > 0.0:
        for j in range(sys.bodies):
            body = sys.body[j]
            if body.element >= 0 and is_active(body, sys):
                damped += pushed(j, sys)
    return damped


@kernel
def load_element(t, j, sys):
    """Give the line of the element above body j to the bodies at its two ends."""
    m1, f1, m2, f2, power = shared_loads(t, j, sys)
    up, arm, _, _ = near_end(j, sys)
    add_mass_at(up, m1, f1, up.spin, arm)
    add_mass_at(sys.record[sys.bases + j], m2, f2, ZERO3, ZERO3)
    hold_straight(j, m1, m2, sys)
    sys.power.drag += power
    if sys.sea.bed > 0.0:
        touch(j, sys)


@kernel
def line_energies(t, j, sys):
    """Kinetic energy with added mass, gravity potential with buoyancy and elastic energy [J] of the element above body
    j."""
    record, e = sys.record[sys.bases + j], sys.body[j].element
    _, _, p1, v1 = near_end(j, sys)
    element, length = sys.element[e], sys.line[e].length
    p2, v2 = record.position, record.velocity
    axis = direction_of(record)
    height = bar_height(p2[2] - p1[2], element.diameter)
    z = 0.5 * (p1[2] + p2[2]) - elevation(t, 0.5 * (p1[0] + p2[0]), 0.5 * (p1[1] + p2[1]), sys.reals)
    near, far = element.share_near * length, element.share_far * length
    part = 0.5 * submergence(z, height) * length
    s1, s2, both = dot(v1, axis), dot(v2, axis), dot(v1, v1) + dot(v2, v2)
    added_n, added_a = part * element.added_normal, part * element.added_axial
    kinetic = element.mass * (near * dot(v1, v1) + far * dot(v2, v2))
    kinetic += added_n * both + (added_a - added_n) * (s1 * s1 + s2 * s2)
    gravity = element.weight * (near * p1[2] + far * p2[2])
    stretched = stretch_energy(sys.coordinate[sys.body[j].coordinate + 2].value, length, element, sys)
    return 0.5 * kinetic, gravity + buoyancy_energy(length * element.buoyancy, z, height), stretched
