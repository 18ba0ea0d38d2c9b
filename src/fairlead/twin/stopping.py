"""Winches that run when a forecast is made: nobody has told when they stop, so members stop each at a time of its own.

What has run for a time a, and of which no more is known, runs on for longer than τ with the probability a / (a + τ):
the whole run W has a prior 1/W, which has no time scale, and the present is any moment of it. Every (a / (a + τ))^k is
without a scale; k = 1 follows from these two. No more than two minutes of a run are known, so a is no longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from fairlead.model import System

from .courses import LENGTH, Course, Straight, input_of
from .tracks import Track

SLOW = 0.01
"""Rate below which a winch stands, m/s."""
LEAST = 1.0
"""Time for which one that runs has run at least, s."""


@dataclass(frozen=True)
class Stopping:
    """How far members are off the course that they have in common, from when the winch of each has stopped."""

    winch: str
    """Input that stops: the rate of a winch."""
    rate: np.ndarray
    """What of the rate of the course ends then, (axis,)."""
    stops: np.ndarray
    """When, s (member,)."""
    of_place: bool
    """Whether the course is of a place; of the rate itself otherwise."""

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """That and how fast it changes at a time [s], (member, axis) each."""
        passed = np.maximum(t - self.stops, 0.0)[:, None]
        ended = np.where(passed > 0.0, -self.rate, 0.0)
        return (-passed * self.rate, ended) if self.of_place else (ended, np.zeros_like(ended))

    def thinned(self, members: int) -> Stopping:
        """Of the first so many."""
        return replace(self, stops=self.stops[:members])


def stopping(
    tracks: Mapping[str, Track], courses: Mapping[str, Course], points: Mapping[str, tuple[np.ndarray, np.ndarray]],
    system: System, now: float, members: int, key: list[int],
) -> dict[str, Stopping]:  # fmt: skip
    """What stops in a forecast from now [s] on, by input: winches that run, and of the rates of driven points, seen
    from the drum, what the line that runs out to them lets them go.

    courses  what inputs are taken to do
    points   where each is and how fast it moves
    key      what draws follow from
    """
    later = np.random.default_rng(key).permutation((np.arange(members) + 0.5) / members)
    found: dict[str, Stopping] = {}
    pulled: dict[str, tuple[float, Stopping, np.ndarray, np.ndarray]] = {}
    for name, track in tracks.items():
        course = courses.get(input_of(name))
        if not name.endswith(LENGTH) or not isinstance(course, Straight) or abs(course.value[0]) < SLOW:
            continue
        then, cable = track.at(now), system.cables[name.removesuffix(LENGTH)]
        assert then is not None
        ran = max(LEAST, float((then[0][0] - track.fixes[0][1][0]) / course.value[0]))
        one = Stopping(input_of(name), course.value, now + ran * (1.0 / later - 1.0), False)
        found[one.winch] = one
        assert cable.winch is not None
        drum, end = cable.start.point, cable.end.point
        if cable.winch.end == "end":
            drum, end = end, drum
        if drum not in points or end not in points:
            continue
        (here, speed), there = points[drum], points[end][0]
        led = courses[f"{drum}.position"](now) if f"{drum}.position" in courses else None
        speed = speed if led is None else led[1]
        ends = [{other.start.point, other.end.point} for other in system.cables.values()]
        joined = set().union(*(both for both in ends if end in both))
        for point, moved in courses.items():
            driven = point.removesuffix(".position")
            if driven not in points or driven == drum or not isinstance(moved, Straight):
                continue
            far, near = (float(np.linalg.norm(points[driven][0] - place)) for place in (there, here))
            if (far < near or driven in joined) and far < pulled.get(point, (np.inf,))[0]:
                pulled[point] = far, one, (there - here) / np.linalg.norm(there - here), speed
    for point, (_, one, way, speed) in pulled.items():
        moved = courses[point]
        assert isinstance(moved, Straight)
        low, high = sorted((0.0, float(one.rate[0])))
        found[point] = replace(one, rate=float(np.clip((moved.rate - speed) @ way, low, high)) * way, of_place=True)
    return found
