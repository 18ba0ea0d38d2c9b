"""Inputs driven from the file: values over time for what may be changed while a simulation runs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationInfo, model_validator

from fairlead.model.csv_columns import MOST_ROWS, Row, Unreadable, folder_of, read_columns
from fairlead.model.part import Part, all_of, exactly_one
from fairlead.model.problems import Mistake, ModelError
from fairlead.model.values import Number, Text


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
        try:
            return {"table": read_table(wanted, folder_of(info) / wanted.file)}
        except Unreadable as reason:
            raise all_of("Input", [reason.mistake("csv")]) from None

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


def read_table(wanted: CsvInput, path: Path) -> list[Row]:
    """Rows (t, value, ...) of a file; the first line that cannot be used is named."""
    names = [("time", wanted.time), *(("columns", name) for name in wanted.columns)]
    return read_columns(path, names, _growing)


def _growing(row: Row, before: Row | None) -> str | None:
    """Why a row cannot follow another."""
    if before is None or row[0] > before[0]:
        return None
    return f"times must grow from row to row, not {row[0]:.9g} s after {before[0]:.9g} s"
