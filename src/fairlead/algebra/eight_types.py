"""What numba knows of eights (`eights`): eight rows of a table of one system, their numbers in lanes."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import register_model

from .asked import IN_EIGHTS, note
from .eights import in_eights, lanes_apart, put_apart
from .lane_types import LANES
from .lanes import WIDTH
from .pack_types import LaneArrayType
from .record_types import (
    ARRAYS,
    ONE_BESIDE,
    SIDE_BY_SIDE,
    SINGLE,
    NamesModel,
    NamesType,
    RowType,
    Spread,
    SystemType,
    TableType,
    constant,
    function,
    loaded,
    member,
    stored,
)  # fmt: skip
from .records import REALS, SHARED, Table

_ARRAY = ARRAYS[REALS]


class AlikeType(LaneArrayType):
    """An array whose numbers are the same in all lanes."""

    ndim, dtype = _ARRAY.ndim, _ARRAY.dtype

    def __init__(self) -> None:
        super().__init__("AlikeArray", Spread(1, 0), _ARRAY)


register_model(AlikeType)(models.ArrayModel)


class EightsType(NamesType):
    """The four arrays of one system, seen eight rows at a time: numbers of the next stand `apart`; what is there once
    is the same in all lanes."""

    arrays = ARRAYS | {REALS: AlikeType()}

    def spread(self, table: Table) -> Spread:
        if table.owned_by == SHARED:
            return SINGLE
        return Spread(1, 0 if table.per is None else table.each * table.width)


register_model(EightsType)(NamesModel)


@infer_global(in_eights)
class _InEights(AbstractTemplate):
    def generic(self, args, kws):
        kind = args[0]
        note(IN_EIGHTS)
        if isinstance(kind, SystemType) and kind.in_eights:
            return signature(EightsType("Eights", kind.schema, kind.known), kind)
        return signature(types.none, kind)


@lower_builtin(in_eights, types.Any)
def _in_eights(context, builder, sig, args):
    return args[0] if isinstance(sig.return_type, EightsType) else context.get_dummy_value()


# --- numbers of an array that stand apart -----------------------------------------------------------------------------


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
    array, place, apart = args[:3]
    if context.enable_boundscheck:
        for at in (place, builder.add(place, builder.mul(apart, constant(WIDTH - 1)))):
            cgutils.do_boundscheck(context, builder, at, member(context, builder, _ARRAY, array, "nitems"))
    return builder.gep(member(context, builder, _ARRAY, array, "data"), [place], inbounds=True)


@lower_builtin(lanes_apart, types.Array, types.int64, types.int64)
def _lanes_apart(context, builder, sig, args):
    return loaded(context, builder, _first(context, builder, args), args[2])


@lower_builtin(put_apart, types.Array, types.int64, types.int64, LANES)
def _put_apart(context, builder, sig, args):
    stored(builder, args[3], _first(context, builder, args), args[2])
    return context.get_dummy_value()


# --- what is handed over from eight rows to one -----------------------------------------------------------------------


def _eight_of(typingctx, table):
    """All eight rows of a table side by side."""

    def codegen(context, builder, sig, args):
        return member(context, builder, sig.args[0], args[0], "data")

    return (RowType(table.table, SIDE_BY_SIDE)(table), codegen) if isinstance(table, TableType) else None


def _one_of(typingctx, table, k):
    """The k-th of them."""

    def codegen(context, builder, sig, args):
        data = member(context, builder, sig.args[0], args[0], "data")
        if context.enable_boundscheck:
            cgutils.do_boundscheck(context, builder, args[1], constant(WIDTH))
        return builder.gep(data, [args[1]], inbounds=True)

    return (RowType(table.table, ONE_BESIDE)(table, types.int64), codegen) if isinstance(table, TableType) else None


EIGHT_OF, ONE_OF = function(_eight_of, "eight_of"), function(_one_of, "one_of")
