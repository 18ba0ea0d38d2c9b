"""Running a study: what is missing, batch by batch, until all is there, enough is known, too much fails or it is
stopped."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.engine import Batch, Engine, EngineError
from fairlead.results import ResultError
from fairlead.results.places import alone_in
from fairlead.simulate.interrupts import Interrupts
from fairlead.words import percentage

from .costs import Costs
from .estimates import half_width
from .file import parsed_target
from .job import StudyJob, columns
from .order import batches, in_order
from .progress import Silent, StudyProgress
from .store import Done, Store

MANY = 64
"""A study of so many scenarios runs them in packs, or samples them in the middle of their steps where no pack carries
them; one of fewer would mostly wait for these kernels to be compiled. Its own number decides, not how many are missing:
a scenario has the same digits whenever it is run."""
LEAST_FAILED = 3
"""So many scenarios must have failed before their share ends a study."""
LEAST_KNOWN = 30
"""So many must be complete before an estimate is believed."""

MORE = 1.05
"""An estimate is looked at again when there are so many times as many scenarios."""


class StudyRun:
    """What is run, and why it ended.

    ended  "complete", or "stopped: " and why
    """

    def __init__(
        self,
        store: Store,
        costs: Costs,
        engine: Engine,
        seconds_each: float,
        workers: int,
        progress: StudyProgress | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self._store, self._costs, self._engine = store, costs, engine
        self._seconds, self._workers = seconds_each, workers
        self._progress, self._asked = progress or Silent(), stop or (lambda: False)
        self.interrupts = Interrupts()
        self._next_look = LEAST_KNOWN
        self._lock = threading.Lock()
        self.ended = ""

    def carry_out(self) -> Done:
        """Run what is missing. What is done is on the disk at every moment but for the batches under way. `ResultError`
        where another process is at it: their batches would take each other's names."""
        self._store.open()
        with alone_in(self._store.folder) as alone:
            if not alone:
                raise ResultError(
                    f"{self._store.folder}: somebody else is running this study; `fairlead study status` tells how far "
                    "it is; resume it when that has ended"
                )
            return self._carried_out()

    def _carried_out(self) -> Done:
        done = self._store.read()
        self._progress.begin(done.count, len(self._store.ready.scenarios))
        try:
            with self.interrupts:
                while self._pass(done):
                    pass
        except EngineError as error:  # what is done is on the disk
            self._end(f"stopped: {error}")
        finally:
            self._progress.close()
        if not len(done.missing):
            self.ended = "complete"
        return done

    def _pass(self, done: Done) -> bool:
        """Run what is missing until something ends it; whether it is to be gone on with. Batches that were under way
        when enough was known are counted, too: it has ended if it is so with them."""
        together = self._engine.together
        many = len(self._store.ready.scenarios) >= MANY or together > WIDTH
        job = StudyJob(self._store.ready, self._costs, many)
        pieces = batches(in_order(self._costs, done.missing), self._seconds, self._workers, together if many else 1)
        enough = threading.Event()

        def stop() -> bool:
            if self.interrupts.received:
                self._end(f"stopped: {self.interrupts.received}")
            elif self._asked():
                self._end("stopped: on request")
            return enough.is_set() or bool(self.ended)

        for batch in self._engine.carry_out(job, pieces, stop):
            self._keep(batch, done)
            self._progress.update(done.count, done.failed)
            if not enough.is_set() and self._enough(done, self._is_due(done)):
                enough.set()
        if enough.is_set():
            self._end(self._enough(done))
        return enough.is_set() and len(done.missing) > 0 and not self.ended

    def _end(self, why: str) -> None:
        """It ends, for the first reason that was given; by any thread."""
        with self._lock:
            self.ended = self.ended or why

    def _keep(self, batch: Batch, done: Done) -> None:
        try:
            self._store.write(batch)
        except ResultError as error:  # no more is begun
            self._end(f"stopped: {error}")
            return
        done.take(batch)

    def _is_due(self, done: Done) -> bool:
        """Whether estimates are to be looked at: that may take longer than a batch."""
        if done.count < self._next_look:
            return False
        self._next_look = math.ceil(MORE * done.count)
        return True

    def _enough(self, done: Done, estimates: bool = True) -> str:
        """Why no more is to be run, if so; by the estimates, too, or by what has failed alone."""
        stop = self._store.ready.file.stop
        if stop.failed is not None and done.failed >= LEAST_FAILED and done.failed > stop.failed * done.count:
            share = f"{percentage(done.failed / done.count)} of {done.count} scenarios failed"
            return f"stopped: {share}, more than {100.0 * stop.failed:g} %"
        if stop.converged and estimates and all(self._is_sure(done, *target) for target in stop.converged.items()):
            return "stopped: the estimates are as sure as was asked for"
        return ""

    def _is_sure(self, done: Done, channel: str, text: str) -> bool:
        """Whether an estimate from the scenarios up to the first that is missing is within its bounds."""
        percent, statistic, width = parsed_target(text)
        known = int(done.missing[0]) if len(done.missing) else len(done.status)
        names = [column.name for column in columns(self._store.ready)]
        values = done.values[:known, names.index(f"{channel}.{statistic}")]
        weights = np.array([self._store.ready.scenarios.weight(i) for i in range(known)])
        good = np.isfinite(values)
        if good.sum() < LEAST_KNOWN:
            return False
        estimate, half = half_width(values[good], weights[good], percent)
        return bool(half <= width * abs(estimate))
