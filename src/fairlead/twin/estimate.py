"""What a twin says: the estimate of now, how well it is, what comes next, and what to warn of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from fairlead.results import ObservationShape
from fairlead.simulate import Outputs

NOT_SEEN = 0.7
"""Ratio of the standard deviations after and before all that was heard from which on a parameter is not observable."""
UNSEEN = "not seen by these sensors"
Level = Literal["clear", "amber", "red"]


@dataclass(frozen=True)
class ParameterEstimate:
    """One number that is estimated."""

    name: str
    """As `drag_normal`, or `current.u@-140`."""
    unit: str
    """Of the mean; `1` of a factor."""
    mean: float
    sd: float
    prior_sd: float
    """Before anything was heard, or after walking for a long time with nothing heard: whichever is less."""
    prior: float
    """The mean before anything was heard."""
    label: str = ""
    """In words: `current to the north at 140 m depth`."""
    noisy: float = 0.0
    """Noise of the fixes by which the way of an anchor is told, m, where that is too much to tell it; 0 where not."""

    @property
    def observable(self) -> bool:
        return self.sd <= NOT_SEEN * self.prior_sd

    @property
    def words(self) -> str:
        """`not seen by these sensors`, that fixes are too noisy to tell it, or nothing."""
        if self.noisy:
            return f"not to be relied on: fixes are noisy ({self.noisy:.2f} m), which shakes the line"
        return "" if self.observable else UNSEEN


@dataclass(frozen=True)
class SensorHealth:
    """What came of a sensor or of a drive."""

    name: str
    last: float
    """Stamp of the latest reading, s; -inf before the first."""
    age: float
    """s; infinite before the first."""
    silent: bool
    accepted: int = 0
    late: int = 0
    implausible: int = 0
    doubted: int = 0
    """Readings that were given less weight, since they were far from what was expected."""
    deviation: float = 0.0
    """Of the latest reading that was compared, in standard deviations of what was expected (root mean square)."""
    fault: str = ""
    """What is wrong with it, in words, and whether it is not listened to for that; empty where nothing is."""


@dataclass(frozen=True)
class Health:
    """Whether the estimate can be relied on."""

    state: Literal["starting", "good", "uncertain", "inconsistent", "open loop"]
    reason: str
    """Why it is not good, in a sentence; empty where it is."""
    members: int
    lost: int
    """Members that could not go on and were replaced, since the start."""
    consistency: float
    """Mean square of the deviations of late, over what they should be: 1 is right, above 3 is too sure of itself."""
    updates: int
    sensors: dict[str, SensorHealth] = field(default_factory=dict)
    note: str = ""
    """What else is worth knowing, as `late: 20 of 30 members`."""


@dataclass(frozen=True)
class Alarm:
    """The state of a limit."""

    name: str
    """As `tension of tow above 5 kN`."""
    level: Level
    since: float
    """Time from which on it has this level, s."""
    value: float
    """Mean of the estimate now, in SI units."""
    limit: float
    unit: str
    probability: float
    """That it is crossed within the horizon; now, where there is no forecast."""
    ahead: float
    """When half of the members will have crossed it, s from now; infinite if never, 0 if now."""
    acknowledged: bool = False


@dataclass(frozen=True)
class Estimate:
    """The twin at a time.

    What it shows of tensions is from before the update, if there was one: mixing states shakes them for a moment.
    """

    time: float
    rows: np.ndarray
    """What every member shows, (member, number)."""
    shape: ObservationShape
    parameters: dict[str, ParameterEstimate]
    health: Health
    alarms: tuple[Alarm, ...] = ()
    updated: bool = False
    """Whether an update was made on the way to this time."""
    bias: np.ndarray | None = None
    """Standard deviation that constant errors of sensors add to every number of a row, (number,)."""

    @property
    def members(self) -> int:
        return len(self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """Every output that can be read of `mean`, `spread` and `quantile`."""
        return self.mean.names

    @cached_property
    def mean(self) -> Outputs:
        """Mean of the members."""
        return Outputs(self.time, self.rows.mean(axis=0), self.shape)

    @cached_property
    def spread(self) -> Outputs:
        """Standard deviation of the members, widened by what biases of sensors may do."""
        found = self.rows.std(axis=0, ddof=1) if self.members > 1 else np.zeros(self.rows.shape[1])
        return Outputs(self.time, found if self.bias is None else np.hypot(found, self.bias), self.shape)

    def quantile(self, p: float) -> Outputs:
        """Below which a share p of what is possible lies, by the mean and the spread."""
        from scipy.special import ndtri

        return Outputs(self.time, self.mean.row + float(ndtri(p)) * self.spread.row, self.shape)

    @property
    def observable(self) -> dict[str, bool]:
        """By parameter, whether the sensors tell of it."""
        return {name: parameter.observable for name, parameter in self.parameters.items()}


@dataclass(frozen=True)
class Forecast:
    """What comes next, as far as the twin knows, at some times.

    Bands are as wide as the members say and as the twin's own past forecasts were off, together.
    """

    issued: float
    """Time at which it was made, s."""
    times: np.ndarray
    """(time,), s."""
    names: tuple[str, ...]
    """What is watched: the limits' quantities, such as `tow.tension`, and sensors."""
    units: tuple[str, ...]
    values: np.ndarray
    """(member, time, name)."""
    errors: np.ndarray
    """(time, name): root mean square of past forecasts' errors so far ahead, with what biases of sensors may do."""
    doubt: float = 1.0
    """Factor on the members' variance: how much surer of itself than right the estimate was of late."""
    live: bool = True
    """False of a what-if."""
    positive: frozenset[str] = frozenset()
    """Names of what is positive, whose logarithm is what varies."""

    def of(self, name: str) -> np.ndarray:
        """What every member says of a name, (member, time)."""
        return np.asarray(self.values[:, :, self._index(name)])

    def mean(self, name: str) -> np.ndarray:
        """(time,)."""
        return np.asarray(self.of(name).mean(axis=0))

    def spread(self, name: str) -> np.ndarray:
        """Standard deviation with past errors, (time,)."""
        k = self._index(name)
        variance = self.values[:, :, k].var(axis=0, ddof=1) if len(self.values) > 1 else np.zeros(len(self.times))
        return np.asarray(np.sqrt(self.doubt * variance + self.errors[:, k] ** 2))

    def band(self, name: str, share: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest of the middle `share` of what is possible, (time,) each."""
        from .quantities import between

        return between(self.mean(name), self.spread(name), share, name in self.positive)

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"the forecast does not hold '{name}'; it has {', '.join(self.names)}")
        return self.names.index(name)

    def probability(self, condition: str) -> float:
        """That a condition such as `tow.tension > 5 kN` holds at some time of the forecast."""
        from .watching import probability

        return probability(self, condition)
