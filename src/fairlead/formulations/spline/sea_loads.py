"""What weight, water and seabed do to a node and its share of the cable."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.body import body_energies, body_loads
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.seabed_contact import bed_push
from fairlead.loads.slender import slender_loads
from fairlead.sea.water import BED_FRICTION, bed_gap, bed_normal, elevation, fluid, surface_rise


@kernel
def height_of(p, t, sys):
    """Height of a place above the surface [m]."""
    return p[2] - elevation(t, p[0], p[1], sys.reals)


@kernel
def wet_part(t, p, tangent, i, sys):
    """Submerged fraction of the share of cable at node i, and the height over which it submerges."""
    height = bar_height(tangent[2] * sys.node[i].share, sys.slender[i].diameter)
    return submergence(height_of(p, t, sys), height), height


@kernel
def water_loads(t, p, v, tangent, i, sys):
    """Force of the water on node i (3), its power, and the secant of drag across.

    Buoyancy is lift times the submerged fraction; drag and the inertia of moving water are those of a slender cylinder
    along the tangent. Its power is that of drag and inertia, and σB η̇ of a surface that rises above the buoyancy B.
    """
    node, sea = sys.node[i], sys.reals
    wet, _ = wet_part(t, p, tangent, i, sys)
    lift = wet * sys.slender[i].buoyancy
    force, power, cn = (0.0, 0.0, 0.0), 0.0, 0.0
    if wet > 0.0:
        force, cn = slender_loads(t, p, v, tangent, wet, sea, row_start(sys.slender[i], sea))
        power = dot(force, v) + lift * surface_rise(t, p, v, sea)
    if node.buoyancy > 0.0 or node.drag > 0.0:
        _, c, f, drag_power = body_loads(t, p, v, 0.0, 0.0, node.buoyancy, node.drag, node.height, sea)
        force = add(force, f)
        power += drag_power
        cn += c
    if node.added > 0.0:
        _, a, surface, _ = fluid(t, p[0], p[1], p[2], sea)
        f = scale(node.added * submergence(p[2] - surface, node.height), a)
        force = add(force, f)
        power += dot(f, v)
    return add(force, (0.0, 0.0, lift)), power, cn


@kernel
def added_masses(t, p, tangent, i, sys):
    """Added mass across and along the cable at node i, that of a free point's body included [kg]."""
    wet, _ = wet_part(t, p, tangent, i, sys)
    body = sys.node[i].added
    if body > 0.0:
        body *= submergence(height_of(p, t, sys), sys.node[i].height)
    return wet * sys.slender[i].added_normal + body, wet * sys.slender[i].added_axial + body


@kernel
def added_inertia(masses, tangent, a):
    """The added-mass matrix of a node on a vector: A_n a + (A_t − A_n)(t·a) t."""
    return add_scaled(scale(masses[0], a), (masses[1] - masses[0]) * dot(tangent, a), tangent)


@kernel
def buoyant_energy(t, p, tangent, i, sys):
    """Potential of the buoyancy of a node's share and of a free point's body [J]."""
    _, height = wet_part(t, p, tangent, i, sys)
    energy = buoyancy_energy(sys.slender[i].buoyancy, height_of(p, t, sys), height)
    node = sys.node[i]
    if node.buoyancy > 0.0:
        energy += body_energies(t, p, (0.0, 0.0, 0.0), 0.0, 0.0, node.buoyancy, node.height, sys.reals)[1]
    return energy


@kernel
def turning_energy(t, p, before, after, i, sys):
    """What the turn of the share of cable at node i changes in the potential of its buoyancy [J], its place as it is.

    The buoyancy itself does not turn the cable: at the surface, where the potential depends on the height over which
    the share submerges, this is given by the water.
    """
    share, slender = sys.node[i].share, sys.slender[i]
    old, new = bar_height(before[2] * share, slender.diameter), bar_height(after[2] * share, slender.diameter)
    z = height_of(p, t, sys)
    if old == new or abs(z) >= 0.5 * max(old, new):
        return 0.0
    return buoyancy_energy(slender.buoyancy, z, new) - buoyancy_energy(slender.buoyancy, z, old)


@kernel
def water_energy(t, p, v, tangent, i, sys):
    """What the water keeps of a node's energy [J]: that of its added mass and of its buoyancy."""
    masses = added_masses(t, p, tangent, i, sys)
    return 0.5 * dot(v, added_inertia(masses, tangent, v)) + buoyant_energy(t, p, tangent, i, sys)


@kernel
def bed_loads(p, v, i, sys):
    """Push of the bed on node i: whether it acts, its damping part, friction (3), force (3)."""
    node = sys.node[i]
    active, _, bias, _, friction, n = bed_push(
        sys.reals, node.radius, node.bed_stiffness, node.bed_damping, node.bed_shear,
        0.0, p, v, sys.y, row_start(sys.contact[i], sys.y), 0.0, 0.0, 0.0, 0.0,
    )  # fmt: skip
    damping = -node.bed_damping * dot(n, v) if active else 0.0
    return active, damping, friction, add_scaled(friction, -bias, n)


@kernel
def bed_energy(p, i, sys):
    """Energy stored in the bed under node i at p [J]."""
    gap = min(bed_gap(p, sys.node[i].radius, sys.reals), 0.0)
    return 0.5 * sys.node[i].bed_stiffness * gap * gap


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
def bed_step(h, p0, p1, i, sys):
    """Push of the bed over a step in which node i goes evenly from p0 to p1.

    Spring and damper act while the node is in the bed, so that the push changes evenly with p1 and the spring gives
    back what it stores; together they never pull. Friction is a shear spring from its anchor in the same part of the
    step, capped by the push of the step before and by twice that of this one, so that it ends evenly with it. Returns
    the force along the bed's normal [N] and its derivative by the gap at the end, the friction (3), its stiffness
    against p1 across and along the direction of sliding, and that direction.
    """
    n, node, contact = bed_normal(p0, sys.reals), sys.node[i], sys.contact[i]
    g0, g1 = bed_gap(p0, node.radius, sys.reals), bed_gap(p1, node.radius, sys.reals)
    none = (0.0, 0.0, 0.0)
    if g0 >= 0.0 and g1 >= 0.0:
        return 0.0, 0.0, none, 0.0, 0.0, none
    depth, by_gap = mean_depth(g0, g1)
    k, c = node.bed_stiffness, node.bed_damping / h
    push, stiff = -(k * depth + c * (min(g1, 0.0) - min(g0, 0.0))), k * by_gap + (c if g1 < 0.0 else 0.0)
    if push <= 0.0:
        return 0.0, 0.0, none, 0.0, 0.0, none
    limit, ks = sys.reals[BED_FRICTION] * min(contact.normal_force, 2.0 * push), node.bed_shear
    if limit == 0.0 or ks == 0.0:
        return push, stiff, none, 0.0, 0.0, none
    part = 1.0
    if g0 >= 0.0 or g1 >= 0.0:
        part = min(g0, g1) / (min(g0, g1) - max(g0, g1))
    slip = subtract(scale(0.5, add(p0, p1)), contact.anchor)
    slip = add_scaled(slip, -dot(n, slip), n)
    size = ks * math.sqrt(dot(slip, slip))
    if size <= limit:
        return push, stiff, scale(-part * ks, slip), 0.5 * part * ks, 0.5 * part * ks, none
    share = part * limit / size
    return push, stiff, scale(-share * ks, slip), 0.5 * share * ks, 0.0, scale(ks / size, slip)
