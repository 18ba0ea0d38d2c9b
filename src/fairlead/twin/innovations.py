"""What the deviations of measurements tell of a filter: whether they are as large as it expects, and by chance.

Of a filter in order a deviation over its standard deviation has mean square 1, and none tells of the next (Mehra 1970).
Larger ones, or ones that go on to one side, mean that it is too sure of itself: the sea has changed faster than the
file says, or the model is none of it. One sensor that is off proves nothing but that itself; most of them do.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

RECENT = 5
"""Updates by which the size of a sensor's deviations is judged; the middle one counts, so that two may be far off."""
ENOUGH = 3
"""Updates from which on it is."""
KEPT = 0.8
"""What is left at the next update of the sum of a sensor's deviations, by which it is judged if they are one-sided."""
WILD = 5.0
"""Deviation above which one is left out of that sum: what jumps is a fault, what goes away step by step is the sea."""
LARGE, ONE_SIDED, ALONE = 2.0, 3.5, 20.0
"""Measures from which on a filter is too sure of itself: of most sensors (one in order has up to 1.5 and 2.6 nine times
in ten), and of a single number of a place that is measured, which may be where a change of the sea is seen first."""
LEAST, MOST = 0.1, 4.0
"""Share of the members in the variance of a deviation below which it is taken for as much; and factor by which the
members' variance grows at most in one update."""


@dataclass
class Innovations:
    """Deviations of every sensor of late, over their standard deviations."""

    squares: dict[str, list[float]] = field(default_factory=dict)
    """Of the latest updates, over the median of what chance makes of them."""
    sums: dict[str, tuple[list[float], float]] = field(default_factory=dict)
    """Of all, by number, older ones with less weight; and the variance that chance makes of it."""

    places: tuple[str, ...] = ()
    """Sensors that measure one. A load cell that is off alone is a cell that is off."""
    odd: tuple[str, ...] = ()
    """Sensors that are not listened to, of which nothing is learnt of the filter."""
    factor: float = 1.0
    """By which the members' variance grew in the latest update; above 1 where the filter was too sure of itself."""

    def hear(
        self, sensor: str, deviations: np.ndarray, spread: np.ndarray, noise: np.ndarray, is_place: bool = False
    ) -> None:
        """What was measured in an update less what was expected, (reading, number), with the standard deviations of
        the members and of the noise of one reading, (number,) each."""
        count = len(deviations)
        lessened = 1.0 / count if count < 3 else 0.5 * np.pi / count  # the variance of a median over that of one
        z = np.median(deviations, axis=0) / np.hypot(spread, np.sqrt(lessened) * noise)
        n = len(z)
        middle = n * (1.0 - 2.0 / (9.0 * n)) ** 3  # of chi square (Wilson and Hilferty)
        self.squares[sensor] = [*self.squares.get(sensor, []), float(np.sum(z**2)) / middle][-RECENT:]
        total, variance = self.sums.get(sensor, ([0.0] * n, 0.0))
        near = np.where(np.abs(z) <= WILD, z, 0.0)
        self.sums[sensor] = ((KEPT * np.array(total) + near).tolist(), KEPT**2 * variance + 1.0)
        if is_place:
            self.places = tuple(sorted({*self.places, sensor}))

    def forget(self, sensor: str) -> None:
        """Of one that is stuck or silent nothing is learnt."""
        self.squares.pop(sensor, None)
        self.sums.pop(sensor, None)

    @property
    def size(self) -> float:
        """Squares of deviations over what they should be, of the sensor in the middle."""
        return _of_half([value for name, value in self.sizes.items() if name not in self.odd])

    @property
    def sizes(self) -> dict[str, float]:
        """The same of every sensor of which enough is known."""
        return {name: float(np.median(one)) for name, one in self.squares.items() if len(one) >= ENOUGH}

    @property
    def one_sidedness(self) -> float:
        """Squares of sums of deviations over what chance makes of them, of the sensor in the middle."""
        return _of_half([float(np.mean(np.square(g))) / n for g, n in self._sums.values()])

    @property
    def _sums(self) -> dict[str, tuple[list[float], float]]:
        """Those of which enough is known."""
        return {name: (g, n) for name, (g, n) in self.sums.items() if n > 1.5 and name not in self.odd}

    @property
    def excess(self) -> float:
        """Above 1 where the filter is too sure of itself."""
        alone = (max(np.square(g)) / n for name, (g, n) in self._sums.items() if name in self.places)
        return max(self.size / LARGE, self.one_sidedness / ONE_SIDED, max(alone, default=0.0) / ALONE)

    def widen(self, share: float) -> float:
        """Factor on the members' variance, which has this share in that of a deviation, with which deviations would be
        as large as expected (Anderson 2007). Those of late are taken from then on as over what is then expected: they
        have had their effect."""
        self.factor = factor = float(np.clip(1.0 + (self.excess - 1.0) / max(share, LEAST), 1.0, MOST))
        less = 1.0 / (1.0 + (factor - 1.0) * share)
        if factor > 1.0:
            self.squares = {name: [less * one for one in kept] for name, kept in self.squares.items()}
            self.sums = {name: ([less**0.5 * one for one in g], n) for name, (g, n) in self.sums.items()}
        return factor


def _of_half(values: list[float]) -> float:
    """What more than half of the sensors reach; of one or two half of what all do, since chance makes that more of few;
    1 where nothing is known."""
    if not values:
        return 1.0
    return sorted(values)[(len(values) - 1) // 2] if len(values) > 2 else 0.5 * min(values)
