"""When a run is sampled, and in how many steps it gets from one sample to the next.

Every time is computed from whole numbers and never by adding up, so that a run resumed at sample k takes exactly the
steps the uninterrupted one takes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

ROUNDING = 1e-6
"""Part of a step or interval that is put down to rounding of decimal numbers (0.3 / 0.1 is a little less than 3)."""


@dataclass(frozen=True)
class Schedule:
    """Samples at start, start + every, ... and at start + duration, all in s; steps between them of at most `step`."""

    start: float
    duration: float
    every: float
    step: float

    @cached_property
    def whole_intervals(self) -> int:
        """Number of intervals of full length."""
        return math.floor(self.duration / self.every + ROUNDING)

    @cached_property
    def intervals(self) -> int:
        """Number of intervals, the last of which may be shorter."""
        left = self.duration - self.whole_intervals * self.every
        return self.whole_intervals + (left > ROUNDING * min(self.every, self.step))

    @property
    def end(self) -> float:
        """Time of the last sample, s."""
        return self.time(self.intervals)

    def time(self, sample: int) -> float:
        """Time of a sample, s."""
        if sample > self.whole_intervals:
            return self.start + self.duration
        return self.start + sample * self.every

    def steps(self, interval: int) -> tuple[int, float]:
        """(n, h): the interval is n steps of h seconds, h no longer than `step`."""
        length = self.every
        if interval >= self.whole_intervals:
            length = self.duration - self.whole_intervals * self.every
        return split(length, self.step)

    def steps_until(self, sample: int) -> int:
        """Number of steps from the start to a sample."""
        whole = min(sample, self.whole_intervals)
        return whole * split(self.every, self.step)[0] + sum(self.steps(k)[0] for k in range(whole, sample))


def split(length: float, step: float) -> tuple[int, float]:
    """(n, h): n equal parts h of `length`, none longer than `step` (both in s)."""
    n = max(1, math.ceil(length / step - ROUNDING))
    return n, length / n
