"""Collects the observations of a run and keeps a readable result file on disk while it lasts."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .dataset import build_dataset, rows_of, shape_of
from .errors import ResultError
from .netcdf import file_image, replace_file, require_writable
from .observation import ObservationShape
from .reader import open_result
from .restart import Restart
from .variables import global_attributes, result_variables

if TYPE_CHECKING:
    import xarray as xr

SHORTEST_FLUSH_PERIOD = 2.0  # s
FLUSH_PERIOD_PER_WRITE = 20.0  # waiting 20 times as long as a write took keeps writing below 5 % of the run
FIRST_CAPACITY = 256  # samples

RestartSource = Restart | Callable[[], Restart] | None


class Recorder:
    """Growing memory of observation rows with a file behind it.

    path              the result file; None keeps the result in memory only
    shape             what the rows passed to :meth:`append` hold
    metadata          attributes of the result (see :mod:`.dataset`); ``recorder.metadata`` may grow during the run
    cables            names of the cables to keep; None keeps all
    energy            False leaves energies and works out of the result
    expected_samples  how many rows are to come, to size the memory and to check the disk before the run starts

    The file is rewritten whole at each flush, in one indivisible act, with the state to resume from beside the
    results; so a kill at any moment leaves the file of the last flush.
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
        self.path = None if path is None else Path(path)
        self.metadata = dict(metadata)
        self.energy = energy
        self._input_size = shape.size
        self._columns = _kept_columns(shape, cables)
        self.shape = shape if cables is None else _only(shape, cables)
        if self.path is not None:
            require_writable(self.path, 8 * self.shape.size * (expected_samples or 0))
        capacity = max(FIRST_CAPACITY, expected_samples or 0)
        # A wrong guess of a huge number of samples must not cost memory: pages that are never written take none.
        self._times = np.empty(capacity)
        self._rows = np.empty((capacity, self.shape.size))
        self.samples = 0
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
        earlier = open_result(path)
        if shape_of(earlier) != recorder.shape:
            raise ResultError(
                f"{path}: cannot resume, it records other cables, nodes or points than the input asks for; "
                "restore the input (outputs.cables) or start a new run"
            )
        if earlier.sizes["time"] < restart.samples:
            raise ResultError(
                f"{path}: cannot resume, it holds {earlier.sizes['time']} samples of the {restart.samples} its state "
                "speaks of; start a new run"
            )
        kept = earlier.isel(time=slice(0, restart.samples))
        recorder._reserve(restart.samples)
        recorder._times[: restart.samples] = kept["time"].values
        recorder._rows[: restart.samples] = rows_of(kept, recorder.shape)
        recorder.samples = restart.samples
        recorder._restart = restart
        return recorder

    @property
    def times(self) -> NDArray[np.float64]:
        """Simulated times recorded so far, (sample,), s."""
        return self._times[: self.samples]

    @property
    def rows(self) -> NDArray[np.float64]:
        """Observations recorded so far, (sample, shape.size)."""
        return self._rows[: self.samples]

    def append(self, time: float, row: NDArray[np.float64]) -> None:
        """Take a copy of one observation: ``time`` in s, later than the last; ``row`` as the formulation filled it."""
        if row.shape != (self._input_size,):
            raise ValueError(f"an observation has {self._input_size} numbers, not {row.shape}")
        if self.samples and not time > self._times[self.samples - 1]:
            raise ValueError(f"observation at {time} s follows one at {self._times[self.samples - 1]} s")
        self._reserve(self.samples + 1)
        self._times[self.samples] = time
        self._rows[self.samples] = row[self._columns]
        self.samples += 1

    def maybe_flush(self, restart: RestartSource = None) -> bool:
        """Write the file if enough time has passed; ``restart`` may be a function, called only when it is needed."""
        due = self._last_flush + max(SHORTEST_FLUSH_PERIOD, FLUSH_PERIOD_PER_WRITE * self._last_write)
        if self.path is None or self._clock() < due:
            return False
        self.flush(restart)
        return True

    def flush(self, restart: RestartSource = None, *, status: str = "running") -> None:
        """Write all that is recorded, and the state to resume from as of the last sample."""
        self.metadata["status"] = status
        state = restart() if callable(restart) else restart
        if state is not None:
            self._restart = replace(state, y=np.array(state.y, dtype=np.float64), samples=self.samples)
        if self.path is None or self.samples == 0:
            return
        began = self._clock()
        variables = result_variables(self.shape, self.times, self.rows, energy=self.energy)
        replace_file(self.path, file_image(variables, global_attributes(self.metadata), self._restart))
        self._last_flush = self._clock()
        self._last_write = self._last_flush - began

    def close(self, status: str = "complete", restart: RestartSource = None) -> None:
        """Write the final file. ``status`` is "complete" or "stopped: why"."""
        self.flush(restart, status=status)
        self._closed = True

    def dataset(self) -> xr.Dataset:
        """What is recorded so far, as an xarray Dataset."""
        return build_dataset(self.shape, self.times.copy(), self.rows, self.metadata, energy=self.energy)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._closed and not isinstance(error, ResultError):
            self.close("complete" if error is None else f"stopped: {str(error) or type(error).__name__}")

    def _reserve(self, samples: int) -> None:
        if samples <= len(self._times):
            return
        capacity = max(samples, 2 * len(self._times))
        times, rows = self.times, self.rows
        self._times, self._rows = np.empty(capacity), np.empty((capacity, self.shape.size))
        self._times[: len(times)], self._rows[: len(times)] = times, rows


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
    return np.flatnonzero(keep)
