"""What drives an input: fixes as they come, and where it was, is and will be according to them."""

from __future__ import annotations

from bisect import bisect_left, insort

import numpy as np

TREND = 60.0
"""Time over which it is judged whether a point goes or sways, s."""
KEPT = 120.0
"""Age up to which fixes are kept, s."""
INSISTING = 5
"""Implausible fixes in a row after which what they say is believed."""
ENOUGH, SOON = 6, 5.0
"""Fixes that tell where a point is bound, and how long after them that is known, s."""
ROUGHEST = 2.0
"""Acceleration above which a course has jumped, m/s²; a ship's fairlead in waves has less."""
NEIGHBOURS = 1.6
"""Half of the window of fixes that always enter, over the time between them."""


class Track:
    """Fixes of one input, in order of their stamps.

    smooth       time [s] over which they are smoothed: by the parabola through those so far before and after
    speed_limit  what would have moved faster than this is implausible
    slack        by how much a fix may be off all the same
    rate         how fast it moves as long as there is one fix only
    """

    def __init__(
        self, smooth: float = 0.0, speed_limit: float = np.inf, slack: float = 1.0, rate: np.ndarray | None = None
    ) -> None:
        self.smooth, self.speed_limit, self.slack, self.rate = smooth, speed_limit, slack, rate
        self.fixes: list[tuple[float, tuple[float, ...]]] = []
        self.doubted = 0

    def put(self, stamp: float, value: np.ndarray) -> bool:
        """Take a fix; False where it is implausible and is left out."""
        if self._jumps(stamp, value):
            self.doubted += 1
            if self.doubted < INSISTING:
                return False
            self.rate = self.at(self.last)[1]  # type: ignore[index]
            self.fixes.clear()
        self.doubted = 0
        if not any(stamp == time for time, _ in self.fixes[-3:]):
            insort(self.fixes, (float(stamp), tuple(value.tolist())))
        while self.fixes and self.fixes[0][0] < self.fixes[-1][0] - KEPT:
            self.fixes.pop(0)
        return True

    def _jumps(self, stamp: float, value: np.ndarray) -> bool:
        """Whether nothing that moves as this did can have come there: by its speed, or by where it was bound."""
        k = bisect_left(self.fixes, (stamp,))
        for time, place in self.fixes[max(0, k - 1) : k + 1]:
            if float(np.linalg.norm(value - np.array(place))) > self.speed_limit * abs(stamp - time) + self.slack:
                return True
        if np.isinf(self.speed_limit) or len(self.fixes) < ENOUGH or not 0.0 < stamp - self.last < SOON:
            return False
        bound = self.at(stamp)
        assert bound is not None
        off = float(np.linalg.norm(value - bound[0])) - 0.5 * ROUGHEST * (stamp - self.last) ** 2
        if off < 5.0 * self.slack:
            return False
        times, places = (np.array(part) for part in zip(*self.fixes[-ENOUGH:], strict=True))
        line = np.polyfit(times - stamp, places, 1)
        scatter = np.std(places - np.outer(times - stamp, line[0]) - line[1], axis=0)
        return off > 5.0 * self.slack + 6.0 * float(np.linalg.norm(scatter))

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
            rate = np.zeros_like(value) if self.rate is None else self.rate
            return value + (t - first) * rate, rate
        seen = min(t, last)
        value, rate = self._fit(seen)
        return value + (t - seen) * rate, rate

    def trend(self, t: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Value and rate that tell where it will be: those of now or, where it sways more than it goes, those of the
        straight line through the last minute."""
        recent = self.fixes[bisect_left(self.fixes, (self.last - TREND,)) :]
        if len(recent) < 8:
            return self.at(t)
        values = np.array([value for _, value in recent])
        way = np.linalg.norm(np.diff(values, axis=0), axis=1).sum()
        if np.linalg.norm(values[-1] - values[0]) > 0.5 * way:
            return self.at(t)
        x = np.array([time for time, _ in recent]) - t
        slope, level = np.polyfit(x, values, 1)
        return level, slope

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
