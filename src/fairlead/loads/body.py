"""A small compact body in the water (a free point, a clump weight, a float): loads and energy.

It is round for the water: one added mass, one drag area, and it submerges over the height of a sphere of its volume.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, subtract
from fairlead.loads.buoyancy import buoyancy_energy, submergence
from fairlead.sea.water import GRAVITY, elevation, fluid


@kernel
def body_loads(t, p, v, mass, added, lift, drag_factor, height, sea):
    """Inertia with added mass [kg], drag secant c [N s/m] and force (3) of weight, buoyancy and drag [N].

    `lift` is ρgV, `drag_factor` ½ρ C_d A; the drag force is −c·u with u relative to the water.
    """
    flow, _, surface, _ = fluid(t, p[0], p[1], p[2], sea)
    wet = submergence(p[2] - surface, height)
    u = subtract(v, flow)
    c = wet * drag_factor * math.sqrt(dot(u, u))
    force = (-c * u[0], -c * u[1], -c * u[2] + wet * lift - mass * sea[GRAVITY])
    return mass + wet * added, c, force, -c * dot(u, v)


@kernel
def body_energies(t, p, v, mass, added, lift, height, sea):
    """Kinetic energy with added mass and gravity potential with buoyancy [J]."""
    z = p[2] - elevation(t, p[0], p[1], sea)
    inertia = mass + submergence(z, height) * added
    return 0.5 * inertia * dot(v, v), mass * sea[GRAVITY] * p[2] + buoyancy_energy(lift, z, height)
