"""Rigid uniform links between nodes: loads on them, and the equations that accelerations and multipliers obey.

M a + Gᵀλ = F and G a = −|Δv|², one row a link: φ = (|Δr|² − L²)/2, G = [−Δr, Δr] (index 1). A thin uniform rod between
its two nodes has the mass matrix m/6 [2 1; 1 2]. The tension is T = λL. Unknowns a (3) and λ of each node and the link
behind it stand together, so that the matrix is banded.
"""

from __future__ import annotations

import math

from fairlead.algebra.banded import clear, solve, unit_row, width
from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.body import body_energies, body_loads
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.signals import table_value
from fairlead.loads.slender import ADDED_AXIAL, ADDED_NORMAL, BUOYANCY, DIAMETER, slender_loads
from fairlead.sea.water import elevation, surface_rise

from .arrays import (
    COUNT, FIRST, HALF, I_HELD, I_LOADS, LENGTH, LOAD_INTS, MASS, N_LOADS, NODE_REALS, POINT_ADDED, POINT_DRAG,
    POINT_HEIGHT, POINT_LIFT, POINT_MASS, R_LOADS, R_NODES, R_TABLE, SLENDER, W_FORCE, W_MATRIX, W_RHS, WATER, WEIGHT,
    Y_POSITION, Y_VELOCITY, cable_at, gain, link_at, put, vector_of,
)  # fmt: skip

GAUSS = 0.5 / math.sqrt(3.0)


@kernel
def link_state(i, ints, y):
    """Positions and velocities of both ends of the link behind node i."""
    x, v = ints[Y_POSITION] + 3 * i, ints[Y_VELOCITY] + 3 * i
    return vector_of(y, x), vector_of(y, x + 3), vector_of(y, v), vector_of(y, v + 3)


@kernel
def wet_part(t, r0, r1, reals, link):
    """Submerged fraction of a link, height of its middle above the surface, and the height it submerges over."""
    z = 0.5 * (r0[2] + r1[2]) - elevation(t, 0.5 * (r0[0] + r1[0]), 0.5 * (r0[1] + r1[1]), reals)
    height = bar_height(r1[2] - r0[2], reals[link + SLENDER + DIAMETER])
    return submergence(z, height), z, height


@kernel
def masses(wet, reals, link):
    """Mass of a link across and along it, with added mass."""
    mass, both = reals[link + MASS], 2.0 * wet
    return mass + both * reals[link + SLENDER + ADDED_NORMAL], mass + both * reals[link + SLENDER + ADDED_AXIAL]


@kernel
def wetting_power(t, wet, r0, r1, v0, v1, reals, link):
    """Power that keeps the energy of the water beside the work of its forces [W]: ½ vᵀȦv of added masses that turn with
    the link and are wetted more or less, and σB η̇ of a surface that rises above the buoyancy B."""
    length, extra = reals[link + LENGTH], link + SLENDER
    axis, turn = scale(1.0 / length, subtract(r1, r0)), scale(1.0 / length, subtract(v1, v0))
    across, along = 2.0 * reals[extra + ADDED_NORMAL], 2.0 * reals[extra + ADDED_AXIAL]
    a0, a1, b0, b1 = dot(v0, axis), dot(v1, axis), dot(v0, turn), dot(v1, turn)
    power = wet * (along - across) / 6.0 * (2.0 * a0 * b0 + a0 * b1 + a1 * b0 + 2.0 * a1 * b1)
    middle, speed = scale(0.5, add(r0, r1)), scale(0.5, add(v0, v1))
    rise = surface_rise(t, middle, speed, reals)
    power += 2.0 * wet * reals[extra + BUOYANCY] * rise
    if wet < 1.0:
        high = r1[2] - r0[2]
        height = bar_height(high, reals[extra + DIAMETER])
        taller = high * (v1[2] - v0[2]) / height
        wetting = (rise - speed[2] + (0.5 - wet) * taller) / height
        moved = across * (dot(v0, v0) + dot(v0, v1) + dot(v1, v1)) + (along - across) * (a0 * a0 + a0 * a1 + a1 * a1)
        power += wetting * moved / 6.0
    return power


@kernel
def link_loads(t, i, e, ints, reals, y, work):
    """Weight, buoyancy, drag and moving water of link e behind node i, added to W_FORCE. Returns the water's power.

    Drag and the inertia of moving water act at two Gauss points. Buoyancy acts where its potential wants it: in the
    middle of a link under water, and lower the less of it is.
    """
    link, force = link_at(ints, e), ints[W_FORCE] + 3 * i
    work[force + 2] -= 0.5 * reals[link + WEIGHT]
    work[force + 5] -= 0.5 * reals[link + WEIGHT]
    if ints[WATER] == 0:
        return 0.0
    r0, r1, v0, v1 = link_state(i, ints, y)
    wet, _, height = wet_part(t, r0, r1, reals, link)
    if wet == 0.0:
        return 0.0
    lift, lower = wet * reals[link + SLENDER + BUOYANCY], 0.5 * (1.0 - wet) * (r1[2] - r0[2]) / height
    work[force + 2] += lift * (1.0 + 2.0 * lower)
    work[force + 5] += lift * (1.0 - 2.0 * lower)
    power = wetting_power(t, wet, r0, r1, v0, v1, reals, link)
    axis = scale(1.0 / reals[link + LENGTH], subtract(r1, r0))
    for side in range(2):
        s = 0.5 - GAUSS if side == 0 else 0.5 + GAUSS
        p, v = add_scaled(scale(1.0 - s, r0), s, r1), add_scaled(scale(1.0 - s, v0), s, v1)
        f, _ = slender_loads(t, p, v, axis, wet, reals, link + SLENDER)
        gain(work, force, 1.0 - s, f)
        gain(work, force + 3, s, f)
        power += dot(f, v)
    return power


@kernel
def point_loads(t, i, force, ints, reals, y, work):
    """Body of a free point and loads at node i, added to `force` in work; its inertia, powers of drag and loads."""
    node = ints[R_NODES] + NODE_REALS * i
    inertia, drag, driven = 0.0, 0.0, 0.0
    v = vector_of(y, ints[Y_VELOCITY] + 3 * i)
    if reals[node + POINT_MASS] > 0.0 or reals[node + POINT_LIFT] > 0.0 or reals[node + POINT_DRAG] > 0.0:
        inertia, _, f, drag = body_loads(
            t, vector_of(y, ints[Y_POSITION] + 3 * i), v, reals[node + POINT_MASS], reals[node + POINT_ADDED],
            reals[node + POINT_LIFT], reals[node + POINT_DRAG], reals[node + POINT_HEIGHT], reals,
        )  # fmt: skip
        gain(work, force, 1.0, f)
    for k in range(ints[N_LOADS]):
        load = ints[I_LOADS] + LOAD_INTS * k
        if ints[load] == i:
            f = vector_of(reals, ints[R_LOADS] + 3 * k)
            factor = 1.0
            if ints[load + 2] > 0:
                factor = table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)
            gain(work, force, factor, f)
            driven += factor * dot(f, v)
    return inertia, drag, driven


@kernel
def add_mass(matrix, row, column, share, across, along, axis, work):
    """A block of a link's mass matrix: share·(m_n 1 + (m_t − m_n) t tᵀ)."""
    for j in range(3):
        at = matrix + (row + j) * width(HALF, HALF) + column - row - j + HALF
        for k in range(3):
            work[at + k] += share * (along - across) * axis[j] * axis[k]
        work[at + j] += share * across


@kernel
def fill(t, c, ints, reals, y, work):
    """The matrix [M Gᵀ; G 0] of cable c; nothing but the links' masses: bodies are added by the caller."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    matrix = ints[W_MATRIX] + 4 * first * width(HALF, HALF)
    clear(work, matrix, 4 * (count + 1), HALF, HALF)
    for i in range(count):
        link = link_at(ints, first - c + i)
        r0, r1, _, _ = link_state(first + i, ints, y)
        way = subtract(r1, r0)
        wet = 0.0
        if ints[WATER] == 1:
            wet, _, _ = wet_part(t, r0, r1, reals, link)
        across, along = masses(wet, reals, link)
        axis = scale(1.0 / reals[link + LENGTH], way)
        here, there = 4 * i, 4 * i + 4
        add_mass(matrix, here, here, 1.0 / 3.0, across, along, axis, work)
        add_mass(matrix, there, there, 1.0 / 3.0, across, along, axis, work)
        add_mass(matrix, here, there, 1.0 / 6.0, across, along, axis, work)
        add_mass(matrix, there, here, 1.0 / 6.0, across, along, axis, work)
        row = 4 * i + 3
        for k in range(3):
            for sign in range(-1, 2, 2):
                node = here + k if sign < 0 else there + k
                work[matrix + row * width(HALF, HALF) + node - row + HALF] += sign * way[k]
                work[matrix + node * width(HALF, HALF) + row - node + HALF] += sign * way[k]
    unit_row(work, matrix, 4 * count + 3, HALF, HALF)


@kernel
def hold(c, ints, work):
    """Rows of held nodes: what is in the right-hand side there is the answer."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    for i in range(0, count + 1, count):
        if ints[ints[I_HELD] + first + i] != -1:
            for k in range(3):
                unit_row(work, ints[W_MATRIX] + 4 * first * width(HALF, HALF), 4 * i + k, HALF, HALF)


@kernel
def solve_cable(c, ints, work):
    """Solve the banded system of cable c; False when it is singular."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    matrix, rhs = ints[W_MATRIX] + 4 * first * width(HALF, HALF), ints[W_RHS] + 4 * first
    return solve(work, matrix, rhs, 4 * (count + 1), HALF, HALF)


@kernel
def accelerations(t, c, ends, ints, reals, y, work):
    """a and λ of cable c into W_RHS; accelerations of held nodes are those at `ends` in work, by control.

    Returns whether it went well, and the powers of drag, and of held ends and loads.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    matrix, rhs = ints[W_MATRIX] + 4 * first * width(HALF, HALF), ints[W_RHS] + 4 * first
    for k in range(ints[W_FORCE] + 3 * first, ints[W_FORCE] + 3 * (first + count + 1)):
        work[k] = 0.0
    drag, driven = 0.0, 0.0
    fill(t, c, ints, reals, y, work)
    for i in range(count):
        drag += link_loads(t, first + i, first - c + i, ints, reals, y, work)
        _, _, v0, v1 = link_state(first + i, ints, y)
        spin = subtract(v1, v0)
        work[rhs + 4 * i + 3] = -dot(spin, spin)
    work[rhs + 4 * count + 3] = 0.0
    for i in range(count + 1):
        put(work, rhs + 4 * i, vector_of(work, ints[W_FORCE] + 3 * (first + i)))
    for i in range(0, count + 1, count):
        inertia, lost, given = point_loads(t, first + i, rhs + 4 * i, ints, reals, y, work)
        drag += lost
        driven += given
        for k in range(3):
            work[matrix + (4 * i + k) * width(HALF, HALF) + HALF] += inertia
        control = ints[ints[I_HELD] + first + i]
        if control >= 0:
            put(work, rhs + 4 * i, vector_of(work, ends + 3 * control))
        elif control == -2:
            put(work, rhs + 4 * i, (0.0, 0.0, 0.0))
    hold(c, ints, work)
    if not solve_cable(c, ints, work):
        return False, 0.0, 0.0
    for i in range(0, count + 1, count):
        if ints[ints[I_HELD] + first + i] >= 0:
            pull = force_on_support(t, c, i, ints, reals, y, work)
            driven -= dot(pull, vector_of(y, ints[Y_VELOCITY] + 3 * (first + i)))
    return True, drag, driven


@kernel
def force_on_support(t, c, i, ints, reals, y, work):
    """Force of cable c on what holds its end node i, from the solution in W_RHS: F − M a − Gᵀλ of its links [N]."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    rhs = ints[W_RHS] + 4 * first
    near = 0 if i == 0 else count - 1
    link = link_at(ints, first - c + near)
    r0, r1, _, _ = link_state(first + near, ints, y)
    way = subtract(r1, r0)
    wet = 0.0
    if ints[WATER] == 1:
        wet, _, _ = wet_part(t, r0, r1, reals, link)
    across, along = masses(wet, reals, link)
    axis = scale(1.0 / reals[link + LENGTH], way)
    own, other = vector_of(work, rhs + 4 * i), vector_of(work, rhs + 4 * (1 if i == 0 else i - 1))
    mean = add(scale(1.0 / 3.0, own), scale(1.0 / 6.0, other))
    inertia = add_scaled(scale(across, mean), (along - across) * dot(axis, mean), axis)
    tension = work[rhs + 4 * near + 3]
    force = subtract(vector_of(work, ints[W_FORCE] + 3 * (first + i)), inertia)
    return add_scaled(force, tension if i == 0 else -tension, way)


@kernel
def link_energies(t, i, e, ints, reals, y):
    """Kinetic energy with added mass and gravity potential with buoyancy of a link [J]."""
    link = link_at(ints, e)
    r0, r1, v0, v1 = link_state(i, ints, y)
    wet, z, height = wet_part(t, r0, r1, reals, link)
    across, along = masses(wet, reals, link)
    axis = scale(1.0 / reals[link + LENGTH], subtract(r1, r0))
    a0, a1 = dot(v0, axis), dot(v1, axis)
    kinetic = across * (dot(v0, v0) + dot(v0, v1) + dot(v1, v1)) + (along - across) * (a0 * a0 + a0 * a1 + a1 * a1)
    lifted = buoyancy_energy(2.0 * reals[link + SLENDER + BUOYANCY], z, height)
    return kinetic / 6.0, reals[link + WEIGHT] * 0.5 * (r0[2] + r1[2]) + lifted


@kernel
def point_energies(t, i, ints, reals, y):
    """The same of the body of a free point at node i [J]."""
    node = ints[R_NODES] + NODE_REALS * i
    return body_energies(
        t, vector_of(y, ints[Y_POSITION] + 3 * i), vector_of(y, ints[Y_VELOCITY] + 3 * i), reals[node + POINT_MASS],
        reals[node + POINT_ADDED], reals[node + POINT_LIFT], reals[node + POINT_HEIGHT], reals,
    )  # fmt: skip
