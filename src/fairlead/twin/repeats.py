"""Sensors that say the same again and again: a cell that froze or died, a receiver that repeats its last place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .filters import GATE

CHANCE = 1e-5
"""Probability below which it is no chance that readings are the same."""
ENOUGH = 4
"""Readings that tell how often a sensor says the same twice."""
FARTHEST = 8.0
"""What being far from what was expected adds at most to the evidence, as a logarithm of a probability."""
MOVED, TOLD = 4.0, 5
"""Standard deviations of the noise by which what is expected has moved, and repeats in which, where they tell."""


@dataclass
class Repeats:
    """How often a sensor has repeated itself, and whether that is by chance.

    A cell in order hardly ever says the same number twice, or does so often, if it is a coarse one: its own past tells.
    A run of repeats is none of chance where that past makes it too unlikely, the more so the further from what was
    expected; or where what was expected has moved while it lasted; or where a force is 0 to the last digit and should
    not be. It ends with the first reading that is another. The place of what drives the system is stuck only where its
    past does not make that a chance; and since a ship may lie still, if it is told without noise, where it should have
    moved as well.
    """

    value: tuple[float, ...] = ()
    run: int = 0
    """How often the latest has been said again."""
    same: int = 0
    changed: int = 0
    """Readings before this run that were the same as the one before, and another."""
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    """Least and largest of what was expected while it lasted."""
    stuck: bool = False

    def hear(
        self, value: np.ndarray, expected: np.ndarray, noise: np.ndarray, deviation: float, is_force: bool,
        is_drive: bool = False, may_rest: bool = False,
    ) -> bool:  # fmt: skip
        """Take a reading; whether it is one of a sensor that is stuck.

        deviation  from what was expected, in its standard deviations
        is_drive   whether it is the place of what drives the system
        may_rest   whether that may lie still, to the last digit
        """
        now, nought = tuple(value.tolist()), is_force and not value.any()
        if now != self.value:
            if self.value and not self.stuck:
                self.same, self.changed = self.same + self.run, self.changed + 1
            self.value, self.run, self.stuck = now, 0, False
            self.low = self.high = tuple(expected.tolist())
        else:
            self.run += 1
            self.low, self.high = (tuple(f(kept, expected).tolist()) for f, kept in
                                   ((np.minimum, self.low), (np.maximum, self.high)))  # fmt: skip
        if self.run or nought:
            unlikely = self._unlikely(noise, deviation, is_drive, may_rest)
            self.stuck = self.stuck or unlikely or (nought and deviation > GATE)
        return self.stuck

    def _unlikely(self, noise: np.ndarray, deviation: float, is_drive: bool, may_rest: bool) -> bool:
        known = self.same + self.changed
        often = (self.same + 1.0) / (known + 2.0)
        evidence = self.run * np.log(often) - min(0.5 * deviation**2, FARTHEST)
        no_chance = (self.changed if is_drive else known) >= ENOUGH and bool(evidence < np.log(CHANCE))
        moved = bool((np.subtract(self.high, self.low) > MOVED * noise).any())
        if is_drive:
            return no_chance and (moved or not may_rest)
        return no_chance or (self.run >= TOLD and moved)

    @property
    def words(self) -> str:
        """What is wrong with it; nothing where all is well."""
        if not self.stuck:
            return ""
        if not any(self.value):
            return "says exactly 0, which it should not: it is taken for dead, and not listened to"
        return f"has said the same {self.run + 1} times: it is taken for dead, and not listened to"
