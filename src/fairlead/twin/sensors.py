"""Sensors: which numbers of an observation they measure, how well, and what came of them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.model.problems import suggestion
from fairlead.model.units import UnitError, read_quantity
from fairlead.results import NODE_COLUMNS, ObservationShape
from fairlead.results.observation import NODE_TENSION
from fairlead.simulate.outputs import channels

from .repeats import Repeats
from .sources import SensorChoice
from .stamps import Stamps

SILENT = -np.inf
COUNTED = ("accepted", "late", "implausible", "doubted")
TRUSTED, STRANGE, STRANGEST = 3.0, 12.0, 25.0
"""Strangeness below and above which a sensor is, and the most that one reading counts."""
FORCES = ("force_start", "force_end", "tension_effective", "tension_max")


class Misfit(ValueError):
    """What a sensor names is not there; `key` is where it says so."""

    def __init__(self, key: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.key, self.hint = key, hint


@dataclass(frozen=True)
class Accuracy:
    """A standard deviation: a share of the reading and a part that is always there."""

    share: float
    fixed: float

    @classmethod
    def read(cls, key: str, value: Any, unit: str) -> Accuracy:
        """Of `5 %`, `1 m` or a plain number in the unit."""
        try:
            if isinstance(value, str) and value.strip().endswith("%"):
                found = cls(read_quantity(value, "1"), 0.0)
            elif isinstance(value, str):
                found = cls(0.0, read_quantity(value, unit or "1"))
            elif isinstance(value, int | float) and not isinstance(value, bool):
                found = cls(0.0, float(value))
            else:
                raise Misfit(key, f"must be a number in {unit} or a share such as 5 %")
        except UnitError as error:
            raise Misfit(key, str(error), error.hint) from None
        if not 0.0 <= found.share + found.fixed < np.inf:
            raise Misfit(key, "must not be negative")
        return found

    def of(self, value: np.ndarray | float) -> np.ndarray:
        """Standard deviation of a reading."""
        return np.asarray(np.hypot(self.share * np.abs(value), self.fixed))


@dataclass
class Sensor:
    """A sensor of a twin; what it says of every row is `weights` times `columns` of it, or the size of these."""

    name: str
    columns: np.ndarray
    """(number, 2): of the nodes on either side, or twice the same."""
    share: float
    """Weight of the second of these."""
    size_only: bool
    unit: str
    noise: Accuracy
    bias: Accuracy
    wait: float
    """s: how late it may come."""
    silent_after: float
    pending: list[tuple[float, tuple[float, ...]]] = field(default_factory=list)
    """Readings that were not compared yet."""
    cut: float = -np.inf
    """Stamp up to which readings were compared."""
    last: float = SILENT
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    deviation: float = 0.0
    strangeness: float = 1.0
    """Mean square of its deviations of late, in standard deviations of what was expected."""
    odd: bool = False
    """Whether it has come to be strange, and was not trusted again since."""
    repeats: Repeats = field(default_factory=Repeats)
    stamps: Stamps = field(default_factory=Stamps)

    @classmethod
    def of(cls, name: str, choice: SensorChoice, shape: ObservationShape, on_winch: frozenset[str]) -> Sensor:
        """What the file says of it, held against what there is; raises `Misfit`."""
        known, output = channels(shape), choice.measures
        owner, _, quantity = output.rpartition(".")
        if output not in known:
            raise Misfit("measures", f"there is no output '{output}'", suggestion(output, known))
        start, stop, table, column, width = known[output]
        unit = "N" if {quantity, output} & set(FORCES) else {"position": "m", "velocity": "m/s"}.get(quantity, "1")
        axes = ["xyz".index(axis) for axis in choice.axes]
        share = 0.0
        if table:
            if owner in on_winch:
                message = f"cable '{owner}' runs off a winch, where places along it move"
                raise Misfit("measures", message, "measure its ends")
            low, share = _between(choice, shape, owner)
            first = start + table * low + column
            numbers = axes if width == 3 else [0]
            columns = np.array([[first + k, min(first + table, stop - table + column) + k] for k in numbers])
        else:
            if choice.at is not None:
                raise Misfit("at", f"'{output}' is at one place", "leave `at` out")
            vector = stop - start == 3
            numbers = list(range(3)) if vector and unit == "N" else axes if vector else list(range(stop - start))
            columns = np.array([[start + k, start + k] for k in numbers])
        noise = Accuracy.read("noise", choice.noise, unit)
        bias = Accuracy.read("bias", choice.bias, unit)
        force = not table and unit == "N" and len(numbers) == 3
        return cls(name, columns, share, force, unit, noise, bias, choice.delay.up_to, choice.silent_after)

    @property
    def numbers(self) -> int:
        """How many a reading has."""
        return 1 if self.size_only else len(self.columns)

    def seen(self, rows: np.ndarray) -> np.ndarray:
        """What it would say of rows (…, number): (…, numbers)."""
        found = (1.0 - self.share) * rows[..., self.columns[:, 0]] + self.share * rows[..., self.columns[:, 1]]
        return np.asarray(np.linalg.norm(found, axis=-1, keepdims=True) if self.size_only else found)

    def put(self, value: Any, stamp: float, now: float, oldest: float) -> str:
        """Take a reading: `accepted`, `late` or `implausible`, never an error. What is before `oldest` is late."""
        try:
            reading = np.atleast_1d(np.asarray(value, dtype=np.float64)).ravel()
        except (TypeError, ValueError, OverflowError):
            return self._count("implausible")
        if reading.shape != (self.numbers,) or not np.isfinite(reading).all() or np.abs(reading).max() > 1e12:
            return self._count("implausible")
        if not np.isfinite(stamp) or stamp > now + 2.0:
            return self._count("implausible")
        if stamp <= self.cut or stamp < oldest:
            return self._count("late")
        insort(self.pending, (float(stamp), tuple(reading.tolist())))
        self.last = max(self.last, float(stamp))
        return self._count("accepted")

    def _count(self, what: str) -> str:
        self.counts[what] += 1
        return what

    def due(self, now: float) -> list[tuple[float, np.ndarray]]:
        """Readings that nothing earlier can come before any more; they are pending no longer."""
        self.cut = now - self.wait
        found = [(stamp, np.array(value)) for stamp, value in self.pending if stamp <= self.cut]
        self.pending = self.pending[len(found) :]
        return found


def _between(choice: SensorChoice, shape: ObservationShape, cable: str) -> tuple[int, float]:
    """The node before a place along a cable, and how far it is to the next (0 to 1)."""
    arcs = np.array(shape.arc_length[shape.cables.index(cable)])
    if choice.at is None:
        raise Misfit("measures", f"'{choice.measures}' is along all of the cable", "say where: at: 200 m")
    if choice.at > arcs[-1] * (1.0 + 1e-9):
        raise Misfit("at", f"{choice.at:g} m lie beyond the end of cable '{cable}'", f"it is {arcs[-1]:g} m long")
    low = int(np.clip(np.searchsorted(arcs, choice.at, side="right") - 1, 0, len(arcs) - 2))
    return low, float(np.clip((choice.at - arcs[low]) / (arcs[low + 1] - arcs[low]), 0.0, 1.0))


def judge(sensors: list[Sensor], sizes: Mapping[str, float]) -> None:
    """Find sensors that say again and again what two others at least, with which the estimate agrees, do not: a cell
    that is dead but not still, a transponder that is not where the file has it. They are odd until they agree again.

    sizes  of their deviations of late, squared, by name, in which one that is far off does not count
    """
    trusted = sum(sizes.get(s.name, np.inf) < TRUSTED and not s.odd and not s.repeats.stuck for s in sensors)
    for sensor in sensors:
        again = sizes.get(sensor.name, np.inf) > TRUSTED  # two that are far off in five are outliers
        sensor.odd = trusted >= 2 and again and sensor.strangeness > (TRUSTED if sensor.odd else STRANGE)


def bias_row(sensors: list[Sensor], row: np.ndarray, shape: ObservationShape) -> np.ndarray:
    """Standard deviation that constant errors of the sensors add to every number of a row.

    All tensions of a system follow a load cell, and all positions those that are measured: what the largest bias of
    either kind does is done to all of them.
    """
    found = np.zeros_like(row)
    if share := force_share(sensors, row):
        for where in force_columns(shape):
            found[where] = share * np.abs(row[where])
    off = max((_off(sensor, row)[0] for sensor in sensors if sensor.unit == "m"), default=0.0)
    if off:
        nodes = found[: NODE_COLUMNS * shape.node_count].reshape(-1, NODE_COLUMNS)
        nodes[:, :3] = off
    return found


def force_share(sensors: Sequence[Sensor], row: np.ndarray) -> float:
    """Share by which all forces may be off for the bias of a load cell."""
    found = 0.0
    for sensor in sensors:
        if sensor.unit == "N":
            off, size = _off(sensor, row)
            found = max(found, off / max(size, 1e-12))
    return found


def _off(sensor: Sensor, row: np.ndarray) -> tuple[float, float]:
    """What the bias of a sensor may do to what it says of a row, and the size of what it says."""
    if sensor.bias.share == 0.0 and sensor.bias.fixed == 0.0:
        return 0.0, 0.0
    size = float(np.fmax.reduce(np.abs(sensor.seen(row)), initial=0.0))  # of what there is, where some is NaN
    return float(sensor.bias.of(size)), size


def force_columns(shape: ObservationShape) -> list[Any]:
    """Where tensions and end forces stand in a row."""
    nodes = np.arange(shape.node_count) * NODE_COLUMNS + NODE_TENSION
    return [nodes, shape.end_block, shape.column("tension_max")]
