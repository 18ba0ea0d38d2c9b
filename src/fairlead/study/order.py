"""In which order scenarios are run, and how many at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .costs import CONSTANTS, Costs

BATCH_SECONDS = 4.0
MOST_IN_BATCH = 500


def in_order(costs: Costs, missing: np.ndarray) -> np.ndarray:
    """Numbers of scenarios, those that share a start one after the other."""
    scenarios = costs.ready.scenarios
    if scenarios.kind != "product" or not costs.are_shared:
        return missing
    levels = scenarios.level_table(missing)
    own = [levels[k] for k, kind in enumerate(costs.kinds) if kind != CONSTANTS and k in levels]
    return missing[np.lexsort((missing, *own[::-1]))] if own else missing


def batches(numbers: np.ndarray, seconds_each: float, workers: int, together: int = 1) -> Iterator[np.ndarray]:
    """Pieces of a few seconds, and enough of them for all workers; whole numbers of those that run `together`."""
    count = batch_size(len(numbers), seconds_each, workers, together)
    for first in range(0, len(numbers), count):
        yield numbers[first : first + count]


def batch_size(scenarios: int, seconds_each: float, workers: int, together: int = 1) -> int:
    """How many scenarios are a batch; as few as can be where their time is not known, NaN."""
    count = 1
    if math.isfinite(seconds_each):
        count = int(np.clip(BATCH_SECONDS / max(seconds_each, 1e-6), 1, MOST_IN_BATCH))
        count = max(1, min(count, -(-scenarios // (4 * workers))))
    return together * -(-count // together)
