"""What numba must know of decisions in lanes: masks, `where`, and what kernels do with numbers of eight members."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from .lane_types import FLAGS, LANES, MASK, NUMBERS, WORDS, compiled, every
from .lanes import WIDTH, all_lanes, any_lane, common, from_bits, like, pick, placed, where


def _comparison(function: Callable[..., Any], sign: str, ordered: bool) -> None:
    @compiled(function, MASK, LANES, LANES)
    def _(context, builder, a, b):
        return (builder.fcmp_ordered if ordered else builder.fcmp_unordered)(sign, a, b)


for _function, _sign in (
    (operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="), (operator.eq, "=="),
):  # fmt: skip
    _comparison(_function, _sign, True)
_comparison(operator.ne, "!=", False)


def _of_masks(function: Callable[..., Any], instruction: str) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            return signature(MASK, MASK, MASK) if len(args) == 2 and MASK in args else None

    lower_builtin(function, MASK, MASK)(lambda context, builder, sig, args: getattr(builder, instruction)(*args))


for _function, _instruction in ((operator.and_, "and_"), (operator.or_, "or_")):
    _of_masks(_function, _instruction)


@infer_global(operator.not_)
class _Not(AbstractTemplate):
    def generic(self, args, kws):
        return signature(MASK, MASK) if args == (MASK,) else None


@lower_builtin(operator.not_, MASK)
def _not(context, builder, sig, args):
    return builder.not_(args[0])


@compiled(operator.neg, LANES, LANES)
def _negated(context, builder, x):
    return builder.fsub(every(-0.0), x, flags=FLAGS)


def _called(function: Callable[..., Any], name: str, arguments: int = 1) -> None:
    @compiled(function, LANES, *(LANES,) * arguments)
    def _(context, builder, *args):
        kind = ir.FunctionType(NUMBERS, [NUMBERS] * arguments)
        found = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64")
        return builder.call(found, args)


_CALLED: tuple[tuple[Callable[..., Any], str], ...] = (
    (math.sqrt, "sqrt"), (abs, "fabs"), (math.sin, "sin"), (math.cos, "cos"),
)  # fmt: skip
for _of, _name in _CALLED:
    _called(_of, _name)
_called(operator.pow, "pow", 2)


@compiled(max, LANES, LANES, LANES)
def _max(context, builder, a, b):
    return builder.select(builder.fcmp_ordered(">=", a, b), a, b)


@compiled(min, LANES, LANES, LANES)
def _min(context, builder, a, b):
    return builder.select(builder.fcmp_ordered("<=", a, b), a, b)


_tuple: Any = types.BaseTuple


def joined(typing: Any, c: Any, a: Any, b: Any) -> Any:
    """Type of `where`, or None where there is none."""
    if isinstance(a, _tuple) and isinstance(b, _tuple) and len(a) == len(b):
        parts = [joined(typing, c, x, y) for x, y in zip(a, b, strict=True)]
        return None if None in parts else types.BaseTuple.from_types(tuple(parts))
    if c == MASK and not {a, b} & {LANES, types.float64, types.int64}:
        return MASK
    return LANES if c == MASK or LANES in (a, b) else typing.unify_types(a, b)


@infer_global(where)
class _Where(AbstractTemplate):
    def generic(self, args, kws):
        if len(args) != 3:
            return None
        found = joined(self.context, *(types.unliteral(kind) for kind in args))
        return None if found is None else signature(found, types.unliteral(args[0]), found, found)


def chosen(context: Any, builder: Any, kind: Any, c: Any, a: Any, b: Any) -> Any:
    if isinstance(kind, _tuple):
        pairs = zip(kind, cgutils.unpack_tuple(builder, a), cgutils.unpack_tuple(builder, b), strict=True)
        return context.make_tuple(builder, kind, [chosen(context, builder, of, c, x, y) for of, x, y in pairs])
    return builder.select(c, a, b)


@lower_builtin(where, types.Any, types.Any, types.Any)
def _where(context, builder, sig, args):
    return chosen(context, builder, sig.return_type, *args)


def _of_one(function: Callable[..., Any], of_lanes: types.Type, result: types.Type) -> Callable[..., Any]:
    """Decorator of what builds a function of lanes; of a single number or decision it is that."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            if args == (of_lanes,):
                return signature(result, of_lanes)
            plain = len(args) == 1 and isinstance(args[0], (types.Float, types.Integer, types.Boolean))
            return signature(types.unliteral(args[0]), types.unliteral(args[0])) if plain else None

    def decorator(build: Callable[..., Any]) -> Callable[..., Any]:
        @lower_builtin(function, types.Any)
        def _(context, builder, sig, args):
            return build(builder, args[0]) if sig.args[0] == of_lanes else args[0]

        return build

    return decorator


@_of_one(any_lane, MASK, types.boolean)
def _any_lane(builder, mask):
    bits = builder.bitcast(mask, ir.IntType(WIDTH))
    return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))


@_of_one(all_lanes, MASK, types.boolean)
def _all_lanes(builder, mask):
    bits = builder.bitcast(mask, ir.IntType(WIDTH))
    return builder.icmp_unsigned("==", bits, ir.Constant(bits.type, 2**WIDTH - 1))


@_of_one(common, LANES, types.float64)
def _common(builder, x):
    return builder.extract_element(x, ir.Constant(ir.IntType(32), 0))


def _single(kind: Any) -> Any:
    """Type of what a lane has."""
    if isinstance(kind, _tuple):
        return types.BaseTuple.from_types(tuple(_single(one) for one in kind))
    return types.float64 if kind == LANES else types.boolean if kind == MASK else kind


@infer_global(pick)
class _Pick(AbstractTemplate):
    def generic(self, args, kws):
        x = types.unliteral(args[0])
        return signature(_single(x), x, types.int64) if len(args) == 2 else None


def _picked(context: Any, builder: Any, kind: Any, x: Any, k: Any) -> Any:
    if isinstance(kind, _tuple):
        pairs = zip(kind, cgutils.unpack_tuple(builder, x), strict=True)
        parts = [_picked(context, builder, of, one, k) for of, one in pairs]
        return context.make_tuple(builder, _single(kind), parts)
    return builder.extract_element(x, k) if kind in (LANES, MASK) else x


@lower_builtin(pick, types.Any, types.int64)
def _pick(context, builder, sig, args):
    return _picked(context, builder, sig.args[0], *args)


@infer_global(placed)
class _Placed(AbstractTemplate):
    def generic(self, args, kws):
        if len(args) != 3:
            return None
        x = types.unliteral(args[0])
        return signature(x, x, types.int64, _single(x))


def _with(context: Any, builder: Any, kind: Any, x: Any, k: Any, value: Any) -> Any:
    if isinstance(kind, _tuple):
        pairs = zip(kind, cgutils.unpack_tuple(builder, x), cgutils.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, kind, [_with(context, builder, of, a, k, b) for of, a, b in pairs])
    return builder.insert_element(x, value, k) if kind in (LANES, MASK) else value


@lower_builtin(placed, types.Any, types.int64, types.Any)
def _placed(context, builder, sig, args):
    return _with(context, builder, sig.return_type, *args)


@infer_global(like)
class _Like(AbstractTemplate):
    def generic(self, args, kws):
        if len(args) != 2:
            return None
        number = types.unliteral(args[1])
        many = MASK if number == types.boolean else LANES
        found = many if args[0] in (LANES, MASK) else number
        return signature(found, args[0], found)


@lower_builtin(like, types.Any, types.Any)
def _like(context, builder, sig, args):
    return args[1]


def _bits(builder: Any, kind: Any, words: Any, x: Any, offset: Any, factor: Any) -> Any:
    share = builder.fmul(factor, builder.sitofp(builder.bitcast(x, words), kind), flags=FLAGS)
    return builder.bitcast(builder.fptosi(builder.fsub(offset, share, flags=FLAGS), words), kind)


@compiled(from_bits, LANES, LANES, LANES, LANES)
def _from_bits(context, builder, x, offset, factor):
    return _bits(builder, NUMBERS, WORDS, x, offset, factor)


@compiled(from_bits, types.float64, types.float64, types.float64, types.float64)
def _from_bits_of_one(context, builder, x, offset, factor):
    return _bits(builder, ir.DoubleType(), ir.IntType(64), x, offset, factor)
