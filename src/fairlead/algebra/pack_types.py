"""What numba knows of packs (`packs`): eight members of a system side by side, and one of them seen by itself."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import register_model

from .lane_types import LANES, joined_lanes, total_built
from .lanes import WIDTH, lanes, step_of_lanes, total_of
from .packs import lane_count, lane_of
from .record_types import (
    ARRAYS,
    ONE_BESIDE,
    SIDE_BY_SIDE,
    NamesModel,
    NamesType,
    Spread,
    SystemType,
    at,
    constant,
    function,
    held,
    loaded,
    member,
    stored,
    struct,
)  # fmt: skip
from .records import INTS, SHARED, Schema, Table

MEMBERS = types.Array(types.float64, 2, "C")
"""(number, lane): what a kernel is given."""


class LaneArrayType(types.Type):
    """An array in lanes or, where its numbers are single, of `one` of the members that have a lane each."""

    def __init__(self, name: str, spread: Spread, one: types.Type | None) -> None:
        self.spread, self.one = spread, one
        self.number = types.float64 if spread.apart is None else LANES
        super().__init__(name)


class PackArrayType(LaneArrayType):
    """An array of every member, or of one of them."""


ONE_ARRAY = PackArrayType("LaneArray", ONE_BESIDE, None)
PACK_ARRAY = PackArrayType("PackArray", SIDE_BY_SIDE, ONE_ARRAY)


class PackType(NamesType):
    """Eight members; `alone`: one of them."""

    def __init__(self, schema: Schema, known: dict[str, int], alone: bool) -> None:
        self.alone, self.array = alone, ONE_ARRAY if alone else PACK_ARRAY
        self.arrays = {place: array if place == INTS else self.array for place, array in ARRAYS.items()}
        super().__init__("Lane" if alone else "Pack", schema, known)
        self.members["lane"] = types.int64

    @property
    def one(self) -> types.Type | None:
        return None if self.alone else PackType(self.schema, self.known, True)

    def seen(self, asked: frozenset[str]) -> tuple[Any, ...]:
        return *super().seen(asked), self.alone

    def spread(self, table: Table) -> Spread:
        return ONE_BESIDE if self.alone or table.owned_by == SHARED else SIDE_BY_SIDE

    def base(self, context: Any, builder: Any, value: Any, table: Table) -> Any:
        found = super().base(context, builder, value, table)
        if self.alone and table.owned_by == SHARED and not table.whole:
            found = builder.gep(found, [builder.neg(member(context, builder, self, value, "lane"))])
        return found


register_model(PackType)(NamesModel)


@register_model(PackArrayType)
class _PackArrayModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("data", types.CPointer(types.float64)), ("nitems", types.int64)])


@infer_getattr
class _PackArrayAttributes(AttributeTemplate):
    key = PackArrayType

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        return types.UniTuple(types.int64, 1) if attr == "shape" else None


@lower_getattr_generic(PackArrayType)
def _array_getattr(context, builder, array, value, attr):
    return cgutils.pack_array(builder, [member(context, builder, array, value, "nitems")])


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        array, index = args
        if isinstance(array, LaneArrayType) and isinstance(index, types.Integer):
            return signature(array.number, array, types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args, kws):
        array, index, _ = args
        if isinstance(array, PackArrayType) and isinstance(index, types.Integer):
            return signature(types.none, array, types.int64, array.number)
        return None


def _place(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, index, member(context, builder, array, value, "nitems"))
    return at(builder, member(context, builder, array, value, "data"), index, array.spread.step)


@lower_builtin(operator.getitem, LaneArrayType, types.int64)
def _array_getitem(context, builder, sig, args):
    array = sig.args[0]
    return loaded(context, builder, _place(context, builder, array, *args), array.spread.apart)


@lower_builtin(operator.setitem, PackArrayType, types.int64, types.Any)
def _array_setitem(context, builder, sig, args):
    array, (value, index, number) = sig.args[0], args
    stored(builder, number, _place(context, builder, array, value, index), array.spread.apart)
    return context.get_dummy_value()


# --- waves: of one member eight at a time, of eight members or rows one at a time -------------------------------------


def _of_arrays(asked: Any, result: Any, build: Any, *around: Any) -> None:
    """What is asked of an array in lanes, which stands for None among the types `around` it."""

    @infer_global(asked)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            array = args[around.index(None)] if len(args) == len(around) else None
            if not isinstance(array, LaneArrayType):
                return None
            return signature(result(array), *(array if kind is None else kind for kind in around))

    kinds = [LaneArrayType if kind is None else kind for kind in around]
    lower_builtin(asked, *kinds)(build)


def _lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if sig.args[0].number == LANES:
        return _array_getitem(context, builder, sig, args)
    places = (builder.add(args[1], constant(k)) for k in range(WIDTH))
    return joined_lanes(builder, [_array_getitem(context, builder, sig, (args[0], place)) for place in places])


def _step(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return constant(1 if sig.args[0].number == LANES else WIDTH)


def _total(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0] if sig.args[1].number == LANES else total_built(context, builder, args[0])


_of_arrays(lanes, lambda array: LANES, _lanes, None, types.int64)
_of_arrays(step_of_lanes, lambda array: types.int64, _step, None)
_of_arrays(total_of, lambda array: array.number, _total, LANES, None)


# --- views ------------------------------------------------------------------------------------------------------------


def view_of_pack(schema: Schema, known: dict[str, int]) -> types.Type:
    """Type of the function that gives the arrays of eight members their names."""
    kind = PackType(schema, known, False)

    def system(typingctx, ints, reals, y, work):
        def codegen(context, builder, sig, args):
            given = [context.make_array(MEMBERS)(context, builder, array) for array in args[1:]]
            sizes = [builder.extract_value(array.shape, 0) for array in given]
            own = [
                struct(context, builder, PACK_ARRAY, array.data, size) for array, size in zip(given, sizes, strict=True)
            ]
            return struct(context, builder, kind, held(context, builder, ARRAYS[INTS], args[0]), *own, constant(0))

        return kind(ARRAYS[INTS], MEMBERS, MEMBERS, MEMBERS), codegen

    return function(system, f"pack_of_{schema.name}")


_SYSTEMS = (PackType, SystemType, LaneArrayType, types.Array)
"""What has lanes: systems, and their arrays."""


@infer_global(lane_count)
class _LaneCount(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, args[0]) if isinstance(args[0], _SYSTEMS) else None


@lower_builtin(lane_count, types.Any)
def _lane_count(context, builder, sig, args):
    return constant(1 if getattr(sig.args[0], "one", None) is None else WIDTH)


@infer_global(lane_of)
class _LaneOf(AbstractTemplate):
    def generic(self, args, kws):
        kind = args[0]
        if not isinstance(kind, _SYSTEMS):
            return None
        return signature(getattr(kind, "one", None) or kind, kind, types.int64)


@lower_builtin(lane_of, types.Any, types.int64)
def _lane_of(context, builder, sig, args):
    kind, of, (value, lane) = sig.args[0], sig.return_type, args
    if kind == of or not isinstance(kind, (PackType, PackArrayType)):
        return value

    def beside(array: Any) -> Any:
        data, size = (member(context, builder, PACK_ARRAY, array, name) for name in ("data", "nitems"))
        return struct(context, builder, ONE_ARRAY, builder.gep(data, [lane], inbounds=True), size)

    if isinstance(kind, PackArrayType):
        return beside(value)
    ints, *arrays = (member(context, builder, kind, value, place) for place in ARRAYS)
    return struct(context, builder, of, ints, *map(beside, arrays), lane)
