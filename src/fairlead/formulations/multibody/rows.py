"""Constants of elements, free points and bodies, as the kernels read them."""

from __future__ import annotations

import math

import numpy as np

from fairlead.loads import drag
from fairlead.loads.body_record import FreeHub, body_record, small_record
from fairlead.model import CableType, System
from fairlead.model.solids import sphere_diameter

from . import arrays as a

_SHARES = {"half": (0.5, 0.5), "full": (0.0, 1.0), "paper": (1.0, 1.0)}
"""Parts of an element's mass at its nearer and farther node: half each; all at the farther one; the paper's Table 2,
where the half is missing."""


def element_row(kind: CableType, system: System) -> np.ndarray:
    """Constants of an element of the given type, per metre of unstretched line."""
    env = system.environment
    rho, d = env.water_density, kind.diameter
    row = np.zeros(a.ELEMENT_REALS)
    row[a.STIFFNESS], row[a.DAMPING_TIME] = kind.ea, kind.damping_axial
    row[a.LINE_MASS], row[a.WEIGHT] = kind.mass_per_metre, kind.mass_per_metre * env.gravity
    displaced = rho * kind.area
    row[a.BUOYANCY], row[a.DIAMETER], row[a.REYNOLDS] = displaced * env.gravity, d, d / env.viscosity
    row[a.ADDED_NORMAL], row[a.ADDED_AXIAL] = kind.added_mass.normal * displaced, kind.added_mass.axial * displaced
    row[a.SHARE_NEAR], row[a.SHARE_FAR] = _SHARES[system.simulation.multibody.lumping]
    pressed = 0.5 * rho * d
    if kind.drag == "none" or rho == 0.0:
        row[a.DRAG_LAW] = drag.NONE
    elif kind.drag == "reynolds":
        row[a.DRAG_LAW], row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = drag.REYNOLDS, pressed, math.pi * pressed
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[a.DRAG_LAW] = drag.CONSTANT
        row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = pressed * kind.drag.normal, pressed * area * kind.drag.axial
    bed = env.seabed
    if bed is not None:
        row[a.RADIUS] = 0.5 * kind.contact_diameter
        row[a.BED_STIFFNESS] = bed.stiffness * kind.contact_diameter
        row[a.BED_DAMPING] = bed.damping * kind.contact_diameter
        row[a.BED_SHEAR] = bed.friction_stiffness * kind.contact_diameter
    return row


def hub_row(hub: FreeHub, system: System, centre: np.ndarray) -> np.ndarray:
    """A free point or body about its own axes, its centre of mass (3,) away from the tree's origin of it."""
    row = np.zeros(a.WATER_REALS)
    row[: a.WATER_CENTRE] = body_record(hub, system)
    row[a.WATER_CENTRE : a.WATER_CENTRE + 3] = centre
    return row


def lump_row(system: System, share: float, mass: float, volume: float, drag_area: float, added: float) -> np.ndarray:
    """The share of a clump weight or float that a node carries."""
    row = np.zeros(a.WATER_REALS)
    row[: a.WATER_CENTRE] = small_record(
        system, share * mass, share * volume, share * drag_area, share * added, sphere_diameter(volume)
    )
    return row
