"""Rigid uniform links between nodes: loads on them, and the equations that accelerations and multipliers obey.

M a + Gᵀλ = F and G a = −|Δv|², one row a link: φ = (|Δr|² − L²)/2, G = [−Δr, Δr] (index 1). A thin uniform rod between
its two nodes has the mass matrix m/6 [2 1; 1 2]. The tension is T = λL. Unknowns a (3) and λ of each node and the link
behind it stand together, so that the matrix is banded.
"""

from __future__ import annotations

import math

from fairlead.algebra.banded import clear, solve, unit_row, width
from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale, subtract
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.slender import slender_loads
from fairlead.rigging.elements import compact_energies, compact_loads
from fairlead.rigging.point_loads import load_of
from fairlead.sea.water import elevation, surface_rise

from .schema import FIXED, FREE, HALF

GAUSS = 0.5 / math.sqrt(3.0)


@kernel
def link_state(i, sys):
    """Positions and velocities of both ends of the link behind node i."""
    return sys.position[i].xyz, sys.position[i + 1].xyz, sys.velocity[i].xyz, sys.velocity[i + 1].xyz


@kernel
def wet_part(t, e, r0, r1, sys):
    """Submerged fraction of link e, height of its middle above the surface, and the height it submerges over."""
    z = 0.5 * (r0[2] + r1[2]) - elevation(t, 0.5 * (r0[0] + r1[0]), 0.5 * (r0[1] + r1[1]), sys.reals)
    height = bar_height(r1[2] - r0[2], sys.half[e].diameter)
    return submergence(z, height), z, height


@kernel
def masses(wet, e, sys):
    """Mass of link e across and along it, with added mass."""
    mass, both = sys.link[e].mass, 2.0 * wet
    return mass + both * sys.half[e].added_normal, mass + both * sys.half[e].added_axial


@kernel
def wet_link(t, i, e, sys):
    """Mass across and along link e behind node i, with added mass; its vector and its direction."""
    r0, r1, _, _ = link_state(i, sys)
    way, wet = subtract(r1, r0), 0.0
    if sys.water == 1:
        wet, _, _ = wet_part(t, e, r0, r1, sys)
    across, along = masses(wet, e, sys)
    return across, along, way, scale(1.0 / sys.link[e].length, way)


@kernel
def wetting_power(t, e, wet, r0, r1, v0, v1, sys):
    """Power that keeps the energy of the water beside the work of its forces [W]: ½ vᵀȦv of added masses that turn with
    the link and are wetted more or less, and σB η̇ of a surface that rises above the buoyancy B."""
    length, half = sys.link[e].length, sys.half[e]
    axis, turn = scale(1.0 / length, subtract(r1, r0)), scale(1.0 / length, subtract(v1, v0))
    across, along = 2.0 * half.added_normal, 2.0 * half.added_axial
    a0, a1, b0, b1 = dot(v0, axis), dot(v1, axis), dot(v0, turn), dot(v1, turn)
    power = wet * (along - across) / 6.0 * (2.0 * a0 * b0 + a0 * b1 + a1 * b0 + 2.0 * a1 * b1)
    middle, speed = scale(0.5, add(r0, r1)), scale(0.5, add(v0, v1))
    rise = surface_rise(t, middle, speed, sys.reals)
    power += 2.0 * wet * half.buoyancy * rise
    if wet < 1.0:
        high = r1[2] - r0[2]
        height = bar_height(high, half.diameter)
        taller = high * (v1[2] - v0[2]) / height
        wetting = (rise - speed[2] + (0.5 - wet) * taller) / height
        moved = across * (dot(v0, v0) + dot(v0, v1) + dot(v1, v1)) + (along - across) * (a0 * a0 + a0 * a1 + a1 * a1)
        power += wetting * moved / 6.0
    return power


@kernel
def link_loads(t, i, e, sys):
    """Weight, buoyancy, drag and moving water of link e behind node i, added to `force`. Returns the water's power.

    Drag and the inertia of moving water act at two Gauss points. Buoyancy acts where its potential wants it: in the
    middle of a link under water, and lower the less of it is.
    """
    link, half, upper, lower = sys.link[e], sys.half[e], sys.force[i], sys.force[i + 1]
    weight = (0.0, 0.0, 0.5 * link.weight)
    upper.f, lower.f = subtract(upper.f, weight), subtract(lower.f, weight)
    if sys.water == 0:
        return 0.0
    r0, r1, v0, v1 = link_state(i, sys)
    wet, _, height = wet_part(t, e, r0, r1, sys)
    if wet == 0.0:
        return 0.0
    lift, low = wet * half.buoyancy, 0.5 * (1.0 - wet) * (r1[2] - r0[2]) / height
    upper.f = add(upper.f, (0.0, 0.0, lift * (1.0 + 2.0 * low)))
    lower.f = add(lower.f, (0.0, 0.0, lift * (1.0 - 2.0 * low)))
    power = wetting_power(t, e, wet, r0, r1, v0, v1, sys)
    axis = scale(1.0 / link.length, subtract(r1, r0))
    for side in range(2):
        s = 0.5 - GAUSS if side == 0 else 0.5 + GAUSS
        p, v = add_scaled(scale(1.0 - s, r0), s, r1), add_scaled(scale(1.0 - s, v0), s, v1)
        f, _ = slender_loads(t, p, v, axis, wet, sys.reals, row_start(half, sys.reals))
        upper.f, lower.f = add_scaled(upper.f, 1.0 - s, f), add_scaled(lower.f, s, f)
        power += dot(f, v)
    return power


@kernel
def point_loads(t, i, force, sys):
    """`force` with that of the body of a free point and of loads at node i; inertia, powers of drag and loads."""
    body, v = sys.body[i], sys.velocity[i].xyz
    inertia, drag, driven = 0.0, 0.0, 0.0
    if body.mass > 0.0 or body.buoyancy > 0.0 or body.drag > 0.0:
        inertia, _, f, drag = compact_loads(t, sys.position[i].xyz, v, body, sys.reals)
        force = add(force, f)
    for k in range(sys.loads):
        if sys.load[k].node == i:
            f, _ = load_of(t, k, sys)
            force = add(force, f)
            driven += dot(f, v)
    return force, inertia, drag, driven


@kernel
def matrix_at(first, sys):
    """Where the matrix of the cable begins in `work` whose first node is `first`."""
    return row_start(sys.matrix[4 * first], sys.work)


@kernel
def add_mass(matrix, row, column, share, across, along, axis, work):
    """A block of a link's mass matrix: share·(m_n 1 + (m_t − m_n) t tᵀ)."""
    for j in range(3):
        at = matrix + (row + j) * width(HALF, HALF) + column - row - j + HALF
        for k in range(3):
            work[at + k] += share * (along - across) * axis[j] * axis[k]
        work[at + j] += share * across


@kernel
def fill(t, c, sys):
    """The matrix [M Gᵀ; G 0] of cable c; nothing but the links' masses: bodies are added by the caller."""
    first, count, work = sys.cable[c].first, sys.cable[c].count, sys.work
    matrix = matrix_at(first, sys)
    clear(work, matrix, 4 * (count + 1), HALF, HALF)
    for i in range(count):
        e = first - c + i
        across, along, way, axis = wet_link(t, first + i, e, sys)
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
def hold(c, sys):
    """Rows of held nodes: what is in the right-hand side there is the answer."""
    first, count = sys.cable[c].first, sys.cable[c].count
    for i in range(0, count + 1, count):
        if sys.held[first + i].control != FREE:
            for k in range(3):
                unit_row(sys.work, matrix_at(first, sys), 4 * i + k, HALF, HALF)


@kernel
def solve_cable(c, sys):
    """Solve the banded system of cable c; False when it is singular."""
    first, count = sys.cable[c].first, sys.cable[c].count
    rhs = row_start(sys.found[first], sys.work)
    return solve(sys.work, matrix_at(first, sys), rhs, 4 * (count + 1), HALF, HALF)


@kernel
def accelerations(t, c, sys):
    """a and λ of cable c into `found`; held nodes accelerate as what holds them.

    Returns whether it went well, and the powers of drag, and of held ends and loads.
    """
    first, count = sys.cable[c].first, sys.cable[c].count
    last, matrix = first + count, matrix_at(first, sys)
    for i in range(first, last + 1):
        sys.force[i].f = ZERO3
    drag, driven = 0.0, 0.0
    fill(t, c, sys)
    for i in range(first, last):
        drag += link_loads(t, i, i - c, sys)
        spin = subtract(sys.velocity[i + 1].xyz, sys.velocity[i].xyz)
        sys.found[i].multiplier = -dot(spin, spin)
    sys.found[last].multiplier = 0.0
    for i in range(first, last + 1):
        sys.found[i].a = sys.force[i].f
    for i in range(first, last + 1, count):
        force, inertia, lost, given = point_loads(t, i, sys.found[i].a, sys)
        drag += lost
        driven += given
        for k in range(3):
            sys.work[matrix + (4 * (i - first) + k) * width(HALF, HALF) + HALF] += inertia
        control = sys.held[i].control
        if control >= 0:
            force = sys.controls[control].acceleration
        elif control == FIXED:
            force = ZERO3
        sys.found[i].a = force
    hold(c, sys)
    if not solve_cable(c, sys):
        return False, 0.0, 0.0
    for i in range(first, last + 1, count):
        if sys.held[i].control >= 0:
            driven -= dot(force_on_support(t, c, i - first, sys), sys.velocity[i].xyz)
    return True, drag, driven


@kernel
def force_on_support(t, c, i, sys):
    """Force of cable c on what holds its end node i, from the solution `found`: F − M a − Gᵀλ of its links [N]."""
    first, count = sys.cable[c].first, sys.cable[c].count
    near = first if i == 0 else first + count - 1
    across, along, way, axis = wet_link(t, near, near - c, sys)
    own, other = sys.found[first + i].a, sys.found[first + (1 if i == 0 else i - 1)].a
    mean = add(scale(1.0 / 3.0, own), scale(1.0 / 6.0, other))
    inertia = add_scaled(scale(across, mean), (along - across) * dot(axis, mean), axis)
    tension = sys.found[near].multiplier
    return add_scaled(subtract(sys.force[first + i].f, inertia), tension if i == 0 else -tension, way)


@kernel
def link_energies(t, i, e, sys):
    """Kinetic energy with added mass and gravity potential with buoyancy of link e behind node i [J]."""
    link = sys.link[e]
    r0, r1, v0, v1 = link_state(i, sys)
    wet, z, height = wet_part(t, e, r0, r1, sys)
    across, along = masses(wet, e, sys)
    axis = scale(1.0 / link.length, subtract(r1, r0))
    a0, a1 = dot(v0, axis), dot(v1, axis)
    kinetic = across * (dot(v0, v0) + dot(v0, v1) + dot(v1, v1)) + (along - across) * (a0 * a0 + a0 * a1 + a1 * a1)
    lifted = buoyancy_energy(2.0 * sys.half[e].buoyancy, z, height)
    return kinetic / 6.0, link.weight * 0.5 * (r0[2] + r1[2]) + lifted


@kernel
def point_energies(t, i, sys):
    """The same of the body of a free point at node i [J]."""
    return compact_energies(t, sys.position[i].xyz, sys.velocity[i].xyz, sys.body[i], sys.reals)
