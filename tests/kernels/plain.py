"""Kernels as plain Python functions, for tests of a few calls: nothing is compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fairlead.algebra.records import Field, Schema, Table, arrived, expected, fetch, fetched, row_start, taken

_OWN = {
    id(row_start): lambda row, array: row.start,
    id(expected): lambda column, i, count: None,
    id(taken): lambda row: row,
    id(fetch): lambda column, i, count, kept: None,
    id(arrived): lambda sys: None,
    id(fetched): lambda column, i, count, kept: column[i],
}


def plain(kernel: Any, known: dict[int, Any] | None = None) -> Callable[..., Any]:
    """A kernel uncompiled, and with it every kernel that it calls, by its name or by that of its module."""
    known = dict(_OWN) if known is None else known
    if id(kernel) not in known:
        whole = kernel.py_func
        names: dict[str, Any] = {}
        known[id(kernel)] = FunctionType(whole.__code__, names, whole.__name__, whole.__defaults__)
        for name, value in whole.__globals__.items():
            names[name] = _uncompiled(value, known) if name in whole.__code__.co_names else value
    function: Callable[..., Any] = known[id(kernel)]
    return function


def _uncompiled(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, ModuleType) and value.__name__.startswith("fairlead."):
        return _Names(value, known)
    return plain(value, known) if hasattr(value, "py_func") or id(value) in _OWN else value


class _Names:
    """The names of a module, its kernels uncompiled."""

    def __init__(self, module: ModuleType, known: dict[int, Any]) -> None:
        self._module, self._known = module, known

    def __getattr__(self, name: str) -> Any:
        return _uncompiled(getattr(self._module, name), self._known)


class PlainSystem:
    """What a kernel sees of a system: counts, tables of rows, single rows, and the four arrays."""

    def __init__(self, schema: Schema, ints: np.ndarray, reals: np.ndarray, y: np.ndarray, work: np.ndarray) -> None:
        self.schema, self.ints, self.reals, self.y, self.work = schema, ints, reals, y, work

    def __getattr__(self, name: str) -> Any:
        schema = self.__dict__["schema"]
        if name in schema.head:
            return int(self.ints[schema.head[name]])
        if name not in schema.table:
            raise AttributeError(name)
        table, start = schema.table[name], int(self.ints[schema.offset[name]])
        array = getattr(self, table.place)
        return PlainRow(table.fields, array, start) if table.per is None else PlainRows(table, array, start)


class PlainRows:
    """A table of rows."""

    def __init__(self, table: Table, array: np.ndarray, start: int) -> None:
        self.table, self.array, self.start = table, array, start

    def __getattr__(self, name: str) -> PlainRows:
        """A column, which `expected` takes."""
        if name not in self.__dict__["table"].fields:
            raise AttributeError(name)
        return self

    def __getitem__(self, i: int) -> PlainRow:
        return PlainRow(self.table.fields, self.array, self.start + int(i) * self.table.width)


class PlainRow:
    """Named numbers, and tuples of them, from `start` on in an array; what is written is written there."""

    def __init__(self, fields: dict[str, Field], array: np.ndarray, start: int) -> None:
        self.__dict__.update(fields=fields, array=array, start=start)

    def __getattr__(self, name: str) -> Any:
        field = self.__dict__["fields"].get(name)
        if field is None:
            raise AttributeError(name)
        at = self.start + field.start
        return tuple(self.array[at : at + field.count].tolist()) if field.vector else self.array[at].item()

    def __setattr__(self, name: str, value: Any) -> None:
        field = self.fields[name]
        at = self.start + field.start
        self.array[at : at + field.count] = value
