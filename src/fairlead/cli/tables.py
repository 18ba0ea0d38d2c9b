"""Plain tables that can be printed row by row while a long job goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A column and how wide it is, in characters; longer texts push the rest of their row."""

    title: str
    width: int


class Table:
    """Rows of text under titles."""

    def __init__(self, *columns: Column):
        self._columns = columns

    def head(self) -> str:
        """The titles and a rule below them."""
        return f"{self.row(*(column.title for column in self._columns))}\n{'-' * self._width}"

    def row(self, *cells: str) -> str:
        """One row."""
        return "  ".join(f"{cell:<{column.width}}" for cell, column in zip(cells, self._columns, strict=True)).rstrip()

    @property
    def _width(self) -> int:
        return sum(column.width for column in self._columns) + 2 * (len(self._columns) - 1)


def number(value: float | None, digits: int = 4) -> str:
    """A number in so many digits; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}g}"
