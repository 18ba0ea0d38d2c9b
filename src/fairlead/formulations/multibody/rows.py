"""Constants of elements, free points and bodies, as the kernels read them."""

from __future__ import annotations

import math

import numpy as np

from fairlead.loads import drag
from fairlead.loads.body_record import FreeHub, body_record, small_record
from fairlead.model import CableType, System
from fairlead.model.solids import sphere_diameter

from .parts import Row

_SHARES = {"half": (0.5, 0.5), "full": (0.0, 1.0), "paper": (1.0, 1.0)}
"""Parts of an element's mass at its nearer and farther node: half each; all at the farther one; the paper's Table 2,
where the half is missing."""


def element_row(kind: CableType, system: System) -> Row:
    """Properties of an element of the given type, per metre of unstretched line."""
    env = system.environment
    rho, d = env.water_density, kind.diameter
    displaced, pressed = rho * kind.area, 0.5 * rho * d
    near, far = _SHARES[system.simulation.multibody.lumping]
    row: Row = {
        "stiffness": kind.ea, "damping_time": kind.damping_axial, "mass": kind.mass_per_metre,
        "weight": kind.mass_per_metre * env.gravity, "buoyancy": displaced * env.gravity, "diameter": d,
        "reynolds": d / env.viscosity, "added_normal": kind.added_mass.normal * displaced,
        "added_axial": kind.added_mass.axial * displaced, "share_near": near, "share_far": far, "drag_law": drag.NONE,
    }  # fmt: skip
    if kind.drag == "reynolds" and rho > 0.0:
        row |= {"drag_law": drag.REYNOLDS, "drag_normal": pressed, "drag_axial": math.pi * pressed}
    elif kind.drag != "none" and kind.drag != "reynolds" and rho > 0.0:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row |= {"drag_law": drag.CONSTANT, "drag_normal": pressed * kind.drag.normal}
        row["drag_axial"] = pressed * area * kind.drag.axial
    bed, width = env.seabed, kind.contact_diameter
    if bed is not None:
        row |= {"radius": 0.5 * width, "bed_stiffness": bed.stiffness * width, "bed_damping": bed.damping * width}
        row["bed_shear"] = bed.friction_stiffness * width
    return row


def hub_row(hub: FreeHub, system: System, centre: np.ndarray) -> np.ndarray:
    """A free point or body about its own axes, its centre of mass (3,) away from the tree's origin of it."""
    return np.concatenate((body_record(hub, system), centre))


def lump_row(system: System, share: float, mass: float, volume: float, drag_area: float, added: float) -> np.ndarray:
    """The share of a clump weight or float that a node carries."""
    row = small_record(system, share * mass, share * volume, share * drag_area, share * added, sphere_diameter(volume))
    return np.concatenate((row, np.zeros(3)))
