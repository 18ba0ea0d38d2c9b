"""Points on the seabed: where the bed is under them, which ends of cables are held there, and what looks wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairlead.model.points import AnchorPoint, FixedPoint
from fairlead.model.problems import Mistake, Problem
from fairlead.model.values import OnBed
from fairlead.words import number

if TYPE_CHECKING:
    from fairlead.model.cables import Cable
    from fairlead.model.system import System

HELD = -1.0
"""Remembered in place of a normal force at an end that is held at the bed, and is no contact."""
SHALLOW = 0.02
"""Part of the depth within which a fixed point over the bed is taken for an anchor."""
SAME_DEPTH = 0.05
"""Part of the depth within which the height of a point above the surface is taken for a depth with the wrong sign."""
FAR = 5.0
"""Diameters below the bed from which on every point is warned of, whatever it is (see `physical`)."""
ANCHOR = re.compile(r"anchor", re.IGNORECASE)


class AnchorHeight(float):
    """The z that a file gives what it calls an anchor."""


def put_on_bed(system: System) -> list[Mistake]:
    """Give anchors and points at z = `bed` the level of the seabed there; anchors become fixed points."""
    mistakes = []
    bed = system.environment.seabed
    for name, point in system.points.items():
        if isinstance(point, AnchorPoint):
            point = FixedPoint(position=point.position)
            x, y, z = point.position
            if not isinstance(z, OnBed):
                point = point.model_copy(update={"position": (x, y, AnchorHeight(z))})
            system.points[name] = point
        if not isinstance(point, FixedPoint) or not isinstance(point.position[2], OnBed):
            continue
        if bed is None:
            cure = "add 'environment: {seabed: {depth: ...}}', or give its z"
            mistakes.append(Mistake(("points", name, "position"), "is on the seabed, and there is none", cure))
            continue
        x, y, _ = point.position
        system.points[name] = point.model_copy(update={"position": (x, y, OnBed(bed.level(x, y)))})
    return mistakes


def on_bed_again(system: System, path: str, value: Any) -> Any:
    """A value for a path; a new position [x, y] of an anchor, as files write it, gets the bed as its z."""
    section, _, rest = path.partition(".")
    name, _, key = rest.rpartition(".")
    point = system.points.get(name.strip("\"'")) if section == "points" and key == "position" else None
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    return [*value, "bed"] if isinstance(point, FixedPoint) and is_pair and _is_anchor(point) else value


def _is_anchor(point: FixedPoint) -> bool:
    return isinstance(point.position[2], OnBed | AnchorHeight)


def on_bed(system: System) -> list[str]:
    """Names of the points that were put on the seabed, wherever it is."""
    return [
        name
        for name, point in system.points.items()
        if isinstance(point, FixedPoint) and isinstance(point.position[2], OnBed)
    ]


def held_on_bed(system: System, cable: Cable) -> tuple[bool, bool]:
    """Whether the start and the end of a cable are held at the seabed: at a fixed point within a diameter of it.

    The bed carries nothing there that the point would not: such an end is no contact.
    """
    bed = system.environment.seabed
    kinds = [system.types[name] for name in (cable.type_names[0], cable.type_names[-1])]
    found = []
    for end, kind in zip((cable.start, cable.end), kinds, strict=True):
        point = system.points.get(end.point)
        held = False
        if bed is not None and isinstance(point, FixedPoint):
            x, y, z = point.position
            held = abs(z - float(bed.level(x, y))) <= max(kind.diameter, kind.contact_diameter) * (1 + 1e-9)
        found.append(held)
    return found[0], found[1]


def misplaced_points(system: System) -> Iterator[Problem]:
    """Fixed points that look like anchors and are not on the bed, and points that look as if z had the wrong sign."""
    bed = system.environment.seabed
    if bed is None:
        return
    for name, point in system.points.items():
        if point.kind not in ("fixed", "controlled") or point.position is None:
            continue
        x, y, z = point.position
        level, size = bed.level(x, y), _thickness(system, name)
        anchor = point.kind == "fixed" and (isinstance(z, AnchorHeight) or bool(ANCHOR.search(name)))
        cure = f"position: [{x:g}, {y:g}, bed]"
        place = f"points.{name}.position"
        if z > 0.0 and (anchor or abs(z + level) <= SAME_DEPTH * -level):
            message = f"is {z:g} m above the water, and the seabed is at z = {level:.6g} m there"
            yield system.problem(place, message, f"z counts upwards from the surface: use z = {-z:g}, or {cure}")
        elif point.kind == "fixed" and level - FAR * size <= z < level - size * (1 + 1e-9):
            message = (
                f"is {number(level - z, 3)} m below the seabed, which is at z = {level:.6g} m there: its cable starts "
                "in the ground and is pushed out of it"
            )
            yield system.problem(place, message, f"put it on the bed: {cure}")
        elif point.kind == "fixed" and level + size < z <= 0.0 and (anchor or z - level <= SHALLOW * -level):
            message = f"hangs {number(z - level, 3)} m above the seabed, which is at z = {level:.6g} m there"
            hint = f"for an anchor on the bed: {cure}, or kind: anchor"
            yield system.problem(place, message, hint)


def _thickness(system: System, name: str) -> float:
    """The largest diameter of the cables that end at a point, m."""
    kinds = [
        system.types[kind]
        for cable in system.cables.values()
        for end, kind in ((cable.start, cable.type_names[0]), (cable.end, cable.type_names[-1]))
        if end.point == name
    ]
    return max((max(kind.diameter, kind.contact_diameter) for kind in kinds), default=0.0)


def current_above_water(system: System) -> Iterator[Problem]:
    """Samples of the current above the highest water."""
    sea = system.environment
    top = 0.0 if sea.waves is None else sea.waves.main_height
    for index, sample in enumerate(sea.current):
        if sample.z > top:
            message = f"z = {sample.z:g} m is above the water: heights count upwards from the surface"
            yield system.problem(f"environment.current[{index}].z", message, f"for a depth use z = {-sample.z:g}")
