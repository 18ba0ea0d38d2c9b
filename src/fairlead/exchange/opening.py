"""A system from any file that describes one: our own, MoorDyn's or MoorPy's."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.model import ModelError, System, load
from fairlead.model.damage import unforeseen
from fairlead.model.problems import Problem

from .encoding import text_of
from .wording import PYTHON, Wording

if TYPE_CHECKING:
    from .moordyn import Imported
    from .moordyn.line_types import Columns
    from .moordyn.rows import Vector
    from .notes import Note

OWN = (".yaml", ".yml", ".json")
"""Endings of files of our own, and of MoorPy's YAML."""
COLUMNS = ("auto", "v1", "v2")
"""Orders of the drag and added-mass columns."""
_OF_MOORPY = re.compile(r"^\s*line_types\s*:", re.MULTILINE)
"""A key of MoorPy's YAML: no file of ours has line types."""


@dataclass(frozen=True)
class Reading:
    """How another program's file is to be read; files of ours do without.

    columns: order of MoorDyn's drag and added-mass columns: by their number (`auto`, `v2`) or Ca CaAx Cd CdAx (`v1`).
    turbines: where each turbine of a farm stands. partial: take what there is, though something is missing.
    """

    columns: Columns = "auto"
    turbines: Mapping[int, Vector] = field(default_factory=dict)
    partial: bool = False

    def __post_init__(self) -> None:
        if self.columns not in COLUMNS:
            raise ValueError(f"columns is {self.columns!r}; it is one of {', '.join(map(repr, COLUMNS))}")
        for number, place in self.turbines.items():
            if len(place) != 3 or not all(math.isfinite(value) for value in place):
                raise ValueError(f"turbine {number} is put at {place!r}; its place is three finite numbers (x, y, z)")


def imported(path: str | os.PathLike[str], reading: Reading | None = None) -> Imported | None:
    """A file of another program as a system; None for one of ours."""
    reading = reading or Reading()
    text = text_of(path)
    with unforeseen(lambda words: ModelError([Problem("", words)]), path):
        if Path(path).suffix.lower() in OWN:
            if _OF_MOORPY.search(text) is None:
                return None
            from .moorpy import read_moorpy

            return read_moorpy(path)
        from .moordyn import is_deck, read_moordyn

        return read_moordyn(path, reading.columns, reading.turbines) if is_deck(text) else None


def open_model(
    path: str | os.PathLike[str],
    set: Mapping[str, Any] | None = None,
    motion: bool = True,
    reading: Reading | None = None,
    wording: Wording = PYTHON,
) -> tuple[System, Imported | None]:
    """The system a file describes, whoever's file it is; with what became of it where it is another program's.

    Where something is missing without which there is no result to rely on, of a motion or, without `motion`, of the
    state of rest, a `ModelError` names it; unless what there is, is enough (`Reading.partial`).
    `wording` is how the caller asks for that.
    """
    found = imported(path, reading)
    if found is None:
        return load(path, set), None
    spoiling = found.notes.spoiling(motion)
    if spoiling and not (reading is not None and reading.partial):
        raise ModelError(missing(note, str(path), wording) for note in spoiling)
    return found.system.with_values(set or {}), found


def missing(note: Note, file: str, wording: Wording) -> Problem:
    """What a file asks for and is not at hand, as a problem with what would help."""
    advice = note.cure if note.turbine is None else wording.turbine.format(note.turbine)
    cure = f"{advice}{', or ' if advice else ''}go on {note.outcome}: {wording.partial}"
    return Problem("", f"{note.what}: {note.why} is missing here", cure, file, note.line)
