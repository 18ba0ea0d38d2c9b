"""Addresses in the memories of a GPU, in the code that is compiled for it: its own, and the scratchpad of a processor.

That a pointer leads into one of them is said at every access, since the compiler would not see it through the calls.
"""

from __future__ import annotations

from llvmlite import ir
from numba.cuda import cgutils

from .scratchpads import THREADS

WORD, SHORT = ir.IntType(64), ir.IntType(32)
GLOBAL, NEARBY = 1, 3
"""Address spaces: of the GPU's memory, of a processor's scratchpad."""


def constant(value: int) -> ir.Constant:
    return ir.Constant(WORD, value)


def at(builder, base, index, stride):
    if stride != 1:
        index = builder.mul(index, constant(stride), flags=("nsw",))
    return builder.gep(base, [index], inbounds=True)


def in_space(builder, pointer, space):
    return builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, space))


def in_global(builder, pointer):
    return in_space(builder, pointer, GLOBAL)


def load(builder, pointer, fixed, space=GLOBAL):
    value = builder.load(in_space(builder, pointer, space))
    if fixed and space == GLOBAL:
        invariant(builder, value)
    return value


def nearby(builder):
    """The scratchpad of a block: numbers that all share, then those of each thread, a block's side by side."""
    module = builder.module
    found = module.globals.get("scratchpad")
    if found is None:
        found = ir.GlobalVariable(module, ir.ArrayType(ir.DoubleType(), 0), "scratchpad", NEARBY)
        found.linkage, found.align = "external", 16
    return builder.gep(found, [ir.Constant(SHORT, 0), ir.Constant(SHORT, 0)], inbounds=True)


def thread(builder):
    kind = ir.FunctionType(SHORT, [])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.nvvm.read.ptx.sreg.tid.x"), [])


def place_in(builder, pad, place):
    """Address of a place of this thread in the scratchpad (see `Scratchpad`)."""
    place = place if isinstance(place, ir.Value) and place.type == SHORT else ir.Constant(SHORT, place)
    first = builder.add(thread(builder), ir.Constant(SHORT, pad.whole + pad.shared))
    return builder.gep(nearby(builder), [builder.add(first, builder.mul(place, ir.Constant(SHORT, THREADS)))])


def invariant(builder, value):
    """Say of what was read that no step writes it."""
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
