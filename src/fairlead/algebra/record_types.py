"""What numba knows of records (`records`): their types, and how their names become addresses.

The same names stand for one system, for eight members side by side (`pack_types`) and for eight rows of one system
(`eight_types`): how the numbers of a row lie (`Spread`) is all in which they differ.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Mapping
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import (
    impl_ret_borrowed,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
)
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    make_intrinsic_template,
    signature,
)  # fmt: skip
from numba.extending import register_model

from .asked import IN_EIGHTS, note
from .lane_types import LANES, NUMBERS, joined_lanes, same
from .lanes import WIDTH
from .records import INTS, PLACES, Schema, Table, Y

_HELD = ("data", "nitems")
ARRAYS = {INTS: types.Array(types.int64, 1, "C")} | {place: types.Array(types.float64, 1, "C") for place in PLACES[1:]}


def _short(declaration: Any) -> str:
    """What stands for a declaration in the names of types, which become part of the names of compiled functions."""
    return hashlib.sha256(str(declaration).encode()).hexdigest()[:12]


class Spread(NamedTuple):
    """How the numbers of a row lie: each `step` behind the one before it, single or, in lanes, `apart` from that of the
    next lane (0: there once, the same in all lanes)."""

    step: int = 1
    apart: int | None = None


SINGLE, SIDE_BY_SIDE, ONE_BESIDE = Spread(), Spread(WIDTH, 1), Spread(WIDTH)
"""One system; eight members; one of these."""


class HeldType(types.Type):
    """An array that a system holds: where it begins and how many numbers it has, which is all there is to know. numba's
    own seven would be handed over, taken apart and put together at every call."""

    def __init__(self, array: types.Type) -> None:
        self.number = array.dtype  # type: ignore[attr-defined]
        super().__init__(f"Held[{self.number}]")


class NamesType(types.Type):
    """Arrays with the names of a schema; `known` are counts and settings with the values they always have."""

    arrays: Mapping[str, types.Type] = ARRAYS

    def __init__(self, kind: str, schema: Schema, known: dict[str, int], *more: Any) -> None:
        self.schema, self.known = schema, known
        held = {place: HeldType(array) if hasattr(array, "dtype") else array for place, array in self.arrays.items()}
        self.members: dict[str, types.Type] = held
        declared = (schema.counts, schema.settings, list(schema.table.values()), sorted(known.items()), *more)
        super().__init__(f"{kind}[{schema.name}, {_short(declared)}]")

    def spread(self, table: Table) -> Spread:
        """How the numbers of a table that is not of whole ones lie."""
        return SINGLE

    def seen(self, asked: frozenset[str]) -> tuple[Any, ...]:
        """All that a kernel sees of it that asks nothing else of what is known (`asked`)."""
        return self.schema, {word: self.known.get(word) for word in asked}

    def base(self, context: Any, builder: Any, value: Any, table: Table) -> Any:
        """Where the array of a table begins."""
        return member(context, builder, self, value, table.place, "data")


class SystemType(NamesType):
    """One system; `in_eights` says whether its rows may be taken eight at a time (`eights`)."""

    def __init__(self, schema: Schema, known: dict[str, int], in_eights: bool) -> None:
        self.in_eights = in_eights
        super().__init__("System", schema, known, in_eights)

    def seen(self, asked: frozenset[str]) -> tuple[Any, ...]:
        return *super().seen(asked), self.in_eights and IN_EIGHTS in asked


class TableType(types.Type):
    """A table: its first number, how many rows it has and, as `start`, where in its array it begins."""

    def __init__(self, table: Table, spread: Spread) -> None:
        self.table, self.spread = table, spread
        super().__init__(f"Table[{table.name}, {_short((table, spread))}]")


class RowType(types.Type):
    """One row: where it begins. All rows with the same fields that lie alike are of one type, whatever their table."""

    def __init__(self, table: Table, spread: Spread) -> None:
        self.fields, self.spread = table.fields, spread
        self.single = types.int64 if table.whole else types.float64
        self.number = self.single if spread.apart is None else LANES
        super().__init__(f"Row[{_short((self.number, table.fields, spread))}]")


@register_model(HeldType)
class _HeldModel(models.StructModel):
    def __init__(self, manager, fe_type):
        kinds = (types.CPointer(fe_type.number), types.int64)
        super().__init__(manager, fe_type, list(zip(_HELD, kinds, strict=True)))


@register_model(SystemType)
class NamesModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, list(fe_type.members.items()))


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager, fe_type):
        single = RowType(fe_type.table, fe_type.spread).single
        members = [("data", types.CPointer(single)), ("rows", types.int64), ("start", types.int64)]
        super().__init__(manager, fe_type, members)


@register_model(RowType)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        number = ir.DoubleType() if fe_type.single == types.float64 else ir.IntType(64)
        super().__init__(manager, fe_type, number.as_pointer())


@infer_getattr
class _NamesAttributes(AttributeTemplate):
    key = NamesType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        if attr in typ.arrays:
            return typ.arrays[attr]
        if attr in typ.schema.head:
            return types.int64
        table = typ.schema.table.get(attr)
        return None if table is None else _rows_of(typ, table)


def _rows_of(names: NamesType, table: Table) -> RowType | TableType:
    return (RowType if table.per is None else TableType)(table, SINGLE if table.whole else names.spread(table))


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
        if attr in typ.table.fields:  # a column, which `expected` takes
            return typ
        return types.int64 if attr == "start" else None


@infer_global(operator.getitem)
class _TableItem(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], TableType) and isinstance(args[1], types.Integer):
            return signature(RowType(args[0].table, args[0].spread), args[0], types.int64)
        return None


# --- addresses --------------------------------------------------------------------------------------------------------


def constant(value: int) -> ir.Constant:
    return ir.Constant(ir.IntType(64), value)


def member(context, builder, kind, value, *names):
    """A member of a struct, or of a struct in it, taken from its value: no memory is asked for, stored to and read."""
    model = context.data_model_manager[kind]
    for name in names:
        where = model.get_field_position(name)
        value, model = builder.extract_value(value, where), model.get_model(where)
    return value


def struct(context: Any, builder: Any, kind: types.Type, *members: Any) -> Any:
    """A struct of these members, without memory either."""
    found = ir.Constant(context.get_value_type(kind), ir.Undefined)
    for where, one in enumerate(members):
        found = builder.insert_value(found, one, where)
    return found


def held(context: Any, builder: Any, kind: types.Type, array: Any) -> Any:
    """An array as a system holds it."""
    return struct(context, builder, HeldType(kind), *(member(context, builder, kind, array, of) for of in _HELD))


def _given(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """An array that a system holds, as numba knows arrays."""
    data, size = (builder.extract_value(value, where) for where in range(len(_HELD)))
    width = constant(8)
    nobody = ir.Constant(ir.IntType(8).as_pointer(), None)  # counts references to it, or is a Python object
    shape, strides = (cgutils.pack_array(builder, [number]) for number in (size, width))
    members = {"meminfo": nobody, "parent": nobody, "nitems": size, "itemsize": width, "data": data}
    members |= {"shape": shape, "strides": strides}
    names = context.data_model_manager[kind]._fields
    return struct(context, builder, kind, *(members[name] for name in names))


def at(builder: Any, first: Any, index: Any, step: int) -> Any:
    """Where number `index` of an array is."""
    return builder.gep(first, [index if step == 1 else builder.mul(index, constant(step))], inbounds=True)


def loaded(context: Any, builder: Any, place: Any, apart: Any) -> Any:
    """The number at a place, or those of all lanes (see `Spread`), which may stand `apart` as compiled code finds."""
    if apart is None or apart == 0:
        number = builder.load(place)
        return number if apart is None else same(context, builder, types.float64, LANES, number)
    if apart == 1:
        found = builder.load(builder.bitcast(place, NUMBERS.as_pointer()))
        found.align = 8
        return found
    return joined_lanes(builder, map(builder.load, _lanes_from(builder, place, apart)))


def stored(builder: Any, value: Any, place: Any, apart: Any) -> None:
    """Write what `loaded` reads."""
    if apart is None:
        builder.store(value, place)
    elif apart == 1:
        builder.store(value, builder.bitcast(place, NUMBERS.as_pointer())).align = 8
    else:
        for k, lane in enumerate(_lanes_from(builder, place, apart)):
            builder.store(builder.extract_element(value, ir.Constant(ir.IntType(32), k)), lane)


def _lanes_from(builder: Any, place: Any, apart: Any) -> list[Any]:
    word = constant(apart) if isinstance(apart, int) else apart
    return [builder.gep(place, [builder.mul(constant(k), word)], inbounds=True) for k in range(WIDTH)]


@lower_getattr_generic(NamesType)
def _names_getattr(context, builder, names, value, attr):
    schema = names.schema

    def head(index):
        ints = member(context, builder, names, value, INTS, "data")
        return builder.load(builder.gep(ints, [constant(index)], inbounds=True))

    if attr in names.arrays:
        found = member(context, builder, names, value, attr)
        if isinstance(names.members[attr], HeldType):
            found = _given(context, builder, names.arrays[attr], found)
        return impl_ret_borrowed(context, builder, names.arrays[attr], found)
    if attr in schema.head:
        note(attr)
        return constant(names.known[attr]) if attr in names.known else head(schema.head[attr])
    table = schema.table[attr]
    rows, start = _rows_of(names, table), head(schema.offset[attr])
    data = at(builder, names.base(context, builder, value, table), start, rows.spread.step)
    if table.per is None:
        return data
    count = builder.mul(constant(table.each), head(schema.head[table.per]))
    return struct(context, builder, rows, data, count, start)  # as `_TableModel` has them


@lower_cast(NamesType, NamesType)
def _as_another(context, builder, fromty, toty, value):
    """The same arrays: types that differ in what is known alone are handed over so (`asked`)."""
    return value


@lower_cast(types.NamedTuple, types.NamedTuple)
def _with_another(context, builder, fromty, toty, value):
    """The same of what has a system among its members."""
    members = cgutils.unpack_tuple(builder, value)
    pairs = zip(members, fromty, toty, strict=True)
    return context.make_tuple(builder, toty, [context.cast(builder, *one) for one in pairs])


@lower_getattr_generic(TableType)
def _table_getattr(context, builder, table, value, attr):
    return member(context, builder, table, value, attr) if attr == "start" else value


@lower_builtin(operator.getitem, TableType, types.int64)
def _table_getitem(context, builder, sig, args):
    kind, (value, index) = sig.args[0], args
    table, (step, apart) = kind.table, kind.spread
    if context.enable_boundscheck:
        ahead = table.each * (WIDTH - 1) if step == 1 and apart is not None else 0
        for row in {0: index, ahead: builder.add(index, constant(ahead))}.values():
            cgutils.do_boundscheck(context, builder, row, member(context, builder, kind, value, "rows"))
    return at(builder, member(context, builder, kind, value, "data"), index, table.width * step)


@lower_getattr_generic(RowType)
def _row_getattr(context, builder, row, value, attr):
    field, (step, apart) = row.fields[attr], row.spread
    places = [at(builder, value, constant((field.start + k) * step), 1) for k in range(field.count)]
    numbers = [loaded(context, builder, place, apart) for place in places]
    return cgutils.pack_array(builder, numbers) if field.vector else numbers[0]


@lower_setattr_generic(RowType)
def _row_setattr(context, builder, sig, args, attr):
    row, value = args
    field, (step, apart) = sig.args[0].fields[attr], sig.args[0].spread
    if apart == 0:
        raise TypeError(f"'{attr}' is there once: eight rows cannot write it together")
    numbers = cgutils.unpack_tuple(builder, value, field.count) if field.vector else [value]
    for k, number in enumerate(numbers):
        stored(builder, number, at(builder, row, constant((field.start + k) * step), 1), apart)


def _row_start(typingctx, row, array):
    """Where a row begins in its array."""

    def codegen(context, builder, sig, args):
        kind, word = sig.args[1], ir.IntType(64)
        base = member(context, builder, kind, args[1], "data")
        away = builder.sub(builder.ptrtoint(args[0], word), builder.ptrtoint(base, word))
        return builder.sdiv(away, constant(8 * getattr(kind, "spread", SINGLE).step), flags=["exact"])

    return types.int64(row, array), codegen


def function(definition: Any, name: str) -> types.Type:
    """Type of a function of compiled code that `definition` writes."""
    return types.Function(make_intrinsic_template((definition, name), definition, name))


ROW_START = function(_row_start, "row_start")


def _expected(typingctx, column, i, count):
    """Nothing: a core reads ahead by itself."""
    return types.none(column, i, count), lambda context, builder, sig, args: context.get_dummy_value()


EXPECTED = function(_expected, "expected")


def _fetch(typingctx, column, i, count, kept):
    """The same."""
    return types.none(column, i, count, kept), lambda context, builder, sig, args: context.get_dummy_value()


FETCH = function(_fetch, "fetch")


def _arrived(typingctx, sys):
    """Nothing: what is read is waited for where it is used."""
    return types.none(sys), lambda context, builder, sig, args: context.get_dummy_value()


ARRIVED = function(_arrived, "arrived")


def _fetched(typingctx, column, i, count, kept):
    """The row itself."""

    def codegen(context, builder, sig, args):
        return _table_getitem(context, builder, sig, args[:2])

    return RowType(column.table, column.spread)(column, types.int64, count, kept), codegen


FETCHED = function(_fetched, "fetched")


def _taken(typingctx, row):
    """The row itself: what is read of it is read where it is used."""
    return row(row), lambda context, builder, sig, args: impl_ret_borrowed(context, builder, sig.return_type, args[0])


TAKEN = function(_taken, "taken")


def _with_state(typingctx, sys, y):
    """The same system in another state."""

    def codegen(context, builder, sig, args):
        found = builder.insert_value(args[0], held(context, builder, ARRAYS[Y], args[1]), list(ARRAYS).index(Y))
        return impl_ret_borrowed(context, builder, sig.return_type, found)

    return (sys(sys, y), codegen) if isinstance(sys, SystemType) else None


WITH_STATE = function(_with_state, "with_state")


def view_of(schema: Schema, known: dict[str, int], in_eights: bool) -> types.Type:
    """Type of the function that gives the four arrays their names."""
    typ = SystemType(schema, known, in_eights)

    def system(typingctx, ints, reals, y, work):
        def codegen(context, builder, sig, args):
            given = (held(context, builder, *one) for one in zip(ARRAYS.values(), args, strict=True))
            return impl_ret_borrowed(context, builder, typ, struct(context, builder, typ, *given))

        return typ(*ARRAYS.values()), codegen

    return function(system, schema.name)
