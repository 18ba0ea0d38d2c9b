"""What runs batches of scenarios: one small interface for all engines, and the one that needs nothing installed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from fairlead.algebra.lanes import WIDTH

from .bench import Bench


class EngineError(Exception):
    """What is to run scenarios is not there or cannot go on: one sentence with the cause and the cure."""


AHEAD = 2
"""Batches that are handed out for every worker, so that none waits for the next."""


@dataclass(frozen=True)
class Batch:
    """What some scenarios came to.

    numbers    of the scenarios, (scenario,)
    values     their statistics, (scenario, column); NaN where there are none
    status     `complete`, or `failed: ` or `refused: ` and why
    failed_at  s; NaN of those that did not fail
    seconds    it took one worker
    """

    numbers: np.ndarray
    values: np.ndarray
    status: list[str]
    failed_at: np.ndarray
    seconds: float


class Job(Protocol):
    """What an engine is given: it runs any of its scenarios, in any order, to the same digits."""

    def run(self, numbers: np.ndarray, bench: Bench, stop: Callable[[], bool]) -> Batch:
        """Scenarios one after the other on a worker's bench; when `stop` says so, those that are done until then."""

    def without(self, numbers: np.ndarray, status: str) -> Batch:
        """Scenarios of which there is nothing but a status."""


class Engine(Protocol):
    """Runs batches on whatever it has; they come back as they are done, in any order."""

    name: str
    together: int
    """How many scenarios of one kind a worker runs at once where it can."""

    @property
    def workers(self) -> int:
        """How many batches it runs at a time."""

    def described(self) -> str:
        """Who it is, in a line."""

    def carry_out(self, job: Job, batches: Iterable[np.ndarray], stop: Callable[[], bool]) -> Iterator[Batch]:
        """Every batch; none is begun once `stop` has said so."""


class Here:
    """All cores of this machine, by threads: kernels let go of Python's lock, and machine code is shared."""

    name = "here"
    together = WIDTH

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()
        self._own = threading.local()

    def described(self) -> str:
        """Who it is, in a line."""
        return f"here: {self.workers} threads"

    def _new_bench(self) -> Bench:
        return Bench()

    def _bench(self) -> Bench:
        if not hasattr(self._own, "bench"):
            self._own.bench = self._new_bench()
        return self._own.bench  # type: ignore[no-any-return]

    def carry_out(self, job: Job, batches: Iterable[np.ndarray], stop: Callable[[], bool]) -> Iterator[Batch]:
        left = iter(batches)
        ended = threading.Event()

        def to_stop() -> bool:
            return ended.is_set() or stop()

        def work(numbers: np.ndarray) -> Batch:
            return job.run(numbers, self._bench(), to_stop)

        under_way: set[Future[Batch]] = set()
        with ThreadPoolExecutor(self.workers, "fairlead-study") as pool:
            try:
                while True:
                    if not stop():
                        room = AHEAD * self.workers - len(under_way)
                        under_way |= {pool.submit(work, numbers) for numbers in islice(left, room)}
                    if not under_way:
                        return
                    # a wait that ends by itself now and then, so that Ctrl-C is heard
                    done, under_way = wait(under_way, timeout=0.2, return_when=FIRST_COMPLETED)
                    for one in done:
                        batch = one.result()
                        if len(batch.numbers):
                            yield batch
            finally:
                ended.set()


def cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
