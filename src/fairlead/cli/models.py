"""From a file to its system, whoever's file it is: our own, MoorDyn's or MoorPy's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .notes import warn

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.model import System

MODELS = (".yaml", ".yml", ".json", ".txt", ".dat")
"""Endings of files that describe a system, as opposed to a result."""


def model_of(
    file: Path, changes: Mapping[str, Any] | None = None, motion: bool = True, reading: Reading | None = None
) -> System:
    """The system of a file, with values changed; on the way from another program's, what is doubtful is told.

    motion: refuse where something is missing that would change how it moves, and not only where it rests.
    reading: how another program's file is to be read.
    """
    return model_and_channels(file, changes, motion, reading)[0]


def model_and_channels(
    file: Path, changes: Mapping[str, Any] | None = None, motion: bool = True, reading: Reading | None = None
) -> tuple[System, list[str]]:
    """The same, and the channels over time that the file asks for."""
    from fairlead.exchange import open_model
    from fairlead.exchange.wording import COMMAND_LINE

    system, found = open_model(file, changes, motion, reading, COMMAND_LINE)
    if found is None:
        return system, []
    warn(
        str(note.warning(str(file))) if note.spoils else note.sentence(str(file))
        for note in found.notes
        if note.kind in ("doubtful", "missing")
    )
    return system, found.channels


def warnings_in(system: System) -> list[str]:
    """What looks wrong in a system and what it is without, a line each."""
    from fairlead.model import warnings

    return [str(one) for one in warnings(system)]
