"""What numba knows of records (`records`): their types, and how their names become addresses."""

from __future__ import annotations

import hashlib
import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    make_intrinsic_template,
    signature,
)  # fmt: skip
from numba.extending import register_model

from .records import INTS, PLACES, Schema, Table

ARRAYS = {INTS: types.Array(types.int64, 1, "C")} | {place: types.Array(types.float64, 1, "C") for place in PLACES[1:]}


def _short(declaration: Any) -> str:
    """What stands for a declaration in the names of types, which become part of the names of compiled functions."""
    return hashlib.sha256(str(declaration).encode()).hexdigest()[:12]


class SystemType(types.Type):
    """The four arrays with the names of a schema; `known` are counts and settings with the values they always have, and
    `in_eights` says whether rows may be taken eight at a time (`eights`)."""

    def __init__(self, schema: Schema, known: dict[str, int], in_eights: bool) -> None:
        self.schema, self.known, self.in_eights = schema, known, in_eights
        declared = (schema.counts, schema.settings, list(schema.table.values()), sorted(known.items()), in_eights)
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
        if attr in typ.table.fields:  # a column, which `expected` takes
            return typ
        return types.int64 if attr == "start" else None


@infer_global(operator.getitem)
class _TableItem(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], TableType) and isinstance(args[1], types.Integer):
            return signature(RowType(args[0].table), args[0], types.int64)
        return None


def _constant(value: int) -> ir.Constant:
    return ir.Constant(ir.IntType(64), value)


def _member(context, builder, kind, value, *names):
    """A member of a struct, or of a struct in it, taken from its value: no memory is asked for, stored to and read."""
    model = context.data_model_manager[kind]
    for name in names:
        where = model.get_field_position(name)
        value, model = builder.extract_value(value, where), model.get_model(where)
    return value


def _head(context, builder, sys, value, index):
    ints = _member(context, builder, sys, value, INTS, "data")
    return builder.load(builder.gep(ints, [_constant(index)], inbounds=True))


@lower_getattr_generic(SystemType)
def _system_getattr(context, builder, sys, value, attr):
    if attr in ARRAYS:
        return impl_ret_borrowed(context, builder, ARRAYS[attr], _member(context, builder, sys, value, attr))
    if attr in sys.known:
        return _constant(sys.known[attr])
    if attr in sys.schema.head:
        return _head(context, builder, sys, value, sys.schema.head[attr])
    table = sys.schema.table[attr]
    base = _member(context, builder, sys, value, table.place, "data")
    start = _head(context, builder, sys, value, sys.schema.offset[attr])
    data = builder.gep(base, [start], inbounds=True)
    if table.per is None:
        return data
    rows = builder.mul(_constant(table.each), _head(context, builder, sys, value, sys.schema.head[table.per]))
    found = ir.Constant(context.get_value_type(TableType(table)), ir.Undefined)
    for where, member in enumerate((data, rows, start)):  # as `_TableModel` has them
        found = builder.insert_value(found, member, where)
    return found


@lower_getattr_generic(TableType)
def _table_getattr(context, builder, table, value, attr):
    return _member(context, builder, table, value, attr) if attr == "start" else value


@lower_builtin(operator.getitem, TableType, types.int64)
def _table_getitem(context, builder, sig, args):
    table, value = sig.args[0], args[0]
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, args[1], _member(context, builder, table, value, "rows"))
    start = builder.mul(args[1], _constant(table.table.width))
    return builder.gep(_member(context, builder, table, value, "data"), [start], inbounds=True)


def _row_start(typingctx, row, array):
    """Where a row begins in its array."""

    def codegen(context, builder, sig, args):
        kind, word = sig.args[1], ir.IntType(64)
        proxy = context.make_array if isinstance(kind, types.Array) else cgutils.create_struct_proxy
        base = proxy(kind)(context, builder, args[1]).data
        away = builder.sub(builder.ptrtoint(args[0], word), builder.ptrtoint(base, word))
        return builder.sdiv(away, _constant(8 * getattr(kind, "members", 1)), flags=["exact"])

    return types.int64(row, array), codegen


def _function(definition: Any, name: str) -> types.Type:
    """Type of a function of compiled code that `definition` writes."""
    return types.Function(make_intrinsic_template((definition, name), definition, name))


ROW_START = _function(_row_start, "row_start")


def _expected(typingctx, column, i, count):
    """Nothing: a core reads ahead by itself."""
    return types.none(column, i, count), lambda context, builder, sig, args: context.get_dummy_value()


EXPECTED = _function(_expected, "expected")


def _with_state(typingctx, sys, y):
    """The same system in another state."""

    def codegen(context, builder, sig, args):
        struct = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
        struct.y = args[1]
        return impl_ret_borrowed(context, builder, sig.return_type, struct._getvalue())

    return (sys(sys, y), codegen) if isinstance(sys, SystemType) else None


WITH_STATE = _function(_with_state, "with_state")


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


def view_of(schema: Schema, known: dict[str, int], in_eights: bool) -> types.Type:
    """Type of the function that gives the four arrays their names."""
    typ = SystemType(schema, known, in_eights)

    def system(typingctx, ints, reals, y, work):
        def codegen(context, builder, sig, args):
            struct = cgutils.create_struct_proxy(typ)(context, builder)
            struct.ints, struct.reals, struct.y, struct.work = args
            return impl_ret_borrowed(context, builder, typ, struct._getvalue())

        return typ(*ARRAYS.values()), codegen

    return _function(system, schema.name)
