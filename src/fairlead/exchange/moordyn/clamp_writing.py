"""Ends of cables that are held in their direction, as MoorDyn has them: lines that go on from the end of a rod."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.model.cables import Cable, End

from ..notes import Notes
from .rows import Vector

OUR_RODS = re.compile(r"rod(\d+)([AB])")
"""Names that ends of rods have when they come in."""


@dataclass(frozen=True)
class Clamp:
    """An end of a cable that is held in its direction by a rod which ends there.

    name: of the rod; side: which of its ends the cable is joined to; axis: from A to B, in the frame of what holds it.
    """

    name: str
    place: str
    side: str
    axis: Vector


def is_clamped(system: System, cable: Cable, end: End) -> bool:
    """Whether an end is held in its direction by more than the name: a cable without bending stiffness is not."""
    kind = system.types[cable.type_names[0 if end is cable.start else -1]]
    return end.joint == "clamp" and kind.ei > 0.0


def clamps(system: System) -> dict[tuple[str, str], Clamp]:
    """Every clamped end by cable and key, `start` or `end`."""
    found: dict[tuple[str, str], Clamp] = {}
    for name, cable in system.cables.items():
        for key, end in (("start", cable.start), ("end", cable.end)):
            if not is_clamped(system, cable, end) or end.direction is None:
                continue
            ours = OUR_RODS.fullmatch(end.point.rpartition(".")[2])
            side = ours[2] if ours else "A"  # A is what a host moves, where it does
            away = 1.0 if (key == "start") == (side == "B") else -1.0
            axis = _in_frame(system, end.point, end.direction)
            x, y, z = (away * value for value in axis)
            found[name, key] = Clamp(f"rod{ours[1]}" if ours else f"{name}.{key}", end.point, side, (x, y, z))
    return found


def clamp_refusals(system: System) -> Iterator[str]:
    """Clamps that MoorDyn has no rod for."""
    for name, cable in system.cables.items():
        for key, end in (("start", cable.start), ("end", cable.end)):
            if not is_clamped(system, cable, end):
                continue
            point = system.points.get(end.point)
            if end.direction is None:
                yield f"cables.{name}.{key}: MoorDyn needs the direction of a clamp; give it"
            if point is not None and point.kind not in ("fixed", "anchor", "controlled"):
                yield f"cables.{name}.{key}: MoorDyn clamps lines to what is held, and '{end.point}' is {point.kind}"


def tell_of_clamps(system: System, notes: Notes) -> None:
    """Say where the host of MoorDyn has six numbers to give in place of three."""
    for (cable, key), clamp in clamps(system).items():
        point = system.points.get(clamp.place)
        if point is not None and point.kind == "controlled":
            why = f"a coupled rod, for which a host gives six numbers and not the three of the point '{clamp.place}'"
            notes.changed(f"cables.{cable}.{key}", why)


def clamp_places(system: System) -> set[str]:
    """Points and attachments at which nothing but clamped cables end."""
    held: set[str] = set()
    free: set[str] = set()
    for cable in system.cables.values():
        for end in (cable.start, cable.end):
            (held if is_clamped(system, cable, end) and end.direction is not None else free).add(end.point)
    return held - free


def rod_of_clamp(system: System, clamp: Clamp) -> tuple[str, Vector, Vector]:
    """How the rod is held, but for the number of its body, and its ends A and B."""
    owner, _, attachment = clamp.place.partition(".")
    at: Vector
    if attachment:
        x, y, z = system.bodies[owner].attachments[attachment]
        at, word = (x, y, z), "Body"
    else:
        point = system.points[clamp.place]
        assert point.position is not None
        x, y, z = point.position
        at, word = (x, y, z), {"fixed": "Fixed", "anchor": "Fixed", "controlled": "Coupled"}[point.kind]
    other = tuple(p + (-d if clamp.side == "B" else d) for p, d in zip(at, clamp.axis, strict=True))
    x, y, z = other
    return (word, (x, y, z), at) if clamp.side == "B" else (word, at, (x, y, z))


def _in_frame(system: System, place: str, direction: Vector) -> Vector:
    """A direction at t = 0 as what it is held by sees it."""
    owner, _, attachment = place.partition(".")
    if not attachment:
        return direction
    axes = zip(*rotation_matrix(system.bodies[owner].start_angles_deg), strict=True)
    x, y, z = (math.fsum(a * b for a, b in zip(axis, direction, strict=True)) for axis in axes)
    return x, y, z
