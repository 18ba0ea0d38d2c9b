"""Measurements of speed and cost, each beside a peer where there is one, run by `fairlead bench`.

A measurement is a module in `measurements` whose docstring says what it measures and whose `measure()` yields one
`Record` or several, or `Skipped` where the machine lacks what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.studies.discovery import chosen, names_in, study, title

from . import measurements
from .record import Record, Skipped

__all__ = ["Record", "Skipped", "names", "run"]


def names() -> dict[str, str]:
    """Every measurement and what it measures."""
    return {name: title(study(measurements, name)) for name in names_in(measurements)}


def run(*wanted: str) -> Iterator[Record | Skipped]:
    """The records of the named measurements, of all when none is named, as they come in."""
    names = chosen(measurements, wanted)  # now, not when the first record is asked for
    return (record for name in names for record in study(measurements, name).measure())
