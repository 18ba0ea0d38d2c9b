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
from fairlead.model.floater_checks import floater_checks
from fairlead.model.floating import metacentre_checks
from fairlead.model.hydro import hydro_checks
from fairlead.model.lift_checks import lift_checks
from fairlead.model.places import end_names, find_place
from fairlead.model.problems import Mistake, nearest, suggestion
from fairlead.model.ring_checks import known_length, ring_checks, rings_of
from fairlead.model.ropes import soft_ropes
from fairlead.model.winch_checks import winch_checks

if TYPE_CHECKING:
    from fairlead.model.points import Point
    from fairlead.model.system import System

SAME_LENGTH = 1e-6
"""Relative difference below which a cable counts as just as long as its chord."""

Vector = tuple[float, float, float]


def cross_check(system: System, complete: bool = True) -> list[Mistake]:
    """All mistakes between the parts of a system. Without `complete` a cable may be missing, and no point is unused."""
    checks = [_cables, _types, _bodies, _ends, _references, _elements, _attachments]
    checks += [ring_checks, winch_checks, lift_checks, _chords, _routes, _answers_to_waves, hydro_checks]
    checks += [metacentre_checks, floater_checks, _histories, _soft_ropes]
    if complete:
        checks.append(_unused_points)
    return [mistake for check in checks for mistake in check(system)]


def _cables(system: System) -> Iterator[Mistake]:
    alone = any(_stands_alone(system, name) for name in system.bodies or ())
    if system.cables is not None and not system.cables and system.hydro is None and not alone:
        yield Mistake(("cables",), "there is no cable", "add one: name: {type, length, elements, start, end}", True)


def _stands_alone(system: System, name: str) -> bool:
    """Whether a body has a place of its own without a cable: a floater, a free body without attachments, a free one
    that hangs in a joint, or in a system without any cable one that is moved with its attachments."""
    body = (system.bodies or {})[name]
    kind = getattr(body, "kind", None)
    if kind != "free":
        return kind == "floating" or (kind == "prescribed" and bool(body.attachments) and not system.cables)
    jointed = any((joint.child or "").partition(".")[0] == name for joint in (system.joints or {}).values())
    return jointed or not body.attachments


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


def _soft_ropes(system: System) -> Iterator[Mistake]:
    """Ropes that are softer under quick loads than under slow ones."""
    return soft_ropes(system.types or {}, system.cables or {})


def _histories(system: System) -> Iterator[Mistake]:
    """What a rope has gone through matters to one with working curves, and lies on the original one."""
    for name, cable in (system.cables or {}).items():
        if cable.history is None:
            continue
        kinds = [(system.types or {}).get(part.type) for part in cable.stretches]
        curves = [kind.axial.working_curves for kind in kinds if kind is not None and kind.axial is not None]
        known = [curve.original_curve[-1][1] for curve in curves if curve is not None]
        where = ("cables", name, "history")
        if not known and all(kinds):
            hint = "remove it, or give the type 'axial: {working_curves: ...}'"
            yield Mistake(where, "has no meaning for a cable without working curves", hint, True)
        most, mean = cable.history.tension_max, cable.history.tension_mean
        if known and most is not None and most > max(known):
            message = f"{most:.4g} N is above the original curve, which ends at {max(known):.4g} N"
            yield Mistake((*where, "tension_max"), message, "extend the curve")
        if most is not None and mean is not None and mean > most:
            yield Mistake((*where, "tension_mean"), "is above 'tension_max'", "that is the largest it has seen")


def _bodies(system: System) -> Iterator[Mistake]:
    """Bodies that share their name with a point: both would answer to the same input."""
    for name in system.bodies or ():
        if name in (system.points or ()):
            yield Mistake(("bodies", name), "a point has the same name", "give one of them another name", True)


def _answers_to_waves(system: System) -> Iterator[Mistake]:
    """Bodies that answer waves which are not there, or which are there at once."""
    for name, body in (system.bodies or {}).items():
        motion = getattr(body, "motion", None)
        if motion is None or motion.raos is None or system.environment is None:
            continue
        where, waves = ("bodies", name, "motion", "raos"), system.environment.waves
        if waves is None:
            yield Mistake(where, "there are no waves to answer", "add 'environment: waves:', or give it a table")
        elif waves.ramp == 0:
            message = "the waves are there at once ('ramp: 0'), and the body would jump to where they put it"
            yield Mistake(where, message, f"let them grow: 'ramp: {waves.main_period or 10:g}'")


def _ends(system: System) -> Iterator[Mistake]:
    """Ends that are nowhere."""
    if system.points is None or system.bodies is None:
        return
    for name, cable in (system.cables or {}).items():
        for end_name, end in (("start", cable.start), ("end", cable.end)):
            if end is None or end.point is None or not _nowhere(system, end.point):
                continue
            where = ("cables", name, end_name)
            if end.point in system.bodies:
                message = f"'{end.point}' is a body: a cable is joined to one of its attachments"
                yield Mistake(where, message, _attachment_hint(system, end.point))
            else:
                yield _no_place(system, where, end.point, list(end_names(system)))


def _nowhere(system: System, name: str) -> bool:
    """Whether no cable can end at that name. A body that is not understood may have any attachment."""
    owner, dot, attachment = name.partition(".")
    if not dot:
        return name not in (system.points or ())
    if owner not in (system.bodies or ()):
        return True
    body = system.bodies[owner]
    return body is not None and body.attachments is not None and attachment not in body.attachments


def _no_place(system: System, where: tuple[str | int, ...], name: str, known: list[str], *sections: str) -> Mistake:
    """That there is no such place, as one of `sections` (points when left out) could have described it."""
    owner, dot, attachment = name.partition(".")
    if dot and owner in (system.bodies or ()):
        return Mistake(where, f"'{owner}' has no attachment '{attachment}'", _attachment_hint(system, owner))
    if dot:
        return Mistake(where, f"there is no body '{owner}'", suggestion(name, known, "describe it under 'bodies'"))
    kinds = [{"points": "point", "bodies": "body"}[section] for section in sections or ("points",)]
    described = " or ".join(f"'{section}'" for section in sections or ("points",))
    message = f"there is no {' or '.join(kinds)} '{name}'"
    return Mistake(where, message, suggestion(name, known, f"describe it under {described}"))


def _attachment_hint(system: System, body: str) -> str:
    named = getattr(system.bodies[body], "attachments", None) or ()
    known = [f"{body}.{attachment}" for attachment in named]
    return f"known here: {', '.join(known)}" if known else f"add 'attachments: {{name: [x, y, z]}}' to bodies.{body}"


def _unused_points(system: System) -> Iterator[Mistake]:
    """Points and bodies that no cable uses, as far as all ends are known."""
    ends = [end for cable in (system.cables or {}).values() for end in (cable.start, cable.end)]
    if not ends or any(end is None or end.point is None for end in ends):
        return
    named = {end.point for end in ends}
    # A point whose name is only misspelt at an end is not also reported as unused.
    known = list(end_names(system))
    used = named | {nearest(name, known) or "" for name in named - set(known)}
    hung = {joint.parent for joint in (system.joints or {}).values()}
    hung |= {place for pto in (system.ptos or {}).values() for place in pto.between or ()}
    for name in system.points or ():
        if name not in used and name not in hung:
            yield Mistake(("points", name), "no cable ends here", "join a cable to it, or remove it", True)
    jointed = [place for joint in (system.joints or {}).values() for place in (joint.parent, joint.child) if place]
    owners = {name.partition(".")[0] for name in (*used, *jointed)} | _hulls(system)
    for name in system.bodies or ():
        if name not in owners and not _stands_alone(system, name):
            yield Mistake(("bodies", name), "no cable ends here", "join a cable to an attachment, or remove it", True)


def _hulls(system: System) -> set[str]:
    """Names of bodies that have a hull."""
    return set(system.hydro.hulls or ()) if system.hydro is not None else set()


def _references(system: System) -> Iterator[Mistake]:
    """Names in loads and outputs."""
    names: dict[str, int] = {}
    for index, load in enumerate(system.loads or ()):
        readable = system.points is not None and system.bodies is not None and load.point is not None
        if readable and load.point not in system.bodies and _nowhere(system, load.point):
            known = [*end_names(system), *system.bodies]
            yield _no_place(system, ("loads", index, "point"), load.point, known, "points", "bodies")
        if load.name is not None and names.setdefault(load.name, index) != index:
            message = f"'{load.name}' is also the name of loads[{names[load.name]}]"
            yield Mistake(("loads", index, "name"), message, "give each load a name of its own")
    for name, joint in (system.joints or {}).items():
        for side, place in (("parent", joint.parent), ("child", joint.child)):
            where = ("joints", name, side)
            if system.points is None or system.bodies is None or place is None or place in system.bodies:
                continue
            if side == "child" and place in system.points:
                message = f"'{place}' is a point: what hangs at a joint is a body, or an attachment of one"
                yield Mistake(where, message, suggestion(place, system.bodies, "describe it under 'bodies'"))
            elif _nowhere(system, place):
                sections = ("bodies", "points") if side == "parent" else ("bodies",)
                known = [n for n in end_names(system) if side == "parent" or n not in system.points]
                yield _no_place(system, where, place, [*known, *system.bodies], *sections)
    chosen = system.outputs.cables if system.outputs is not None else None
    for index, name in enumerate(chosen or ()):
        if system.cables is not None and name not in system.cables:
            hint = suggestion(name, system.cables)
            yield Mistake(("outputs", "cables", index), f"there is no cable '{name}'", hint)
        elif chosen is not None and name in chosen[:index]:
            yield Mistake(("outputs", "cables", index), f"'{name}' is named twice", "remove one of them")


def _elements(system: System) -> Iterator[Mistake]:
    total = sum(cable.element_count + _paid_out_elements(system, cable) for cable in (system.cables or {}).values())
    if total > MOST_ELEMENTS:
        hint = "use longer elements"
        yield Mistake(("cables",), f"have {total} elements in all, more than {MOST_ELEMENTS}", hint, True)


def _paid_out_elements(system: System, cable: Cable) -> int:
    """How many elements a winch may add."""
    duration = system.simulation.duration if system.simulation is not None else None
    winch = cable.winch
    length = known_length(cable)
    if winch is None or winch.mode != "drum" or duration is None or length is None or not winch.understood:
        return 0
    added: float = max(0.0, cable.length_limits(duration)[1] - length) / cable.drum_length
    return math.ceil(added)


def _attachments(system: System) -> Iterator[Mistake]:
    for name, cable in (system.cables or {}).items():
        length = known_length(cable)
        for index, attachment in enumerate(cable.attachments or ()):
            if length is not None and attachment.at is not None and attachment.at > length * (1 + SAME_LENGTH):
                message = f"{attachment.at:.6g} m is beyond the end of the cable at {length:.6g} m"
                yield Mistake(("cables", name, "attachments", index, "at"), message, f"use {length:.6g} m or less")


def _chords(system: System) -> Iterator[Mistake]:
    """Cables that cannot reach from end to end, and bars too long to fit between their ends."""
    for name, cable in (system.cables or {}).items():
        length, start, end = known_length(cable), _position(system, cable, "start"), _position(system, cable, "end")
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
    """Chains of cables over points without position that are shorter than the distance they must bridge."""
    neighbours = _neighbours(system)
    points = system.points or {}
    open_points = {name for name, point in points.items() if point is not None and _open(point)} | set(rings_of(system))
    for name in end_names(system):
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
                place = ("bodies", name.partition(".")[0]) if "." in name else ("points", name)
                yield Mistake(place, message, "make a cable longer, or move a point", True)


def _neighbours(system: System) -> dict[str, list[tuple[str, float]]]:
    """The places each place is joined to, with the length of cable between them, m."""
    joined: list[tuple[str, str, float]] = []
    rings = rings_of(system)
    for name, cable in (system.cables or {}).items():
        length = known_length(cable)
        ends = (getattr(cable.start, "point", None), getattr(cable.end, "point", None))
        # A cable of unknown length, or one that may stretch, can bridge anything.
        if length is None or cable.allow_stretch or ends[0] is None or ends[1] is None:
            continue
        joined.append((ends[0], ends[1], length))
        for ring_name, ring in rings.items():
            if ring.cable == name and ring.at is not None and ring.at <= length:
                joined += [(ring_name, ends[0], ring.at), (ring_name, ends[1], length - ring.at)]
    neighbours: dict[str, list[tuple[str, float]]] = {}
    for a, b, length in joined:
        neighbours.setdefault(a, []).append((b, length))
        neighbours.setdefault(b, []).append((a, length))
    return neighbours


def _open(point: Point) -> bool:
    return point.kind == "free" and point.position is None


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


def _position(system: System, cable: Cable, which: str) -> Vector | None:
    end = cable.start if which == "start" else cable.end
    return None if end is None or end.point is None else _point_position(system, end.point)


def _point_position(system: System, name: str) -> Vector | None:
    place = find_place(system, name)
    return None if place is None else place.position
