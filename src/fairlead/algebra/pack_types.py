"""What numba knows of packs (`packs`): eight members of a system side by side, and one of them seen by itself."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import register_model

from .lane_types import LANES, NUMBERS, total_built
from .lanes import WIDTH, lanes, step_of_lanes, total_of
from .packs import lane_count, lane_of
from .record_types import ARRAYS, RowType, SystemType, TableType, _function, _short
from .records import INTS, SHARED, WORK, Schema, Table, Y

_WORD = ir.IntType(64)
_PLACES = ("reals", Y, WORK)
MEMBERS = types.Array(types.float64, 2, "C")
"""(number, lane): what a kernel is given."""


class PackArrayType(types.Type):
    """An array of every member; `alone`: of one of them."""

    members = WIDTH

    def __init__(self, alone: bool) -> None:
        self.alone = alone
        super().__init__("LaneArray" if alone else "PackArray")


class PackType(types.Type):
    """The four arrays of eight members (`alone`: of one of them) with the names of a schema; `known` are counts and
    settings with the values they always have."""

    def __init__(self, schema: Schema, known: dict[str, int], alone: bool) -> None:
        self.schema, self.known, self.alone = schema, known, alone
        self.array = PackArrayType(alone)
        declared = (schema.counts, schema.settings, list(schema.table.values()), sorted(known.items()))
        super().__init__(f"{'Lane' if alone else 'Pack'}[{schema.name}, {_short(declared)}]")

    def one(self, table: Table) -> bool:
        """Whether a row of a table has single numbers: those of one member, or of all alike."""
        return self.alone or table.owned_by == SHARED


class PackTableType(types.Type):
    """A table of numbers."""

    def __init__(self, table: Table, one: bool) -> None:
        self.table, self.one = table, one
        super().__init__(f"PackTable[{table.name}, {_short(table)}, {one}]")


class PackRowType(types.Type):
    """A row of it: where its first number is."""

    def __init__(self, table: Table, one: bool) -> None:
        self.fields, self.one = table.fields, one
        self.number = types.float64 if one else LANES
        super().__init__(f"PackRow[{_short(table.fields)}, {one}]")


@register_model(PackArrayType)
class _PackArrayModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("data", types.CPointer(types.float64)), ("size", types.int64)])


@register_model(PackType)
class _PackModel(models.StructModel):
    def __init__(self, manager, fe_type):
        arrays = [(place, fe_type.array) for place in _PLACES]
        super().__init__(manager, fe_type, [(INTS, ARRAYS[INTS]), *arrays, ("lane", types.int64)])


@register_model(PackTableType)
class _PackTableModel(models.StructModel):
    def __init__(self, manager, fe_type):
        members = [("data", types.CPointer(types.float64)), ("rows", types.int64), ("start", types.int64)]
        super().__init__(manager, fe_type, members)


@register_model(PackRowType)
class _PackRowModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, ir.DoubleType().as_pointer())


@infer_getattr
class _PackAttributes(AttributeTemplate):
    key = PackType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        if attr == INTS:
            return ARRAYS[INTS]
        if attr in _PLACES:
            return typ.array
        if attr in typ.schema.head:
            return types.int64
        table = typ.schema.table.get(attr)
        if table is None:
            return None
        if table.whole:
            return RowType(table) if table.per is None else TableType(table)
        return (PackRowType if table.per is None else PackTableType)(table, typ.one(table))


@infer_getattr
class _PackRowAttributes(AttributeTemplate):
    key = PackRowType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        field = typ.fields.get(attr)
        if field is None:
            return None
        return types.UniTuple(typ.number, field.count) if field.vector else typ.number


@infer_getattr
class _PackTableAttributes(AttributeTemplate):
    key = PackTableType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        if attr in typ.table.fields:  # a column, which `expected` takes
            return typ
        return types.int64 if attr == "start" else None


@infer_getattr
class _PackArrayAttributes(AttributeTemplate):
    key = PackArrayType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        return types.UniTuple(types.int64, 1) if attr == "shape" else None


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        array, index = args
        if not isinstance(index, types.Integer):
            return None
        if isinstance(array, PackTableType):
            return signature(PackRowType(array.table, array.one), array, types.int64)
        if isinstance(array, PackArrayType):
            return signature(types.float64 if array.alone else LANES, array, types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args, kws):
        array, index, _ = args
        if isinstance(array, PackArrayType) and isinstance(index, types.Integer):
            return signature(types.none, array, types.int64, types.float64 if array.alone else LANES)
        return None


# --- addresses --------------------------------------------------------------------------------------------------------


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_WORD, value)


def _at(builder: Any, base: Any, index: Any) -> Any:
    return builder.gep(base, [builder.mul(index, _constant(WIDTH), flags=("nsw",))], inbounds=True)


def _load(builder: Any, place: Any, one: bool) -> Any:
    if one:
        return builder.load(place)
    found = builder.load(builder.bitcast(place, NUMBERS.as_pointer()))
    found.align = 8
    return found


def _store(builder: Any, value: Any, place: Any, one: bool) -> None:
    if one:
        builder.store(value, place)
    else:
        builder.store(value, builder.bitcast(place, NUMBERS.as_pointer())).align = 8


def _struct(context: Any, builder: Any, kind: types.Type, value: Any = None) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value=value)


@lower_builtin(operator.getitem, PackArrayType, types.int64)
def _array_getitem(context, builder, sig, args):
    array = _struct(context, builder, sig.args[0], args[0])
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, args[1], array.size)
    return _load(builder, _at(builder, array.data, args[1]), sig.args[0].alone)


@lower_builtin(operator.setitem, PackArrayType, types.int64, types.Any)
def _array_setitem(context, builder, sig, args):
    array = _struct(context, builder, sig.args[0], args[0])
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, args[1], array.size)
    _store(builder, args[2], _at(builder, array.data, args[1]), sig.args[0].alone)
    return context.get_dummy_value()


@lower_getattr_generic(PackArrayType)
def _array_getattr(context, builder, array, value, attr):
    return cgutils.pack_array(builder, [_struct(context, builder, array, value).size])


def _head(context: Any, builder: Any, pack: Any, index: int) -> Any:
    ints = context.make_array(ARRAYS[INTS])(context, builder, pack.ints).data
    return builder.load(builder.gep(ints, [_constant(index)], inbounds=True))


@lower_getattr_generic(PackType)
def _pack_getattr(context, builder, kind, value, attr):
    pack = _struct(context, builder, kind, value)
    if attr in (INTS, *_PLACES):
        return getattr(pack, attr)
    if attr in kind.known:
        return _constant(kind.known[attr])
    if attr in kind.schema.head:
        return _head(context, builder, pack, kind.schema.head[attr])
    table = kind.schema.table[attr]
    start = _head(context, builder, pack, kind.schema.offset[attr])
    if table.whole:
        ints = context.make_array(ARRAYS[INTS])(context, builder, pack.ints).data
        data = builder.gep(ints, [start], inbounds=True)
    else:
        base = _struct(context, builder, kind.array, getattr(pack, table.place)).data
        if kind.alone and table.owned_by == SHARED:
            base = builder.gep(base, [builder.neg(pack.lane)])
        data = _at(builder, base, start)
    if table.per is None:
        return data
    rows = _struct(context, builder, TableType(table) if table.whole else PackTableType(table, kind.one(table)))
    rows.data, rows.start = data, start
    rows.rows = builder.mul(_constant(table.each), _head(context, builder, pack, kind.schema.head[table.per]))
    return rows._getvalue()


@lower_getattr_generic(PackTableType)
def _table_getattr(context, builder, table, value, attr):
    return getattr(_struct(context, builder, table, value), attr) if attr == "start" else value


@lower_builtin(operator.getitem, PackTableType, types.int64)
def _table_getitem(context, builder, sig, args):
    table = _struct(context, builder, sig.args[0], args[0])
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, args[1], table.rows)
    start = builder.mul(args[1], _constant(sig.args[0].table.width * WIDTH))
    return builder.gep(table.data, [start], inbounds=True)


@lower_getattr_generic(PackRowType)
def _row_getattr(context, builder, row, value, attr):
    field = row.fields[attr]
    places = [_at(builder, value, _constant(field.start + k)) for k in range(field.count)]
    numbers = [_load(builder, place, row.one) for place in places]
    return cgutils.pack_array(builder, numbers) if field.vector else numbers[0]


@lower_setattr_generic(PackRowType)
def _row_setattr(context, builder, sig, args, attr):
    row, value = args
    kind = sig.args[0]
    field = kind.fields[attr]
    numbers = cgutils.unpack_tuple(builder, value, field.count) if field.vector else [value]
    for k, number in enumerate(numbers):
        _store(builder, number, _at(builder, row, _constant(field.start + k)), kind.one)


# --- waves: of one member eight at a time, of eight members one at a time --------------------------------------------


def _of_arrays(function: Any, result: Any, build: Any, *before: types.Type) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            array = args[len(before)] if len(args) > len(before) else None
            if not isinstance(array, PackArrayType):
                return None
            return signature(result(array), *before, array, *(types.int64 for _ in args[len(before) + 1 :]))

    kinds = (*before, PackArrayType) if function is not lanes else (PackArrayType, types.int64)
    lower_builtin(function, *kinds)(build)


def _lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    if not kind.alone:
        return _array_getitem(context, builder, sig, args)
    found = ir.Constant(NUMBERS, ir.Undefined)
    for k in range(WIDTH):
        number = _array_getitem(context, builder, sig, (args[0], builder.add(args[1], _constant(k))))
        found = builder.insert_element(found, number, ir.Constant(ir.IntType(32), k))
    return found


def _step(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _constant(WIDTH if sig.args[0].alone else 1)


def _total(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return total_built(context, builder, args[0]) if sig.args[1].alone else args[0]


_of_arrays(lanes, lambda array: LANES, _lanes)
_of_arrays(step_of_lanes, lambda array: types.int64, _step)
_of_arrays(total_of, lambda array: types.float64 if array.alone else LANES, _total, LANES)


# --- views ------------------------------------------------------------------------------------------------------------


def view_of_pack(schema: Schema, known: dict[str, int]) -> types.Type:
    """Type of the function that gives the arrays of eight members their names."""
    kind = PackType(schema, known, False)

    def system(typingctx, ints, reals, y, work):
        def codegen(context, builder, sig, args):
            pack = _struct(context, builder, kind)
            pack.ints, pack.lane = args[0], _constant(0)
            for place, given in zip(_PLACES, args[1:], strict=True):
                array, own = context.make_array(MEMBERS)(context, builder, given), _struct(context, builder, kind.array)
                own.data, own.size = array.data, builder.extract_value(array.shape, 0)
                setattr(pack, place, own._getvalue())
            return pack._getvalue()

        return kind(ARRAYS[INTS], MEMBERS, MEMBERS, MEMBERS), codegen

    return _function(system, f"pack_of_{schema.name}")


_SYSTEMS = (PackType, SystemType, PackArrayType, types.Array)
"""What has lanes: systems, and their arrays."""


@infer_global(lane_count)
class _LaneCount(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, args[0]) if isinstance(args[0], _SYSTEMS) else None


@lower_builtin(lane_count, types.Any)
def _lane_count(context, builder, sig, args):
    kind = sig.args[0]
    return _constant(WIDTH if isinstance(kind, (PackType, PackArrayType)) and not kind.alone else 1)


@infer_global(lane_of)
class _LaneOf(AbstractTemplate):
    def generic(self, args, kws):
        kind = args[0]
        if isinstance(kind, PackType):
            kind = PackType(kind.schema, kind.known, True)
        elif isinstance(kind, PackArrayType):
            kind = PackArrayType(True)
        return signature(kind, args[0], types.int64) if isinstance(kind, _SYSTEMS) else None


@lower_builtin(lane_of, types.Any, types.int64)
def _lane_of(context, builder, sig, args):
    kind, of = sig.args[0], sig.return_type
    if kind == of:
        return args[0]
    if isinstance(kind, PackArrayType):
        return _lane_of_array(context, builder, of, _struct(context, builder, kind, args[0]), args[1])
    pack, lane = _struct(context, builder, kind, args[0]), _struct(context, builder, of)
    lane.ints, lane.lane = pack.ints, args[1]
    for place in _PLACES:
        array = _struct(context, builder, kind.array, getattr(pack, place))
        setattr(lane, place, _lane_of_array(context, builder, of.array, array, args[1]))
    return lane._getvalue()


def _lane_of_array(context: Any, builder: Any, kind: types.Type, array: Any, lane: Any) -> Any:
    own = _struct(context, builder, kind)
    own.data, own.size = builder.gep(array.data, [lane], inbounds=True), array.size
    return own._getvalue()
