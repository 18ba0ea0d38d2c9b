"""The twin: members of a system that are moved and corrected by what is measured."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np

from fairlead.ensembles.fleet import Fleet
from fairlead.model import System
from fairlead.results import ObservationShape

from .check import Ready, ready
from .driving import LENGTH, Course, Driver, input_of, lags, of_length, of_plan, straight
from .earth import Frame
from .estimate import Estimate, Forecast, Health, ParameterEstimate, SensorHealth
from .file import TwinFile, load_twin
from .filters import mixed, relaxed, softened, transform
from .forecasts import Ahead, Fork, PastErrors
from .quantities import Watched
from .sensors import bias_row, force_columns
from .sources import LONGEST_DELAY, DriveChoice, SensorChoice
from .tracks import Track
from .watching import Limit, Warning

STILL = 1.0
"""Time after an update in which alarms are held, s: mixed states shake for a moment."""
MEMORY = 0.9
"""What is left of the weight of earlier deviations in the measure of consistency, at each update."""
INCONSISTENT = 3.0
RELAXED, MOST_RELAXED = 0.1, 0.5
"""Share of their deviations from the mean that members keep through an update; more where it was too sure of late."""
WALK, PERTURB, REPLACE, LOOK = 1, 2, 3, 4
"""What random numbers are drawn for; with the seed and the number of the update they are the same in every run."""


class Twin:
    """A twin of a system, from its file.

        twin = Twin("twin.yaml")
        twin.put("t200", (x, y, z), stamp=12.0)   # accepted | late | implausible | unknown
        now = twin.advance(until=20.0)            # Estimate
        now.mean["tow.position"], now.spread["tow.force_start"], now.parameters["drag_normal"]

    All times are seconds on the twin's clock, 0 at its start. What it does follows from its file and from what it was
    given alone: a run that is repeated, or goes on from a checkpoint, comes to the same numbers. It moves in ticks of
    1/`clock.rate`, however `advance` is called.
    """

    def __init__(self, file: TwinFile | str | Path, system: System | None = None, *, settle: bool = True) -> None:
        """system: what to run, in place of the file that the twin names; settle: each member in its own equilibrium."""
        self.file = file if isinstance(file, TwinFile) else load_twin(file)
        parts: Ready = ready(self.file, system)
        self._parts, choice = parts, self.file.estimate
        self.sensors = {sensor.name: sensor for sensor in parts.sensors}
        self.notes = parts.notes
        self.unknowns = parts.unknowns
        members = choice.members
        self.theta = parts.unknowns.first(members, choice.seed)
        self.fleet = Fleet.of(parts.simulation, members)
        self._begin(settle)
        self.tracks = {n: Track(c.smooth, c.speed_limit if n.endswith(".position") else np.inf)
                       for n, c in self.file.drive.items()}  # fmt: skip
        self._driver = Driver(lags(parts.system))
        self._counts = {name: dict.fromkeys(("accepted", "late", "implausible"), 0) for name in self.tracks}
        self._headings: dict[str, dict[str, float]] = {}
        origin = self.file.clock.origin
        self.frame = Frame(origin.latitude, origin.longitude, origin.heading) if origin is not None else None
        self._shift = np.zeros(3)
        self._ticks = 0
        self.updates, self.lost, self._losses = 0, 0, deque[float]()
        self.open_loop = ""
        """Why the estimate is off, in a sentence; empty while it is not."""
        self.consistency = 1.0
        self._history: deque[tuple[float, np.ndarray]] = deque()
        look = self.file.look_ahead
        self.forecast: Forecast | None = None
        """The latest look ahead."""
        self._errors = PastErrors(tuple(parts.watched), look.step if look else 5.0, look.horizon if look else 300.0)
        self._warnings = [Warning(limit) for limit in parts.limits]
        self._updated_at = -np.inf
        self._remember()
        self._warn()
        self.estimate = self._estimate(False)
        """The latest."""

    def _begin(self, settle: bool) -> None:
        """Every member in the equilibrium of its own parameters, where the system starts in one."""
        if not self.unknowns.numbers:
            return
        fleet = self.fleet
        fleet.set_parameters(self.unknowns.paths(self.theta))
        fleet.set_inputs(self.unknowns.inputs(self.theta))
        if settle and self._parts.simulation.statics is not None:
            fleet.settle()
        fleet.look()

    # --- time ---------------------------------------------------------------------------------------------------------
    @property
    def tick(self) -> float:
        """Time between ticks, s."""
        return 1.0 / self.file.clock.rate

    @property
    def time(self) -> float:
        """s."""
        return self._ticks * self.tick

    @property
    def system(self) -> System:
        return self._parts.system

    @property
    def shape(self) -> ObservationShape:
        """Of what members show."""
        return self.fleet.compiled.shape

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What must not be exceeded."""
        return tuple(warning.limit for warning in self._warnings)

    @property
    def watched(self) -> Mapping[str, Watched]:
        """What every forecast holds, by name."""
        return self._parts.watched

    def course(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Where a drive is and how fast it moves, as far as its fixes tell; None before the first."""
        return self.tracks[name].at(self.time)

    @property
    def alarms(self) -> tuple[Any, ...]:
        return tuple(warning.alarm for warning in self._warnings)

    def acknowledge(self, name: str) -> bool:
        """An alarm is known of; False where there is none of that name."""
        found = [warning for warning in self._warnings if warning.limit.name == name]
        for warning in found:
            warning.acknowledged = True
        return bool(found)

    # --- what is heard ------------------------------------------------------------------------------------------------
    def put(self, name: str, value: Any, stamp: float) -> str:
        """A reading of a sensor, or a fix of a drive, in SI units and the system's axes, of a time [s].

        `accepted`, `late` (no longer comparable), `implausible` or `unknown` (no such sensor or drive); never an error.
        """
        try:
            stamp = float(stamp)
        except (TypeError, ValueError):
            stamp = np.nan
        if name in self.sensors:
            oldest = self._history[0][0] if self._history else self.time
            return self.sensors[name].put(value, stamp, self.time + self._leeway, oldest)
        if name not in self.tracks:
            return "unknown"
        answer = self._drive(name, value, stamp)
        self._counts[name][answer] += 1
        return answer

    _leeway = np.inf
    """How far in the future a stamp may lie beside 2 s: without a clock of its own a twin knows no future."""

    def keep_time(self) -> None:
        """From now on what is stamped more than 2 s after the twin's time is implausible: for a twin on the clock."""
        self._leeway = 0.0

    def _drive(self, name: str, value: Any, stamp: float) -> str:
        place = self.fleet.compiled.inputs[input_of(name)]
        try:
            numbers = np.atleast_1d(np.asarray(value, dtype=np.float64)).ravel()
        except (TypeError, ValueError):
            return "implausible"
        fits = numbers.shape == (place.stop - place.start,) and bool(np.isfinite(numbers).all())
        if not fits or not np.isfinite(stamp) or stamp > self.time + self._leeway + 2.0 or np.abs(numbers).max() > 1e9:
            return "implausible"
        if stamp < self.time - LONGEST_DELAY:
            return "late"
        return "accepted" if self.tracks[name].put(stamp, numbers) else "implausible"

    def hear(self, source: str, fields: Mapping[str, float], stamp: float) -> dict[str, str]:
        """A message of an input, to every drive and sensor that names it in `from`: what became of it, by name.

        fields  latitude, longitude [deg], height [m], heading, roll, pitch [deg]; or columns by name, in SI units.
                A position may also come as x, y, z in the system's axes
        """
        attitude = self._headings.setdefault(source, {})
        attitude |= {key: float(fields[key]) for key in ("heading", "roll", "pitch") if key in fields}
        found = {}
        choices: list[tuple[str, DriveChoice | SensorChoice]] = [*self.file.drive.items(), *self.file.sensors.items()]
        for name, choice in choices:
            owner, _, column = (choice.source or "").partition(".")
            if owner != source:
                continue
            value = self._value(name, fields, column, getattr(choice, "lever", (0.0, 0.0, 0.0)), attitude)
            if value is not None:
                found[name] = self.put(name, value, stamp)
        return found

    def _value(
        self, name: str, fields: Mapping[str, float], column: str, arm: tuple[float, ...], attitude: Mapping[str, float]
    ) -> Any:
        """What a message says about a drive or sensor; None where that is nothing."""
        if column and column in fields:
            return fields[column]
        keys = [f"{column}.{axis}" if column else axis for axis in "xyz"]
        if all(key in fields for key in keys):
            return [fields[key] for key in keys]
        if column or "latitude" not in fields or "longitude" not in fields:
            return None
        latitude, longitude, height = (float(fields.get(k, 0.0)) for k in ("latitude", "longitude", "height"))
        if not (abs(latitude) <= 90.0 and abs(longitude) <= 360.0 and np.isfinite(height)):
            return np.nan
        turned = self.frame or Frame(latitude, longitude)
        lever = turned.lever(arm, attitude.get("heading", 0.0), attitude.get("roll", 0.0), attitude.get("pitch", 0.0))
        if self.frame is None:
            self.frame = turned
            start = np.array(self.fleet.observe(name)[0]) if name in self.fleet.names else np.zeros(3)
            self._shift = (start - turned.local(latitude, longitude) - lever) * (1.0, 1.0, 0.0)
        return turned.local(latitude, longitude, height) + lever + self._shift

    # --- on its way ---------------------------------------------------------------------------------------------------
    def advance(self, until: float) -> Estimate:
        """Go on to a time [s], as far as whole ticks reach; the estimate then."""
        last = int(np.floor(until / self.tick + 1e-6))
        updated = False
        while self._ticks < last:
            updated = self._next(self._ticks + 1 == last) or updated
        if updated or self.estimate.time != self.time:
            self.estimate = self._estimate(updated)
        return self.estimate

    def _every(self, seconds: float) -> bool:
        """Whether the present tick is one of those that come every so often."""
        return self._ticks % max(1, round(seconds / self.tick)) == 0

    def _next(self, look: bool) -> bool:
        """One tick; whether there was an update in it."""
        self._ticks += 1
        fleet, ahead = self.fleet, self.file.look_ahead
        predicts, updates = self._every(self.file.estimate.predict), self._every(self.file.estimate.every)
        scores = ahead is not None and self._every(ahead.step)
        courses = self._courses
        if any(name not in self._driver.before and course(self.time) is not None for name, course in courses.items()):
            fleet.look()  # a drive begins where its point is now
        values, speeds = self._driver.to(self.time, self.tick, courses, self._here)
        failed = fleet.step(self.tick, {**values, **self.unknowns.inputs(self.theta)}, speeds=speeds,
                            look=look or predicts or updates or scores)  # fmt: skip
        fleet.time = self.time
        if len(failed):
            self._replace(failed)
        if predicts:
            self._remember()
            self._warn()
        self._shown = fleet.rows.copy() if look or updates else None
        if scores:
            self._errors.compare(self.time, self._watch(fleet.rows).mean(axis=0))
        updated = bool(updates and self._update())
        if ahead is not None and self._every(ahead.every):
            self.forecast = self._ahead(fleet.copy(), True).run(ahead.horizon)
            self._errors.issue(self.forecast)
        return updated

    _shown: np.ndarray | None = None
    """What the members showed before the update of the latest tick."""

    @property
    def _courses(self) -> dict[str, Course]:
        return {input_of(name): self._course(name, track) for name, track in self.tracks.items()}

    def _course(self, name: str, track: Track) -> Course:
        if name.endswith(LENGTH):
            return of_length(track, lambda: float(self.fleet.observe(name).mean()))
        return track.at

    def _here(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Mean place and speed of a point or body now."""
        if name not in self.fleet.names or not name.endswith(".position"):
            return None
        place, speed = (self.fleet.observe(n) for n in (name, name.replace(".position", ".velocity")))
        return place.mean(axis=0), speed.mean(axis=0)

    def _watch(self, rows: np.ndarray) -> np.ndarray:
        """All that is watched, (member, name)."""
        return np.stack([one.of(rows) for one in self._parts.watched.values()], axis=-1)

    def _remember(self) -> None:
        """What every sensor would say now, of every member."""
        if not self.sensors:
            return
        seen = np.concatenate([sensor.seen(self.fleet.rows) for sensor in self.sensors.values()], axis=1)
        self._history.append((self.time, np.ascontiguousarray(seen)))
        while self._history[0][0] < self.time - LONGEST_DELAY - 1.0:
            self._history.popleft()

    def _replace(self, failed: np.ndarray) -> None:
        """Members that could not go on become copies of others; too many, and the estimate is off."""
        fleet = self.fleet
        self.lost += len(failed)
        self._losses.extend([self.time] * len(failed))
        while self._losses and self._losses[0] < self.time - 60.0:
            self._losses.popleft()
        well = np.flatnonzero(fleet.status == 0)
        if len(self._losses) * 2 >= fleet.members and not self.open_loop:
            self.open_loop = f"{len(self._losses)} of {fleet.members} members could not go on within 60 s"
        if len(well):
            donors = np.random.default_rng([self.file.estimate.seed, REPLACE, self._ticks]).choice(well, len(failed))
            for m, donor in zip(failed, donors, strict=True):
                fleet.take_over(int(m), int(donor))
                self.theta[m] = self.theta[donor]
                for _, seen in self._history:
                    seen[m] = seen[donor]

    # --- the update ---------------------------------------------------------------------------------------------------
    def _update(self) -> bool:
        """Compare what was measured with what was predicted for these times, and correct the members; then wander."""
        choice, key = self.file.estimate, [self.file.estimate.seed, 0, self._ticks]
        due = [(k, stamp, value) for k, s in enumerate(self.sensors.values()) for stamp, value in s.due(self.time)]
        on = choice.method != "none" and not self.open_loop and self.fleet.members > 1
        updated = bool(on and due)
        if updated:
            self._correct(due, key)
            self.updates += 1
            self._updated_at = self.time
        if on and self.unknowns.numbers:
            key[1] = WALK
            self.theta = self.unknowns.wandered(self.theta, choice.every, key)
            self.fleet.set_parameters(self.unknowns.paths(self.theta))
        return updated

    def _correct(self, due: list[tuple[int, float, np.ndarray]], key: list[int]) -> None:
        sensors = list(self.sensors.values())
        starts = np.cumsum([0, *(sensor.numbers for sensor in sensors)])
        predicted, measured, noise, group = [], [], [], []
        due = sorted(due, key=lambda one: (one[1], one[0], one[2].tolist()))
        for i, (k, stamp, value) in enumerate(due):
            seen = self._predicted(stamp)[:, starts[k] : starts[k + 1]]
            predicted.append(seen)
            measured.append(value)
            noise.append(sensors[k].noise.of(seen.mean(axis=0)))
            group += [i] * len(value)
        z, groups = np.concatenate(predicted, axis=1), np.array(group)
        y, sd = np.concatenate(measured), np.concatenate(noise)
        deviation, spread = y - z.mean(axis=0), z.std(axis=0, ddof=1)
        over = np.abs(deviation) / np.hypot(spread, sd)
        variance = softened(sd**2, deviation, spread, groups)
        for i, (k, _, _) in enumerate(due):
            mine = groups == i
            sensors[k].deviation = float(np.sqrt(np.mean(over[mine] ** 2)))
            sensors[k].counts["doubted"] += bool((variance[mine] > sd[mine] ** 2).any())
        mean_square = float(np.mean(np.minimum(over, 3.0) ** 2))
        self.consistency = MEMORY * self.consistency + (1.0 - MEMORY) * mean_square
        kept = float(np.clip(RELAXED + 0.5 * (self.consistency - 1.0), RELAXED, MOST_RELAXED))
        stochastic = self.file.estimate.method == "enkf"
        key[1] = PERTURB
        drawn = np.random.default_rng(key).standard_normal(z.shape) if stochastic else None
        self._mix(relaxed(transform(z, y, variance, drawn), kept))

    def _predicted(self, stamp: float) -> np.ndarray:
        """What all sensors would have said at a time [s], (member, number)."""
        times = [time for time, _ in self._history]
        k = int(np.clip(np.searchsorted(times, stamp) - 1, 0, max(0, len(times) - 2)))
        (t0, a), (t1, b) = self._history[k], self._history[min(k + 1, len(times) - 1)]
        s = float(np.clip((stamp - t0) / (t1 - t0), 0.0, 1.0)) if t1 > t0 else 0.0
        return np.asarray((1.0 - s) * a + s * b)

    def _mix(self, matrix: np.ndarray) -> None:
        """Make new members of the old ones: parameters, states and what was predicted for readings yet to come."""
        self.theta = mixed(self.theta, matrix)
        for k, (time, seen) in enumerate(self._history):
            self._history[k] = (time, mixed(seen, matrix))
        if not self._parts.mixes:
            return
        fleet = self.fleet
        for block in fleet.compiled.layout.blocks:
            if block.mix and block.stop > block.start:
                fleet.Y[:, block.slice] = mixed(fleet.Y[:, block.slice], matrix)
        for places, or_zero in self._units:
            parts = fleet.Y[:, places]
            size = np.linalg.norm(parts, axis=-1, keepdims=True)
            unused = or_zero[None, :, None] & (size == 0.0)
            fleet.Y[:, places] = np.where(unused, parts, parts / np.maximum(size, 1e-12))

    @property
    def _units(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Places of the unit vectors of a state (vector, number), and which of these may be zero."""
        if self._unit_places is None:
            units = self.fleet.compiled.state_rules().units
            self._unit_places = [
                (
                    np.array([np.arange(u.place, u.place + width) for u in units if u.width == width]),
                    np.array([u.or_zero for u in units if u.width == width]),
                )
                for width in sorted({u.width for u in units})
            ]
        return self._unit_places

    _unit_places: list[tuple[np.ndarray, np.ndarray]] | None = None

    # --- what it says -------------------------------------------------------------------------------------------------
    def _estimate(self, updated: bool) -> Estimate:
        fleet = self.fleet
        rows = fleet.rows.copy() if self._shown is None else self._shown
        bias = bias_row(list(self.sensors.values()), rows.mean(axis=0), fleet.compiled.shape)
        told = (self._parameters(), self._health(), self.alarms)
        return Estimate(self.time, rows, fleet.compiled.shape, *told, updated, bias)

    def _warn(self) -> None:
        """Hold what the members show against the limits, but for a moment after an update, which shakes them."""
        if not self._warnings or self.time - self._updated_at < STILL:
            return
        share = self._bias_share
        for warning in self._warnings:
            values = warning.limit.watched.of(self.fleet.rows)
            mean = float(values.mean())
            off = share * abs(mean) if warning.limit.watched.unit == "N" else 0.0
            spread = float(np.hypot(values.std(ddof=1) if len(values) > 1 else 0.0, off))
            warning.look(self.time, mean, spread, self.forecast)

    @property
    def _bias_share(self) -> float:
        """Share by which all forces may be off for the bias of a load cell."""
        row = self.fleet.rows.mean(axis=0)
        bias = bias_row(list(self.sensors.values()), row, self.fleet.compiled.shape)
        where = force_columns(self.fleet.compiled.shape)[0]
        return float(np.nanmax(bias[where] / np.maximum(np.abs(row[where]), 1e-12), initial=0.0))

    def _parameters(self) -> dict[str, ParameterEstimate]:
        found = {}
        for k, one in enumerate(self.unknowns.numbers):
            values = self.theta[:, k]
            mean, sd = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
            scale = float(np.exp(mean)) if one.factor else 1.0
            shown, prior = (scale, 1.0) if one.factor else (mean, 0.0)
            found[one.name] = ParameterEstimate(one.name, one.unit, shown, scale * sd, scale * one.sd, prior)
        return found

    def _health(self) -> Health:
        now, sensors = self.time, {}
        for name, sensor in self.sensors.items():
            c, age = sensor.counts, now - sensor.last
            sensors[name] = SensorHealth(name, sensor.last, age, age > sensor.silent_after, c["accepted"], c["late"],
                                         c["implausible"], c["doubted"], sensor.deviation)  # fmt: skip
        for name, track in self.tracks.items():
            c, age = self._counts[name], now - track.last
            source = self.file.inputs.get(self.file.drive[name].source.partition(".")[0])
            after = source.silent_after if source is not None else 10.0
            sensors[name] = SensorHealth(name, track.last, age, age > after, c["accepted"], c["late"], c["implausible"])
        state, reason = "good", ""
        if self.file.estimate.method == "none":
            state, reason = "open loop", "the file asks for no estimate"
        elif self.open_loop:
            state, reason = "open loop", self.open_loop
        elif self.consistency > INCONSISTENT:
            state, reason = "inconsistent", "measurements are further from what was expected than they should be"
        elif not self.updates:
            state, reason = "starting", "nothing was compared yet"
        return Health(state, reason, self.fleet.members, self.lost, self.consistency, self.updates, sensors)  # type: ignore[arg-type]

    # --- looking ahead ------------------------------------------------------------------------------------------------
    def _ahead(self, fleet: Fleet, live: bool) -> Ahead:
        look, share = self.file.look_ahead, self._bias_share
        courses: dict[str, Course] = {}
        for name, track in self.tracks.items():
            now = self._course(name, track)(self.time)
            if now is not None:
                courses[input_of(name)] = straight(now[0], now[1], self.time)
        for name, plan in self._parts.plans.items():
            courses[name] = of_plan(*plan)
        bias = np.array([share if one.unit == "N" else 0.0 for one in self._parts.watched.values()])
        key = [self.file.estimate.seed, LOOK, self._ticks]
        doubt = float(np.clip(self.consistency, 1.0, INCONSISTENT))
        return Ahead(fleet, self.theta.copy(), self.unknowns, self._parts.watched, courses, self._driver.copy(), key,
                     look.walk if look else 2.0, doubt, self._errors, bias, self._errors.step, live)  # fmt: skip

    def fork(self) -> Fork:
        """A what-if from now on."""
        limits = {name: choice.speed_limit for name, choice in self.file.drive.items()}
        return Fork(self._ahead(self.fleet.copy(), False), limits)

    # --- checkpoints --------------------------------------------------------------------------------------------------
    def checkpoint(self, path: str | Path) -> None:
        """All that the future depends on into a file, at once or not at all."""
        from .checkpoints import write

        write(self, Path(path))

    @classmethod
    def restore(cls, path: str | Path, file: TwinFile | str | Path, system: System | None = None) -> Self:
        """The twin as it was at a checkpoint of the same file."""
        from .checkpoints import read

        twin = cls(file, system, settle=False)
        read(twin, Path(path))
        return twin
