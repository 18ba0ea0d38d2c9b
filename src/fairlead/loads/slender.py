"""Water on a length of slender cable: drag, and the inertia of the water that moves (Morison).

F = −c_n u_n − c_t u_t + σρV[(1 + C_n) a_n + (1 + C_t) a_t], u the velocity of the cable against the water, a the
acceleration of the water, σ the submerged fraction; the 1 is the pressure of the undisturbed water. Its own weight and
the static buoyancy are left to the caller, as is what the added mass does against the cable's own acceleration.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads import drag
from fairlead.loads.drag import NONE, secants
from fairlead.model import CableType, Environment
from fairlead.sea.water import fluid

SLENDER_REALS = 9
(
    DISPLACED, BUOYANCY, ADDED_NORMAL, ADDED_AXIAL, DRAG_NORMAL, DRAG_AXIAL, DRAG_LAW, DIAMETER, REYNOLDS,
) = range(SLENDER_REALS)  # fmt: skip
"""Displaced mass, its weight, added masses, drag factors: all of the length; then what does not grow with it."""
EXTENSIVE = 6
"""Columns that grow with the length."""


def slender_row(kind: CableType, length: float, environment: Environment) -> list[float]:
    """The numbers of `length` m of a type of cable."""
    rho, d = environment.water_density, kind.drag_diameter
    row = [0.0] * SLENDER_REALS
    displaced, half = rho * kind.area * length, 0.5 * rho * d * length
    row[DISPLACED], row[BUOYANCY] = displaced, displaced * environment.gravity
    row[ADDED_NORMAL], row[ADDED_AXIAL] = kind.added_mass.normal * displaced, kind.added_mass.axial * displaced
    row[DIAMETER], row[REYNOLDS] = kind.diameter, d / environment.viscosity
    if kind.drag == "reynolds":
        row[DRAG_LAW], row[DRAG_NORMAL], row[DRAG_AXIAL] = drag.REYNOLDS, half, math.pi * half
    elif kind.drag == "none":
        row[DRAG_LAW] = drag.NONE
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[DRAG_LAW], row[DRAG_NORMAL] = drag.CONSTANT, half * kind.drag.normal
        row[DRAG_AXIAL] = half * area * kind.drag.axial
    return row


@kernel
def slender_loads(t, p, v, tangent, wet, sea, at):
    """Force (3) of drag and of the moving water on a length whose numbers begin at `at`, and the secant c_n of drag.

    p and v are its place and velocity, `wet` its submerged fraction.
    """
    flow, a, _, _ = fluid(t, p[0], p[1], p[2], sea)
    moved = sea[at + DISPLACED]
    across, along = wet * (moved + sea[at + ADDED_NORMAL]), wet * (moved + sea[at + ADDED_AXIAL])
    force = add_scaled(scale(across, a), (along - across) * dot(a, tangent), tangent)
    law = sea[at + DRAG_LAW]
    if law == NONE:
        return force, 0.0
    u = subtract(v, flow)
    slide = dot(u, tangent)
    aside = add_scaled(u, -slide, tangent)
    normal, axial = wet * sea[at + DRAG_NORMAL], wet * sea[at + DRAG_AXIAL]
    cn, ct = secants(law, normal, axial, sea[at + REYNOLDS], dot(aside, aside), slide)
    return add_scaled(add_scaled(force, -cn, aside), -ct * slide, tangent), cn
