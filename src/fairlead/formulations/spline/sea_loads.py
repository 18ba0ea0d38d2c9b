"""What weight, water and seabed do to a node and its share of the cable."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.body import body_energies, body_loads
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.seabed_contact import bed_push
from fairlead.loads.slender import ADDED_AXIAL, ADDED_NORMAL, BUOYANCY, DIAMETER, slender_loads
from fairlead.sea.water import BED_FRICTION, BED_X, BED_Y, BED_Z, bed_gap, elevation, fluid, surface_rise

from .arrays import (
    BED_DAMPING, BED_SHEAR, BED_STIFFNESS, POINT_ADDED, POINT_DRAG, POINT_HEIGHT, POINT_LIFT, RADIUS, SHARE, SLENDER,
    vector_of,
)  # fmt: skip


@kernel
def wet_part(t, p, tangent, reals, node):
    """Submerged fraction of the share of cable at a node, and the height over which it submerges."""
    height = bar_height(tangent[2] * reals[node + SHARE], reals[node + SLENDER + DIAMETER])
    return submergence(p[2] - elevation(t, p[0], p[1], reals), height), height


@kernel
def water_loads(t, p, v, tangent, reals, node):
    """Force of the water (3), its power, and the secant of drag across.

    Buoyancy is lift times the submerged fraction; drag and the inertia of moving water are those of a slender cylinder
    along the tangent. Its power is that of drag and inertia, and σB η̇ of a surface that rises above the buoyancy B.
    """
    wet, _ = wet_part(t, p, tangent, reals, node)
    lift = wet * reals[node + SLENDER + BUOYANCY]
    force, power, cn = (0.0, 0.0, 0.0), 0.0, 0.0
    if wet > 0.0:
        force, cn = slender_loads(t, p, v, tangent, wet, reals, node + SLENDER)
        power = dot(force, v) + lift * surface_rise(t, p, v, reals)
    if reals[node + POINT_LIFT] > 0.0 or reals[node + POINT_DRAG] > 0.0:
        _, c, f, drag_power = body_loads(
            t, p, v, 0.0, 0.0, reals[node + POINT_LIFT], reals[node + POINT_DRAG], reals[node + POINT_HEIGHT], reals
        )
        force = add(force, f)
        power += drag_power
        cn += c
    if reals[node + POINT_ADDED] > 0.0:
        _, a, surface, _ = fluid(t, p[0], p[1], p[2], reals)
        f = scale(reals[node + POINT_ADDED] * submergence(p[2] - surface, reals[node + POINT_HEIGHT]), a)
        force = add(force, f)
        power += dot(f, v)
    return add(force, (0.0, 0.0, lift)), power, cn


@kernel
def added_masses(t, p, tangent, reals, node):
    """Added mass across and along the cable at a node, that of a free point's body included [kg]."""
    wet, _ = wet_part(t, p, tangent, reals, node)
    body = reals[node + POINT_ADDED]
    if body > 0.0:
        body *= submergence(p[2] - elevation(t, p[0], p[1], reals), reals[node + POINT_HEIGHT])
    return wet * reals[node + SLENDER + ADDED_NORMAL] + body, wet * reals[node + SLENDER + ADDED_AXIAL] + body


@kernel
def added_inertia(masses, tangent, a):
    """The added-mass matrix of a node on a vector: A_n a + (A_t − A_n)(t·a) t."""
    return add_scaled(scale(masses[0], a), (masses[1] - masses[0]) * dot(tangent, a), tangent)


@kernel
def buoyant_energy(t, p, tangent, reals, node):
    """Potential of the buoyancy of a node's share and of a free point's body [J]."""
    _, height = wet_part(t, p, tangent, reals, node)
    energy = buoyancy_energy(reals[node + SLENDER + BUOYANCY], p[2] - elevation(t, p[0], p[1], reals), height)
    if reals[node + POINT_LIFT] > 0.0:
        _, lifted = body_energies(
            t, p, (0.0, 0.0, 0.0), 0.0, 0.0, reals[node + POINT_LIFT], reals[node + POINT_HEIGHT], reals
        )
        energy += lifted
    return energy


@kernel
def water_energy(t, p, v, tangent, reals, node):
    """What the water keeps of a node's energy [J]: that of its added mass and of its buoyancy."""
    masses = added_masses(t, p, tangent, reals, node)
    return 0.5 * dot(v, added_inertia(masses, tangent, v)) + buoyant_energy(t, p, tangent, reals, node)


@kernel
def bed_loads(p, v, y, memory, reals, node):
    """Push of the bed on a node: whether it acts, its damping part, friction (3), force (3)."""
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    active, _, bias, _, friction = bed_push(
        reals, reals[node + RADIUS], reals[node + BED_STIFFNESS], reals[node + BED_DAMPING], reals[node + BED_SHEAR],
        0.0, p, v, y, memory, 0.0, 0.0, 0.0, 0.0,
    )  # fmt: skip
    damping = -reals[node + BED_DAMPING] * dot(n, v) if active else 0.0
    return active, damping, friction, add_scaled(friction, -bias, n)


@kernel
def mean_depth(g0, g1):
    """Mean of min(g, 0) while the gap goes evenly from g0 to g1, and its derivative by g1."""
    if g0 < 0.0 and g1 < 0.0:
        return 0.5 * (g0 + g1), 0.5
    if g1 < 0.0:
        f = g1 / (g1 - g0)
        return 0.5 * g1 * f, 0.5 * f * (2.0 - f)
    if g0 < 0.0:
        f = g0 / (g0 - g1)
        return 0.5 * g0 * f, 0.5 * f * f
    return 0.0, 0.0


@kernel
def bed_step(h, p0, p1, y, memory, reals, node):
    """Push of the bed over a step in which a node goes evenly from p0 to p1.

    Spring and damper act while the node is in the bed, so that the push changes evenly with p1 and the spring gives
    back what it stores; together they never pull. Friction is a shear spring from its anchor in the same part of the
    step, capped by the push of the step before and by twice that of this one, so that it ends evenly with it. Returns
    the force along the bed's normal [N] and its derivative by the gap at the end, the friction (3), its stiffness
    against p1 across and along the direction of sliding, and that direction.
    """
    n, radius = (reals[BED_X], reals[BED_Y], reals[BED_Z]), reals[node + RADIUS]
    g0, g1 = bed_gap(p0, radius, reals), bed_gap(p1, radius, reals)
    none = (0.0, 0.0, 0.0)
    if g0 >= 0.0 and g1 >= 0.0:
        return 0.0, 0.0, none, 0.0, 0.0, none
    depth, by_gap = mean_depth(g0, g1)
    k, c = reals[node + BED_STIFFNESS], reals[node + BED_DAMPING] / h
    push, stiff = -(k * depth + c * (min(g1, 0.0) - min(g0, 0.0))), k * by_gap + (c if g1 < 0.0 else 0.0)
    if push <= 0.0:
        return 0.0, 0.0, none, 0.0, 0.0, none
    limit, ks = reals[BED_FRICTION] * min(y[memory + 3], 2.0 * push), reals[node + BED_SHEAR]
    if limit == 0.0 or ks == 0.0:
        return push, stiff, none, 0.0, 0.0, none
    part = 1.0
    if g0 >= 0.0 or g1 >= 0.0:
        part = min(g0, g1) / (min(g0, g1) - max(g0, g1))
    slip = subtract(scale(0.5, add(p0, p1)), vector_of(y, memory))
    slip = add_scaled(slip, -dot(n, slip), n)
    size = ks * math.sqrt(dot(slip, slip))
    if size <= limit:
        return push, stiff, scale(-part * ks, slip), 0.5 * part * ks, 0.5 * part * ks, none
    share = part * limit / size
    return push, stiff, scale(-share * ks, slip), 0.5 * share * ks, 0.0, scale(ks / size, slip)
