"""A study made ready: its system, its scenarios and what is kept, or everything that is wrong with it at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairlead.ensembles.channels import Channel, UnknownChannel, channels
from fairlead.ensembles.wanted import Wanted
from fairlead.exchange.opening import open_model
from fairlead.exchange.wording import STUDY
from fairlead.model import System
from fairlead.model.loader import read_text
from fairlead.model.problems import ModelError, Problem, shown, suggestion
from fairlead.model.units import KINDS
from fairlead.model.values import Quantity
from fairlead.words import percentage

from .design import MOST_SCENARIOS, Scenarios
from .factors import LOST, Factor, FactorError, factor
from .file import Statistics, StudyFile, parsed_target, read_study, readable_parts
from .loss import without_cable
from .places import place_at
from .tables import TableError, read_table, weights_of

SHARES = 1000
"""Values of a distribution that are held against the rule of its place."""
MOST_SYSTEMS = 100
"""Systems made as a whole to find what is wrong between their parts; the others are seen when they are run."""


@dataclass(frozen=True)
class Ready:
    """A study that can be run.

    system     what every scenario is a variant of, with the study's own duration, step and samples
    wanted     what is kept
    """

    file: StudyFile
    system: System
    scenarios: Scenarios
    wanted: tuple[Wanted, ...]

    def scenario(self, i: int) -> System:
        """The system of scenario i, checked; raises `ModelError`."""
        return made(self.system, self.scenarios.values(i))

    @property
    def kept_time(self) -> float:
        """Time of every run that statistics are made of, s."""
        return self.system.simulation.duration - self.file.run.discard


def made(system: System, values: dict[str, Any]) -> System:
    """The system with values at their paths, and without a cable where one is lost."""
    lost = values.get(LOST, "")
    found = system.with_values({path: value for path, value in values.items() if path != LOST})
    return without_cable(found, lost) if lost else found


def ready(file: StudyFile, system: System | None = None, partial: bool = False) -> Ready:
    """The study, checked against its system before anything runs; `ModelError` lists all that is wrong.

    system   what to run, in place of the file that the study names
    partial  only parts of the study could be read, and are held against the system each by itself
    """
    folder = Path(file.source.path).parent if file.source is not None else Path()
    if system is None:
        system = open_model(folder / file.system, wording=STUDY)[0]
    problems: list[Problem] = []
    system = _as_run(file, system, problems)
    wanted = _wanted(file, system, problems)
    scenarios = _scenarios(file, system, folder, problems)
    problems += _values_wrong(file, system, scenarios, alone=partial or bool(problems))
    if problems:
        raise ModelError(_in_order(problems))
    return Ready(file, system, scenarios, wanted)


def read_ready(path: str | os.PathLike[str], system: System | None = None) -> Ready:
    """The study of a file, made ready; mistakes of its form are told together with those of the values beside them."""
    text = read_text(path)
    try:
        file = read_study(text, str(path))
    except ModelError as error:
        problems = list(error.problems)
        rest = readable_parts(text, str(path))
        if rest is not None:
            try:
                ready(rest, system, partial=True)
            except ModelError as beside:
                problems += beside.problems
        raise ModelError(_in_order(problems)) from None
    return ready(file, system)


def _in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Each once, as they stand in the file."""
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.line or 0, problem.column or 0))


def _as_run(file: StudyFile, system: System, problems: list[Problem]) -> System:
    """The system with the study's own times."""
    run = file.run
    given = {"duration": run.duration, "step": run.step, "output_every": run.sample}
    try:
        system = system.with_values({f"simulation.{key}": value for key, value in given.items() if value is not None})
    except ModelError as error:
        for problem in error.problems:
            key = problem.path.removeprefix("simulation.").replace("output_every", "sample")
            problems.append(file.problem(("run", key), problem.message, problem.hint))
        return system
    if run.discard >= system.simulation.duration:
        message = f"{run.discard:.9g} s leave nothing of a run of {system.simulation.duration:.9g} s"
        problems.append(file.problem(("run", "discard"), message, "discard less, or run longer"))
    return system


# --- what is kept ----------------------------------------------------------------------------------------------------


def _wanted(file: StudyFile, system: System, problems: list[Problem]) -> tuple[Wanted, ...]:
    found: dict[str, Wanted] = {}
    for pattern, statistics in file.keep.channels.items():
        try:
            chosen = channels(system, pattern)
        except UnknownChannel as error:
            problems.append(file.problem(("keep", pattern), str(error)))
            continue
        for channel in chosen:
            if _is_at_winch(channel, system):
                message = f"'{channel.name}' is not known: nodes at a winch come and go"
                cure = f"keep {channel.name.replace('tension', 'force')}"
                problems.append(file.problem(("keep", pattern), message, cure))
            levels = {}
            for key in ("exceeds", "upcrossings"):
                levels[key], wrong = _levels(getattr(statistics, key), channel.unit)
                problems += [file.problem(("keep", pattern, key), text) for text in wrong]
            if channel.name in found:
                message = f"'{channel.name}' is kept twice"
                problems.append(file.problem(("keep", pattern), message, "name it once, with all that is kept of it"))
            found[channel.name] = _of(channel, statistics, levels)
            if statistics.block_maxima and statistics.block_maxima > system.simulation.duration - file.run.discard:
                message = f"blocks of {statistics.block_maxima:g} s are longer than what is kept of a run"
                problems.append(file.problem(("keep", pattern, "block_maxima"), message, "use shorter blocks"))
    if not problems:
        problems += _references_wrong(file, found)
    return tuple({id(one): one for one in found.values()}.values())


def _is_at_winch(channel: Channel, system: System) -> bool:
    """Whether a channel is the tension at an end where a winch makes and takes elements."""
    winch = system.cables[channel.owner].winch if channel.owner in system.cables else None
    if winch is None or winch.mode != "drum" or channel.quantity != "tension":
        return False
    return channel.end == ("start", "end").index(winch.end)


def _of(channel: Any, statistics: Statistics, levels: dict[str, tuple[float, ...]]) -> Wanted:
    return Wanted(
        channel,
        statistics.mean,
        statistics.std,
        statistics.min,
        statistics.max,
        statistics.percentiles,
        levels["exceeds"],
        levels["upcrossings"],
        statistics.rainflow.m if statistics.rainflow is not None else (),
        statistics.block_maxima or 0.0,
    )


def _levels(given: Iterable[Any], unit: str) -> tuple[tuple[float, ...], list[str]]:
    """Levels in the unit of a channel, and what is wrong with those that are none."""
    found, wrong = [], []
    for value in given:
        try:
            found.append(Quantity(unit if unit in KINDS else "1").read(value))
        except Exception as error:  # pydantic's own, which says what is wrong
            context = getattr(error, "context", None) or {}
            wrong.append("; ".join(filter(None, (context.get("message"), context.get("hint")))) or str(error))
    return tuple(found), wrong


def _references_wrong(file: StudyFile, kept: dict[str, Wanted]) -> Iterable[Problem]:
    """Channels that are named by `histories` and `stop` must be kept."""
    histories = file.keep.histories
    if histories is not None and histories.worst is not None:
        largest, _, name = histories.worst
        place, statistic = ("keep", "histories", "scenarios"), "max" if largest else "min"
        yield from _not_kept(file, place, name, statistic, kept)
    for name, text in file.stop.converged.items():
        yield from _not_kept(file, ("stop", "converged", name), name, parsed_target(text)[1], kept)


def _not_kept(
    file: StudyFile, place: tuple[str | int, ...], name: str, statistic: str, kept: dict[str, Wanted]
) -> Iterable[Problem]:
    if name not in kept:
        yield file.problem(place, f"'{name}' is not among what is kept", suggestion(name, kept))
        return
    columns = [column.statistic for column in kept[name].columns(0.0)]
    if statistic not in columns:
        yield file.problem(place, f"'{statistic}' of '{name}' is not kept", f"add it to keep: {name}: [{statistic}]")


# --- what varies -----------------------------------------------------------------------------------------------------


def _scenarios(file: StudyFile, system: System, folder: Path, problems: list[Problem]) -> Scenarios:
    """Scenarios of all that can be understood."""
    if file.design.kind == "table":
        return _tabled(file, folder / str(file.design.table), problems)
    factors: list[Factor] = []
    owner: dict[str, str] = {}
    for name, variation in file.vary.items():
        try:
            made = factor(name, variation, system, folder)
        except FactorError as error:
            problems.append(file.problem(("vary", name, error.key), str(error)))
            continue
        for path in made.paths:
            if path in owner:
                message = f"'{path}' is set by '{owner[path]}' too"
                problems.append(file.problem(("vary", name), message, "let one of them vary it"))
            owner[path] = name
        factors.append(made)
    found = Scenarios(factors, file.design.kind, file.design.count, file.seed)
    if len(found) > MOST_SCENARIOS:
        message = f"makes {len(found):,} scenarios, more than {MOST_SCENARIOS:,}"
        problems.append(file.problem(("design",), message, "use fewer values, or design: {sample: 10000}"))
    return found


def _tabled(file: StudyFile, path: Path, problems: list[Problem]) -> Scenarios:
    place = ("design", "table")
    try:
        header, rows = read_table(path)
        weights = [1.0] * len(rows)
        if "weight" in header:
            at = header.index("weight")
            weights = weights_of(path, "weight", [row.pop(at) for row in rows])
            header.pop(at)
        if not header:
            raise TableError(f"{path} has no column but the weight; its columns are paths of the model file")
    except TableError as error:
        problems.append(file.problem(place, str(error)))
        return Scenarios((), "product", 0, file.seed)
    return Scenarios.of_table(header, rows, weights)


def _values_wrong(file: StudyFile, system: System, scenarios: Scenarios, alone: bool) -> list[Problem]:
    """Values that their places refuse; then systems that are refused as a whole.

    alone   something is wrong already: each thing that is right is tried by itself, and told of its own place only
    """
    problems: list[Problem] = []
    right: list[Factor] = []
    drawn = [dict(zip(one.paths, one.drawn(0.5), strict=True)) for one in scenarios.factors if one.distribution]
    middle = {path: value for values in drawn for path, value in values.items()}
    for one in scenarios.factors:
        place: tuple[str | int, ...] = ("design", "table") if one.kind == "table" else ("vary", one.name)
        refused: list[Problem] = []
        if one.distribution is not None:
            refused += _refused_share(file, place, one, system, middle)
        elif one.kind != "lose":
            refused += _refused_levels(file, place, one, system)
        problems += refused
        right += [] if refused else [one]
    if not alone and not problems:
        return _systems_wrong(file, system, scenarios)
    beside = system
    with suppress(ModelError):
        beside = made(system, middle)
    for one in right:
        by_itself = Scenarios([one], "product", 0, file.seed)
        problems += _systems_wrong(file, beside, by_itself, own_alone=True)
    return problems


def _systems_wrong(file: StudyFile, system: System, scenarios: Scenarios, own_alone: bool = False) -> list[Problem]:
    """What refuses some of the systems; ``own_alone`` of what the scenarios set, and nothing beside it."""
    problems: list[Problem] = []
    for values in _tried(scenarios):
        try:
            made(system, values)
        except ModelError as error:
            for problem in error.problems:
                place = _place_of(problem.path, scenarios)
                if own_alone and place == ("vary",):
                    continue
                text = f"{problem.path}: {problem.message}" if problem.path else problem.message
                problems.append(file.problem(place, text, problem.hint))
    return problems


def _place_of(path: str, scenarios: Scenarios) -> tuple[str | int, ...]:
    """What in the study sets the value at a path, or one beside it."""
    for one in scenarios.factors:
        if one.kind != "table" and any(path and (path.startswith(own) or own.startswith(path)) for own in one.paths):
            return ("vary", one.name)
    return ("design", scenarios.factors[0].name) if scenarios.factors[0].kind == "table" else ("vary",)


def _refused_levels(file: StudyFile, place: tuple[str | int, ...], one: Factor, system: System) -> Iterable[Problem]:
    for column, path in enumerate(one.paths):
        rule = place_at(system, path)
        refused = [
            (row, level[column], why)
            for row, level in enumerate(one.levels)
            if rule is not None and (why := rule.refusal(level[column])) is not None
        ]
        if refused:
            row, value, why = refused[0]
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            where = f"'{path}', value {row + 1} of {len(one.levels)}, {shown(value)}"
            yield file.problem(place, f"{where}: {why}{more}")


def _refused_share(
    file: StudyFile, place: tuple[str | int, ...], one: Factor, system: System, middle: dict[str, Any]
) -> Iterable[Problem]:
    """The share of a distribution that is refused; `middle` are values in the middle of all that is
    drawn."""
    if one.distribution is None:
        return
    rule = place_at(system, one.name)
    if rule is None:  # the file leaves out what it is a part of
        with suppress(ModelError):
            rule = place_at(made(system, middle), one.name)
    if rule is None:
        return
    refused, why = 0, ""
    for k in range(SHARES):
        text = rule.refusal(one.distribution.at((k + 0.5) / SHARES))
        if text is not None:
            refused, why = refused + 1, why or text
    if refused:
        share = percentage(refused / SHARES)
        cure = "cut it: truncate: [least, largest]" if one.kind == "normal" else "move its ends"
        yield file.problem((*place, one.kind), f"{share} of what would be drawn is refused: {why}", cure)


def _tried(scenarios: Scenarios) -> Iterable[dict[str, Any]]:
    """The first scenario and the last, and those that differ from the first in one thing, some of all."""
    yield scenarios.values(0)
    yield scenarios.values(len(scenarios) - 1)
    each = max(2, MOST_SYSTEMS // max(1, len(scenarios.factors)))
    for place, one in enumerate(scenarios.factors):
        count = min(each, len(one.levels) or 3)
        for k in range(count):
            u = k / max(1, count - 1) * (1.0 - 1e-9)
            yield scenarios.changed(0, place, u if one.levels else (0.5 + u * (SHARES - 1)) / SHARES)
