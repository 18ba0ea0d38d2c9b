"""What the water does to reduced cables, at Gauss points along the whole of each, and to the bodies of free points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, dot, unit
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.slender import slender_loads
from fairlead.rigging.elements import compact_energies, compact_loads
from fairlead.sea.water import elevation

from .runs import gain, gain_vector, vector_product


@kernel
def wet_part(t, p, tangent, wet, sys):
    """Submerged fraction of a wet point's length of cable, its height above the surface, and that it submerges over."""
    height = bar_height(tangent[2] * wet.length, wet.diameter)
    above = p[2] - elevation(t, p[0], p[1], sys.reals)
    return submergence(above, height), above, height


@kernel
def add_matrix(rows, own, other, axis, sys):
    """Add Σ rowsᵀ(own·1 + other·axis axisᵀ)rows of the coordinates to the matrix of a step."""
    k, m, reals, work = sys.modes, sys.state, sys.reals, sys.work
    for i in range(k):
        x, y, w = reals[rows + i], reals[rows + m + i], reals[rows + 2 * m + i]
        turn = other * (x * axis[0] + y * axis[1] + w * axis[2])
        at = sys.matrix.start + i * k
        gain(work, at, own * x + turn * axis[0], reals, rows, k)
        gain(work, at, own * y + turn * axis[1], reals, rows + m, k)
        gain(work, at, own * w + turn * axis[2], reals, rows + 2 * m, k)


@kernel
def at_rows(rows, z, sys):
    """The vector that three rows make of the numbers z in work."""
    return vector_product(sys.reals, rows, sys.work, z, sys.state)


@kernel
def water_rows(t, z, v, inertia, h, force, stiffen, sys):
    """Add the water's forces by z to work from `force`; with `stiffen` also what they do to the matrix of a step h.

    z, v and inertia are places, speeds and accelerations in work. Returns the power of all of it.
    """
    m, reals, work = sys.state, sys.reals, sys.work
    power = 0.0
    for g in range(sys.wets):
        wet, rows = sys.wet[g], sys.wet_row.start + 6 * m * g
        p, speed, tangent = at_rows(rows, z, sys), at_rows(rows, v, sys), unit(at_rows(rows + 3 * m, z, sys))
        part, _, _ = wet_part(t, p, tangent, wet, sys)
        if part == 0.0:
            continue
        f, secant = slender_loads(t, p, speed, tangent, part, reals, row_start(wet, reals))
        f = add(f, (0.0, 0.0, part * wet.buoyancy))
        across, along = part * wet.added_normal, part * wet.added_axial
        a = at_rows(rows, inertia, sys)
        f = add_scaled(add_scaled(f, -across, a), (across - along) * dot(tangent, a), tangent)
        power += dot(f, speed)
        gain_vector(work, force, f, reals, rows, m)
        if stiffen:
            own, other = secant / h + 2.0 * across / (h * h), 2.0 * (along - across) / (h * h)
            add_matrix(rows, own, other, tangent, sys)
    for b in range(sys.bodies):
        body, rows = sys.body[b], sys.body_row.start + 3 * m * b
        p, speed = at_rows(rows, z, sys), at_rows(rows, v, sys)
        added, secant, f, _ = compact_loads(t, p, speed, body, reals)
        f = add_scaled(f, -added, at_rows(rows, inertia, sys))
        power += dot(f, speed)
        gain_vector(work, force, f, reals, rows, m)
        if stiffen:
            add_matrix(rows, secant / h + 2.0 * added / (h * h), 0.0, (0.0, 0.0, 1.0), sys)
    return power


@kernel
def water_energies(t, z, v, sys):
    """Kinetic energy of the added mass and the potential of buoyancy [J]."""
    m = sys.state
    kinetic, lifted = 0.0, 0.0
    for g in range(sys.wets):
        wet, rows = sys.wet[g], sys.wet_row.start + 6 * m * g
        p, speed, tangent = at_rows(rows, z, sys), at_rows(rows, v, sys), unit(at_rows(rows + 3 * m, z, sys))
        part, above, height = wet_part(t, p, tangent, wet, sys)
        along = dot(speed, tangent)
        across = dot(speed, speed) - along * along
        kinetic += 0.5 * part * (wet.added_normal * across + wet.added_axial * along * along)
        lifted += buoyancy_energy(wet.buoyancy, above, height)
    for b in range(sys.bodies):
        body, rows = sys.body[b], sys.body_row.start + 3 * m * b
        p, speed = at_rows(rows, z, sys), at_rows(rows, v, sys)
        moving, up = compact_energies(t, p, speed, body, sys.reals)
        kinetic += moving
        lifted += up
    return kinetic, lifted
