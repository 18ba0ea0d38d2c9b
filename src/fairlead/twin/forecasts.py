"""Looking ahead: the members go on along the plan; how far off past forecasts were tells how far this one may be."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.ensembles.fleet import Fleet

from .check import Plan, checked_plan
from .courses import Course, of_plan
from .driving import Driver
from .estimate import Forecast
from .quantities import Watched, positive_of
from .unknowns import Unknowns

TICK = 1.0
"""Time between commands in a forecast, s."""
WANDERING = 10.0
"""Time between changes of the parameters in a forecast, s."""
FORGOTTEN = 0.9
"""What is left of the weight of a past forecast when the next is held against what came."""


@dataclass
class Ahead:
    """Members that run ahead of the twin, a second at a time; it is left as it is."""

    fleet: Fleet
    theta: np.ndarray
    unknowns: Unknowns
    watched: Mapping[str, Watched]
    courses: dict[str, Course]
    driver: Driver
    key: list[int]
    """What draws follow from."""
    walk: float
    doubt: float
    bias: np.ndarray
    """Share by which forces may be off for biases of sensors, and distance by which places may be for what drives them,
    m; (2, name of `watched`)."""
    step: float
    """Between the points of the forecast, s."""
    points: int
    live: bool = True
    issued: float = 0.0
    wandered: float = 0.0
    """When parameters changed last, s."""
    done: int = 0
    """Commands given so far."""
    rows: list[np.ndarray] = field(default_factory=list)
    """What is watched, (member, name), point by point."""

    @property
    def commands(self) -> int:
        """Between two points."""
        return max(1, round(self.step / TICK))

    @property
    def length(self) -> int:
        """Of the whole, in commands."""
        return self.points * self.commands

    def thin(self, members: int) -> None:
        """Go on with the first so many members."""
        self.fleet, self.theta = self.fleet.copy(members), self.theta[:members]
        self.rows = [row[:members] for row in self.rows]
        self.driver.thin(members)

    def go_on(self, done: int) -> None:
        """Until so many commands have been given, or all."""
        while self.done < min(done, self.length):
            self._command()

    def _command(self) -> None:
        fleet, k, i = self.fleet, *divmod(self.done, self.commands)
        passed = self.step / self.commands
        t = self.issued + self.step * k + passed * (i + 1)
        last = i == self.commands - 1
        values, speeds = self.driver.to(t, passed, self.courses)
        fleet.step(passed, {**values, **self.unknowns.inputs(self.theta)}, speeds=speeds, look=last)
        if t - self.wandered >= WANDERING - 1e-9 and self.walk > 0.0 and self.unknowns.numbers:
            self.theta = self.unknowns.wandered(self.theta, t - self.wandered, [*self.key, k, i], self.walk)
            self.wandered = t
            fleet.set_parameters(self.unknowns.paths(self.theta))
        self.done += 1
        if last:
            self.rows.append(np.stack([one.of(fleet.rows) for one in self.watched.values()], axis=-1))

    def forecast(self, errors: PastErrors) -> Forecast:
        """What came of it; bands are as wide as past forecasts were off."""
        times = self.issued + self.step * np.arange(1, self.points + 1)
        values = np.array(self.rows).transpose(1, 0, 2)
        well = np.flatnonzero(self.fleet.status == 0)
        values = values[well] if len(well) > 1 else values
        share, held = self.bias
        off = np.hypot(errors.at(times - self.issued), np.hypot(share * np.abs(np.nanmean(values, axis=0)), held))
        units = tuple(one.unit for one in self.watched.values())
        positive = positive_of(self.watched)
        return Forecast(self.issued, times, tuple(self.watched), units, values, off, self.doubt, self.live, positive)


class Fork:
    """A what-if: the twin as it is now, going its own way. Nothing of it reaches the twin."""

    def __init__(self, ahead: Ahead, errors: PastErrors, speed_limit: Mapping[str, float]) -> None:
        self._ahead, self._errors, self._limit = ahead, errors, speed_limit
        self.plans: dict[str, Plan] = {}

    def plan(self, name: str, course: tuple[Any, Any]) -> Fork:
        """What an input is to do: (times, values), smooth through these; times on the twin's clock [s]."""
        inputs = self._ahead.fleet.compiled.inputs
        if name not in inputs:
            from fairlead.model.problems import suggestion

            raise ValueError(f"there is no input '{name}'; {suggestion(name, inputs)}")
        self.plans[name] = checked_plan(name, *course, self._limit.get(name, np.inf))
        self._ahead.courses[name] = of_plan(*self.plans[name])
        stops = self._ahead.driver.stops
        self._ahead.driver.stops = {n: one for n, one in stops.items() if name not in (n, one.winch)}
        return self

    def set_parameters(self, values: Mapping[str, Any]) -> Fork:
        """Properties that are other than they are, for all members; see `Simulation.set_parameters`."""
        self._ahead.fleet.set_parameters(values)
        return self

    def run(self, seconds: float) -> Forecast:
        """What comes of it, so far ahead [s]; marked as not live."""
        ahead = self._ahead
        ahead.points = len(ahead.rows) + max(1, round(seconds / ahead.step))
        ahead.go_on(ahead.length)
        return ahead.forecast(self._errors)


class PastErrors:
    """How far off forecasts were, by how far ahead they looked.

    Kept are mean squares of (what a forecast's mean said) − (what the estimate's mean was then), by lead and number,
    older ones forgotten slowly. Where no forecast has reached a lead yet, the error is taken to grow on in proportion,
    but not beyond what two moments of the number itself, however far apart, differ by if it sways (`apart`).
    """

    def __init__(self, names: tuple[str, ...], step: float, horizon: float) -> None:
        self.names, self.step = names, step
        self.leads = max(1, round(horizon / step))
        self.squares = np.zeros((self.leads, len(names)))
        self.weights = np.zeros(self.leads)
        self.moments = np.zeros((4, len(names)))
        """Sums of weights, of the numbers themselves and their squares about the first, of squared changes."""
        self.seen = np.zeros((0, len(names)))
        """The numbers at first and last."""
        self.open: deque[tuple[float, list[np.ndarray]]] = deque()
        """Forecasts that time has not gone past: when issued, and their means (name,) as far as they have come."""

    def issue(self, time: float) -> list[np.ndarray]:
        """Of a forecast that begins at a time [s]: where its means go."""
        self.open.append((time, []))
        return self.open[-1][1]

    def compare(self, time: float, now: np.ndarray) -> None:
        """What is estimated at a time [s], (name,), against what was forecast for it."""
        first, last = self.seen if len(self.seen) else (now, now)
        about = now - first
        self.moments = FORGOTTEN * self.moments + np.stack([np.ones_like(now), about, about**2, (now - last) ** 2])
        self.seen = np.stack([first, now])
        for issued, means in self.open:
            lead = (time - issued) / self.step
            k = round(lead) - 1
            if 0 <= k < len(means) and abs(lead - k - 1) < 1e-3:
                self.squares[k] = FORGOTTEN * self.squares[k] + (means[k] - now) ** 2
                self.weights[k] = FORGOTTEN * self.weights[k] + 1.0
        while self.open and self.open[0][0] + self.leads * self.step < time - 0.5 * self.step:
            self.open.popleft()

    def at(self, leads: np.ndarray) -> np.ndarray:
        """Root mean squares (lead, name) so far ahead [s]."""
        known = np.flatnonzero(self.weights > 0.0)
        if not len(known):
            return np.zeros((len(leads), len(self.names)))
        root = np.sqrt(self.squares[known] / self.weights[known, None])
        root = np.maximum.accumulate(root, axis=0)
        at = (known + 1) * self.step
        found = np.array([np.interp(leads, at, root[:, k]) for k in range(root.shape[1])]).T
        grown = found * np.maximum(leads / at[-1], 1.0)[:, None]
        return np.asarray(np.maximum(found, np.minimum(grown, self.apart)))

    @property
    def apart(self) -> np.ndarray:
        """Root mean square of the difference of two moments far apart, (name,): √2 σ of what sways, and without bound
        of what drifts. These are told apart by von Neumann's ratio of the mean square change from one time to the next
        to 2σ²: 1 and more of what sways fast, near 0 of what drifts slowly."""
        _, mean, square, change = self.moments / np.maximum(self.moments[0], 1e-12)
        twice = 2.0 * np.maximum(square - mean**2, 0.0)
        bound: np.ndarray = np.sqrt(twice) * np.maximum(1.0, twice / np.maximum(change, 1e-300))
        return bound
