"""The waves of a result as a sum of sines, for a surface that moves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

MOST = 48
"""Components a page draws; the largest of a sea are taken."""


def wave_components(dataset: xr.Dataset, origin: tuple[float, float] = (0.0, 0.0)) -> list[list[float]]:
    """Rows [amplitude (m), kx (1/m), ky (1/m), omega (rad/s), phase (rad)] of

        elevation(t, x, y) = sum amplitude cos(kx x + ky y - omega t + phase)

    from the attribute ``wave_components`` of a result (JSON); none for still water. Of more than ``MOST`` the largest.
    Places are counted from ``origin`` (x, y), m.
    """
    try:
        rows = np.array(json.loads(str(dataset.attrs.get("wave_components") or "[]")), dtype=np.float64)
    except (ValueError, TypeError):
        return []
    if rows.ndim != 2 or rows.shape[1] != 5 or not np.isfinite(rows).all():
        return []
    rows[:, 4] = np.mod(rows[:, 4] + rows[:, 1:3] @ np.array(origin), 2.0 * np.pi)
    largest = np.argsort(-np.abs(rows[:, 0]), kind="stable")[:MOST]
    return [[float(f"{value:.6g}") for value in rows[i]] for i in largest]
