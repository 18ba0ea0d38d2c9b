"""What a system asks of a formulation, and where it asks it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.model.system import System


class UnsupportedSystem(ValueError):
    """The formulation cannot carry something the system needs; the text says what, and what can."""


FEATURES = {
    "bending": "bending stiffness",
    "torsion": "torsional stiffness",
    "damping": "internal damping",
    "ropes": "ropes whose stiffness is a curve or depends on the load and its duration",
    "clamps": "clamped ends",
    "branches": "three or more cable ends in one free point",
    "loops": "cables that close a loop",
    "free_bodies": "free points with mass, volume or drag",
    "controlled_points": "points that move as commanded",
    "passive_points": "passive points, bodies with a shape",
    "hybrid_points": "hybrid points, driven toward a commanded position",
    "sliding": "points that slide along a cable",
    "joints": "joints between bodies",
    "bodies": "rigid bodies",
    "rods": "bodies that the water meets in strips along them",
    "floating": "floaters by their hydrodynamic coefficients",
    "ptos": "power take-offs between floaters",
    "winch": "a winch",
    "winch_control": "a winch with a controller",
    "rescaling_winch": "a winch that rescales all elements of its cable",
    "attachments": "clump weights and floats along a cable",
    "releases": "ends that are let go",
    "loads": "forces and torques on points",
    "current": "a current",
    "waves": "waves",
    "wind": "wind on bodies",
    "seabed": "a seabed",
    "friction": "friction on the seabed",
    "always_wet": "points that keep their buoyancy out of the water",
    "vortices": "vibration by vortices",
    "hydro": "hulls whose water is solved for",
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
    need("current", "environment.current_field", environment.current_field is not None)
    need("waves", "environment.waves", environment.waves is not None)
    need("seabed", "environment.seabed", environment.seabed is not None)
    need("friction", "environment.seabed.friction", environment.seabed is not None and environment.seabed.friction > 0)
    for name, kind in system.types.items():
        need("bending", f"types.{name}.bending_stiffness", kind.ei > 0)
        need("torsion", f"types.{name}.torsional_stiffness", kind.gj > 0)
        key = "damping_time" if kind.damping_ratio is None else "damping_ratio"
        need("damping", f"types.{name}.{key}", kind.is_damped)
        need("vortices", f"types.{name}.vortices", kind.vortices is not None and kind.vortices.lift > 0)
        need("ropes", f"types.{name}.axial", kind.axial is not None)
    for name, point in system.points.items():
        if point.kind in _POINT_FEATURES:
            need(_POINT_FEATURES[point.kind], f"points.{name}", True)
        if point.kind in ("free", "sliding"):
            need("always_wet", f"points.{name}.always_wet", getattr(point, "always_wet", False))
            need("free_bodies", f"points.{name}", max(point.mass, point.volume, point.drag_area, point.inertia) > 0)
    for name, body in system.bodies.items():
        need("bodies", f"bodies.{name}", True)
        need("floating", f"bodies.{name}", body.kind == "floating")
        need("rods", f"bodies.{name}.strips", getattr(body, "strips", None) is not None)
        need("rods", f"bodies.{name}.members", bool(getattr(body, "members", None)))
        need("wind", f"bodies.{name}.wind", environment.wind is not None and getattr(body, "wind", None) is not None)
    need("joints", "joints", bool(system.joints))
    need("ptos", "ptos", bool(system.ptos))
    need("hydro", "hydro", system.hydro is not None)
    need("loads", "loads", bool(system.loads))
    for name, cable in system.cables.items():
        need("attachments", f"cables.{name}.attachments", bool(cable.attachments))
        need("winch", f"cables.{name}.winch", cable.winch is not None)
        need(
            "winch_control", f"cables.{name}.winch.control", cable.winch is not None and cable.winch.control is not None
        )
        need("rescaling_winch", f"cables.{name}.winch.mode", cable.winch is not None and cable.winch.mode == "rescale")
        for side, end in (("start", cable.start), ("end", cable.end)):
            need("clamps", f"cables.{name}.{side}.joint", end.joint == "clamp")
            need("releases", f"cables.{name}.{side}.release", end.release is not None)
    for feature, place in _connections(system):
        need(feature, place, True)
    return found


_POINT_FEATURES = {
    "controlled": "controlled_points",
    "passive": "passive_points",
    "hybrid": "hybrid_points",
    "sliding": "sliding",
}


def _connections(system: System) -> Iterator[tuple[str, str]]:
    """Branches and loops, each with its place: free points, free bodies and cables are the nodes of a graph."""
    parent: dict[tuple[str, str], tuple[str, str]] = {}

    def root(node: tuple[str, str]) -> tuple[str, str]:
        while (above := parent.setdefault(node, node)) != node:
            node = above
        return node

    def closes(one: tuple[str, str], other: tuple[str, str]) -> bool:
        a, b = root(one), root(other)
        parent[a] = b
        return a == b

    meeting: dict[str, int] = {}
    for name, cable in system.cables.items():
        for end in (cable.start, cable.end):
            place = system.place(end.point)
            if not place.is_free:
                continue
            if not place.on_body:
                meeting[end.point] = meeting.get(end.point, 0) + 1
                if meeting[end.point] >= 3:
                    yield "branches", f"points.{end.point}"
            if closes(("cable", name), ("body" if place.on_body else "point", place.owner_name)):
                yield "loops", f"cables.{name}"
    for name, point in system.points.items():
        if point.kind == "sliding" and closes(("point", name), ("cable", point.cable)):
            yield "loops", f"points.{name}"
