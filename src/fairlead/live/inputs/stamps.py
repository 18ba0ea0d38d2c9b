"""When a value was measured, which of them are still of use, and how long an input has been silent."""

from __future__ import annotations

import heapq
import itertools
import math
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from .reading import Reading, Refusal

AHEAD = 2.0
"""Seconds that a stamp may lie in the future: clocks differ a little, and a stamp of next year is a fault."""
KEPT = 60.0
"""Seconds after which a value that was measured is too late for anything."""
FUTURE, LATE = "stamp in the future", "too late"
"""Why a stamp is refused."""
MOST_WAITING = 10_000
"""Values that wait to be taken; a flood beyond them is refused."""


def stamped(reading: Reading, arrival: float, delay: float) -> Reading | Refusal:
    """The reading with a stamp that can be used: its own, or its arrival less the usual delay of its instrument."""
    stamp = arrival - delay if reading.stamp is None else reading.stamp
    if not math.isfinite(stamp) or stamp > arrival + AHEAD:
        return Refusal(FUTURE)
    if stamp < arrival - KEPT:
        return Refusal(LATE)
    if not all(math.isfinite(value) for value in reading.fields.values()):
        return Refusal("not a number")
    return Reading(reading.fields, min(stamp, arrival))


@dataclass(order=True, frozen=True)
class Measured:
    """A message for the twin, of an input."""

    stamp: float
    number: int
    source: str = field(compare=False)
    fields: Mapping[str, float] = field(compare=False)


class Sorter:
    """Messages of all inputs, in the order in which they were measured; written by many threads, read by one."""

    def __init__(self) -> None:
        self._heap: list[Measured] = []
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def put(self, source: str, reading: Reading) -> bool:
        """Take a stamped reading; False where too many wait already."""
        assert reading.stamp is not None
        with self._lock:
            if len(self._heap) >= MOST_WAITING:
                return False
            heapq.heappush(self._heap, Measured(reading.stamp, next(self._numbers), source, reading.fields))
        return True

    def clear(self) -> None:
        """Forget what waits."""
        with self._lock:
            self._heap.clear()

    def take(self, until: float) -> list[Measured]:
        """All that was measured up to ``until``, the oldest first."""
        out = []
        with self._lock:
            while self._heap and self._heap[0].stamp <= until:
                out.append(heapq.heappop(self._heap))
        return out


@dataclass
class Health:
    """What is known of one input.

    silent_after  seconds without a value after which it counts as silent
    """

    silent_after: float = 5.0
    accepted: int = 0
    last: float | None = None
    refused: Counter[str] = field(default_factory=Counter)
    fault: str = ""
    """Why it cannot be read at all just now: no such file, connection refused."""

    def clock_was_set(self, step: float, now: float) -> None:
        """Ages stay what they are where the machine's clock is set, by ``step`` s, and now tells ``now``."""
        if self.last is not None:
            self.last = min(self.last + step, now)

    def age(self, now: float) -> float | None:
        """Seconds since the newest value was measured; None before the first."""
        return None if self.last is None else max(0.0, now - self.last)

    def is_silent(self, now: float) -> bool:
        """Whether nothing came for too long."""
        age = self.age(now)
        return age is None or age > self.silent_after
