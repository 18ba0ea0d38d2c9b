"""How far points swing, at the beginning and at the end of a run: the ratio shows the damping, true or numerical."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

PARTS = 3
"""The first and the last of so many equal parts of the run are compared."""


def amplitudes(times: NDArray[np.float64], position: NDArray[np.float64]) -> dict[str, Any]:
    """Amplitudes of a point (time, 3) in the first and the last third of its samples, m.

    ``swing`` is half of the horizontal range along the direction in which the point moves most, so that it does not
    depend on the heading; ``heave`` is half of the vertical range. Each has ``first``, ``last`` and ``kept``, the part
    of the first amplitude that is left in the last.
    """
    third = (times[-1] - times[0]) / PARTS
    early, late = position[times <= times[0] + third], position[times >= times[-1] - third]
    return {name: _compared(size(early), size(late)) for name, size in (("swing", _swing), ("heave", _heave))}


def _swing(position: NDArray[np.float64]) -> float:
    if not np.isfinite(position).all():
        return float("nan")
    away = position[:, :2] - position[:, :2].mean(axis=0)
    most = np.linalg.eigh(away.T @ away)[1][:, -1]
    return float(0.5 * np.ptp(away @ most))


def _heave(position: NDArray[np.float64]) -> float:
    return float(0.5 * np.ptp(position[:, 2]))


def _compared(first: float, last: float) -> dict[str, float | None]:
    known = np.isfinite(first) and np.isfinite(last)
    return {
        "first": first if known else None,
        "last": last if known else None,
        "kept": last / first if known and first > 0.0 else None,
    }
