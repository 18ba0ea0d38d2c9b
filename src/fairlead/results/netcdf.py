"""A result as a NetCDF-4 file: written piece by piece, so that a long record never has to be in memory as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .journal import Reference
from .places import Patient, replace_file
from .restart import Restart
from .seals import SEALS_GROUP, Described, Seal, seal_of_texts
from .variables import Variable

COMPRESS_ABOVE = 64 * 1024  # bytes; below this a compressed array costs more than it saves
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

    replace_file(path, write)


def _compose(
    target: Patient,
    pieces: Iterable[Mapping[str, Variable]],
    attrs: Attributes,
    samples: int,
    restart: Restart | None,
    journal: Reference | None,
) -> None:
    import h5netcdf

    with h5netcdf.File(target, "w") as file:
        for name, value in attrs.items():
            file.attrs[name] = value
        columns: dict[str, _Column] = {}
        for number, variables in enumerate(pieces):
            target.require()
            if number == 0:
                _dimensions(file, variables, samples)
                columns = {name: _Column(file, name, variable, samples) for name, variable in variables.items()}
            for name, variable in variables.items():
                if number == 0 or variable.dims[:1] == (GROWING,):
                    columns[name].add(variable.values)
        for column in columns.values():
            column.finish()
        seals = file.create_group(SEALS_GROUP)
        seals.attrs["texts"] = seal_of_texts(attrs, (column.described for column in columns.values()))
        seals.attrs["numbers"] = json.dumps({name: column.seal.text for name, column in columns.items()})
        if restart is not None:
            _write_restart(file.create_group(RESTART_GROUP), restart)
        if journal is not None:
            file.create_group(JOURNAL_GROUP).attrs.update(
                {
                    "name": journal.name,
                    "identity": journal.identity,
                    "samples": np.int64(journal.samples),
                    "seal": journal.seal,
                }
            )


def _dimensions(file: Any, variables: Mapping[str, Variable], samples: int) -> None:
    for variable in variables.values():
        for dim, size in zip(variable.dims, variable.values.shape, strict=True):
            if dim not in file.dimensions:
                file.dimensions[dim] = samples if dim == GROWING else size


class _Column:
    """One variable of the file: what is added is gathered into whole chunks, each written once."""

    def __init__(self, file: Any, name: str, variable: Variable, samples: int):
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
        self._stored = file.create_variable(
            name,
            variable.dims,
            dtype=h5py.string_dtype() if text else values.dtype,
            fillvalue=np.nan if padded else None,
            **({} if text else _storage(shape, self._rows, values.dtype.itemsize)),
        )
        for key, text_value in variable.attrs.items():
            self._stored.attrs[key] = text_value
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


def _write_restart(group: Any, restart: Restart) -> None:
    y = np.ascontiguousarray(restart.y, dtype=np.float64)
    group.dimensions["state"] = len(y)
    storage = _storage(y.shape, _rows_in_chunk(y.shape, 8), 8)
    stored = group.create_variable("y", ("state",), dtype=np.float64, **storage)
    if len(y):
        stored[...] = y
    group.attrs.update(
        {
            "time": np.float64(restart.time),
            "steps": np.int64(restart.steps),
            "samples": np.int64(restart.samples),
            "layout": restart.layout,
            "input_hash": restart.input_hash,
            "seal": restart.seal,
        }
    )
