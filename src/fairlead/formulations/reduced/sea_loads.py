"""What the water does to a reduced cable, at Gauss points along the whole of it."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, axial_secant, normal_secant
from fairlead.sea.water import elevation, fluid

from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BUOYANCY, DIAMETER, DRAG_AXIAL, DRAG_LAW, DRAG_NORMAL, LENGTH, MODES, N_WET, R_WET,
    REYNOLDS, W_MATRIX, WET_REALS, gain, gain_vector, vector_product,
)  # fmt: skip


@kernel
def point_loads(t, p, v, tangent, reals, at):
    """Buoyancy and drag of a wet point's length of cable (3), power of the drag, its secant, submerged fraction."""
    height = bar_height(tangent[2] * reals[at + LENGTH], reals[at + DIAMETER])
    wet = submergence(p[2] - elevation(t, p[0], p[1], reals), height)
    force = (0.0, 0.0, wet * reals[at + BUOYANCY])
    law = reals[at + DRAG_LAW]
    if wet == 0.0 or law == NONE:
        return force, 0.0, 0.0, wet
    flow, _, _, _ = fluid(t, p[0], p[1], p[2], reals)
    u = subtract(v, flow)
    along = dot(u, tangent)
    across = add_scaled(u, -along, tangent)
    normal2 = dot(across, across)
    cn = wet * normal_secant(law, reals[at + DRAG_NORMAL], math.sqrt(normal2), reals[at + REYNOLDS])
    speed = math.sqrt(normal2 + along * along)
    ct = wet * axial_secant(law, reals[at + DRAG_AXIAL], abs(along), speed, reals[at + REYNOLDS])
    drag = add_scaled(scale(-cn, across), -ct * along, tangent)
    return add(force, drag), dot(drag, v), cn, wet


@kernel
def unit(a):
    """a/|a|."""
    return scale(1.0 / math.sqrt(dot(a, a)), a)


@kernel
def water_rows(t, z, v, inertia, h, force, ints, reals, work):
    """Add the water's forces by z to work from `force`; with h > 0 also what they do to the matrix of a step.

    z, v and inertia are places, speeds and accelerations in work. Returns the power of drag.
    """
    k = ints[MODES]
    m = k + 7
    power = 0.0
    for g in range(ints[N_WET]):
        at = ints[R_WET] + g * (WET_REALS + 6 * m)
        rows = at + WET_REALS
        p, speed = vector_product(reals, rows, work, z, m), vector_product(reals, rows, work, v, m)
        tangent = unit(vector_product(reals, rows + 3 * m, work, z, m))
        f, drag, secant, wet = point_loads(t, p, speed, tangent, reals, at)
        power += drag
        across, along = wet * reals[at + ADDED_NORMAL], wet * reals[at + ADDED_AXIAL]
        if across > 0.0 or along > 0.0:
            a = vector_product(reals, rows, work, inertia, m)
            f = add_scaled(add_scaled(f, -across, a), (across - along) * dot(tangent, a), tangent)
        gain_vector(work, force, f, reals, rows, m)
        if h > 0.0:
            own, other = secant / h + 2.0 * across / (h * h), 2.0 * (along - across) / (h * h)
            for i in range(k):
                x, y, w = reals[rows + i], reals[rows + m + i], reals[rows + 2 * m + i]
                turn = other * (x * tangent[0] + y * tangent[1] + w * tangent[2])
                x = own * x + turn * tangent[0]
                y = own * y + turn * tangent[1]
                w = own * w + turn * tangent[2]
                at_row = ints[W_MATRIX] + i * k
                gain(work, at_row, x, reals, rows, k)
                gain(work, at_row, y, reals, rows + m, k)
                gain(work, at_row, w, reals, rows + 2 * m, k)
    return power


@kernel
def water_energies(t, z, v, ints, reals, work):
    """Kinetic energy of the added mass and the potential of buoyancy [J]."""
    m = ints[MODES] + 7
    kinetic, lifted = 0.0, 0.0
    for g in range(ints[N_WET]):
        at = ints[R_WET] + g * (WET_REALS + 6 * m)
        rows = at + WET_REALS
        p, speed = vector_product(reals, rows, work, z, m), vector_product(reals, rows, work, v, m)
        tangent = unit(vector_product(reals, rows + 3 * m, work, z, m))
        height = bar_height(tangent[2] * reals[at + LENGTH], reals[at + DIAMETER])
        surface = elevation(t, p[0], p[1], reals)
        wet = submergence(p[2] - surface, height)
        along = dot(speed, tangent)
        across = dot(speed, speed) - along * along
        kinetic += 0.5 * wet * (reals[at + ADDED_NORMAL] * across + reals[at + ADDED_AXIAL] * along * along)
        lifted += buoyancy_energy(reals[at + BUOYANCY], p[2] - surface, height)
    return kinetic, lifted
