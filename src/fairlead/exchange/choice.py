"""Which part of a result is handed on: cables, variables, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from .errors import ExportError

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Choice:
    """cables and variables by name (None: all cables; what a format shows by itself), `every` in s (None: each sample).

    `every` takes the sample nearest to each multiple of that time: nothing is averaged, so short peaks may be missed.
    """

    cables: Sequence[str] | None = None
    variables: Sequence[str] | None = None
    every: float | None = None

    def of(self, dataset: xr.Dataset) -> xr.Dataset:
        """That part of a result."""
        if self.cables is not None:
            dataset = dataset.sel(cable=list(_known(self.cables, _labels(dataset, "cable"), "cable")))
        if self.variables is not None:
            _known(self.variables, [str(name) for name in dataset.data_vars], "variable")
        return dataset if self.every is None else dataset.isel(time=_thinned(dataset["time"].values, self.every))

    def names(self, dataset: xr.Dataset, usual: Sequence[str]) -> list[str]:
        """Names of the variables to be shown: those chosen, else those of the `usual` ones that the result has."""
        return [name for name in usual if name in dataset] if self.variables is None else list(self.variables)


def _thinned(times: np.ndarray, every: float) -> np.ndarray:
    """Numbers of the samples nearest to the multiples of `every`, each once."""
    if not every > 0.0 or not np.isfinite(every):
        raise ExportError(f"samples every {every} s cannot be taken; give a positive number of seconds")
    wanted = np.arange(times[0], times[-1] + 0.5 * every, every)
    after = np.clip(np.searchsorted(times, wanted), 1, max(len(times) - 1, 1))
    if len(times) == 1:
        return np.zeros(1, dtype=int)
    nearest = after - (wanted - times[after - 1] < times[after] - wanted)
    return np.unique(nearest)


def _labels(dataset: xr.Dataset, dimension: str) -> list[str]:
    return [str(name) for name in dataset[dimension].values] if dimension in dataset.coords else []


def _known(names: Sequence[str], there: Sequence[str], noun: str) -> Sequence[str]:
    unknown = [name for name in names if name not in there]
    if not unknown:
        return names
    near = get_close_matches(unknown[0], there, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(there)) or 'none'}"
    raise ExportError(f"the result has no {noun} '{unknown[0]}'; {hint}")
