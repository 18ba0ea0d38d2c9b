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
from .emission import write_library
from .shortcuts import shortcuts

_jit: Any = numba.njit  # its published types leave out the options used here
_folder_in_use = Lock()


class _EntryDispatcher(CPUDispatcher):
    """An entry as numba knows it: whoever calls it first, it is compiled the quick way, and its library is written."""

    entry: Entry

    def compile(self, sig: Any) -> Any:
        if isinstance(sig, Signature):  # asked for by a result as well; numba would not find on disk what is there
            sig = tuple(sig.args)
        known = set(self.overloads)
        with quick_compilation(self.entry.vectorised):
            found = super().compile(sig)
        for arguments in set(self.overloads) - known:
            if not self.stats.cache_hits.get(sig):
                write_library(self.entry, self.overloads[arguments])
        return found


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
