"""What a system asks of a formulation, and where it asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.model.system import System

FEATURES = {
    "bending": "bending stiffness",
    "torsion": "torsional stiffness",
    "damping": "internal damping",
    "clamps": "clamped ends",
    "branches": "three or more cable ends in one free point",
    "loops": "cables that close a loop",
    "free_bodies": "free points with mass, volume or drag",
    "controlled_points": "points that move as commanded",
    "attachments": "clump weights and floats along a cable",
    "releases": "ends that are let go",
    "loads": "forces and torques on points",
    "current": "a current",
    "seabed": "a seabed",
    "friction": "friction on the seabed",
}
"""Every feature a system can need, in words."""


def needs(system: System) -> dict[str, str]:
    """The features `system` needs, each with the place in the file that asks for it first."""
    found: dict[str, str] = {}

    def need(feature: str, place: str, asked: bool) -> None:
        if asked:
            found.setdefault(feature, place)

    environment = system.environment
    need("current", "environment.current", any(any(v) for _, v in environment.current_table))
    need("seabed", "environment.seabed", environment.seabed is not None)
    need("friction", "environment.seabed.friction", environment.seabed is not None and environment.seabed.friction > 0)
    for name, kind in system.types.items():
        need("bending", f"types.{name}.bending_stiffness", kind.ei > 0)
        need("torsion", f"types.{name}.torsional_stiffness", kind.gj > 0)
        damping = kind.damping_time
        need("damping", f"types.{name}.damping_time", max(damping.axial, damping.bending, damping.torsion) > 0)
    for name, point in system.points.items():
        need("controlled_points", f"points.{name}", point.kind == "controlled")
        if point.kind == "free":
            need("free_bodies", f"points.{name}", max(point.mass, point.volume, point.drag_area, point.inertia) > 0)
    need("loads", "loads", bool(system.loads))
    group = {name: name for name, point in system.points.items() if point.kind == "free"}
    meeting = dict.fromkeys(group, 0)

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for name, cable in system.cables.items():
        need("attachments", f"cables.{name}.attachments", bool(cable.attachments))
        for side, end in (("start", cable.start), ("end", cable.end)):
            need("clamps", f"cables.{name}.{side}.joint", end.joint == "clamp")
            need("releases", f"cables.{name}.{side}.release", end.release is not None)
            if end.point in meeting:
                meeting[end.point] += 1
                need("branches", f"points.{end.point}", meeting[end.point] >= 3)
        if cable.start.point in group and cable.end.point in group:
            one, other = root(cable.start.point), root(cable.end.point)
            need("loops", f"cables.{name}", one == other)
            group[one] = other
    return found
