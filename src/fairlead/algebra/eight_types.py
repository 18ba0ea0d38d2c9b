"""What numba knows of eights (`eights`): eight rows of a table of one system, their numbers in lanes."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import register_model

from .eights import in_eights, lanes_apart, put_apart
from .lane_types import LANES, NUMBERS, same
from .lanes import WIDTH, lanes, step_of_lanes, total_of
from .pack_types import PackRowType
from .packs import lane_count, lane_of
from .record_types import ARRAYS, RowType, SystemType, TableType, _constant, _function, _head, _member, _short
from .records import REALS, SHARED, Schema, Table

_ARRAY = ARRAYS[REALS]


class EightsType(types.Type):
    """The four arrays of one system with the names of a schema, seen eight rows at a time."""

    def __init__(self, schema: Schema, known: dict[str, int]) -> None:
        self.schema, self.known = schema, known
        declared = (schema.counts, schema.settings, list(schema.table.values()), sorted(known.items()))
        super().__init__(f"Eights[{schema.name}, {_short(declared)}]")


class AlikeType(types.Type):
    """An array whose numbers are the same in all lanes."""

    def __init__(self) -> None:
        super().__init__("AlikeArray")


ALIKE = AlikeType()


class EightTableType(types.Type):
    """A table of numbers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        super().__init__(f"EightTable[{table.name}, {_short(table)}]")


class EightRowType(types.Type):
    """Eight rows: where the first begins; numbers of the next stand `apart`, none: they are the same."""

    def __init__(self, table: Table) -> None:
        self.fields, self.apart = table.fields, 0 if table.per is None else table.each * table.width
        super().__init__(f"EightRow[{_short((table.fields, self.apart))}]")


@register_model(EightsType)
class _EightsModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, list(ARRAYS.items()))


@register_model(AlikeType)
class _AlikeModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("array", _ARRAY)])


@register_model(EightTableType)
class _EightTableModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("data", types.CPointer(types.float64)), ("rows", types.int64)])


@register_model(EightRowType)
class _EightRowModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, ir.DoubleType().as_pointer())


@infer_getattr
class _EightsAttributes(AttributeTemplate):
    key = EightsType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        if attr == REALS:
            return ALIKE
        if attr in ARRAYS:
            return ARRAYS[attr]
        if attr in typ.schema.head:
            return types.int64
        table = typ.schema.table.get(attr)
        if table is None:
            return None
        if _single(table):
            return RowType(table) if table.per is None else TableType(table)
        return EightRowType(table) if table.per is None else EightTableType(table)


def _single(table: Table) -> bool:
    """Whether a row of a table has single numbers, as in a pack."""
    return table.whole or table.owned_by == SHARED


@infer_getattr
class _EightRowAttributes(AttributeTemplate):
    key = EightRowType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        field = typ.fields.get(attr)
        if field is None:
            return None
        return types.UniTuple(LANES, field.count) if field.vector else LANES


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        if not isinstance(args[1], types.Integer):
            return None
        if isinstance(args[0], EightTableType):
            return signature(EightRowType(args[0].table), args[0], types.int64)
        return signature(LANES, args[0], types.int64) if args[0] == ALIKE else None


# --- addresses --------------------------------------------------------------------------------------------------------


@lower_getattr_generic(EightsType)
def _eights_getattr(context, builder, kind, value, attr):
    if attr in ARRAYS:
        found = _member(context, builder, kind, value, attr)
        return cgutils.pack_struct(builder, [found]) if attr == REALS else found
    if attr in kind.known:
        return _constant(kind.known[attr])
    if attr in kind.schema.head:
        return _head(context, builder, kind, value, kind.schema.head[attr])
    table = kind.schema.table[attr]
    base = _member(context, builder, kind, value, table.place, "data")
    start = _head(context, builder, kind, value, kind.schema.offset[attr])
    data = builder.gep(base, [start], inbounds=True)
    if table.per is None:
        return data
    rows = builder.mul(_constant(table.each), _head(context, builder, kind, value, kind.schema.head[table.per]))
    return cgutils.pack_struct(builder, [data, rows, start] if _single(table) else [data, rows])


@lower_builtin(operator.getitem, EightTableType, types.int64)
def _table_getitem(context, builder, sig, args):
    table, value = sig.args[0], args[0]
    if context.enable_boundscheck:
        for row in (args[1], builder.add(args[1], _constant(table.table.each * (WIDTH - 1)))):
            cgutils.do_boundscheck(context, builder, row, _member(context, builder, table, value, "rows"))
    start = builder.mul(args[1], _constant(table.table.width))
    return builder.gep(_member(context, builder, table, value, "data"), [start], inbounds=True)


def _lane(k: int) -> ir.Constant:
    return ir.Constant(ir.IntType(32), k)


def _loaded(context: Any, builder: Any, first: Any, apart: Any) -> Any:
    """Eight numbers that stand `apart`."""
    found = ir.Constant(NUMBERS, ir.Undefined)
    for k in range(WIDTH):
        place = builder.gep(first, [builder.mul(_constant(k), apart)], inbounds=True)
        found = builder.insert_element(found, builder.load(place), _lane(k))
    return found


def _put(builder: Any, values: Any, first: Any, apart: Any) -> None:
    for k in range(WIDTH):
        place = builder.gep(first, [builder.mul(_constant(k), apart)], inbounds=True)
        builder.store(builder.extract_element(values, _lane(k)), place)


@lower_getattr_generic(EightRowType)
def _row_getattr(context, builder, row, value, attr):
    field = row.fields[attr]
    places = [builder.gep(value, [_constant(field.start + k)], inbounds=True) for k in range(field.count)]
    if row.apart == 0:
        numbers = [same(context, builder, types.float64, LANES, builder.load(place)) for place in places]
    else:
        numbers = [_loaded(context, builder, place, _constant(row.apart)) for place in places]
    return cgutils.pack_array(builder, numbers) if field.vector else numbers[0]


@lower_setattr_generic(EightRowType)
def _row_setattr(context, builder, sig, args, attr):
    row, value = args
    kind = sig.args[0]
    field = kind.fields[attr]
    if kind.apart == 0:
        raise TypeError(f"'{attr}' is there once: eight rows cannot write it together")
    numbers = cgutils.unpack_tuple(builder, value, field.count) if field.vector else [value]
    for k, number in enumerate(numbers):
        _put(builder, number, builder.gep(row, [_constant(field.start + k)], inbounds=True), _constant(kind.apart))


# --- arrays -----------------------------------------------------------------------------------------------------------


@lower_builtin(operator.getitem, AlikeType, types.int64)
def _alike_getitem(context, builder, sig, args):
    array = context.make_array(_ARRAY)(context, builder, builder.extract_value(args[0], 0))
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, args[1], builder.extract_value(array.shape, 0))
    number = builder.load(builder.gep(array.data, [args[1]], inbounds=True))
    return same(context, builder, types.float64, LANES, number)


@infer_global(lanes)
class _Lanes(AbstractTemplate):
    def generic(self, args, kws):
        return signature(LANES, ALIKE, types.int64) if args[0] == ALIKE else None


lower_builtin(lanes, AlikeType, types.int64)(_alike_getitem)


@infer_global(step_of_lanes)
class _Step(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, ALIKE) if args[0] == ALIKE else None


@lower_builtin(step_of_lanes, AlikeType)
def _step(context, builder, sig, args):
    return _constant(1)


@infer_global(total_of)
class _Total(AbstractTemplate):
    def generic(self, args, kws):
        return signature(LANES, LANES, ALIKE) if len(args) == 2 and args[1] == ALIKE else None


@lower_builtin(total_of, LANES, AlikeType)
def _total(context, builder, sig, args):
    return args[0]


@infer_global(lane_count)
class _LaneCount(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, ALIKE) if args[0] == ALIKE else None


@lower_builtin(lane_count, AlikeType)
def _lane_count(context, builder, sig, args):
    return _constant(WIDTH)


@infer_global(lane_of)
class _LaneOf(AbstractTemplate):
    def generic(self, args, kws):
        return signature(_ARRAY, ALIKE, types.int64) if args[0] == ALIKE else None


@lower_builtin(lane_of, AlikeType, types.int64)
def _lane_of(context, builder, sig, args):
    return builder.extract_value(args[0], 0)


@infer_global(lanes_apart)
class _LanesApart(AbstractTemplate):
    def generic(self, args, kws):
        return signature(LANES, _ARRAY, types.int64, types.int64) if len(args) == 3 and args[0] == _ARRAY else None


@infer_global(put_apart)
class _PutApart(AbstractTemplate):
    def generic(self, args, kws):
        fits = len(args) == 4 and args[0] == _ARRAY
        return signature(types.none, _ARRAY, types.int64, types.int64, LANES) if fits else None


def _first(context: Any, builder: Any, args: Any) -> Any:
    array = context.make_array(_ARRAY)(context, builder, args[0])
    if context.enable_boundscheck:
        size = builder.extract_value(array.shape, 0)
        for at in (args[1], builder.add(args[1], builder.mul(args[2], _constant(WIDTH - 1)))):
            cgutils.do_boundscheck(context, builder, at, size)
    return builder.gep(array.data, [args[1]], inbounds=True)


@lower_builtin(lanes_apart, types.Array, types.int64, types.int64)
def _lanes_apart(context, builder, sig, args):
    return _loaded(context, builder, _first(context, builder, args), args[2])


@lower_builtin(put_apart, types.Array, types.int64, types.int64, LANES)
def _put_apart(context, builder, sig, args):
    _put(builder, args[3], _first(context, builder, args), args[2])
    return context.get_dummy_value()


# --- views ------------------------------------------------------------------------------------------------------------


@infer_global(in_eights)
class _InEights(AbstractTemplate):
    def generic(self, args, kws):
        kind = args[0]
        if isinstance(kind, SystemType) and kind.in_eights:
            return signature(EightsType(kind.schema, kind.known), kind)
        return signature(types.none, kind)


@lower_builtin(in_eights, types.Any)
def _in_eights(context, builder, sig, args):
    return args[0] if isinstance(sig.return_type, EightsType) else context.get_dummy_value()


# --- what is handed over from eight rows to one -----------------------------------------------------------------------


def _eight_of(typingctx, table):
    """All eight rows of a table side by side."""

    def codegen(context, builder, sig, args):
        return _member(context, builder, sig.args[0], args[0], "data")

    return (PackRowType(table.table, False)(table), codegen) if isinstance(table, TableType) else None


def _one_of(typingctx, table, k):
    """The k-th of them."""

    def codegen(context, builder, sig, args):
        data = _member(context, builder, sig.args[0], args[0], "data")
        if context.enable_boundscheck:
            cgutils.do_boundscheck(context, builder, args[1], _constant(WIDTH))
        return builder.gep(data, [args[1]], inbounds=True)

    return (PackRowType(table.table, True)(table, types.int64), codegen) if isinstance(table, TableType) else None


EIGHT_OF, ONE_OF = _function(_eight_of, "eight_of"), _function(_one_of, "one_of")
