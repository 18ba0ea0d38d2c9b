"""Rows of the rods among the hubs, from what the file says; see `rigging.rods`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from fairlead.model import System
from fairlead.model.bodies import FreeBody
from fairlead.rigging.rows import Collected, Row


def add_rods(parts: Collected, system: System) -> None:
    """Rods of all hubs: bodies with `strips`, which are nothing else, and members of bodies."""
    of_hubs: list[Row] = []
    for hub, name in enumerate(parts.hubs):
        body, first, whole = system.bodies.get(name), len(parts.rod), False
        if isinstance(body, FreeBody):
            whole = body.strips is not None
            for rod, law in (_whole_rod(body, system),) if whole else _members(body, system):
                parts.rod.append({"hub": hub, **rod})
                parts.rod_law.append(law)
        own = parts.rod[first:]
        strips = sum(rod["strips"] for rod in own)
        of_hubs.append({"first": first, "count": len(own), "strips": strips, "whole": whole})
    parts.rod_of = of_hubs if parts.rod else []


def _whole_rod(body: FreeBody, system: System) -> tuple[Row, Row]:
    """The rod that a body with `strips` is."""
    assert body.strips is not None
    assert body.shape is not None
    assert body.shape.cylinder is not None
    strips, density = body.strips, system.environment.water_density
    wet = density > 0.0
    return {"strips": strips}, {
        "middle": body.centre_of_buoyancy, "axes": np.eye(3).ravel(), "length": body.shape.cylinder.height,
        "diameter": body.shape.cylinder.diameter, "drag": 0.5 * density * body.drag_area[0] / strips,
        "added": wet * body.added_mass[0] / strips, "end_drag": 0.25 * density * body.drag_area[2],
        "end_added": 0.5 * wet * body.added_mass[2],
    }  # fmt: skip


def _members(body: FreeBody, system: System) -> Iterator[tuple[Row, Row]]:
    """The rods that the members of a body are."""
    density = system.environment.water_density
    for member in body.members.values():
        strips, d = member.strips, member.diameter
        yield {"strips": strips}, {
            "middle": member.middle, "axes": axes_along(*member.ends).ravel(), "length": member.length, "diameter": d,
            "drag": 0.5 * density * member.drag * d * member.length / strips,
            "added": density * member.added_mass * member.volume / strips,
            "end_drag": 0.5 * density * member.end_drag * member.area,
            "end_added": density * member.end_added_mass * member.cap,
        }  # fmt: skip


def axes_along(a: Sequence[float], b: Sequence[float]) -> np.ndarray:
    """Axes (3, 3) in columns of which the third runs from a to b."""
    axis = np.subtract(b, a) / math.dist(a, b)
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across /= np.linalg.norm(across)
    return np.stack([across, np.cross(axis, across), axis], axis=1)
