"""A MoorDyn file as a system of ours: plain data as a YAML file would hold it, the line of each part, and notes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairlead.model.problems import ModelError, shown

from ..notes import Notes
from .attitude import turned
from .deck import Deck, Load, Point, plain_name, tell_passed_over
from .numerals import is_broken, number
from .places import Places, lets_go
from .ropes import stretching
from .rows import Reader, Vector
from .runs import Run, bends, runs
from .surroundings import put_surroundings

STEP = 0.02
DURATION = 60.0
"""Time step and simulated time of an imported system, s: a MoorDyn file says neither."""
AT_ONCE = 0.1
"""s: a TmaxIC up to this leaves no time to settle."""
TORN = {"lumped": 4.0, "bars": 2.0}
"""Times its length to which a cable may be stretched."""


@dataclass
class Converted:
    """A system as plain data. `lines` and `comments` belong to entries of its sections: ("cables", "line1")."""

    data: dict[str, Any] = field(default_factory=dict)
    lines: dict[tuple[str, ...], int] = field(default_factory=dict)
    comments: dict[tuple[str, ...], str] = field(default_factory=dict)

    def put(self, section: str, name: str, value: Any, line: int | None, comment: str = "") -> None:
        self.data.setdefault(section, {})[name] = value
        if line is not None:
            self.lines[section, name] = line
        where = "" if line is None else f"line {line}"
        text = ": ".join(part for part in (where, comment) if part)
        if text:
            self.comments[section, name] = text


def convert(deck: Deck, notes: Notes, turbines: Mapping[int, Vector], folder: Path) -> Converted:
    """What a deck says, as a system. What cannot be said here is in the notes; what is wrong is raised."""
    into = Converted({"title": deck.title or f"From {Path(deck.file).name}"})
    reader = Reader(deck.file)
    into.data["types"], into.data["cables"] = {}, {}
    names = _type_names(deck)
    _put_types(deck, names, into, reader, notes, folder)
    cables = runs(deck)
    put_surroundings(deck, into, reader, notes, folder)
    places = Places(deck, cables, into, reader, notes, turbines)
    settling = deck.options.get("settling")
    places.begins_there = settling is not None and settling.value <= AT_ONCE and lets_go(deck, cables, places)
    into.data.setdefault("points", {})
    for run in cables:
        _put_cable(deck, run, names, places, into, reader, notes)
    places.put_what_is_used()
    if not deck.lines and not into.data.get("bodies"):
        reader.wrong(None, "has no line, nor a rod or body that moves: there is nothing to hang, tow or moor")
        tell_passed_over(reader, notes)
        raise ModelError(reader.problems)
    _put_failures(deck, cables, into, reader, notes)
    _put_loads(deck, places, into, notes)
    _put_histories(deck, cables, into, notes)
    clamped = _clamped_on_bodies(into)
    if clamped and (into.data.get("joints") or any(body.get("members") for body in into.data["bodies"].values())):
        for name, end in clamped:
            into.data["cables"][name][end] = into.data["cables"][name][end]["point"]
            why = "turns freely at a rod: what carries joints and members of bodies has nothing to clamp a cable to"
            notes.changed(f"cable {name}", why, into.lines.get(("cables", name)))
        clamped = []
    formulation = "bars" if clamped else "lumped"
    places.put_rods(strips=formulation == "lumped")
    for run in cables:
        _tell_stretch(run, places, TORN[formulation], notes)
    for name, kind in into.data["types"].items():
        what, line = f"line type {name}", into.lines.get(("types", name))
        if "vortices" in kind and formulation == "lumped":
            notes.taken(what, "lift, frequency and band of vortices", line)
        elif kind.pop("vortices", None):
            notes.missing(what, "vibration by vortices, beside cables clamped to bodies", line, "motion")
    into.data["simulation"] = {"formulation": formulation, "duration": DURATION, "step": STEP}
    every = deck.options.get("output_every")
    if every is not None and every.value > 0.0:
        into.data["simulation"]["output_every"] = min(DURATION, max(1, round(every.value / STEP)) * STEP)
        into.comments["simulation", "output_every"] = f"line {every.line}: {every.key}"
    _put_start(deck, places, into, notes)
    if reader.problems:
        raise ModelError(sorted(reader.problems, key=lambda problem: problem.line or 0))
    return into


def _put_start(deck: Deck, places: Places, into: Converted, notes: Notes) -> None:
    """A file without time to settle (TmaxIC 0) lets free masses go where it puts them: drops, pendulums, decays."""
    settling = deck.options.get("settling")
    if settling is None or settling.value > AT_ONCE:
        return
    if places.begins_there:
        into.data["simulation"]["start"] = "catenary"
        comment = f"line {settling.line}: {settling.key} {settling.value:g}, where the file puts them"
        into.comments["simulation", "start"] = comment
        notes.taken(f"option {settling.key}", "lets go of free masses where the file puts them", settling.line)
    else:
        why = f"{settling.value:g} lets MoorDyn begin out of balance; here a run begins at rest"
        notes.changed(f"option {settling.key}", why, settling.line)


def _clamped_on_bodies(into: Converted) -> list[tuple[str, str]]:
    """Cables and ends that are clamped to bodies; the point masses of `lumped` have no attitude to clamp a cable to."""
    return [
        (name, end)
        for name, cable in into.data["cables"].items()
        for end in ("start", "end")
        if isinstance(cable[end], dict) and "." in cable[end]["point"] and "joint" in cable[end]
    ]


def name_of(text: str, taken: Mapping[str, Any]) -> str:
    """A name of ours for one of theirs: letters, digits, _ and -, each once."""
    plain = plain_name("type", text)
    found, again = plain, 2
    while found in taken:
        found, again = f"{plain}_{again}", again + 1
    return found


def _type_names(deck: Deck) -> dict[str, str]:
    names: dict[str, str] = {}
    for kind in deck.types:
        names[kind] = name_of(kind, dict.fromkeys(names.values()))
    return names


def _put_types(deck: Deck, names: dict[str, str], into: Converted, reader: Reader, notes: Notes, folder: Path) -> None:
    used = {line.type for line in deck.lines.values()}
    for key, kind in deck.types.items():
        what = f"line type {key}"
        if key not in used:
            notes.dropped(what, "no line is of this type", kind.line)
            continue
        axial = stretching(kind, reader, folder)
        if axial.missing:
            notes.missing(what, axial.missing, kind.line, axial.spoils)
        value: dict[str, Any] = {"diameter": kind.diameter, "mass_per_length": kind.mass} | axial.values
        bending = number(kind.ei)
        if bending is None and is_broken(kind.ei):
            reader.wrong(kind.line, f"EI of {what} is {shown(kind.ei)}, which is no number")
        elif bending is None:
            notes.missing(what, f"bending stiffness as the table {kind.ei}", kind.line)
        elif bending > 0.0:
            value["bending_stiffness"] = bending
        value["drag"] = {"normal": kind.drag, "axial": kind.axial_drag}
        value["added_mass"] = {"normal": kind.added, "axial": kind.axial_added}
        if kind.breaking_load > 0.0:
            value["breaking_load"] = kind.breaking_load
        if kind.lift > 0.0:
            value["vortices"] = {"lift": kind.lift, **kind.shedding}
        into.put("types", names[key], value, kind.line, "" if names[key] == key else f"there '{key}'")
        notes.taken(what, "diameter, mass, EA, damping, EI, drag and added mass", kind.line)


def _put_cable(
    deck: Deck, run: Run, names: dict[str, str], places: Places, into: Converted, reader: Reader, notes: Notes
) -> None:
    """One cable: a line, or several that a rod without length joins."""
    first = run.lines[0][0]
    for line, _ in run.lines:
        if line.segments == 0:
            reader.wrong(line.line, f"line {line.id} has no segments (NumSegs 0)", "give it one or more")
    parts = [{"type": names[line.type], "length": line.length, "elements": line.segments} for line, _ in run.lines]
    value: dict[str, Any] = dict(parts[0]) if len(parts) == 1 else {"sections": parts}
    start, end = run.ends
    value["start"] = places.end(start, True, bends(deck, first))
    last = run.lines[-1][0]
    value["end"] = places.end(end, False, bends(deck, last))
    length, chord, loose = _spanned(run, places)
    if chord > length * (1.0 + 1e-9) or loose or (len(parts) == 1 and first.segments == 1):
        value["allow_stretch"] = True
    what = _lines_of(run)
    if len(parts) > 1:
        notes.changed(what, "are one cable here: rods without length let the bending go on", first.line)
        lines = ", ".join(str(line.line) for line, _ in run.lines)
        into.put("cables", run.name, value, None, f"lines {lines}")
        into.lines["cables", run.name] = first.line
    else:
        into.put("cables", run.name, value, first.line)
        notes.taken(what, "type, ends, length and elements", first.line)


def _lines_of(run: Run) -> str:
    return ("line " if len(run.lines) == 1 else "lines ") + ", ".join(line.id for line, _ in run.lines)


def _spanned(run: Run, places: Places) -> tuple[float, float, bool]:
    """Length of a cable and distance of its ends, m; and whether that is a guess."""
    start, end = run.ends
    chord = math.dist(places.position(start), places.position(end))
    return sum(line.length for line, _ in run.lines), chord, places.guessed(start) or places.guessed(end)


def _tell_stretch(run: Run, places: Places, torn: float, notes: Notes) -> None:
    """Say of a cable shorter than its ends are apart that it starts stretched or, from `torn` times on, cannot."""
    length, chord, loose = _spanned(run, places)
    what, line = _lines_of(run), run.lines[0][0].line
    if not loose and chord >= torn * length:
        why = f"a line that is stretched from {length:g} m to {chord:g} m"
        times = f"{chord / length:.3g} times the length" if length else f"{chord:g} m"
        notes.missing(what, why, line, instead=f"{what} stretched to {times}")
    elif not loose and chord > length * (1.0 + 1e-9):
        notes.changed(what, f"is {length:g} m long between ends {chord:g} m apart: it starts stretched", line)


def _put_failures(deck: Deck, cables: list[Run], into: Converted, reader: Reader, notes: Notes) -> None:
    for failure in deck.failures:
        what, time, tension = f"failure {failure.id}", failure.time, failure.tension
        if not time > 0.0 and not tension > 0.0:
            notes.dropped(what, "neither a time nor a tension is given", failure.line)
            continue
        release = {key: value for key, value in (("time", time), ("tension", tension)) if value > 0.0}
        for number_ in failure.lines:
            _release(failure.place, number_, release, cables, into, what, failure.line, reader, notes)


def _release(
    place: str, line_id: str, release: dict[str, float], cables: list[Run], into: Converted, what: str, at: int,
    reader: Reader, notes: Notes,
) -> None:  # fmt: skip
    for run in cables:
        for key, end in zip(("start", "end"), run.ends, strict=True):
            if end == place and any(line.id == line_id for line, _ in run.lines):
                cable = into.data["cables"][run.name]
                held = cable[key] if isinstance(cable[key], dict) else {"point": cable[key]}
                cable[key] = held | {"release": release}
                notes.taken(what, f"{key} of {run.name} lets go", at)
                return
    reader.wrong(at, f"{what}: line {line_id} does not end at {place}")


def _put_histories(deck: Deck, cables: list[Run], into: Converted, notes: Notes) -> None:
    """SYROPE IC: what ropes have gone through."""
    for one in deck.histories:
        for run in cables:
            if any(line.id in one.lines for line, _ in run.lines) and one.most > 0.0:
                into.data["cables"][run.name]["history"] = {"tension_max": one.most, "tension_mean": one.mean}
                what = f"Syrope IC of lines {','.join(one.lines)}"
                notes.taken(what, f"what {run.name} has gone through", one.line)


def _put_loads(deck: Deck, places: Places, into: Converted, notes: Notes) -> None:
    loads: list[dict[str, Any]] = []
    for point in deck.points.values():
        if any(point.force):
            loads += _load(places, point, point.force, point.line, notes)
    for one in deck.loads:
        what = f"external load {one.id}"
        kind = "".join(letter for letter in one.object if letter.isalpha()).upper()
        number_ = "".join(letter for letter in one.object if letter.isdigit())
        if kind in ("P", "POINT", "CON") and number_ in deck.points:
            loads += _load(places, deck.points[number_], one.force, one.line, notes)
            if any((*one.linear, *one.quadratic)) and deck.points[number_].held.kind == "free":
                notes.missing(what, "damping of a point", one.line, "motion")
        elif kind in ("B", "BODY") and f"body{number_}" in into.data.get("bodies", {}):
            loads += _on_body(deck, one, number_, into, notes)
        else:
            notes.missing(what, f"a load on {one.object or 'nothing'}", one.line)
    if loads:
        into.data["loads"] = loads


def _on_body(deck: Deck, load: Load, number_: str, into: Converted, notes: Notes) -> list[dict[str, Any]]:
    """A force on a body as a load, and its damping as that of the body, along its own axes."""
    what, body = f"external load {load.id}", into.data["bodies"][f"body{number_}"]
    if any((*load.linear, *load.quadratic)) and body["kind"] == "free":
        parts = {"linear": load.linear, "quadratic": load.quadratic}
        body["damping"] = {key: [*values, 0.0, 0.0, 0.0] for key, values in parts.items() if any(values)}
        even = all(len(set(values)) == 1 for values in parts.values())
        if even or load.local:
            notes.taken(what, f"Blin and Bquad as damping of body {number_}", load.line)
        else:
            notes.changed(what, "Blin and Bquad are along the axes of the body here, which turn with it", load.line)
    if not any(load.force):
        return []
    force = load.force
    if load.local:
        force = turned(deck.bodies[number_].angles, force)
        notes.changed(what, "a force that keeps its first direction, where there it turns with the body", load.line)
    else:
        notes.taken(what, "as a constant force", load.line)
    return [{"point": f"body{number_}", "force": list(force)}]


def _load(places: Places, point: Point, force: Vector, line: int, notes: Notes) -> list[dict[str, Any]]:
    place = places.used.get(point.id)
    if place is None or not any(force):
        return []
    notes.taken(f"force on point {point.id}", "as a constant load", line)
    return [{"point": place, "force": list(force)}]
