"""What a study would take: how many scenarios, what each varied thing costs, time and memory."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.collector import Collector, Question
from fairlead.ensembles.crowd import why_not_there
from fairlead.ensembles.engine import cores
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import why_not
from fairlead.ensembles.together import SAMPLES
from fairlead.results.places import size_text
from fairlead.simulate.schedule import split
from fairlead.simulate.simulation import Simulation
from fairlead.words import aligned, number

from .carry_out import MANY
from .check import Ready
from .costs import CONSTANTS, Costs, costs, first_ready
from .filling import filling
from .job import columns
from .order import batch_size
from .timing import seconds_a_step, seconds_a_step_of_a_pack

THREADS = 16, 256
"""Of clusters that a plan tells the time of."""


@dataclass(frozen=True)
class Plan:
    """factors    of everything that varies: its path, what it takes, what that costs
    build, run    seconds that one scenario takes to be made ready from nothing, and to be run; the latter NaN where one
                  that was tried fails in its first steps
    shared        seconds to be made ready from what another has built
    memory, disk  bytes, of all workers and of all scenarios
    alone         why scenarios do not run eight at a time in each thread, where there are many; "" where they do
    no_gpu        why a GPU would not carry them; "" where it would
    fill          scenarios that run side by side in a pack, on the average; 0 where they run one at a time
    """

    scenarios: int
    structures: int
    factors: tuple[tuple[str, str, str], ...]
    build: float
    shared: float
    run: float
    workers: int
    memory: float
    disk: float
    alone: str = ""
    no_gpu: str = ""
    fill: float = 0.0

    @property
    def is_timed(self) -> bool:
        """Whether it is known how long it takes."""
        return math.isfinite(self.run)

    @property
    def each(self) -> float:
        """Seconds of one core that a scenario takes, on the average."""
        built = min(1.0, self.structures / max(1, self.scenarios))
        return self.run + built * self.build + (1.0 - built) * self.shared

    @property
    def time(self) -> float:
        """Seconds of the clock for the whole study."""
        return self.each * self.scenarios / self.workers

    def lines(self) -> list[str]:
        """As a terminal shows it."""
        rows = [["varied", "takes", "costs"], *map(list, self.factors)]
        starts = "all share one start" if self.structures == 1 else f"{self.structures:,} starts are built"
        return [
            *aligned(rows),
            f"{self.scenarios:,} scenarios; {starts}",
            *self._times(),
            f"engine gpu: {f'refuses it, {self.no_gpu}' if self.no_gpu else 'carries it'}",
            *([f"one scenario at a time in each thread: {self.alone}"] if self.alone else []),
            *self._packs(),
            f"memory {size_text(self.memory)}, disk {size_text(self.disk)}",
        ]

    def _times(self) -> list[str]:
        if not self.is_timed:
            return [
                f"engine here: {self.workers} workers; how long it takes is not known: a scenario that was tried fails "
                "in its first steps"
            ]
        on_threads = (f"{duration_text(self.each * self.scenarios / n)} on {n} threads" for n in THREADS)
        return [
            f"engine here: {self.workers} workers, {number(self.each, 3)} s of a core each "
            f"({number(self.run, 3)} s of it running), about {duration_text(self.time)} in all",
            f"engine dask: about {', '.join(on_threads)}",
        ]

    def _packs(self) -> list[str]:
        if not 0.0 < self.fill < 0.9 * WIDTH:
            return []
        return [f"packs of {WIDTH} hold {number(self.fill, 2)} scenarios each: few of a batch are of one structure"]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "scenarios": self.scenarios,
            "starts": self.structures,
            "varied": [{"path": path, "takes": takes, "costs": cost} for path, takes, cost in self.factors],
            "seconds_each": self.each if self.is_timed else None,
            "workers": self.workers,
            "seconds": self.time if self.is_timed else None,
            "one_at_a_time": self.alone,
            "gpu_refuses": self.no_gpu,
            "memory": self.memory,
            "disk": self.disk,
        }


def plan(ready: Ready, workers: int | None = None, known: Costs | None = None, in_packs: bool = True) -> Plan:
    """Find out by building some scenarios and running one for a moment, or a pack where they run in packs.

    in_packs  False: the time is that of single runs, which takes no machine code of packs
    """
    found = known or costs(ready)
    began = time.perf_counter()
    simulation = first_ready(ready)
    build = time.perf_counter() - began
    began = time.perf_counter()
    ready.scenario(0)
    shared = time.perf_counter() - began + 0.1 * build
    settings = ready.system.simulation
    workers = workers or cores()
    count, width = len(ready.scenarios), len(columns(ready))
    alone = why_not(simulation, ready.wanted)
    steps = split(settings.duration, settings.step)[0]
    told = Plan(
        count,
        _starts(found),
        tuple(
            (factor.name, factor.described(), kind)
            for factor, kind in zip(ready.scenarios.factors, found.kinds, strict=True)
        ),
        build,
        shared,
        math.nan,
        workers,
        workers * _memory(ready, simulation) + count * (width + 20) * 8.0,
        count * (width + 4) * 8.0,
        (alone or "") if count >= MANY else "",
        why_not_there(simulation, ready.wanted) or "",
    )
    if in_packs and count >= MANY and alone is None:
        return _of_packs(told, found, simulation, steps)
    return replace(told, run=seconds_a_step(simulation, settings.step, steps) * steps)


def _of_packs(told: Plan, found: Costs, simulation: Simulation, steps: int) -> Plan:
    """The same with the time of packs: each scenario has its share of a whole one, however full it is. How full that is
    hangs on the size of batches, and that on the time."""
    packs = filling(found)
    members = packs.members or (Member.of(simulation),)
    whole = seconds_a_step_of_a_pack(members, found.ready.system.simulation.step, steps) * steps
    told = replace(told, run=whole)
    for _ in range(3):
        fill = packs.fill(batch_size(told.scenarios, told.each, told.workers, WIDTH))
        told = replace(told, run=whole / fill, fill=fill)
    return told


def _starts(found: Costs) -> int:
    """How many starts are built: one for all that differ in constants alone."""
    scenarios, factors = found.ready.scenarios, found.ready.scenarios.factors
    own = [factor for factor, kind in zip(factors, found.kinds, strict=True) if kind != CONSTANTS]
    if not found.are_shared:
        return len(scenarios)
    if scenarios.kind == "product" and all(factor.levels for factor in own):
        return int(np.prod([len(factor.levels) for factor in own], dtype=float))
    return len(scenarios) if own else 1


def _memory(ready: Ready, simulation: Simulation) -> float:
    """Bytes of one worker: the compiled system, states, rows, statistics."""
    compiled = simulation.compiled
    arrays = sum(array.nbytes for array in (compiled.ints, compiled.reals, compiled.work))
    question = Question(ready.wanted, compiled.shape, 0.0, ready.kept_time)
    collector = Collector(question, np.zeros((1, len(ready.wanted), 2)))
    return 2.0 * arrays + 8.0 * (6 * compiled.layout.size + SAMPLES * compiled.shape.size) + collector.nbytes


def duration_text(seconds: float) -> str:
    """A time, for people."""
    for factor, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * factor:
            return f"{number(seconds / factor, 2)} {unit}"
    return f"{number(seconds, 2)} s"
