"""Measurements that cannot be: numbers of an impossible size, which are refused, and places that a ship cannot have
reached, which are held back unless it keeps saying so."""

from __future__ import annotations

import math

from fairlead.model.units import parse_unit

EARTH = 6.371e6  # m
AGREEING = 5
"""As many places in a row that agree with one another are believed, whatever went before: a gate that never opens
again is worse than an outlier."""
JITTER = 25.0  # m that two fixes may lie apart at any speed

POSSIBLE = {"m": 1e7, "m/s": 150.0, "m/s^2": 1e3, "N": 1e9, "N*m": 1e12, "Pa": 1e10, "kg": 1e10}
"""What no measurement at sea is larger than, by its unit: local places, winds and speeds, forces of 100,000 t."""
LARGEST = 1e12


def bound_of(unit: str) -> float:
    """What no measurement of such a unit is larger than, in SI units."""
    dimension = parse_unit(unit)[1]
    return next((most for known, most in POSSIBLE.items() if parse_unit(known)[1] == dimension), LARGEST)


class Plausible:
    """Looks at the fixes of one receiver as they come.

    fastest  m/s between two fixes that are believed
    """

    def __init__(self, fastest: float = 30.0):
        self.fastest = fastest
        self._last: tuple[float, float, float] | None = None
        self._doubted: tuple[float, float, float] | None = None
        self._agreeing = 0

    def __call__(self, latitude: float, longitude: float, stamp: float) -> bool:
        """Whether to believe that it was there at ``stamp``."""
        fix = (latitude, longitude, stamp)
        if self._last is None or self._reachable(self._last, fix):
            self._last, self._doubted, self._agreeing = fix, None, 0
            return True
        if self._doubted is not None and self._reachable(self._doubted, fix):
            self._agreeing += 1
        else:
            self._agreeing = 1
        self._doubted = fix
        if self._agreeing < AGREEING:
            return False
        self._last, self._doubted, self._agreeing = fix, None, 0
        return True

    def _reachable(self, one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
        return distance(one, other) <= JITTER + self.fastest * abs(other[2] - one[2])


def distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Metres over the ground between two places given by latitude and longitude in degrees (great circle)."""
    a, b, c, d = (math.radians(v) for v in (*one[:2], *other[:2]))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2.0 * EARTH * math.asin(math.sqrt(min(1.0, h)))
