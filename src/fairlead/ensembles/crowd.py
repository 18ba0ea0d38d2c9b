"""Thousands of members on a GPU, from their start to their end: stepped, sampled and folded there, as `packs` does with
eight on a core."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.formulations.contract import Failure
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.results.places import size_text
from fairlead.sea.single_waves import NUMBERS
from fairlead.sea.water import WAVE_COUNT, WAVE_FIRST
from fairlead.sea.waves import OMEGA
from fairlead.simulate.simulation import Simulation

from .bench import Bench
from .collector import MORE_TURNS, Question, Sums, with_room
from .companies import Companies
from .engine import EngineError, Here, cores
from .gpu import AT_WORK, GROUP, Gpu, GpuEnsemble, NoGpu, of_the_driver, own_tables, too_long
from .in_waves import lines_feel_waves
from .members import Member
from .together import SAMPLES, sampled_together, why_unwatched
from .wanted import Wanted

T = TypeVar("T")

MOST = AT_WORK
"""Members at once: about as many as the threads that the largest GPUs have at work; twice as many in waves."""
LEAST = 512
"""Fewer of one kind are quicker in packs on a core: they would leave a GPU idle, and wait for its code."""
SHARE = 0.6
"""Of the GPU's free memory that members may take; the rest is for turning points that need more room than `ROOM`."""
ROOM = 2 * MORE_TURNS * SAMPLES
"""Turning points that there is room for at first: those of the longest run between two looks, twice."""
HOST_BYTES = 6e8
"""That the constants of the members of a batch may take here; they are there a second time as the GPU reads them, while
the next batch is made ready: thrice that is in use."""
PIECE = 1024
"""Members whose statistics are fetched at once."""
READY = 32
"""Scenarios that a core makes ready one after the other."""


def why_not_there(simulation: Simulation, wanted: Sequence[Wanted]) -> str | None:
    """Why a system, or what is kept of it, cannot run on a GPU; None where it can."""
    compiled = simulation.compiled
    if isinstance(compiled, KernelCompiled):
        first, count = (int(compiled.reals[place]) for place in (WAVE_FIRST, WAVE_COUNT))
        omega = compiled.reals[first + OMEGA * count : first + (OMEGA + 1) * count]
        if (why := compiled.no_watch() or too_long(simulation.system.simulation.duration, omega)) is not None:
            return why
    return why_unwatched(simulation, wanted)


@contextmanager
def told() -> Iterator[None]:
    """What a GPU or its driver cannot go on with, as a sentence: its memory is taken by others, it was reset."""
    try:
        yield
    except Exception as error:
        if not of_the_driver(error):
            raise
        what = " ".join(str(error).split()) or type(error).__name__
        raise EngineError(f"engine: gpu: {what}; use engine: here") from error


class Crowd:
    """Members on a GPU, what is kept of their samples, and their statistics; see `together.Company`."""

    def __init__(
        self, members: Sequence[Member], question: Question, asked: np.ndarray, homes: np.ndarray, gpu: Gpu
    ) -> None:
        self.compiled, self._count, self._question, self._gpu = members[0].compiled, len(members), question, gpu
        constants = [member.constants for member in members]
        self.ensemble = GpuEnsemble(self.compiled, len(members), own_tables(self.compiled, constants), gpu)
        self.ensemble.set_rows(constants, [member.state for member in members], members[0].inputs)
        if (why := self.ensemble.too_long(members[0].system.simulation.duration)) is not None:
            raise EngineError(f"engine: gpu: {why}; use engine: here")
        count = self.ensemble.members
        filled = np.concatenate([homes, np.repeat(homes[-1:], count - len(homes), axis=0)])
        self._asked, self._home = gpu.put(asked), gpu.put(filled)
        self._out = gpu.full((count, SAMPLES, 3 * len(asked)), np.nan)
        self._sums = Sums.fresh(count, question, gpu.full, ROOM)
        self._tables = [gpu.put(table) for table in (question.rules, question.asked, question.levels,
                                                     question.exponents, question.lengths)]  # fmt: skip

    @property
    def status(self) -> np.ndarray:
        return self.ensemble.status[: self._count]

    def run(self, t: float, n: int, h: float, every: int) -> None:
        self._gpu.watch(self.ensemble, float(t), n, float(h), every, self._asked, self._home, self._out)

    def fold(self, times: np.ndarray, first: int, last: int) -> None:
        gpu, sums = self._gpu, self._sums
        turns, deepest = MORE_TURNS * (last - first), int(gpu.fetch(sums.depth).max(initial=0))
        if deepest + turns > sums.stack.shape[2]:
            sums.stack = gpu.put(with_room(gpu.fetch(sums.stack), turns, deepest))
        rules, asked, levels, exponents, lengths = self._tables
        gpu.fold(
            self.ensemble.arrays[-1], self._out, gpu.put(times), first, last, rules, self._home, asked, levels,
            exponents, lengths, self._question.start, *sums.arrays,
        )  # fmt: skip

    def failure(self, k: int, t: float) -> Failure:
        compiled, status = self.compiled, int(self.status[k])
        with compiled.turn:
            compiled.work[:] = self.ensemble.scratch(k)
            return compiled.failure(status, t, self.ensemble.state(k))

    def rows(self) -> np.ndarray:
        found = []
        for first in range(0, self._count, PIECE):
            part = slice(first, min(first + PIECE, self._count))
            sums = Sums(*(self._gpu.fetch(getattr(self._sums, field.name)[part]) for field in fields(Sums)))
            found.append(self._question.rows(sums))
        return np.concatenate(found)


class GpuCompanies(Companies):
    """A GPU, one company at a time, for kinds of which there are many; all cores for the others."""

    def __init__(self, gpu: Gpu, most: int) -> None:
        self._gpu, self._most, self._turn = gpu, most, threading.Lock()
        self.cores = ThreadPoolExecutor(cores(), "fairlead-beside-gpu")
        """For what is not done on the GPU."""

    def most_of(self, member: Member) -> int:
        return self._most

    def take(self, simulation: Simulation, wanted: Sequence[Wanted]) -> bool:
        return why_not_there(simulation, wanted) is None or super().take(simulation, wanted)

    def sampled(
        self, members: Sequence[Member], wanted: Sequence[Wanted], discard: float, stop: Callable[[], bool]
    ) -> list[np.ndarray | Failure]:
        if len(members) >= LEAST and members[0].compiled.no_watch() is None:
            with self._turn, told():
                return sampled_together(members, wanted, discard, partial(Crowd, gpu=self._gpu), stop)
        few = [members[first : first + WIDTH] for first in range(0, len(members), WIDTH)]
        found = self.cores.map(lambda some: super(GpuCompanies, self).sampled(some, wanted, discard, stop), few)
        return [outcome for some in found for outcome in some]


class SharedBench(Bench):
    """The bench of a thread that has all cores make scenarios ready which have starts of their own."""

    def __init__(self, companies: GpuCompanies) -> None:
        super().__init__(companies)
        self._cores, self._own = companies.cores, threading.local()

    def each(self, numbers: Iterable[int], task: Callable[[int, Bench], T], apart: bool) -> Iterator[tuple[int, T]]:
        if not apart:
            yield from super().each(numbers, task, apart)
            return

        def work(piece: list[int]) -> list[tuple[int, T]]:
            if not hasattr(self._own, "bench"):
                self._own.bench = Bench(self.companies)
            return [(i, task(i, self._own.bench)) for i in piece]

        order = list(numbers)
        pieces = [order[first : first + READY] for first in range(0, len(order), READY)]
        for piece in list(self._cores.map(work, pieces)):  # all, before who was made ready there is run by others
            yield from piece


class OnGpu(Here):
    """The GPU of this machine; while it is at work, the next scenarios are made ready by another thread, and by all
    cores where that takes statics."""

    name = "gpu"

    def __init__(self, gpu: Gpu, most: int) -> None:
        super().__init__(workers=2)
        self._gpu, self.together, self._companies = gpu, most, GpuCompanies(gpu, most)

    def described(self) -> str:
        """Who it is, in a line."""
        return f"gpu: {self._gpu.name}, {self.together:,} scenarios at a time"

    def _new_bench(self) -> Bench:
        return SharedBench(self._companies)


def open_gpu(simulation: Simulation, wanted: Sequence[Wanted], gpu: Any = Gpu) -> OnGpu:
    """The GPU of this machine for scenarios such as this one; `EngineError` where there is none, or it cannot carry
    them."""
    try:
        with told():
            found = gpu()
            free = found.free
    except NoGpu as error:
        raise EngineError(f"engine: gpu: {error}; use engine: here") from None
    if (why := why_not_there(simulation, wanted)) is not None:
        raise EngineError(f"engine: gpu: {why}; use engine: here")
    compiled = simulation.compiled
    assert isinstance(compiled, KernelCompiled)
    question = Question(wanted, compiled.shape, 0.0, simulation.system.simulation.duration)
    each = sum(array.nbytes for array in Sums.fresh(1, question, room=ROOM).arrays) + 24 * SAMPLES * len(wanted)
    rows = NUMBERS * int(compiled.reals[WAVE_COUNT])
    each += 8 * (compiled.layout.size + compiled.work.size + compiled.reals.size + rows)
    threads = 2 * MOST if lines_feel_waves(compiled) else MOST
    most = int(min(threads, SHARE * free / each, HOST_BYTES / compiled.reals.nbytes)) // GROUP * GROUP
    if most < LEAST:
        room = f"there is room for {most} scenarios at a time ({size_text(free)} of its memory are free)"
        raise EngineError(f"engine: gpu: {room}, and fewer than {LEAST} are quicker on cores; use engine: here")
    return OnGpu(found, most)
