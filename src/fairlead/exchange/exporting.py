"""A result written as other programs read it; the name of the file says how."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .choice import Choice
from .errors import ExportError
from .moordyn.channels import write_channels
from .tables import Table, joined, tables
from .vtk_files import write_vtk

if TYPE_CHECKING:
    import xarray as xr

MOST_EXCEL_ROWS, MOST_EXCEL_COLUMNS = 1_048_575, 16_384


def export(dataset: xr.Dataset, path: str | Path, choice: Choice | None = None) -> list[Path]:
    """Write a result to `path` in the format its ending names; returns the files written. Raises `ExportError`."""
    path = Path(path)
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        known = ", ".join(FORMATS)
        raise ExportError(f"{path}: a result is written as {known}, by the ending of its name")
    try:
        return write(dataset, path, choice or Choice())
    except OSError as error:
        raise ExportError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


def _csv(dataset: xr.Dataset, path: Path, choice: Choice) -> list[Path]:
    """One table of everything; every digit of a number is kept."""
    table = joined(_filled(dataset, choice))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.columns)
        for row in table.values:
            writer.writerow(["" if np.isnan(value) else repr(float(value)) for value in row])
    return [path]


def _xlsx(dataset: xr.Dataset, path: Path, choice: Choice) -> list[Path]:
    """A sheet a cable, one for the points, one for the whole system."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise ExportError("xlsx needs the package openpyxl: pip install 'fairlead[excel]'; csv needs nothing") from None
    book = Workbook(write_only=True)
    taken: set[str] = set()
    for table in _filled(dataset, choice):
        rows, columns = table.values.shape
        if rows > MOST_EXCEL_ROWS or columns > MOST_EXCEL_COLUMNS:
            raise ExportError(
                f"the table of {table.name} would have {rows} rows and {columns} columns, and a sheet holds "
                f"{MOST_EXCEL_ROWS} by {MOST_EXCEL_COLUMNS}; thin the samples, choose variables, or write csv"
            )
        sheet = book.create_sheet(_sheet_name(table.name, taken))
        sheet.append(list(table.columns))
        for row in table.values:
            sheet.append([None if np.isnan(value) else float(value) for value in row])
    book.save(path)
    return [path]


def _mat(dataset: xr.Dataset, path: Path, choice: Choice) -> list[Path]:
    """Variables as arrays under their names, labels as cell arrays, units in a struct `units`."""
    from scipy.io import savemat

    part = choice.of(dataset)
    names = choice.names(part, [str(name) for name in part.data_vars])
    content: dict[str, Any] = {name: part[name].values for name in names}
    for name in part.coords:
        values = part[name].values
        content[str(name)] = values if values.dtype.kind in "if" else np.array([str(v) for v in values], dtype=object)
    content["units"] = {name: str(part[name].attrs["units"]) for name in content if "units" in part[name].attrs}
    savemat(path, content, long_field_names=True, do_compression=True)
    return [path]


def _out(dataset: xr.Dataset, path: Path, choice: Choice) -> list[Path]:
    """MoorDyn's table of channels: tensions at the ends of every cable, of the element there."""
    write_channels(choice.of(dataset), path)
    return [path]


def _filled(dataset: xr.Dataset, choice: Choice) -> list[Table]:
    found = tables(dataset, choice)
    if not found:
        raise ExportError("there is nothing over time in what was chosen; choose other variables")
    return found


def _sheet_name(name: str, taken: set[str]) -> str:
    """A name that a sheet may have: 31 characters, none of []:*?/\\, each once."""
    plain = "".join("_" if letter in "[]:*?/\\" else letter for letter in name)[:31] or "cable"
    number, found = 2, plain
    while found.lower() in taken:
        end = f" ({number})"
        found, number = plain[: 31 - len(end)] + end, number + 1
    taken.add(found.lower())
    return found


FORMATS: dict[str, Callable[[xr.Dataset, Path, Choice], list[Path]]] = {
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".mat": _mat,
    ".vtk": write_vtk,
    ".pvd": write_vtk,
    ".out": _out,
}
