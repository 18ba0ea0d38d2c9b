"""Tables in CSV files that a study names: scatter diagrams and lists of cases."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from fairlead.model.loader import read_text
from fairlead.model.problems import ModelError, listed, suggestion
from fairlead.model.reader import scalar

MOST_ROWS = 1_000_000


class TableError(ValueError):
    """A table that cannot be used; the text says where and why."""


def read_table(path: Path) -> tuple[list[str], list[list[Any]]]:
    """Names of the columns and the rows, each cell as YAML would read it: `5` a number, `5 kN` text."""
    try:
        lines = csv.reader(read_text(path).splitlines())
        header = [name.strip() for name in next(lines, [])]
        if not any(header):
            raise TableError(f"{path} is empty; its first line names the columns")
        twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
        if twice:
            raise TableError(f"{path} has the column '{twice[0]}' twice; give each a name of its own")
        rows = []
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise TableError(
                    f"{path}, line {lines.line_num}: has {len(cells)} cells where the first line names {len(header)}"
                )
            rows.append([scalar(cell.strip()) for cell in cells])
            if len(rows) > MOST_ROWS:
                raise TableError(f"{path} has more than {MOST_ROWS:,} rows")
    except ModelError as error:
        raise TableError(str(error)) from None
    except csv.Error as error:
        raise TableError(f"{path} is no CSV: {error}") from None
    if not rows:
        raise TableError(f"{path} has no row below its first line")
    return header, rows


def columns_of(path: Path, wanted: tuple[str, ...]) -> list[list[Any]]:
    """The columns of some names, (column, row)."""
    header, rows = read_table(path)
    missing = [name for name in wanted if name not in header]
    if missing:
        near = [f"'{name}' ({suggestion(name, header)})" for name in missing]
        raise TableError(f"{path} has no column {listed(near, 'and')}")
    return [[row[header.index(name)] for row in rows] for name in wanted]


def weights_of(path: Path, name: str, cells: list[Any]) -> list[float]:
    """A column of weights; one that is no number, or below zero, is named."""
    for row, cell in enumerate(cells):
        if isinstance(cell, bool) or not isinstance(cell, int | float) or not 0.0 <= cell < 1e15:
            raise TableError(f"{path}, row {row + 1}: the weight in '{name}' must be a number from 0 on, not {cell!r}")
    if not sum(cells) > 0.0:
        raise TableError(f"{path}: the weights in '{name}' are all zero")
    return [float(cell) for cell in cells]
