"""MoorPy's files: MoorDyn files with fewer columns, and YAML with line types, points and lines as lists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairlead.model.problems import ModelError, Problem, shown
from fairlead.model.reader import read
from fairlead.model.source import Place
from fairlead.model.values import LARGEST

from .encoding import text_of
from .moordyn.convert import convert
from .moordyn.deck import WORDS, Deck, Held, Line, Point, check_names
from .moordyn.line_types import LineType
from .moordyn.opening import Imported, checked, from_text
from .moordyn.options import DEFAULTS, Option
from .moordyn.rows import Reader, Vector
from .notes import Notes

ELEMENTS = 40
"""Of every line: MoorPy's lines are continuous."""


def read_moorpy(path: str | os.PathLike[str]) -> Imported:
    """Read a MoorPy file, by its ending YAML or like MoorDyn's. Raises `ModelError` with the line of what is wrong."""
    text = text_of(path)
    if Path(path).suffix.lower() in (".yaml", ".yml"):
        return _from_yaml(text, str(path))
    return from_text(text, str(path), few_columns=True)


def _from_yaml(text: str, file: str) -> Imported:
    document = read(text)
    if document.mistakes:
        found = [Problem("", m.message, m.hint, file, line, column) for m, line, column in document.mistakes]
        raise ModelError(found)
    data, place = document.data, document.root
    if isinstance(data, dict) and isinstance(data.get("mooring"), dict) and place is not None:
        data, place = data["mooring"], place.inside["mooring"]
    reader = Reader(file)
    if not isinstance(data, dict) or place is None:
        raise ModelError([Problem("", "is no MoorPy file", "it holds line_types, points and lines", file)])
    if isinstance(data.get("file"), str) and data["file"]:
        raise ModelError([Problem("", f"only names the file {shown(data['file'])}", "import that one", file)])
    notes = Notes()
    deck = Deck(file, "")
    deck.options = {key: Option(value, key, None) for key, value in DEFAULTS.items()}
    for key, meaning in (("water_depth", "depth"), ("water_density", "density"), ("rho", "density")):
        if key in data:
            entry = _Entry(data, place, key, reader)
            deck.options[meaning] = Option(entry.number(key), key, entry.line_of(key))
    deck.types = {kind.name: kind for kind in map(_type, _entries(data, place, "line_types", reader))}
    deck.points = {point.id: point for point in map(_point, _entries(data, place, "points", reader))}
    lines = [_line(entry, i) for i, entry in enumerate(_entries(data, place, "lines", reader), 1)]
    deck.lines = {line.id: line for line in lines}
    check_names(deck, reader)
    for key in data:
        if key not in ("water_depth", "water_density", "rho", "line_types", "points", "lines", "file"):
            notes.dropped(key, "MoorPy does not read it, or has no use for it", place.inside[key].key_line)
    if reader.problems:
        raise ModelError(sorted(reader.problems, key=lambda problem: problem.line or 0))
    notes.changed("lines", f"have no elements in MoorPy; each has {ELEMENTS} here", None)
    return checked(convert(deck, notes, {}, Path(file).parent), file, notes, [])


class _Entry:
    """One mapping of a list, with its lines."""

    def __init__(self, data: Mapping[str, Any], place: Place, what: str, reader: Reader) -> None:
        self.data, self.place, self.what, self.reader = data, place, what, reader
        self.line = place.line

    def line_of(self, key: str) -> int:
        inside = self.place.inside.get(key)
        return self.line if inside is None else inside.line

    def number(self, key: str, default: float | None = None) -> float:
        value = self.data.get(key, default)
        try:
            return _possible(value)
        except (TypeError, ValueError, OverflowError):
            wrong = f"has no {key}" if value is None else f"has the {key} {shown(value)}, which is no possible number"
            self.reader.wrong(self.line_of(key), f"{self.what} {wrong}")
            return float("nan")

    def text(self, key: str) -> str:
        value = self.data.get(key)
        if value is None or isinstance(value, (dict, list)):
            self.reader.wrong(self.line, f"{self.what} has no {key}")
            return ""
        return str(value)

    def vector(self, key: str) -> Vector:
        value = self.data.get(key)
        try:
            x, y, z = map(_possible, value)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            self.reader.wrong(self.line_of(key), f"{self.what} has no {key} [x, y, z]")
            return 0.0, 0.0, 0.0
        return x, y, z


def _possible(value: Any) -> float:
    """A number that is finite and of a possible size; ValueError for anything else."""
    if isinstance(value, bool) or not abs(found := float(value)) <= LARGEST:
        raise ValueError
    return found


def _entries(data: Mapping[str, Any], place: Place, key: str, reader: Reader) -> list[_Entry]:
    rows = data.get(key)
    if not isinstance(rows, list):
        reader.wrong(place.line, f"has no list '{key}'", "MoorPy's files hold line_types, points and lines")
        return []
    found = []
    for i, row in enumerate(rows):
        inside = place.inside[key].inside[i]
        if not isinstance(row, dict):
            reader.wrong(inside.line, f"entry {i + 1} of '{key}' is {shown(row)}, and no mapping")
            continue
        found.append(_Entry(row, inside, f"{key[:-1].replace('_', ' ')} {row.get('name', i + 1)}", reader))
    return found


def _type(entry: _Entry) -> LineType:
    number = entry.number
    return LineType(
        entry.line,
        entry.text("name"),
        number("diameter"),
        number("mass_density"),
        repr(number("stiffness")),
        "0",
        "0",
        number("transverse_drag", 0.0),
        number("transverse_added_mass", 0.0),
        number("tangential_drag", 0.0),
        number("tangential_added_mass", 0.0),
        breaking_load=number("breaking_load", 0.0),
    )


def _point(entry: _Entry) -> Point:
    word = entry.text("type").lower()
    kind = next((WORDS[known] for known in WORDS if known in word), None)
    kind = "coupled" if kind is None and "fair" in word else "fixed" if kind is None and "anch" in word else kind
    if kind is None or kind not in ("fixed", "coupled", "free"):
        wrong = f"{entry.what} is of the type {shown(entry.data.get('type'))}"
        entry.reader.wrong(entry.line_of("type"), wrong, "it is fixed, vessel or free")
        kind = "fixed"
    return Point(
        entry.line,
        entry.text("name"),
        Held(kind),
        entry.vector("location"),
        entry.number("mass", 0.0),
        entry.number("volume", 0.0),
        0.0,
        0.0,
    )


def _line(entry: _Entry, number: int) -> Line:
    name = str(entry.data.get("name", number))
    ends = entry.text("endA"), entry.text("endB")
    return Line(entry.line, name, entry.text("type"), ends, entry.number("length"), ELEMENTS)
