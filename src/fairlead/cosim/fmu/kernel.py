"""The entry kernel of a formulation as object code for other machines: numba → LLVM → ELF.

The kernel is compiled once more, with pointers for arrays and without any wrapper for Python; what numba made of it
is handed to LLVM for each target. numba's calling convention and the few symbols its code asks of a runtime
(`RUNTIME_SYMBOLS`, served by `native/kernel.c`) are internals of numba: a test pins them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import get_ident
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.extending import intrinsic
from numba.np import arrayobj

from fairlead.algebra.compilation import dispatcher_of
from fairlead.algebra.compiled import cache_folder, kernel, part_of, quick_compilation
from fairlead.algebra.shortcuts import assembly_of

RUNTIME_SYMBOLS = frozenset({"numba_attempt_nocopy_reshape"})
"""Functions of numba's runtime that a kernel may call."""
MATH_SYMBOLS = frozenset(
    {
        "sin", "cos", "sincos", "tan", "atan2", "acos", "asin", "exp", "expm1", "log", "log1p", "pow", "sqrt", "cbrt",
    }
)  # fmt: skip
"""Functions of the C mathematics library that a kernel may call."""
MEMORY_SYMBOLS = frozenset({"memcpy", "memmove", "memset"})


@dataclass(frozen=True)
class Variant:
    """One build of the kernel for a target: the name of its function and the processor it needs."""

    symbol: str
    cpu: str
    features: str = ""


@dataclass(frozen=True)
class Target:
    """A machine an FMU runs on, named as FMI 3 names it, and the builds of the kernel it carries."""

    name: str
    triple: str
    variants: tuple[Variant, ...]
    ending: str = ".so"
    """Of the name of a shared library."""
    fmi2: str = "linux64"
    """Its folder in FMI 2.0."""
    is_usual: bool = True
    """Whether FMUs are made for it unasked."""


# `native/kernel.c` asks the processor which one it can run
_X86 = (Variant("fairlead_kernel", "x86-64"), Variant("fairlead_kernel_fma", "x86-64", "+avx2,+fma"))
TARGETS = {
    target.name: target
    for target in (
        Target("x86_64-linux", "x86_64-unknown-linux-gnu", _X86),
        Target("aarch64-linux", "aarch64-unknown-linux-gnu", (Variant("fairlead_kernel", "generic"),)),
        # the first library for Windows takes minutes: the linker then makes a C library for it
        Target("x86_64-windows", "x86_64-pc-windows-gnu", _X86, ".dll", "win64", is_usual=False),
    )
}


# numba's published types leave out much of what is used here
types: Any = numba.types
_arrays: Any = arrayobj


def _view(typingctx: Any, pointer: Any, size: Any) -> Any:
    """The array of `size` numbers at `pointer`.

    `numba.carray` does the same but is a function of its own, which numba does not compile without reference counting.
    """
    array_type = types.Array(pointer.dtype, 1, "C")

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = _arrays.make_array(array_type)(context, builder)
        itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_value_type(pointer.dtype)))
        data, count = arguments
        _arrays.populate_array(array, data=data, shape=[count], strides=[itemsize], itemsize=itemsize, meminfo=None)
        return array._getvalue()

    return array_type(pointer, types.int64), codegen


view: Any = intrinsic(_view)


def _on_pointers(entry: Any) -> Any:
    """An entry kernel (see `Exportable.entry`) on pointers and sizes, as `native/kernel.c` calls it."""

    def on_pointers(  # type: ignore[no-untyped-def]
        t, y, n_y, n, h, u, n_u, ints, n_ints, reals, n_reals, work, n_work, kind, copy, row, n_row
    ):
        return entry(
            t, view(y, n_y), n, h, view(u, n_u), view(ints, n_ints), view(reals, n_reals), view(work, n_work), kind,
            view(copy, n_y), view(row, n_row),
        )  # fmt: skip

    return on_pointers


_F, _I = types.float64, types.int64
_FS, _IS = types.CPointer(types.float64), types.CPointer(types.int64)
ARGUMENTS = (_F, _FS, _I, _I, _F, _FS, _I, _IS, _I, _FS, _I, _FS, _I, _I, _FS, _FS, _I)


@cache
def assembly(entry: Any) -> tuple[str, str]:
    """(name of the kernel's function, LLVM assembly of it and all it calls), optimised; kept on disk once made."""

    def made() -> bytes:
        inner = dispatcher_of(entry)
        inner.unfinished = entry.py_func.__qualname__  # its assembly is all that is asked for
        compiled = kernel(_on_pointers(inner))
        with quick_compilation():
            compiled.dispatcher.compile(ARGUMENTS)
        result = compiled.dispatcher.overloads[ARGUMENTS]
        return f"{result.fndesc.llvm_func_name}\n{assembly_of(result.library)}".encode()

    name, _, text = _kept(entry, "kernel.ll", made).decode().partition("\n")
    return name, text


@cache
def objects(target: str, entry: Any) -> tuple[bytes, ...]:
    """Object files of the kernel for a target, one a variant; kept on disk once made."""
    _initialise()
    triple = TARGETS[target].triple
    return tuple(
        _kept(entry, f"{target}-{variant.symbol}.o", partial(_emit, triple, variant, entry))
        for variant in TARGETS[target].variants
    )


def _kept(entry: Any, name: str, made: Callable[[], bytes]) -> bytes:
    """What is kept of an entry under `name`, made where nothing is; without a place to keep it, it is made each time.

    It lies beside the machine code of the formulation and lives as long: for these sources, this numba, this machine.
    """
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    file = f"fmu-{entry.py_func.__name__}-{own}-{numba.__version__}-{platform.machine()}-{name}"
    path = cache_folder(part_of(entry.py_func.__module__)) / file
    with contextlib.suppress(OSError):
        return path.read_bytes()
    content = made()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{file}.{os.getpid()}-{get_ident()}")
        unfinished.write_bytes(content)
        unfinished.replace(path)
    return content


def _emit(triple: str, variant: Variant, entry: Any) -> bytes:
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=variant.cpu, features=variant.features, opt=3, reloc="pic", codemodel="small"
    )
    module = _module(variant.symbol, entry)
    module.triple = triple
    module.data_layout = str(machine.target_data)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()  # what has become part of its callers is not compiled for itself
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return machine.emit_object(module)  # type: ignore[no-any-return]


def _module(symbol: str, entry: Any) -> llvm.ModuleRef:
    """The kernel as a module in which it is called `symbol` and is all that is seen from outside."""
    name, text = assembly(entry)
    module = llvm.parse_assembly(text)
    for value in (*module.global_variables, *module.functions):
        if not value.is_declaration:
            value.linkage = "internal"
    function = module.get_function(name)
    function.name = symbol
    function.linkage = "external"
    function.visibility = "hidden"
    return module


def outside_symbols(entry: Any) -> frozenset[str]:
    """Functions and data the kernel needs from outside, but for LLVM's own."""
    module = _module("fairlead_kernel", entry)
    values = (*module.functions, *module.global_variables)
    return frozenset(v.name for v in values if v.is_declaration and not v.name.startswith("llvm."))


@cache
def _initialise() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
