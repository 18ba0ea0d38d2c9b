"""Whether the clock of a sensor is off: what it measures is then off along the way that it goes, as far as it goes in
that time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

KEPT = 0.95
"""What is left of the weight of a reading when the next one comes: some twenty of them count."""
TOLD, CLEARED = 25.0, 12.0
"""Square of the offset over its variance from which on it is told, and below which it is not any more."""
EXPLAINED = 2.0
"""Mean square of what an offset leaves of the deviations above which it is no clock that is off."""
FASTEST, SLOWEST = 10.0, 0.25
"""Offset beyond which it is no clock that is off but a place, s; and mean square of the way of one second, in standard
deviations of what is measured, below which that cannot be told."""
FREEDOM = 4.0
"""Of Student's distribution, which noise is taken to have: an outlier tells little of a clock."""


@dataclass
class Stamps:
    """Deviations d of a measured place regressed on its velocity v, each with the weight of its variance: a clock that
    is fast by τ has d = −τ v."""

    speeds: float = 0.0
    """Σ v², older ones with less weight."""
    along: float = 0.0
    """Σ v d."""
    squares: float = 0.0
    """Σ d²."""
    count: float = 0.0
    told: bool = False

    def hear(self, velocity: np.ndarray, deviation: np.ndarray, noise: np.ndarray, bias: np.ndarray) -> None:
        """A reading: velocity [m/s] and deviation [m] of its numbers, and the standard deviations of what is expected
        of them, by chance and for good. One number alone is passed over: nothing in it could speak against a clock."""
        if len(deviation) < 2:
            return
        variance = noise**2 + bias**2 / (1.0 - KEPT)  # a bias is the same in all readings that count
        n, square = len(deviation), float(np.sum(deviation**2 / variance))
        weight = min(1.0, (FREEDOM + n) / (FREEDOM + square)) / variance
        self.speeds = KEPT * self.speeds + float(np.sum(weight * velocity**2))
        self.along = KEPT * self.along + float(np.sum(weight * velocity * deviation))
        self.squares = KEPT * self.squares + float(np.sum(weight * deviation**2))
        self.count = KEPT * self.count + float(np.sum(weight * variance))
        off = self.along**2 / max(self.speeds, 1e-300)
        left = (self.squares - off) / max(self.count, 1e-300)
        seen = off > (CLEARED if self.told else TOLD) and left < EXPLAINED
        moves = self.speeds > SLOWEST * self.count
        self.told = seen and moves and abs(self.offset) < FASTEST

    @property
    def offset(self) -> float:
        """By which the clock seems to be fast, s."""
        return -self.along / max(self.speeds, 1e-300)

    @property
    def words(self) -> str:
        """What is told of it; empty where nothing is."""
        if not self.told:
            return ""
        way = "fast" if self.offset > 0.0 else "slow"
        clock = f"is off along its way as if its clock were {abs(self.offset):.1f} s {way}"
        return f"{clock} (or its place on the line wrong)"
