"""The result of a study: one Dataset along `scenario`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead import __version__
from fairlead.ensembles.wanted import Column
from fairlead.results import ResultError
from fairlead.results.hdf5 import read_dataset, write_dataset

from .check import Ready
from .factors import LOST
from .job import columns
from .places import place_at
from .store import Done

if TYPE_CHECKING:
    import xarray as xr

BLOCKS = "block_maxima_"


def dataset(ready: Ready, done: Done, ended: str, histories: dict[int, Path]) -> xr.Dataset:
    """Varied values as coordinates; statistics, `status`, `failed_at` and `weight` as variables."""
    import xarray as xr

    count = len(ready.scenarios)
    listed = columns(ready)
    variables: dict[str, Any] = {}
    for k, column in enumerate(listed):
        if not column.statistic.startswith(BLOCKS):
            attrs = {"units": column.unit, "long_name": column.words}
            variables[column.name] = ("scenario", done.values[:, k].copy(), attrs)
    for channel in dict.fromkeys(column.channel for column in listed if column.statistic.startswith(BLOCKS)):
        _add_blocks(variables, channel, listed, done)
    weights = np.fromiter(map(ready.scenarios.weight, range(count)), float, count)
    variables["weight"] = ("scenario", weights, {"units": "1", "long_name": "how much the scenario counts"})
    status = np.where(done.status == "", "not run", done.status)  # of objects: not all as wide as the longest
    variables["status"] = ("scenario", status, {"long_name": "complete, or why not"})
    variables["failed_at"] = ("scenario", done.failed_at.copy(), {"units": "s", "long_name": "time of failure"})
    if histories:
        files = np.array([histories[i].name if i in histories else "" for i in range(count)], dtype=object)
        variables["history"] = ("scenario", files, {"long_name": "file with the whole history of the scenario"})
    found = xr.Dataset(variables, coords={"scenario": np.arange(count), **_coordinates(ready)})
    found.attrs = {
        "title": ready.file.study or "A study",
        "status": ended,
        "fairlead_version": __version__,
        "study_file": ready.file.source.text if ready.file.source is not None else "",
        "system": ready.system.model_dump_json(),
        "design": ready.file.design.kind,
        "seed": ready.file.seed,
        "combined": json.dumps(ready.scenarios.combined),
        "varied": json.dumps([factor.name for factor in ready.scenarios.factors]),
        "channels": json.dumps([one.channel.name for one in ready.wanted]),
        "kept_time": ready.kept_time,
        "core_seconds": done.seconds,
        "warnings": json.dumps(done.notes),
    }
    return found


def _add_blocks(variables: dict[str, Any], channel: str, listed: list[Column], done: Done) -> None:
    chosen = [k for k, column in enumerate(listed) if column.channel == channel and column.statistic.startswith(BLOCKS)]
    words = listed[chosen[0]].words.replace("block 1 of", "every block of")
    attrs = {"units": listed[chosen[0]].unit, "long_name": words}
    variables[f"{channel}.block_maxima"] = (("scenario", f"block_{len(chosen)}"), done.values[:, chosen].copy(), attrs)


def _coordinates(ready: Ready) -> dict[str, Any]:
    """Varied values: numbers in SI units, numbers of a vector one by one, anything else as text."""
    found: dict[str, Any] = {}
    columns: dict[str, list[Any]] = {path: [] for path in ready.scenarios.paths}
    for i in range(len(ready.scenarios)):  # not all as mappings at once: of a million they take half a gigabyte
        for path, value in ready.scenarios.values(i).items():
            columns[path].append(value)
    for path in ready.scenarios.paths:
        column = columns.pop(path)
        attrs = {"long_name": "the cable that is lost" if path == LOST else path}
        place = None if path == LOST else place_at(ready.system, path)
        if place is not None:
            attrs["units"] = place.unit or "1"
            column = [place.rule.validate_python(value) if place.refusal(value) is None else value for value in column]
        if all(isinstance(value, int | float) and not isinstance(value, bool) for value in column):
            found[path] = ("scenario", np.array(column), attrs)
        elif all(isinstance(value, list | tuple) and len(value) == len(column[0]) for value in column):
            for axis, numbers in enumerate(zip(*column, strict=True)):
                if all(isinstance(value, int | float) for value in numbers):
                    found[f"{path}[{axis}]"] = ("scenario", np.array(numbers, dtype=float), attrs)
        else:
            found[path] = ("scenario", np.array([str(value) for value in column], dtype=object), attrs)
    return found


def write(result: xr.Dataset, path: Path) -> None:
    """The Dataset as a NetCDF file, whole or not at all."""
    write_dataset(result, path)


def read(path: Path) -> xr.Dataset:
    """A result of a study from its file."""
    try:
        result = read_dataset(path)
    except Exception as error:  # a damaged file may fail in any way the libraries below know
        raise ResultError(f"{path}: is no result of a study, or damaged ({error}); run the study again") from error
    if "study_file" not in result.attrs or "scenario" not in result.dims:
        raise ResultError(f"{path}: is no result of a study")
    return result
