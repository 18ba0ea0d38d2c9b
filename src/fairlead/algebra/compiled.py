"""How every numerical kernel of the project is compiled.

One set of options, one cache folder. numba does not notice when a *callee* in another file changes, so the cache
folder carries a hash of all sources that are compiled: an edited or upgraded kernel is
always compiled afresh, and two versions never share machine code.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

_PACKAGE = Path(__file__).resolve().parents[1]
_COMPILED_PARTS = ("algebra", "sea", "loads", "payout", "formulations", "hydro", "simulate/integrators")


def source_fingerprint() -> str:
    """Hash of every source that compiled code is made of, 16 hex digits."""
    digest = hashlib.sha256()
    files = [file for part in _COMPILED_PARTS for file in (_PACKAGE / part).rglob("*.py")]
    for path in sorted([*files, _PACKAGE / "results" / "observation.py"]):
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


CACHE_FOLDER = cache_root() / f"kernels-{source_fingerprint()}"
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]

_jit: Any = numba.njit  # its published types leave out the options used here
_OPTIONS = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "_nrt": False}

kernel = _jit(**_OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Decorator of every kernel that is called from compiled code only (from Python: its `py_func`).

Fused multiply-add is allowed; NaN keeps its meaning, since a run looks for it. Without numba's reference counting
(`_nrt`) a view of an array costs nothing, and a kernel that allocates does not compile. Without a wrapper for Python
it compiles in half the time.
"""

fold = _jit(**_OPTIONS, inline="always")
"""Decorator of kernels near the top that do little but call others: they become part of their caller, so that what
they call is optimised once and not again at every level."""

entry = _jit(**_OPTIONS, cache=True)
"""Decorator of the few kernels that Python calls: only these are kept on disk, each with all it calls."""


@contextmanager
def quick_compilation() -> Iterator[None]:
    """Compile without what only costs time here: garbage collection, and vectorising loops of scalar kernels."""
    collecting, vectorising = gc.isenabled(), numba.config.LOOP_VECTORIZE  # type: ignore[attr-defined]
    gc.disable()
    numba.config.LOOP_VECTORIZE = 0  # type: ignore[attr-defined]
    try:
        yield
    finally:
        numba.config.LOOP_VECTORIZE = vectorising  # type: ignore[attr-defined]
        if collecting:
            gc.enable()


def is_compiled() -> bool:
    """True when machine code of this very version is already on disk (a first run compiles for some seconds)."""
    return CACHE_FOLDER.is_dir() and any(CACHE_FOLDER.rglob("run*.nbc"))
