"""A member of an ensemble as a thread of a GPU sees it, and what it first brings into its processor's scratchpad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.extending import intrinsic
from numba.cuda.np.arrayobj import make_array

from fairlead.algebra.records import REALS, WORK, Y

from . import cuda_fetching  # noqa: F401  tells numba-cuda what rows are that are fetched
from .cuda_addresses import NEARBY, SHORT, WORD, at, constant, in_space, load, nearby, place_in, thread
from .cuda_records import LaneRowType, LaneType, MemberType
from .gpu import GROUP
from .scratchpads import THREADS


def _own(builder, data, member, size):
    """Address of a member's first number among arrays of `size` numbers a member."""
    group, lane = builder.sdiv(member, constant(GROUP)), builder.srem(member, constant(GROUP))
    first = builder.add(builder.mul(group, constant(GROUP * size)), lane)
    return builder.gep(data, [first], inbounds=True)


def member_view(kind: MemberType) -> Callable[..., Any]:
    """Function of a kernel that gives member `i` of the arrays of all: (ints, shared, own, y, work, i) → system."""

    @intrinsic
    def member_of(typingctx, ints, shared, own, y, work, i):
        def codegen(context, builder, sig, args):
            arrays = [make_array(typ)(context, builder, a).data for typ, a in zip(sig.args[:5], args[:5], strict=True)]
            if kind.space == NEARBY:
                arrays[:2] = _near_arrays(builder, kind.pad)
            constants = cgutils.create_struct_proxy(kind.arrays[REALS])(context, builder)
            constants.shared = arrays[1]
            constants.own = _own(builder, arrays[2], args[5], kind.arrays[REALS].own)
            member = cgutils.create_struct_proxy(kind)(context, builder)
            member.ints, member.reals = arrays[0], constants._getvalue()
            member.y = _own(builder, arrays[3], args[5], kind.arrays[Y].size)
            member.work = _own(builder, arrays[4], args[5], kind.arrays[WORK].size)
            if kind.pad is not None:
                _bring_near(builder, kind, constants.own, member.work)
            return member._getvalue()

        return kind(ints, shared, own, y, work, types.int64), codegen

    return member_of  # type: ignore[no-any-return]


def _near_arrays(builder, pad):
    """Integers and constants that all members share, in the scratchpad."""
    both = nearby(builder), builder.gep(nearby(builder), [ir.Constant(SHORT, pad.whole)])
    kinds = WORD.as_pointer(NEARBY), ir.DoubleType().as_pointer(NEARBY)
    return [in_space(builder, builder.bitcast(one, kind), 0) for one, kind in zip(both, kinds, strict=True)]


def _bring_near(builder, kind, own, work):
    """Put what a thread has in the scratchpad there. The functions that a kernel calls, whose code says what that is,
    are compiled before it."""
    pad = kind.pad
    tables = (table for table in kind.schema.table.values() if LaneRowType(table, kind.storage(table)).near)
    scheme = next((kind.head[kind.schema.offset[table.name]] for table in tables), 0)
    rows = {first + k: place + k for (first, end), place in pad.own_rows.items() for k in range(end - first)}
    for base, places in ((own, pad.own | rows), (work, {scheme + k: place for k, place in pad.scheme.items()})):
        for number, place in places.items():
            value = load(builder, at(builder, base, constant(number), GROUP), base is own)
            builder.store(value, place_in(builder, pad, place))


def sharing(kind: MemberType) -> Callable[..., Any]:
    """Function of a kernel by which the threads of a block bring near what all members share: (ints, shared)."""

    @intrinsic
    def share(typingctx, ints, shared):
        def codegen(context, builder, sig, args):
            if kind.pad is not None and kind.space == NEARBY:
                near = _near_arrays(builder, kind.pad)
                arrays = [make_array(typ)(context, builder, a).data for typ, a in zip(sig.args, args, strict=True)]
                first, every = builder.zext(thread(builder), WORD), constant(THREADS)
                for here, there, size in zip(near, arrays, (kind.pad.whole, kind.pad.shared), strict=True):
                    with cgutils.for_range_slice(builder, first, constant(size), every, WORD) as (k, _):
                        value = load(builder, at(builder, there, k, 1), True)
                        builder.store(value, in_space(builder, at(builder, here, k, 1), NEARBY))
                builder.asm(ir.FunctionType(ir.VoidType(), []), "bar.sync 0;", "~{memory}", [], True)
            return context.get_dummy_value()

        return types.none(ints, shared), codegen

    return share  # type: ignore[no-any-return]


def lane_view(size: int) -> Callable[..., Any]:
    """Function of a kernel that gives the `size` numbers of member `i` in an array of all: (array, i) → array."""
    kind = LaneType(types.float64, GROUP, size, True)

    @intrinsic
    def lane_of(typingctx, array, i):
        def codegen(context, builder, sig, args):
            return _own(builder, make_array(sig.args[0])(context, builder, args[0]).data, args[1], size)

        return kind(array, types.int64), codegen

    return lane_of  # type: ignore[no-any-return]
