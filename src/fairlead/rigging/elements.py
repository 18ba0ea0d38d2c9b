"""Rows of elements: what weight, water and seabed do to a length of cable; what is attached to it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads import drag
from fairlead.loads.body import body_energies, body_lift, body_loads
from fairlead.model import Cable, CableType, Environment
from fairlead.model.cables import Attachment
from fairlead.model.points import FreePoint
from fairlead.model.solids import sphere_diameter

from .rows import Row


def line_row(kind: CableType, length: float, environment: Environment, dragged: float | None = None) -> Row:
    """Mass, weight, buoyancy, added mass and drag of a length of cable; of another length where `dragged` gives one.

    In air nothing drags.
    """
    rho, g, d = environment.water_density, environment.gravity, kind.drag_diameter
    displaced, mass = rho * kind.area * length, kind.mass_per_metre * length
    pressed = 0.5 * rho * d * (length if dragged is None else dragged)
    row: Row = {
        "mass": mass, "weight": mass * g, "buoyancy": displaced * g, "diameter": kind.diameter,
        "added_normal": kind.added_mass.normal * displaced, "added_axial": kind.added_mass.axial * displaced,
        "reynolds": d / environment.viscosity, "drag_law": drag.NONE, "drag_normal": 0.0, "drag_axial": 0.0,
    }  # fmt: skip
    if rho == 0.0 or kind.drag == "none":
        return row
    if kind.drag == "reynolds":
        return row | {"drag_law": drag.REYNOLDS, "drag_normal": pressed, "drag_axial": math.pi * pressed}
    area = math.pi if kind.drag.axial_area == "surface" else 1.0
    row |= {"drag_law": drag.CONSTANT, "drag_normal": pressed * kind.drag.normal}
    return row | {"drag_axial": pressed * area * kind.drag.axial}


def bed_row(kind: CableType, length: float, environment: Environment) -> Row:
    """What the seabed is to a length of cable; all zero where there is none."""
    bed, footprint = environment.seabed, kind.contact_diameter * length
    if bed is None:
        return dict.fromkeys(("radius", "bed_stiffness", "bed_damping", "bed_shear"), 0.0)
    return {
        "radius": 0.5 * kind.contact_diameter, "bed_stiffness": bed.stiffness * footprint,
        "bed_damping": bed.damping * footprint, "bed_shear": bed.friction_stiffness * footprint,
    }  # fmt: skip


def compact_row(environment: Environment, mass: float, volume: float, drag_area: float, added_mass: float) -> Row:
    """A small round body: a clump weight, a float, a free point. It submerges over the height of a sphere."""
    rho = environment.water_density
    return {
        "mass": mass, "added": added_mass if rho > 0 else 0.0, "buoyancy": rho * environment.gravity * volume,
        "drag": 0.5 * rho * drag_area, "height": sphere_diameter(volume),
    }  # fmt: skip


def point_row(point: FreePoint, environment: Environment) -> Row:
    """The body of a free point."""
    return compact_row(environment, point.mass, point.volume, point.drag_area, point.added_mass)


def attached(cable: Cable, lengths: np.ndarray) -> Iterator[tuple[int, float, Attachment]]:
    """What is attached to a cable of elements of these lengths: the element, the place as a part of it, the thing."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    for item in cable.attachments:
        i = min(int(np.searchsorted(starts, item.at, side="right")) - 1, len(lengths) - 1)
        yield i, (item.at - starts[i]) / lengths[i], item


@kernel
def compact_loads(t, p, v, body, sea):
    """Loads of the water on a body whose row has what `compact_row` gives; see `body_loads`."""
    return body_loads(t, p, v, body.mass, body.added, body.buoyancy, body.drag, body.height, sea)


@kernel
def compact_lift(t, p, body, sea):
    """Its buoyancy less its weight [N]; see `body_lift`."""
    return body_lift(t, p, body.mass, body.buoyancy, body.height, sea)


@kernel
def compact_energies(t, p, v, body, sea):
    """Its kinetic energy and its gravity potential; see `body_energies`."""
    return body_energies(t, p, v, body.mass, body.added, body.buoyancy, body.height, sea)
