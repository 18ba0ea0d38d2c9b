"""A MoorDyn file as it stands: what each row says, before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeVar

from fairlead.model.problems import ModelError, listed, nearest, shown

from ..notes import Notes
from .line_types import Columns, LineType, read_line_type
from .options import Option, read_options
from .ropes import stretching
from .rows import Reader, Vector, numbers_from
from .sections import PASSED_OVER, Row, Section, sections

Attachment = Literal["fixed", "coupled", "free", "body", "turbine", "pinned", "coupled_pinned"]
WORDS: dict[str, Attachment] = {
    "fixed": "fixed", "fix": "fixed", "anchor": "fixed", "coupled": "coupled", "vessel": "coupled", "ves": "coupled",
    "cpld": "coupled", "fairlead": "coupled", "fair": "coupled", "free": "free", "point": "free", "p": "free",
    "con": "free", "connect": "free", "pinned": "pinned", "pin": "pinned", "coupledpinned": "coupled_pinned",
    "vesselpinned": "coupled_pinned", "cpldpin": "coupled_pinned", "vespin": "coupled_pinned",
}  # fmt: skip
"""Attachments by the words for them, in lower case."""
FEWEST, MOORDYN_1 = 4, 9
"""Columns that rows of LINE TYPES have at least, as MoorPy's that end after EA, and in MoorDyn 1."""
KILO = 1e3
"""Forces of points are in kN in files of MoorDyn 1."""


def plain_name(noun: str, text: str) -> str:
    """A number with its noun before it; a name with what ours may hold: letters, digits, _ and -."""
    letters = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in text)[:60].lstrip("-")
    return f"{noun}{letters}" if letters.isdigit() or not letters else letters


@dataclass(frozen=True)
class Held:
    """How something is held: the kind, the number of the body or turbine, and whether it turns about a pin there."""

    kind: Attachment
    number: int = 0
    pinned: bool = False


@dataclass(frozen=True)
class Point:
    """A row of POINTS."""

    line: int
    id: str
    held: Held
    position: Vector
    mass: float
    volume: float
    drag_area: float
    added: float
    force: Vector = (0.0, 0.0, 0.0)

    @property
    def name(self) -> str:
        """Its name here: `point4`, or a plain form of the one it has."""
        return plain_name("point", self.id)


@dataclass(frozen=True)
class Line:
    """A row of LINES. `ends` are the numbers of points, or `R3A` for end A of rod 3."""

    line: int
    id: str
    type: str
    ends: tuple[str, str]
    length: float
    segments: int

    @property
    def name(self) -> str:
        """Its name here: `line4`, or a plain form of the one it has."""
        return plain_name("line", self.id)


@dataclass(frozen=True)
class Body:
    """A row of BODIES; angles in degrees."""

    line: int
    id: str
    held: Held
    position: Vector
    angles: Vector
    mass: float
    centre: tuple[float, ...]
    inertia: tuple[float, ...]
    volume: float
    drag_area: tuple[float, ...]
    added: tuple[float, ...]


@dataclass(frozen=True)
class RodType:
    """A row of ROD TYPES."""

    line: int
    name: str
    diameter: float
    mass: float
    drag: float
    added: float
    end_drag: float
    end_added: float


@dataclass(frozen=True)
class Rod:
    """A row of RODS."""

    line: int
    id: str
    type: str
    held: Held
    a: Vector
    b: Vector
    segments: int


@dataclass(frozen=True)
class Failure:
    """A row of FAILURE: lines that are let go from where they end at a time, s, or at a tension, N; 0 for neither."""

    line: int
    id: str
    place: str
    lines: tuple[str, ...]
    time: float
    tension: float


@dataclass(frozen=True)
class History:
    """A row of SYROPE IC: what lines have gone through, N."""

    line: int
    lines: tuple[str, ...]
    most: float
    mean: float


@dataclass(frozen=True)
class Load:
    """A row of EXTERNAL LOADS: a force, N, on the thing of that kind and number; and its damping along x, y and z.

    linear: N s/m; quadratic: N s²/m². local: all in the frame of the body (CSys L), else the global one.
    """

    line: int
    id: str
    object: str
    force: Vector
    linear: Vector
    quadratic: Vector
    local: bool


@dataclass
class Deck:
    """A whole file. Entries are in the order of the file, under their numbers as they are written."""

    file: str
    title: str
    types: dict[str, LineType] = field(default_factory=dict)
    rod_types: dict[str, RodType] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    rods: dict[str, Rod] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    histories: list[History] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)


_Entry = TypeVar("_Entry", LineType, RodType, Body, Rod, Point, Line)


def read_deck(text: str, file: str, notes: Notes, columns: Columns = "auto", few_columns: bool = False) -> Deck:
    """Reads a file; what is wrong with it is raised as one `ModelError`, each problem with its line."""
    title, found = sections(text, notes)
    reader = Reader(file)
    deck = Deck(file, title)
    if not found:
        reader.wrong(None, "holds none of MoorDyn's sections", "they begin with lines such as '--- LINE TYPES ---'")
    headings = found["line types"].names if "line types" in found else ()
    few_columns = few_columns or FEWEST <= len(headings) < MOORDYN_1

    def table(kind: str, read: Callable[[Row], _Entry], key: Callable[[_Entry], str]) -> dict[str, _Entry]:
        entries: dict[str, _Entry] = {}
        for row in found[kind].rows if kind in found else ():
            entry = read(row)
            if key(entry) in entries:
                notes.doubtful(f"{kind}: {key(entry)}", "is there twice; the first one counts", row.line)
            entries.setdefault(key(entry), entry)
        return entries

    def line_type(row: Row) -> LineType:
        return read_line_type(row, headings, columns, few_columns, reader, notes)

    deck.types = table("line types", line_type, lambda entry: entry.name)
    for row in _rows(found, "working curves"):
        _put_working_curves(row, deck, reader)
    deck.rod_types = table("rod types", lambda row: _rod_type(row, reader), lambda entry: entry.name)
    deck.bodies = table("bodies", lambda row: _body(row, reader), lambda entry: entry.id)
    deck.rods = table("rods", lambda row: _rod(row, reader, notes), lambda entry: entry.id)
    deck.options = read_options(found.get("options"), reader, notes)
    deck.points = table("points", lambda row: _point(row, deck, reader), lambda entry: entry.id)
    deck.lines = table("lines", lambda row: _line(row, deck, reader, notes), lambda entry: entry.id)
    deck.failures = [_failure(row, reader) for row in _rows(found, "failure")]
    deck.loads = [_load(row, reader) for row in _rows(found, "loads")]
    deck.histories = [_history(row, reader) for row in _rows(found, "syrope")]
    deck.outputs = _outputs(found.get("outputs"))
    for row in _rows(found, "control"):
        notes.dropped(
            "control", "a host changes the length of these lines; here the input <line>.winch would", row.line
        )
    for kind in ("points", "lines"):
        if found and kind not in found and not {"rods", "bodies"} & found.keys():
            reader.wrong(None, f"has no section {kind.upper()}", f"begin it with a line '--- {kind.upper()} ---'")
    check_names(deck, reader)
    if reader.problems:
        for rope in deck.types.values():  # EA and BA may name files, which are looked for when types are made of them
            stretching(rope, reader, Path(file).parent)
        tell_passed_over(reader, notes)
        raise ModelError(sorted(reader.problems, key=lambda problem: problem.line or 0))
    return deck


def tell_passed_over(reader: Reader, notes: Notes) -> None:
    """Say of rows in the place of names and units, which may be what other rows lack, that they are not read."""
    for note in notes:
        if note.why.startswith(PASSED_OVER):
            cure = "MoorDyn passes over the two lines after a header; write names and units there"
            reader.wrong(note.line, f"a row of {note.what.upper()} {note.why}", cure)


def _rows(found: dict[str, Section], kind: str) -> list[Row]:
    return found[kind].rows if kind in found else []


def _outputs(section: Section | None) -> list[str]:
    """Channels, one or several a line, with commas and quotes, up to END."""
    channels: list[str] = []
    for row in section.rows if section is not None else ():
        for word in re.split(r"[\s,;\"']+", " ".join(row.fields)):
            if word.upper() == "END":
                return channels
            if re.fullmatch(r"[A-Za-z]\w*", word):
                channels.append(word)
    return channels


def _held(word: str, row: Row, what: str, reader: Reader) -> Held:
    plain = word.lower()
    numbered = re.fullmatch(r"(b|body|t|turbine)(\d+)(pin|pinned)?", plain)
    if numbered is not None:
        kind: Attachment = "body" if numbered[1].startswith("b") else "turbine"
        return Held(kind, int(numbered[2]), numbered[3] is not None)
    kind_of = WORDS.get(plain) or WORDS.get(plain.rstrip("0123456789"))
    if kind_of is None:
        near = nearest(plain, WORDS)
        hint = f"did you mean '{near}'?" if near else "it is Fixed, Coupled, Free, Body1 or the like"
        reader.wrong(row.line, f"{what} has the attachment '{word}', which is not known", hint)
        return Held("fixed")
    return Held(kind_of)


def _point(row: Row, deck: Deck, reader: Reader) -> Point:
    number = re.sub("[A-Za-z]", "", row.fields[0]) or row.fields[0]
    depth = deck.options.get("depth")
    if len(row.fields) > 4 and "seabed" in row.fields[4].lower() and depth is not None:  # as MoorPy has it
        row = Row(row.line, (*row.fields[:4], f"{-depth.value}", *row.fields[5:]))
    what = f"point {number}"
    held = _held(row.fields[1] if len(row.fields) > 1 else "", row, what, reader)
    position = reader.vector(row, 2, what, "X Y Z")
    old = numbers_from(row, 5) >= 7
    names = ("mass", "volume", "FX", "FY", "FZ", "CdA", "Ca") if old else ("mass", "volume", "CdA", "Ca")
    values = {name: reader.number(row, 5 + i, what, name) for i, name in enumerate(names)}
    force = (KILO * values.get("FX", 0.0), KILO * values.get("FY", 0.0), KILO * values.get("FZ", 0.0))
    return Point(row.line, number, held, position, values["mass"], values["volume"], values["CdA"], values["Ca"], force)


def _line(row: Row, deck: Deck, reader: Reader, notes: Notes) -> Line:
    what = f"line {row.fields[0]}"
    if len(row.fields) < 6:
        reader.wrong(
            row.line, f"{what} has {len(row.fields)} columns; it needs its type, two ends, length and segments"
        )
        return Line(row.line, row.fields[0], "", ("", ""), 1.0, 1)
    number, kind, *rest = row.fields
    new = _is_end(rest[0], deck) and _is_end(rest[1], deck)
    old = _is_end(rest[2], deck) and _is_end(rest[3], deck)
    if old and not new:
        return Line(
            row.line,
            number,
            kind,
            _ends(rest[2], rest[3]),
            reader.number(row, 2, what, "UnstrLen"),
            reader.whole(row, 3, what, "NumSegs"),
        )
    if old:
        why = "may be of MoorDyn 1 (length and segments before the ends); taken as of MoorDyn 2 (ends first)"
        notes.doubtful(what, why, row.line)
    return Line(
        row.line,
        number,
        kind,
        _ends(rest[0], rest[1]),
        reader.number(row, 4, what, "UnstrLen"),
        reader.whole(row, 5, what, "NumSegs"),
    )


def _ends(a: str, b: str) -> tuple[str, str]:
    return _end(a), _end(b)


def _end(word: str) -> str:
    """The number of a point, also where it is written as Point4, P4, Con4 or C4; else the word, in capitals."""
    point = re.fullmatch(r"(?:P|POINT|C|CON|CONNECT|CONNECTION|N|NODE)(\d+)", word.upper())
    return word.upper() if point is None else point[1]


def _is_end(word: str, deck: Deck) -> bool:
    return _end(word) in deck.points or rod_end(word) is not None


def rod_end(word: str) -> tuple[str, str] | None:
    """`R3A` as ("3", "A"); None for what is no end of a rod."""
    match = re.fullmatch(r"[rR](?:od)?(\d+)([aAbB])", word)
    return None if match is None else (match[1], match[2].upper())


def _body(row: Row, reader: Reader) -> Body:
    what = f"body {row.fields[0]}"
    held = _held(row.fields[1] if len(row.fields) > 1 else "", row, what, reader)
    return Body(
        row.line,
        row.fields[0],
        held,
        reader.vector(row, 2, what, "X0 Y0 Z0"),
        reader.vector(row, 5, what, "r0 p0 y0"),
        reader.number(row, 8, what, "mass"),
        reader.several(row, 9, what, "CG", (1, 3)),
        reader.several(row, 10, what, "I", (1, 3)),
        reader.number(row, 11, what, "volume"),
        reader.several(row, 12, what, "CdA", (1, 2, 3, 6)),
        reader.several(row, 13, what, "Ca", (1, 3)),
    )


def _rod_type(row: Row, reader: Reader) -> RodType:
    what = f"rod type {row.fields[0]}"
    names = ("Diam", "Mass/m", "Cd", "Ca", "CdEnd", "CaEnd")
    return RodType(row.line, row.fields[0], *(reader.number(row, i, what, name) for i, name in enumerate(names, 1)))


def _rod(row: Row, reader: Reader, notes: Notes) -> Rod:
    what = f"rod {row.fields[0]}"
    word = row.fields[2] if len(row.fields) > 2 else ""
    held = _held(word, row, what, reader)
    if word.lower().startswith("pinned") and word.lower() != "pinned":
        notes.doubtful(what, f"has the attachment '{word}'; taken as pinned", row.line)
    return Rod(
        row.line,
        row.fields[0],
        row.fields[1] if len(row.fields) > 1 else "",
        held,
        reader.vector(row, 3, what, "Xa Ya Za"),
        reader.vector(row, 6, what, "Xb Yb Zb"),
        reader.whole(row, 9, what, "NumSegs"),
    )


def _failure(row: Row, reader: Reader) -> Failure:
    what = f"failure {row.fields[0]}"
    if len(row.fields) < 5:
        reader.wrong(row.line, f"{what} has {len(row.fields)} columns; it is ID, point, lines, FailTime, FailTen")
        return Failure(row.line, row.fields[0], "", (), 0.0, 0.0)
    time, tension = reader.number(row, 3, what, "FailTime"), reader.number(row, 4, what, "FailTen")
    return Failure(row.line, row.fields[0], row.fields[1].upper(), tuple(row.fields[2].split(",")), time, tension)


def _history(row: Row, reader: Reader) -> History:
    what = f"Syrope IC of lines {row.fields[0]}"
    most, mean = reader.number(row, 1, what, "Tmax0"), reader.number(row, 2, what, "Tmean0")
    return History(row.line, tuple(row.fields[0].split(",")), most, mean)


def _put_working_curves(row: Row, deck: Deck, reader: Reader) -> None:
    """A row of SYROPE WORKING CURVES: line type, shape, k1, k2."""
    name = row.fields[0]
    if name not in deck.types:
        reader.wrong(row.line, f"Syrope working curves of line type '{name}', which is not there")
    elif len(row.fields) < 4:
        reader.wrong(row.line, f"Syrope working curves of line type {name} have {len(row.fields)} columns of 4")
    else:
        deck.types[name] = replace(deck.types[name], working_curves=row.fields[1:4])


def _load(row: Row, reader: Reader) -> Load:
    what = f"external load {row.fields[0]}"
    force = _three(reader.several(row, 2, what, "Fext", (3,)))
    linear, quadratic = (
        _three(reader.several(row, at, what, name, (1, 3))) if at < len(row.fields) else (0.0, 0.0, 0.0)
        for at, name in ((3, "Blin"), (4, "Bquad"))
    )
    local = len(row.fields) > 5 and row.fields[5].upper() == "L"
    return Load(row.line, row.fields[0], row.fields[1] if len(row.fields) > 1 else "", force, linear, quadratic, local)


def _three(values: tuple[float, ...]) -> Vector:
    x, y, z = values * 3 if len(values) == 1 else values
    return x, y, z


def check_names(deck: Deck, reader: Reader) -> None:
    """Names that lead nowhere: types, ends, bodies."""
    for line in deck.lines.values():
        if line.type and line.type not in deck.types:
            near = nearest(line.type, deck.types)
            hint = f"did you mean '{near}'?" if near else f"there are {listed(deck.types, 'and') or 'none'}"
            reader.wrong(line.line, f"line {line.id} is of the type '{line.type}', which is not there", hint)
        for end in filter(None, line.ends):
            rod = rod_end(end)
            if rod is None and end not in deck.points:
                hint = f"there are the points {listed(deck.points, 'and')}" if deck.points else "there are no points"
                reader.wrong(line.line, f"line {line.id} ends at point {shown(end)}, which is not there", hint)
            elif rod is not None and rod[0] not in deck.rods:
                reader.wrong(line.line, f"line {line.id} ends at rod {rod[0]}, which is not there")
    held = [("point", p.id, p.held, p.line) for p in deck.points.values()]
    held += [("rod", r.id, r.held, r.line) for r in deck.rods.values()]
    for noun, id_, how, at in held:
        if how.kind == "body" and str(how.number) not in deck.bodies:
            reader.wrong(at, f"{noun} {id_} is on body {how.number}, which is not there")
    for rod_ in deck.rods.values():
        if rod_.type not in deck.rod_types:
            reader.wrong(rod_.line, f"rod {rod_.id} is of the type '{rod_.type}', which is not there")
