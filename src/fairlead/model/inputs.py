"""Inputs driven from the file: values over time for what may be changed while a simulation runs."""

from __future__ import annotations

import csv
import math
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from pydantic import Field, ValidationInfo, model_validator

from fairlead.model.part import Part, all_of, exactly_one
from fairlead.model.problems import Mistake, ModelError, nearest
from fairlead.model.values import LARGEST, Number, Text

MOST_BYTES = 100_000_000
"""Size of a CSV file."""
MOST_ROWS = 200_000
"""Rows of one table. A result carries the tables of its system, so they stay of a size that can be carried."""

Row = tuple[float, ...]


class CsvInput(Part):
    """Columns of a text file of comma-separated values whose first line names them; all numbers in SI units."""

    file: Text = Field(description="the file, relative to the model file")
    time: Text = Field(default="time", description="name of the column of times, s")
    columns: tuple[Text, ...] = Field(description="names of the columns of values, in the order of the input's numbers")

    def relations(self) -> Iterator[Mistake]:
        if not self.columns:
            yield Mistake(("columns",), "must name at least one column")


class Input(Part):
    """Values of one input over time, in SI units: a constant, a table, or columns of a CSV file."""

    constant: tuple[Number, ...] | None = Field(default=None, description="values that never change")
    table: tuple[tuple[Number, ...], ...] | None = Field(
        default=None, description="rows [t, value, ...], linear between rows, held beyond the ends"
    )
    csv: CsvInput | None = Field(
        default=None, description="a table in a file of its own, read with the model; a result holds it as `table`"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "constant", "table", "csv")

    def relations(self) -> Iterator[Mistake]:
        if self.constant is not None and not self.constant:
            yield Mistake(("constant",), "must hold at least one number")
        if self.table is not None:
            yield from _table_mistakes(self.table)

    @model_validator(mode="before")
    @classmethod
    def _with_what_the_csv_holds(cls, data: Any, info: ValidationInfo) -> Any:
        """The table in place of the name of the file it is in."""
        if not isinstance(data, Mapping) or {key for key in data if data[key] is not None} != {"csv"}:
            return data
        try:
            wanted = CsvInput.model_validate(data["csv"])
        except ModelError:
            return data  # the field itself tells what is wrong
        source = (info.context or {}).get("source")
        folder = Path(source.path).parent if source is not None else Path()
        try:
            return {"table": _read(wanted, folder / wanted.file)}
        except _Unreadable as reason:
            raise all_of("Input", [reason.mistake]) from None

    @property
    def width(self) -> int:
        """How many numbers it gives at a time."""
        return len(self.constant) if self.constant is not None else len((self.table or ((),))[0]) - 1


def _table_mistakes(table: tuple[Row, ...]) -> Iterator[Mistake]:
    """The first mistake in a table; one slip in a long file would otherwise make thousands."""
    if not table:
        yield Mistake(("table",), "must hold at least one row")
        return
    if len(table) > MOST_ROWS:
        yield Mistake(("table",), f"has {len(table)} rows, more than {MOST_ROWS}", "thin it out: it is linear between")
        return
    width = len(table[0])
    if width < 2:
        yield Mistake(("table", 0), "must hold a time and at least one value: [t, value, ...]")
        return
    for index, row in enumerate(table):
        if len(row) != width:
            yield Mistake(("table", index), f"holds {len(row)} numbers where the first row holds {width}")
            return
        if index and not row[0] > table[index - 1][0]:
            times = f"{row[0]:.9g} s after {table[index - 1][0]:.9g} s"
            yield Mistake(("table", index), f"times must grow from row to row, not {times}")
            return


class _Unreadable(Exception):
    """A CSV file that cannot be used."""

    def __init__(self, key: str, message: str, hint: str = "") -> None:
        self.mistake = Mistake(("csv", *((key,) if key else ())), message, hint)


def _read(wanted: CsvInput, path: Path) -> list[list[float]]:
    """Rows [t, value, ...] of a file; the first line that cannot be used is named."""
    try:
        with _opened(path) as stream:
            return _rows(wanted, path, csv.reader(stream))
    except UnicodeDecodeError:
        raise _Unreadable("file", f"{path} is not UTF-8 text", "save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise _Unreadable("file", f"{path} is no CSV: {error}") from None
    except FileNotFoundError:
        near = _near(path)
        raise _Unreadable(
            "file", f"there is no file {path}", f"did you mean '{near}'?" if near else "its path starts at the model"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _Unreadable("file", f"{path} cannot be opened: {reason}") from None


def _opened(path: Path) -> TextIO:
    """A file to read; a pipe or a device might never end, and is none."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        os.close(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise _Unreadable("file", f"{path} is a folder", "name a file in it")
        if not stat.S_ISREG(found.st_mode):
            raise _Unreadable("file", f"{path} is a pipe or a device", "save its lines as a file")
        size = f"{found.st_size / 1e6:.4g} MB, more than {MOST_BYTES / 1e6:g}"
        raise _Unreadable("file", f"{path} has {size}", "thin it out, or keep only the columns that are used")
    return os.fdopen(descriptor, encoding="utf-8-sig", newline="")


def _rows(wanted: CsvInput, path: Path, lines: Any) -> list[list[float]]:
    header = [name.strip() for name in next(lines, [])]
    if not header:
        raise _Unreadable("file", f"{path} is empty", "its first line names the columns")
    places = []
    for key, name in (("time", wanted.time), *(("columns", name) for name in wanted.columns)):
        if name not in header:
            # What else the file says is not shown: it may not be the file that was meant, nor one to be shown.
            near = nearest(name, header)
            hint = f"did you mean '{near}'?" if near else f"the {len(header)} columns are named in its first line"
            raise _Unreadable(key, f"{path} has no column '{name}'", hint)
        if header.count(name) > 1:
            raise _Unreadable(key, f"{path} has the column '{name}' twice", "give each column a name of its own")
        places.append(header.index(name))
    rows: list[list[float]] = []
    for cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if len(rows) == MOST_ROWS:
            raise _Unreadable("file", f"{path} has more than {MOST_ROWS} rows", "thin it out: it is linear between")
        row = [_number(cells, place, header[place], path, lines.line_num) for place in places]
        if rows and not row[0] > rows[-1][0]:
            times = f"{row[0]:.9g} s after {rows[-1][0]:.9g} s"
            raise _Unreadable("file", f"{path}, line {lines.line_num}: times must grow from row to row, not {times}")
        rows.append(row)
    if not rows:
        raise _Unreadable("file", f"{path} has no row of numbers below its first line")
    return rows


def _number(cells: list[str], place: int, name: str, path: Path, line: int) -> float:
    where = f"{path}, line {line}, column '{name}'"
    if place >= len(cells):
        raise _Unreadable("file", f"{where}: the cell is missing", f"the line has {len(cells)} cells")
    try:
        number = float(cells[place])
    except ValueError:
        raise _Unreadable("file", f"{where}: the cell is not a number") from None
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise _Unreadable("file", f"{where}: the number is not finite or beyond all measure")
    return number


def _near(path: Path) -> str | None:
    try:
        return nearest(path.name, [entry.name for entry in path.parent.iterdir()])
    except OSError:
        return None
