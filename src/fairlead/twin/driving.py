"""How inputs are moved from one tick to the next along their courses."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from fairlead.model import System

from .courses import Course
from .scatter import Scatter
from .stopping import Stopping
from .tracks import ROUGHEST

RETURN = 4.0
"""Least time constant with which a command comes back to its course after a jump of it, s."""
RETURN_SPEED = 1.0
"""How fast it comes back at most, m/s: a twin that was deaf for a while must not be torn after its ship."""
ASTRAY = 10.0
"""Distance of a command from its course above which what members predict is of another place, m."""


def lags(system: System) -> dict[str, float]:
    """By how much a point or body stays behind its command, s: √2/cut-off of its filter."""
    found = {}
    for name, thing in (*system.points.items(), *system.bodies.items()):
        cutoff = getattr(thing, "cutoff", None)
        if cutoff:
            found[f"{name}.position"] = float(np.sqrt(2.0) / cutoff)
    return found


class Driver:
    """The commands of all driven inputs, with what they had at the last tick."""

    def __init__(self, lag: Mapping[str, float]) -> None:
        self.lag = dict(lag)
        self.before: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.away: dict[str, Away] = {}
        """How far commands are from courses that jumped, or began elsewhere."""
        self.course: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        """Place and speed of the courses themselves at the last tick."""
        self.gentle: frozenset[str] = frozenset()
        """Inputs whose course is told anew with every fix, since it is smoothed: they go over to it gently."""
        self.scatter: dict[str, Scatter] = {}
        """Inputs of which every member has its own, since none is told."""
        self.stops: dict[str, Stopping] = {}
        """Inputs that stop in a forecast, in every member at another time."""

    def astray(self, t: float) -> list[str]:
        """Inputs whose command is still far from where their fixes are."""
        return [name for name, away in self.away.items() if np.linalg.norm(away.at(t)[0]) > ASTRAY]

    def copy(self) -> Driver:
        other = Driver(self.lag)
        other.before, other.away, other.course = dict(self.before), dict(self.away), dict(self.course)
        other.scatter, other.stops = dict(self.scatter), dict(self.stops)
        return other

    def thin(self, members: int) -> None:
        """Go on with the first so many members."""
        self.scatter = {name: one.thinned(members) for name, one in self.scatter.items()}
        self.stops = {name: one.thinned(members) for name, one in self.stops.items()}
        for name, (value, rate) in self.before.items():
            if rate.ndim > 1:
                self.before[name] = (value[:members], rate[:members])

    def gather(self, t: float) -> None:
        """From a time [s] on members go back to the course that they have in common."""
        self.scatter = {name: one.ending(t) for name, one in self.scatter.items() if not one.is_over(t)}

    def to(
        self,
        t: float,
        ago: float,
        courses: Mapping[str, Course],
        here: Callable[[str], tuple[np.ndarray, np.ndarray] | None] = lambda _: None,
    ) -> tuple[dict[str, np.ndarray], dict[str, tuple[np.ndarray, np.ndarray]]]:
        """Values at a time t [s] and rates then and `ago` [s] before, by input; of those of which members have their
        own, for each member.

        here  place and speed of a point as they were then, where it is to begin
        """
        values, speeds = {}, {}
        for name, course in courses.items():
            found = course(t)
            if found is None:
                continue
            place, rate = found
            if name not in self.before:
                start, then = here(name), course(t - ago) or found
                self.before[name] = found if start is None else start
                if start is not None and name in self.lag:
                    self.away[name] = Away.of(t - ago, start[0] - then[0], start[1] - then[1])
            if name in self.lag:
                place, rate = self._smoothly(name, t, ago, courses[name], place, rate)
            for own in (self.scatter, self.stops):
                if name in own:
                    off, speed = own[name].at(t)
                    place, rate = place + off, rate + speed
            values[name] = place + self.lag.get(name, 0.0) * rate
            speeds[name] = (self.before[name][1], rate)
            self.before[name] = (values[name], rate)
        return values, speeds

    def _smoothly(
        self, name: str, t: float, ago: float, course: Course, place: np.ndarray, rate: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The command for a course: on it, or on the way back to it without a jerk where it jumped."""
        last, away = self.course.get(name), self.away.get(name)
        self.course[name] = (place, rate)
        then = course(t - ago) if name in self.gentle else None
        if last is not None and then is not None:
            off, speed = (np.zeros_like(place),) * 2 if away is None else away.at(t - ago)
            away = self.away[name] = Away.of(t - ago, off + last[0] - then[0], speed + last[1] - then[1])
        elif last is not None:
            jump, change = last[0] + 0.5 * ago * (last[1] + rate) - place, last[1] - rate
            jumped = np.linalg.norm(jump) > 0.5 + 0.5 * ROUGHEST * ago**2
            if jumped or np.linalg.norm(change) > 0.5 + ROUGHEST * ago:
                off, speed = (np.zeros_like(place),) * 2 if away is None else away.at(t)
                away = self.away[name] = Away.of(t, off + last[0] + ago * last[1] - place, speed + change)
        if away is None:
            return place, rate
        off, speed = away.at(t)
        if away.is_over(t):
            del self.away[name]
        return place + off, rate + speed


@dataclass(frozen=True)
class Away:
    """On the way back to a course: off it by (a + b τ) exp(−τ/T), critically damped, with place and speed given at the
    start τ = 0."""

    begun: float
    off: np.ndarray
    drift: np.ndarray
    """b, m/s."""
    time: float
    """T, s."""

    @classmethod
    def of(cls, begun: float, off: np.ndarray, speed: np.ndarray) -> Away:
        time = max(RETURN, float(np.linalg.norm(off)) / (math.e * RETURN_SPEED))
        return cls(begun, off, speed + off / time, time)

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """How far off it is and how fast that changes."""
        passed = t - self.begun
        fade, line = float(np.exp(-passed / self.time)), self.off + passed * self.drift
        return fade * line, fade * (self.drift - line / self.time)

    def is_over(self, t: float) -> bool:
        return t - self.begun > 20.0 * self.time
