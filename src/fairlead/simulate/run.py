"""One recorded run: from sample to sample until its end, a failure or an interruption, with the result safe on disk."""

from __future__ import annotations

import contextlib
import json
import time as clocks
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead import __version__
from fairlead.formulations.contract import Failure
from fairlead.model import System
from fairlead.model.sampling import shortest_period, start_up
from fairlead.results import Recorder, Restart, ResultError, fingerprint, is_sealed, open_result, read_restart
from fairlead.results.energy import STORED, WORKS, EnergyBalance, balance_of, poor_balance
from fairlead.results.observation import NODE_COLUMNS
from fairlead.results.places import followed
from fairlead.rigging.slack import breaking_loads
from fairlead.sea.waves import wave_components
from fairlead.shape.line_distance import LineDistances, Nearest
from fairlead.words import NOTE

from .drawn_hulls import drawn_hulls
from .drives import Drive
from .errors import SimulationError
from .health import explained, unhealthy
from .interrupts import Interrupts
from .landings import landing_note
from .linear_range import beyond_linear
from .lock import ResultLock
from .outputs import Outputs
from .pacing import Pacer
from .progress import Progress, Silent, for_watcher
from .schedule import Schedule
from .snaps import SnapWatch

if TYPE_CHECKING:
    from fairlead.rigging.slack import Peak

    from .simulation import Simulation

FIRST_FLUSH = 0.25
"""Seconds after which the first samples are on the disk."""
SHORT_INTERVAL = 300_000
"""Steps between samples times numbers of the state, up to which an interval is over within that time."""


def _waves(system: System) -> dict[str, object]:
    """The regular waves of the sea as rows [amplitude, kx, ky, omega, phase], and the time over which they grow."""
    waves = system.environment.waves
    if waves is None:
        return {}
    rows = np.round(wave_components(system.environment), 12).tolist()
    return {"wave_components": json.dumps(rows), "wave_ramp": waves.ramp}


def _periods(system: System) -> dict[str, object]:
    """Until when the run is starting, and the shortest period that its samples are to show."""
    shortest = shortest_period(system)
    found: dict[str, object] = {"start_up": start_up(system)}
    return found if shortest is None else {**found, "shortest_period": shortest[1], "shortest_period_of": shortest[0]}


def record(simulation: Simulation, output: str | Path | None = None, *how: Any, **named: Any) -> Recorder:
    """Carry out a `Run`; nobody else writes to `output` meanwhile."""
    with ResultLock(None if output is None else followed(Path(output))):
        return Run(simulation, output, *how, **named).carry_out()


class Run:
    """What `Simulation.run` does, in one place; see there for the arguments."""

    def __init__(
        self,
        simulation: Simulation,
        output: str | Path | None = None,
        duration: float | None = None,
        progress: Progress | bool | None = None,
        resume: bool = False,
        stop: Callable[[], bool] | None = None,
        inputs: Mapping[str, Any] | None = None,
        pacer: Pacer | None = None,
        hand_back: bool = False,
    ):
        settings = simulation.system.simulation
        length = settings.duration if duration is None else _seconds(duration)
        self._simulation = simulation
        self._drives = simulation.drives(inputs)
        self._pacer = pacer
        self._output = None if output is None else Path(output)
        self._progress: Progress = for_watcher() if progress is True else progress or Silent()
        self._stop = stop
        self._interrupts = Interrupts()
        self._hand_back = hand_back
        self._schedule = Schedule(simulation.time, length, settings.output_every, settings.step)
        self._identity = _identity(simulation, self._drives)
        self._notes = list(simulation.warnings)
        self._tension_max = -np.inf
        self._changes_before = len(simulation.parameter_changes)
        self._changes = 0
        self._snaps = SnapWatch(simulation, self._schedule)
        if resume:
            self._resume()
        else:
            self._recorder = self._new_recorder()

    def _new_recorder(self) -> Recorder:
        return Recorder(self._output, self._simulation.compiled.shape, self._metadata(), **self._recording())

    def _recording(self) -> dict[str, Any]:
        outputs = self._simulation.system.outputs
        return {
            "cables": outputs.cables,
            "energy": outputs.energy,
            "expected_samples": self._schedule.intervals + 1,
        }

    def _metadata(self, act: str = "started") -> dict[str, object]:
        simulation, system = self._simulation, self._simulation.system
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return {
            "title": system.title,
            "description": system.description,
            "formulation": simulation.compiled.formulation,
            "integrator": simulation.integrator.name,
            "fairlead_version": __version__,
            "input_file": system.source.text if system.source is not None else "",
            "settings": system.model_dump_json(),
            "start": _start(simulation),
            "warnings": list(self._notes),
            **_waves(system),
            **_periods(system),
            **drawn_hulls(system),
            **({"inputs": {drive.name: drive.record for drive in self._drives}} if self._drives else {}),
            "history": f"{now} {act} by fairlead {__version__}",
        }

    def _resume(self) -> None:
        """Take up the run whose result is at the output path; where there is none yet, begin it."""
        if self._output is None:
            raise ValueError("only a run with an output file can be resumed")
        if not self._output.exists():
            self._recorder = self._new_recorder()
            return
        restart = read_restart(self._output)
        if not is_sealed(self._output):
            raise ResultError(
                f"{self._output}: cannot resume, another program has changed the file since its run wrote it; take it "
                "as it was, or start a new run"
            )
        layout = self._simulation.compiled.layout.fingerprint
        restart.require(layout=layout, input_hash=self._identity, path=str(self._output))
        shape, schedule, sample = self._simulation.compiled.shape, self._schedule, restart.samples - 1
        if sample > schedule.intervals:
            raise ResultError(
                f"{self._output}: cannot resume, it has reached {restart.time:.9g} s already and the run is to end at "
                f"{schedule.end:.9g} s; give a longer duration"
            )
        if restart.time != schedule.time(sample):
            raise ResultError(
                f"{self._output}: cannot resume, its last sample at {restart.time:.9g} s is none of the samples asked "
                f"for (every {schedule.every:.9g} s); start a new run"
            )
        earlier = open_result(self._output).attrs
        metadata = self._metadata(f"resumed at {restart.time:.9g} s")
        if "parameter_changes" in earlier:
            metadata["parameter_changes"] = earlier["parameter_changes"]
        metadata["history"] = f"{earlier.get('history', '')}\n{metadata['history']}".lstrip()
        if earlier.get("fairlead_version") != __version__:
            self._notes.append(
                f"begun by fairlead {earlier.get('fairlead_version')}, resumed by {__version__}: the parts may differ"
            )
        try:
            self._simulation.set_state(restart.time, restart.y)
            self._changes = self._simulation.restore_parameters(json.loads(earlier.get("parameter_changes", "[]")))
        except ValueError as error:
            raise ResultError(f"{self._output}: cannot resume, {error}; start the run again") from None
        self._recorder = Recorder.resume(self._output, shape, metadata, restart, **self._recording())
        column = self._recorder.shape.column("tension_max")
        self._tension_max = max(float(np.max(rows[:, column])) for _, rows in self._recorder.blocks())

    @property
    def _sample(self) -> int:
        """Number of the last sample recorded, 0 at the start of the run."""
        return self._recorder.samples - 1

    def carry_out(self) -> Recorder:
        """Run to the end or to whatever stops it; the recorder holds the result, whose status says which.

        An interruption goes on its way once the result is written, unless the result is to be handed back even then.
        """
        with self._simulation.driven_by(self._drives):
            self._carry_out()
        if not self._hand_back:
            self._interrupts.again()
        return self._recorder

    def _carry_out(self) -> None:
        simulation, recorder = self._simulation, self._recorder
        simulation.warm_up()
        if recorder.samples == 0:
            self._record_first()
        began = simulation.time
        self._progress.begin(began, self._schedule.end)
        steps, _ = self._schedule.steps(self._sample)
        if self._pacer is not None or steps * simulation.state.size > SHORT_INTERVAL:
            recorder.flush(self._restart)  # what writing needs is loaded before steps are due; and a kill may come
        if self._pacer is not None:
            self._pacer.begin(began)
        wall, cpu = clocks.perf_counter(), clocks.process_time()
        self._first_flush = wall + FIRST_FLUSH
        try:
            status = self._until_stopped()
            wall, cpu = clocks.perf_counter() - wall, clocks.process_time() - cpu
            peaks = self._finer_peaks() if status == "complete" else {}
        except BaseException as error:  # of what the caller had called in between
            with contextlib.suppress(ResultError):
                at_sample = simulation.time == recorder.last_time
                recorder.close(f"stopped: {str(error) or type(error).__name__}", self._restart if at_sample else None)
            raise
        finally:
            self._progress.close()
        _, h = self._schedule.steps(0)
        snaps = simulation.compiled.snaps(simulation.state)
        self._notes += () if snaps is None else snaps.notes(h, peaks, breaking_loads(simulation.system))
        self._notes += (*simulation.compiled.end_notes(simulation.state, h), *recorder.notes)
        balance, shape = self._balance(), recorder.shape
        self._notes += simulation.compiled.peak_notes(self._tension_max)
        landed = landing_note(simulation.system, balance, h, shape, (rows for _, rows in recorder.blocks()))
        told = any(not note.startswith(NOTE) for note in landed)  # the balance is poor by what landed
        self._notes += landed if told else (*poor_balance(balance), *landed)
        geometry = simulation.compiled.geometry
        axes = {} if geometry is None else geometry.axes
        self._notes += beyond_linear(simulation.system, shape, (rows for _, rows in recorder.blocks()), axes)
        nearest = self._nearest_lines()
        self._notes += (nearest.warning(),) if nearest is not None and nearest.touching else ()
        recorder.metadata |= {
            "warnings": list(dict.fromkeys(self._notes)),
            **({} if nearest is None else {"line_distance": json.dumps(nearest.plain())}),
            **simulation.compiled.report(simulation.state),
            "steps": self._schedule.steps_until(self._sample),
            "simulated_time": simulation.time - began,
            "wall_time": wall,
            "cpu_time": cpu,
            **(self._pacer.report() if self._pacer is not None else {}),
        }
        try:
            recorder.close(status, self._restart)
        except ResultError as error:
            if not recorder.is_begun:  # a place where nothing can be written, of a run too short to have found out
                raise
            recorder.metadata["status"] = f"stopped: {error}"  # what was computed is not lost with the file

    def _finer_peaks(self) -> dict[str, Peak]:
        """What snap loads are with a tenth of the step; whoever has no time for that interrupts it, and the run is
        complete all the same."""
        if not self._snaps.doubtful(self._sample):
            return {}
        with contextlib.suppress(ResultError):  # a disk that is full is told at the end
            self._recorder.flush(self._restart)  # a kill meanwhile leaves all samples
        with self._interrupts as interrupts:
            try:
                return self._snaps.finer(self._sample, lambda: interrupts.received is not None)
            except KeyboardInterrupt:
                interrupts.received = interrupts.received or "interrupted"
                return {}

    def _nearest_lines(self) -> Nearest | None:
        """Where two cables were nearest to each other, of all samples."""
        shape = self._recorder.shape
        if len(shape.cables) < 2:
            return None
        arcs = {name: np.array(along) for name, along in zip(shape.cables, shape.arc_length, strict=True)}
        lines = LineDistances(self._simulation.system, arcs)
        for times, rows in self._recorder.blocks():
            nodes = rows[:, shape.node_block].reshape(len(rows), -1, NODE_COLUMNS)[:, :, :3]
            for time, places in zip(times, nodes, strict=True):
                lines.take(float(time), places)
        return lines.nearest

    def _balance(self) -> EnergyBalance:
        """Of the energies recorded so far."""
        names = (*STORED, *WORKS)
        columns = [self._recorder.shape.column(name) for name in names]
        times, rows = zip(*((times, rows[:, columns]) for times, rows in self._recorder.blocks()), strict=True)
        return balance_of(np.concatenate(times), dict(zip(names, np.concatenate(rows).T, strict=True)))

    def _until_stopped(self) -> str:
        """Sample after sample; returns the status of the run when it is over."""
        simulation = self._simulation
        with self._interrupts as interrupts:
            wait = self._waiting(interrupts)
            try:
                while self._sample < self._schedule.intervals:
                    if interrupts.received:
                        return f"stopped: {interrupts.received} at t = {simulation.time:.9g} s"
                    if self._stop is not None and self._stop():
                        return f"stopped: on request at t = {simulation.time:.9g} s"
                    failure = self._next_sample(wait)
                    if failure is not None:
                        return f"stopped: {failure}"
                    self._keep()
            except KeyboardInterrupt:
                # It may have come between a step and its record; the state to resume from belongs to the last sample.
                if simulation.time > self._recorder.last_time:
                    self._record(simulation.outputs())
                if interrupts.received is None:
                    interrupts.note()
                return f"stopped: interrupted at t = {simulation.time:.9g} s"
        return "complete"

    def _keep(self) -> None:
        """Have samples on the disk in good time, so that a kill costs little. The first go there soon, which is an
        error where nothing can be written; most runs are over before, and write their result once."""
        if self._recorder.is_begun:
            self._recorder.maybe_flush(self._restart)
        elif self._recorder.path is not None and clocks.perf_counter() >= self._first_flush:
            self._recorder.flush(self._restart)

    def _record_first(self) -> None:
        """The first sample; a system that cannot even be looked at is an error, not a run."""
        seen = self._simulation.outputs()
        failure = unhealthy(seen, self._simulation.state, self._simulation.compiled)
        if failure is not None:
            raise SimulationError(explained(failure, self._simulation.system))
        self._record(seen)

    def _waiting(self, interrupts: Interrupts) -> Callable[[float], None] | None:
        """What keeps each step to the clock; once interrupted, the rest of the interval is no longer waited for."""
        pacer = self._pacer
        return None if pacer is None else lambda time: pacer.wait(time, lambda: interrupts.received is not None)

    def _next_sample(self, wait: Callable[[float], None] | None) -> Failure | None:
        """Advance by one output interval and record what is seen then."""
        simulation, schedule = self._simulation, self._schedule
        n, h = schedule.steps(self._sample)
        outcome = simulation.attempt(n, h, schedule.time(self._sample + 1), wait)
        if isinstance(outcome, Failure):
            return outcome
        self._record(outcome)
        return None

    def _record(self, seen: Outputs) -> None:
        self._recorder.append(seen.time, seen.row)
        self._snaps.sampled(self._sample)
        self._note_changes()
        self._tension_max = max(self._tension_max, seen.tension_max)
        if self._recorder.samples > 1:
            self._progress.update(seen.time, self._tension_max)

    def _note_changes(self) -> None:
        """Parameters that were set since the run began belong to its result, and to whoever resumes it."""
        changes = self._simulation.parameter_changes[self._changes_before :]
        if len(changes) > self._changes:
            self._changes = len(changes)
            rows = [[change.time, change.values] for change in changes]
            self._recorder.renew({"parameter_changes": json.dumps(rows)}, self._restart)

    def _restart(self) -> Restart:
        simulation = self._simulation
        return Restart(
            time=simulation.time,
            steps=self._schedule.steps_until(self._sample),
            y=simulation.state,
            layout=simulation.compiled.layout.fingerprint,
            input_hash=self._identity,
        )


def _start(simulation: Simulation) -> str:
    """How the run began, in a word or a sentence."""
    if simulation.statics is not None:
        return f"statics: {simulation.statics}"
    asked = simulation.system.simulation
    return asked.start if asked.from_first_shape else "catenary"


def _identity(simulation: Simulation, drives: tuple[Drive, ...]) -> str:
    """Fingerprint of all that decides the numbers of a run: the system as it is run, but for how long.

    Of a function that drives an input only the name is known.
    """
    system = simulation.system.model_dump(mode="json")
    for name in ("title", "description"):
        system.pop(name)
    system["simulation"].pop("duration")
    given = [{drive.name: drive.record for drive in drives}] if drives else []
    return fingerprint(json.dumps([system, simulation.compiled.formulation, *given], sort_keys=True))


def _seconds(duration: object) -> float:
    """A duration someone gave."""
    if isinstance(duration, bool) or not isinstance(duration, Real) or not 0.0 < float(duration) < np.inf:
        raise ValueError(f"duration must be a positive number of seconds, not {duration!r}")
    return float(duration)
