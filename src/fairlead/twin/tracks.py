"""What drives an input: fixes as they come, and where it was, is and will be according to them."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .repeats import MOVED, Repeats
from .smoothing import LEAST, ROUNDING, Windows, noise_of, rounding_of

TREND = 60.0
"""Time over which it is judged whether a point goes or sways, s."""
KEPT = 120.0
"""Age up to which fixes are kept, s."""
INSISTING = 5
"""Implausible fixes in a row after which what they say is believed."""
BRIEF = 0.5
"""Time that fixes span below which they tell of no speed, s: noise over a moment would be a speed of its own."""
ENOUGH, SOON = 6, 5.0
"""Fixes that tell where a point is bound, and how long after them that is known, s."""
MANY, CURVED = 20, 0.05
"""Fixes that tell noise from waves; and of fewer, the share of their scatter about a line that is noise at least."""
ROUGHEST = 2.0
"""Acceleration above which a course has jumped, m/s²; a ship's fairlead in waves has less."""
NEIGHBOURS = 1.6
"""Half of the window of fixes that always enter, over the time between them."""
CLOSE, NEAR = 0.3, 5.0
"""Over the time between fixes: what lies closer to another is smoothed and not gone through; what tells of a speed."""
END_SLOPE = {1: 12.0, 2: 192.0, 4: 4800.0}
"""By degree: variance of the slope at the end of a polynomial through noise, times the cube of its length over the
square of that noise and the time between fixes."""
BRAKING = 0.1
"""Deceleration of a ship that comes to rest, m/s²."""
FADING = 0.1
"""Damping of the sway that is expected beyond the last fix, as a share of its angular frequency."""


def cubic(
    s: float, span: float, a: np.ndarray, b: np.ndarray, u: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Value and rate at a share s of a span [s], from value and rate (a, u) at its start to (b, v) at its end."""
    way = b - a
    p, q = u * span - way, v * span - way
    value = a + s * way + s * (1.0 - s) * ((1.0 - s) * p - s * q)
    return value, (way + (1.0 - 2.0 * s) * ((1.0 - s) * p - s * q) - s * (1.0 - s) * (p + q)) / span


@dataclass(frozen=True)
class Sway:
    """A point that sways more than it goes: about a straight line, with a mean frequency."""

    level: np.ndarray
    """Of the line at the last fix, m."""
    slope: np.ndarray
    frequency: float
    """rad/s."""

    def after(self, passed: float, place: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where it is expected so long after the last fix [s], from its place and rate there: a fading oscillation."""
        w, b = self.frequency, FADING * self.frequency
        off, speed = place - self.level, rate - self.slope
        c, s, fade = np.cos(w * passed), np.sin(w * passed), np.exp(-b * passed)
        other = (speed + b * off) / w
        value = fade * (off * c + other * s)
        return (self.level + passed * self.slope + value,
                self.slope - b * value + w * fade * (other * c - off * s))  # fmt: skip


class Track:
    """Fixes of one input, in order of their stamps.

    smooth       time [s] over which they are smoothed: by the parabola through those so far before and after; None: as
                 their noise asks for
    speed_limit  what would have moved faster than this is implausible
    slack        by how much a fix may be off all the same
    rate         how fast it moves as long as there is one fix only
    """

    def __init__(
        self,
        smooth: float | None = 0.0,
        speed_limit: float = np.inf,
        slack: float = 1.0,
        rate: np.ndarray | None = None,
    ) -> None:
        self.smooth, self.speed_limit, self.slack, self.rate = smooth, speed_limit, slack, rate
        self.fixes: list[tuple[float, tuple[float, ...]]] = []
        self.doubted = 0
        self.repeats, self.heard, self.since = Repeats(), -np.inf, -np.inf
        """Whether the receiver froze; the latest stamp by which that was judged, and the one at which it began to say
        what it says."""
        self._known: tuple[tuple[float, int], Sway | None] = ((-np.inf, 0), None)
        self.windows = Windows()
        self._noise: tuple[tuple[float, int], float] = ((-np.inf, 0), 0.0)
        self._rates: tuple[tuple[float, int], dict[int, np.ndarray]] = ((-np.inf, 0), {})

    def put(self, stamp: float, value: np.ndarray, said: np.ndarray | None = None) -> bool:
        """Take a fix; False where it is implausible and is left out.

        said  what the receiver itself said, where a lever arm has been added to it
        """
        if self._is_frozen(stamp, value, value if said is None else said):
            return False
        if self._jumps(stamp, value):
            self.doubted += 1
            if self.doubted < INSISTING:
                return False
            self.rate = self.at(self.last)[1]  # type: ignore[index]
            self.fixes.clear()
        self.doubted = 0
        self._judge(stamp, value)
        k = bisect_left(self.fixes, (float(stamp),))
        if k == len(self.fixes) or self.fixes[k][0] != stamp:
            insort(self.fixes, (float(stamp), tuple(value.tolist())))
        while self.fixes and self.fixes[0][0] < self.fixes[-1][0] - KEPT:
            self.fixes.pop(0)
        return True

    def _is_frozen(self, stamp: float, value: np.ndarray, said: np.ndarray) -> bool:
        """Whether it repeats a place from which what it tells of must have moved on; all repeats are then left out."""
        if np.isinf(self.speed_limit) or stamp <= self.heard:
            return False
        self.heard, repeats = stamp, self.repeats
        way, noise = np.zeros_like(value), self.slack / MOVED
        if tuple(said.tolist()) != repeats.value:
            self.since = stamp
        else:
            before = self.until(self.since)
            here, there = before.at(self.since), before.at(stamp)
            if here is not None and there is not None:
                way = _braked(there[0] - here[0], stamp - self.since)
                noise = max(noise, before.noise, self._grain)
        # what has noise beyond its last digit repeats no place, at rest either
        may_rest = len(self.fixes) < MANY or self.noise <= max(LEAST, self._grain)
        far = float(np.abs(way).max()) / noise
        frozen = repeats.hear(said, way, np.full_like(way, noise), far, False, True, may_rest)
        if frozen:
            del self.fixes[self._after(self.since) :]
        return frozen

    def until(self, stamp: float) -> Track:
        """What it would tell by its fixes up to a time, that included."""
        before = Track(self.smooth, rate=self.rate)
        before.fixes, before.windows = self.fixes[: self._after(stamp)], self.windows
        return before

    def _after(self, stamp: float) -> int:
        """How many fixes there are up to a time, that included."""
        return bisect_left(self.fixes, (stamp, (np.inf,)))

    # --- noise --------------------------------------------------------------------------------------------------------
    @property
    def noise(self) -> float:
        """Standard deviation of the fixes about a smooth course, m."""
        now = (self.last, len(self.fixes))
        if self._noise[0] != now:
            times, values = (np.array(part) for part in zip(*self.fixes, strict=True))
            self._noise = (now, max(noise_of(times, values), rounding_of(values)))
        return self._noise[1]

    @property
    def _grain(self) -> float:
        """Smallest step between a fix and the next along an axis, m: the last digit of a coarse receiver."""
        steps = np.abs(np.diff([value for _, value in self.fixes], axis=0))
        return float(steps[steps > ROUNDING].min(initial=np.inf)) if (steps > ROUNDING).any() else 0.0

    @property
    def half(self) -> float:
        """Half of the time over which they are smoothed, s; 0 where they are gone through."""
        return self._way[0]

    @property
    def spread(self) -> float:
        """Standard deviation of the place that it tells at its last fix, m: of the end of a polynomial through noise,
        or of a fix."""
        if len(self.fixes) < MANY or self.noise <= LEAST:
            return 0.0
        half, degree = self._way
        count = 2.0 * half / self._spacing
        return float(self.noise * min(1.0, (degree + 1.0) / max(count, 1.0) ** 0.5))

    def begins(self, t: float) -> bool:
        """Whether its fixes are too new at a time [s] to be smoothed as they are to be: its speed is still noise."""
        return bool(self.fixes) and t - self.fixes[0][0] < min(self.half, 0.5 * KEPT)

    @property
    def retold(self) -> bool:
        """Whether each fix may tell another course, by another window too: a time of the file keeps to one."""
        return self.smooth is None and self.half > 0.0

    @property
    def _way(self) -> tuple[float, int]:
        """That, and the degree of what is put through them then."""
        if self.smooth is not None:
            return self.smooth, 2
        return self.windows.way if len(self.fixes) >= ENOUGH and self._is_noisy else (0.0, 2)

    @property
    def _is_noisy(self) -> bool:
        """Whether it is noise that their fourth differences show: of a few, waves leave something in them, too."""
        if len(self.fixes) >= MANY or self.noise <= LEAST:
            return self.noise > LEAST
        times, values = (np.array(part) for part in zip(*self.fixes, strict=True))
        off = values - np.polynomial.polynomial.polyvander(times - times[0], 1) @ np.polynomial.polynomial.polyfit(
            times - times[0], values, 1
        )
        return self.noise > CURVED * float(off.std(axis=0).max())

    def _judge(self, stamp: float, value: np.ndarray) -> None:
        """Which window would have told best what a fix says that comes next."""
        ago, spacing = stamp - self.last, self._spacing if len(self.fixes) > 1 else 0.0
        if self.smooth is not None or len(self.fixes) < ENOUGH or not 0.0 < ago < NEAR * spacing:
            return
        if self.noise <= LEAST:
            return

        def expected(half: float, degree: int) -> np.ndarray:
            place, rate = self._fit(self.last, (half, degree))
            return np.asarray(place + ago * rate)

        self.windows.judge(expected, value)

    @property
    def tells_course(self) -> bool:
        """Whether it is known where it is bound: its speed to a twentieth, by what noise makes of the end of a line, or
        of a parabola."""
        if len(self.fixes) < ENOUGH or self.last - self.fixes[0][0] < 3.0:
            return False
        half, degree = self._way
        length = min(2.0 * max(half, NEIGHBOURS * self._spacing), self.last - self.fixes[0][0])
        uncertain = self.noise * np.sqrt(END_SLOPE[degree] * self._spacing / length) / length
        return bool(uncertain <= 0.05 * np.linalg.norm(self._fit(self.last)[1]))

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

    @property
    def usual_gap(self) -> float | None:
        """Median time between fixes, s; None while there is but one, or none."""
        return float(np.median(np.diff([time for time, _ in self.fixes]))) if len(self.fixes) > 1 else None

    @property
    def rests(self) -> bool:
        """Whether it is held where its only fix has put it."""
        return len(self.fixes) == 1 and (self.rate is None or not self.rate.any())

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Value and rate at a time [s]; beyond the last fix it goes or sways on as it did. None before the first."""
        if not self.fixes:
            return None
        first, last = self.fixes[0][0], self.fixes[-1][0]
        if t < first or last - first < BRIEF:
            value = np.array(self.fixes[0][1])
            rate = np.zeros_like(value) if self.rate is None else self.rate
            return value + (t - first) * rate, rate
        value, rate = self._between(min(t, last))
        if t <= last:
            return value, rate
        sway = self.sway
        return (value + (t - last) * rate, rate) if sway is None else sway.after(t - last, value, rate)

    def trend(self, t: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Value and rate that tell where it will be: those of now or, where it sways more than it goes, a place that is
        kept: the end of the straight line through the last minute. What a buoy drifts in a minute it does not go on to
        drift for many."""
        sway = self.sway
        return self.at(t) if sway is None else (sway.level + (t - self.last) * sway.slope, np.zeros_like(sway.slope))

    @property
    def sway(self) -> Sway | None:
        """How it sways, by the fixes of the last minute; None of what goes more than it sways."""
        now = (self.last, len(self.fixes))
        if self._known[0] != now:
            self._known = (now, self._swaying())
        return self._known[1]

    def _swaying(self) -> Sway | None:
        recent = self.fixes[bisect_left(self.fixes, (self.last - TREND,)) :]
        if len(recent) < 8:
            return None
        values = np.array([value for _, value in recent])
        steps = np.diff(values, axis=0)
        way = float(np.linalg.norm(steps, axis=1).sum())
        if self.noise > LEAST:  # of which two fixes add as much to the square of a step along every axis that has it
            square = np.mean(np.sum(steps**2, axis=1)) - 2.0 * self.noise**2 * np.count_nonzero(np.ptp(values, axis=0))
            way = len(steps) * float(np.sqrt(max(0.0, square)))
        if np.linalg.norm(values[-1] - values[0]) > max(0.5 * way, 4.0 * self.noise):
            return None
        x = np.array([time for time, _ in recent]) - self.last
        slope, level = np.polyfit(x, values, 1)
        off = values - level - np.outer(x, slope)
        speed = np.diff(off, axis=0) / np.diff(x)[:, None]
        size = float(np.sqrt(np.mean(off**2)))
        frequency = float(np.sqrt(np.mean(speed**2))) / max(size, 1e-9)
        slowest = np.pi / TREND
        return Sway(level, slope, max(slowest, min(frequency, 1.0 / self.half if self.half else np.inf)))

    def _between(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Value and rate at a time among the fixes: by the cubic that has places and speeds of those before and after
        it. Fixes that are to be smoothed, or lie closely together, are not gone through.

        What a parabola through a few neighbours says jumps whenever there is another of them; a stiff line feels that.
        """
        fixes, spacing = self.fixes, self._spacing
        k = min(bisect_left(fixes, (t,)), len(fixes) - 1)
        k = k if fixes[k][0] <= t else k - 1
        near = [time for time, _ in fixes[max(0, k - 2) : k + 4]]
        closest = min((after - before for before, after in pairwise(near)), default=0.0)
        if self.half > NEIGHBOURS * spacing or closest < CLOSE * spacing:
            return self._fit(t)
        (start, a), u = fixes[k], self._rate_at(k)
        if k == len(fixes) - 1:
            return np.array(a), u
        (stop, b), v = fixes[k + 1], self._rate_at(k + 1)
        return cubic((t - start) / (stop - start), stop - start, np.array(a), np.array(b), u, v)

    def _rate_at(self, k: int) -> np.ndarray:
        """Rate at a fix, told once for the fixes there are: every tick until the next asks for it."""
        now = (self.last, len(self.fixes))
        if self._rates[0] != now:
            self._rates = (now, {})
        known = self._rates[1]
        if k not in known:
            known[k] = self._rate(k)
        return known[k]

    def _rate(self, k: int) -> np.ndarray:
        """Rate at a fix: of the polynomial through it and up to two on either side, of the parabola at the ends."""
        there, reach = self.fixes[k][0], NEAR * self._spacing
        chosen = [one for one in self.fixes[max(0, k - 2) : k + 3] if abs(one[0] - there) <= reach]
        x = np.array([time - there for time, _ in chosen])
        if not x[0] < 0.0 < x[-1]:
            return self._fit(there)[1]
        own = int(np.flatnonzero(x == 0.0)[0])
        weights = np.zeros(len(x))
        for j in range(len(x)):
            if j != own:
                others = [i for i in range(len(x)) if i not in (j, own)]
                weights[j] = np.prod(x[others] / (x[others] - x[j])) / x[j]
        weights[own] = -weights.sum()
        return np.asarray(weights @ np.array([value for _, value in chosen]))

    @property
    def _spacing(self) -> float:
        """Mean time between the latest fixes, s; half of that between all, where these came in a burst."""
        latest, every = ((part[-1][0] - part[0][0]) / (len(part) - 1) for part in (self.fixes[-8:], self.fixes))
        return max(latest, 0.5 * every)

    def _fit(self, t: float, way: tuple[float, int] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Value and rate at a time among the fixes, of the polynomial that fits best about it."""
        fixes = self.fixes
        half, degree = way or self._way
        half = max(half, NEIGHBOURS * self._spacing)
        back, ahead = min(half, t - fixes[0][0]), min(half, fixes[-1][0] - t)
        low = bisect_left(fixes, (t - 2.0 * half + ahead,))  # as many at the ends, where all are on one side
        high = bisect_left(fixes, (t + 2.0 * half - back,))
        low = max(0, min(low, len(fixes) - 2))
        high = max(high, low + 2)
        times, values = _gathered(fixes[low:high], CLOSE * self._spacing)
        while len(times) < 2 and high - low < len(fixes):  # all in one burst; all fixes never are
            low, high = (low - 1, high) if low > 0 else (0, high + 1)
            times, values = _gathered(fixes[low:high], CLOSE * self._spacing)
        x = (times - t) / half
        powers = np.vander(x, min(degree + 1, len(x)) if degree > 1 else 2, increasing=True)
        found = np.linalg.solve(powers.T @ powers, powers.T @ values)
        return found[0], found[1] / half


def _braked(way: np.ndarray, passed: float) -> np.ndarray:
    """What is left of a way that would be made in a time [s] where the ship slows down instead, to rest if need be."""
    length = float(np.linalg.norm(way))
    if length == 0.0 or passed <= 0.0:
        return way
    speed = length / passed
    braked = length - 0.5 * BRAKING * passed**2 if speed > BRAKING * passed else 0.5 * speed**2 / BRAKING
    return way * (braked / length)


def _gathered(fixes: list[tuple[float, tuple[float, ...]]], reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and values, where those of a burst, which lie within a reach [s] of its first, are one, their mean: its
    noise over a moment would be a speed."""
    times, values = np.array([time for time, _ in fixes]), np.array([value for _, value in fixes])
    if np.diff(times).min(initial=np.inf) >= reach:
        return times, values
    bursts, first = [0], times[0]
    for time in times[1:]:
        first, burst = (first, bursts[-1]) if time - first < reach else (time, bursts[-1] + 1)
        bursts.append(burst)
    count = np.bincount(bursts)
    means = [np.bincount(bursts, column) / count for column in (times, *values.T)]
    return means[0], np.stack(means[1:], axis=1)
