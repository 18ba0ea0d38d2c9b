"""Cycles of a history, counted as material feels them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def turning_points(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """First value, every peak and valley, last value; what is not finite is left out."""
    finite = np.asarray(values, dtype=np.float64)
    finite = finite[np.isfinite(finite)]
    if len(finite) < 2:
        return finite
    distinct = finite[np.concatenate(([True], np.diff(finite) != 0.0))]
    if len(distinct) < 3:
        return distinct
    slope = np.sign(np.diff(distinct))
    return distinct[np.concatenate(([True], slope[1:] != slope[:-1], [True]))]


def rainflow(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cycles of a history as rows (range, mean, count), (cycle, 3); a count is 1, or 0.5 for half a cycle.

    The rainflow counting of ASTM E1049-85, section 5.4.4: of the three last turning points, a range that the next one
    covers is a cycle and its two points are taken out; one that begins the history is half a cycle; what is left over
    at the end are half cycles.
    """
    open_points: list[float] = []
    cycles: list[tuple[float, float, float]] = []

    def note(a: float, b: float, count: float) -> None:
        cycles.append((abs(b - a), 0.5 * (a + b), count))

    for point in turning_points(values):
        open_points.append(float(point))
        while len(open_points) >= 3:
            latest = abs(open_points[-1] - open_points[-2])
            former = abs(open_points[-2] - open_points[-3])
            if latest < former:
                break
            if len(open_points) == 3:
                note(open_points[0], open_points[1], 0.5)
                open_points.pop(0)
            else:
                note(open_points[-3], open_points[-2], 1.0)
                del open_points[-3:-1]
    for a, b in pairwise(open_points):
        note(a, b, 0.5)
    return np.array(cycles, dtype=np.float64).reshape(-1, 3)
