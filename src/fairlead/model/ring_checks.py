"""Mistakes with points that slide along a cable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.cables import Cable
from fairlead.model.points import SlidingPoint
from fairlead.model.problems import Mistake, suggestion

if TYPE_CHECKING:
    from fairlead.model.system import System

BEYOND = 1e-9
"""Part of its cable's length by which a ring may seem to lie beyond the end, for rounding."""


def rings_of(system: System) -> dict[str, SlidingPoint]:
    """The sliding points whose cable is named."""
    points = (system.points or {}).items()
    return {name: point for name, point in points if isinstance(point, SlidingPoint) and point.cable is not None}


def ring_checks(system: System) -> Iterator[Mistake]:
    """Rings on no cable, beyond its end, on a cable that ends in them, or that hang on each other; clamps at rings."""
    if system.cables is None:
        return
    rings = rings_of(system)
    for name, ring in rings.items():
        cable = system.cables.get(ring.cable)
        if cable is None:
            if ring.cable not in system.cables:
                hint = suggestion(ring.cable, system.cables)
                yield Mistake(("points", name, "cable"), f"there is no cable '{ring.cable}'", hint)
            continue
        if name in _ends(cable):
            message = f"the ring cannot slide along '{ring.cable}', which ends in it"
            yield Mistake(("points", name, "cable"), message, "name the cable it is to slide along")
        elif (circle := _circle(system, rings, name)) is not None:
            message = f"rings hang on each other in a circle: {' on '.join(circle)}"
            yield Mistake(("points", name, "cable"), message, "let one of them slide along a cable that ends elsewhere")
        length = known_length(cable)
        if length is not None and ring.at is not None and ring.at > length * (1 + BEYOND):
            message = f"{ring.at:.6g} m is beyond the end of '{ring.cable}' at {length:.6g} m"
            yield Mistake(("points", name, "at"), message, f"use {length:.6g} m or less")
    for name, cable in system.cables.items():
        for side, end in (("start", cable.start), ("end", cable.end)):
            if end is not None and end.point in rings and end.joint == "clamp":
                message = f"a ring turns freely about its cable, so nothing can be clamped to '{end.point}'"
                yield Mistake(("cables", name, side, "joint"), message, "use 'joint: ball'")


def known_length(cable: Cable) -> float | None:
    """Unstretched length at t = 0, or None where some of it is not known."""
    known = [bool(part.element_lengths) or bool(part.length and part.elements) for part in cable.stretches]
    return cable.total_length if known and all(known) else None


def _ends(cable: Cable) -> tuple[str, ...]:
    return tuple(end.point for end in (cable.start, cable.end) if end is not None and end.point is not None)


def _circle(system: System, rings: dict[str, SlidingPoint], name: str) -> list[str] | None:
    """The way from a ring over the cables that rings slide along back to itself, reported at its first name only."""
    seen: set[str] = set()
    ways = [[name]]
    while ways:
        way = ways.pop()
        cable = system.cables.get(rings[way[-1]].cable)
        for end in _ends(cable) if cable is not None else ():
            if end == name and len(way) > 1:
                return [*way, name] if name == min(way) else None
            if end in rings and end not in seen and end != way[-1]:
                seen.add(end)
                ways.append([*way, end])
    return None
