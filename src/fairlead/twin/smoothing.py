"""How noisy fixes are, and over how many of them a course is told best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

TOLD = 6
"""Fixes from which on their noise can be told."""
RECENT = 60
"""Fixes by which it is told."""
ROUNDING = 1e-6
"""Steps between fixes that are none, m."""
STEPS, EVEN = 3, 0.05
"""Steps that tell the last digit of a counter; and by how much each may be off a whole number of the least of them, as
a share of that."""
LEAST = 0.01
"""Noise below which fixes are gone through, m."""
HALVES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 30.0)
"""Half of each window that is tried, s."""
WAYS = ((0.0, 2), *((half, degree) for half in HALVES for degree in (4, 2, 1)))
"""These with the degree of what goes through the fixes in them; the first is none."""
KEPT = 0.95
"""What is left of the weight of earlier errors when the next fix is held against what was expected of it."""
ENOUGH = 6.0
"""Weight of errors from which on they are believed."""
BETTER = 0.9
"""Share of the present window's mean square error below which another is taken."""


def noise_of(times: np.ndarray, values: np.ndarray) -> float:
    """Standard deviation of fixes (number, axis) about any smooth course, of the worst axis: from fourth differences,
    in which every cubic is gone, each divided by what unit noise would make of it; 0 of too few."""
    times, values = times[-RECENT:], values[-RECENT:]
    if len(times) < TOLD:
        return 0.0
    x = np.lib.stride_tricks.sliding_window_view(times, 5)
    weights = 1.0 / np.prod(x[:, :, None] - x[:, None, :] + np.eye(5), axis=2)
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    five = np.lib.stride_tricks.sliding_window_view(values, 5, axis=0)
    found = np.abs(np.einsum("kj,kaj->ka", weights, five))
    return float(np.max(np.median(found, axis=0)) / 0.6745)


def rounding_of(values: np.ndarray) -> float:
    """Standard deviation of what a coarse last digit leaves of fixes (number, axis), of the worst axis: of a step up or
    down between two repeats 1/√12. Fourth differences do not show it, since most of them are 0. Of an axis that does
    not stand between its steps 0, and of one that has few or uneven ones: it was moved, or typed anew."""
    steps = np.abs(np.diff(values, axis=0))
    if len(steps) < STEPS:
        return 0.0
    alone = (steps[1:-1] > ROUNDING) & (steps[:-2] <= ROUNDING) & (steps[2:] <= ROUNDING)
    digits = [0.0]
    for taken, all_steps in zip(alone.T, steps[1:-1].T, strict=True):
        told = all_steps[taken]
        if len(told) >= STEPS:
            turns = told / told.min()
            digits.append(float(told.min()) if np.abs(turns - np.round(turns)).max() < EVEN else 0.0)
    return float(max(digits) / 12.0**0.5)


@dataclass
class Windows:
    """Lines, parabolas and quartics through windows of several lengths, each judged by how far off it was in telling
    the next fix: a short one follows noise, a long one smooths turns and waves away, the least so a quartic. The first
    is none: fixes are gone through; the last, a line through all that count, is taken as long as nothing is known."""

    errors: list[float] = field(default_factory=lambda: [0.0] * len(WAYS))
    """Sums of squares, m², older ones with less weight."""
    weight: float = 0.0
    """Of all."""
    chosen: int = -1

    @property
    def way(self) -> tuple[float, int]:
        """What tells best: half of a window [s], and a degree."""
        return WAYS[self.chosen]

    def judge(self, expected: Callable[[float, int], np.ndarray], value: np.ndarray) -> None:
        """Hold a fix against what each expected of it (`expected` of half a window and a degree)."""
        off = [float(np.sum((expected(*way) - value) ** 2)) for way in WAYS]
        self.errors = [KEPT * kept + new for kept, new in zip(self.errors, off, strict=True)]
        self.weight = KEPT * self.weight + 1.0
        best = int(np.argmin(self.errors))
        if self.weight > ENOUGH and self.errors[best] < BETTER * self.errors[self.chosen]:
            self.chosen = best
