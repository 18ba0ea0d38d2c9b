"""The result of a study as tables for other programs: a row a scenario, and the statistics over all of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results import ResultError

from .dataset import read
from .factors import LOST
from .findings import INTACT, extremes, worst_cases
from .store import RESULT, SUFFIX
from .summary import summary

if TYPE_CHECKING:
    import xarray as xr

Cells = list[list[Any]]


def is_study(path: Path) -> bool:
    """Whether a path is the folder of a study or the result in it."""
    return (path.is_dir() and (path.suffix == SUFFIX or (path / RESULT).exists())) or (
        path.name == RESULT and path.parent.suffix == SUFFIX
    )


def export_study(path: Path, output: Path) -> list[Path]:
    """Write the result of a study, by its folder or its file, as .csv (scenarios) or .xlsx (all tables)."""
    source = path / RESULT if path.is_dir() else path
    if not source.exists():
        raise ResultError(f"{path}: has no {RESULT} yet; run the study, or resume it, until it writes one")
    result = read(source)
    try:
        if output.suffix.lower() == ".csv":
            with output.open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream).writerows(scenarios(result))
        elif output.suffix.lower() == ".xlsx":
            _workbook(result, output)
        else:
            raise ResultError(f"{output}: the result of a study is written as .csv or .xlsx, by the ending of its name")
    except OSError as error:
        raise ResultError(f"{output}: cannot be written ({error.strerror}); choose another place") from None
    return [output]


def scenarios(result: xr.Dataset) -> Cells:
    """A row a scenario under titles with units: number, weight, status, what varies, and every statistic."""
    varied = [str(name) for name in result.coords if name != "scenario"]
    found = [str(name) for name, v in result.data_vars.items() if v.dims == ("scenario",) and v.dtype.kind == "f"]
    own = ["weight", "failed_at"]
    names = [*varied, *(name for name in found if name not in own)]
    heads = ["scenario", "weight", "status", *(_title(result, name) for name in names)]
    columns = [[_cell(name, value) for value in result[name].values] for name in ("weight", "status", *names)]
    rows = [list(row) for row in zip(map(int, result["scenario"].values), *columns, strict=True)]
    return [heads, *rows]


def _workbook(result: xr.Dataset, output: Path) -> None:
    try:
        from openpyxl import Workbook
    except ImportError:
        raise ResultError("xlsx needs the package openpyxl: pip install 'fairlead[excel]'; csv needs nothing") from None
    book = Workbook(write_only=True)
    statistics = summary(result)
    tables = {
        "scenarios": scenarios(result),
        "statistics": _rows(["statistic", "unit"], [
            {"statistic": name, "unit": _unit(result, name)} | dict(one) for name, one in statistics.items()
        ]),
        "extremes": _rows([], extremes(result)),
        "worst cases": _rows([], worst_cases(result)),
    }  # fmt: skip
    for name, cells in tables.items():
        if cells:
            sheet = book.create_sheet(name)
            for row in cells:
                sheet.append(row)
    book.save(output)


def _rows(first: list[str], found: list[dict[str, Any]]) -> Cells:
    """Dictionaries of the same keys as a table."""
    if not found:
        return []
    heads = [*first, *(key for key in found[0] if key not in first)]
    return [heads, *([_cell(key, one[key]) for key in heads] for one in found)]


def _unit(result: xr.Dataset, name: str) -> str:
    return str(result[name].attrs.get("units", ""))


def _title(result: xr.Dataset, name: str) -> str:
    if name == LOST:
        return "lost cable"
    unit = _unit(result, name)
    return f"{name} [{unit}]" if unit else name


def _cell(name: str, value: Any) -> Any:
    """A value as a spreadsheet takes it: numbers as numbers, nothing where there is none."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    if isinstance(value, int | np.integer):
        return int(value)
    return str(value) or (INTACT if name == LOST else None)
