"""Mistakes between parts: names that lead nowhere, points without cables, lengths that do not fit.

Every check also runs on a system of which only some is understood (`fairlead.model.partial`): there a field that is
wrong in itself is None, and what hangs on it is passed over.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.cables import MOST_ELEMENTS, Cable, Section
from fairlead.model.points import FreePoint
from fairlead.model.problems import Mistake, nearest, suggestion

if TYPE_CHECKING:
    from fairlead.model.system import System

SAME_LENGTH = 1e-6
"""Relative difference below which a cable counts as just as long as its chord."""

Vector = tuple[float, float, float]


def cross_check(system: System, complete: bool = True) -> list[Mistake]:
    """All mistakes between the parts of a system. Without `complete` a cable may be missing, and no point is unused."""
    checks = [_cables, _types, _ends, _references, _elements, _attachments, _chords, _routes]
    if complete:
        checks.append(_unused_points)
    return [mistake for check in checks for mistake in check(system)]


def _cables(system: System) -> Iterator[Mistake]:
    if system.cables is not None and not system.cables:
        yield Mistake(("cables",), "there is no cable", "add one: name: {type, length, elements, start, end}", True)


def _types(system: System) -> Iterator[Mistake]:
    if system.types is None:
        return
    none = "describe it under 'types'"
    for name, cable in (system.cables or {}).items():
        if cable.type is not None and cable.type not in system.types:
            hint = suggestion(cable.type, system.types, none)
            yield Mistake(("cables", name, "type"), f"there is no cable type '{cable.type}'", hint)
        for index, section in enumerate(cable.sections or ()):
            if section.type is not None and section.type not in system.types:
                hint = suggestion(section.type, system.types, none)
                where = ("cables", name, "sections", index, "type")
                yield Mistake(where, f"there is no cable type '{section.type}'", hint)


def _ends(system: System) -> Iterator[Mistake]:
    """Ends that are nowhere."""
    if system.points is None:
        return
    for name, cable in (system.cables or {}).items():
        for end_name, end in (("start", cable.start), ("end", cable.end)):
            if end is not None and end.point is not None and end.point not in system.points:
                hint = suggestion(end.point, system.points, "describe it under 'points'")
                yield Mistake(("cables", name, end_name), f"there is no point '{end.point}'", hint)


def _unused_points(system: System) -> Iterator[Mistake]:
    """Points that no cable uses, as far as all ends are known."""
    ends = [end for cable in (system.cables or {}).values() for end in (cable.start, cable.end)]
    if not ends or not system.points or any(end is None or end.point is None for end in ends):
        return
    named = {end.point for end in ends}
    # A point whose name is only misspelt at an end is not also reported as unused.
    used = named | {nearest(name, system.points) for name in named - set(system.points)}
    for name in system.points:
        if name not in used:
            yield Mistake(("points", name), "no cable ends here", "join a cable to it, or remove it", True)


def _references(system: System) -> Iterator[Mistake]:
    """Names in loads and outputs."""
    for index, load in enumerate(system.loads or ()):
        if system.points is not None and load.point is not None and load.point not in system.points:
            hint = suggestion(load.point, system.points, "describe it under 'points'")
            yield Mistake(("loads", index, "point"), f"there is no point '{load.point}'", hint)
    chosen = system.outputs.cables if system.outputs is not None else None
    for index, name in enumerate(chosen or ()):
        if system.cables is not None and name not in system.cables:
            hint = suggestion(name, system.cables)
            yield Mistake(("outputs", "cables", index), f"there is no cable '{name}'", hint)
        elif chosen is not None and name in chosen[:index]:
            yield Mistake(("outputs", "cables", index), f"'{name}' is named twice", "remove one of them")


def _elements(system: System) -> Iterator[Mistake]:
    total = sum(cable.element_count for cable in (system.cables or {}).values())
    if total > MOST_ELEMENTS:
        hint = "use longer elements"
        yield Mistake(("cables",), f"have {total} elements in all, more than {MOST_ELEMENTS}", hint, True)


def _attachments(system: System) -> Iterator[Mistake]:
    for name, cable in (system.cables or {}).items():
        length = _length(cable)
        for index, attachment in enumerate(cable.attachments or ()):
            if length is not None and attachment.at is not None and attachment.at > length * (1 + SAME_LENGTH):
                message = f"{attachment.at:.6g} m is beyond the end of the cable at {length:.6g} m"
                yield Mistake(("cables", name, "attachments", index, "at"), message, f"use {length:.6g} m or less")


def _chords(system: System) -> Iterator[Mistake]:
    """Cables that cannot reach from end to end, and bars too long to fit between their ends."""
    for name, cable in (system.cables or {}).items():
        length, start, end = _length(cable), _position(system, cable, "start"), _position(system, cable, "end")
        if length is None or start is None or end is None or cable.allow_stretch:
            continue
        chord = math.dist(start, end)
        if length < chord * (1 - SAME_LENGTH):
            message = f"is shorter than the distance of its ends: {length:.9g} m < {chord:.9g} m"
            hint = "make it longer, move an end, or set 'allow_stretch: true' to start it stretched"
            yield Mistake(("cables", name), message, hint, True)
            continue
        longest = max((stretch_longest(stretch) for stretch in cable.stretches), default=0.0)
        spare = longest - (length - longest) - chord
        if spare > SAME_LENGTH * length:
            what = "is one straight element" if cable.element_count == 1 else "has one element longer than all others"
            message = f"{what} of {longest:.9g} m, which does not fit between ends {chord:.9g} m apart"
            hint = "use more elements, move an end, or set 'allow_stretch: true' to start it compressed"
            yield Mistake(("cables", name), message, hint, True)


def _routes(system: System) -> Iterator[Mistake]:
    """Chains of cables over free points without position that are shorter than the distance they must bridge."""
    neighbours: dict[str, list[tuple[str, float]]] = {}
    for cable in (system.cables or {}).values():
        length = _length(cable)
        if length is None or cable.start is None or cable.end is None or cable.allow_stretch:
            # A cable of unknown length, or one that may stretch, can bridge anything.
            length = math.inf
        if cable.start is not None and cable.end is not None:
            a, b = cable.start.point, cable.end.point
            if a is not None and b is not None and math.isfinite(length):
                neighbours.setdefault(a, []).append((b, length))
                neighbours.setdefault(b, []).append((a, length))
    points = system.points or {}
    open_points = {name for name, point in points.items() if isinstance(point, FreePoint) and point.position is None}
    for name in points:
        start = _point_position(system, name)
        if start is None or not any(other in open_points for other, _ in neighbours.get(name, ())):
            continue
        for other, distance in _reach(name, neighbours, open_points).items():
            end = _point_position(system, other)
            # Each pair is reported once, from the name that comes first.
            if end is None or not name < other:
                continue
            chord = math.dist(start, end)
            if distance < chord * (1 - SAME_LENGTH):
                message = f"the cables from here to '{other}' have {distance:.9g} m < {chord:.9g} m, the distance"
                yield Mistake(("points", name), message, "make a cable longer, or move a point", True)


def _reach(start: str, neighbours: dict[str, list[tuple[str, float]]], through: set[str]) -> dict[str, float]:
    """Shortest length of cable from `start` to each point met first when going over points in `through` only."""
    best: dict[str, float] = {}
    queue = [(length, other) for other, length in neighbours.get(start, ()) if other in through]
    heapq.heapify(queue)
    while queue:
        distance, name = heapq.heappop(queue)
        if name in best or name == start:
            continue
        best[name] = distance
        if name in through:
            for other, length in neighbours.get(name, ()):
                heapq.heappush(queue, (distance + length, other))
    return {name: distance for name, distance in best.items() if name not in through}


def stretch_longest(stretch: Section) -> float:
    """Longest element of a stretch, m."""
    if stretch.element_lengths:
        return max(stretch.element_lengths)
    return stretch.length / stretch.elements if stretch.length and stretch.elements else 0.0


def _length(cable: Cable) -> float | None:
    """Unstretched length, or None where some of it is not known."""
    known = [bool(part.element_lengths) or bool(part.length and part.elements) for part in cable.stretches]
    return cable.total_length if known and all(known) else None


def _position(system: System, cable: Cable, which: str) -> Vector | None:
    end = cable.start if which == "start" else cable.end
    return None if end is None or end.point is None else _point_position(system, end.point)


def _point_position(system: System, name: str) -> Vector | None:
    point = (system.points or {}).get(name)
    return None if point is None else point.position
