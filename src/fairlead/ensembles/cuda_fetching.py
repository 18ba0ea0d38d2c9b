"""Rows that come into the scratchpad of a GPU's processor while others are computed (`algebra.records.fetch`)."""

from __future__ import annotations

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.extending import core_models
from numba.cuda.models import register_model
from numba.cuda.typing.templates import AbstractTemplate, signature

from fairlead.algebra.records import arrived, fetch, fetched

from .cuda_addresses import SHORT, place_in
from .cuda_records import (
    LAZY,
    LaneRowType,
    LaneTableType,
    MemberType,
    RowAttributes,
    lower_expected,
    number_of,
    numbers_asked,
    row_of,
)  # fmt: skip


class FetchedRowType(types.Type):
    """A row in the scratchpad: where its first number that was fetched is."""

    def __init__(self, column: LaneTableType) -> None:
        self.fields, self.number, self.storage = column.table.fields, number_of(column.table), column.storage
        self.first = column.first
        super().__init__(f"FetchedRow[{column}]")


@register_model(FetchedRowType)
class _FetchedRowModel(core_models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, SHORT)


@typing_registry.register_attr
class _FetchedAttributes(RowAttributes):
    key = FetchedRowType


class _Fetch(AbstractTemplate):
    key = fetch

    def generic(self, args, kws):
        return signature(types.none, args[0], *(types.int64,) * 3) if isinstance(args[0], LaneTableType) else None


class _Arrived(AbstractTemplate):
    key = arrived

    def generic(self, args, kws):
        return signature(types.none, *args) if isinstance(args[0], MemberType) else None


class _Fetched(AbstractTemplate):
    key = fetched

    def generic(self, args, kws):
        column = args[0]
        if not isinstance(column, LaneTableType):
            return None
        near = column.storage.pad is not None
        row = FetchedRowType(column) if near else LaneRowType(column.table, column.storage)
        return signature(row, column, *(types.int64,) * 3)


@lowering_registry.lower_getattr_generic(FetchedRowType)
def _fetched_getattr(context, builder, kind, value, attr):
    field = kind.fields[attr]
    places = [ir.Constant(SHORT, field.start + k - kind.first) for k in range(field.count)]
    numbers = [builder.load(place_in(builder, kind.storage.pad, builder.add(value, place))) for place in places]
    return cgutils.pack_array(builder, numbers) if field.vector else numbers[0]


def _place_of_row(builder, kind, row, count, kept):
    """Place of a row in the scratchpad."""
    start = kind.storage.pad.place_of_rows(kind.table.name, kind.first, count.constant, kept.constant)
    which = builder.urem(builder.trunc(row, SHORT), ir.Constant(SHORT, kept.constant))
    return builder.add(builder.mul(which, ir.Constant(SHORT, count.constant)), ir.Constant(SHORT, start))


@lowering_registry.lower(fetch, LaneTableType, types.Integer, types.Integer, types.Integer)
def _lower_fetch(context, builder, sig, args):
    kind = sig.args[0]
    if kind.storage.pad is None:
        return lower_expected(context, builder, sig, args)
    first = _place_of_row(builder, kind, *args[1:])
    for k, place in enumerate(numbers_asked(context, builder, sig, args)):
        to = place_in(builder, kind.storage.pad, builder.add(first, ir.Constant(SHORT, k)))
        copies = ir.FunctionType(ir.VoidType(), [to.type, place.type])
        builder.asm(copies, "cp.async.ca.shared.global [$0], [$1], 8;", "r,l,~{memory}", [to, place], True)
    return context.get_dummy_value()


@lowering_registry.lower(arrived, MemberType)
def _lower_arrived(context, builder, sig, args):
    if sig.args[0].pad is not None:
        waits = "cp.async.commit_group; cp.async.wait_group 1;"
        builder.asm(ir.FunctionType(ir.VoidType(), []), waits, "~{memory}", [], True)
    return context.get_dummy_value()


@lowering_registry.lower(fetched, LaneTableType, types.Integer, types.Integer, types.Integer)
def _lower_fetched(context, builder, sig, args):
    kind = sig.args[0]
    if kind.storage.pad is None:
        return row_of(context, builder, sig, args[:2])
    return _place_of_row(builder, kind, *args[1:])


LAZY.update({fetch: _Fetch, arrived: _Arrived, fetched: _Fetched})
