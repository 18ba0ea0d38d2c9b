"""Collects the observations of a run and keeps a readable result file on disk while it lasts."""

from __future__ import annotations

import contextlib
import time as clocks
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .dataset import build_dataset, shape_of
from .errors import ResultError
from .journal import Journal, Reference, clear_journals
from .netcdf import write_netcdf
from .observation import ObservationShape
from .places import followed, require_writable
from .reader import open_result
from .recorded import Recorded
from .restart import Restart
from .stored import AT_A_TIME, Floats, Stored
from .variables import global_attributes, result_variables

if TYPE_CHECKING:
    import xarray as xr

SHORTEST_FLUSH_PERIOD = 2.0  # s
FLUSH_PERIOD_PER_WRITE = 20.0  # waiting 20 times as long as a write took keeps writing below 5 % of the run
FIRST_CAPACITY = 256  # samples
SMALL = 64 << 20  # bytes of rows that are kept in memory after the run

RestartSource = Restart | Callable[[], Restart] | None


class Recorder:
    """The observation rows of a run, with a file behind them.

    path              the result file; None keeps the result in memory only
    shape             what the rows passed to :meth:`append` hold
    metadata          attributes of the result (see :mod:`.dataset`); ``recorder.metadata`` may grow during the run
    cables            names of the cables to keep; None keeps all
    energy            False leaves energies and works out of the result
    expected_samples  how many rows are to come, to size the memory and to check the disk before the run starts

    The first flush writes the file as a whole; later ones append to a journal beside it (:mod:`.journal`), with the
    state to resume from, and keep in memory only what is not on the disk yet. :meth:`close` makes one file of both.
    So a kill at any moment leaves all that was flushed, and a long record needs no more memory than a short one. A
    flush that fails loses nothing: the rows stay in memory and the next one tries again.
    """

    def __init__(
        self,
        path: str | Path | None,
        shape: ObservationShape,
        metadata: Mapping[str, object],
        *,
        cables: Sequence[str] | None = None,
        energy: bool = True,
        expected_samples: int | None = None,
        clock: Callable[[], float] = clocks.monotonic,
    ) -> None:
        self.path = None if path is None else followed(Path(path))
        self.metadata = dict(metadata)
        self.energy = energy
        self.notes: list[str] = []
        """What went wrong with writing and was mended, or not."""
        self._input_size = shape.size
        self._columns = _kept_columns(shape, cables)
        self.shape = shape if cables is None else _only(shape, cables)
        if self.path is not None:
            require_writable(self.path, 8 * self.shape.size * (expected_samples or 0))
        # A wrong guess of a huge number of samples must not cost memory: pages that are never written take none.
        self._times = np.empty(FIRST_CAPACITY if self.path else max(FIRST_CAPACITY, expected_samples or 0))
        self._rows = np.empty((len(self._times), self.shape.size))
        self._held = 0
        self._beginning: tuple[Floats, Floats] | None = None  # what a short file holds, unless it is to be read from it
        self._stored: Stored | None = None
        self._stored_samples = 0
        self._journal: Journal | None = None
        self.samples = 0
        self._last_time = -np.inf
        self._restart: Restart | None = None
        self._clock = clock
        self._last_flush = clock()
        self._last_write = 0.0
        self._closed = False

    @classmethod
    def resume(
        cls,
        path: str | Path,
        shape: ObservationShape,
        metadata: Mapping[str, object],
        restart: Restart,
        *,
        output: str | Path | None = None,
        cables: Sequence[str] | None = None,
        energy: bool = True,
        expected_samples: int | None = None,
    ) -> Recorder:
        """A recorder that holds what ``path`` had recorded when ``restart`` was taken, and goes on from there.

        It writes to ``output``, or to ``path`` again.
        """
        recorder = cls(
            path if output is None else output,
            shape,
            metadata,
            cables=cables,
            energy=energy,
            expected_samples=expected_samples,
        )
        with contextlib.ExitStack() as held:  # until it is known to serve
            earlier = held.enter_context(Stored(Path(path)))
            if shape_of(earlier.lazy) != recorder.shape:
                raise ResultError(
                    f"{path}: cannot resume, it records other cables, nodes or points than the input asks for; "
                    "restore the input (outputs.cables) or start a new run"
                )
            samples, last = 0, -np.inf
            for times, _ in earlier.blocks(restart.samples):
                samples, last = samples + len(times), float(times[-1])
            if samples < restart.samples:
                raise ResultError(
                    f"{path}: cannot resume, it holds {samples} samples of the {restart.samples} its state "
                    "speaks of; start a new run"
                )
            held.pop_all()
        recorder._stored, recorder._stored_samples = earlier, samples
        recorder.samples, recorder._last_time = samples, last
        recorder._restart = restart
        return recorder

    @property
    def last_time(self) -> float:
        """Simulated time of the last sample, s; -inf before the first."""
        return self._last_time

    @property
    def is_begun(self) -> bool:
        """Whether its file is there: a flush has written it."""
        return self._journal is not None

    @property
    def times(self) -> Floats:
        """Simulated time of each sample, (sample,), s."""
        return np.concatenate([times for times, _ in self.blocks()] or [np.empty(0)])

    @property
    def rows(self) -> Floats:
        """All that is recorded, (sample, shape.size); read from the disk where it is there."""
        return np.concatenate([rows for _, rows in self.blocks()] or [np.empty((0, self.shape.size))])

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """All that is recorded, times (sample,) and rows (sample, shape.size), a few samples at a time."""
        if self._beginning is not None:
            yield self._beginning
        if self._stored is not None:
            yield from self._stored.blocks(self._stored_samples)
        if self._journal is not None:
            yield from self._journal.blocks()
        if self._held:
            yield self._times[: self._held], self._rows[: self._held]

    def append(self, time: float, row: Floats) -> None:
        """Take a copy of one observation: ``time`` in s, later than the last; ``row`` as the formulation filled it."""
        if row.shape != (self._input_size,):
            raise ValueError(f"an observation has {self._input_size} numbers, not {row.shape}")
        if not time > self._last_time:
            raise ValueError(f"observation at {time} s follows one at {self._last_time} s")
        self._reserve(self._held + 1)
        self._times[self._held] = time
        self._rows[self._held] = row[self._columns]
        self._held += 1
        self.samples += 1
        self._last_time = float(time)

    def maybe_flush(self, restart: RestartSource = None) -> bool:
        """Flush if enough time has passed; ``restart`` may be a function, called only when it is needed.

        A flush that fails is noted and tried again later.
        """
        due = self._last_flush + max(SHORTEST_FLUSH_PERIOD, FLUSH_PERIOD_PER_WRITE * self._last_write)
        if self.path is None or self._clock() < due:
            return False
        try:
            self.flush(restart)
        except ResultError as error:
            if not self.notes:
                self.notes.append(
                    f"at t = {self._last_time:.6g} s the result could not be written, and samples were kept in memory "
                    f"for a while: {error}"
                )
            return False
        return True

    def flush(self, restart: RestartSource = None, *, status: str = "running") -> None:
        """Put all that is recorded on the disk, and the state to resume from as of the last sample."""
        self._take(restart, status)
        if self.path is None or self.samples == 0:
            return
        began = self._clock()
        try:
            if self._journal is None or not self._journal.fits(self._restart):
                self._begin()
            else:
                self._journal.append(self._times[: self._held], self._rows[: self._held], self._restart)
                self._held = 0
        finally:
            self._last_flush = self._clock()
            self._last_write = self._last_flush - began

    def renew(self, metadata: Mapping[str, object], restart: RestartSource = None) -> None:
        """Say more of the run than at its start; in the file, too, before anything else is written."""
        self.metadata |= metadata
        if self.path is not None and self.samples > 0:
            self._take(restart, "running")
            self._begin()

    def close(self, status: str = "complete", restart: RestartSource = None) -> None:
        """Write the final file. ``status`` is "complete" or "stopped: why".

        Where that fails, what can be kept in the journal is kept, and the error is raised.
        """
        self._take(restart, status)
        if self.path is not None and self.samples > 0:
            try:
                self._write(None)
            except ResultError:
                if self._journal is not None and self._journal.fits(self._restart):
                    with contextlib.suppress(ResultError):
                        self._journal.append(self._times[: self._held], self._rows[: self._held], self._restart)
                        self._held = 0
                raise
            self._beginning = (self.times, self.rows) if self._size <= SMALL else None
            self._held = 0
            self._let_go()
            clear_journals(self.path)
        self._closed = True

    @property
    def _size(self) -> int:
        """Bytes of all rows."""
        return 8 * self.samples * self.shape.size

    def recorded(self) -> Recorded | xr.Dataset:
        """What is recorded so far, for those who only want numbers of it; of a large result its Dataset."""
        if self._size > SMALL:
            return self.dataset()
        variables = result_variables(self.shape, self.times, self.rows, energy=self.energy)
        return Recorded(variables, global_attributes(self.metadata))

    def dataset(self) -> xr.Dataset:
        """What is recorded so far, as an xarray Dataset; of a large result that is written, that of its file."""
        if self.path is not None and self._closed and self.samples > 0 and self._beginning is None:
            return open_result(self.path)
        return build_dataset(self.shape, self.times, self.rows, self.metadata, energy=self.energy)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._closed and not isinstance(error, ResultError):
            self.close("complete" if error is None else f"stopped: {str(error) or type(error).__name__}")

    def _take(self, restart: RestartSource, status: str) -> None:
        self.metadata["status"] = status
        state = restart() if callable(restart) else restart
        if state is not None:
            self._restart = replace(state, y=np.array(state.y, dtype=np.float64), samples=self.samples)

    def _begin(self) -> None:
        """Write all there is into the file itself, and have a journal beside it for what follows."""
        assert self.path is not None
        state = 0 if self._restart is None else len(self._restart.y)
        journal = Journal(self.path, self.shape.size, state, self.samples)
        try:
            self._write(journal.reference)
            beginning = (self.times, self.rows) if self._size <= AT_A_TIME else None
            stored = Stored(self.path) if beginning is None else None
        except BaseException:
            journal.remove()
            raise
        self._let_go()
        self._journal, self._beginning, self._stored, self._stored_samples = journal, beginning, stored, self.samples
        self._held = 0
        clear_journals(self.path)

    def _write(self, journal: Reference | None) -> None:
        assert self.path is not None
        even = _even(self.blocks(), max(1, AT_A_TIME // (8 * self.shape.size)))
        pieces = (result_variables(self.shape, times, rows, energy=self.energy) for times, rows in even)
        write_netcdf(
            self.path,
            pieces,
            global_attributes(self.metadata),
            samples=self.samples,
            restart=self._restart,
            journal=journal,
        )

    def _let_go(self) -> None:
        """Of what is in a newer file now."""
        if self._stored is not None:
            self._stored.close()
            self._stored = None
        if self._journal is not None:
            self._journal.remove()
            self._journal = None

    def _reserve(self, samples: int) -> None:
        if samples <= len(self._times):
            return
        capacity = max(samples, 2 * len(self._times))
        times, rows = self._times[: self._held], self._rows[: self._held]
        self._times, self._rows = np.empty(capacity), np.empty((capacity, self.shape.size))
        self._times[: len(times)], self._rows[: len(times)] = times, rows


def _even(blocks: Iterable[tuple[Floats, Floats]], length: int) -> Iterator[tuple[Floats, Floats]]:
    """The same samples in blocks of ``length``, so that a file does not show when its run was flushed."""
    held_times, held_rows = [], []
    count = 0
    for times, rows in blocks:
        while count + len(times) >= length:
            some = length - count
            held_times.append(times[:some])
            held_rows.append(rows[:some])
            yield np.concatenate(held_times), np.concatenate(held_rows)
            held_times, held_rows, count = [], [], 0
            times, rows = times[some:], rows[some:]
        held_times.append(times)
        held_rows.append(rows)
        count += len(times)
    if count:
        yield np.concatenate(held_times), np.concatenate(held_rows)


def _only(shape: ObservationShape, cables: Sequence[str]) -> ObservationShape:
    kept = [i for i, name in enumerate(shape.cables) if name in cables]
    return replace(
        shape,
        cables=tuple(shape.cables[i] for i in kept),
        nodes_per_cable=tuple(shape.nodes_per_cable[i] for i in kept),
        arc_length=tuple(shape.arc_length[i] for i in kept),
    )


def _kept_columns(shape: ObservationShape, cables: Sequence[str] | None) -> slice | NDArray[np.intp]:
    if cables is None:
        return slice(None)
    unknown = [name for name in cables if name not in shape.cables]
    if unknown:
        raise ResultError(
            f"outputs.cables names {', '.join(unknown)}, which is no cable of this system; "
            f"there are {', '.join(shape.cables)}"
        )
    keep = np.ones(shape.size, dtype=bool)
    for name in shape.cables:
        if name not in cables:
            keep[shape.cable_nodes(name)] = False
            keep[shape.cable_ends(name)] = False
            keep[shape.cable_extremes(name)] = False
            keep[shape.cable_peaks(name)] = False
    return np.flatnonzero(keep)
