"""Statistics of members while they run, and the row of numbers that those of each come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from fairlead.results import ObservationShape

from .streaming import (
    ASKED,
    BINS,
    BLOCKS,
    COUNT,
    CYCLES,
    EXPONENTS,
    LEVELS,
    MAX,
    MAX_TIME,
    MEAN,
    MIN,
    MIN_TIME,
    PERCENTS,
    SQUARES,
    SUMS,
    finish,
    fold,
)
from .wanted import Wanted

MORE_TURNS = 4
"""Turning points that a sample can add at most, and one."""
ROOM = 64
"""Turning points that there is room for at first."""


@dataclass
class Sums:
    """What is folded of all members, (member, channel, …), as `streaming` has it."""

    sums: np.ndarray
    above: np.ndarray
    crossed: np.ndarray
    bins: np.ndarray
    grid: np.ndarray
    stack: np.ndarray
    depth: np.ndarray
    damage: np.ndarray
    blocks: np.ndarray

    @classmethod
    def fresh(
        cls, members: int, question: Question, full: Callable[[tuple[int, ...], Any], Any] = np.full, room: int = ROOM
    ) -> Sums:
        """Of members of whom nothing was told yet; `full(shape, number)` makes an array; room: for turning points."""
        n, levels, exponents = len(question.wanted), question.levels.shape, question.exponents.shape
        bins = BINS if question.asked[:, PERCENTS].any() else 1
        blocks = max(1, int(question.asked[:, BLOCKS].max(initial=0)))
        return cls(
            full((members, n, SUMS), 0.0),
            full((members, *levels), 0.0),
            full((members, *levels), 0.0),
            full((members, n, bins), 0.0),
            full((members, n, 2), 0.0),
            full((members, n, room), 0.0),
            full((members, n), 0),
            full((members, *exponents), 0.0),
            full((members, n, blocks), np.nan),
        )

    @property
    def arrays(self) -> list[np.ndarray]:
        """In the order of `streaming.fold`."""
        return [getattr(self, field.name) for field in fields(self)]


class Question:
    """What is asked for of every member, as tables that `streaming` reads.

    wanted  what is kept; shape: of the rows that are told
    start, length  of the time that is kept, s
    rules   how channels follow from a row; by default as from a whole observation
    """

    def __init__(
        self,
        wanted: Sequence[Wanted],
        shape: ObservationShape,
        start: float,
        length: float,
        rules: np.ndarray | None = None,
    ) -> None:
        self.wanted, self.start, self.length = tuple(wanted), float(start), float(length)
        n = len(self.wanted)
        found = [one.channel.rule(shape) for one in self.wanted]
        self.rules = np.array(found, dtype=np.int64).reshape(n, -1) if rules is None else rules
        self.asked = np.zeros((n, ASKED), dtype=np.int64)
        for c, one in enumerate(self.wanted):
            self.asked[c, LEVELS], self.asked[c, EXPONENTS] = len(one.levels), len(one.exponents)
            self.asked[c, PERCENTS], self.asked[c, BLOCKS] = len(one.percentiles), one.blocks(length)
        self.levels = _table([one.levels for one in self.wanted])
        self.exponents = _table([one.exponents for one in self.wanted])
        self.percents = _table([one.percentiles for one in self.wanted])
        self.lengths = np.array([one.block or 1.0 for one in self.wanted])

    def rows(self, sums: Sums) -> np.ndarray:
        """All numbers of every member, (member, column) in the order of `Wanted.columns`; NaN where there is nothing to
        tell. The last call of all."""
        percentiles = np.empty((len(sums.sums), *self.percents.shape))
        finish(
            self.rules, self.asked, self.exponents, self.percents, sums.sums, sums.bins, sums.grid, sums.stack,
            sums.depth, sums.damage, percentiles,
        )  # fmt: skip
        numbers = [column for c in range(len(self.wanted)) for column in self._of(sums, percentiles[:, c], c)]
        return np.stack(numbers, axis=1) if numbers else np.empty((len(sums.sums), 0))

    def _of(self, found: Sums, percentiles: np.ndarray, c: int) -> list[np.ndarray]:
        """The columns of one channel, (member,) each; of its percentiles (member, percentile)."""
        one, sums, numbers = self.wanted[c], found.sums[:, c].T, []
        count = np.where(sums[COUNT] > 0.0, sums[COUNT], np.nan)
        if one.mean:
            numbers.append(sums[MEAN])
        if one.std:
            numbers.append(np.sqrt(sums[SQUARES] / count))
        if one.least:
            numbers += [sums[MIN], sums[MIN_TIME]]
        if one.largest:
            numbers += [sums[MAX], sums[MAX_TIME]]
        numbers += [*percentiles[:, : len(one.percentiles)].T]
        numbers += [found.above[:, c, one.levels.index(level)] / count for level in one.exceeds]
        numbers += [found.crossed[:, c, one.levels.index(level)] for level in one.upcrossings]
        if one.exponents:
            numbers += [sums[CYCLES], *found.damage[:, c, : len(one.exponents)].T]
        numbers += [*found.blocks[:, c, : one.blocks(self.length)].T]
        return [np.where(np.isnan(count), np.nan, column) for column in numbers]


class Collector:
    """Statistics of members whose samples lie in this machine's memory.

    question  what is asked for
    home      where offsets are measured from, (member, channel, 2)
    """

    def __init__(self, question: Question, home: np.ndarray) -> None:
        self.question, self._home = question, np.ascontiguousarray(home, dtype=np.float64)
        self._sums = Sums.fresh(len(home), question)
        self._well = np.zeros(len(home))

    @property
    def nbytes(self) -> int:
        """Memory it takes, in bytes."""
        return sum(array.nbytes for array in self._sums.arrays)

    def take(
        self, rows: np.ndarray, times: np.ndarray, first: int, last: int, status: np.ndarray | None = None
    ) -> None:
        """Fold samples in, (member, sample, number), from `first` up to `last`; times in s. Members with a `status`
        other than 0 are left alone."""
        asked, sums = self.question, self._sums
        turns, deepest = MORE_TURNS * (last - first), int(sums.depth.max(initial=0))
        if deepest + turns > sums.stack.shape[2]:
            sums.stack = with_room(sums.stack, turns, deepest)
        fold(
            self._well if status is None else status, rows, times, first, last, asked.rules, self._home, asked.asked,
            asked.levels, asked.exponents, asked.lengths, asked.start, *sums.arrays,
        )  # fmt: skip

    def rows(self) -> np.ndarray:
        """All numbers of every member, (member, column). The last call of all."""
        return self.question.rows(self._sums)


def with_room(stack: np.ndarray, turns: int, deepest: int) -> np.ndarray:
    """Turning points with room for so many more than there are in the deepest."""
    larger = np.zeros((*stack.shape[:2], 2 * (deepest + turns)))
    larger[:, :, : stack.shape[2]] = stack
    return larger


def _table(rows: Sequence[Sequence[float]]) -> np.ndarray:
    """Rows of unequal lengths, filled up with zeros."""
    found = np.zeros((len(rows), max(1, max(map(len, rows), default=1))))
    for k, row in enumerate(rows):
        found[k, : len(row)] = row
    return found
