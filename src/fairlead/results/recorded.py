"""What a run has recorded, as plain arrays under the names of its Dataset.

It answers as far as a summary asks: importing xarray takes longer than many a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .variables import Variable


@dataclass(frozen=True)
class Recorded:
    """Variables and attributes, read as those of an `xarray.Dataset` are."""

    variables: Mapping[str, Variable]
    attrs: Mapping[str, str | int | float]

    def __getitem__(self, name: str) -> Variable:
        return self.variables[name]

    def __contains__(self, name: str) -> bool:
        return name in self.variables

    @property
    def coords(self) -> dict[str, Variable]:
        return {name: variable for name, variable in self.variables.items() if variable.coordinate}

    @property
    def sizes(self) -> dict[str, int]:
        known = self.variables.values()
        return {dim: size for v in known for dim, size in zip(v.dims, v.values.shape, strict=True)}

    def isel(self, time: NDArray[np.intp]) -> Recorded:
        """Some of the samples."""
        some = {
            name: replace(v, values=v.values[time]) if v.dims[:1] == ("time",) else v
            for name, v in self.variables.items()
        }
        return Recorded(some, self.attrs)
