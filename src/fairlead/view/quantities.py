"""What may colour the cables of a picture: quantities along them, at every sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .histories import CableHistory
from .shape import curvature_along

if TYPE_CHECKING:
    import xarray as xr

NAMES = {
    "tension": ("Tension", "N"),
    "curvature": ("Curvature", "1/m"),
    "speed": ("Speed", "m/s"),
    "moment": ("Bending moment", "N m"),
}
"""Key, and how it is called and measured."""


@dataclass(frozen=True)
class AlongCables:
    """A quantity at all nodes of all cables: ``values`` (time, node of all cables), NaN where there is none.

    ``least`` and ``most`` are those of all steps, as far as the result keeps them, and of the samples otherwise.
    """

    key: str
    values: NDArray[np.float64]
    least: float
    most: float

    @property
    def label(self) -> str:
        """How it is called."""
        return NAMES[self.key][0]

    @property
    def unit(self) -> str:
        """Its SI unit."""
        return NAMES[self.key][1]


def along_cables(dataset: xr.Dataset, cables: list[CableHistory]) -> dict[str, AlongCables]:
    """Every quantity that a result has along its cables, by its key; a moment that is nowhere is left out."""
    if not cables:
        return {}
    counts = [c.position.shape[1] for c in cables]

    def joined(name: str) -> NDArray[np.float64]:
        values = dataset[name].values
        whole = np.concatenate([values[:, i, :n] for i, n in enumerate(counts)], axis=1)
        return np.where(np.isfinite(whole), whole, np.nan)

    found = {
        "tension": joined("tension_effective"),
        "curvature": np.concatenate([curvature_along(dataset, i, c.position) for i, c in enumerate(cables)], axis=1),
    }
    if "velocity" in dataset:
        found["speed"] = np.linalg.norm(joined("velocity"), axis=-1)
    if "bending_moment" in dataset:
        moment = np.abs(joined("bending_moment"))
        moment = np.linalg.norm(moment, axis=-1) if moment.ndim == 3 else moment
        if np.nanmax(moment, initial=0.0) > 0.0:
            found["moment"] = moment
    seen = {key: [values] for key, values in found.items()}
    seen["tension"] += [values for c in cables for values in (c.low, c.high)]
    return {key: AlongCables(key, found[key], *_ends(values)) for key, values in seen.items()}


def _ends(values: list[NDArray[np.float64]]) -> tuple[float, float]:
    finite = np.concatenate([part[np.isfinite(part)] for part in values])
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
