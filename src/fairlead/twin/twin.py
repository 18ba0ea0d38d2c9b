"""The twin: members of a system that are moved and corrected by what is measured."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fairlead.ensembles.fleet import Fleet
from fairlead.model import System
from fairlead.results import ObservationShape
from fairlead.simulate import Simulation

from .check import Ready, ready
from .courses import LENGTH, Course, Straight, going_on, input_of, of_length, of_plan
from .driving import ASTRAY, Driver, lags
from .estimate import Alarm, Estimate, Forecast
from .file import TwinFile, load_twin
from .forecasting import Forecasting
from .forecasts import Ahead, Fork
from .health import INCONSISTENT, MISSED, Watch, health, is_silent, parameters
from .hearing import Hearing
from .held import held_row
from .placing import BOUND, FAR, NEAR, Placement, is_movable, turn_to
from .quantities import Watched
from .scatter import Scatter
from .sensors import bias_row, force_share
from .sources import LONGEST_DELAY, DriveChoice
from .stopping import stopping
from .tracks import KEPT, Track
from .unheard import Unheard
from .updating import LOOK, STOP, SWAY, Updating
from .watching import Limit

RETURN = 20.0
"""Time in which members find back to drives that are heard again after a silence, s."""

if TYPE_CHECKING:
    from fairlead.live.served import Served


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
        self.file = file if isinstance(file, TwinFile) else load_twin(file, alone=system is not None)
        parts: Ready = ready(self.file, system)
        self._parts, choice = parts, self.file.estimate
        self.notes = parts.notes
        self.sensors = {sensor.name: sensor for sensor in parts.sensors}
        fleet = Fleet.of(parts.simulation, choice.members)
        self.updating = Updating(fleet, choice, parts.unknowns, self.sensors, parts.mixes)
        self.updating.begin(settle)
        self.placement: Placement | None = None
        """Where it was put by the first fixes, if they were elsewhere than the file has it."""
        self.bound = False
        """Whether the course on which it began was known."""
        self._winds = any(name.endswith(LENGTH) for name in self.file.drive)
        """Whether a length of line is kept up with, and so is to be seen at every tick."""
        self._movable = is_movable(parts.system, {n.removesuffix(".position") for n in self.file.drive})
        self.tracks = {n: self._track(n, c) for n, c in self.file.drive.items()}
        self.counts = {name: dict.fromkeys(("accepted", "late", "implausible"), 0) for name in self.tracks}
        """What became of the fixes of every drive."""
        self.misdated: dict[str, tuple[int, float]] = {}
        """By sensor and drive: how many readings in a row were refused for their stamps, and by how much the last was
        off the twin's time, s."""
        self.driver = Driver(lags(parts.system))
        self.elsewhere = -np.inf
        """What was measured by this time is not compared, s: a drive was far from its fixes, these were too few to be
        smoothed, members were put elsewhere, or nothing was heard of a drive until shortly before."""
        self.unheard: dict[str, Unheard] = {}
        """Drives of places that fell silent, and how each goes on."""
        self.hearing = Hearing(self.file, self._start)
        self.ticks = 0
        """Made so far."""
        self.forecasting = Forecasting(self.file.look_ahead, parts.watched, self.tick)
        self.watch = Watch(parts.limits)
        self.updating.remember(0.0)
        self.watch.look(self.updating, 0.0, None)
        self.estimate = self._estimate(False)
        """The latest."""
        self.lock = threading.RLock()
        """Held while it moves; who copies it from another thread holds it, too."""
        self.shown: list[Callable[[Estimate], None]] = []
        """Are called with every estimate that `advance` comes to."""

    def _track(self, name: str, choice: DriveChoice) -> Track:
        now = self._here(name)
        if now is None:
            return Track(choice.smooth)
        return Track(choice.smooth, choice.speed_limit, rate=now[1])

    def _start(self, name: str) -> np.ndarray:
        """Where a drive or a sensor is at the start, (3,)."""
        return np.array(self.fleet.observe(name)[0]) if name in self.fleet.names else np.zeros(3)

    # --- time ---------------------------------------------------------------------------------------------------------
    @property
    def tick(self) -> float:
        """Time between ticks, s."""
        return 1.0 / self.file.clock.rate

    @property
    def time(self) -> float:
        """s."""
        return self.ticks * self.tick

    @property
    def fleet(self) -> Fleet:
        """The members."""
        return self.updating.fleet

    @property
    def theta(self) -> np.ndarray:
        """What members believe of the parameters, (member, number): additions, or logarithms of factors."""
        return self.updating.theta

    @property
    def forecast(self) -> Forecast | None:
        """The latest look ahead that is finished."""
        return self.forecasting.latest

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
        return tuple(self._parts.limits)

    @property
    def watched(self) -> Mapping[str, Watched]:
        """What every forecast holds, by name."""
        return self._parts.watched

    def course(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Where a drive is and how fast it goes, as far as its fixes tell, without the sway of what stays where it is;
        None before the first."""
        return self.tracks[name].trend(self.time)

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The state of every limit."""
        return self.watch.alarms

    def acknowledge(self, name: str) -> bool:
        """An alarm is known of; False where there is none of that name."""
        return self.watch.acknowledge(name)

    # --- what is heard ------------------------------------------------------------------------------------------------
    def put(self, name: str, value: Any, stamp: float) -> str:
        """A reading of a sensor, or a fix of a drive, in SI units and the system's axes, of a time [s].

        `accepted`, `late` (no longer comparable), `implausible` or `unknown` (no such sensor or drive); never an error.
        A stamp more than two minutes after the twin's time is implausible.
        """
        return self._put(name, value, stamp, None)

    def _put(self, name: str, value: Any, stamp: float, said: np.ndarray | None) -> str:
        try:
            stamp = float(stamp)
        except (TypeError, ValueError, OverflowError):
            stamp = np.nan
        if name in self.sensors:
            history = self.updating.history
            oldest = history[0][0] if history else self.time
            answer = self.sensors[name].put(value, stamp, self.time + KEPT, oldest)
        elif name in self.tracks:
            answer = self._drive(name, value, stamp, said)
            self.counts[name][answer] += 1
        else:
            return "unknown"
        off = stamp - self.time
        if answer == "accepted":
            self.misdated.pop(name, None)
        elif np.isfinite(off) and not -LONGEST_DELAY <= off <= KEPT + 2.0:
            self.misdated[name] = (self.misdated.get(name, (0, 0.0))[0] + 1, off)
        return answer

    def _drive(self, name: str, value: Any, stamp: float, said: np.ndarray | None) -> str:
        place = self.fleet.compiled.inputs[input_of(name)]
        try:
            numbers = np.atleast_1d(np.asarray(value, dtype=np.float64)).ravel()
        except (TypeError, ValueError, OverflowError):
            return "implausible"
        fits = numbers.shape == (place.stop - place.start,) and bool(np.isfinite(numbers).all())
        if not fits or not np.isfinite(stamp) or stamp > self.time + KEPT + 2.0 or np.abs(numbers).max() > 1e9:
            return "implausible"
        if stamp < self.time - LONGEST_DELAY:
            return "late"
        return "accepted" if self.tracks[name].put(stamp, numbers, said) else "implausible"

    def hear(self, source: str, fields: Mapping[str, float], stamp: float) -> dict[str, str]:
        """A message of an input, to every drive and sensor that names it in `from`: what became of it, by name.

        fields  latitude, longitude [deg], height [m], heading, roll, pitch [deg]; or columns by name, in SI units.
                A position may also come as x, y, z in the system's axes
        """
        return {name: self._put(name, value, stamp, said) for name, value, said in self.hearing.values(source, fields)}

    # --- on its way ---------------------------------------------------------------------------------------------------
    def advance(self, until: float) -> Estimate:
        """Go on to a time [s], as far as whole ticks reach; the estimate then."""
        last = int(np.floor(until / self.tick + 1e-6))
        updated = False
        with self.lock:
            while self.ticks < last:
                updated = self._next(self.ticks + 1 == last) or updated
        if updated or self.estimate.time != self.time:
            self.estimate = self._estimate(updated)
            for shown in self.shown:
                shown(self.estimate)
        return self.estimate

    def thin(self, members: int) -> None:
        """Go on with so many members, if these are fewer: for a twin that is late."""
        self.updating.thin(members)
        self.driver.thin(members)
        if self.forecasting.under_way is not None:
            self.forecasting.under_way.thin(members)

    def _every(self, seconds: float) -> bool:
        """Whether the present tick is one of those that come every so often."""
        return self.ticks % max(1, round(seconds / self.tick)) == 0

    def _next(self, look: bool) -> bool:
        """One tick; whether there was an update in it."""
        self.ticks += 1
        fleet, ahead, updating = self.fleet, self.file.look_ahead, self.updating
        predicts, updates = self._every(self.file.estimate.predict), self._every(self.file.estimate.every)
        scores = ahead is not None and self._every(ahead.step)
        back = self._listen()
        courses = self._courses
        begins = any(n not in self.driver.before and course(self.time) is not None for n, course in courses.items())
        if begins:
            fleet.look()  # a drive begins where its point is now
        if self._movable:
            self._find_place(begins)
            fleet = self.fleet
        retold = {input_of(name) for name, track in self.tracks.items() if track.retold}
        self.driver.gentle = frozenset(retold | back | set(self.unheard))
        self._scatter()
        values, speeds = self.driver.to(self.time, self.tick, courses, self._here)
        failed = fleet.step(self.tick, {**values, **updating.unknowns.inputs(self.theta)}, speeds=speeds,
                            look=look or predicts or updates or scores or updating.begins or self._winds)  # fmt: skip
        fleet.time = self.time - self._since
        if self.driver.astray(self.time) or any(track.begins(self.time) for track in self.tracks.values()):
            self.elsewhere = max(self.elsewhere, self.time)
        if self._lost or any(one.spread(self.time) > ASTRAY for one in self.unheard.values()):
            self.elsewhere = self.time + RETURN
        if len(failed):
            updating.replace(failed, self.time, self.ticks)
            if (fleet.status != 0).all():
                self._begin_anew()
                fleet = self.fleet
        if predicts or updating.begins:
            updating.remember(self.time)
        if predicts:
            self.watch.look(updating, self.time, self.forecast)
        self._shown = fleet.rows.copy() if look or updates else None
        self.forecasting.tick()
        if scores and not self._lost:  # what no fix tells is nothing to judge a forecast by
            now = np.stack([one.of(fleet.rows) for one in self.watched.values()], axis=-1).mean(axis=0)
            self.forecasting.errors.compare(self.time, now)
        updated = bool(updates and updating.update(self.time, self.ticks, self.elsewhere))
        if ahead is not None and self._every(ahead.every):
            self.forecasting.begin(self._ahead(ahead.horizon, True))
        return updated

    def _listen(self) -> set[str]:
        """Find drives that fell silent, and how they go on; those that are heard again, by name."""
        heard = {n: t for n, t in self.tracks.items() if n.endswith(".position") and t.last > -np.inf}
        silent = {n for n, t in heard.items() if is_silent(self.file, n, t, self.counts[n]["accepted"], self.time)}
        rest = {n: t for n, t in heard.items() if n not in silent}
        back = {n for n in self.unheard if n not in silent}
        self._lost = bool(heard) and not rest
        self._led = not heard or any(t.last + MISSED * (t.usual_gap or np.inf) >= self.time for t in heard.values())
        kept = {n: one.beside(self.time, self.tracks, rest) for n, one in self.unheard.items() if n in silent}
        self.unheard = {n: kept.get(n) or Unheard.of(self.tracks[n], rest) for n in sorted(silent)}
        return back

    def _scatter(self) -> None:
        """Where all that drive places miss their fixes, members sway each in its own way about what is expected."""
        if self._led and not self._lost:
            self.driver.gather(self.time)
            return
        for k, (name, track) in enumerate(self.tracks.items()):
            kept = self.driver.scatter.get(name)
            alone = name not in self.unheard or not self.unheard[name].others
            if name.endswith(".position") and alone and (kept is None or kept.ends):
                key = [self.file.estimate.seed, SWAY, self.ticks, k]
                rest = None if kept is None or kept.is_over(self.time) else kept
                found = Scatter.of(track, self.time, self.fleet.members, key, rest)
                if found is not None:
                    self.driver.scatter[name] = found

    _lost = False
    """Whether all that were heard to drive a place are silent: where the members are is then a guess."""
    _led = True
    """Whether fixes of any of these come as they did; where three did not, nobody tells any more how it sways."""

    # --- where it begins ----------------------------------------------------------------------------------------------
    @property
    def _since(self) -> float:
        """When the members began, s."""
        return 0.0 if self.placement is None else self.placement.since

    def _find_place(self, begins: bool) -> None:
        """Put the members where the first fixes are, and along their course; later on only where they are far off."""
        name, track = next(iter(self.tracks.items()))
        then, away = self.time - self.tick, self.driver.away.get(name)
        begun = self.updating.updates > 0 and (self.bound or self.time > BOUND)
        if begun and (away is None or np.linalg.norm(away.at(then)[0]) <= FAR):
            return
        found, point = track.at(then), name.removesuffix(".position")
        if found is None:
            return
        if begun:
            turn = turn_to(self.system, point, found[1])
            self.place(Placement(point, float(found[0][0]), float(found[0][1]), turn, then))
            return
        here = self.fleet.observe(name).mean(axis=0) if begins else found[0]
        turn = 0.0 if self.placement is None else self.placement.turn
        before = turn
        if not self.bound and track.tells_course:
            turn, self.bound = turn_to(self.system, point, found[1]), True
        if turn != before or np.linalg.norm((here - found[0])[:2]) > NEAR:
            self.place(Placement(point, float(found[0][0]), float(found[0][1]), turn, then))

    def _begin_anew(self) -> None:
        """All members were lost: begin again, where the drive is now if that can be."""
        name, track = next(iter(self.tracks.items()), ("", None))
        found = None if track is None or not self._movable else track.at(self.time)
        if found is None:
            self.place(self.placement)
        else:
            point = name.removesuffix(".position")
            turn = turn_to(self.system, point, found[1])
            self.place(Placement(point, float(found[0][0]), float(found[0][1]), turn, self.time))

    def place(self, placement: Placement | None) -> None:
        """Begin anew at another place."""
        system = self.system if placement is None else placement.of(self.system)
        self.placement = placement
        self.updating.fleet = Fleet.of(Simulation(system), self.fleet.members)
        self.updating.begin()
        self.driver = Driver(lags(system))
        self.updating.forget()
        self.elsewhere = max(self.elsewhere, self.time if placement is None else placement.since)

    _shown: np.ndarray | None = None
    """What the members showed before the update of the latest tick."""

    @property
    def _courses(self) -> dict[str, Course]:
        return {input_of(name): self._course(name, track) for name, track in self.tracks.items()}

    def _course(self, name: str, track: Track) -> Course:
        if name.endswith(LENGTH):
            return of_length(track, self.time - self.tick, lambda: float(self.fleet.observe(name).mean()))
        if name in self.unheard:
            guess = self.unheard[name]
            return lambda t: guess.at(t, self.tracks) or track.at(t)
        return track.at

    def _here(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Mean place and speed of a point or body now."""
        if name not in self.fleet.names or not name.endswith(".position"):
            return None
        place, speed = (self.fleet.observe(n) for n in (name, name.replace(".position", ".velocity")))
        return place.mean(axis=0), speed.mean(axis=0)

    # --- what it says -------------------------------------------------------------------------------------------------
    def _estimate(self, updated: bool) -> Estimate:
        rows = self.fleet.rows.copy() if self._shown is None else self._shown
        bias = np.hypot(bias_row(list(self.sensors.values()), rows.mean(axis=0), self.shape), self._held(rows))
        told = health(
            self.file, self.updating, self.tracks, self.counts, self.time, self.misdated,
            self.driver.astray(self.time), self.elsewhere, self.unheard,
            {name: one.spread(self.time) for name, one in self.driver.scatter.items()},
        )  # fmt: skip
        return Estimate(
            self.time, rows, self.shape, parameters(self.updating, self.tracks), told, self.alarms, updated, bias
        )

    def _held(self, rows: np.ndarray) -> np.ndarray:
        """Standard deviation that what drives the system leaves to every number of a row."""
        row = rows.mean(axis=0)
        told = {name.removesuffix(".position"): track.spread for name, track in self.tracks.items()}
        for name, one in self.unheard.items():
            told[name.removesuffix(".position")] = 0.0 if name in self.driver.scatter else one.spread(self.time)
        return held_row(row, self.shape, self.system, told)

    # --- looking ahead ------------------------------------------------------------------------------------------------
    def _ahead(self, seconds: float, live: bool) -> Ahead:
        look, share = self.file.look_ahead, force_share(list(self.sensors.values()), self.fleet.rows.mean(axis=0))
        courses: dict[str, Course] = {}
        for name, track in self.tracks.items():
            guess = self.unheard[name].at(self.time, self.tracks, trend=True) if name in self.unheard else None
            ahead = Straight(*guess, self.time) if guess else going_on(track, name.endswith(LENGTH), self.time)
            if ahead is not None:
                courses[input_of(name)] = ahead
        courses |= {name: of_plan(*plan) for name, plan in self._parts.plans.items()}
        points = {point: here for point in self.shape.points if (here := self._here(f"{point}.position")) is not None}
        key = [self.file.estimate.seed, STOP, self.ticks]
        shares = [share if one.unit == "N" else 0.0 for one in self.watched.values()]
        held, places = self._held(self.fleet.rows), {f"{point}.{axis}" for point in self.shape.points for axis in "xyz"}
        bias = np.array([shares, [float(one.of(held)) if n in places else 0.0 for n, one in self.watched.items()]])
        step, driver = self.forecasting.errors.step, self.driver.copy()
        driver.gather(self.time)  # how it sways ahead past errors tell
        driver.stops = stopping(self.tracks, courses, points, self.system, self.time, self.fleet.members, key)
        return Ahead(
            self.fleet.copy(), self.theta.copy(), self.updating.unknowns, self.watched, courses, driver,
            key=[self.file.estimate.seed, LOOK, self.ticks], walk=look.walk if look else 2.0,
            doubt=float(np.clip(self.updating.consistency, 1.0, INCONSISTENT)), bias=bias, step=step,
            points=max(1, round(seconds / step)), live=live, issued=self.time, wandered=self.time,
        )  # fmt: skip

    def fork(self) -> Fork:
        """A what-if from now on."""
        limits = {name: choice.speed_limit for name, choice in self.file.drive.items()}
        return Fork(self._ahead(0.0, False), self.forecasting.errors, limits)

    # --- a page -------------------------------------------------------------------------------------------------------
    def serve(self, port: int | None = None) -> Served:
        """Show this twin on the live page while a program of yours moves it, to this machine alone.

            with twin.serve() as page:
                print(page.address)
                ...                                       # put and advance as ever

        port  to listen at; that of the file if left out, and any that is free if 0
        """
        from fairlead.live.served import Served

        return Served(self, self.file.server.port if port is None else port)

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
