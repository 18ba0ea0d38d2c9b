"""What weight, water and seabed do to a node and its share of the cable."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.body import body_energies, body_loads
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, axial_secant, normal_secant
from fairlead.loads.seabed_contact import bed_push
from fairlead.sea.water import BED_X, BED_Y, BED_Z, elevation, fluid

from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BED_DAMPING, BED_SHEAR, BED_STIFFNESS, BUOYANCY, DIAMETER, DRAG_AXIAL, DRAG_LAW,
    DRAG_NORMAL, POINT_ADDED, POINT_DRAG, POINT_HEIGHT, POINT_LIFT, RADIUS, REYNOLDS, SHARE, WEIGHT,
)  # fmt: skip


@kernel
def wet_part(t, p, tangent, reals, node):
    """Submerged fraction of the share of cable at a node, and the height over which it submerges."""
    height = bar_height(tangent[2] * reals[node + SHARE], reals[node + DIAMETER])
    return submergence(p[2] - elevation(t, p[0], p[1], reals), height), height


@kernel
def water_loads(t, p, v, tangent, reals, node):
    """Force of the water (3), power of its drag, and the secants of drag across and along.

    Buoyancy is lift times the submerged fraction; drag is that of a slender cylinder along the tangent.
    """
    wet, _ = wet_part(t, p, tangent, reals, node)
    force = (0.0, 0.0, wet * reals[node + BUOYANCY])
    power, cn = 0.0, 0.0
    if wet > 0.0 and reals[node + DRAG_LAW] != NONE:
        flow, _, _, _ = fluid(t, p[0], p[1], p[2], reals)
        u = subtract(v, flow)
        along = dot(u, tangent)
        across = add_scaled(u, -along, tangent)
        normal2 = dot(across, across)
        law, reynolds = reals[node + DRAG_LAW], reals[node + REYNOLDS]
        cn = wet * normal_secant(law, reals[node + DRAG_NORMAL], math.sqrt(normal2), reynolds)
        speed = math.sqrt(normal2 + along * along)
        ct = wet * axial_secant(law, reals[node + DRAG_AXIAL], abs(along), speed, reynolds)
        drag = add_scaled(scale(-cn, across), -ct * along, tangent)
        power = dot(drag, v)
        force = add(force, drag)
    if reals[node + POINT_LIFT] > 0.0 or reals[node + POINT_DRAG] > 0.0:
        _, c, f, drag_power = body_loads(
            t, p, v, 0.0, 0.0, reals[node + POINT_LIFT], reals[node + POINT_DRAG], reals[node + POINT_HEIGHT], reals
        )
        force = add(force, f)
        power += drag_power
        cn += c
    return force, power, cn


@kernel
def added_masses(t, p, tangent, reals, node):
    """Added mass across and along the cable at a node, that of a free point's body included [kg]."""
    wet, _ = wet_part(t, p, tangent, reals, node)
    body = reals[node + POINT_ADDED]
    if body > 0.0:
        body *= submergence(p[2] - elevation(t, p[0], p[1], reals), reals[node + POINT_HEIGHT])
    return wet * reals[node + ADDED_NORMAL] + body, wet * reals[node + ADDED_AXIAL] + body


@kernel
def added_inertia(masses, tangent, a):
    """The added-mass matrix of a node on a vector: A_n a + (A_t − A_n)(t·a) t."""
    return add_scaled(scale(masses[0], a), (masses[1] - masses[0]) * dot(tangent, a), tangent)


@kernel
def lifted_energy(t, p, tangent, reals, node):
    """Gravity potential of a node's share less its buoyancy, and of a free point's body [J]."""
    surface = elevation(t, p[0], p[1], reals)
    _, height = wet_part(t, p, tangent, reals, node)
    energy = reals[node + WEIGHT] * p[2] + buoyancy_energy(reals[node + BUOYANCY], p[2] - surface, height)
    if reals[node + POINT_LIFT] > 0.0:
        _, lifted = body_energies(
            t, p, (0.0, 0.0, 0.0), 0.0, 0.0, reals[node + POINT_LIFT], reals[node + POINT_HEIGHT], reals
        )
        energy += lifted
    return energy


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
