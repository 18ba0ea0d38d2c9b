"""How every numerical kernel of the project is compiled.

One set of options, one cache folder a part of the project. numba does not notice when a *callee* in another file
changes, so each cache folder carries a hash of all sources its machine code is made of: an edited or upgraded kernel
is always compiled afresh, two versions never share machine code, and a change in one formulation leaves the machine
code of the others as it is.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from .shortcuts import shortcuts

_PACKAGE = Path(__file__).resolve().parents[1]
_SHARED_PARTS = ("algebra", "sea", "loads", "payout", "results/observation.py", "results/extremes.py")
"""What every kernel may call."""


def source_fingerprint(*parts: str) -> str:
    """Hash of every source that the compiled code of these parts (folders in the package) is made of, 16 hex digits."""
    digest = hashlib.sha256()
    places = [_PACKAGE / part for part in sorted({*_SHARED_PARTS, *parts})]
    for path in [file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]:
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Folder that holds the machine code of all versions: `NUMBA_CACHE_DIR`, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "fairlead"


def part_of(module: str) -> str:
    """Folder in the package that a module's machine code belongs to: `formulations/bars`, `simulate/integrators`, …"""
    names = module.split(".")[1:-1]
    return "/".join(names[:2]) if names[:1] in (["formulations"], ["simulate"]) else "/".join(names[:1])


@cache
def cache_folder(part: str) -> Path:
    """Folder that holds the machine code of one part of the project in its present version."""
    return cache_root() / f"{part.replace('/', '-')}-{source_fingerprint(part)}"


_jit: Any = numba.njit  # its published types leave out the options used here
_OPTIONS = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "_nrt": False}
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class _Kernel(CPUDispatcher):
    """A kernel without a face for Python, where numba would jump into nothing."""

    def __call__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        name = self.py_func.__qualname__
        raise TypeError(
            f"the kernel '{name}' ({self.py_func.__module__}) is called from compiled code only; from Python call "
            f"{name}.py_func(...), the same function uncompiled, or compile a function of your own that calls it"
        )


class _Entry(CPUDispatcher):
    """A kernel that Python calls: whoever calls it first, it is compiled the quick way."""

    vectorised = False

    def compile(self, sig: Any) -> Any:
        with quick_compilation(self.vectorised):
            return super().compile(sig)


class _LoopingEntry(_Entry):
    vectorised = True


def _as(kind: type, dispatcher: Any) -> Any:
    """numba's dispatcher as one of ours; where numba is told not to compile, it gives the plain function."""
    if isinstance(dispatcher, CPUDispatcher):
        dispatcher.__class__ = kind
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Decorator of every kernel that is called from compiled code only (from Python: its `py_func`).

    Fused multiply-add is allowed; NaN keeps its meaning, since a run looks for it. Without numba's reference counting
    (`_nrt`) a view of an array costs nothing, and a kernel that allocates does not compile. Without a wrapper for
    Python it compiles in half the time.
    """
    return _as(_Kernel, _jit(**_OPTIONS, **_INNER)(function))


def inlined(function: Callable[..., Any]) -> Any:
    """The same for what runs for every element of every step and is called from one or two places: it becomes part of
    its caller. A call would cost more than most of them compute, since everything the caller holds in registers goes
    to memory and back, and so do the numbers that are returned. What is rare stays a call."""
    return _as(_Kernel, _jit(**_OPTIONS, **_INNER, forceinline=True)(function))


def summing(function: Callable[..., Any]) -> Any:
    """The same for sums of products in any order, which alone lets their loops be vectorised."""
    return _as(_Kernel, _jit(**(_OPTIONS | {"fastmath": {"contract", "nsz", "reassoc"}}), **_INNER)(function))


fold = _jit(**_OPTIONS, inline="always")
"""Decorator of kernels near the top that do little but call others: they become part of their caller, so that what
they call is optimised once and not again at every level."""


def entry(function: Callable[..., Any]) -> Any:
    """Decorator of the few kernels that Python calls: only these are kept on disk, each with all it calls.

    They let go of Python's lock while they run, so that other threads of the process go on; what they write belongs
    to one call at a time (`Simulation` sees to it).
    """
    return _as(_Entry, _kept(function))


def looping_entry(function: Callable[..., Any]) -> Any:
    """The same for a kernel whose loops are long enough for vectorising to pay for itself."""
    return _as(_LoopingEntry, _kept(function))


_folder_in_use = Lock()


def _kept(function: Callable[..., Any]) -> Any:
    """A function that is compiled and kept in the folder of its part of the project. numba asks its settings for the
    folder when a function is decorated, and never again: they are as they were afterwards."""
    settings: Any = numba.config
    with _folder_in_use:
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(cache_folder(part_of(function.__module__)))
        try:
            return _jit(**_OPTIONS, nogil=True, cache=True)(function)
        finally:
            settings.CACHE_DIR = before


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


def is_compiled(formulation: str) -> bool:
    """True when a formulation's machine code is on disk in this very version (else a first run compiles)."""
    folder = cache_folder(f"formulations/{formulation}")
    return folder.is_dir() and any(folder.rglob("*.nbc"))
