"""What an input does: along what was measured, as it went on, or along a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .tracks import Track, cubic

Course = Callable[[float], tuple[np.ndarray, np.ndarray] | None]
"""Value and rate of an input at a time [s]; None while it follows the file."""
LENGTH, RATE = ".winch.length", ".winch.rate"
CATCHING_UP = 5.0
"""Time in which the line off a winch comes to the length that is measured, s."""


def input_of(name: str) -> str:
    """The input that a drive moves: a measured length of line is kept up with by the rate of its winch."""
    return name.removesuffix(LENGTH) + RATE if name.endswith(LENGTH) else name


def of_length(track: Track, now: float, length: Callable[[], float]) -> Course:
    """The rate of a winch whose line is to be as long as a track says; `length`: how long it is now [m], at `now` [s],
    and so held against what the track says of that time."""

    def at(t: float) -> tuple[np.ndarray, np.ndarray] | None:
        then, found = track.at(now), track.at(t)
        if then is None or found is None:
            return None
        return found[1] + (then[0] - length()) / CATCHING_UP, np.zeros(1)

    return at


@dataclass(frozen=True)
class Straight:
    """A course that goes on at the same rate."""

    value: np.ndarray
    rate: np.ndarray
    since: float

    def __call__(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        return self.value + (t - self.since) * self.rate, self.rate


def going_on(track: Track, is_length: bool, now: float) -> Straight | None:
    """What an input does ahead of a time [s] by its fixes, if it goes on as it does: a winch, whose length they tell,
    at its speed. None before the first fix."""
    found = track.trend(now)
    if found is None:
        return None
    return Straight(found[1], np.zeros_like(found[1]), now) if is_length else Straight(*found, now)


def of_plan(times: np.ndarray, values: np.ndarray) -> Course:
    """Along a plan: smooth through its rows, held beyond its ends."""
    if len(times) == 1:
        return lambda t: (values[0], np.zeros(values.shape[1]))
    slopes = np.gradient(values, times, axis=0)

    def at(t: float) -> tuple[np.ndarray, np.ndarray]:
        k = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2))
        span = times[k + 1] - times[k]
        s = float(np.clip((t - times[k]) / span, 0.0, 1.0))
        place, rate = cubic(s, span, values[k], values[k + 1], slopes[k], slopes[k + 1])
        return place, rate if times[0] <= t <= times[-1] else np.zeros_like(rate)

    return at
