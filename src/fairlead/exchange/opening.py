"""A system from any file that describes one: our own, MoorDyn's or MoorPy's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairlead.model import ModelError, System, load
from fairlead.model.loader import read_bytes
from fairlead.model.problems import Problem

from .moordyn import Imported, is_deck, read_moordyn
from .moorpy import is_moorpy, read_moorpy

OWN = (".yaml", ".yml", ".json")
"""Endings of files of our own, and of MoorPy's YAML."""


def imported(path: str | os.PathLike[str]) -> Imported | None:
    """A file of another program as a system; None for one of ours."""
    text = read_bytes(path).decode("utf-8", errors="replace")
    if Path(path).suffix.lower() in OWN:
        return read_moorpy(path) if is_moorpy(text) else None
    return read_moordyn(path) if is_deck(text) else None


def open_model(
    path: str | os.PathLike[str], set: Mapping[str, Any] | None = None, motion: bool = True, partial: bool = False
) -> tuple[System, Imported | None]:
    """The system a file describes, whoever's file it is; with what became of it where it is another program's.

    Where something is missing that would make the result wrong, of a motion or, without `motion`, of the state of rest,
    a `ModelError` names it; unless what there is, is enough (`partial`).
    """
    found = imported(path)
    if found is None:
        return load(path, set), None
    spoiling = found.notes.spoiling(motion)
    if spoiling and not partial:
        hint = f"fairlead import moordyn {path} --partial -o case.yaml writes what there is"
        raise ModelError(
            Problem("", f"{note.what}: {note.why} is missing here", hint, str(path), note.line) for note in spoiling
        )
    return found.system.with_values(set or {}), found
