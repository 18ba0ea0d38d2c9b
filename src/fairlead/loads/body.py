"""A small compact body in the water (a free point, a clump weight, a float): loads and energy.

It is round for the water: one added mass, one drag area, and it submerges over the height of a sphere of its volume.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads.buoyancy import buoyancy_energy, submergence
from fairlead.sea.water import GRAVITY, elevation, fluid, surface_rise


@kernel
def body_loads(t, p, v, mass, added, lift, drag_factor, height, sea):
    """Inertia with added mass [kg], drag secant c [N s/m], force (3) of weight and water [N] and the water's power [W].

    `lift` is ρgV, `drag_factor` ½ρ C_d A; the drag force is −c·u with u relative to the water. Water that accelerates
    with a pushes with σ(ρV + A) a. While the wet part σ changes the added water changes the kinetic energy by ½σ̇A v²,
    and a raised surface ζ the potential by ρgV σ̇ζ.
    """
    flow, push, surface, _ = fluid(t, p[0], p[1], p[2], sea)
    wet = submergence(p[2] - surface, height)
    u = subtract(v, flow)
    c = wet * drag_factor * math.sqrt(dot(u, u))
    moved = wet * added
    if sea[GRAVITY] > 0.0:
        moved += wet * lift / sea[GRAVITY]
    water = add_scaled(scale(-c, u), moved, push)
    power = dot(water, v)
    if 0.0 < wet < 1.0:
        growth = (surface_rise(t, p, v, sea) - v[2]) / height  # σ̇
        power += growth * (0.5 * added * dot(v, v) - lift * surface)
    force = (water[0], water[1], water[2] + wet * lift - mass * sea[GRAVITY])
    return mass + wet * added, c, force, power


@kernel
def body_lift(t, p, mass, lift, height, sea):
    """What of the force of `body_loads` is buoyancy and weight, upwards [N]."""
    wet = submergence(p[2] - elevation(t, p[0], p[1], sea), height)
    return wet * lift - mass * sea[GRAVITY]


@kernel
def body_energies(t, p, v, mass, added, lift, height, sea):
    """Kinetic energy with added mass and gravity potential with buoyancy [J]; see `rigid_body_energies` on waves."""
    surface = elevation(t, p[0], p[1], sea)
    z = p[2] - surface
    wet = submergence(z, height)
    potential = mass * sea[GRAVITY] * p[2] + buoyancy_energy(lift, z, height) - lift * wet * surface
    return 0.5 * (mass + wet * added) * dot(v, v), potential
