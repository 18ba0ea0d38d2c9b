"""Compiling by numba: imported when something is to be compiled, and never by a run that finds its machine code."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import Signature

from . import eight_types, lane_types, mask_types, pack_types, record_types  # noqa: F401  what numba must know
from .compiled import Entry, Kernel, cache_folder, part_of
from .emission import fits, library_from, makes_libraries
from .native import Library, find
from .shortcuts import ending_as_assembly, shortcuts
from .tested_numba import is_tested

_jit: Any = numba.njit  # its published types leave out the options used here
_folder_in_use = Lock()


class _EntryDispatcher(CPUDispatcher):
    """An entry as numba knows it: whoever calls it first, it is compiled the quick way."""

    entry: Entry
    unfinished = ""
    """Name of a function that is wanted as LLVM assembly alone."""

    def compile(self, sig: Any) -> Any:
        if isinstance(sig, Signature):  # asked for by a result as well; numba would not find on disk what is there
            sig = tuple(sig.args)
        known = set(self.overloads)
        with quick_compilation(self.entry.vectorised), ending_as_assembly(self.unfinished):
            found = super().compile(sig)
            for arguments in set(self.overloads) - known:
                self._keep_code(sig, self.overloads[arguments])
        return found

    def _keep_code(self, sig: Any, compiled: Any) -> None:
        """Keep the machine code of what was on disk as LLVM assembly alone."""
        if getattr(compiled.library, "_was_assembly", False):
            self._cache.save_overload(sig, compiled)  # type: ignore[attr-defined]


class _Unfinished(_EntryDispatcher):
    """The same for a library: numba makes no machine code of it, and nothing may call it."""

    @property
    def unfinished(self) -> str:  # type: ignore[override]
        return str(self.py_func.__qualname__)


def kinds_of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """numba's types of what an entry is called with."""
    return tuple(map(numba.typeof, arguments))


def library_of(entry: Entry, kinds: tuple[Any, ...]) -> Library | None:
    """The library of an entry for arguments of these types, compiled and written for later processes where that is
    possible.

    numba's own machine code, which a library does not need, is made by who calls the entry from compiled code. None
    where only that will do: for other arguments than libraries take, without a linker, with an unknown numba.
    """
    if not (is_tested() and makes_libraries(entry)):
        return None
    with quick_compilation(entry.vectorised):
        if entry.is_bound:  # by another thread meanwhile
            return None
        if (found := find(entry)) is not None:
            return found
        if not fits(kinds):
            return None
        dispatcher = dispatcher_of(entry)
        dispatcher.__class__ = _Unfinished
        dispatcher.compile(kinds)
        return library_from(entry, dispatcher.overloads[kinds])


def dispatcher_of(kernel: Kernel) -> Any:
    """numba's dispatcher of a kernel; of an entry, one that keeps what it compiles in the folder of its part of the
    project. numba asks its settings for that folder when a function is decorated, and never again: they are as they
    were afterwards."""
    with global_compiler_lock:  # of two threads that refresh at once numba lets one fail
        cpu_target.typing_context.refresh()  # a compilation may be under way that has not seen records yet
        cpu_target.target_context.refresh()
    if not isinstance(kernel, Entry):
        return _jit(**kernel.targetoptions)(kernel.py_func)
    settings: Any = numba.config
    with _folder_in_use:
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(cache_folder(part_of(kernel.py_func.__module__)))
        try:
            dispatcher = _jit(**kernel.targetoptions)(kernel.py_func)
        finally:
            settings.CACHE_DIR = before
    dispatcher.__class__ = _EntryDispatcher
    dispatcher.entry = kernel
    return dispatcher


_quick = False


@contextmanager
def quick_compilation(vectorised: bool = False) -> Iterator[None]:
    """Compile without what only costs time here: garbage collection, vectorising loops of scalar kernels (unless they
    are long), and what `shortcuts` leaves out.

    One thread at a time: whoever compiles in another, with or without Fairlead, waits, and finds numba as it is.
    Inside another one it changes nothing.
    """
    global _quick
    settings: Any = numba.config
    with global_compiler_lock:
        if _quick:
            yield
            return
        _quick, collecting, vectorising = True, gc.isenabled(), settings.LOOP_VECTORIZE
        gc.disable()
        settings.LOOP_VECTORIZE = vectorising if vectorised else 0
        try:
            with shortcuts():
                yield
        finally:
            _quick, settings.LOOP_VECTORIZE = False, vectorising
            if collecting:
                gc.enable()
