"""Result files to show beside one another: single runs, and comparisons that hold several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairlead.results import ResultError, open_result
from fairlead.results.hdf5 import read_dataset

if TYPE_CHECKING:
    import xarray as xr

SEVERAL = "formulation"
"""Dimension along which `fairlead compare` lays its runs."""


def open_results(paths: Sequence[str | Path]) -> dict[str, xr.Dataset]:
    """Each run in the files under a name of its own: that of its file, or its formulation in a comparison."""
    found: dict[str, xr.Dataset] = {}
    for path in map(Path, paths):
        for name, dataset in _runs(path):
            found[_free(name, found)] = dataset
    if len(found) == len({d.attrs.get("formulation") for d in found.values()}) > 1:
        return {str(d.attrs["formulation"]): d for d in found.values()}
    return found


def _runs(path: Path) -> list[tuple[str, xr.Dataset]]:
    try:
        return [(path.stem, open_result(path))]
    except ResultError:
        several = _comparison(path)
        if several is None:
            raise
        return several


def _comparison(path: Path) -> list[tuple[str, xr.Dataset]] | None:
    """The runs of a comparison; None for a file that is none."""
    try:
        whole = read_dataset(path)
        if SEVERAL not in whole.dims or "position" not in whole:
            return None
    except Exception:  # a file that cannot be read has had its sentence already
        return None
    out = []
    for i, name in enumerate(whole[SEVERAL].values):
        run = whole.isel({SEVERAL: i}).dropna("time", how="all", subset=["tension_effective"])
        run = run.drop_vars([str(v) for v in run.data_vars if run[v].dims == ()])
        run.attrs["formulation"] = str(name)
        out.append((str(name), _with_counts(run)))
    return out


def _with_counts(run: xr.Dataset) -> xr.Dataset:
    """A run of a comparison with the number of nodes of each cable, which pictures need."""
    if "node_count" in run:
        return run
    known = np.isfinite(run["position"].values).all(axis=-1).any(axis=0)
    counts = [int(np.flatnonzero(row)[-1]) + 1 if row.any() else 0 for row in known]
    return run.assign_coords(node_count=("cable", counts))


def _free(name: str, taken: dict[str, xr.Dataset]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
