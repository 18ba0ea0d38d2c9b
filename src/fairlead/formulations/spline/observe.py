"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.body import body_loads
from fairlead.loads.reported import node_line, report_point, report_totals
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR,
    NODE_TENSION, NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS,
)  # fmt: skip
from fairlead.sea.water import bed_gap

from .arrays import (
    BED, BED_STIFFNESS, COMPLIANCE, COUNT, EA, EI, FIRST, I_HELD, I_LOADS, I_POINTS, LENGTH, LOAD_INTS,
    N_CABLES, N_LOADS, N_POINTS, POINT_ADDED, POINT_DRAG, POINT_HEIGHT, POINT_INTS, POINT_LIFT, POINT_MASS, PULL_END,
    PULL_START, R_LOADS, R_POINTS, RADIUS, TWISTED, W_CURVATURE, W_FORCE, W_PULL, W_PUSH, W_SLOPE, W_SOLVE, WATER,
    WEIGHT, Y_ACCELERATION, Y_CONTROLS, Y_LEDGER, Y_POSITION, Y_TENSION, Y_TORQUE, Y_VELOCITY, cable_at, cable_reals,
    element_at, gain, node_at, put, vector_of,
)  # fmt: skip
from .curve import slope
from .element import elongation, mean_strain, stretch
from .forces import OK, load_factor
from .inertia import MASS_BAND, accelerate, add_water, banded_product, kinetic_energy
from .sea_loads import buoyant_energy
from .verlet import forces, held_state, refresh_tangents


@kernel
def stored_energy(c, ints, reals, y, work):
    """Energy of stretching and bending of cable c [J]."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    energy = 0.0
    for i in range(count):
        element = element_at(ints, first - c + i)
        h = reals[element + LENGTH]
        d = slope(y, ints[Y_POSITION] + 3 * (first + i), h)
        c0 = vector_of(work, ints[W_CURVATURE] + 3 * (first + i))
        c1 = vector_of(work, ints[W_CURVATURE] + 3 * (first + i) + 3)
        e = elongation(mean_strain(d, c0, c1, h))
        energy += 0.5 * reals[element + EA] * h * e * e
        energy += reals[element + EI] * h / 6.0 * (dot(c0, c0) + dot(c0, c1) + dot(c1, c1))
    return energy


@kernel
def bed_energy(i, ints, reals, y):
    """Energy stored in the bed under node i [J]."""
    node = node_at(ints, i)
    gap = bed_gap(vector_of(y, ints[Y_POSITION] + 3 * i), reals[node + RADIUS], reals)
    return 0.5 * reals[node + BED_STIFFNESS] * gap * gap if gap < 0.0 else 0.0


@kernel
def force_on_support(t, c, side, ints, reals, y, work):
    """Force of cable c on what holds its end [N]; W_SOLVE holds its inertia forces M a.

    A held end takes what is left of the forces on its node. A free point takes what moves its body against the loads.
    """
    cable = cable_at(ints, c)
    i = ints[cable + FIRST] + side * ints[cable + COUNT]
    node = node_at(ints, i)
    inertia = vector_of(work, ints[W_SOLVE] + 12 * ints[cable + FIRST] + 3 * side * ints[cable + COUNT])
    if ints[ints[I_HELD] + i] != -1:
        return subtract(vector_of(work, ints[W_FORCE] + 3 * i), inertia)
    p, v = vector_of(y, ints[Y_POSITION] + 3 * i), vector_of(y, ints[Y_VELOCITY] + 3 * i)
    mass, _, f, _ = body_loads(
        t, p, v, reals[node + POINT_MASS], reals[node + POINT_ADDED], reals[node + POINT_LIFT],
        reals[node + POINT_DRAG], reals[node + POINT_HEIGHT], reals,
    )  # fmt: skip
    force = subtract(scale(mass, vector_of(y, ints[Y_ACCELERATION] + 3 * i)), f)
    for k in range(ints[N_LOADS]):
        if ints[ints[I_LOADS] + LOAD_INTS * k] == i:
            force = add_scaled(force, -load_factor(t, k, ints, reals), vector_of(reals, ints[R_LOADS] + 3 * k))
    return force


@kernel
def whole_accelerations(t, c, ints, reals, y, work):
    """Accelerations of all nodes of cable c into y, and M a with added mass into W_SOLVE."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    a = ints[Y_ACCELERATION] + 3 * first
    accelerate(t, c, ints, reals, y, work)
    start, end = vector_of(y, a), vector_of(y, a + 3 * count)
    for i in range(count + 1):
        if ints[ints[I_HELD] + first + i] == -1:
            node = node_at(ints, first + i)
            gain(y, a + 3 * i, reals[node + PULL_START], start)
            gain(y, a + 3 * i, reals[node + PULL_END], end)
    banded_product(c, MASS_BAND, y, a, ints, reals, work, ints[W_SOLVE] + 12 * first)
    if ints[WATER] == 1:
        add_water(t, c, y, a, ints, reals, y, work, work, ints[W_SOLVE] + 12 * first)


@kernel
def element_tension(c, i, ints, reals, y, work):
    """Tension in the middle of element i of cable c: what acts on the Green strain times the stretch [N]."""
    first = ints[cable_at(ints, c) + FIRST]
    h, curved = reals[element_at(ints, first - c + i) + LENGTH], ints[W_CURVATURE] + 3 * (first + i)
    d = slope(y, ints[Y_POSITION] + 3 * (first + i), h)
    s = stretch(mean_strain(d, vector_of(work, curved), vector_of(work, curved + 3), h))
    return s * y[ints[Y_TENSION] + first - c + i]


@kernel
def node_tension(c, i, ints, reals, y, work):
    """Tension at node i of cable c, on the line through the middles of the two elements nearest to it."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST] - c, ints[cable + COUNT]
    if count == 1:
        return element_tension(c, 0, ints, reals, y, work)
    k = min(max(i - 1, 0), count - 2)
    h0, h1 = reals[element_at(ints, first + k) + LENGTH], reals[element_at(ints, first + k + 1) + LENGTH]
    t0, t1 = element_tension(c, k, ints, reals, y, work), element_tension(c, k + 1, ints, reals, y, work)
    return node_line(i, count, h0, h1, t0, t1)


@kernel
def node_shear(c, i, ints, work):
    """Force across the cable at node i: that of its elements, half each."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    at = ints[W_PULL] + 3 * (first - c)
    force = add(vector_of(work, at + 3 * max(i - 1, 0)), vector_of(work, at + 3 * min(i, count - 1)))
    tangent = vector_of(work, ints[W_SLOPE] + 3 * (first + i))
    across = add_scaled(force, -dot(force, tangent), tangent)
    return 0.5 * math.sqrt(dot(across, across))


@kernel
def observe(t, h, u, ints, reals, y, work, out):
    """Fill one observation row for the state at t. `y` is scratched: pass a copy. Returns a status."""
    refresh_tangents(ints, reals, y, work)
    status, _, _, _ = forces(t, False, h, u, ints, reals, y, work)
    if status != OK:
        return status
    kinetic, gravity, elastic, tension_max = 0.0, 0.0, 0.0, -math.inf
    at = 0
    for c in range(ints[N_CABLES]):
        cable, fixed = cable_at(ints, c), cable_reals(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        torque = y[ints[Y_TORQUE] + c]
        elastic += stored_energy(c, ints, reals, y, work)
        if ints[cable + TWISTED] == 1:
            elastic += 0.5 * torque * torque * reals[fixed + COMPLIANCE]
        for i in range(count + 1):
            k = first + i
            element = element_at(ints, k - c - (1 if i == count else 0))
            bent = vector_of(work, ints[W_CURVATURE] + 3 * k)
            tension = node_tension(c, i, ints, reals, y, work)
            tension_max = max(tension_max, tension)
            place = vector_of(y, ints[Y_POSITION] + 3 * k)
            node = node_at(ints, k)
            gravity += reals[node + WEIGHT] * place[2]
            gravity += buoyant_energy(t, place, vector_of(work, ints[W_SLOPE] + 3 * k), reals, node)
            put(out, at + NODE_POSITION, place)
            put(out, at + NODE_VELOCITY, vector_of(y, ints[Y_VELOCITY] + 3 * k))
            if ints[ints[I_HELD] + k] >= 0:  # the midpoint rule has its own
                put(out, at + NODE_VELOCITY, held_state(k, ints, y)[1])
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = node_shear(c, i, ints, work)
            out[at + NODE_BENDING_MOMENT] = reals[element + EI] * math.sqrt(dot(bent, bent))
            out[at + NODE_TORSION] = torque
            put(out, at + NODE_CONTACT_FORCE, (0.0, 0.0, 0.0))
            if ints[BED] == 1:
                put(out, at + NODE_CONTACT_FORCE, vector_of(work, ints[W_PUSH] + 3 * k))
                elastic += bed_energy(k, ints, reals, y)
            at += NODE_COLUMNS
    for c in range(ints[N_CABLES]):
        kinetic += kinetic_energy(t, c, ints[Y_VELOCITY] + 3 * ints[cable_at(ints, c) + FIRST], ints, reals, y, work)
        whole_accelerations(t, c, ints, reals, y, work)
        for side in range(2):
            put(out, at + END_FORCE_START + 3 * side, force_on_support(t, c, side, ints, reals, y, work))
        at += END_COLUMNS
    for k in range(ints[N_POINTS]):
        node, control = ints[ints[I_POINTS] + POINT_INTS * k], ints[ints[I_POINTS] + POINT_INTS * k + 1]
        if node >= 0 and control < 0:
            put(out, at, vector_of(y, ints[Y_POSITION] + 3 * node))
            put(out, at + 3, vector_of(y, ints[Y_VELOCITY] + 3 * node))
        else:
            report_point(control, k, ints[Y_CONTROLS], 6, ints[R_POINTS], reals, y, out, at)
        at += POINT_COLUMNS
    report_totals(kinetic, gravity, elastic, tension_max, ints[Y_LEDGER], y, out, at)
    return OK
