"""How every numerical kernel of the project is compiled.

One decorator, one set of options, one cache folder. numba does not notice when a *callee* in another file
changes, so the cache folder carries a hash of all sources of the package: an edited or upgraded kernel is
always compiled afresh, and two versions never share machine code.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numba

_PACKAGE = Path(__file__).resolve().parents[1]


def source_fingerprint() -> str:
    """Hash of every Python source of the package, 16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
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

kernel = numba.njit(cache=True, error_model="numpy", fastmath={"contract", "nsz"})
"""Decorator of every kernel. Fused multiply-add is allowed; NaN keeps its meaning, since a run looks for it."""


def is_compiled() -> bool:
    """True when machine code of this very version is already on disk (a first run compiles for some seconds)."""
    return CACHE_FOLDER.is_dir() and any(CACHE_FOLDER.rglob("*.nbc"))
