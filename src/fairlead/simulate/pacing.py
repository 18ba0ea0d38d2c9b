"""Keeping a run to the clock: no step is shown before its time, and those that come after it are counted."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from math import isfinite

LONGEST_SLEEP = 0.05
"""s: how often a wait looks up, so that Ctrl-C is heard at once."""


class Pacer:
    """Waits until simulated times are due.

    speed  simulated seconds in a second of the clock
    clock  seconds that only ever grow; with `sleep`, replaced in tests

    Every due time is computed from the start, never from the last one, so lateness does not add up: a run that was held
    up hurries until it is on time again.
    """

    def __init__(
        self,
        speed: float = 1.0,
        clock: Callable[[], float] = clocks.monotonic,
        sleep: Callable[[float], None] = clocks.sleep,
    ):
        if isinstance(speed, bool) or not isinstance(speed, int | float) or not (isfinite(speed) and speed > 0.0):
            raise ValueError(f"speed must be a positive number, times real time, not {speed!r}")
        self.speed = float(speed)
        self.steps = 0
        self.late_steps = 0
        """Steps that were computed after the moment they were due."""
        self.worst_lateness = 0.0
        """s of the clock, of the latest of them."""
        self._clock = clock
        self._sleep = sleep

    def begin(self, time: float) -> None:
        """The clock starts now, at simulated time `time` [s]."""
        self._start, self._began = time, self._clock()

    def wait(self, time: float, hurry: Callable[[], bool]) -> None:
        """A step has come to `time` [s]: wait until that is due, or until `hurry` says not to."""
        due = self._began + (time - self._start) / self.speed
        self.steps += 1
        left = due - self._clock()
        if left < 0.0:
            self.late_steps += 1
            self.worst_lateness = max(self.worst_lateness, -left)
        while left > 0.0 and not hurry():
            self._sleep(min(left, LONGEST_SLEEP))
            left = due - self._clock()

    def report(self) -> dict[str, float]:
        """What a result keeps of it."""
        return {
            "real_time_speed": self.speed,
            "real_time_steps": self.steps,
            "late_steps": self.late_steps,
            "worst_lateness": self.worst_lateness,
        }
