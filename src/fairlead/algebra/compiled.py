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
from typing import Any

import numba

from .shortcuts import shortcuts

_PACKAGE = Path(__file__).resolve().parents[1]
_SHARED_PARTS = ("algebra", "sea", "loads", "payout", "results/observation.py")
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

kernel = _jit(**_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Decorator of every kernel that is called from compiled code only (from Python: its `py_func`).

Fused multiply-add is allowed; NaN keeps its meaning, since a run looks for it. Without numba's reference counting
(`_nrt`) a view of an array costs nothing, and a kernel that allocates does not compile. Without a wrapper for Python
it compiles in half the time.
"""

summing = _jit(
    **(_OPTIONS | {"fastmath": {"contract", "nsz", "reassoc"}}), no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""The same for sums of products in any order, which alone lets their loops be vectorised."""

fold = _jit(**_OPTIONS, inline="always")
"""Decorator of kernels near the top that do little but call others: they become part of their caller, so that what
they call is optimised once and not again at every level."""


def entry(function: Callable[..., Any]) -> Any:
    """Decorator of the few kernels that Python calls: only these are kept on disk, each with all it calls."""
    numba.config.CACHE_DIR = str(cache_folder(part_of(function.__module__)))  # type: ignore[attr-defined]
    return _jit(**_OPTIONS, cache=True)(function)


@contextmanager
def quick_compilation() -> Iterator[None]:
    """Compile without what only costs time here: garbage collection, vectorising loops of scalar kernels, and what
    `shortcuts` leaves out."""
    collecting, vectorising = gc.isenabled(), numba.config.LOOP_VECTORIZE  # type: ignore[attr-defined]
    gc.disable()
    numba.config.LOOP_VECTORIZE = 0  # type: ignore[attr-defined]
    try:
        with shortcuts():
            yield
    finally:
        numba.config.LOOP_VECTORIZE = vectorising  # type: ignore[attr-defined]
        if collecting:
            gc.enable()


def is_compiled(formulation: str) -> bool:
    """True when a formulation's machine code is on disk in this very version (else a first run compiles)."""
    folder = cache_folder(f"formulations/{formulation}")
    return folder.is_dir() and any(folder.rglob("*.nbc"))
