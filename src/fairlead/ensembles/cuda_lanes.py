"""Lanes on a GPU (`algebra.lanes`): a thread is one member, so that eight numbers side by side are one, a decision is a
choice of one number, and what is the same in all lanes is the number itself."""

from __future__ import annotations

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.typing.templates import AbstractTemplate, signature

from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import (
    ROUND,
    alike,
    all_lanes,
    any_lane,
    at_least,
    common,
    counted,
    like,
    pick,
    placed,
    quarter_turned,
    times_power_of_two,
    where,
)  # fmt: skip
from fairlead.algebra.mask_types import chosen, joined
from fairlead.algebra.packs import lane_count, lane_of

_WORD = ir.IntType(64)


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_WORD, value)


def _of_numbers(function, result, *kinds):
    """Decorator of what builds a function of single numbers that a core has of eight."""

    @typing_registry.register_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            return signature(result, *kinds) if len(args) == len(kinds) else None

    def decorator(build):
        lowering_registry.lower(function, *kinds)(lambda context, builder, sig, args: build(builder, *args))
        return build

    return decorator


_REAL = types.float64
_DOUBLE = ir.DoubleType()
_ROUND = ir.Constant(_DOUBLE, ROUND)


@_of_numbers(alike, _REAL, _REAL)
def _alike(builder, number):
    return number


@_of_numbers(counted, _REAL, _REAL, _REAL)
def _counted(builder, x, per):
    return builder.fadd(builder.fmul(x, per), _ROUND)


@_of_numbers(quarter_turned, types.UniTuple(_REAL, 2), _REAL, _REAL, _REAL)
def _quarter_turned(builder, s, c, n):
    bits = builder.bitcast(n, _WORD)
    odd = builder.icmp_unsigned("!=", builder.and_(bits, _constant(1)), _constant(0))
    sign = builder.shl(builder.and_(bits, _constant(2)), _constant(62))
    found = builder.select(odd, c, s), builder.select(odd, builder.fsub(ir.Constant(_DOUBLE, -0.0), s), c)
    signed = [builder.bitcast(builder.xor(builder.bitcast(x, _WORD), sign), _DOUBLE) for x in found]
    return cgutils.pack_array(builder, signed)


@_of_numbers(times_power_of_two, _REAL, _REAL, _REAL)
def _times_power_of_two(builder, x, n):
    exponent = builder.shl(builder.bitcast(n, _WORD), _constant(52))
    return builder.bitcast(builder.add(builder.bitcast(x, _WORD), exponent), _DOUBLE)


@_of_numbers(at_least, _REAL, _REAL, _REAL)
def _at_least(builder, x, least):
    return builder.select(builder.fcmp_ordered("<", x, least), least, x)


# --- decisions: a thread is one member --------------------------------------------------------------------------------


@typing_registry.register_global(where)
class _Where(AbstractTemplate):
    def generic(self, args, kws):
        found = joined(self.context, *(types.unliteral(kind) for kind in args))
        return None if found is None else signature(found, types.unliteral(args[0]), found, found)


@lowering_registry.lower(where, types.Any, types.Any, types.Any)
def _where(context, builder, sig, args):
    return chosen(context, builder, sig.return_type, *args)


def _as_it_is(function, given, place):
    """A function of a few arguments that for one member is one of them."""

    @typing_registry.register_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            kinds = [types.unliteral(kind) for kind in args]
            return signature(kinds[place], *kinds) if len(args) == given else None

    @lowering_registry.lower(function, *(types.Any,) * given)
    def _(context, builder, sig, args):
        return args[place]


for _same, _given, _place in (
    (any_lane, 1, 0), (all_lanes, 1, 0), (common, 1, 0), (pick, 2, 0), (placed, 3, 2), (like, 2, 1), (lane_of, 2, 0),
):  # fmt: skip
    _as_it_is(_same, _given, _place)


@typing_registry.register_global(lane_count)
class _LaneCount(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, args[0])


@lowering_registry.lower(lane_count, types.Any)
def _lane_count(context, builder, sig, args):
    return _constant(1)


@typing_registry.register_global(in_eights)
class _InEights(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.none, args[0])


@lowering_registry.lower(in_eights, types.Any)
def _in_eights(context, builder, sig, args):
    return context.get_dummy_value()
