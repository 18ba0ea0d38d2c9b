"""A twin's file held against its system before anything runs: every mistake at once."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairlead import model
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError, Problem, System
from fairlead.model.problems import suggestion
from fairlead.model.units import UnitError
from fairlead.simulate import Simulation

from .courses import input_of
from .file import TwinFile
from .quantities import Watched, of_limit, watched
from .sensors import Misfit, Sensor
from .unknowns import Unknowns, prepared, unknowns
from .watching import Limit, limits_of

Plan = tuple[np.ndarray, np.ndarray]
"""Times (n,) [s] and values (n, size) of an input."""


@dataclass
class Ready:
    """A twin that can be started."""

    file: TwinFile
    simulation: Simulation
    sensors: list[Sensor]
    unknowns: Unknowns
    limits: list[Limit]
    watched: dict[str, Watched]
    plans: dict[str, Plan]
    notes: list[str]
    mixes: bool
    """Whether an update changes states, too."""

    @property
    def system(self) -> System:
        return self.simulation.system


def ready(file: TwinFile, system: System | None = None) -> Ready:
    """The twin's parts; `ModelError` lists all that is wrong.

    system  what to run, in place of the file that the twin names
    """
    folder = Path(file.source.path).parent if file.source is not None else Path()
    if system is None:
        system = model.load(folder / file.system)
    problems: list[Problem] = []
    system = prepared(system, file.estimate.parameters)
    if system.simulation.bars.scheme is None:  # measured motion is noisy, and only the first-order step damps that
        system = system.with_settings(bars__scheme="first_order")
    origin = file.clock.origin
    found, wrong = unknowns(system, file.estimate.parameters, None if origin is None else origin.heading)
    problems += [file.problem(("estimate", "parameters", n, m.key), str(m), m.hint) for n, m in wrong]
    step = system.simulation.step
    if file.clock.rate * step > 1.0 + 1e-9:
        message = f"{file.clock.rate:g} Hz is more often than the system's step of {step:g} s"
        problems.append(file.problem(("clock", "rate"), message, f"use {1 / step:g} Hz at most, or a smaller step"))
    simulation = Simulation(system)
    sensors = _sensors(file, simulation, problems)
    _drives(file, simulation, problems)
    limits = _limits(file, simulation, problems)
    plans = _plans(file, simulation, folder, problems)
    if not problems and found.numbers:
        _parameters(file, simulation, found, problems)
    if problems:
        raise ModelError(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))
    numbers = {**watched(system, simulation.compiled.shape), **{one.watched.name: one.watched for one in limits}}
    mixes, notes = _mixes(file, system)
    if file.not_described:
        names = ", ".join(f"'{name}'" for name in file.not_described)
        notes.append(f"inputs: {names} are described nowhere: a program has to put what they say")
    return Ready(file, simulation, sensors, found, limits, numbers, plans, [*simulation.warnings, *notes], mixes)


def _sensors(file: TwinFile, simulation: Simulation, problems: list[Problem]) -> list[Sensor]:
    system, found = simulation.system, []
    on_winch = frozenset(name for name, cable in system.cables.items() if cable.winch is not None)
    for name, choice in file.sensors.items():
        if choice.measures in file.drive:
            hint = "GPS that drives a point teaches nothing: measure something else too"
            problems.append(file.problem(("sensors", name, "measures"), f"'{choice.measures}' is driven", hint))
            continue
        try:
            found.append(Sensor.of(name, choice, simulation.compiled.shape, on_winch))
        except Misfit as misfit:
            problems.append(file.problem(("sensors", name, misfit.key), str(misfit), misfit.hint))
    return found


def _drives(file: TwinFile, simulation: Simulation, problems: list[Problem]) -> None:
    known = simulation.compiled.inputs
    for name in file.drive:
        if input_of(name) not in known:
            hint = suggestion(name, known, "make a point 'controlled' to move it")
            problems.append(file.problem(("drive", name), f"there is no input '{name}'", hint))
        elif any(f"{choice.of}.position" == name for choice in file.estimate.parameters.values()):
            problems.append(file.problem(("drive", name), "is estimated, too", "let one of both decide where it is"))


def _limits(file: TwinFile, simulation: Simulation, problems: list[Problem]) -> list[Limit]:
    found: list[Limit] = []
    for k, choice in enumerate(file.limits):
        try:
            found += limits_of(choice, of_limit(choice, simulation.system, simulation.compiled.shape))
        except Misfit as misfit:
            problems.append(file.problem(("limits", k, misfit.key), str(misfit), misfit.hint))
        except UnitError as error:
            key = "above" if choice.above is not None else "below"
            problems.append(file.problem(("limits", k, key), str(error), error.hint))
    return found


def _parameters(file: TwinFile, simulation: Simulation, found: Unknowns, problems: list[Problem]) -> None:
    """Whether the formulation lets members have properties of their own."""
    paths = found.paths(np.zeros((1, len(found.numbers))))
    try:
        for path, values in paths.items():
            simulation.set_parameters({path: values[0]})
        simulation._parameters.changes.clear()
    except (UnsupportedSystem, ValueError) as error:
        problems.append(file.problem(("estimate", "parameters"), str(error), "use formulation: bars"))


def _mixes(file: TwinFile, system: System) -> tuple[bool, list[str]]:
    """Whether states are mixed, and a note where that is not done although it was asked for."""
    if file.estimate.state == "parameters" or file.estimate.method == "none":
        return False, []
    winches = [name for name, cable in system.cables.items() if cable.winch is not None]
    rings = [name for name, point in system.points.items() if point.kind == "sliding"]
    released = [n for n, c in system.cables.items() if any(e.release is not None for e in (c.start, c.end))]
    for what, names in (("a winch", winches), ("a ring", rings), ("an end that is released", released)):
        if names:
            return False, [f"estimate.state: '{names[0]}' has {what}: only parameters are updated, not shapes"]
    return True, []


def _plans(file: TwinFile, simulation: Simulation, folder: Path, problems: list[Problem]) -> dict[str, Plan]:
    """What drives are planned to do, from the columns `time` and `stern.position.x` of a CSV file."""
    if file.look_ahead is None or file.look_ahead.plan is None:
        return {}
    place, path = ("look_ahead", "plan"), folder / file.look_ahead.plan
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            header, *rows = [row for row in csv.reader(stream) if row]
        table = np.array([[float(x) for x in row] for row in rows])
        if table.ndim != 2 or table.shape[1] != len(header) or header[0].strip() != "time":
            raise ValueError("its first line names its columns, the first of which is 'time'")
        plans: dict[str, Plan] = {}
        for name in dict.fromkeys(column.strip().rpartition(".")[0] for column in header[1:]):
            if name not in simulation.compiled.inputs:
                raise ValueError(f"there is no input '{name}'; {suggestion(name, simulation.compiled.inputs)}")
            columns = [k for k, column in enumerate(header) if column.strip().rpartition(".")[0] == name]
            limit = file.drive[name].speed_limit if name in file.drive else np.inf
            plans[name] = checked_plan(name, table[:, 0], table[:, columns], limit)
        return plans
    except (OSError, ValueError) as error:
        problems.append(file.problem(place, f"{path.name}: {error}"))
        return {}


def checked_plan(name: str, times: object, values: object, speed_limit: float) -> Plan:
    """A plan of an input; raises `ValueError` where times do not grow or it jumps."""
    t, v = np.asarray(times, dtype=np.float64), np.asarray(values, dtype=np.float64)
    v = v[:, None] if v.ndim == 1 else v
    if t.ndim != 1 or len(t) == 0 or len(v) != len(t) or not (np.isfinite(t).all() and np.isfinite(v).all()):
        raise ValueError(f"the plan of '{name}' takes times (n,) and values (n, size), all finite")
    if (np.diff(t) <= 0.0).any():
        raise ValueError(f"the plan of '{name}': times must grow")
    speeds = np.linalg.norm(np.diff(v, axis=0), axis=1) / np.diff(t)
    if (speeds > speed_limit).any():
        k = int(np.argmax(speeds))
        raise ValueError(f"the plan of '{name}' jumps: {speeds[k]:.3g} m/s from {t[k]:g} s on; give rows between")
    return t, v
