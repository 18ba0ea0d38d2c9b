"""The implicit energy–momentum midpoint rule, one cable after the other.

M(v₁ − v₀)/h = F and (v₀ + v₁)/2 = (x₁ − x₀)/h, with the forces of the mean state: EA(ε₀ + ε₁)/(s₀ + s₁) on the gradient
of e there, which is exact since e is quadratic and U = ½EA h ε² with s² = 1 + 2e, ε = s − 1; bending is linear; the
twist's gradient is corrected along the step (Gonzalez), so that what the cable stores and what it is given balance to
rounding. Positions, curvatures and the multipliers of A C = D r + b are the unknowns, nine a node, so that Newton's
matrix is banded.

Nodes i are counted through all cables, as everywhere; `n` counts them along the cable, as matrix and right side do.
"""

from __future__ import annotations

from fairlead.algebra.banded import clear, solve, unit_row, width
from fairlead.algebra.compiled import kernel
from fairlead.algebra.cubic_spline import OTHER, OWN
from fairlead.algebra.frame_twist import FLAT
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale, subtract
from fairlead.rigging.commands import follow_all
from fairlead.rigging.point_loads import load_of
from fairlead.sea.water import bed_normal

from .curve import curvatures, slope
from .element import elongation, mean_strain, strain_by_curvature, stretch
from .forces import FRAME, NEWTON, OK, RANGE, gain, node_tangent, twist, twist_of_curve
from .schema import FREE, HALF, SHAPES
from .sea_loads import added_inertia, added_masses, bed_energy, bed_step, water_energy, water_loads
from .verlet import SPEED_LIMIT, held_state, remember_bed

MOST_ITERATIONS = 40
CLOSE = 1e-10
"""Last move of Newton's method, in lengths of the shortest element."""

PATIENT = 12
"""Iterations after which moves are halved: nodes may touch, leave, stick and slip in turns."""


@kernel
def mass_share(a, b, h, lumped):
    """∫ f_a f_b ds of the four shape functions, in the order r₀, C₀, r₁, C₁; lumped: half the length at each node."""
    if lumped:
        return 0.5 * h if a == b and a % 2 == 0 else 0.0
    same = a // 2 == b // 2
    if a % 2 == 0 and b % 2 == 0:
        return h / 3.0 if same else h / 6.0
    if a % 2 == 1 and b % 2 == 1:
        return h**5 * (2.0 / 945.0 if same else 31.0 / 15120.0)
    return h**3 * (-1.0 / 45.0 if same else -7.0 / 360.0)


@kernel
def local_index(n, a):
    """Place among the unknowns of shape function a of the element that begins at node n of the cable."""
    return 9 * (n + a // 2) + 3 * (a % 2)


@kernel
def entry_at(row, column, sys):
    """Where an entry of the matrix stands."""
    return sys.matrix.start + row * width(HALF, HALF) + column - row + HALF


@kernel
def add_unit(row, column, f, sys):
    """Add f times the unit 3 × 3 matrix."""
    for k in range(3):
        sys.work[entry_at(row + k, column + k, sys)] += f


@kernel
def add_outer(row, column, f, a, b, sys):
    """Add f a bᵀ."""
    for j in range(3):
        at, g = entry_at(row + j, column, sys), f * a[j]
        for k in range(3):
            sys.work[at + k] += g * b[k]


@kernel
def onto(n, a, f, vector, sys):
    """Right side of shape function a of the element that begins at node n of the cable: += f·vector."""
    move = sys.move[n + a // 2]
    if a % 2 == 0:
        move.position = add_scaled(move.position, f, vector)
    else:
        move.curvature = add_scaled(move.curvature, f, vector)


@kernel
def strain_gradients(d0, c00, c01, d1, c10, c11, h, sys):
    """Gradients of an element's mean strain by its shape functions, of its mean and its last shape."""
    for a in range(SHAPES):
        gradient = sys.gradient[a]
        if a % 2 == 0:
            sign = -1.0 if a == 0 else 1.0
            gradient.mean, gradient.last = scale(sign / h, d0), scale(sign / h, d1)
        elif a == 1:
            gradient.mean, gradient.last = strain_by_curvature(c00, c01, h), strain_by_curvature(c10, c11, h)
        else:
            gradient.mean, gradient.last = strain_by_curvature(c01, c00, h), strain_by_curvature(c11, c10, h)


@kernel
def inertia_rows(i, n, h, element, sys):
    """Inertia of an element: m(2(q₁ − q₀)/h² − 2 q̇₀/h)."""
    for b in range(SHAPES):
        k = i + b // 2
        if b % 2 == 0:
            moved, speed = subtract(sys.position[k].xyz, sys.old_position[k].xyz), sys.velocity[k].xyz
        else:
            moved, speed = subtract(sys.curvature[k].xyz, sys.old_curvature[k].xyz), sys.rate[k].xyz
        inertia = add_scaled(scale(2.0 / (h * h), moved), -2.0 / h, speed)
        for a in range(SHAPES):
            m = element.mass * mass_share(a, b, element.length, sys.lumped == 1)
            if m != 0.0:
                onto(n, a, -m, inertia, sys)
                add_unit(local_index(n, a), local_index(n, b), 2.0 * m / (h * h), sys)


@kernel
def element_rows(c, i, h, sys):
    """Inertia, stretching, bending and continuity of the element that begins at node i: residual and matrix.

    Returns its power of damping.
    """
    element, n = sys.element[i - c], i - sys.cable[c].first
    length, ea, ei = element.length, element.ea, element.ei
    inertia_rows(i, n, h, element, sys)

    p0, p1 = sys.old_curvature[i].xyz, sys.old_curvature[i + 1].xyz
    q0, q1 = sys.curvature[i].xyz, sys.curvature[i + 1].xyz
    d0, d1 = slope(sys.old_position, i, length), slope(sys.position, i, length)
    e0, e1 = mean_strain(d0, p0, p1, length), mean_strain(d1, q0, q1, length)
    m0, m1 = scale(0.5, add(p0, q0)), scale(0.5, add(p1, q1))
    strain_gradients(scale(0.5, add(d0, d1)), m0, m1, d1, q0, q1, length, sys)
    swift = (e1 - e0) / h
    s0, s1, square = stretch(e0), stretch(e1), 1.0 + e0 + e1
    slow = ea * element.time_axial * swift / square
    tension = ea * (elongation(e0) + elongation(e1)) / (s0 + s1) + slow
    sys.tension[i - c].value = tension
    stiff = 2.0 * ea / (s1 * (s0 + s1) * (s0 + s1)) + ea * element.time_axial / (h * square) - slow / square
    stiff *= length
    for a in range(SHAPES):
        row = local_index(n, a)
        onto(n, a, -tension * length, sys.gradient[a].mean, sys)
        for b in range(SHAPES):
            column = local_index(n, b)
            add_outer(row, column, stiff, sys.gradient[a].mean, sys.gradient[b].last, sys)
            if a % 2 == 0 and b % 2 == 0:
                add_unit(row, column, 0.5 * tension / length * (1.0 if a == b else -1.0), sys)
            elif a % 2 == 1 and b % 2 == 1:
                add_unit(row, column, 0.5 * tension * length**3 * (OWN if a == b else OTHER), sys)

    time, bend = element.time_bending, ei * length / 6.0
    r0, r1 = scale(1.0 / h, subtract(q0, p0)), scale(1.0 / h, subtract(q1, p1))
    b0, b1 = add_scaled(m0, time, r0), add_scaled(m1, time, r1)
    start, end = local_index(n, 1), local_index(n, 3)
    onto(n, 1, -bend, add(scale(2.0, b0), b1), sys)
    onto(n, 3, -bend, add(b0, scale(2.0, b1)), sys)
    f = bend * (0.5 + time / h)
    add_unit(start, start, 2.0 * f, sys)
    add_unit(end, end, 2.0 * f, sys)
    add_unit(start, end, f, sys)
    add_unit(end, start, f, sys)
    continuity_rows(i, n, length, q0, q1, d1, sys)
    lost = slow * swift * length
    lost += time * ei * length / 3.0 * (dot(r0, r0) + dot(r0, r1) + dot(r1, r1))
    return -lost


@kernel
def continuity_rows(i, n, length, q0, q1, d, sys):
    """Continuity A C − D r = b of an element with the curvatures q0 and q1 and the slope d, and its multipliers."""
    g0, g1 = sys.multiplier[i].xyz, sys.multiplier[i + 1].xyz
    one, two = sys.move[n], sys.move[n + 1]
    third, sixth = length / 3.0, length / 6.0
    one.multiplier = add_scaled(add_scaled(one.multiplier, -1.0, add_scaled(scale(third, q0), sixth, q1)), 1.0, d)
    two.multiplier = add_scaled(add_scaled(two.multiplier, -1.0, add_scaled(scale(sixth, q0), third, q1)), -1.0, d)
    one.curvature = add_scaled(one.curvature, -1.0, add_scaled(scale(third, g0), sixth, g1))
    two.curvature = add_scaled(two.curvature, -1.0, add_scaled(scale(sixth, g0), third, g1))
    shear = scale(1.0 / length, subtract(g0, g1))
    one.position, two.position = add_scaled(one.position, -1.0, shear), add_scaled(two.position, 1.0, shear)
    for pair in range(4):
        same = pair == 0 or pair == 3
        row, column = 9 * n + (6 if pair < 2 else 15), 9 * n + (0 if pair % 2 == 0 else 9)
        share = third if same else sixth
        add_unit(row, column + 3, share, sys)
        add_unit(column + 3, row, share, sys)
        share = (1.0 if same else -1.0) / length
        add_unit(row, column, share, sys)
        add_unit(column, row, share, sys)


@kernel
def node_rows(t, c, i, h, sys):
    """Bodies, weight, water and seabed at node i in the mean state; the powers of the water, the bed and its friction.

    Those of the water and the bed are of all their forces: see `iterate` for what of them is stored.
    """
    node, n = sys.node[i], i - sys.cable[c].first
    move, row = sys.move[n], 9 * n
    place, speed = sys.mean_position[i].xyz, sys.mean_velocity[i].xyz
    inertia = scale(2.0 / h, subtract(speed, sys.velocity[i].xyz))
    move.position = add_scaled(move.position, -node.weight, (0.0, 0.0, 1.0))
    if node.mass > 0.0:
        move.position = add_scaled(move.position, -node.mass, inertia)
        add_unit(row, row, 2.0 * node.mass / (h * h), sys)
    drag, damping, rubbing = 0.0, 0.0, 0.0
    if sys.water == 1:
        tangent = node_tangent(c, i, sys.mean_position, sys.mean_curvature, sys)
        force, _, secant = water_loads(t, place, speed, tangent, i, sys)
        masses = added_masses(t, place, tangent, i, sys)
        force = subtract(force, added_inertia(masses, tangent, inertia))
        move.position = add(move.position, force)
        drag = dot(force, speed)
        add_unit(row, row, secant / h + 2.0 * masses[0] / (h * h), sys)
        add_outer(row, row, 2.0 * (masses[1] - masses[0]) / (h * h), tangent, tangent, sys)
    if sys.bed == 1:
        bed = bed_normal(sys.old_position[i].xyz, sys.reals)
        push, stiff, friction, across, along, way = bed_step(h, sys.old_position[i].xyz, sys.position[i].xyz, i, sys)
        force = add_scaled(friction, push, bed)
        sys.bed_force[i].xyz = force
        move.position = add(move.position, force)
        damping, rubbing = push * dot(bed, speed), dot(friction, speed)
        add_unit(row, row, across, sys)
        for j in range(3):
            for k in range(3):
                rough = (stiff - across) * bed[j] * bed[k] - (across - along) * way[j] * way[k]
                sys.work[entry_at(row + j, row + k, sys)] += rough
    return drag, damping, rubbing


@kernel
def twist_rows(c, before, alpha0, alpha1, h, sys):
    """The torque's part of the residual; its matrix is left out. Returns a status and the power lost in twisting.

    `before` is the curve's own twist at the start of the step.
    """
    cable, torsion = sys.cable[c], sys.torsion[c]
    last = cable.first + cable.count
    after, nearest = twist_of_curve(c, sys.position, sys.curvature, sys)
    if nearest < FLAT:
        return FRAME, 0.0
    twist_of_curve(c, sys.mean_position, sys.mean_curvature, sys)
    grown = 0.0
    size = 0.0
    for i in range(cable.first, last + 1):
        moved = subtract(sys.position[i].xyz, sys.old_position[i].xyz)
        size += dot(moved, moved)
        grown += dot(sys.twist_node[i].xyz, subtract(sys.curvature[i].xyz, sys.old_curvature[i].xyz))
        if i < last:
            length = sys.element[i - c].length
            change = subtract(slope(sys.position, i, length), slope(sys.old_position, i, length))
            grown += dot(sys.twist_element[i - c].xyz, change)
    swift = (after - before + alpha1 - alpha0) / h
    drag = torsion.time * swift / torsion.compliance
    torque = (0.5 * (before + after + alpha0 + alpha1)) / torsion.compliance + drag
    sys.torque[c].value = torque
    correction = 0.0
    if cable.follower == 0 and size > 1e-24:
        correction = (after - before - grown) / size
    for i in range(cable.first, last + 1):
        n = i - cable.first
        onto(n, 0, -torque * correction, subtract(sys.position[i].xyz, sys.old_position[i].xyz), sys)
        onto(n, 1, -torque, sys.twist_node[i].xyz, sys)
        if i < last:
            f, by_slope = -torque / sys.element[i - c].length, sys.twist_element[i - c].xyz
            onto(n, 0, -f, by_slope, sys)
            onto(n, 2, f, by_slope, sys)
    return OK, -drag * swift


@kernel
def assemble(t, c, before, alpha0, alpha1, h, sys):
    """Minus the residual and its matrix for cable c. Returns a status and the powers of drag, damping and friction."""
    cable, clamp = sys.cable[c], sys.clamp[c]
    first, last = cable.first, cable.first + cable.count
    clear(sys.work, sys.matrix.start, 9 * (cable.count + 1), HALF, HALF)
    for n in range(cable.count + 1):
        move = sys.move[n]
        move.position, move.curvature, move.multiplier = ZERO3, ZERO3, ZERO3
    for i in range(first, last + 1):
        before_it, after = sys.old_position[i].xyz, sys.position[i].xyz
        moved = subtract(after, before_it)
        sys.mean_position[i].xyz = scale(0.5, add(before_it, after))
        sys.mean_curvature[i].xyz = scale(0.5, add(sys.old_curvature[i].xyz, sys.curvature[i].xyz))
        sys.mean_velocity[i].xyz = (moved[0] / h, moved[1] / h, moved[2] / h)
    drag, damping, rubbing = 0.0, 0.0, 0.0
    for i in range(first, last):
        damping += element_rows(c, i, h, sys)
    for i in range(first, last + 1):
        wet, slow, rub = node_rows(t + 0.5 * h, c, i, h, sys)
        drag += wet
        damping += slow
        rubbing += rub
    for k in range(sys.loads):
        n = sys.load[k].node - first
        if 0 <= n <= cable.count:
            onto(n, 0, 1.0, load_of(t + 0.5 * h, k, sys)[0], sys)
    if cable.twisted == 1:
        status, lost = twist_rows(c, before, alpha0, alpha1, h, sys)
        damping += lost
        if status != OK:
            return status, 0.0, 0.0, 0.0
    if cable.clamp_start == 1:
        sys.move[0].multiplier = add_scaled(sys.move[0].multiplier, -1.0, clamp.start)
    if cable.clamp_end == 1:
        sys.move[cable.count].multiplier = add(sys.move[cable.count].multiplier, clamp.end)
    return OK, drag, damping, rubbing


@kernel
def fix_rows(cable, sys):
    """Rows of what does not move: held nodes, curvatures and multipliers of pinned ends."""
    for side in range(2):
        n = side * cable.count
        held = sys.held[cable.first + n].control != FREE
        clamped = (cable.clamp_start if side == 0 else cable.clamp_end) == 1
        for k in range(9):
            if (k < 3 and held) or (k >= 3 and not clamped):
                unit_row(sys.work, sys.matrix.start, 9 * n + k, HALF, HALF)
        if held:
            sys.move[n].position = ZERO3
        if not clamped:
            sys.move[n].curvature, sys.move[n].multiplier = ZERO3, ZERO3


@kernel
def stored(t, c, sys):
    """Energy that the water (added mass, buoyancy) and the bed's springs keep of cable c [J]; curvatures are known."""
    cable = sys.cable[c]
    water, bed = 0.0, 0.0
    for i in range(cable.first, cable.first + cable.count + 1):
        p = sys.position[i].xyz
        if sys.water == 1:
            tangent = node_tangent(c, i, sys.position, sys.curvature, sys)
            water += water_energy(t, p, sys.velocity[i].xyz, tangent, i, sys)
        if sys.bed == 1:
            bed += bed_energy(p, i, sys)
    return water, bed


@kernel
def begin(c, h, sys):
    """Keep the state of cable c and guess the next: free nodes go on, held ones are where they are to be.

    Returns the length of its shortest element.
    """
    cable = sys.cable[c]
    shortest = sys.element[cable.first - c].length
    for i in range(cable.first, cable.first + cable.count):
        shortest = min(shortest, sys.element[i - c].length)
    for i in range(cable.first, cable.first + cable.count + 1):
        sys.old_position[i].xyz, sys.old_curvature[i].xyz = sys.position[i].xyz, sys.curvature[i].xyz
        sys.multiplier[i].xyz = ZERO3
        if sys.held[i].control == FREE:
            gain(sys.position[i], h, sys.velocity[i].xyz)
        else:
            sys.position[i].xyz = held_state(i, sys)[0]
    curvatures(c, sys.position, False, sys, sys.curvature)
    return shortest


@kernel
def finish(t, c, h, sys):
    """Velocities and accelerations of cable c at the end of its step, and the work of its supports. Returns a status.

    What a support gives is what its node's own balance lacks.
    """
    cable = sys.cable[c]
    for i in range(cable.first, cable.first + cable.count + 1):
        n, start = i - cable.first, sys.velocity[i].xyz
        moved = subtract(sys.position[i].xyz, sys.old_position[i].xyz)
        if sys.held[i].control != FREE:
            sys.ledger.drives -= dot(moved, sys.move[n].position)
            sys.reaction[2 * c + (0 if n == 0 else 1)].xyz = sys.move[n].position
        after = subtract(scale(2.0 / h, moved), start)
        sys.acceleration[i].xyz = scale(1.0 / h, subtract(after, start))
        sys.velocity[i].xyz = after
        if not dot(after, after) < SPEED_LIMIT * SPEED_LIMIT:
            sys.fault.place = n
            return RANGE
    for k in range(sys.loads):
        i = sys.load[k].node
        if 0 <= i - cable.first <= cable.count:
            moved = subtract(sys.position[i].xyz, sys.old_position[i].xyz)
            sys.ledger.drives += dot(moved, load_of(t + 0.5 * h, k, sys)[0])
    return OK


@kernel
def iterate(t, c, h, u, sys):
    """Newton's method for the end of the step of cable c; books its works. Returns a status."""
    cable, ledger = sys.cable[c], sys.ledger
    curvatures(c, sys.position, False, sys, sys.curvature)
    curvatures(c, sys.velocity, True, sys, sys.rate)
    alpha0, alpha1 = twist(t, c, u, sys), twist(t + h, c, u, sys)
    before = 0.0
    if cable.twisted == 1:
        before, _ = twist_of_curve(c, sys.position, sys.curvature, sys)
    kept, sprung = stored(t, c, sys)
    shortest = begin(c, h, sys)
    move, latest = 1e300, 1e300
    for iteration in range(MOST_ITERATIONS):
        status, drag, damping, rubbing = assemble(t, c, before, alpha0, alpha1, h, sys)
        if status != OK:
            return status
        if move < CLOSE * shortest:
            break
        if iteration == MOST_ITERATIONS - 1 or not move < 1e3 * latest + shortest:
            return NEWTON
        fix_rows(cable, sys)
        if not solve(sys.work, sys.matrix.start, sys.move.start, 9 * (cable.count + 1), HALF, HALF):
            return NEWTON
        latest, move = move, 0.0
        share = 0.5 if iteration >= PATIENT and iteration % 4 != 3 else 1.0
        for n in range(cable.count + 1):
            i, step = cable.first + n, sys.move[n].position
            move = max(move, abs(step[0]) + abs(step[1]) + abs(step[2]))
            gain(sys.position[i], share, step)
            gain(sys.curvature[i], share, sys.move[n].curvature)
            gain(sys.multiplier[i], share, sys.move[n].multiplier)
        if not move < 1e6:
            return NEWTON
    status = finish(t, c, h, sys)
    if status != OK:
        return status
    ledger.drives += sys.torque[c].value * (alpha1 - alpha0)
    water, bed = stored(t + h, c, sys)
    ledger.drag += h * drag + water - kept
    ledger.damping += h * damping + bed - sprung
    ledger.friction += h * rubbing
    return OK


@kernel
def midpoint_step(t, h, u, sys):
    """One step from t, in place. Returns a status; a step whose Newton iteration does not converge is none."""
    follow_all(t, h, u, sys)
    for c in range(sys.cables):
        status = iterate(t, c, h, u, sys)
        if status != OK:
            sys.fault.time, sys.fault.cable = t, c
            return status
    if sys.bed == 1:
        remember_bed(sys)
    return OK
