"""Batches of scenarios on a cluster, by Dask: a task is some scenarios, and comes back as their statistics.

The job travels once, to every worker, in a plug-in that keeps a bench for each of its threads; compiled systems stay
ready there from one task to the next. Tasks of a worker that is lost are run again by others.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from itertools import islice
from typing import Any, Self
from uuid import uuid4

import distributed
import numpy as np
from distributed.diagnostics.plugin import WorkerPlugin

from fairlead import __version__
from fairlead.algebra.lanes import WIDTH

from .bench import Bench
from .engine import AHEAD, Batch, EngineError, Job

LOST = "failed: whoever ran it was lost, every time"
SECONDS_TO_HEAR = 0.2
"""Of waiting for tasks, between two looks at whether it is to stop."""
SECONDS_TO_END = 20.0
"""After which tasks that were told to end, and have not come back, are given up."""


class Benches(WorkerPlugin):
    """On every worker of a cluster: the job, and a bench a thread."""

    def __init__(self, job: Job, version: str, ours: bool) -> None:
        self.job, self.version, self.ours = job, version, ours

    def setup(self, worker: Any) -> None:
        """Called by a worker that takes it in."""
        if self.version != __version__:
            raise RuntimeError(f"the worker {worker.address} has fairlead {__version__}, not {self.version}")
        if self.ours and threading.current_thread() is threading.main_thread():
            # Ctrl-C is heard by whoever has started the cluster, who then calls `end_there`
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._own = threading.local()
        self.ended = threading.Event()

    def run(self, numbers: np.ndarray) -> Batch:
        if not hasattr(self._own, "bench"):
            self._own.bench = Bench()
        return self.job.run(numbers, self._own.bench, self.ended.is_set)


def run_there(name: str, numbers: np.ndarray) -> Batch:
    """A task, on a worker."""
    return distributed.get_worker().plugins[name].run(numbers)  # type: ignore[no-any-return]


def end_there(name: str, dask_worker: Any) -> None:
    """Tasks under way on a worker come back with what they have."""
    dask_worker.plugins[name].ended.set()


class OnCluster:
    """A cluster of Dask: `with open_cluster("tcp://host:8786") as engine:`.

    place   where it is
    client  what talks to it
    stack   what is to be closed at the end
    """

    name = "dask"
    together = WIDTH

    def __init__(self, place: str, client: Any, stack: ExitStack) -> None:
        self.place, self.client, self._stack = place, client, stack

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError, TimeoutError):  # it may be gone
            self._stack.close()

    @property
    def _is_ours(self) -> bool:
        """Whether its workers are processes of this terminal, which hear Ctrl-C, too."""
        return self.place.startswith("local")

    @property
    def workers(self) -> int:
        """Threads of all its workers by now; one at least."""
        return max(1, int(sum(self.client.nthreads().values())))

    def described(self) -> str:
        """In a line."""
        found = self.client.nthreads()
        if not found:
            return f"cluster {self.place}: no worker yet, it begins when one has joined"
        return f"cluster {self.place}: {len(found)} workers with {sum(found.values())} threads"

    def carry_out(self, job: Job, batches: Iterable[np.ndarray], stop: Callable[[], bool]) -> Iterator[Batch]:
        """Every batch, as the workers come back with them; `EngineError` when the cluster is gone."""
        name = f"fairlead-{uuid4().hex[:12]}"
        try:
            self.client.register_plugin(Benches(job, __version__, self._is_ours), name=name)
        except (ImportError, RuntimeError) as error:
            raise EngineError(
                f"cluster {self.place}: its workers cannot take the study ({error}); install the same fairlead there"
            ) from None
        under_way: dict[Any, np.ndarray] = {}
        try:
            yield from self._followed(job, name, iter(batches), under_way, stop)
        except (CancelledError, OSError, TimeoutError) as error:
            why = str(error) or type(error).__name__
            raise EngineError(f"the cluster {self.place} is gone ({why}); what is done is kept") from None
        finally:
            with suppress(CancelledError, OSError, TimeoutError):
                self.client.cancel(list(under_way))
                self.client.unregister_worker_plugin(name)

    def _followed(
        self,
        job: Job,
        name: str,
        left: Iterator[np.ndarray],
        under_way: dict[Any, np.ndarray],
        stop: Callable[[], bool],
    ) -> Iterator[Batch]:
        """A worker that is lost takes along whatever else it was handed: those that were lost four times are suspects,
        which are run again by themselves, in halves, until the one that does it is found."""
        suspects: list[np.ndarray] = []
        on_trial: Any = None
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def hand_out(numbers: np.ndarray) -> Any:
            future = self.client.submit(run_there, name, numbers, pure=False)
            under_way[future] = numbers
            future.add_done_callback(done.put)
            return future

        until = float("inf")
        while time.monotonic() < until:
            if stop():
                if until == float("inf"):
                    self.client.run(end_there, name, on_error="ignore")
                    until = time.monotonic() + SECONDS_TO_END
            elif suspects or on_trial:
                on_trial = hand_out(suspects.pop()) if not under_way else on_trial
            else:
                for numbers in islice(left, max(0, AHEAD * self.workers - len(under_way))):
                    hand_out(numbers)
            if not under_way:
                return
            try:
                one = done.get(timeout=SECONDS_TO_HEAR)
            except queue.Empty:
                continue
            numbers, tried = under_way.pop(one), one is on_trial
            on_trial = None if tried else on_trial
            try:
                batch = one.result()
            except distributed.KilledWorker:
                if not tried or len(numbers) > 1:
                    suspects += [part for part in np.array_split(numbers, 2 if tried else 1) if len(part)]
                    continue
                batch = job.without(numbers, LOST)
            if len(batch.numbers):
                yield batch
