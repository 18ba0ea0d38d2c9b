"""The decks, how the ends are moved that a host would hold, and where tension is looked at.

Each motion is faded in over its first period and is judged over the last two of six, when what the start had left is
gone: MoorDyn begins from its own search for rest, which ends before it is reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairlead.algebra.fade import fade

PERIODS, JUDGED = 6, 2
"""How many are run, and how many of them, the last ones, are compared."""
SAMPLE = 0.1
"""s between the tensions that are compared."""
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Case:
    """A deck by its name, amplitudes of its coupled points by their numbers, m, and the period of their sine, s.

    channels: what is compared, by MoorDyn's names: tensions of a line's end segments at A (AnchTen) and B (FairTen).
    """

    name: str
    amplitudes: Mapping[int, Vector]
    period: float
    channels: tuple[str, ...]

    @property
    def path(self) -> Path:
        return Path(__file__).with_name(f"{self.name}.txt")

    @property
    def duration(self) -> float:
        return PERIODS * self.period

    @property
    def times(self) -> np.ndarray:
        """Of the samples, s, from the start on."""
        return np.arange(round(self.duration / SAMPLE) + 1) * SAMPLE

    @property
    def judged(self) -> np.ndarray:
        """Which of them are compared."""
        return self.times >= (PERIODS - JUDGED) * self.period - 1e-9

    def offset(self, t: float) -> float:
        """Share of the amplitudes at a time."""
        return float(fade.py_func(t / self.period)[0] * np.sin(2.0 * np.pi * t / self.period))


def _ends(*lines: int) -> tuple[str, ...]:
    return tuple(f"{end}Ten{line}" for line in lines for end in ("Anch", "Fair"))


CASES = (
    Case("spar", dict.fromkeys((4, 5, 6), (4.0, 0.0, 1.0)), 12.0, _ends(1, 2)),
    Case("semisubmersible", dict.fromkeys((4, 5, 6), (4.0, 0.0, 1.5)), 12.0, _ends(1, 2)),
    Case("wave_energy", dict.fromkeys((7, 8, 9), (1.5, 0.0, 1.0)), 8.0, _ends(1, 2, 4, 5)),
    Case(
        "farm",
        {**dict.fromkeys((6, 7, 8), (3.0, 0.0, 0.0)), **dict.fromkeys((9, 10, 11), (-2.0, 1.5, 0.0))},
        12.0,
        _ends(1, 2, 4, 6),
    ),
    Case("riser", {2: (2.0, 0.0, 1.5)}, 10.0, _ends(1)),
    Case("umbilical", {2: (2.0, 0.0, 2.5)}, 10.0, ("AnchTen1", "FairTen3")),
)
