"""The seabed a result was computed over, as its settings tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .dataset import settings_of

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class SeabedPlane:
    """The plane z = -depth + slope_x x + slope_y y: ``depth`` in m at x = y = 0, slopes in m per m."""

    depth: float
    slope: tuple[float, float] = (0.0, 0.0)

    def height(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """z of the bed at x, y (m)."""
        return -self.depth + self.slope[0] * np.asarray(x, dtype=float) + self.slope[1] * np.asarray(y, dtype=float)


def seabed_of(dataset: xr.Dataset) -> SeabedPlane | None:
    """The seabed from ``settings["environment"]["seabed"]`` ({depth, slope}); None for water without a bottom."""
    environment = settings_of(dataset).get("environment")
    seabed = environment.get("seabed") if isinstance(environment, dict) else None
    if not isinstance(seabed, dict) or seabed.get("depth") is None:
        return None
    slope = seabed.get("slope") or (0.0, 0.0)
    return SeabedPlane(float(seabed["depth"]), (float(slope[0]), float(slope[1])))
