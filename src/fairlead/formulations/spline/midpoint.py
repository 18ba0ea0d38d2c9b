"""The implicit energy–momentum midpoint rule, one cable after the other.

M(v₁ − v₀)/h = F and (v₀ + v₁)/2 = (x₁ − x₀)/h, with the forces of the mean state: EA(ε₀ + ε₁)/(s₀ + s₁) on the gradient
of e there, which is exact since e is quadratic and U = ½EA h ε² with s² = 1 + 2e, ε = s − 1; bending is linear; the
twist's gradient is corrected along the step (Gonzalez), so that what the cable stores and what it is given balance to
rounding. Positions, curvatures and the multipliers of A C = D r + b are the unknowns, nine a node, so that Newton's
matrix is banded.
"""

from __future__ import annotations

from fairlead.algebra.banded import clear, solve, unit_row, width
from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import FLAT
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.sea.water import BED_X, BED_Y, BED_Z, bed_gap

from .arrays import (
    BED, BED_STIFFNESS, CLAMP_END, CLAMP_START, COMPLIANCE, COUNT, EA, EI, FAULT, FIRST,
    FOLLOWER, HALF, I_HELD, I_LOADS, LENGTH, LOAD_INTS, LUMPED, MASS, N_CABLES, N_LOADS, POINT_MASS, R_LOADS, RADIUS,
    TANGENT_END, TANGENT_START, TIME_AXIAL, TIME_BENDING, TORSION_TIME, TWISTED, W_BAND, W_CURVATURE, W_PUSH, W_RATE,
    W_TWIST_ELEMENT, W_TWIST_NODE, WATER, WEIGHT, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
    Y_ACCELERATION, Y_CONTACT, Y_LEDGER, Y_POSITION, Y_REACTION, Y_TENSION, Y_TORQUE, Y_VELOCITY, cable_at, cable_reals,
    element_at, gain, node_at, put, vector_of,
)  # fmt: skip
from .curve import curvatures, slope
from .element import OTHER, OWN, elongation, mean_strain, strain_by_curvature, stretch
from .forces import FRAME, NEWTON, OK, RANGE, load_factor, node_tangent, twist_of_curve
from .sea_loads import added_inertia, added_masses, bed_step, water_energy, water_loads
from .signals import twist
from .verlet import SPEED_LIMIT, drive, held_state, remember_bed

MOST_ITERATIONS = 40
CLOSE = 1e-10
"""Last move of Newton's method, in lengths of the shortest element."""

PATIENT = 12
"""Iterations after which moves are halved: nodes may touch, leave, stick and slip in turns."""

MATRIX, RHS, OLD_PLACE, OLD_CURVE, MULTIPLIER, MEAN_PLACE, MEAN_CURVE, MEAN_SPEED, LOCAL = range(9)


@kernel
def part(which, c, ints):
    """Where a part of the scratch memory for the step of cable c begins."""
    n = ints[cable_at(ints, c) + COUNT] + 1
    at = ints[W_BAND]
    if which == MATRIX:
        return at
    at += 9 * n * width(HALF, HALF)
    if which == RHS:
        return at
    return at + 9 * n + 3 * n * (which - OLD_PLACE)


@kernel
def work_vector(which, c, i, ints, work):
    """Vector of node i in a part of that memory."""
    return vector_of(work, part(which, c, ints) + 3 * i)


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
def local_index(i, a):
    """Place among the unknowns of shape function a of the element that begins at node i."""
    return 9 * (i + a // 2) + 3 * (a % 2)


@kernel
def add_block(work, matrix, row, column, f):
    """Add f times the unit 3 × 3 matrix."""
    for k in range(3):
        work[matrix + (row + k) * width(HALF, HALF) + column - row + HALF] += f


@kernel
def strain_gradient(d, c0, c1, h, work, at):
    """Gradient of the mean strain by the twelve numbers of an element, into work."""
    put(work, at, scale(-1.0 / h, d))
    put(work, at + 3, strain_by_curvature(c0, c1, h))
    put(work, at + 6, scale(1.0 / h, d))
    put(work, at + 9, strain_by_curvature(c1, c0, h))


@kernel
def element_rows(c, i, h, ints, reals, y, work):
    """Inertia, stretching, bending and continuity of element i: residual and matrix. Returns its power of damping."""
    first = ints[cable_at(ints, c) + FIRST]
    element = element_at(ints, first - c + i)
    length, ea, ei = reals[element + LENGTH], reals[element + EA], reals[element + EI]
    matrix, rhs, local = part(MATRIX, c, ints), part(RHS, c, ints), part(LOCAL, c, ints)
    x1, curve1 = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
    x0, curve0 = part(OLD_PLACE, c, ints), part(OLD_CURVE, c, ints)
    v0, rate0 = ints[Y_VELOCITY] + 3 * first, ints[W_RATE] + 3 * first

    for b in range(4):  # inertia: m(2(q₁ − q₀)/h² − 2 q̇₀/h)
        k = 3 * (i + b // 2)
        if b % 2 == 0:
            moved = subtract(vector_of(y, x1 + k), vector_of(work, x0 + k))
            speed = vector_of(y, v0 + k)
        else:
            moved = subtract(vector_of(work, curve1 + k), vector_of(work, curve0 + k))
            speed = vector_of(work, rate0 + k)
        inertia = add_scaled(scale(2.0 / (h * h), moved), -2.0 / h, speed)
        for a in range(4):
            m = reals[element + MASS] * mass_share(a, b, length, ints[LUMPED] == 1)
            if m != 0.0:
                gain(work, rhs + local_index(i, a), -m, inertia)
                add_block(work, matrix, local_index(i, a), local_index(i, b), 2.0 * m / (h * h))

    p0, p1 = vector_of(work, curve0 + 3 * i), vector_of(work, curve0 + 3 * i + 3)
    q0, q1 = vector_of(work, curve1 + 3 * i), vector_of(work, curve1 + 3 * i + 3)
    d0, d1 = slope(work, x0 + 3 * i, length), slope(y, x1 + 3 * i, length)
    e0, e1 = mean_strain(d0, p0, p1, length), mean_strain(d1, q0, q1, length)
    m0, m1 = scale(0.5, add(p0, q0)), scale(0.5, add(p1, q1))
    strain_gradient(scale(0.5, add(d0, d1)), m0, m1, length, work, local)
    strain_gradient(d1, q0, q1, length, work, local + 12)
    swift = (e1 - e0) / h
    s0, s1, square = stretch(e0), stretch(e1), 1.0 + e0 + e1
    slow = ea * reals[element + TIME_AXIAL] * swift / square
    tension = ea * (elongation(e0) + elongation(e1)) / (s0 + s1) + slow
    y[ints[Y_TENSION] + first - c + i] = tension
    stiff = 2.0 * ea / (s1 * (s0 + s1) * (s0 + s1)) + ea * reals[element + TIME_AXIAL] / (h * square) - slow / square
    stiff *= length
    for a in range(4):
        row = local_index(i, a)
        gain(work, rhs + row, -tension * length, vector_of(work, local + 3 * a))
        for b in range(4):
            column = local_index(i, b)
            for j in range(3):
                at = matrix + (row + j) * width(HALF, HALF) + column - row - j + HALF
                f = stiff * work[local + 3 * a + j]
                for k in range(3):
                    work[at + k] += f * work[local + 12 + 3 * b + k]
            if a % 2 == 0 and b % 2 == 0:
                add_block(work, matrix, row, column, 0.5 * tension / length * (1.0 if a == b else -1.0))
            elif a % 2 == 1 and b % 2 == 1:
                add_block(work, matrix, row, column, 0.5 * tension * length**3 * (OWN if a == b else OTHER))

    time, bend = reals[element + TIME_BENDING], ei * length / 6.0
    r0, r1 = scale(1.0 / h, subtract(q0, p0)), scale(1.0 / h, subtract(q1, p1))
    b0, b1 = add_scaled(m0, time, r0), add_scaled(m1, time, r1)
    start, end = local_index(i, 1), local_index(i, 3)
    gain(work, rhs + start, -bend, add(scale(2.0, b0), b1))
    gain(work, rhs + end, -bend, add(b0, scale(2.0, b1)))
    f = bend * (0.5 + time / h)
    add_block(work, matrix, start, start, 2.0 * f)
    add_block(work, matrix, end, end, 2.0 * f)
    add_block(work, matrix, start, end, f)
    add_block(work, matrix, end, start, f)

    # continuity A C − D r = b and its multipliers: rows and columns 9i + 6
    l0, l1 = part(MULTIPLIER, c, ints) + 3 * i, part(MULTIPLIER, c, ints) + 3 * i + 3
    g0, g1 = vector_of(work, l0), vector_of(work, l1)
    top, bottom = 9 * i + 6, 9 * i + 15
    gain(work, rhs + top, -1.0, add_scaled(scale(length / 3.0, q0), length / 6.0, q1))
    gain(work, rhs + top, 1.0, d1)
    gain(work, rhs + bottom, -1.0, add_scaled(scale(length / 6.0, q0), length / 3.0, q1))
    gain(work, rhs + bottom, -1.0, d1)
    gain(work, rhs + start, -1.0, add_scaled(scale(length / 3.0, g0), length / 6.0, g1))
    gain(work, rhs + end, -1.0, add_scaled(scale(length / 6.0, g0), length / 3.0, g1))
    shear = scale(1.0 / length, subtract(g0, g1))
    gain(work, rhs + 9 * i, -1.0, shear)
    gain(work, rhs + 9 * i + 9, 1.0, shear)
    for pair in range(4):
        row = top if pair < 2 else bottom
        column = start if pair % 2 == 0 else end
        share = length / 3.0 if pair == 0 or pair == 3 else length / 6.0
        add_block(work, matrix, row, column, share)
        add_block(work, matrix, column, row, share)
        column = 9 * i if pair % 2 == 0 else 9 * i + 9
        share = (1.0 if pair == 0 or pair == 3 else -1.0) / length
        add_block(work, matrix, row, column, share)
        add_block(work, matrix, column, row, share)
    lost = slow * swift * length
    lost += time * ei * length / 3.0 * (dot(r0, r0) + dot(r0, r1) + dot(r1, r1))
    return -lost


@kernel
def node_rows(t, c, i, h, ints, reals, y, work):
    """Bodies, weight, water and seabed at node i in the mean state; the powers of the water, the bed and its friction.

    Those of the water and the bed are of all their forces: see `iterate` for what of them is stored.
    """
    first = ints[cable_at(ints, c) + FIRST]
    node, row = node_at(ints, first + i), 9 * i
    matrix, rhs = part(MATRIX, c, ints), part(RHS, c, ints) + row
    place, speed = (
        vector_of(work, part(MEAN_PLACE, c, ints) + 3 * i),
        vector_of(work, part(MEAN_SPEED, c, ints) + 3 * i),
    )
    inertia = scale(2.0 / h, subtract(speed, vector_of(y, ints[Y_VELOCITY] + 3 * (first + i))))
    work[rhs + 2] -= reals[node + WEIGHT]
    if reals[node + POINT_MASS] > 0.0:
        gain(work, rhs, -reals[node + POINT_MASS], inertia)
        add_block(work, matrix, row, row, 2.0 * reals[node + POINT_MASS] / (h * h))
    drag, damping, rubbing = 0.0, 0.0, 0.0
    if ints[WATER] == 1:
        tangent = node_tangent(c, i, work, part(MEAN_PLACE, c, ints), part(MEAN_CURVE, c, ints), ints, reals, work)
        force, _, secant = water_loads(t, place, speed, tangent, reals, node)
        masses = added_masses(t, place, tangent, reals, node)
        force = subtract(force, added_inertia(masses, tangent, inertia))
        gain(work, rhs, 1.0, force)
        drag = dot(force, speed)
        add_block(work, matrix, row, row, secant / h + 2.0 * masses[0] / (h * h))
        f = 2.0 * (masses[1] - masses[0]) / (h * h)
        for j in range(3):
            for k in range(3):
                work[matrix + (row + j) * width(HALF, HALF) + k - j + HALF] += f * tangent[j] * tangent[k]
    if ints[BED] == 1:
        n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
        before, after = work_vector(OLD_PLACE, c, i, ints, work), vector_of(y, ints[Y_POSITION] + 3 * (first + i))
        push, stiff, friction, across, along, way = bed_step(
            h, before, after, y, ints[Y_CONTACT] + 4 * (first + i), reals, node
        )
        force = add_scaled(friction, push, n)
        put(work, ints[W_PUSH] + 3 * (first + i), force)
        gain(work, rhs, 1.0, force)
        damping, rubbing = push * dot(n, speed), dot(friction, speed)
        add_block(work, matrix, row, row, across)
        for j in range(3):
            for k in range(3):
                at = matrix + (row + j) * width(HALF, HALF) + k - j + HALF
                work[at] += (stiff - across) * n[j] * n[k] - (across - along) * way[j] * way[k]
    return drag, damping, rubbing


@kernel
def twist_rows(c, before, alpha0, alpha1, h, ints, reals, y, work):
    """The torque's part of the residual; its matrix is left out. Returns a status and the power lost in twisting.

    `before` is the curve's own twist at the start of the step.
    """
    cable, fixed = cable_at(ints, c), cable_reals(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    rhs, x0, curve0 = part(RHS, c, ints), part(OLD_PLACE, c, ints), part(OLD_CURVE, c, ints)
    x1, curve1 = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
    after, nearest = twist_of_curve(c, y, x1, curve1, ints, reals, work)
    if nearest < FLAT:
        return FRAME, 0.0
    twist_of_curve(c, work, part(MEAN_PLACE, c, ints), part(MEAN_CURVE, c, ints), ints, reals, work)
    grown = 0.0
    size = 0.0
    for i in range(count + 1):
        k = 3 * i
        moved = subtract(vector_of(y, x1 + k), vector_of(work, x0 + k))
        size += dot(moved, moved)
        turned = subtract(vector_of(work, curve1 + k), vector_of(work, curve0 + k))
        grown += dot(vector_of(work, ints[W_TWIST_NODE] + 3 * first + k), turned)
        if i < count:
            length = reals[element_at(ints, first - c + i) + LENGTH]
            change = subtract(slope(y, x1 + k, length), slope(work, x0 + k, length))
            grown += dot(vector_of(work, ints[W_TWIST_ELEMENT] + 3 * (first - c + i)), change)
    swift = (after - before + alpha1 - alpha0) / h
    drag = reals[fixed + TORSION_TIME] * swift / reals[fixed + COMPLIANCE]
    torque = (0.5 * (before + after + alpha0 + alpha1)) / reals[fixed + COMPLIANCE] + drag
    y[ints[Y_TORQUE] + c] = torque
    correction = 0.0
    if ints[cable + FOLLOWER] == 0 and size > 1e-24:
        correction = (after - before - grown) / size
    for i in range(count + 1):
        k = 3 * i
        moved = subtract(vector_of(y, x1 + k), vector_of(work, x0 + k))
        gain(work, rhs + 9 * i, -torque * correction, moved)
        gain(work, rhs + 9 * i + 3, -torque, vector_of(work, ints[W_TWIST_NODE] + 3 * first + k))
        if i < count:
            f = -torque / reals[element_at(ints, first - c + i) + LENGTH]
            by_slope = vector_of(work, ints[W_TWIST_ELEMENT] + 3 * (first - c + i))
            gain(work, rhs + 9 * i, -f, by_slope)
            gain(work, rhs + 9 * i + 9, f, by_slope)
    return OK, -drag * swift


@kernel
def assemble(t, c, before, alpha0, alpha1, h, ints, reals, y, work):
    """Minus the residual and its matrix for cable c. Returns a status and the powers of drag, damping and friction."""
    cable, fixed = cable_at(ints, c), cable_reals(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    n = 9 * (count + 1)
    rhs, matrix = part(RHS, c, ints), part(MATRIX, c, ints)
    clear(work, matrix, n, HALF, HALF)
    for k in range(rhs, rhs + n):
        work[k] = 0.0
    x1, curve1 = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
    x0, curve0 = part(OLD_PLACE, c, ints), part(OLD_CURVE, c, ints)
    place, curve, speed = part(MEAN_PLACE, c, ints), part(MEAN_CURVE, c, ints), part(MEAN_SPEED, c, ints)
    for k in range(3 * (count + 1)):
        work[place + k] = 0.5 * (work[x0 + k] + y[x1 + k])
        work[curve + k] = 0.5 * (work[curve0 + k] + work[curve1 + k])
        work[speed + k] = (y[x1 + k] - work[x0 + k]) / h
    drag, damping, rubbing = 0.0, 0.0, 0.0
    for i in range(count):
        damping += element_rows(c, i, h, ints, reals, y, work)
    for i in range(count + 1):
        wet, slow, rub = node_rows(t + 0.5 * h, c, i, h, ints, reals, y, work)
        drag += wet
        damping += slow
        rubbing += rub
    for k in range(ints[N_LOADS]):
        i = ints[ints[I_LOADS] + LOAD_INTS * k] - first
        if 0 <= i <= count:
            gain(work, rhs + 9 * i, load_factor(t + 0.5 * h, k, ints, reals), vector_of(reals, ints[R_LOADS] + 3 * k))
    if ints[cable + TWISTED] == 1:
        status, lost = twist_rows(c, before, alpha0, alpha1, h, ints, reals, y, work)
        damping += lost
        if status != OK:
            return status, 0.0, 0.0, 0.0
    if ints[cable + CLAMP_START] == 1:
        gain(work, rhs + 6, -1.0, vector_of(reals, fixed + TANGENT_START))
    if ints[cable + CLAMP_END] == 1:
        gain(work, rhs + n - 3, 1.0, vector_of(reals, fixed + TANGENT_END))
    return OK, drag, damping, rubbing


@kernel
def fix_rows(c, ints, work):
    """Rows of what does not move: held nodes, curvatures and multipliers of pinned ends."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    rhs, matrix = part(RHS, c, ints), part(MATRIX, c, ints)
    for side in range(2):
        row = 9 * side * count
        held = ints[ints[I_HELD] + first + side * count] != -1
        clamped = ints[cable + (CLAMP_START if side == 0 else CLAMP_END)] == 1
        for k in range(9):
            if (k < 3 and held) or (k >= 3 and not clamped):
                unit_row(work, matrix, row + k, HALF, HALF)
                work[rhs + row + k] = 0.0


@kernel
def stored(t, c, ints, reals, y, work):
    """Energy that the water (added mass, buoyancy) and the bed's springs keep of cable c [J]; curvatures are known."""
    cable = cable_at(ints, c)
    first = ints[cable + FIRST]
    x, curve = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
    water, bed = 0.0, 0.0
    for i in range(ints[cable + COUNT] + 1):
        node, p = node_at(ints, first + i), vector_of(y, x + 3 * i)
        if ints[WATER] == 1:
            tangent = node_tangent(c, i, y, x, curve, ints, reals, work)
            water += water_energy(t, p, vector_of(y, ints[Y_VELOCITY] + 3 * (first + i)), tangent, reals, node)
        if ints[BED] == 1:
            gap = min(bed_gap(p, reals[node + RADIUS], reals), 0.0)
            bed += 0.5 * reals[node + BED_STIFFNESS] * gap * gap
    return water, bed


@kernel
def iterate(t, c, h, u, ints, reals, y, work):
    """Newton's method for the end of the step of cable c; books its works. Returns a status."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    x, curve = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
    v = ints[Y_VELOCITY] + 3 * first
    old, bent, multiplier = part(OLD_PLACE, c, ints), part(OLD_CURVE, c, ints), part(MULTIPLIER, c, ints)
    rhs, ledger = part(RHS, c, ints), ints[Y_LEDGER]
    curvatures(c, y, x, False, ints, reals, work, curve)
    curvatures(c, y, v, True, ints, reals, work, ints[W_RATE] + 3 * first)
    alpha0, alpha1 = twist(t, c, u, ints, reals), twist(t + h, c, u, ints, reals)
    before = 0.0
    if ints[cable + TWISTED] == 1:
        before, _ = twist_of_curve(c, y, x, curve, ints, reals, work)
    kept, sprung = stored(t, c, ints, reals, y, work)
    shortest = reals[element_at(ints, first - c) + LENGTH]
    for i in range(count):
        shortest = min(shortest, reals[element_at(ints, first - c + i) + LENGTH])
    for i in range(count + 1):
        k = 3 * i
        put(work, old + k, vector_of(y, x + k))
        put(work, bent + k, vector_of(work, curve + k))
        put(work, multiplier + k, (0.0, 0.0, 0.0))
        if ints[ints[I_HELD] + first + i] == -1:
            gain(y, x + k, h, vector_of(y, v + k))
        else:
            put(y, x + k, held_state(first + i, ints, y)[0])
    curvatures(c, y, x, False, ints, reals, work, curve)
    move, latest = 1e300, 1e300
    for iteration in range(MOST_ITERATIONS):
        status, drag, damping, rubbing = assemble(t, c, before, alpha0, alpha1, h, ints, reals, y, work)
        if status != OK:
            return status
        if move < CLOSE * shortest:
            break
        if iteration == MOST_ITERATIONS - 1 or not move < 1e3 * latest + shortest:
            return NEWTON
        fix_rows(c, ints, work)
        if not solve(work, part(MATRIX, c, ints), rhs, 9 * (count + 1), HALF, HALF):
            return NEWTON
        latest, move = move, 0.0
        share = 0.5 if iteration >= PATIENT and iteration % 4 != 3 else 1.0
        for i in range(count + 1):
            step = vector_of(work, rhs + 9 * i)
            move = max(move, abs(step[0]) + abs(step[1]) + abs(step[2]))
            gain(y, x + 3 * i, share, step)
            gain(work, curve + 3 * i, share, vector_of(work, rhs + 9 * i + 3))
            gain(work, multiplier + 3 * i, share, vector_of(work, rhs + 9 * i + 6))
        if not move < 1e6:
            return NEWTON
    for i in range(count + 1):
        k = 3 * i
        moved = subtract(vector_of(y, x + k), vector_of(work, old + k))
        if ints[ints[I_HELD] + first + i] != -1:  # what the support gives is what the node's own balance lacks
            y[ledger + WORK_DRIVES] -= dot(moved, vector_of(work, rhs + 9 * i))
            put(y, ints[Y_REACTION] + 6 * c + (0 if i == 0 else 3), vector_of(work, rhs + 9 * i))
        start = vector_of(y, v + k)
        after = add_scaled(scale(2.0 / h, moved), -1.0, start)
        put(y, ints[Y_ACCELERATION] + 3 * (first + i), scale(1.0 / h, subtract(after, start)))
        put(y, v + k, after)
        if not dot(after, after) < SPEED_LIMIT * SPEED_LIMIT:
            work[FAULT + 2] = i
            return RANGE
    for k in range(ints[N_LOADS]):
        i = ints[ints[I_LOADS] + LOAD_INTS * k] - first
        if 0 <= i <= count:
            moved = subtract(vector_of(y, x + 3 * i), vector_of(work, old + 3 * i))
            f = load_factor(t + 0.5 * h, k, ints, reals)
            y[ledger + WORK_DRIVES] += f * dot(moved, vector_of(reals, ints[R_LOADS] + 3 * k))
    y[ledger + WORK_DRIVES] += y[ints[Y_TORQUE] + c] * (alpha1 - alpha0)
    water, bed = stored(t + h, c, ints, reals, y, work)
    y[ledger + WORK_DRAG] += h * drag + water - kept
    y[ledger + WORK_DAMPING] += h * damping + bed - sprung
    y[ledger + WORK_FRICTION] += h * rubbing
    return OK


@kernel
def midpoint_step(t, h, u, ints, reals, y, work):
    """One step from t, in place. Returns a status; a step whose Newton iteration does not converge is none."""
    drive(t, h, u, ints, reals, y)
    for c in range(ints[N_CABLES]):
        status = iterate(t, c, h, u, ints, reals, y, work)
        if status != OK:
            work[FAULT], work[FAULT + 1] = t, c
            return status
    if ints[BED] == 1:
        remember_bed(ints, reals, y, work)
    return OK
