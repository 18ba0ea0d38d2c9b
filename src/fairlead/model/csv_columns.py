"""Columns of numbers in a text file of comma-separated values whose first line names them."""

from __future__ import annotations

import csv
import math
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationInfo

from fairlead.model.problems import Mistake, nearest
from fairlead.model.values import LARGEST

MOST_BYTES = 100_000_000
"""Size of a CSV file."""
MOST_ROWS = 200_000
"""Rows of one table. A result carries the tables of its system, so they stay of a size that can be carried."""

Row = tuple[float, ...]
Refusal = Callable[[Row, Row | None], str | None]
"""Why a row cannot follow the one before it (None: the first); None where it can."""


class Unreadable(Exception):
    """A file that cannot be used, by the key that names it or a column of it."""

    def __init__(self, key: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.key, self.message, self.hint = key, message, hint

    def mistake(self, *location: str) -> Mistake:
        """The same of a part of the model that stands at `location`."""
        return Mistake((*location, *((self.key,) if self.key else ())), self.message, self.hint)


def folder_of(info: ValidationInfo) -> Path:
    """The folder of the model file, from which the files it names are counted."""
    source = (info.context or {}).get("source")
    return Path(source.path).parent if source is not None else Path()


def _any_row(row: Row, before: Row | None) -> str | None:
    return None


def read_columns(path: Path, names: Sequence[tuple[str, str]], refused: Refusal = _any_row) -> list[Row]:
    """Rows of the columns `names`, each beside the key that gives its name; the first line that cannot be used is
    named."""
    with _lines(path) as lines:
        return _rows(path, names, refused, lines)


def names_of_columns(path: Path) -> list[str]:
    """What the first line says."""
    with _lines(path) as lines:
        return [name.strip() for name in next(lines, [])]


@contextmanager
def _lines(path: Path) -> Iterator[Any]:
    """The lines of a file as lists of cells; what is no CSV is told while they are read."""
    with opened(path) as stream:
        try:
            yield csv.reader(stream)
        except csv.Error as error:
            raise Unreadable("file", f"{path} is no CSV: {error}") from None
        except UnicodeDecodeError:
            raise Unreadable("file", f"{path} is not UTF-8 text", "save it as CSV in UTF-8") from None
        except OSError as error:  # a file of the system that can be opened and not read
            raise Unreadable("file", f"{path} cannot be read: {error.strerror or error}", "name a plain file") from None


def opened(path: Path) -> TextIO:
    """A file to read, or an `Unreadable` that says why there is none."""
    try:
        return _opened(path)
    except FileNotFoundError:
        near = _near(path)
        raise Unreadable(
            "file", f"there is no file {path}", f"did you mean '{near}'?" if near else "its path starts at the model"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unreadable("file", f"{path} cannot be opened: {reason}") from None


def _opened(path: Path) -> TextIO:
    """A file to read; a pipe or a device might never end, and is none."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        os.close(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise Unreadable("file", f"{path} is a folder", "name a file in it")
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable("file", f"{path} is a pipe or a device", "save its lines as a file")
        size = f"{found.st_size / 1e6:.4g} MB, more than {MOST_BYTES / 1e6:g}"
        raise Unreadable("file", f"{path} has {size}", "thin it out, or keep only the columns that are used")
    return os.fdopen(descriptor, encoding="utf-8-sig", newline="")


def _rows(path: Path, names: Sequence[tuple[str, str]], refused: Refusal, lines: Any) -> list[Row]:
    header = [name.strip() for name in next(lines, [])]
    if not header:
        raise Unreadable("file", f"{path} is empty", "its first line names the columns")
    places = []
    for key, name in names:
        if name not in header:
            # What else the file says is not shown: it may not be the file that was meant, nor one to be shown.
            near = nearest(name, header)
            hint = f"did you mean '{near}'?" if near else f"the {len(header)} columns are named in its first line"
            raise Unreadable(key, f"{path} has no column '{name}'", hint)
        if header.count(name) > 1:
            raise Unreadable(key, f"{path} has the column '{name}' twice", "give each column a name of its own")
        places.append(header.index(name))
    rows: list[Row] = []
    for cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if len(rows) == MOST_ROWS:
            raise Unreadable("file", f"{path} has more than {MOST_ROWS} rows", "thin it out")
        row = tuple(_number(cells, place, header[place], path, lines.line_num) for place in places)
        if (why := refused(row, rows[-1] if rows else None)) is not None:
            raise Unreadable("file", f"{path}, line {lines.line_num}: {why}")
        rows.append(row)
    if not rows:
        raise Unreadable("file", f"{path} has no row of numbers below its first line")
    return rows


def _number(cells: list[str], place: int, name: str, path: Path, line: int) -> float:
    where = f"{path}, line {line}, column '{name}'"
    if place >= len(cells):
        raise Unreadable("file", f"{where}: the cell is missing", f"the line has {len(cells)} cells")
    try:
        number = float(cells[place])
    except ValueError:
        raise Unreadable("file", f"{where}: the cell is not a number") from None
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise Unreadable("file", f"{where}: the number is not finite or beyond all measure")
    return number


def _near(path: Path) -> str | None:
    try:
        return nearest(path.name, [entry.name for entry in path.parent.iterdir()])
    except OSError:
        return None
