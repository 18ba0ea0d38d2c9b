"""A system in motion: step it in a loop of your own, or let it run and keep the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead import model
from fairlead.exchange.opening import open_model
from fairlead.formulations.contract import Compiled, Failure
from fairlead.formulations.given_water import GivenWater
from fairlead.hydro import compile_in_water
from fairlead.loads.responses import response_warnings
from fairlead.results.shown import Shown
from fairlead.shape.layout import first_geometry
from fairlead.words import force, number

from . import integrators
from .drives import Drive, InputError
from .errors import SimulationError
from .health import explained, unhealthy
from .inputs import Inputs, commanded
from .outputs import Outputs, channels
from .pacing import Pacer
from .parameters import Change, Parameters
from .progress import Progress
from .ramps import Ramp, ramp
from .schedule import split
from .start import begin

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.formulations.led_ends import LedEnds
    from fairlead.model import System
    from fairlead.statics.report import Report


class Simulation:
    """A compiled system and its state.

    system       a `System`, or the path of a file that describes one
    formulation  how cables move; by default what the system's `simulation.formulation` says
    settings     any other settings of `simulation`, by name: `step=0.1`, `integrator="rk4"`, `bars__theta=0.55`

        sim = Simulation("line.yaml")
        out = sim.step(0.25, inputs={"B.position": (0, 375, 0)})
        out["line.tension_effective"], out.tension_max

    A simulation that has failed stays at its last good state; `step` raises `SimulationError`.

    Python's lock is let go while kernels run: other threads go on meanwhile, and may call `outputs`, which waits for
    the end of the step that is under way. Step one simulation from one thread.
    """

    statics: Report | None = None
    """How the equilibrium that the simulation starts from was found; None when it starts from the first shape."""
    _y: np.ndarray

    def __init__(self, system: System | str | Path, formulation: str | None = None, **settings: Any):
        if isinstance(system, str | Path):
            system = open_model(system)[0]
        elif not isinstance(system, model.System):
            raise TypeError(f"a simulation takes a System or the path of a model file, not {system!r:.60}")
        if formulation is not None:
            settings["formulation"] = formulation
        if settings:
            system = system.with_settings(**settings)
        geometry = first_geometry(system)
        notes = [*map(str, model.warnings(system)), *map(str, response_warnings(system)), *geometry.notes]
        self._take(compile_in_water(system, geometry), notes)
        if not system.simulation.from_first_shape:
            self._drive(0.0)
            self._y, self.statics, notes = begin(self.compiled, self._y, self._inputs.u)
            self.compiled.begin_interval(self._y)
            self.warnings += notes

    @classmethod
    def of(cls, compiled: Compiled) -> Simulation:
        """A simulation of a system that is compiled already, from the formulation's first state."""
        simulation = cls.__new__(cls)
        simulation._take(compiled, [])
        return simulation

    def _take(self, compiled: Compiled, notes: list[str]) -> None:
        settings = compiled.system.simulation
        self.compiled = compiled
        self._parameters = Parameters(compiled)
        self.warnings: list[str] = notes
        """What a user should know, in the order it was found."""
        self.integrator = integrators.create(
            compiled.scheme, compiled, settings.tolerance.relative, settings.tolerance.absolute
        )
        self._step = settings.step
        self._time = 0.0
        self._y = compiled.initial_state()
        compiled.begin_interval(self._y)
        self._inputs = Inputs(compiled)
        self._water: dict[str, tuple[float, np.ndarray, np.ndarray]] = {}
        self._blank_row = compiled.shape.empty_row()
        self._channels = channels(compiled.shape)
        self.warnings += compiled.start_notes(self._step)

    def __repr__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        return self._shown().html()

    def _shown(self) -> Shown:
        """Tensions as they are now."""
        now = self.outputs()
        rows = [["cable", "least tension now", "largest"]]
        for name in self.compiled.shape.cables:
            tension = np.asarray(now[f"{name}.tension_effective"])
            known = tension[np.isfinite(tension)]
            rows.append([name, *(force(float(edge(known))) if known.size else "" for edge in (np.min, np.max))])
        facts = f"t = {number(self._time, 6)} s of a simulation by {self.compiled.formulation}, "
        facts += f"{self.compiled.layout.size} states, steps of {self._step:g} s"
        return Shown(self.system.title or "A simulation", facts, rows, self.warnings)

    @property
    def system(self) -> System:
        """What is simulated, as it is at present."""
        return self._parameters.system

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._time

    @property
    def state(self) -> np.ndarray:
        """A copy of the whole state, (state,); `compiled.layout` says what is where. Assigning sets it.

        With the time it holds all that the next step reads but the inputs that are set live (`inputs`).
        """
        return self._y.copy()

    @state.setter
    def state(self, y: np.ndarray) -> None:
        self.set_state(self._time, y)

    def set_state(self, time: float, y: np.ndarray, inputs: Mapping[str, Any] | None = None) -> None:
        """Go to a time (s) and a state that `state` gave before, of this system; all or nothing is set.

        inputs  what `inputs` gave then, to set these too; by default they stay as they are
        """
        try:
            time, new = float(time), np.array(y, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError("set_state takes a time in s and an array that `state` gave before") from None
        if not np.isfinite(time):
            raise ValueError("the time of a state must be finite")
        fault = self.compiled.check_state(new)
        if fault is not None:
            raise ValueError(f"this is no state of the system: {fault}")
        if inputs:
            self._inputs.set(inputs)
        self.compiled.align(new)
        self._time, self._y = time, new

    def went(self, time: float, y: np.ndarray) -> None:
        """Be at a time (s) and a state that its own steps came to: nothing is checked, nothing copied."""
        self._time, self._y = time, y

    def lead(self, time: float, ends: LedEnds | None, x: np.ndarray, v: np.ndarray) -> None:
        """Go to a time (s) with led ends at places and velocities of their own (ends, 3), all else as it is."""
        with self.compiled.turn:
            if ends is not None:
                ends.put(self._y, x, v)
            self._time = float(time)

    def give_water(
        self, velocity: Mapping[str, np.ndarray], acceleration: Mapping[str, np.ndarray], time: float | None = None
    ) -> None:
        """Say how the water moves at the nodes of cables: what a solver of waves knows, anew before each step.

        velocity      by the names of the cables, (nodes, 3) from start to end, m/s; of all cables
        acceleration  likewise, m/s²; with it the velocity goes on from now
        time          as of when it is, s; by default now

        It is added to the current and the waves of the file, and is felt by cables alone, not by what is attached to
        them. For `lumped` with `lumped: {given_water: true}`. It is no part of the state.
        """
        if time is not None and not np.isfinite(time):
            raise ValueError("the time of the water must be finite, s")
        water = GivenWater(self.compiled)
        for name, cable in self.system.cables.items():
            for given, unit in ((velocity, "m/s"), (acceleration, "m/s2")):
                wanted = (cable.element_count + 1, 3)
                if name not in given or np.shape(given[name]) != wanted or not np.isfinite(given[name]).all():
                    raise ValueError(f"the water at cable '{name}' takes finite numbers {wanted} in {unit}")
        since = self._time if time is None else float(time)
        cables = self.system.cables
        self._water = {name: (since, np.array(velocity[name]), np.array(acceleration[name])) for name in cables}
        self._lay_out(water)

    def _lay_out(self, water: GivenWater) -> None:
        """Write the water that was given where steps read it."""
        with self.compiled.turn:
            for name, (since, velocity, acceleration) in self._water.items():
                water.give(since, name, velocity, acceleration)

    @property
    def inputs(self) -> dict[str, np.ndarray | None]:
        """Every input by name, as it was set live; None where it follows the file."""
        return self._inputs.read()

    def set_inputs(self, values: Mapping[str, Any]) -> None:
        """Set inputs by name until they are set again; None hands one back to the file."""
        self._inputs.set(values)

    @property
    def commands(self) -> np.ndarray:
        """The inputs as kernels read them, (inputs,); NaN where the file decides."""
        return self._inputs.u

    @property
    def is_driven(self) -> bool:
        """Whether inputs change by themselves, so that every step asks for its own."""
        return bool(self._inputs.driven)

    @property
    def parameters(self) -> dict[str, float | tuple[float, ...]]:
        """Physical properties that may be set while the system runs, by their paths in the file, as they are now."""
        return self._parameters.read()

    @property
    def parameter_changes(self) -> tuple[Change, ...]:
        """What `set_parameters` has set, and from when on."""
        return tuple(self._parameters.changes)

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Set physical properties of environment and cable types from now on, all or none; nothing is compiled.

            sim.set_parameters({"environment.current[0].velocity": (0.5, 0, 0), "types.wire.drag.normal": 1.3})

        The state stays as it is: positions, velocities and all that is remembered. What the system is made of, lengths
        and where it starts cannot be set. A run keeps what is set during it in its result.
        """
        self._set_parameters(self._time, values)

    def _set_parameters(self, time: float, values: Mapping[str, Any]) -> None:
        """Set values from a time on; water that was given stays."""
        with self.compiled.turn:
            self._parameters.set(time, values)
            if self._water:
                self._lay_out(GivenWater(self.compiled))

    def restore_parameters(self, changes: Iterable[tuple[float, Mapping[str, Any]]]) -> int:
        """Set again what was set in a run that is resumed, `(time, values)` in order; returns how often it was."""
        before = len(self._parameters.changes)
        for time, values in changes:
            self._set_parameters(float(time), values)
        return len(self._parameters.changes) - before

    def drives(self, inputs: Mapping[str, Any] | None) -> tuple[Drive, ...]:
        """Functions of time (s), `(times, values)` or constants by the names of inputs, checked, for `driven_by`."""
        return self._inputs.drives(inputs)

    @contextmanager
    def driven_by(self, drives: tuple[Drive, ...]) -> Iterator[None]:
        """While entered, `drives` decide on their inputs, before what is set live and what the file says."""
        with self._inputs.driven_by(drives):
            yield

    def step(
        self,
        dt: float,
        inputs: Mapping[str, Any] | None = None,
        *,
        speeds: Mapping[str, Any] | None = None,
        hold: bool = False,
    ) -> Outputs:
        """Advance by dt (s) in equal steps no longer than the file's; returns what is seen then.

        inputs  values by name that are reached at the end of dt, in a straight line from the last ones (of a position
                that was not set before: from where it is); then held until they are set again. None hands one back
        speeds  by name: rates of change at the beginning and at the end of dt, for a smooth way in place of a straight
        hold    take the inputs at once and hold them during all of dt
        """
        if isinstance(dt, bool) or not isinstance(dt, (int, float, np.floating, np.integer)) or not 0.0 < dt < np.inf:
            raise ValueError(f"dt must be a positive number of seconds, not {dt!r}")
        dt = float(dt)
        n, h = split(dt, self._step)
        before = ways = None
        if inputs:
            before = self._inputs.live
            self._inputs.set(inputs)
            if not hold and (n > 1 or speeds):
                try:
                    ways = ramp(before, self._inputs.live, dt, self.compiled.inputs, speeds, self._place)
                except InputError:
                    self._inputs.restore(before)
                    raise
        outcome = self.attempt(n, h, self._time + dt, ways=ways if n > 1 else None)
        if isinstance(outcome, Failure):
            if before is not None and inputs:
                self._inputs.restore(before)
                outcome = commanded(outcome, inputs)
            raise SimulationError(outcome)
        return outcome

    def _place(self, name: str) -> np.ndarray | None:
        """Where a point or body is now whose position is an input; None of other inputs."""
        return np.array(self.outputs()[name]) if name.endswith(".position") and name in self._channels else None

    def attempt(
        self, n: int, h: float, arrival: float, wait: Callable[[float], None] | None = None, ways: Ramp | None = None
    ) -> Outputs | Failure:
        """n steps of h (s), after which it is `arrival` o'clock (s), in one compiled call.

        Where inputs are driven or on their `ways`, or `wait` is to be called with the time after each step, the steps
        go one by one. On failure the simulation stays where it was, at its last good state.
        """
        y = self._y.copy()
        self.compiled.begin_interval(y)
        if wait is not None or ways is not None or self._inputs.driven:
            failure = self._one_by_one(y, n, h, arrival, wait, ways)
        else:
            failure = self._advance(self._time, y, n, h)
        if failure is not None:
            return explained(failure, self.system)
        seen = self._observe(arrival, y, h)
        failure = unhealthy(seen, y, self.compiled)
        if failure is not None:
            return explained(failure, self.system)
        with self.compiled.turn:
            self._time, self._y = arrival, y
        return seen

    def _one_by_one(
        self,
        y: np.ndarray,
        n: int,
        h: float,
        arrival: float,
        wait: Callable[[float], None] | None,
        ways: Ramp | None,
    ) -> Failure | None:
        """Each step under the inputs of its end, which is where controlled points are to be by then."""
        for k in range(n):
            after = arrival if k == n - 1 else self._time + (k + 1) * h
            if ways is not None:
                ways.write((k + 1) / n, self._inputs.u)
            failure = self._inputs.at(after)
            if failure is None:
                failure = self._advance(self._time + k * h, y, 1, h)
                failure = failure and commanded(failure, self._inputs.driven)
            if failure is not None:
                return failure
            if wait is not None:
                wait(after)
        return None

    def _advance(self, t: float, y: np.ndarray, n: int, h: float) -> Failure | None:
        with self.compiled.turn:
            return self.integrator.advance(t, y, n, h, self._inputs.u)

    def outputs(self) -> Outputs:
        """What is seen now."""
        with self.compiled.turn:
            self._drive(self._time)
            return self._observe(self._time, self._y, self._step)

    def _drive(self, time: float) -> None:
        """Bring driven inputs to a time."""
        failure = self._inputs.at(time)
        if failure is not None:
            raise SimulationError(failure)

    def _observe(self, time: float, y: np.ndarray, h: float) -> Outputs:
        row = self._blank_row.copy()
        with self.compiled.turn:
            self.compiled.look(time, y, self._inputs.u, self.integrator.observation_step(h), row)
        return Outputs(time, row, self.compiled.shape, self._channels)

    def warm_up(self) -> None:
        """Have everything compiled (or fetched from the disk) that stepping needs; moves nothing."""
        self._advance(self._time, self._y.copy(), 0, self._step)
        self._observe(self._time, self._y, self._step)

    def run(
        self,
        duration: float | None = None,
        output: str | Path | None = None,
        progress: Progress | bool | None = None,
        resume: bool = False,
        stop: Callable[[], bool] | None = None,
        inputs: Mapping[str, Any] | None = None,
        real_time: bool = False,
        speed: float = 1.0,
        *,
        return_when_interrupted: bool = False,
    ) -> xr.Dataset:
        """Run for `duration` seconds (by default the file's) from the present time and record it.

        output     result file; it can be read while the run lasts and survives a kill. None keeps all in memory
        progress   True for a bar on a terminal or in a notebook, or an object of your own
        resume     go on from where the run that wrote `output` came to, as if it had never stopped
        stop       asked once an output interval; a true answer ends the run
        inputs     what drives inputs during this run, by name: a function of time (s), `(times, values)` (linear
                   between, held beyond the ends) or a constant; asked for the end of every step
        real_time  keep to the clock: no step before it is due, late ones are counted in the result's `late_steps`
                   and `worst_lateness` (s)
        speed      with `real_time`, simulated seconds in a second of the clock

        return_when_interrupted  hand the result back after Ctrl-C or SIGTERM, too; by default these go on their way
                   (KeyboardInterrupt, end of the process) once what was computed until then is in `output`

        The Dataset's attribute `status` is "complete", or "stopped: " and why: then it holds what was computed until
        then. A disk that is full for a while costs nothing; where the result cannot be written to the end, `status`
        says so. Of a result of more than 1 GB each variable is read from `output` when it is asked for.
        """
        from .run import record

        pacer = Pacer(speed) if real_time else None
        return record(self, output, duration, progress, resume, stop, inputs, pacer, return_when_interrupted).dataset()


def simulate(
    system: System | str | Path,
    formulation: str | None = None,
    *,
    output: str | Path | None = None,
    progress: Progress | bool | None = None,
    **settings: Any,
) -> xr.Dataset:
    """Simulate a system (or the file that describes it) for its whole duration and return the result.

    `settings` are any of the system's `simulation` settings by name (`duration=100, step=0.05`). A run that could not
    go on to its end gives what it computed and a RuntimeWarning; `result.attrs["status"]` says why.
    """
    import warnings

    result = Simulation(system, formulation, **settings).run(output=output, progress=progress)
    if result.attrs["status"] != "complete":
        warnings.warn(f"the run was {result.attrs['status']}", RuntimeWarning, stacklevel=2)
    return result
