"""Rows of waves on a GPU, and the instructions it has for sines and powers of two; see `sea.single_waves`."""

from __future__ import annotations

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.typing.templates import AbstractTemplate, signature

from fairlead.sea.single_waves import NUMBERS, RADIANS, flow_row, phase_row, power_of_two, sine_cosine, surface_row

from .cuda_addresses import invariant
from .cuda_records import ConstantsType
from .gpu import GROUP

_SINGLE, _DOUBLE, _SHORT, _WORD = ir.FloatType(), ir.DoubleType(), ir.IntType(32), ir.IntType(64)


def _row_part(function, first, count, number):
    """A part of a wave's row: `count` numbers of a kind, from number `first` of the row on. Where all members share the
    waves, 16 bytes are read at once, else the 8 that a member has side by side."""
    result, one, size = (
        types.UniTuple(number, count),
        _DOUBLE if number == types.float64 else _SINGLE,
        number.bitwidth // 8,
    )

    @typing_registry.register_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            return signature(result, args[0], types.int64) if isinstance(args[0], ConstantsType) else None

    @lowering_registry.lower(function, ConstantsType, types.Integer)
    def _(context, builder, sig, args):
        kind = sig.args[0]
        both = cgutils.create_struct_proxy(kind)(context, builder, args[0])
        base, stride, piece = (both.shared, 1, 16) if kind.shares_waves else (both.own, GROUP, 8)
        numbers = ir.VectorType(one, piece // size)
        start = builder.mul(args[1], ir.Constant(_WORD, NUMBERS * stride), flags=("nsw",))
        row = builder.gep(base, [start], inbounds=True)
        found = []
        for at in range(0, count * size, piece):
            place = builder.gep(row, [ir.Constant(_WORD, (kind.rows + first + at // 8) * stride)], inbounds=True)
            place = builder.addrspacecast(builder.bitcast(place, numbers.as_pointer()), ir.PointerType(numbers, 1))
            value = builder.load(place, align=piece)
            invariant(builder, value)
            found += [builder.extract_element(value, ir.Constant(_SHORT, k)) for k in range(piece // size)]
        return cgutils.pack_array(builder, found)


_row_part(phase_row, 0, 4, types.float64)
_row_part(surface_row, 4, 4, types.float32)
_row_part(flow_row, 6, 8, types.float32)


def _approximate(builder, name, x):
    """An instruction that the GPU has for a function of a number of single precision."""
    kind = ir.FunctionType(_SINGLE, [_SINGLE])
    return builder.asm(kind, f"{name}.approx.ftz.f32 $0, $1;", "=f,f", [x], False)


@typing_registry.register_global(sine_cosine)
class _SineCosine(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.UniTuple(types.float32, 2), types.float64)


@lowering_registry.lower(sine_cosine, types.Float)
def _sine_cosine(context, builder, sig, args):
    part = builder.trunc(builder.bitcast(args[0], _WORD), _SHORT)
    angle = builder.fmul(builder.sitofp(part, _SINGLE), ir.Constant(_SINGLE, float(RADIANS)))
    return cgutils.pack_array(builder, [_approximate(builder, name, angle) for name in ("sin", "cos")])


@typing_registry.register_global(power_of_two)
class _PowerOfTwo(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.float32, types.float32)


@lowering_registry.lower(power_of_two, types.Float)
def _power_of_two(context, builder, sig, args):
    return _approximate(builder, "ex2", args[0])
