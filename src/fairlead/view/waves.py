"""The surface of the sea in a result: a sum of sines that grows from still water."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Surface:
    """Rows [amplitude (m), kx (1/m), ky (1/m), omega (rad/s), phase (rad)] and the time over which they grow, s.

    elevation = growth(t) sum amplitude cos(kx x + ky y - omega t + phase); no rows: still water.
    """

    rows: NDArray[np.float64]
    ramp: float = 0.0

    @property
    def moves(self) -> bool:
        """Whether there are waves."""
        return len(self.rows) > 0

    @property
    def highest(self) -> float:
        """As high as all waves together could reach, but no more than four standard deviations, m."""
        sizes = np.abs(self.rows[:, 0])
        return float(min(sizes.sum(), 4.0 * np.sqrt(0.5 * (sizes**2).sum())))

    def elevation(self, time: float, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Height of the surface (m) at a time (s) over places (m) of any one shape."""
        x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
        a, kx, ky, omega, phase = self.rows.T.reshape(5, -1, *([1] * x.ndim))
        waves = a * np.cos(kx * x + ky * y - omega * time + phase)
        return np.asarray(self.growth(time) * waves.sum(axis=0))

    def growth(self, time: float) -> float:
        """The part of the waves that is there at a time: a smooth step from 0 to 1 over the ramp."""
        if self.ramp <= 0.0:
            return 1.0
        part = float(np.clip(time / self.ramp, 0.0, 1.0))
        return part * part * (3.0 - 2.0 * part)

    def longer_than(self, length: float) -> Surface:
        """Only the waves longer than so many metres: a drawing cannot show those shorter than its mesh."""
        return Surface(self.rows[np.hypot(self.rows[:, 1], self.rows[:, 2]) * length < 2.0 * np.pi], self.ramp)


def surface_of(dataset: xr.Dataset) -> Surface:
    """The surface from the attributes ``wave_components`` (JSON) and ``wave_ramp`` of a result; still without them."""
    try:
        rows = np.array(json.loads(str(dataset.attrs.get("wave_components") or "[]")), dtype=np.float64)
        ramp = float(dataset.attrs.get("wave_ramp", 0.0))
    except (ValueError, TypeError, RecursionError):
        return Surface(np.empty((0, 5)))
    if rows.ndim != 2 or rows.shape[1] != 5 or not np.isfinite(rows).all() or not np.isfinite(ramp):
        return Surface(np.empty((0, 5)))
    return Surface(rows, ramp)
