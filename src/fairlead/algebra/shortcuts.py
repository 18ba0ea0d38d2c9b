"""Shortcuts through numba's compiler for what this project is made of: many small kernels that call one another.

All but the last two change nothing in what a kernel computes, only what numba does on the way and what it leaves to
LLVM to throw away; together they cut the time of a first run to less than half:

- the meaning of an operator on given types (float + float, array[int] …) is looked up once, not at every use;
- a kernel called with constants (`table_value(…, 4, 1)`) is compiled once for integers, not once for each of them;
- a kernel that cannot tell two systems by what is known of them is compiled once for both (`asked`);
- an inner kernel, which only compiled code calls, is linked into its callers and optimised and turned into machine
  code there, once, instead of also for itself;
- it is linked once, into the entry that calls it by however many others, instead of into each of these;
- an entry that is wanted as LLVM assembly, of which a library is made (`emission`), is not turned into machine code;
- functions that a kernel merely declares are not sent through the optimiser;
- what LLVM has read of a kernel is linked as it is, not copied first, and looked through for faults with the entry;
- what an instruction holds is asked once for each kind of thing whether there are variables in it, kernels without
  functions of their own skip the pass that looks for them, kernels that wait for one another are not timed, and what
  only generators, listeners or errors need is made for these alone. Variables that are assigned more than once are
  looked for where they stand, declarations that are new where there are any, and what no pass leaves behind not at all
  (`front_end`);
- kernels that count no references let go of none: half of numba's instructions are left. A variable that is assigned
  once is a value and not a place in memory, and a kernel that cannot fail is not asked whether it did: LLVM is given
  half as much to read (`back_end`);
- what hangs on a count or setting that is known of a system (`Schema.knowing`) is decided before types are looked for,
  and what it leaves out is not compiled at all;
- no index counts from the end of an array, so none is compared with 0 and moved: kernels run a tenth faster. A negative
  index is a mistake here. Without bounds checks it reads what is not the array's, with them (`make boundscheck`) it is
  told like one that is too large.

They reach into the inside of numba, so they are taken only with the versions they are tested with; any other, a newer
one too, compiles as numba does by itself, slower and to the same end. Whoever takes them holds numba's own lock on
compiling (`compiled.quick_compilation`): what is replaced is replaced for the whole process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import back_end, front_end
from .tested_numba import is_tested

_WRAPPERS = ("cpython.", "cfunc.")
"""How numba names the faces that a compiled function shows to Python and to C."""
_COMPILED = "_ZN"
"""How it begins the name of a compiled function; its runtime's own functions are called otherwise."""


@contextmanager
def shortcuts() -> Iterator[bool]:
    """Take the shortcuts inside the `with`; gives whether there are any for this numba."""
    known = is_tested()
    with _replaced(_replacements() if known else ()):
        yield known


@contextmanager
def _replaced(replacements: tuple[tuple[Any, str, Callable[..., Any]], ...]) -> Iterator[None]:
    """Functions replaced for a while: (class or module, name, function of the old one that gives the new one)."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in replacements]
    for (owner, name, old), (_, _, new) in zip(before, replacements, strict=True):
        setattr(owner, name, new(old))
    try:
        yield
    finally:
        for owner, name, old in before:
            setattr(owner, name, old)


def _replacements() -> tuple[tuple[Any, str, Callable[..., Any]], ...]:
    from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen

    return (
        *front_end.replacements(),
        *back_end.replacements(),
        (CPUCodeLibrary, "add_ir_module", _read),
        (CPUCodeLibrary, "add_llvm_module", _as_it_is),
        (CPUCodeLibrary, "finalize", _linked_only),
        (CPUCodeLibrary, "_finalize_final_module", _where_machine_code_is_wanted),
        (CPUCodeLibrary, "serialize_using_object_code", _as_far_as_there_is_code),
        (CPUCodeLibrary, "_optimize_functions", _definitions_only),
        (JITCPUCodegen, "set_env", _where_there_is_one),
    )


def _read(_: Callable[..., Any]) -> Callable[..., Any]:
    """What numba has written, read by LLVM, which looks for faults in it when an entry is whole."""
    from llvmlite.binding import parse_assembly
    from numba.core.cgutils import normalize_ir_text

    def add_ir_module(self: Any, written: Any) -> None:
        self._raise_if_finalized()
        module = parse_assembly(normalize_ir_text(str(written)))
        module.name = written.name
        self.add_llvm_module(module)

    return add_ir_module


def _as_it_is(_: Callable[..., Any]) -> Callable[..., Any]:
    """The first module of a library is the library's, instead of being linked into one in which there is nothing."""

    def add_llvm_module(self: Any, module: Any) -> None:
        self._optimize_functions(module)
        if next(self._final_module.functions, None) is None and next(self._final_module.global_variables, None) is None:
            module.name, self._final_module = self._final_module.name, module
        else:
            self._final_module.link_in(module)

    return add_llvm_module


def _linked_only(finalise: Callable[..., Any]) -> Callable[..., Any]:
    """A library without a face for Python or C holds an inner kernel: it waits for an entry, and so do those it calls.
    The entry takes in each of them once."""
    from llvmlite.binding import Linkage

    def finalize(self: Any) -> None:
        functions = {one.name: one for one in self._final_module.functions if not one.is_declaration}
        if any(name.startswith(_COMPILED) for name in functions) and not any(map(_is_wrapper, functions)):
            self._finalized = True
            for function in functions.values():
                if function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"  # as numba has it in a copy: others bring it along, too
            self._shared_module = self._final_module
            self._get_module_for_linking = lambda: _whole(self)
            return
        called, self._linking_libraries = self._linking_libraries, []
        _take_in(self, called)
        finalise(self)

    return finalize


def _is_wrapper(name: str) -> bool:
    return name.startswith(_WRAPPERS)


_unfinished = ""


@contextmanager
def ending_as_assembly(name: str) -> Iterator[None]:
    """Leave the entry of this name that is compiled inside the `with` without machine code; none where it is empty."""
    global _unfinished
    before, _unfinished = _unfinished, name
    try:
        yield
    finally:
        _unfinished = before


def _where_machine_code_is_wanted(finalise: Callable[..., Any]) -> Callable[..., Any]:
    """Machine code of a library, unless its assembly is all that is asked for; it is kept where it is made."""

    def finalize(self: Any) -> None:
        if self.name == _unfinished and getattr(self, "_compiled_object", None) is None:
            self._finalized = self._is_unfinished = True
            return
        if not self._object_caching_enabled:  # read from the disk as assembly
            self.enable_object_caching()
            self._was_assembly = True
        finalise(self)

    return finalize


def _as_far_as_there_is_code(serialise: Callable[..., Any]) -> Callable[..., Any]:
    """What is kept on disk of a library: its assembly where there is nothing else."""
    return lambda self: self.serialize_using_bitcode() if getattr(self, "_is_unfinished", False) else serialise(self)


def module_of(library: Any) -> Any:
    """LLVM's module of an entry's library; read from the disk with its machine code, it is that for others to link."""
    is_read = library._shared_module is not None and not any(True for _ in library._final_module.functions)
    return library._shared_module if is_read else library._final_module


def assembly_of(library: Any) -> str:
    """LLVM assembly of a library and of all it calls, whether or not it waits for an entry."""
    if _is_waiting(library):
        _whole(library)
    text: str = library.get_llvm_str()
    return text


def _is_waiting(library: Any) -> bool:
    """Whether a library holds an inner kernel alone, without those it calls."""
    return "_get_module_for_linking" in vars(library)


def _whole(library: Any) -> Any:
    """An inner kernel with all it calls, for who compiles without the shortcuts: an extension of numba, or a test."""
    del library._get_module_for_linking
    library._shared_module, called, library._linking_libraries = None, library._linking_libraries, []
    _take_in(library, called)
    return library._get_module_for_linking()


def _take_in(library: Any, called: list[Any]) -> None:
    """Link what a library calls into it, directly or not, each once and before what it calls itself: what nothing asks
    for as yet would be left out."""
    seen: set[Any] = set()
    found: list[Any] = []

    def visit(one: Any) -> None:
        if one not in seen:
            seen.add(one)
            for other in one._linking_libraries if _is_waiting(one) else ():
                visit(other)
            found.append(one)

    for one in called:
        visit(one)
    for one in reversed(found):
        library._reload_init.update(one._reload_init)
        own = type(one)._get_module_for_linking(one)  # of one that waits: without those it calls
        library._final_module.link_in(own, preserve=True)


def _definitions_only(_: Callable[..., Any]) -> Callable[..., Any]:
    """The function passes, for functions that have a body."""

    def optimise(self: Any, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    return optimise


def _where_there_is_one(set_env: Callable[..., Any]) -> Callable[..., Any]:
    """The environment (what an exception would need) of a function that has machine code of its own."""

    def set_where_defined(self: Any, name: str, environment: Any) -> None:
        if self._engine.get_global_value_address(name) != 0:
            set_env(self, name, environment)

    return set_where_defined
