"""What numba must know of `lanes` before it compiles: eight numbers as one value of LLVM.

LLVM makes of it what the processor has, one register of eight, two of four or four of two.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import register_model

from .compiled import ROUNDING
from .lanes import (
    ROOM,
    ROUND,
    WIDTH,
    alike,
    at_least,
    counted,
    half_turned,
    keep,
    kept,
    lanes,
    quarter_turned,
    room,
    step_of_lanes,
    times_power_of_two,
    total,
    total_of,
)  # fmt: skip

NUMBERS = ir.VectorType(ir.DoubleType(), WIDTH)
WORDS = ir.VectorType(ir.IntType(64), WIDTH)
FLAGS = tuple(sorted(ROUNDING))
"""As in every kernel (`compiled`): fused multiply-add, but sums in the order in which they are written."""
_ARRAY = types.Array(types.float64, 1, "C")


class LanesType(types.Type):
    """Eight numbers; a single one stands for eight that are the same."""

    def __init__(self) -> None:
        super().__init__("Lanes")

    def can_convert_from(self, typingctx, other):
        return Conversion.safe if other == types.float64 or isinstance(other, types.Integer) else None


class MaskType(types.Type):
    """Eight decisions; a single one stands for eight that are the same."""

    def __init__(self) -> None:
        super().__init__("Mask")

    def can_convert_from(self, typingctx, other):
        return Conversion.safe if isinstance(other, types.Boolean) else None


class RoomType(types.Type):
    """Where eight numbers lie one after the other, ROOM times."""

    def __init__(self) -> None:
        super().__init__("Room")


LANES, MASK, WITHIN = LanesType(), MaskType(), RoomType()
BITS = ir.VectorType(ir.IntType(1), WIDTH)


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, NUMBERS)


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, BITS)


@register_model(RoomType)
class _RoomModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, NUMBERS.as_pointer())


def _spread(builder: Any, kind: ir.VectorType, number: Any) -> Any:
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


def joined_lanes(builder: Any, numbers: Iterable[Any]) -> Any:
    """Eight numbers as one value."""
    found = ir.Constant(NUMBERS, ir.Undefined)
    for k, number in enumerate(numbers):
        found = builder.insert_element(found, number, ir.Constant(ir.IntType(32), k))
    return found


@lower_cast(types.float64, LanesType)
def same(context, builder, fromty, toty, number):
    return _spread(builder, NUMBERS, number)


@lower_cast(types.int64, LanesType)
@lower_cast(types.IntegerLiteral, LanesType)
def _same_whole(context, builder, fromty, toty, number):
    return _spread(builder, NUMBERS, builder.sitofp(number, ir.DoubleType()))


@lower_cast(types.boolean, MaskType)
@lower_cast(types.BooleanLiteral, MaskType)
def _same_decision(context, builder, fromty, toty, decision):
    return _spread(builder, BITS, builder.trunc(decision, ir.IntType(1)) if decision.type.width > 1 else decision)


def every(number: float) -> ir.Constant:
    return ir.Constant(NUMBERS, [number] * WIDTH)


def _words(number: int) -> ir.Constant:
    return ir.Constant(WORDS, [number] * WIDTH)


def _fit(args: tuple[types.Type, ...], kinds: tuple[types.Type, ...]) -> bool:
    """Whether a function of these kinds is meant: one that has lanes is given some, and an array is one."""
    if len(args) != len(kinds) or (LANES in kinds and LANES not in args):
        return False
    return all(isinstance(arg, types.Array) for arg, kind in zip(args, kinds, strict=True) if kind == _ARRAY)


def compiled(function: Callable[..., Any], result: types.Type, *kinds: types.Type) -> Callable[..., Any]:
    """Decorator of what builds, in compiled code, a function of these types."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            return signature(result, *kinds) if _fit(args, kinds) else None

    def decorator(build: Callable[..., Any]) -> Callable[..., Any]:
        # of any float, so that what another target of numba has for a float64 goes before it
        general = [types.Float if kind == types.float64 else kind for kind in kinds]
        lower_builtin(function, *general)(lambda context, builder, sig, args: build(context, builder, *args))
        return build

    return decorator


def _operation(function: Callable[..., Any], instruction: str) -> None:
    @compiled(function, LANES, LANES, LANES)
    def _(context, builder, a, b):
        return getattr(builder, instruction)(a, b, flags=FLAGS)


for _function, _instruction in (
    (operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul"), (operator.truediv, "fdiv"),
    (operator.iadd, "fadd"), (operator.isub, "fsub"), (operator.imul, "fmul"), (operator.itruediv, "fdiv"),
):  # fmt: skip
    _operation(_function, _instruction)


@compiled(step_of_lanes, types.int64, _ARRAY)
def _step_of_lanes(context, builder, array):
    return ir.Constant(ir.IntType(64), WIDTH)


@compiled(lanes, LANES, _ARRAY, types.intp)
def _lanes(context, builder, array, at):
    if context.enable_boundscheck:
        size = builder.extract_value(context.make_array(_ARRAY)(context, builder, array).shape, 0)
        for end in (at, builder.add(at, ir.Constant(at.type, WIDTH - 1))):
            cgutils.do_boundscheck(context, builder, end, size)
    data = context.make_array(_ARRAY)(context, builder, array).data
    found = builder.load(builder.bitcast(builder.gep(data, [at], inbounds=True), NUMBERS.as_pointer()))
    found.align = 8
    return found


@compiled(alike, LANES, types.float64)
def _alike(context, builder, number):
    return same(context, builder, types.float64, LANES, number)


@compiled(total, types.float64, LANES)
def total_built(context, builder, x):
    parts = [builder.extract_element(x, ir.Constant(ir.IntType(32), k)) for k in range(WIDTH)]
    while len(parts) > 1:
        parts = [builder.fadd(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


@compiled(total_of, types.float64, LANES, _ARRAY)
def _total_of(context, builder, x, array):
    return total_built(context, builder, x)


@compiled(counted, LANES, LANES, LANES)
def _counted(context, builder, x, per):
    return builder.fadd(builder.fmul(x, per, flags=FLAGS), every(ROUND), flags=FLAGS)


@compiled(quarter_turned, types.UniTuple(LANES, 2), LANES, LANES, LANES)
def _quarter_turned(context, builder, s, c, n):
    bits = builder.bitcast(n, WORDS)  # right in their last 51
    odd = builder.icmp_unsigned("!=", builder.and_(bits, _words(1)), _words(0))
    sign = builder.shl(builder.and_(bits, _words(2)), _words(62))
    found = builder.select(odd, c, s), builder.select(odd, builder.fsub(every(-0.0), s), c)
    signed = [builder.bitcast(builder.xor(builder.bitcast(x, WORDS), sign), NUMBERS) for x in found]
    return cgutils.pack_array(builder, signed)


@compiled(half_turned, LANES, LANES, LANES)
def _half_turned(context, builder, x, n):
    sign = builder.shl(builder.bitcast(n, WORDS), _words(63))
    return builder.bitcast(builder.xor(builder.bitcast(x, WORDS), sign), NUMBERS)


@compiled(times_power_of_two, LANES, LANES, LANES)
def _times_power_of_two(context, builder, x, n):
    exponent = builder.shl(builder.bitcast(n, WORDS), _words(52))
    return builder.bitcast(builder.add(builder.bitcast(x, WORDS), exponent), NUMBERS)


@compiled(at_least, LANES, LANES, LANES)
def _at_least(context, builder, x, least):
    return builder.select(builder.fcmp_ordered("<", x, least), least, x)


# --- numbers kept from one loop to the next: they lie on the stack ----------------------------------------------------


@compiled(room, WITHIN)
def _room(context, builder):
    return cgutils.alloca_once(builder, NUMBERS, size=ROOM)


def _kept_at(context: Any, builder: Any, within: Any, k: Any) -> Any:
    if context.enable_boundscheck:
        cgutils.do_boundscheck(context, builder, k, ir.Constant(k.type, ROOM))
    return builder.gep(within, [k], inbounds=True)


@compiled(keep, types.none, WITHIN, types.int64, LANES)
def _keep(context, builder, within, k, numbers):
    builder.store(numbers, _kept_at(context, builder, within, k))
    return context.get_dummy_value()


@compiled(kept, LANES, WITHIN, types.int64)
def _kept(context, builder, within, k):
    return builder.load(_kept_at(context, builder, within, k))
