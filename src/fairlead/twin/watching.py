"""Limits: how likely they are to be crossed, and when to warn, to warn more, and to be quiet again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from fairlead.model.units import UnitError, read_quantity
from fairlead.words import force, number

from .quantities import Watched, logarithms
from .sources import LimitChoice

if TYPE_CHECKING:
    from .estimate import Alarm, Forecast

_CONDITION = re.compile(r"\s*(\S+)\s*([<>])\s*(.+?)\s*")
LEVELS = ("clear", "amber", "red")


@dataclass(frozen=True)
class Limit:
    """A number, what it must not be, and from which probability on to warn."""

    name: str
    watched: Watched
    above: bool
    bound: float
    amber: float
    red: float
    clear_after: float

    def beyond(self, values: np.ndarray) -> np.ndarray:
        """Whether values are beyond it."""
        return np.asarray(values > self.bound if self.above else values < self.bound)

    def chance(self, mean: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """Probability to be beyond it, of what is normally distributed or, of what is positive, its logarithm."""
        bound = self.bound
        if self.watched.positive and bound > 0.0:
            mean, spread, bound = *logarithms(mean, spread), np.log(bound)
        way = (mean - bound) / np.maximum(spread, 1e-12 * (1.0 + np.abs(mean) + abs(bound)))
        return np.asarray(ndtr(way if self.above else -way))

    def ahead(self, forecast: Forecast) -> tuple[float, float]:
        """Probability that it is crossed in a forecast, and after how long it is more likely than not [s]."""
        name = self.watched.name
        each = self.chance(forecast.mean(name), forecast.spread(name))
        any_time = float(self.beyond(forecast.of(name)).any(axis=1).mean())
        likely = np.flatnonzero(each >= 0.5)
        when = float(forecast.times[likely[0]] - forecast.issued) if len(likely) else np.inf
        return max(any_time, float(each.max(initial=0.0))), when


def limits_of(choice: LimitChoice, watched: Watched) -> list[Limit]:
    """One for `above`, one for `below`; raises `UnitError`."""
    found = []
    for above, given in ((True, choice.above), (False, choice.below)):
        if given is None:
            continue
        bound = read_quantity(str(given), watched.unit or "1")
        words = f"{choice.kind.replace('_', ' ')} of {' and '.join(choice.of)} {'above' if above else 'below'} {given}"
        found.append(Limit(choice.name or words, watched, above, bound, choice.amber, choice.red, choice.clear_after))
    return found


class Warning:
    """The state of one limit over time."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.level, self.since, self.acknowledged = 0, 0.0, False
        self.quiet_since: float | None = None

    def look(self, time: float, mean: float, spread: float, forecast: Forecast | None) -> None:
        """Bring it to a time [s]: up at once; down when it has been below half of what raised it for a while."""
        limit = self.limit
        crossed = bool(limit.beyond(np.array(mean)))
        self.probability = float(limit.chance(np.array(mean), np.array(spread)))
        self.when = 0.0 if crossed else np.inf
        if forecast is not None:
            chance, when = limit.ahead(forecast)
            self.probability = max(self.probability, chance)
            self.when = 0.0 if crossed else max(0.0, forecast.issued + when - time)
        wanted = 2 if crossed or self.probability >= limit.red else 1 if self.probability >= limit.amber else 0
        if wanted > self.level:
            self._set(wanted, time)
            self.acknowledged = False
        elif wanted < self.level:
            keeps = (limit.amber, limit.red)[self.level - 1]
            quiet = not crossed and self.probability < 0.5 * keeps
            self.quiet_since = (time if self.quiet_since is None else self.quiet_since) if quiet else None
            if self.quiet_since is not None and time - self.quiet_since >= limit.clear_after:
                self._set(wanted, time)
        else:
            self.quiet_since = None
        self.value = mean

    def _set(self, level: int, time: float) -> None:
        self.level, self.since, self.quiet_since = level, time, None

    value, probability, when = np.nan, 0.0, np.inf

    @property
    def alarm(self) -> Alarm:
        from .estimate import Alarm

        limit = self.limit
        found = Alarm(limit.name, "clear", self.since, self.value, limit.bound, limit.watched.unit, self.probability,
                      self.when, self.acknowledged)  # fmt: skip
        return replace(found, level=LEVELS[self.level])  # type: ignore[arg-type]


def probability(forecast: Forecast, condition: str) -> float:
    """That `tow.tension > 5 kN` holds at some time of a forecast."""
    found = _CONDITION.fullmatch(condition)
    if found is None:
        raise ValueError(f"cannot read the condition {condition!r}; write 'tow.tension > 5 kN'")
    name, sign, value = found.groups()
    forecast.of(name)  # says which names there are, where this is none
    unit = forecast.units[forecast.names.index(name)]
    try:
        bound = read_quantity(value, unit)
    except UnitError as error:
        raise ValueError(f"{condition!r}: {error}; {error.hint}") from None
    watched = Watched(name, unit, lambda rows: rows, name in forecast.positive)
    return Limit(condition, watched, sign == ">", bound, 0.2, 0.5, 30.0).ahead(forecast)[0]


def shown(value: float, unit: str) -> str:
    """A value as people write it."""
    return force(value) if unit == "N" else f"{number(value)} {unit}".strip()
