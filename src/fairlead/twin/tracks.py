"""What drives an input: fixes as they come, and where it was, is and will be according to them."""

from __future__ import annotations

from bisect import bisect_left, insort

import numpy as np

KEPT = 120.0
"""Age up to which fixes are kept, s."""
INSISTING = 5
"""Implausible fixes in a row after which what they say is believed."""
NEIGHBOURS = 1.6
"""Half of the window of fixes that always enter, over the time between them."""


class Track:
    """Fixes of one input, in order of their stamps.

    smooth       time [s] over which they are smoothed: by the parabola through those so far before and after
    speed_limit  what would have moved faster than this is implausible
    slack        by how much a fix may be off all the same
    """

    def __init__(self, smooth: float = 0.0, speed_limit: float = np.inf, slack: float = 1.0) -> None:
        self.smooth, self.speed_limit, self.slack = smooth, speed_limit, slack
        self.fixes: list[tuple[float, tuple[float, ...]]] = []
        self.doubted = 0

    def put(self, stamp: float, value: np.ndarray) -> bool:
        """Take a fix; False where it is implausible and is left out."""
        if self.fixes:
            k = max(0, bisect_left(self.fixes, (stamp,)) - 1)
            time, place = self.fixes[k]
            way = float(np.linalg.norm(value - np.array(place)))
            if way > self.speed_limit * abs(stamp - time) + self.slack:
                self.doubted += 1
                if self.doubted < INSISTING:
                    return False
                self.fixes.clear()
        self.doubted = 0
        if not any(stamp == time for time, _ in self.fixes[-3:]):
            insort(self.fixes, (float(stamp), tuple(value.tolist())))
        while self.fixes and self.fixes[0][0] < self.fixes[-1][0] - KEPT:
            self.fixes.pop(0)
        return True

    @property
    def last(self) -> float:
        """Stamp of the latest fix, s."""
        return self.fixes[-1][0] if self.fixes else -np.inf

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Value and rate at a time [s]; beyond the last fix it goes on as it did. None before the first."""
        if not self.fixes:
            return None
        first, last = self.fixes[0][0], self.fixes[-1][0]
        if t < first or len(self.fixes) == 1:
            value = np.array(self.fixes[0][1])
            return value, np.zeros_like(value)
        seen = min(t, last)
        value, rate = self._fit(seen)
        return value + (t - seen) * rate, rate

    def _fit(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Value and rate at a time among the fixes, of the parabola that fits best."""
        fixes = self.fixes
        recent = [time for time, _ in fixes[-8:]]
        spacing = (recent[-1] - recent[0]) / (len(recent) - 1)
        half = max(self.smooth, NEIGHBOURS * spacing)
        back, ahead = min(half, t - fixes[0][0]), min(half, fixes[-1][0] - t)
        low = bisect_left(fixes, (t - 2.0 * half + ahead,))  # as many at the ends, where all are on one side
        high = bisect_left(fixes, (t + 2.0 * half - back,))
        low = max(0, min(low, len(fixes) - 2))
        chosen = fixes[low : max(high, low + 2)]
        x = [(time - t) / half for time, _ in chosen]
        values = np.array([value for _, value in chosen])
        powers = np.array([[1.0, s, s * s] if len(x) > 2 else [1.0, s] for s in x])
        found = np.linalg.solve(powers.T @ powers, powers.T @ values)
        return found[0], found[1] / half
