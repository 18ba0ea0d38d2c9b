"""Rods as a MoorDyn file has them: bodies in `strips` with ends A and B, free or held by a joint at A; what joins lines
of one cable and what clamps them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from fairlead.model import System
from fairlead.model.bodies import FreeBody, rotation_matrix
from fairlead.model.body_kinds import Body
from fairlead.model.joints import Joint
from fairlead.model.members import Member
from fairlead.model.solids import Cylinder

from .clamp_writing import clamps, rod_of_clamp
from .numerals import neat
from .rod_bodies import across_of, cap_of
from .rows import Vector

ALIKE = 1e-6
"""Relative to its size: how near what a rod has is to what MoorDyn would give it."""
STUB, STUB_NUMBERS = "stub", (0.01, 0.1, 0.0, 0.0, 0.0, 0.0)
"""Type of rods that only join and hold lines: what it has acts on nothing that moves."""
Row = tuple[object, ...]


def rods_of(system: System) -> dict[str, FreeBody]:
    """The bodies that are rods, by name."""
    return {name: body for name, body in system.bodies.items() if isinstance(body, FreeBody) and body.strips}


def members_of(system: System) -> dict[str, tuple[str, Member]]:
    """Members of free bodies with their bodies, by name."""
    found: dict[str, tuple[str, Member]] = {}
    for owner, body in system.bodies.items():
        for name, member in (body.members if isinstance(body, FreeBody) else {}).items():
            found[name if name not in found and name not in system.bodies else f"{owner}_{name}"] = (owner, member)
    return found


def pins(system: System) -> set[str]:
    """Points that hold nothing but rods."""
    rods, ends = rods_of(system), (end.point for cable in system.cables.values() for end in (cable.start, cable.end))
    held = {joint.parent for joint in system.joints.values() if joint.child.partition(".")[0] in rods}
    return (held & set(system.points)) - set(ends)


def welds(system: System) -> set[str]:
    """Attachments of bodies to which nothing but rods is joined."""
    ends = {end.point for cable in system.cables.values() for end in (cable.start, cable.end)}
    return {joint.parent for joint in system.joints.values()} - set(system.points) - ends


def cylinder_of(body: FreeBody) -> Cylinder:
    """Diameter and length of a body in strips, which has no other shape."""
    assert body.shape is not None
    assert body.shape.cylinder is not None
    return body.shape.cylinder


def rod_refusals(system: System) -> Iterator[str]:
    """Joints and rods that a MoorDyn file cannot hold."""
    rods, density = rods_of(system), system.environment.water_density
    for name, joint in system.joints.items():
        if _attachment(system, joint, {}) is None:
            yield f"joints.{name}: MoorDyn knows rods on pins and on bodies, joined at their end A, and no other joints"
    for name, body in rods.items():
        shape = cylinder_of(body)
        half = 0.5 * shape.height
        ends = {key: tuple(value) for key, value in body.attachments.items()}
        if ends and ends != {"A": (0, 0, -half), "B": (0, 0, half)}:
            yield f"bodies.{name}.attachments: a rod of MoorDyn has its ends A and B and no others"
        across = across_of(body.mass, shape.height, shape.diameter)
        if any(body.centre_of_buoyancy) or abs(body.inertia[0] - across) > ALIKE * across:
            yield f"bodies.{name}: a rod of MoorDyn has its mass evenly along it"
        if not density > 0.0 and any((*body.drag_area, *body.added_mass)):
            yield f"bodies.{name}: without water a rod of MoorDyn has no coefficients"


class RodList:
    """The rods of a file, in the order of their numbers: bodies that are rods, joints between lines of one cable, which
    are rods without length, and what holds clamped ends. Names that carry a number, as those of a file that came in do,
    keep it where that leaves no gap."""

    def __init__(self, system: System, joints: Mapping[str, Vector]) -> None:
        """joints: where those that bending goes on through are, by name."""
        self._system, self._joints = system, joints
        self._bodies, self._members, self._clamps = rods_of(system), members_of(system), clamps(system)
        self._of_clamps = {clamp.name: clamp for clamp in self._clamps.values()}
        self.names = _in_order([*self._bodies, *self._members, *joints, *self._of_clamps])
        number = {name: i for i, name in enumerate(self.names, 1)}
        self.ends = {f"{name}.{side}": f"R{i}{side}" for name, i in number.items() for side in "AB"}
        """What the file calls the ends of rods, by `name.A` and `name.B`."""
        self.clamped = {key: f"R{number[clamp.name]}{clamp.side}" for key, clamp in self._clamps.items()}
        """The same of the clamped ends of cables, by cable and `start` or `end`."""

    def types(self) -> list[Row]:
        """Rows of ROD TYPES, one for each rod that is a body: name, diameter, mass, Cd, Ca, CdEnd, CaEnd."""
        found: list[Row] = []
        density = self._system.environment.water_density
        for name in (name for name in self.names if name in self._bodies):
            body = self._bodies[name]
            d, length = cylinder_of(body).diameter, cylinder_of(body).height
            area = 0.25 * math.pi * d**2
            numbers = [body.mass / length, body.drag_area[0] / (d * length), 0.0, body.drag_area[2] / (2.0 * area), 0.0]
            if density > 0.0:
                numbers[2] = body.added_mass[0] / (density * area * length)
                numbers[4] = body.added_mass[2] / (2.0 * cap_of(d, density))
            found.append((name, d, *map(neat, numbers)))
        for name, (_, member) in self._members.items():
            numbers = [0.0, member.drag, member.added_mass, member.end_drag, member.end_added_mass]
            found.append((name, member.diameter, *map(neat, numbers)))
        if len(found) < len(self.names):
            found.append((STUB, *STUB_NUMBERS))
        return found

    def rows(self, bodies: Mapping[str, int]) -> list[Row]:
        """Rows of RODS: number, type, how it is held, its ends (in the frame of its body), segments."""
        found: list[Row] = []
        for number, name in enumerate(self.names, 1):
            if name in self._bodies:
                held, a, b = self._body(name, bodies)
                kind, segments = name, self._bodies[name].strips
            elif name in self._members:
                owner, member = self._members[name]
                held, (a, b), kind, segments = f"Body{bodies[owner]}", member.ends, name, member.strips
            elif name in self._joints:
                held, a, b, kind, segments = "Free", self._joints[name], self._joints[name], STUB, 0
            else:
                clamp = self._of_clamps[name]
                held, a, b = rod_of_clamp(self._system, clamp)
                held += str(bodies[clamp.place.partition(".")[0]]) if held == "Body" else ""
                kind, segments = STUB, 1
            found.append((number, kind, held, *(neat(round(value, 9)) for value in (*a, *b)), segments, "-"))
        return found

    def _body(self, name: str, bodies: Mapping[str, int]) -> tuple[str, Vector, Vector]:
        """How a body that is a rod is held, and its ends."""
        body, half = self._bodies[name], 0.5 * cylinder_of(self._bodies[name]).height
        a, b = (body.place((0.0, 0.0, z)) for z in (-half, half))
        joint = next((one for one in self._system.joints.values() if one.child.partition(".")[0] == name), None)
        if joint is None:
            return "Free", a, b
        held = _attachment(self._system, joint, bodies) or ""
        if held.startswith("Body"):
            owner = self._system.bodies[joint.parent.partition(".")[0]]
            a, b = _seen_from(owner, a), _seen_from(owner, b)
        return held, a, b


def _in_order(names: list[str]) -> list[str]:
    """Names by the numbers they carry (`rod3`), the others in the places that are left."""
    places: list[str | None] = [None] * len(names)
    others = []
    for name in names:
        number = int(name[3:]) if name.startswith("rod") and name[3:].isdigit() else 0
        if 0 < number <= len(names) and places[number - 1] is None:
            places[number - 1] = name
        else:
            others.append(name)
    left = iter(others)
    return [next(left) if name is None else name for name in places]


def _attachment(system: System, joint: Joint, bodies: Mapping[str, int]) -> str | None:
    """MoorDyn's word for how a joint holds a rod; None where it has none."""
    owner, _, end = joint.child.partition(".")
    if owner not in rods_of(system) or end != "A" or joint.stiffness or joint.damping:
        return None
    parent = joint.parent.partition(".")[0]
    if joint.parent in system.points and joint.kind == "spherical":
        return {"fixed": "Pinned", "controlled": "CoupledPinned"}.get(system.points[joint.parent].kind)
    if parent in system.bodies and parent not in rods_of(system) and joint.kind in ("spherical", "fixed"):
        return f"Body{bodies.get(parent, 0)}{'Pinned' if joint.kind == 'spherical' else ''}"
    return None


def _seen_from(owner: Body, point: Vector) -> Vector:
    """A global point in the frame of a body."""
    away = [p - o for p, o in zip(point, owner.start_position, strict=True)]
    axes = zip(*rotation_matrix(owner.start_angles_deg), strict=True)
    x, y, z = (sum(a * b for a, b in zip(axis, away, strict=True)) for axis in axes)
    return x, y, z
