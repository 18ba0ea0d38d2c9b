"""What a study would take: how many scenarios, what each varied thing costs, time and memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.collector import Collector, Question
from fairlead.ensembles.crowd import why_not_there
from fairlead.ensembles.engine import cores
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import Pack, why_not
from fairlead.ensembles.together import SAMPLES
from fairlead.results.places import size_text
from fairlead.rigging.watching import ASKED
from fairlead.simulate.schedule import split
from fairlead.simulate.simulation import Simulation
from fairlead.words import aligned, number

from .carry_out import MANY
from .check import Ready
from .costs import CONSTANTS, Costs, costs, first_ready
from .job import columns

TRIAL_SECONDS = 0.3
"""Of the clock, that are spent on finding how long a step takes."""

THREADS = 16, 256
"""Of clusters that a plan tells the time of."""


@dataclass(frozen=True)
class Plan:
    """factors    of everything that varies: its path, what it takes, what that costs
    build, run    seconds that one scenario takes to be made ready from nothing, and to be run
    shared        seconds to be made ready from what another has built
    memory, disk  bytes, of all workers and of all scenarios
    alone         why scenarios do not run eight at a time in each thread, where there are many; "" where they do
    no_gpu        why a GPU would not carry them; "" where it would
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
            f"engine here: {self.workers} workers, {number(self.each, 3)} s of a core each "
            f"({number(self.run, 3)} s of it running), about {duration_text(self.time)} in all",
            "engine dask: about "
            + ", ".join(f"{duration_text(self.each * self.scenarios / n)} on {n} threads" for n in THREADS),
            f"engine gpu: {f'refuses it, {self.no_gpu}' if self.no_gpu else 'carries it'}",
            *([f"one scenario at a time in each thread: {self.alone}"] if self.alone else []),
            f"memory {size_text(self.memory)}, disk {size_text(self.disk)}",
        ]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "scenarios": self.scenarios,
            "starts": self.structures,
            "varied": [{"path": path, "takes": takes, "costs": cost} for path, takes, cost in self.factors],
            "seconds_each": self.each,
            "workers": self.workers,
            "seconds": self.time,
            "one_at_a_time": self.alone,
            "gpu_refuses": self.no_gpu,
            "memory": self.memory,
            "disk": self.disk,
        }


def plan(ready: Ready, workers: int | None = None, known: Costs | None = None) -> Plan:
    """Find out by building some scenarios and running one for a moment."""
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
    packed = count >= MANY and alone is None
    measured = _seconds_a_step_in_a_pack if packed else _seconds_a_step
    run = measured(simulation, settings.step) * split(settings.duration, settings.step)[0]
    return Plan(
        count,
        _starts(found),
        tuple(
            (factor.name, factor.described(), kind)
            for factor, kind in zip(ready.scenarios.factors, found.kinds, strict=True)
        ),
        build,
        shared,
        run,
        workers,
        workers * _memory(ready, simulation) + count * (width + 20) * 8.0,
        count * (width + 4) * 8.0,
        (alone or "") if count >= MANY else "",
        why_not_there(simulation, ready.wanted) or "",
    )


def _starts(found: Costs) -> int:
    """How many starts are built: one for all that differ in constants alone."""
    scenarios, factors = found.ready.scenarios, found.ready.scenarios.factors
    own = [factor for factor, kind in zip(factors, found.kinds, strict=True) if kind != CONSTANTS]
    if not found.are_shared:
        return len(scenarios)
    if scenarios.kind == "product" and all(factor.levels for factor in own):
        return int(np.prod([len(factor.levels) for factor in own], dtype=float))
    return len(scenarios) if own else 1


def _seconds_a_step(simulation: Simulation, step: float) -> float:
    """Measured of a run by itself."""
    compiled, y, u = simulation.compiled, simulation.state, simulation.commands
    simulation.warm_up()

    def run(n: int) -> bool:
        with compiled.turn:
            return simulation.integrator.advance(0.0, y.copy(), n, step, u) is None

    return _seconds_of_one(run)


def _seconds_a_step_in_a_pack(simulation: Simulation, step: float) -> float:
    """Measured of one of eight that run side by side."""
    member = Member.of(simulation)
    nothing = np.zeros((0, ASKED), dtype=np.int64), np.zeros((WIDTH, 0, 2)), np.zeros((WIDTH, 1, 1))

    def run(n: int) -> bool:
        pack = Pack([member])
        pack.run(0.0, n, step, n, *nothing)
        return not pack.status.any()

    run(1)  # compiles, or loads machine code
    return _seconds_of_one(run) / WIDTH


def _seconds_of_one(run: Callable[[int], bool]) -> float:
    """Seconds of one step; `run` makes some and says whether they went well. They are tried in growing numbers until
    the clock tells."""
    n, spent = 1, 0.0
    while spent < TRIAL_SECONDS / 4 and n < 100_000:
        n *= 4
        began = time.perf_counter()
        if not run(n):
            break
        spent = time.perf_counter() - began
    return spent / n


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
