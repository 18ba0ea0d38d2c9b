"""From a MoorDyn file to a checked system, with the lines of that file in every message."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairlead.model import ModelError, System
from fairlead.model.dump import yaml_of
from fairlead.model.problems import Problem
from fairlead.model.source import Place, Source

from ..encoding import text_of
from ..notes import Notes
from .convert import Converted, convert
from .deck import read_deck
from .line_types import Columns
from .rows import Vector


@dataclass
class Imported:
    """A file of another program as a system: the system, its YAML with a comment on every line, and what became of all.

    channels: what the file asks to be written over time.
    """

    system: System
    yaml: str
    notes: Notes
    channels: list[str] = field(default_factory=list)


def read_moordyn(
    path: str | os.PathLike[str], columns: Columns = "auto", turbines: Mapping[int, Vector] | None = None
) -> Imported:
    """Read a MoorDyn file, version 1 or 2. Raises `ModelError` with the line of everything that is wrong with it."""
    return from_text(text_of(path), str(path), columns, turbines)


def from_text(
    text: str,
    file: str,
    columns: Columns = "auto",
    turbines: Mapping[int, Vector] | None = None,
    few_columns: bool = False,
) -> Imported:
    """The same from the text of a file; side files are looked for beside `file`."""
    notes = Notes()
    deck = read_deck(text, file, notes, columns, few_columns)
    converted = convert(deck, notes, turbines or {}, Path(file).parent)
    return checked(converted, file, notes, deck.outputs)


def checked(converted: Converted, file: str, notes: Notes, channels: list[str]) -> Imported:
    """The converted data as a system; mistakes in it are told with the lines they came from."""
    head = [f"# From {Path(file).name}; numbers behind the entries are its lines."]
    head += [f"# Missing here: {note.sentence()}" for note in notes if note.kind == "missing"]
    data = {key: value for key, value in converted.data.items() if value != {} or key in ("types", "points", "cables")}
    data["title"] = notes.title(data["title"])
    text = "\n".join(head) + "\n" + yaml_of(data, converted.comments)
    missing = tuple(note.warning(file) for note in notes if note.spoils)
    source = Source(file, text, _places(converted), missing)
    try:
        system = System.model_validate(data, context={"source": source})
    except ModelError as error:
        raise ModelError(_without_column(problem) for problem in error.problems) from None
    return Imported(system, text, notes, channels)


def _without_column(problem: Problem) -> Problem:
    return Problem(problem.path, problem.message, problem.hint, problem.file, problem.line)


def _places(converted: Converted) -> Place:
    """Where each entry stands in the foreign file; what has no line of its own is at 0."""
    root = Place(0, 1)
    for (section, name), line in converted.lines.items():
        inside = root.inside.setdefault(section, Place(0, 1, 0, 1))
        inside.inside[name] = Place(line, 1, line, 1)
    return root
