"""Constants of elements, free points and bodies, as the kernels read them."""

from __future__ import annotations

import numpy as np

from fairlead.loads.body_record import FreeHub, body_record, small_record
from fairlead.model import CableType, System
from fairlead.model.solids import sphere_diameter
from fairlead.rigging.elements import bed_row, line_row
from fairlead.rigging.rows import Row

_SHARES = {"half": (0.5, 0.5), "full": (0.0, 1.0), "paper": (1.0, 1.0)}
"""Parts of an element's mass at its nearer and farther node: half each; all at the farther one; the paper's Table 2,
where the half is missing."""


def element_row(kind: CableType, length: float, system: System) -> Row:
    """Properties of an element of the given type and length, per metre of unstretched line."""
    near, far = _SHARES[system.simulation.multibody.lumping]
    return {
        **line_row(kind, 1.0, system.environment), **bed_row(kind, 1.0, system.environment), "stiffness": kind.ea,
        "damping_time": kind.damping_axial(length), "share_near": near, "share_far": far,
    }  # fmt: skip


def hub_row(hub: FreeHub, system: System, centre: np.ndarray) -> np.ndarray:
    """A free point or body about its own axes, its centre of mass (3,) away from the tree's origin of it."""
    return np.concatenate((body_record(hub, system), centre))


def lump_row(system: System, share: float, mass: float, volume: float, drag_area: float, added: float) -> np.ndarray:
    """The share of a clump weight or float that a node carries."""
    row = small_record(system, share * mass, share * volume, share * drag_area, share * added, sphere_diameter(volume))
    return np.concatenate((row, np.zeros(3)))
