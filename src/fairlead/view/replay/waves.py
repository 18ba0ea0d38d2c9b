"""The waves of a result as a page draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..waves import surface_of

if TYPE_CHECKING:
    import xarray as xr

MOST = 64
"""Components a page draws; the largest of a sea are taken."""


def wave_components(dataset: xr.Dataset, origin: tuple[float, float] = (0.0, 0.0)) -> list[list[float]]:
    """Rows [amplitude (m), kx (1/m), ky (1/m), omega (rad/s), phase (rad)], see `Surface`; none for still water.

    Of more than ``MOST`` the largest. Places are counted from ``origin`` (x, y), m.
    """
    rows = surface_of(dataset).rows.copy()
    rows[:, 4] = np.mod(rows[:, 4] + rows[:, 1:3] @ np.array(origin), 2.0 * np.pi)
    largest = np.argsort(-np.abs(rows[:, 0]), kind="stable")[:MOST]
    return [[float(f"{value:.6g}") for value in rows[i]] for i in largest]
