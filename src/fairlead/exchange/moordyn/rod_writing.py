"""Rods as a MoorDyn file has them: bodies in `strips` with ends A and B, free or held by a joint at A."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from fairlead.model import System
from fairlead.model.bodies import FreeBody, rotation_matrix
from fairlead.model.body_kinds import Body
from fairlead.model.joints import Joint
from fairlead.model.solids import Cylinder

from .rod_bodies import across_of, cap_of
from .rows import Vector

ALIKE = 1e-6
"""Relative to its size: how near what a rod has is to what MoorDyn would give it."""
Row = tuple[object, ...]


def rods_of(system: System) -> dict[str, FreeBody]:
    """The bodies that are rods, by name."""
    return {name: body for name, body in system.bodies.items() if isinstance(body, FreeBody) and body.strips}


def rod_ends(system: System) -> dict[str, str]:
    """What a MoorDyn file calls the ends of rods, by our names."""
    return {f"{name}.{side}": f"R{i}{side}" for i, name in enumerate(rods_of(system), 1) for side in "AB"}


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


def rod_types(system: System) -> list[Row]:
    """A row of ROD TYPES for each rod: name, diameter, mass, Cd, Ca, CdEnd, CaEnd."""
    found: list[Row] = []
    density = system.environment.water_density
    for name, body in rods_of(system).items():
        d, length = cylinder_of(body).diameter, cylinder_of(body).height
        area = 0.25 * math.pi * d**2
        numbers = [body.mass / length, body.drag_area[0] / (d * length), 0.0, body.drag_area[2] / (2.0 * area), 0.0]
        if density > 0.0:
            numbers[2] = body.added_mass[0] / (density * area * length)
            numbers[4] = body.added_mass[2] / (2.0 * cap_of(d, density))
        found.append((name, d, *(float(f"{value:.12g}") for value in numbers)))
    return found


def rod_rows(system: System, bodies: Mapping[str, int]) -> list[Row]:
    """A row of RODS for each rod: number, type, how it is held, its ends (in the frame of its body), segments."""
    found: list[Row] = []
    joints = {joint.child.partition(".")[0]: joint for joint in system.joints.values()}
    for number, (name, body) in enumerate(rods_of(system).items(), 1):
        half = 0.5 * cylinder_of(body).height
        ends = [body.place((0.0, 0.0, z)) for z in (-half, half)]
        held = _attachment(system, joints[name], bodies) if name in joints else "Free"
        if name in joints and held is not None and held.startswith("Body"):
            owner = system.bodies[joints[name].parent.partition(".")[0]]
            ends = [_seen_from(owner, end) for end in ends]
        numbers = [float(f"{value:.12g}") + 0.0 for end in ends for value in end]
        found.append((number, name, held, *numbers, body.strips, "-"))
    return found


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
