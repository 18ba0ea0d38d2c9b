"""Scenarios that are run again with full results, to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from fairlead.results.places import write_error
from fairlead.simulate.simulation import Simulation

from .check import Ready
from .job import columns
from .store import HISTORIES, Done

NAME = "scenario_{:06d}.nc"


def chosen(ready: Ready, done: Done) -> list[int]:
    """Numbers of the scenarios whose histories are wanted, among those that are complete; the worst first."""
    wanted = ready.file.keep.histories
    if wanted is None:
        return []
    complete = np.flatnonzero(done.status == "complete")
    if wanted.scenarios == "all":
        return [int(i) for i in complete]
    if wanted.worst is None:
        known = set(complete.tolist())
        return [int(i) for i in wanted.scenarios if i in known]
    largest, count, channel = wanted.worst
    names = [column.name for column in columns(ready)]
    values = done.values[complete, names.index(f"{channel}.{'max' if largest else 'min'}")]
    complete, values = complete[np.isfinite(values)], values[np.isfinite(values)]
    order = np.argsort(-values if largest else values, kind="stable")[:count]
    return [int(i) for i in complete[order]]


def present(folder: Path, scenarios: int) -> dict[int, Path]:
    """Histories that are there, by the number of their scenario."""
    found = {}
    for path in sorted((folder / HISTORIES).glob("scenario_*.nc")):
        digits = path.stem.rpartition("_")[2]
        if digits.isdecimal() and path.name == NAME.format(int(digits)) and int(digits) < scenarios:
            found[int(digits)] = path
    return found


def run_again(
    ready: Ready,
    done: Done,
    folder: Path,
    stop: Callable[[], bool] | None = None,
    told: Callable[[int], None] | None = None,
) -> dict[int, Path]:
    """Run the chosen scenarios into files of their own; one that is complete already stays as it is."""
    from fairlead.results import open_result

    wanted = chosen(ready, done)
    if not wanted:
        return {}
    every = ready.file.keep.histories.every if ready.file.keep.histories is not None else None
    target = folder / HISTORIES
    try:
        target.mkdir(exist_ok=True)
    except OSError as error:
        raise write_error(target, error) from error
    found: dict[int, Path] = {}
    for i in wanted:
        if stop is not None and stop():
            break
        path = target / NAME.format(i)
        if not path.exists() or open_result(path).attrs.get("status") != "complete":
            system = ready.scenario(i)
            if every is not None:
                system = system.with_settings(output_every=every)
            Simulation(system).run(output=path)
        found[i] = path
        if told is not None:
            told(i)
    return found
