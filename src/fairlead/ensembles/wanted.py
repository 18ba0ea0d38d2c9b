"""What is kept of a channel of every member, and the columns it makes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .channels import Channel


@dataclass(frozen=True)
class Wanted:
    """Statistics of one channel; levels are in its unit, `block` in s."""

    channel: Channel
    mean: bool = False
    std: bool = False
    least: bool = False
    largest: bool = False
    percentiles: tuple[float, ...] = ()
    exceeds: tuple[float, ...] = ()
    upcrossings: tuple[float, ...] = ()
    exponents: tuple[float, ...] = ()
    block: float = 0.0

    @property
    def levels(self) -> tuple[float, ...]:
        """Every level that is watched, in order."""
        return tuple(sorted({*self.exceeds, *self.upcrossings}))

    def blocks(self, length: float) -> int:
        """Whole blocks in a time that is kept [s]."""
        return math.floor(length / self.block + 1e-9) if self.block else 0

    def columns(self, length: float) -> list[Column]:
        """What it makes of a kept time of `length` [s], in order."""
        name, unit, words = self.channel.name, self.channel.unit, self.channel.words
        found = []

        def add(statistic: str, units: str, text: str) -> None:
            found.append(Column(f"{name}.{statistic}", units, f"{words}: {text}", name, statistic))

        if self.mean:
            add("mean", unit, "mean")
        if self.std:
            add("std", unit, "standard deviation")
        if self.least:
            add("min", unit, "least")
            add("min_time", "s", "time of the least")
        if self.largest:
            add("max", unit, "largest")
            add("max_time", "s", "time of the largest")
        for percent in self.percentiles:
            add(f"p{percent:g}", unit, f"{percent:g} % of the time below")
        for level in self.exceeds:
            add(f"exceeds_{level:g}", "1", f"share of the time above {level:g} {unit}")
        for level in self.upcrossings:
            add(f"upcrossings_{level:g}", "1", f"how often {level:g} {unit} is crossed upwards")
        if self.exponents:
            add("cycles", "1", "rainflow cycles")
        for m in self.exponents:
            add(f"damage_m{m:g}", f"({unit})^{m:g}", f"sum of range^{m:g} over the rainflow cycles")
        for k in range(self.blocks(length)):
            add(f"block_maxima_{k}", unit, f"largest in block {k + 1} of {self.block:g} s")
        return found


@dataclass(frozen=True)
class Column:
    """One number of every member."""

    name: str
    unit: str
    words: str
    channel: str
    statistic: str
