"""Constants of bars, joints and attachments, from what the file says of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.algebra.recorded import quotient
from fairlead.loads import drag
from fairlead.model import Cable, CableType, System
from fairlead.model.solids import sphere_diameter

from .schema import BAR


def bar_row(kind: CableType, length: float, system: System) -> dict[str, float]:
    """Constants of one bar of the given type and unstretched length, by their names."""
    env = system.environment
    rho, g, d = env.water_density, env.gravity, kind.diameter
    displaced = rho * kind.area * length
    mass = kind.mass_per_metre * length
    row = dict.fromkeys(BAR.split(), 0.0)
    row["length"], row["diameter"], row["mass"] = length, d, mass
    row["added_normal"] = kind.added_mass.normal * displaced
    row["added_axial"] = kind.added_mass.axial * displaced
    row["inertia"] = mass * (d**2 / 16 + length**2 / 12)
    row["inertia_added"] = row["added_normal"] * length**2 / 12
    row["spin_inertia"] = mass * d**2 / 8
    row["weight"], row["buoyancy"] = mass * g, displaced * g
    half = 0.5 * rho * d * 0.5 * length  # ½ρ·d·L/2: one Gauss point stands for half the bar
    row["reynolds"] = d / env.viscosity
    if kind.drag == "reynolds":
        row["drag_law"], row["drag_normal"], row["drag_axial"] = drag.REYNOLDS, half, math.pi * half
    elif kind.drag == "none":
        row["drag_law"] = drag.NONE
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row["drag_law"] = drag.CONSTANT
        row["drag_normal"] = half * kind.drag.normal
        row["drag_axial"] = half * area * kind.drag.axial
    bed = env.seabed
    if bed is not None:
        footprint = kind.contact_diameter * 0.5 * length
        row["radius"] = 0.5 * kind.contact_diameter
        row["bed_stiffness"] = bed.stiffness * footprint
        row["bed_damping"] = bed.damping * footprint
        row["bed_shear"] = bed.friction_stiffness * footprint
    return row


def lump_rows(cable: Cable, lengths: np.ndarray, system: System) -> dict[int, list[dict[str, float]]]:
    """Clump weights and floats by the element that carries them, each by the names of its numbers."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    rho, g = system.environment.water_density, system.environment.gravity
    held: dict[int, list[dict[str, float]]] = {}
    for item in cable.attachments:
        i = min(int(np.searchsorted(starts, item.at, side="right")) - 1, len(lengths) - 1)
        row = {"offset": item.at - 0.5 * (starts[i] + starts[i + 1]), "mass": item.mass}
        row |= {"added": item.added_mass if rho > 0 else 0.0, "height": sphere_diameter(item.volume)}
        row |= {"buoyancy": rho * g * item.volume, "drag": 0.5 * rho * item.drag_area}
        held.setdefault(i, []).append(row)
    return held


def half_stiffness(kind: CableType, length: float) -> list[float]:
    """Stiffness of half an element and its damping time: axial, bending, torsion."""
    return [
        kind.ea * 2 / length, kind.damping_axial, kind.ei * 2 / length, kind.damping_bending,
        kind.gj * 2 / length, kind.damping_torsion,
    ]  # fmt: skip


def only_pulls(kind: CableType, system: System) -> bool:
    """Whether the joints of an element do not push: as the file says, else those without bending stiffness.

    The published tunings and the methods that are not the default step make rods of them, unless the file says so.
    """
    simulation = system.simulation
    if simulation.bars.tuning != "rule":
        return False
    if simulation.bars.compression is not None:
        return simulation.bars.compression == "none"
    return kind.ei == 0 and simulation.integrator in ("auto", "semi_implicit")


def joint_rows(kinds: list[CableType], lengths: np.ndarray, system: System) -> list[dict[str, Any]]:
    """Stiffness and damping of the joints of a cable: half an element on either side, in series."""
    halves = [half_stiffness(kind, length) for kind, length in zip(kinds, lengths, strict=True)]
    rows: list[dict[str, Any]] = []
    for left, right in zip([None, *halves], [*halves, None], strict=True):
        row: list[float] = []
        for k in range(0, 6, 2):
            sides = [s for s in (left, right) if s is not None]
            stiff = [s[k] for s in sides]
            total = 1.0 / sum(quotient(1.0, s) for s in stiff)
            time = sum(s[k + 1] for s in sides) / len(sides)
            row += [total, time * total]
        one_way = float(only_pulls(kinds[max(len(rows) - 1, 0)], system))
        rows.append({"stiffness": row[::2], "damping": row[1::2], "one_way": one_way})
    return rows
