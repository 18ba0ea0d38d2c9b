"""The seabed a result was computed over, as its settings tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairlead.algebra.relief import Relief

from .dataset import settings_of

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Ground:
    """The plane z = -depth + slope_x x + slope_y y: ``depth`` in m at x = y = 0, slopes in m per m; or a ``relief``."""

    depth: float
    slope: tuple[float, float] = (0.0, 0.0)
    relief: Relief | None = None

    @property
    def level(self) -> bool:
        """Whether it is flat and horizontal."""
        return self.relief is None and self.slope == (0.0, 0.0)

    def height(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """z of the bed at x, y (m)."""
        if self.relief is not None:
            return np.asarray(self.relief.at(x, y)[0])
        return -self.depth + self.slope[0] * np.asarray(x, dtype=float) + self.slope[1] * np.asarray(y, dtype=float)


def seabed_of(dataset: xr.Dataset) -> Ground | None:
    """The seabed from ``settings["environment"]["seabed"]`` ({depth, slope} or {bathymetry}); None for water without a
    bottom."""
    environment = settings_of(dataset).get("environment")
    seabed = environment.get("seabed") if isinstance(environment, dict) else None
    if not isinstance(seabed, dict):
        return None
    survey, relief = seabed.get("bathymetry"), None
    if isinstance(survey, dict) and survey.get("depth") is not None:
        relief = Relief.through(survey["x"], survey["y"], -np.array(survey["depth"], dtype=float))
    depth = seabed.get("depth")
    if depth is None and relief is not None:
        depth = -float(relief.at(0.0, 0.0)[0])
    if depth is None:
        return None
    slope = seabed.get("slope") or (0.0, 0.0)
    return Ground(float(depth), (float(slope[0]), float(slope[1])), relief)
