"""Where lines end: points, bodies, turbines and rods of a MoorDyn file as points and bodies of ours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..notes import Notes
from .attitude import attitude_deg, matrix, our_angles, turned
from .deck import Body, Deck, Point, Rod, rod_end
from .numerals import number
from .rod_bodies import cylinder, in_strips
from .rows import Reader, Vector
from .runs import Run, has_length
from .whole_bodies import Whole, whole_of

if TYPE_CHECKING:
    from .convert import Converted

LOOSE = ("free", "pinned", "coupled_pinned")
"""How what moves by itself is held."""
MANY, GRAVITY = 10.0, 9.81
"""Weights of all that is free that a line may pull with where a file puts them; more and the places are a guess."""


class Places:
    """Makes the points and bodies that lines end at, once they are asked for."""

    def __init__(
        self, deck: Deck, cables: list[Run], into: Converted, reader: Reader, notes: Notes,
        turbines: Mapping[int, Vector],
    ) -> None:  # fmt: skip
        self._deck, self._into, self._reader, self._notes, self._turbines = deck, into, reader, notes, turbines
        self._wholes = {body.id: whole_of(deck, body) for body in deck.bodies.values()}
        self._density = deck.options["density"].value
        self._meeting: dict[str, int] = {}
        for run in cables:
            for end in run.ends:
                self._meeting[end] = self._meeting.get(end, 0) + 1
        self.used: dict[str, str] = {}
        """Names of the places that lines end at, by the file's own."""
        self._attachments: dict[str, dict[str, list[float]]] = {}
        self._told: set[str] = set()
        """Rods at which bending ends, as was said already."""
        self.begins_there = False
        """Whether a run begins with free masses where the file puts them, and not at rest."""
        self._pieces: dict[str, int] = {}
        """Segments of each rod that is a body."""

    def end(self, end: str, starts: bool, bending: bool) -> Any:
        """What a cable is joined to: the name of a place, or a mapping with a clamp at a rod of some length."""
        rod = rod_end(end)
        if rod is None:
            return self._named(end)
        body = self._deck.rods[rod[0]]
        name = self._named(end if has_length(body) else f"R{rod[0]}")
        if not bending:
            return name
        x, y, z = (b - a for a, b in zip(body.a, body.b, strict=True))
        turns = body.held.kind in ("free", "pinned", "coupled_pinned") or body.held.pinned
        if not has_length(body) and (turns or not any((x, y, z))):
            self._tell_of_bending(body, turns)
            return name
        axis: Vector = (x, y, z)
        if body.held.kind == "body":  # the file has it in the frame of the body
            axis = turned(self._deck.bodies[str(body.held.number)].angles, axis)
        outward = list(axis) if rod[1] == "B" else [-x for x in axis]
        return {"point": name, "joint": "clamp", "direction": outward if starts else [-x for x in outward]}

    def _tell_of_bending(self, rod: Rod, turns: bool) -> None:
        """Say where bending ends at a rod without length: one that several lines share, or that has no direction."""
        meeting = sum(self._meeting.get(f"R{rod.id}{side}", 0) for side in "AB")
        why = ""
        if turns and meeting > 1:
            why = "bending that goes on through a rod without length, beyond two lines at one that is free"
        elif not turns:
            why = "bending at a rod without length and direction: its ends A and B are one place"
        if why and rod.id not in self._told:
            self._told.add(rod.id)
            instead = f"lines that turn freely at rod {rod.id}"
            self._notes.missing(f"rod {rod.id}", why, rod.line, instead=instead)

    def position(self, end: str) -> Vector:
        """Where an end is at the start, as the file has it."""
        rod = rod_end(end)
        if rod is not None:
            body = self._deck.rods[rod[0]]
            at = body.a if rod[1] == "A" else body.b
            return self._on_body(body.held.number, at) if body.held.kind == "body" else at
        point = self._deck.points[end]
        if point.held.kind == "body":
            return self._on_body(point.held.number, point.position)
        if point.held.kind == "turbine":
            origin = self._turbines.get(point.held.number, (0.0, 0.0, 0.0))
            x, y, z = (o + p for o, p in zip(origin, point.position, strict=True))
            return x, y, z
        return point.position

    def guessed(self, end: str) -> bool:
        """Whether the position of an end is a guess: it goes where the forces take it."""
        rod = rod_end(end)
        return (self._deck.points[end].held if rod is None else self._deck.rods[rod[0]].held).kind in ("free", "pinned")

    def moves(self, end: str) -> bool:
        """Whether an end is on something that goes where the forces take it."""
        rod = rod_end(end)
        held = self._deck.points[end].held if rod is None else self._deck.rods[rod[0]].held
        return held.kind in LOOSE or (held.kind == "body" and self._floats(held.number))

    def put_what_is_used(self) -> None:
        """Say which points no line ends at, and hand bodies their attachments."""
        for body in self._deck.bodies.values():
            if f"body{body.id}" not in self._attachments:
                self._body_without_lines(body)
        for point in self._deck.points.values():
            kept = point.held.kind == "body" and point.name in self._attachments.get(f"body{point.held.number}", {})
            if point.id not in self.used and not kept:
                self._notes.dropped(f"point {point.id}", "no line ends there", point.line)
        for rod in self._deck.rods.values():
            if not any(f"R{rod.id}{side}" in self.used for side in ("", "A", "B")):
                self._rod_without_lines(rod)
        for name, attachments in self._attachments.items():
            self._into.data["bodies"][name]["attachments"] = attachments

    def _named(self, end: str) -> str:
        if end not in self.used:
            self.used[end] = self._point(end) if end in self._deck.points else self._rod(end)
        return self.used[end]

    def _point(self, end: str) -> str:
        point = self._deck.points[end]
        name, held = point.name, point.held
        what = f"point {point.id}"
        if held.kind == "body":
            self._attach(f"body{held.number}", name, self._from_centre(held.number, point.position))
            self._notes.taken(what, f"as an attachment of body {held.number}", point.line)
            return f"body{held.number}.{name}"
        if held.kind == "turbine":
            self._turbine(point, name)
            return f"turbine{held.number}.{name}"
        if held.kind in ("fixed", "coupled"):
            kind = "fixed" if held.kind == "fixed" else "controlled"
            self._into.put("points", name, {"kind": kind, "position": list(point.position)}, point.line)
            self._notes.taken(what, f"as a {kind} point", point.line)
        else:
            self._free(point, name)
        return name

    def _free(self, point: Point, name: str) -> None:
        what = f"point {point.id}"
        value: dict[str, Any] = {"kind": "free"}
        joins = self._meeting.get(point.id, 0) > 1 and not (self.begins_there and point.mass > 0.0)
        if not joins:
            value["position"] = list(point.position)
        numbers = {
            "mass": point.mass, "volume": point.volume, "drag_area": point.drag_area,
            "added_mass": self._density * point.volume * point.added,
        }  # fmt: skip
        value |= {key: number for key, number in numbers.items() if number != 0.0}
        guess = ", ".join(f"{x:g}" for x in point.position)
        comment = f"there at [{guess}], a guess; found from its cables here" if joins else ""
        self._into.put("points", name, value, point.line, comment)
        if joins:
            self._notes.changed(what, "its position is a guess, and left out: it follows from its cables", point.line)
        else:
            self._notes.taken(what, "as a free point", point.line)
        if point.volume > 0.0:
            self._notes.changed(
                what, "its buoyancy lessens where it comes out of the water; MoorDyn's never does", point.line
            )

    def _turbine(self, point: Point, name: str) -> None:
        number = point.held.number
        owner, what = f"turbine{number}", f"point {point.id}"
        if number not in self._turbines and owner not in self._attachments:
            where, instead = f"where turbine {number} stands", f"turbine {number} at the origin"
            self._notes.missing(what, where, point.line, turbine=number, instead=instead)
        value = {"kind": "prescribed", "position": list(self._turbines.get(number, (0.0, 0.0, 0.0)))}
        if owner not in self._into.data.get("bodies", {}):
            self._into.put("bodies", owner, value, point.line)
        self._attach(owner, name, point.position)
        self._notes.changed(what, f"is held by turbine {number}: a body at rest there", point.line)

    def _attach(self, owner: str, name: str, offset: Vector) -> None:
        if owner not in self._into.data.get("bodies", {}):
            self._body(self._deck.bodies[owner.removeprefix("body")])
        self._attachments.setdefault(owner, {})[name] = [x + 0.0 for x in offset]

    def _on_body(self, number: int, offset: Vector) -> Vector:
        body = self._deck.bodies[str(number)]
        x, y, z = (o + d for o, d in zip(body.position, turned(body.angles, offset), strict=True))
        return x, y, z

    def _from_centre(self, number: int, offset: Vector) -> Vector:
        """A point of a body from its centre of mass, which is the origin of a free one here."""
        return self._wholes[str(number)].from_centre(offset) if self._floats(number) else offset

    def _body(self, body: Body) -> None:
        name, what = f"body{body.id}", f"body {body.id}"
        whole = self._wholes[body.id]
        value: dict[str, Any] = {"position": list(self._on_body(int(body.id), whole.centre))}
        angles = attitude_deg(body.angles)
        if whole.is_turned and self._floats(int(body.id)):
            angles = our_angles((np.asarray(matrix(body.angles)) @ whole.axes).tolist())
        if any(angles):
            value["orientation_deg"] = list(angles)
            if sum(angle != 0.0 for angle in body.angles) > 1:
                why = "angles are of Rx Ry Rz there and of Rz Ry Rx here: the same attitude in other numbers"
                self._notes.changed(what, why, body.line)
        if not self._floats(int(body.id)):
            if body.held.kind == "coupled_pinned":
                why = "a body that turns about its place: its mass and inertia"
                instead = f"body {body.id} held in its attitude"
                self._notes.missing(what, why, body.line, instead=instead)
            value = {"kind": "prescribed", **value, "position": list(body.position)}
            self._notes.taken(what, "as a body that moves as prescribed", body.line)
        else:
            if not whole.moves and whole.mass > 0.0 and self._is_never_turned(body):
                self._wholes[body.id] = whole = whole.as_a_ball()
                why = "is a point mass, which nothing turns: it was given some inertia, of no effect"
                self._notes.changed(what, why, body.line)
            if not whole.moves:
                why = f"{what} is free, and neither it nor what is fixed to it has mass and moments of inertia"
                self._reader.wrong(body.line, why, "give it Mass and I, or the rods on it a Mass/m")
            value = {"kind": "free", **value, **self._mechanics(body)}
            self._notes.taken(what, "mass, inertia about its centre of mass, volume, drag and added mass", body.line)
        self._into.put("bodies", name, value, body.line)
        if body.held.kind == "coupled_pinned" and self._floats(int(body.id)):
            pin = {"kind": "controlled", "position": list(body.position)}
            self._into.put("points", f"{name}_pin", pin, body.line)
            self._attach(name, "pin", self._from_centre(int(body.id), (0.0, 0.0, 0.0)))
            joint = {"kind": "spherical", "parent": f"{name}_pin", "child": f"{name}.pin"}
            self._into.put("joints", name, joint, body.line)
            self._notes.changed(what, "hangs by a ball joint from a point that is moved", body.line)

    def _is_never_turned(self, body: Body) -> bool:
        """Whether no rod is on a body, and all lines that end on it do so in its centre of mass."""
        whole = self._wholes[body.id]
        ends = (end for line in self._deck.lines.values() for end in line.ends)
        places = [self._deck.points[end] for end in ends if end in self._deck.points]
        held = [point for point in places if point.held.kind == "body" and str(point.held.number) == body.id]
        rods = [rod for rod in self._deck.rods.values() if rod.held.kind == "body" and str(rod.held.number) == body.id]
        return not rods and all(math.hypot(*whole.from_centre(point.position)) < 1e-6 for point in held)

    def _mechanics(self, body: Body) -> dict[str, Any]:
        """Numbers of a free body. CdA is one value for all, two (moves, turns), three (repeated for turns) or six."""
        whole, area = self._wholes[body.id], body.drag_area
        inertia = body.inertia * 3 if len(body.inertia) == 1 else body.inertia
        six = {1: area * 6, 2: (area[0],) * 3 + (area[-1],) * 3, 3: area * 2, 6: area}[len(area)]
        added = body.added * 3 if len(body.added) == 1 else body.added
        value: dict[str, Any] = {"mass": whole.mass, "inertia": list(whole.inertia)}
        if whole.volume > 0.0:
            value["volume"] = whole.volume
            if whole.middle != whole.centre:
                value["centre_of_buoyancy"] = [x + 0.0 for x in whole.from_centre(whole.middle)]
            why = "its buoyancy lessens where it comes out of the water; MoorDyn's never does"
            self._notes.changed(f"body {body.id}", why, body.line)
        if any(six):
            value["drag_area"] = list(six[:3])
            value["drag_moment"] = [0.5 * self._density * x for x in six[3:]]
        if any(added):
            value["added_mass"] = [self._density * body.volume * x for x in added]
        if whole.members:
            value["members"] = {f"rod{rod.id}": self._member(rod, whole) for rod in whole.members}
        if whole.mass != body.mass or whole.inertia != tuple(inertia):
            why = "mass and inertia are those of the body with all that is fixed to it, about their centre of mass"
            self._notes.changed(f"body {body.id}", why, body.line)
            if whole.is_turned and len({*six[:3]} | {0.0}) + len({*added} | {0.0}) > 2:
                why = "drag and added mass are along its principal axes, which are not those of the file"
                self._notes.changed(f"body {body.id}", why, body.line)
        return value

    def _member(self, rod: Rod, whole: Whole) -> dict[str, Any]:
        """A rod that is part of a body."""
        kind = self._deck.rod_types[rod.type]
        self._notes.taken(f"rod {rod.id}", f"as a member of body {rod.held.number}, which has its mass", rod.line)
        value: dict[str, Any] = {
            "ends": [[x + 0.0 for x in whole.from_centre(at)] for at in (rod.a, rod.b)], "diameter": kind.diameter,
        }  # fmt: skip
        numbers = {
            "drag": kind.drag, "added_mass": kind.added, "end_drag": kind.end_drag, "end_added_mass": kind.end_added
        }  # fmt: skip
        return value | {key: number for key, number in numbers.items() if number} | {"strips": rod.segments}

    def _rod(self, end: str) -> str:
        """The end of a rod as a place: at a point that is held, on a body, or of a body that stands for the rod."""
        number, side = end[1:].rstrip("AB"), end[-1] if end[-1] in "AB" else "A"
        rod = self._deck.rods[number]
        what, at = f"rod {rod.id}", rod.a if side == "A" else rod.b
        name = f"rod{rod.id}{side}" if has_length(rod) else f"rod{rod.id}"
        kind = rod.held.kind
        if kind == "body" and not self._is_apart(rod):
            self._attach(f"body{rod.held.number}", name, self._from_centre(rod.held.number, at))
            if not self._is_member(rod):
                self._notes.changed(what, f"its ends are attachments of body {rod.held.number}", rod.line)
            return f"body{rod.held.number}.{name}"
        if kind == "turbine":
            instead = f"rod {rod.id} fixed in space"
            self._notes.missing(what, "a rod that a turbine holds", rod.line, instead=instead)
            kind = "fixed"
        if not has_length(rod) and kind in ("pinned", "coupled_pinned"):
            kind = "fixed" if kind == "pinned" else "coupled"
        if kind == "fixed":
            self._into.put("points", name, {"kind": "fixed", "position": list(at)}, rod.line)
            self._notes.changed(what, "is fixed: its ends are fixed points", rod.line)
            return name
        if not has_length(rod):
            value: dict[str, Any] = {"kind": "free" if kind == "free" else "controlled"}
            if kind != "free" or self._meeting.get(f"R{rod.id}A", 0) + self._meeting.get(f"R{rod.id}B", 0) < 2:
                value["position"] = list(at)
            self._into.put("points", name, value, rod.line)
            self._notes.changed(what, "has no length: it is a point", rod.line)
            return name
        self._rod_body(rod)
        return f"rod{rod.id}.{side}"

    def _rod_body(self, rod: Rod) -> None:
        """A body that stands for a rod, with its ends A and B, and the joint that holds it where it is not free."""
        owner, held = f"rod{rod.id}", rod.held
        if owner in self._into.data.get("bodies", {}):
            return
        a, b = rod.a, rod.b
        if held.kind == "coupled":
            why = "is coupled: a body that moves as prescribed, with its ends A and B"
            self._notes.changed(f"rod {rod.id}", why, rod.line)
            self._into.put("bodies", owner, {"kind": "prescribed", "position": list(a)}, rod.line)
            self._attachments[owner] = {"A": [0.0, 0.0, 0.0], "B": [q - p + 0.0 for p, q in zip(a, b, strict=True)]}
            return
        if held.kind == "body":
            a, b = self._on_body(held.number, a), self._on_body(held.number, b)
        half = 0.5 * math.dist(a, b)
        self._into.put("bodies", owner, cylinder(a, b, self._deck.rod_types[rod.type], self._density), rod.line)
        self._attachments[owner] = {"A": [0.0, 0.0, -half], "B": [0.0, 0.0, half]}
        self._pieces[owner] = rod.segments
        parent, how = "", "a free body"
        if held.kind == "body":
            parent = f"body{held.number}.{owner}"
            self._attach(f"body{held.number}", owner, self._from_centre(held.number, rod.a))
        elif held.kind in ("pinned", "coupled_pinned"):
            parent = f"{owner}_pin"
            kind = "fixed" if held.kind == "pinned" else "controlled"
            self._into.put("points", parent, {"kind": kind, "position": list(a)}, rod.line)
        if parent:
            kind, how = "spherical", "a body on a ball joint"
            if held.kind == "body" and not held.pinned:
                kind, how = "fixed", "a body fixed to another"
            self._into.put("joints", owner, {"kind": kind, "parent": parent, "child": f"{owner}.A"}, rod.line)
        self._notes.taken(f"rod {rod.id}", f"{how} with mass, buoyancy, drag and added mass", rod.line)

    def put_rods(self, strips: bool) -> None:
        """Let rods meet the water in as many pieces as the file has, or with loads summed about their middles."""
        for owner, count in self._pieces.items():
            body = self._into.data["bodies"][owner]
            if strips:
                self._into.data["bodies"][owner] = in_strips(body, count)
            else:
                why = "its drag and added mass are summed about its middle; waves are felt there alone"
                self._notes.changed(f"rod {owner.removeprefix('rod')}", why, self._into.lines["bodies", owner])

    def _floats(self, number: int) -> bool:
        """Whether a body goes, or at least turns, where the forces take it."""
        kind = self._deck.bodies[str(number)].held.kind
        return kind == "free" or (kind == "coupled_pinned" and self._wholes[str(number)].moves)

    def _is_apart(self, rod: Rod) -> bool:
        """Whether a rod on a body is a body of its own that a joint holds there."""
        moves = rod.held.pinned or self._floats(rod.held.number)
        return has_length(rod) and moves and not self._is_member(rod)

    def _is_member(self, rod: Rod) -> bool:
        """Whether a rod is part of the body it is fixed to."""
        held = rod.held
        return held.kind == "body" and self._floats(held.number) and rod in self._wholes[str(held.number)].members

    def _body_without_lines(self, body: Body) -> None:
        """A body that moves by itself is taken over, and in a file without lines one that is moved, with its points;
        one that is held and holds nothing is dropped."""
        if self._floats(int(body.id)):
            self._body(body)
        elif not self._deck.lines and body.held.kind in ("coupled", "coupled_pinned"):
            self._body(body)
            held = (point for point in self._deck.points.values() if point.held.kind == "body")
            for point in (point for point in held if str(point.held.number) == body.id):
                self._attach(f"body{body.id}", point.name, point.position)
        else:
            self._notes.dropped(f"body {body.id}", "no line ends there", body.line)

    def _rod_without_lines(self, rod: Rod) -> None:
        """A rod that moves by itself, or with a body that does, is taken over; others hold nothing and are dropped."""
        held = rod.held
        if held.kind == "body":
            if self._is_apart(rod) and f"body{held.number}" in self._into.data.get("bodies", {}):
                self._rod_body(rod)
            return
        if any(f"R{rod.id}{side}" in line.ends for line in self._deck.lines.values() for side in "AB"):
            return
        if has_length(rod) and held.kind in ("free", "pinned", "coupled_pinned"):
            self._rod_body(rod)
            if held.kind == "free":
                del self._attachments[f"rod{rod.id}"]
        else:
            self._notes.dropped(f"rod {rod.id}", "no line ends there", rod.line)


def lets_go(deck: Deck, cables: list[Run], places: Places) -> bool:
    """Whether a file has free masses that can be let go where it puts them.

    Where a line would then be torn taut by many times the weight of all that is free, the places are a guess.
    """
    masses = [point.mass for point in deck.points.values() if point.held.kind == "free"]
    rods = [rod for rod in deck.rods.values() if has_length(rod) and rod.held.kind in LOOSE]
    masses += [deck.rod_types[rod.type].mass * math.dist(rod.a, rod.b) for rod in rods]
    wholes = (whole_of(deck, body) for body in deck.bodies.values() if body.held.kind in LOOSE)
    free = sum(masses) + sum(whole.mass for whole in wholes)
    if deck.lines and not free > 0.0:
        return False
    for run in cables:
        length = sum(line.length for line, _ in run.lines)
        if any(places.moves(end) for end in run.ends) and length > 0.0:
            start, end = (places.position(end) for end in run.ends)
            strain = math.dist(start, end) / length - 1.0
            kinds = [deck.types[line.type] for line, _ in run.lines]
            lines = sum(deck.types[line.type].mass * line.length for line, _ in run.lines)
            pull = strain * max(number(kind.ea) or math.inf for kind in kinds) if strain > 0.0 else 0.0
            if pull > MANY * GRAVITY * (free + lines):
                return False
    return True
