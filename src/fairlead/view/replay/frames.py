"""Which samples of a run a replay needs: those from which straight lines in time give all the others back."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def frames_within(
    times: NDArray[np.float64], values: NDArray[np.float64], tolerance: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Samples to keep so that lines between them miss no dropped one by more than ``tolerance``.

    times      (sample,), s
    values     (sample, column); a column that turns to NaN or back keeps the samples on both sides
    tolerance  (column,), in the unit of its column

    Greedy: from each kept sample as far as the tolerance allows, found by doubling and halving the stride.
    """
    known = np.isfinite(values)
    scaled = np.where(known, values, 0.0) / tolerance
    changed = np.concatenate(([False], (known[1:] != known[:-1]).any(axis=1)))
    kept, last, stride = [0], len(times) - 1, 1
    while kept[-1] < last:
        start = kept[-1]
        stride = min(2 * stride, last - start)
        while stride > 1 and not _straight(times, scaled, changed, start, start + stride):
            stride //= 2
        kept.append(start + stride)
    return np.array(kept, dtype=np.intp)


def largest_miss(
    times: NDArray[np.float64], values: NDArray[np.float64], kept: NDArray[np.intp]
) -> NDArray[np.float64]:
    """How far straight lines between the kept samples miss the others, (column,), in the unit of ``values``."""
    out = np.zeros(values.shape[1])
    for start, end in pairwise(kept):
        if end - start > 1:
            missed = np.abs(_misses(times, values, int(start), int(end)))
            out = np.maximum(out, np.where(np.isfinite(missed), missed, 0.0).max(axis=0))
    return out


def _straight(
    times: NDArray[np.float64], scaled: NDArray[np.float64], changed: NDArray[np.bool_], start: int, end: int
) -> bool:
    if changed[start + 1 : end + 1].any():
        return False
    return bool(np.abs(_misses(times, scaled, start, end)).max(initial=0.0) <= 1.0)


def _misses(times: NDArray[np.float64], values: NDArray[np.float64], start: int, end: int) -> NDArray[np.float64]:
    share = ((times[start + 1 : end] - times[start]) / (times[end] - times[start]))[:, np.newaxis]
    line = values[start] + share * (values[end] - values[start])
    return np.asarray(values[start + 1 : end] - line)
