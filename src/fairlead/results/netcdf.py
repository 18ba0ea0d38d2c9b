"""A result as a NetCDF-4 file: written piece by piece, so that a long record never has to be in memory as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .integrity import append_checksums
from .journal import Reference
from .places import Patient, replace_file
from .restart import Restart
from .scales import Dimensioned, put_attributes
from .seals import SEALS_GROUP, Described, Seal, seal_of_texts
from .variables import Variable

COMPRESS_ABOVE = 1024 * 1024  # bytes; below this compressing takes longer than all steps of a short run
CHUNK = 1024 * 1024  # bytes
RESTART_GROUP = "restart"
JOURNAL_GROUP = "journal"
GROWING = "time"
"""The dimension along which pieces follow one another."""

Attributes = Mapping[str, str | int | float]


def write_netcdf(
    path: Path,
    pieces: Iterable[Mapping[str, Variable]],
    attrs: Attributes,
    *,
    samples: int = 0,
    restart: Restart | None = None,
    journal: Reference | None = None,
) -> None:
    """Write a file in one indivisible act; `ResultError` when that cannot be done, and what was there stays.

    pieces   the variables; those along ``time`` go on from piece to piece, the others are those of the first
    samples  how many there are along ``time`` in all pieces together
    restart  the state to resume from; journal: where the run records what follows
    """

    def write(file: Patient) -> None:
        try:
            _compose(file, pieces, attrs, samples, restart, journal)
        except Exception:
            file.require()  # HDF5 may stumble over what could not be written before
            raise
        append_checksums(file)

    replace_file(path, write)


def _compose(
    target: Patient,
    pieces: Iterable[Mapping[str, Variable]],
    attrs: Attributes,
    samples: int,
    restart: Restart | None,
    journal: Reference | None,
) -> None:
    import h5py

    with h5py.File(target, "w", track_order=True) as file:
        file.attrs["_NCProperties"] = f"version=2,h5py={h5py.__version__},hdf5={h5py.version.hdf5_version}"
        put_attributes(file, attrs)
        numbers = count()
        root = Dimensioned(file, numbers)
        columns: dict[str, _Column] = {}
        for number, variables in enumerate(pieces):
            target.require()
            if number == 0:
                columns = {name: _Column(root, name, variable, samples) for name, variable in variables.items()}
            for name, variable in variables.items():
                if number == 0 or variable.dims[:1] == (GROWING,):
                    columns[name].add(variable.values)
        for column in columns.values():
            column.finish()
        root.close()
        seals = file.create_group(SEALS_GROUP, track_order=True)
        seals.attrs["texts"] = seal_of_texts(attrs, (column.described for column in columns.values()))
        seals.attrs["numbers"] = json.dumps({name: column.seal.text for name, column in columns.items()})
        if restart is not None:
            _write_restart(file.create_group(RESTART_GROUP, track_order=True), restart, numbers)
        if journal is not None:
            group = file.create_group(JOURNAL_GROUP, track_order=True)
            put_attributes(group, {"name": journal.name, "identity": journal.identity, "seal": journal.seal})
            put_attributes(group, {"samples": np.int64(journal.samples)})


class _Column:
    """One variable of the file: what is added is gathered into whole chunks, each written once."""

    def __init__(self, root: Dimensioned, name: str, variable: Variable, samples: int):
        import h5py

        values = variable.values
        grows = variable.dims[:1] == (GROWING,)
        shape = (samples, *values.shape[1:]) if grows else values.shape
        self.described: Described = (name, variable.dims, shape, values.dtype.kind, variable.attrs)
        self.seal = Seal()
        self._rows = _rows_in_chunk(shape, values.dtype.itemsize)
        self._held: list[NDArray[Any]] = []
        self._count = self._written = 0
        text = values.dtype == object
        padded = values.dtype.kind == "f" and "node" in variable.dims
        self._stored = root.create(
            name,
            variable.dims,
            shape,
            h5py.string_dtype() if text else values.dtype,
            fillvalue=np.nan if padded else None,
            **({} if text else _storage(shape, self._rows, values.dtype.itemsize)),
        )
        put_attributes(self._stored, {"_FillValue": values.dtype.type(np.nan)} if padded else {})
        put_attributes(self._stored, variable.attrs)
        if padded and name != "arc_length":
            self._stored.attrs["coordinates"] = "arc_length node_count"

    def add(self, values: NDArray[Any]) -> None:
        self.seal.add(values)
        if values.ndim == 0:
            self._stored[...] = values
            return
        self._held.append(values)
        self._count += len(values)
        if self._count >= self._rows:
            self._write(self._count - self._count % self._rows)

    def finish(self) -> None:
        self._write(self._count)

    def _write(self, count: int) -> None:
        if count == 0:
            return
        whole = self._held[0] if len(self._held) == 1 else np.concatenate(self._held)
        for start in range(0, count, self._rows):
            stop = min(start + self._rows, count)
            self._stored[self._written + start : self._written + stop] = whole[start:stop]
        self._held = [whole[count:].copy()] if count < len(whole) else []
        self._count -= count
        self._written += count


def _rows_in_chunk(shape: tuple[int, ...], item: int) -> int:
    row = max(item * int(np.prod(shape[1:], dtype=np.int64)), 1)
    return max(1, min(shape[0], CHUNK // row)) if shape else 1


def _storage(shape: tuple[int, ...], rows: int, item: int) -> dict[str, object]:
    size = item * int(np.prod(shape, dtype=np.int64))
    if not shape or size == 0:
        return {}
    checked: dict[str, object] = {"chunks": (rows, *shape[1:]), "fletcher32": True}
    if size >= COMPRESS_ABOVE:
        checked |= {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    return checked


def _write_restart(group: Any, restart: Restart, numbers: Iterator[int]) -> None:
    y = np.ascontiguousarray(restart.y, dtype=np.float64)
    storage = _storage(y.shape, _rows_in_chunk(y.shape, 8), 8)
    inside = Dimensioned(group, numbers)
    stored = inside.create("y", ("state",), y.shape, np.float64, **storage)
    if len(y):
        stored[...] = y
    inside.close()
    put_attributes(group, {"time": np.float64(restart.time), "steps": np.int64(restart.steps)})
    put_attributes(group, {"samples": np.int64(restart.samples), "layout": restart.layout})
    put_attributes(group, {"input_hash": restart.input_hash, "seal": restart.seal})
