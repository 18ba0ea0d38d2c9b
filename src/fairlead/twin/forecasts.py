"""Looking ahead: the members go on along the plan; how far off past forecasts were tells how far this one may be."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.ensembles.fleet import Fleet

from .check import Plan, checked_plan
from .driving import Course, Driver, of_plan
from .estimate import Forecast
from .quantities import Watched
from .unknowns import Unknowns

TICK = 1.0
"""Time between commands in a forecast, s."""
WANDERING = 10.0
"""Time between changes of the parameters in a forecast, s."""
FORGOTTEN = 0.9
"""What is left of the weight of a past forecast when the next is held against what came."""


@dataclass
class Ahead:
    """Members that run ahead of the twin; it is left as it is."""

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
    errors: PastErrors
    bias: np.ndarray
    """Share by which forces may be off for biases of sensors, by name of `watched`."""
    step: float
    live: bool = True

    def run(self, seconds: float) -> Forecast:
        """So far ahead [s]."""
        issued, fleet = self.fleet.time, self.fleet
        count = max(1, round(seconds / self.step))
        times, rows = issued + self.step * np.arange(1, count + 1), []
        ticks = max(1, round(self.step / TICK))
        wandered = issued
        for k, end in enumerate(times):
            for i in range(ticks):
                t = end - self.step * (1.0 - (i + 1) / ticks)
                values, speeds = self.driver.to(t, t - fleet.time, self.courses)
                fleet.step(t - fleet.time, {**values, **self.unknowns.inputs(self.theta)}, speeds=speeds,
                           look=i == ticks - 1)  # fmt: skip
                if t - wandered >= WANDERING - 1e-9 and self.walk > 0.0 and self.unknowns.numbers:
                    self.theta = self.unknowns.wandered(self.theta, t - wandered, [*self.key, k, i], self.walk)
                    wandered = t
                    fleet.set_parameters(self.unknowns.paths(self.theta))
            rows.append(np.stack([one.of(fleet.rows) for one in self.watched.values()], axis=-1))
        values_ = np.array(rows).transpose(1, 0, 2)
        well = np.flatnonzero(fleet.status == 0)
        values_ = values_[well] if len(well) > 1 else values_
        names = tuple(self.watched)
        errors = np.hypot(self.errors.at(times - issued, names), self.bias * np.abs(np.nanmean(values_, axis=0)))
        return Forecast(issued, times, names, tuple(w.unit for w in self.watched.values()), values_, errors, self.doubt,
                        self.live)  # fmt: skip


class Fork:
    """A what-if: the twin as it is now, going its own way. Nothing of it reaches the twin."""

    def __init__(self, ahead: Ahead, speed_limit: Mapping[str, float]) -> None:
        self._ahead, self._limit = ahead, speed_limit
        self.plans: dict[str, Plan] = {}

    def plan(self, name: str, course: tuple[Any, Any]) -> Fork:
        """What an input is to do: (times, values), smooth through these; times on the twin's clock [s]."""
        inputs = self._ahead.fleet.compiled.inputs
        if name not in inputs:
            from fairlead.model.problems import suggestion

            raise ValueError(f"there is no input '{name}'; {suggestion(name, inputs)}")
        self.plans[name] = checked_plan(name, *course, self._limit.get(name, np.inf))
        self._ahead.courses[name] = of_plan(*self.plans[name])
        return self

    def set_parameters(self, values: Mapping[str, Any]) -> Fork:
        """Properties that are other than they are, for all members; see `Simulation.set_parameters`."""
        self._ahead.fleet.set_parameters(values)
        return self

    def run(self, seconds: float) -> Forecast:
        """What comes of it, so far ahead [s]; marked as not live."""
        return self._ahead.run(seconds)


class PastErrors:
    """How far off forecasts were, by how far ahead they looked.

    Kept are mean squares of (what a forecast's mean said) − (what the estimate's mean was then), by lead and number,
    older ones forgotten slowly. Where no forecast has reached a lead yet, the error is taken to grow on in proportion.
    """

    def __init__(self, names: tuple[str, ...], step: float, horizon: float) -> None:
        self.names, self.step = names, step
        self.leads = max(1, round(horizon / step))
        self.squares = np.zeros((self.leads, len(names)))
        self.weights = np.zeros(self.leads)
        self.open: deque[tuple[float, np.ndarray]] = deque()
        """Forecasts under way: when issued, and their means (time, name)."""

    def issue(self, forecast: Forecast) -> None:
        self.open.append((forecast.issued, np.nanmean(forecast.values, axis=0)))

    def compare(self, time: float, now: np.ndarray) -> None:
        """What is estimated at a time [s], (name,), against what was forecast for it."""
        for issued, means in self.open:
            lead = (time - issued) / self.step
            k = round(lead) - 1
            if 0 <= k < len(means) and abs(lead - k - 1) < 1e-3:
                self.squares[k] = FORGOTTEN * self.squares[k] + (means[k] - now) ** 2
                self.weights[k] = FORGOTTEN * self.weights[k] + 1.0
        while self.open and self.open[0][0] + self.leads * self.step < time - 0.5 * self.step:
            self.open.popleft()

    def at(self, leads: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
        """Root mean squares (lead, name) so far ahead [s]."""
        known = np.flatnonzero(self.weights > 0.0)
        if not len(known):
            return np.zeros((len(leads), len(names)))
        root = np.sqrt(self.squares[known] / self.weights[known, None])
        root = np.maximum.accumulate(root, axis=0)
        at = (known + 1) * self.step
        found = np.array([np.interp(leads, at, root[:, k]) for k in range(root.shape[1])]).T
        beyond = np.maximum(leads / at[-1], 1.0)
        return np.asarray(found * beyond[:, None])
