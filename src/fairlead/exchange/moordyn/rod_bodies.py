"""Rods of a MoorDyn file as cylinders whose own z runs from A to B."""

from __future__ import annotations

import math
from typing import Any

from .attitude import upright_deg
from .deck import RodType
from .rows import Vector


def across_of(mass: float, length: float, diameter: float) -> float:
    """Moment of inertia of an even rod about an axis across it through its middle, kg m²."""
    return mass * (length**2 / 12.0 + diameter**2 / 16.0)


def cap_of(diameter: float, density: float) -> float:
    """Mass of the water in half a sphere on an end, kg."""
    return density * (2.0 / 3.0) * math.pi * (0.5 * diameter) ** 3


def cylinder(a: Vector, b: Vector, kind: RodType, density: float) -> dict[str, Any]:
    """A rod from a to b as a free body, the loads along it summed for small turns."""
    length, d = math.dist(a, b), kind.diameter
    mass, area = kind.mass * length, 0.25 * math.pi * d**2
    across = across_of(mass, length, d)
    side, ends = kind.drag * d * length, 2.0 * kind.end_drag * area
    turning = density * kind.drag * d * length**4 / 64.0
    added = density * area * length * kind.added
    cap = 2.0 * kind.end_added * cap_of(d, density)
    return {
        "kind": "free", "position": [0.5 * (p + q) for p, q in zip(a, b, strict=True)],
        "orientation_deg": list(upright_deg(a, b)), "mass": mass, "inertia": [across, across, mass * d**2 / 8.0],
        "shape": {"cylinder": {"diameter": d, "height": length}}, "drag_area": [side, side, ends],
        "drag_moment": [turning, turning, 0.0], "added_mass": [added, added, cap],
        "added_inertia": [added * length**2 / 12.0, added * length**2 / 12.0, 0.0],
    }  # fmt: skip


def in_strips(body: dict[str, Any], count: int) -> dict[str, Any]:
    """The same met by the water in so many pieces, of which what turns it follows."""
    kept = {key: value for key, value in body.items() if key not in ("drag_moment", "added_inertia")}
    return {**kept, "strips": count}
