"""Named records in flat memory: what kernels see of `ints`, `reals`, `y` and `work`.

A formulation declares its tables once, in its `schema.py`:

    SCHEMA = Schema(
        "toy",
        "nodes points",  # counts
        "law",  # settings
        Table("node", REALS, "mass drag", per="nodes"),
        Table("state", Y, "position:3 velocity:3", per="nodes", unit="m, m/s", weight=1.0),
        Table("step", WORK, "size fault_time"),
    )
    system = SCHEMA.view

In a kernel `sys = system(ints, reals, y, work)`; then `sys.nodes` is a count, `sys.node[i]` a row, `sys.node[i].mass` a
number and `sys.state[i].position` three numbers, a tuple, both read and written by name; a table without `per` is one
row, `sys.step.size`. Nothing is copied or allocated: a row is one pointer. A row is known by its fields alone: a kernel
takes, and a variable holds, a row of any table that has the same ones. For kernels that take an array and an offset,
`row_start(sys.node[i], sys.reals)` says where a row begins and `sys.node.start` where a table does; runs of numbers are
slices of that array. In Python `SCHEMA.tables(ints, reals, y, work)` shows the same names as numpy views.

From the declaration follow the offsets (they stand in the head of `ints`), the table of contents of `y`, an index check
against a table's own length when bounds checks are on, and who owns a table when many members of one system run.
Indices count from 0: unlike numpy's, a negative one is no way to count from the end.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import intrinsic, register_model

from .recorded import blank

INTS, REALS, Y, WORK = PLACES = ("ints", "reals", "y", "work")
SHARED, MEMBER, SCRATCH = "shared", "member", "scratch"
"""Who owns a table when many members of one system run together: all of them, each its own, or nobody between steps."""
OWNERS = {INTS: SHARED, REALS: MEMBER, Y: MEMBER, WORK: SCRATCH}


@dataclass(frozen=True)
class Field:
    """Where a field stands in its row, how many numbers it has, and whether it is seen as a tuple or as a number."""

    start: int
    count: int
    vector: bool

    @property
    def columns(self) -> slice | int:
        return slice(self.start, self.start + self.count) if self.vector else self.start


def fields_of(words: str) -> dict[str, Field]:
    """Fields written as `mass drag position:3`; a number after the colon makes a tuple of so many."""
    found: dict[str, Field] = {}
    start = 0
    for word in words.split():
        name, _, count = word.partition(":")
        if name in found or not name.isidentifier():
            raise ValueError(f"{name!r} cannot be a field: it is there twice, or no name")
        found[name] = Field(start, int(count or 1), bool(count))
        start += int(count or 1)
    return found


@dataclass(frozen=True)
class Table:
    """Rows of named numbers.

    name    as kernels and Python call it
    place   the array it lies in: `INTS` (int64), `REALS`, `Y` or `WORK` (float64)
    columns the fields of a row, `mass drag position:3`
    per     name of the count in the head that says how many rows there are; None for a single row
    each    rows a count, such as 2 ends a cable
    unit, weight   of the state, for tables in `Y`: units, and the weight in the error norm of adaptive integrators
    owner   who owns it in an ensemble; by default what its place says
    """

    name: str
    place: str
    columns: str
    per: str | None = None
    each: int = 1
    unit: str = "1"
    weight: float = 0.0
    owner: str | None = None

    @cached_property
    def fields(self) -> dict[str, Field]:
        return fields_of(self.columns)

    @cached_property
    def width(self) -> int:
        """Numbers a row."""
        return sum(field.count for field in self.fields.values())

    @property
    def owned_by(self) -> str:
        return self.owner or OWNERS[self.place]

    @property
    def whole(self) -> bool:
        """Whether its numbers are whole ones."""
        return self.place == INTS

    def rows(self, counts: Mapping[str, int]) -> int:
        return 1 if self.per is None else self.each * int(counts[self.per])


class Schema:
    """All tables of a formulation.

    The head of `ints` holds the counts, the settings (whole numbers that kernels read by name) and then where each
    table begins in its array.
    """

    def __init__(self, name: str, counts: str, settings: str, *tables: Table) -> None:
        self.name = name
        self.counts, self.settings = tuple(counts.split()), tuple(settings.split())
        self.table: dict[str, Table] = {table.name: table for table in tables}
        self.head = {word: i for i, word in enumerate((*self.counts, *self.settings))}
        words = [*self.head, *self.table, *PLACES]
        twice = sorted({word for word in words if words.count(word) > 1})
        missing = sorted({t.per for t in tables if t.per is not None and t.per not in self.counts})
        if twice or missing or len(self.table) != len(tables):
            raise ValueError(f"schema {name}: names used twice: {twice}; tables per unknown counts: {missing}")
        self.offset = {table.name: len(self.head) + i for i, table in enumerate(tables)}
        self.head_size = len(self.head) + len(tables)
        self.view = _view(SystemType(self))

    def sizes(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Numbers in each of the four arrays."""
        offsets = self._offsets(counts)
        return {place: max(offsets[place], 1) for place in PLACES}

    def _offsets(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Where each table begins, and under the names of the arrays where each array ends."""
        ends = {INTS: self.head_size, REALS: 0, Y: 0, WORK: 0}
        found: dict[str, int] = {}
        for table in self.table.values():
            found[table.name] = ends[table.place]
            ends[table.place] += table.width * table.rows(counts)
        return found | ends

    def allocate(self, counts: Mapping[str, int], **settings: int) -> Tables:
        """The four arrays for so many rows, all zero but the head; filled by the names of the tables."""
        unknown = sorted({*counts, *settings} ^ {*self.counts, *self.settings})
        if unknown:
            raise ValueError(f"schema {self.name}: counts and settings that are missing or unknown: {unknown}")
        sizes, offsets = self.sizes(counts), self._offsets(counts)
        ints = np.zeros(sizes[INTS], dtype=np.int64)
        for name, index in self.head.items():
            ints[index] = counts[name] if name in counts else settings[name]
        for name, index in self.offset.items():
            ints[index] = offsets[name]
        return self.tables(ints, blank(sizes[REALS]), np.zeros(sizes[Y]), np.zeros(sizes[WORK]))

    def tables(self, ints: np.ndarray, reals: np.ndarray, y: np.ndarray, work: np.ndarray) -> Tables:
        """The same arrays by the names that kernels use."""
        return Tables(self, ints, reals, y, work)

    def state_parts(self, counts: Mapping[str, int]) -> tuple[tuple[str, int, str, float], ...]:
        """Table of contents of `y`: name, size, unit, error weight."""
        states = [table for table in self.table.values() if table.place == Y]
        return tuple((table.name, table.width * table.rows(counts), table.unit, table.weight) for table in states)


class Tables:
    """The arrays of a compiled system as numpy views: `tables.node.mass` (node,), `tables.state.position` (node, 3)."""

    def __init__(self, schema: Schema, ints: np.ndarray, reals: np.ndarray, y: np.ndarray, work: np.ndarray) -> None:
        self.schema = schema
        self.ints, self.reals, self.y, self.work = ints, reals, y, work

    def __getattr__(self, name: str) -> Any:
        schema: Schema = self.__dict__["schema"]
        if name in schema.head:
            return int(self.ints[schema.head[name]])
        if name in schema.table:
            return Rows(schema.table[name], self.block(name))
        raise AttributeError(f"schema {schema.name} has no table or count '{name}'; it has {', '.join(schema.table)}")

    def block(self, name: str) -> np.ndarray:
        """A whole table as (row, column)."""
        table = self.schema.table[name]
        start = int(self.ints[self.schema.offset[name]])
        flat: np.ndarray = getattr(self, table.place)[start : start + table.width * table.rows(self.counts)]
        return flat.reshape(-1, table.width)

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of what tables have rows for."""
        return {count: int(self.ints[self.schema.head[count]]) for count in self.schema.counts}


class Rows:
    """One table: its fields are arrays over the rows, or over the numbers of the only row."""

    def __init__(self, table: Table, block: np.ndarray) -> None:
        self.__dict__.update(_table=table, _block=block)

    def __len__(self) -> int:
        return len(self._block)

    def __getattr__(self, name: str) -> Any:
        table: Table = self.__dict__["_table"]
        field = table.fields.get(name)
        if field is None:
            raise AttributeError(f"table {table.name} has no field '{name}'; it has {', '.join(table.fields)}")
        columns = self._block[:, field.columns]
        return columns[0] if table.per is None else columns

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._table.fields.get(name)
        if field is None:
            getattr(self, name)
        elif len(self._block) or np.size(value) > 1:  # a list of nothing fits a table without rows
            self._block[:, field.columns] = value

    def fill(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write all rows, each given by the names of its fields; a field that is not named stays as it is."""
        for one, values in zip(self._block, rows, strict=True):
            Rows(self._table, one[None, :])._write(values)

    def _write(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)


# --- what numba knows of it ------------------------------------------------------------------------------------------

ARRAYS = {INTS: types.Array(types.int64, 1, "C")} | {place: types.Array(types.float64, 1, "C") for place in PLACES[1:]}


def _short(declaration: Any) -> str:
    """What stands for a declaration in the names of types, which become part of the names of compiled functions."""
    return hashlib.sha256(str(declaration).encode()).hexdigest()[:12]


class SystemType(types.Type):
    """The four arrays with the names of a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        declared = (schema.counts, schema.settings, list(schema.table.values()))
        super().__init__(f"System[{schema.name}, {_short(declared)}]")


class TableType(types.Type):
    """A table: its first number, how many rows it has and, as `start`, where in its array it begins."""

    def __init__(self, table: Table) -> None:
        self.table = table
        super().__init__(f"Table[{table.name}, {_short(table)}]")


class RowType(types.Type):
    """One row: where it begins. All rows with the same fields are of one type, whatever their table."""

    def __init__(self, table: Table) -> None:
        self.fields, self.number = table.fields, _number(table)
        super().__init__(f"Row[{_short((self.number, table.fields))}]")


def _number(table: Table) -> types.Type:
    return types.int64 if table.whole else types.float64


@register_model(SystemType)
class _SystemModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, list(ARRAYS.items()))


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager, fe_type):
        members = [("data", types.CPointer(_number(fe_type.table))), ("rows", types.int64), ("start", types.int64)]
        super().__init__(manager, fe_type, members)


@register_model(RowType)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        number = ir.DoubleType() if fe_type.number == types.float64 else ir.IntType(64)
        super().__init__(manager, fe_type, number.as_pointer())


@infer_getattr
class _SystemAttributes(AttributeTemplate):
    key = SystemType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        if attr in ARRAYS:
            return ARRAYS[attr]
        if attr in typ.schema.head:
            return types.int64
        table = typ.schema.table.get(attr)
        if table is None:
            return None
        return RowType(table) if table.per is None else TableType(table)


@infer_getattr
class _RowAttributes(AttributeTemplate):
    key = RowType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        field = typ.fields.get(attr)
        if field is None:
            return None
        return types.UniTuple(typ.number, field.count) if field.vector else typ.number


@infer_getattr
class _TableAttributes(AttributeTemplate):
    key = TableType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        return types.int64 if attr == "start" else None


@infer_global(operator.getitem)
class _TableItem(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], TableType) and isinstance(args[1], types.Integer):
            return signature(RowType(args[0].table), args[0], types.int64)
        return None


def _constant(value: int) -> ir.Constant:
    return ir.Constant(ir.IntType(64), value)


def _head(context, builder, struct, index):
    ints = context.make_array(ARRAYS[INTS])(context, builder, struct.ints).data
    return builder.load(builder.gep(ints, [_constant(index)], inbounds=True))


@lower_getattr_generic(SystemType)
def _system_getattr(context, builder, sys, value, attr):
    struct = cgutils.create_struct_proxy(sys)(context, builder, value=value)
    if attr in ARRAYS:
        return impl_ret_borrowed(context, builder, ARRAYS[attr], getattr(struct, attr))
    if attr in sys.schema.head:
        return _head(context, builder, struct, sys.schema.head[attr])
    table = sys.schema.table[attr]
    base = context.make_array(ARRAYS[table.place])(context, builder, getattr(struct, table.place)).data
    start = _head(context, builder, struct, sys.schema.offset[attr])
    data = builder.gep(base, [start], inbounds=True)
    if table.per is None:
        return data
    found = cgutils.create_struct_proxy(TableType(table))(context, builder)
    found.data, found.start = data, start
    found.rows = builder.mul(_constant(table.each), _head(context, builder, struct, sys.schema.head[table.per]))
    return found._getvalue()


@lower_getattr_generic(TableType)
def _table_getattr(context, builder, table, value, attr):
    return getattr(cgutils.create_struct_proxy(table)(context, builder, value=value), attr)


@lower_builtin(operator.getitem, TableType, types.int64)
def _table_getitem(context, builder, sig, args):
    table = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, args[1], table.rows)
    start = builder.mul(args[1], _constant(sig.args[0].table.width))
    return builder.gep(table.data, [start], inbounds=True)


def _row_start(typingctx, row, array):
    """Where a row begins in its array."""

    def codegen(context, builder, sig, args):
        base = context.make_array(sig.args[1])(context, builder, args[1]).data
        word = ir.IntType(64)
        away = builder.sub(builder.ptrtoint(args[0], word), builder.ptrtoint(base, word))
        return builder.sdiv(away, _constant(8), flags=["exact"])

    return types.int64(row, array), codegen


row_start: Any = intrinsic(_row_start)


def _at(builder, row, index):
    return builder.gep(row, [_constant(index)], inbounds=True)


@lower_getattr_generic(RowType)
def _row_getattr(context, builder, row, value, attr):
    field = row.fields[attr]
    numbers = [builder.load(_at(builder, value, field.start + k)) for k in range(field.count)]
    return cgutils.pack_array(builder, numbers) if field.vector else numbers[0]


@lower_setattr_generic(RowType)
def _row_setattr(context, builder, sig, args, attr):
    row, value = args
    field = sig.args[0].fields[attr]
    numbers = cgutils.unpack_tuple(builder, value, field.count) if field.vector else [value]
    for k, number in enumerate(numbers):
        builder.store(number, _at(builder, row, field.start + k))


def _view(typ: SystemType) -> Any:
    """Kernel function that gives the four arrays their names."""

    @intrinsic
    def system(typingctx, ints, reals, y, work):
        def codegen(context, builder, sig, args):
            struct = cgutils.create_struct_proxy(typ)(context, builder)
            struct.ints, struct.reals, struct.y, struct.work = args
            return impl_ret_borrowed(context, builder, typ, struct._getvalue())

        return typ(*ARRAYS.values()), codegen

    return system
