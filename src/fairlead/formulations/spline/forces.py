"""Forces on the nodes of a cable: the gradient of what it stores, its damping, weight, water and seabed."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import FLAT, binormal, twist_density, twist_gradient
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.signals import table_value
from fairlead.sea.water import BED_X, BED_Y, BED_Z

from .arrays import (
    AXIS, BED, CLAMP_END, CLAMP_START, COMPLIANCE, COUNT, DAMPED, EA, EI, FAULT, FIRST, FOLLOWER, LENGTH, LOAD_INTS,
    I_LOADS, N_LOADS, R_LOADS, R_TABLE, TIME_AXIAL, TIME_BENDING, TORSION_TIME, TWISTED, W_CURVATURE,
    W_FORCE, W_LOAD, W_PULL, W_PUSH, W_RATE, W_SLOPE, W_TWIST_ELEMENT, W_TWIST_NODE, WATER, WEIGHT, Y_CONTACT,
    Y_POSITION, Y_TENSION, Y_TORQUE, Y_VELOCITY, cable_at, cable_reals, element_at, gain, node_at, put, vector_of,
)  # fmt: skip
from .curve import curvatures, slope, substitute
from .element import (
    GAUSS, elongation, mean_strain, slope_shares, strain_by_curvature, stretch, tangent_end, tangent_start,
)  # fmt: skip
from .sea_loads import bed_loads, water_loads

OK, RANGE, STRAIN, NEWTON, FRAME = 0, 1, 2, 3, 4
LEAST_STRAIN, LARGEST_STRAIN = -0.45, 1.0
"""Mean Green strains between which an element is believed: pressed to a third of its length, pulled to 1.7 of it."""


@kernel
def twist_of_curve(c, x, at, curved, ints, reals, work):
    """Φ of cable c, nodes from `at` in x, curvatures from `curved` in work; its gradient by slopes and curvatures into
    W_TWIST_ELEMENT and W_TWIST_NODE. Two Gauss points an element. Also how near the cable comes to its reference.

    With a follower torque the gradient is that of Eq. 13, ∫(r′ × r″)·δr′/|r′|³, which no potential has.
    """
    cable, fixed = cable_at(ints, c), cable_reals(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    p = vector_of(reals, fixed + AXIS)
    total, nearest = 0.0, 1.0
    by_node = ints[W_TWIST_NODE] + 3 * first
    for k in range(by_node, by_node + 3 * (count + 1)):
        work[k] = 0.0
    for i in range(count):
        h = reals[element_at(ints, first - c + i) + LENGTH]
        d = slope(x, at + 3 * i, h)
        c0, c1 = vector_of(work, curved + 3 * i), vector_of(work, curved + 3 * i + 3)
        by_slope = (0.0, 0.0, 0.0)
        for side in range(2):
            u = 0.5 - GAUSS if side == 0 else 0.5 + GAUSS
            s0, s1 = slope_shares(u, h)
            a = add_scaled(add_scaled(d, s0, c0), s1, c1)
            b = add_scaled(scale(1.0 - u, c0), u, c1)
            f, clear = twist_density(a, b, p)
            by_a, by_b = twist_gradient(a, b, p)
            nearest = min(nearest, clear)
            if ints[cable + FOLLOWER] == 1:
                by_a, by_b = binormal(a, b), (0.0, 0.0, 0.0)
            w = 0.5 * h
            total += w * f
            by_slope = add_scaled(by_slope, w, by_a)
            gain(work, by_node + 3 * i, w, add_scaled(scale(s0, by_a), 1.0 - u, by_b))
            gain(work, by_node + 3 * i + 3, w, add_scaled(scale(s1, by_a), u, by_b))
        put(work, ints[W_TWIST_ELEMENT] + 3 * (first - c + i), by_slope)
    return total, nearest


@kernel
def strain_energy_forces(c, alpha, alpha_rate, ints, reals, y, work):
    """Internal forces of cable c, added to W_FORCE; the force through each element into W_PULL.

    F = −(g_r + Bᵀ g_C) with g the gradients by slopes and curvatures at fixed curvatures and slopes, Bᵀ = Dᵀ A⁻¹.
    Stretching stores ½ EA h ε² with ε the strain of the mean length, s = 1 + ε; what acts on the gradient of the Green
    strain is EA ε/s, kept in Y_TENSION, and the tension is s times that. The bending rows are so the second difference
    of the moments, (EI/h)(C₋ − 2C + C₊). `alpha` is the twist given to
    the end [rad]. Returns a status and the power of internal damping.
    """
    cable, fixed = cable_at(ints, c), cable_reals(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    x, v = ints[Y_POSITION] + 3 * first, ints[Y_VELOCITY] + 3 * first
    curved, rate = ints[W_CURVATURE] + 3 * first, ints[W_RATE] + 3 * first
    onto, pull = ints[W_LOAD] + 3 * first, ints[W_PULL] + 3 * (first - c)
    damped = ints[DAMPED] == 1
    curvatures(c, y, x, False, ints, reals, work, curved)
    if damped:
        curvatures(c, y, v, True, ints, reals, work, rate)
    torque, lost = 0.0, 0.0
    if ints[cable + TWISTED] == 1:
        total, nearest = twist_of_curve(c, y, x, curved, ints, reals, work)
        if nearest < FLAT:
            return FRAME, 0.0
        turn = alpha + total
        torque = turn / reals[fixed + COMPLIANCE]
        if damped and reals[fixed + TORSION_TIME] > 0.0:
            swift = alpha_rate
            for i in range(count):
                h = reals[element_at(ints, first - c + i) + LENGTH]
                swift += dot(vector_of(work, ints[W_TWIST_ELEMENT] + 3 * (first - c + i)), slope(y, v + 3 * i, h))
            for i in range(count + 1):
                swift += dot(vector_of(work, ints[W_TWIST_NODE] + 3 * (first + i)), vector_of(work, rate + 3 * i))
            drag = reals[fixed + TORSION_TIME] * swift / reals[fixed + COMPLIANCE]
            torque += drag
            lost -= drag * swift
    y[ints[Y_TORQUE] + c] = torque
    for k in range(onto, onto + 3 * (count + 1)):
        work[k] = 0.0
    for i in range(count):
        element = element_at(ints, first - c + i)
        h, ea = reals[element + LENGTH], reals[element + EA]
        d = slope(y, x + 3 * i, h)
        c0, c1 = vector_of(work, curved + 3 * i), vector_of(work, curved + 3 * i + 3)
        strain = mean_strain(d, c0, c1, h)
        if not LEAST_STRAIN < strain < LARGEST_STRAIN:
            work[FAULT + 1], work[FAULT + 2] = c, i
            return STRAIN, 0.0
        s0, s1 = strain_by_curvature(c0, c1, h), strain_by_curvature(c1, c0, h)
        s = stretch(strain)
        pulling = ea * elongation(strain) / s
        b0, b1 = c0, c1
        if damped:
            r0, r1 = vector_of(work, rate + 3 * i), vector_of(work, rate + 3 * i + 3)
            swift = dot(d, slope(y, v + 3 * i, h)) + dot(s0, r0) + dot(s1, r1)
            slow = ea * reals[element + TIME_AXIAL] * swift / (s * s)
            pulling += slow
            lost -= slow * swift * h
            time = reals[element + TIME_BENDING]
            b0, b1 = add_scaled(c0, time, r0), add_scaled(c1, time, r1)
            lost -= time * reals[element + EI] * h / 3.0 * (dot(r0, r0) + dot(r0, r1) + dot(r1, r1))
        y[ints[Y_TENSION] + first - c + i] = pulling
        bend = reals[element + EI] * h / 6.0
        put(work, pull + 3 * i, scale(pulling, d))
        gain(work, onto + 3 * i, 1.0, add_scaled(scale(h * pulling, s0), bend, add(scale(2.0, b0), b1)))
        gain(work, onto + 3 * i + 3, 1.0, add_scaled(scale(h * pulling, s1), bend, add(b0, scale(2.0, b1))))
    if torque != 0.0:
        for i in range(count):
            h = reals[element_at(ints, first - c + i) + LENGTH]
            gain(work, pull + 3 * i, torque / h, vector_of(work, ints[W_TWIST_ELEMENT] + 3 * (first - c + i)))
        for i in range(count + 1):
            gain(work, onto + 3 * i, torque, vector_of(work, ints[W_TWIST_NODE] + 3 * (first + i)))
    if ints[cable + CLAMP_START] == 0:
        put(work, onto, (0.0, 0.0, 0.0))
    if ints[cable + CLAMP_END] == 0:
        put(work, onto + 3 * count, (0.0, 0.0, 0.0))
    substitute(c, work, onto, ints, reals)
    force = ints[W_FORCE] + 3 * first
    for i in range(count):
        f = 1.0 / reals[element_at(ints, first - c + i) + LENGTH]
        through = add_scaled(
            vector_of(work, pull + 3 * i), f, subtract(vector_of(work, onto + 3 * i), vector_of(work, onto + 3 * i + 3))
        )
        put(work, pull + 3 * i, through)
        gain(work, force + 3 * i, 1.0, through)
        gain(work, force + 3 * i + 3, -1.0, through)
    return OK, lost


@kernel
def unit(a):
    """a/|a|."""
    return scale(1.0 / math.sqrt(dot(a, a)), a)


@kernel
def node_tangent(c, i, x, at, curved, ints, reals, work):
    """Unit tangent at node i of cable c."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    k = min(i, count - 1)
    h = reals[element_at(ints, first - c + k) + LENGTH]
    d = slope(x, at + 3 * k, h)
    c0, c1 = vector_of(work, curved + 3 * k), vector_of(work, curved + 3 * k + 3)
    return unit(tangent_start(d, c0, c1, h) if i < count else tangent_end(d, c0, c1, h))


@kernel
def outside_forces(t, c, ints, reals, y, work):
    """Weight, water and seabed on cable c, added to W_FORCE, after the internal forces.

    Returns the powers of drag, of the bed's damping and of its friction.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    x, curved = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
    water, bed = ints[WATER] == 1, ints[BED] == 1
    drag, damping, rubbing = 0.0, 0.0, 0.0
    for i in range(count + 1):
        node, force = node_at(ints, first + i), ints[W_FORCE] + 3 * (first + i)
        work[force + 2] -= reals[node + WEIGHT]
        if not (water or bed):
            continue
        p, v = vector_of(y, x + 3 * i), vector_of(y, ints[Y_VELOCITY] + 3 * (first + i))
        if water:
            tangent = node_tangent(c, i, y, x, curved, ints, reals, work)
            put(work, ints[W_SLOPE] + 3 * (first + i), tangent)
            f, power, _ = water_loads(t, p, v, tangent, reals, node)
            gain(work, force, 1.0, f)
            drag += power
        if bed:
            active, slow, friction, f = bed_loads(p, v, y, ints[Y_CONTACT] + 4 * (first + i), reals, node)
            put(work, ints[W_PUSH] + 3 * (first + i), f)
            if active:
                gain(work, force, 1.0, f)
                n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
                damping += slow * dot(n, v)
                rubbing += dot(friction, v)
    return drag, damping, rubbing


@kernel
def load_factor(t, k, ints, reals):
    """Factor of point load k (1 when it has no table)."""
    load = ints[I_LOADS] + LOAD_INTS * k
    if ints[load + 2] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)


@kernel
def point_loads(t, ints, reals, work):
    """Loads on free points, added to W_FORCE."""
    for k in range(ints[N_LOADS]):
        node = ints[ints[I_LOADS] + LOAD_INTS * k]
        gain(work, ints[W_FORCE] + 3 * node, load_factor(t, k, ints, reals), vector_of(reals, ints[R_LOADS] + 3 * k))
