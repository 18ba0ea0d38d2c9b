"""Checks of the program against closed forms, published numbers and other tools, run by `fairlead verify`.

A check is a module in `checks` whose docstring says what it checks and whose `check()` yields one `Record` or several.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator

from fairlead.studies.discovery import chosen, names_in, study, title

from . import checks
from .record import Record

__all__ = ["Record", "names", "run"]


def names() -> dict[str, str]:
    """Every check and what it checks."""
    return {name: title(study(checks, name)) for name in names_in(checks)}


def run(*wanted: str) -> Iterator[Record]:
    """The records of the named checks, of all when none is named, as they come in.

    A check that breaks down has failed: its record carries no value, and `trouble` tells what happened.
    """
    return _records(chosen(checks, wanted))  # names are looked up now, not when the first record is asked for


def _records(names: tuple[str, ...]) -> Iterator[Record]:
    for name in names:
        try:
            yield from study(checks, name).check()
        except Exception as error:  # whatever it is, the other checks are still worth running
            last = traceback.extract_tb(error.__traceback__)[-1]
            trouble = f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})"
            yield Record(name, "", None, None, None, None, False, trouble)
