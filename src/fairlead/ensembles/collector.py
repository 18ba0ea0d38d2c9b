"""Statistics of one member while it runs, and the row of numbers they come to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.results import ObservationShape

from .streaming import (
    ASKED,
    BINS,
    BLOCKS,
    COUNT,
    CYCLES,
    EXPONENTS,
    HISTOGRAM,
    LEVELS,
    MAX,
    MAX_TIME,
    MEAN,
    MIN,
    MIN_TIME,
    ORIGIN,
    SQUARES,
    SUMS,
    WIDTH,
    finish,
    fold,
)
from .wanted import Wanted

_MORE = 4
"""Turning points that a sample can add at most, and one."""


class Collector:
    """wanted  what is kept; shape: of the rows it is told; home: where offsets are measured from, (channel, 2)
    start, length  of the time that is kept, s
    rules   how channels follow from a row; by default as from a whole observation"""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        shape: ObservationShape,
        home: np.ndarray,
        start: float,
        length: float,
        rules: np.ndarray | None = None,
    ) -> None:
        self.wanted, self._start, self._length = tuple(wanted), float(start), float(length)
        n = len(self.wanted)
        found = [one.channel.rule(shape) for one in self.wanted]
        self._rules = np.array(found, dtype=np.int64).reshape(n, -1) if rules is None else rules
        self._home = np.ascontiguousarray(home, dtype=np.float64)
        self._asked = np.zeros((n, ASKED), dtype=np.int64)
        for c, one in enumerate(self.wanted):
            self._asked[c, LEVELS], self._asked[c, EXPONENTS] = len(one.levels), len(one.exponents)
            self._asked[c, HISTOGRAM], self._asked[c, BLOCKS] = bool(one.percentiles), one.blocks(length)
        self._levels = _table([one.levels for one in self.wanted])
        self._exponents = _table([one.exponents for one in self.wanted])
        self._lengths = np.array([one.block or 1.0 for one in self.wanted])
        self._sums = np.zeros((n, SUMS))
        self._above, self._crossed = np.zeros_like(self._levels), np.zeros_like(self._levels)
        self._bins = np.zeros((n, BINS if self._asked[:, HISTOGRAM].any() else 1))
        self._grid = np.zeros((n, 2))
        self._stack, self._depth = np.zeros((n, 64)), np.zeros(n, dtype=np.int64)
        self._damage = np.zeros_like(self._exponents)
        self._blocks = np.full((n, max(1, int(self._asked[:, BLOCKS].max(initial=0)))), np.nan)

    @property
    def nbytes(self) -> int:
        """Memory it takes, in bytes."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def take(self, rows: np.ndarray, times: np.ndarray, first: int, last: int) -> None:
        """Fold rows of samples in, from `first` up to `last`; times in s."""
        needed = int(self._depth.max(initial=0)) + _MORE * (last - first)
        if needed > self._stack.shape[1]:
            larger = np.zeros((len(self._stack), 2 * needed))
            larger[:, : self._stack.shape[1]] = self._stack
            self._stack = larger
        fold(
            rows, times, first, last, self._rules, self._home, self._asked, self._levels, self._exponents,
            self._lengths, self._start, self._sums, self._above, self._crossed, self._bins, self._grid, self._stack,
            self._depth, self._damage, self._blocks,
        )  # fmt: skip

    def row(self) -> np.ndarray:
        """All numbers, in the order of `Wanted.columns`; NaN where there is nothing to tell. The last call of all."""
        finish(self._rules, self._asked, self._exponents, self._sums, self._stack, self._depth, self._damage)
        return np.concatenate([self._of(c, one) for c, one in enumerate(self.wanted)] or [np.empty(0)])

    def _of(self, c: int, one: Wanted) -> np.ndarray:
        sums, found = self._sums[c], []
        count = sums[COUNT]
        if count == 0.0:
            return np.full(len(one.columns(self._length)), np.nan)
        if one.mean:
            found.append(sums[MEAN])
        if one.std:
            found.append(np.sqrt(sums[SQUARES] / count))
        if one.least:
            found += [sums[MIN], sums[MIN_TIME]]
        if one.largest:
            found += [sums[MAX], sums[MAX_TIME]]
        found += [self._percentile(c, percent) for percent in one.percentiles]
        found += [self._above[c, one.levels.index(level)] / count for level in one.exceeds]
        found += [self._crossed[c, one.levels.index(level)] for level in one.upcrossings]
        if one.exponents:
            found += [sums[CYCLES], *self._damage[c, : len(one.exponents)]]
        found += self._blocks[c, : one.blocks(self._length)].tolist()
        return np.array(found)

    def _percentile(self, c: int, percent: float) -> float:
        """The value below which a share of the samples lies, linear within a bin."""
        below = np.concatenate([[0.0], np.cumsum(self._bins[c])])
        edges = self._grid[c, ORIGIN] + self._grid[c, WIDTH] * np.arange(BINS + 1)
        used = np.flatnonzero(self._bins[c])
        first, last = used[0], used[-1] + 1
        return float(np.interp(percent / 100.0 * below[-1], below[first : last + 1], edges[first : last + 1]))


def _table(rows: Sequence[Sequence[float]]) -> np.ndarray:
    """Rows of unequal lengths, filled up with zeros."""
    found = np.zeros((len(rows), max(1, max(map(len, rows), default=1))))
    for k, row in enumerate(rows):
        found[k, : len(row)] = row
    return found
