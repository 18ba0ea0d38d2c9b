"""What the water does to reduced cables, at Gauss points along the whole of each, and to the bodies of free points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale
from fairlead.loads.body import body_energies, body_loads
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.slender import ADDED_AXIAL, ADDED_NORMAL, BUOYANCY, DIAMETER, slender_loads
from fairlead.sea.water import elevation

from .arrays import (
    BODY_ADDED, BODY_DRAG, BODY_HEIGHT, BODY_LIFT, BODY_REALS, LENGTH, MODES, N_BODIES, N_WET, R_BODIES, R_WET, STATE,
    W_MATRIX, WET_REALS, gain, gain_vector, vector_product,
)  # fmt: skip


@kernel
def unit(a):
    """a/|a|."""
    return scale(1.0 / math.sqrt(dot(a, a)), a)


@kernel
def wet_part(t, p, tangent, reals, at):
    """Submerged fraction of a wet point's length of cable, its height above the surface, and that it submerges over."""
    height = bar_height(tangent[2] * reals[at + LENGTH], reals[at + DIAMETER])
    above = p[2] - elevation(t, p[0], p[1], reals)
    return submergence(above, height), above, height


@kernel
def add_matrix(rows, own, other, axis, ints, reals, work):
    """Add Σ rowsᵀ(own·1 + other·axis axisᵀ)rows of the coordinates to the matrix of a step."""
    k, m = ints[MODES], ints[STATE]
    for i in range(k):
        x, y, w = reals[rows + i], reals[rows + m + i], reals[rows + 2 * m + i]
        turn = other * (x * axis[0] + y * axis[1] + w * axis[2])
        at = ints[W_MATRIX] + i * k
        gain(work, at, own * x + turn * axis[0], reals, rows, k)
        gain(work, at, own * y + turn * axis[1], reals, rows + m, k)
        gain(work, at, own * w + turn * axis[2], reals, rows + 2 * m, k)


@kernel
def water_rows(t, z, v, inertia, h, force, stiffen, ints, reals, work):
    """Add the water's forces by z to work from `force`; with `stiffen` also what they do to the matrix of a step h.

    z, v and inertia are places, speeds and accelerations in work. Returns the power of all of it.
    """
    m = ints[STATE]
    power = 0.0
    for g in range(ints[N_WET]):
        at = ints[R_WET] + g * (WET_REALS + 6 * m)
        rows = at + WET_REALS
        p, speed = vector_product(reals, rows, work, z, m), vector_product(reals, rows, work, v, m)
        tangent = unit(vector_product(reals, rows + 3 * m, work, z, m))
        wet, _, _ = wet_part(t, p, tangent, reals, at)
        if wet == 0.0:
            continue
        f, secant = slender_loads(t, p, speed, tangent, wet, reals, at)
        f = add(f, (0.0, 0.0, wet * reals[at + BUOYANCY]))
        across, along = wet * reals[at + ADDED_NORMAL], wet * reals[at + ADDED_AXIAL]
        a = vector_product(reals, rows, work, inertia, m)
        f = add_scaled(add_scaled(f, -across, a), (across - along) * dot(tangent, a), tangent)
        power += dot(f, speed)
        gain_vector(work, force, f, reals, rows, m)
        if stiffen:
            own, other = secant / h + 2.0 * across / (h * h), 2.0 * (along - across) / (h * h)
            add_matrix(rows, own, other, tangent, ints, reals, work)
    for b in range(ints[N_BODIES]):
        at = ints[R_BODIES] + b * (BODY_REALS + 3 * m)
        rows = at + BODY_REALS
        p, speed = vector_product(reals, rows, work, z, m), vector_product(reals, rows, work, v, m)
        added, secant, f, _ = body_loads(
            t, p, speed, 0.0, reals[at + BODY_ADDED], reals[at + BODY_LIFT], reals[at + BODY_DRAG],
            reals[at + BODY_HEIGHT], reals,
        )  # fmt: skip
        f = add_scaled(f, -added, vector_product(reals, rows, work, inertia, m))
        power += dot(f, speed)
        gain_vector(work, force, f, reals, rows, m)
        if stiffen:
            add_matrix(rows, secant / h + 2.0 * added / (h * h), 0.0, (0.0, 0.0, 1.0), ints, reals, work)
    return power


@kernel
def water_energies(t, z, v, ints, reals, work):
    """Kinetic energy of the added mass and the potential of buoyancy [J]."""
    m = ints[STATE]
    kinetic, lifted = 0.0, 0.0
    for g in range(ints[N_WET]):
        at = ints[R_WET] + g * (WET_REALS + 6 * m)
        rows = at + WET_REALS
        p, speed = vector_product(reals, rows, work, z, m), vector_product(reals, rows, work, v, m)
        tangent = unit(vector_product(reals, rows + 3 * m, work, z, m))
        wet, above, height = wet_part(t, p, tangent, reals, at)
        along = dot(speed, tangent)
        across = dot(speed, speed) - along * along
        kinetic += 0.5 * wet * (reals[at + ADDED_NORMAL] * across + reals[at + ADDED_AXIAL] * along * along)
        lifted += buoyancy_energy(reals[at + BUOYANCY], above, height)
    for b in range(ints[N_BODIES]):
        at = ints[R_BODIES] + b * (BODY_REALS + 3 * m)
        rows = at + BODY_REALS
        p, speed = vector_product(reals, rows, work, z, m), vector_product(reals, rows, work, v, m)
        moving, up = body_energies(
            t, p, speed, 0.0, reals[at + BODY_ADDED], reals[at + BODY_LIFT], reals[at + BODY_HEIGHT], reals
        )
        kinetic += moving
        lifted += up
    return kinetic, lifted
