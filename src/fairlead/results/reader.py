"""Opening a result file, with one clear sentence when that cannot be done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .restart import Restart
from .stored import Stored

if TYPE_CHECKING:
    import xarray as xr

ATTEMPTS = 5  # to read a file that its run replaces meanwhile


def open_result(path: str | Path) -> xr.Dataset:
    """The Dataset in a result file, which is never changed; also while its run lasts, or after it was killed.

    It is read into memory and the file closed again; of a result of more than 1 GB each variable is read when it is
    asked for. Raises :class:`ResultError` for a file that is missing, empty, cut short, damaged, or no result of
    Fairlead.
    """
    for attempt in range(ATTEMPTS):
        with Stored(Path(path)) as stored:
            try:
                return stored.load()
            except FileNotFoundError:
                # Its run has ended and taken the journal into a new file; or the file was copied without its journal.
                if stored.is_current or attempt + 1 == ATTEMPTS:
                    return stored.load_beginning()
    raise AssertionError("unreachable")


def is_sealed(path: str | Path) -> bool:
    """Whether a file is as a run wrote it, and no other program has changed it since."""
    with Stored(Path(path)) as stored:
        return stored.is_sealed


def read_restart(path: str | Path) -> Restart:
    """The state to resume from that the run left in its result file, hashed and whole; as of its newest sample."""
    for attempt in range(ATTEMPTS):
        with Stored(Path(path)) as stored:
            try:
                return stored.restart()
            except FileNotFoundError:
                found = stored.own_restart()
                if found is not None and (stored.is_current or attempt + 1 == ATTEMPTS):
                    return found
    raise AssertionError("unreachable")
