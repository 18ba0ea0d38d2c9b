"""How every numerical kernel of the project is compiled, and where its machine code is kept.

One set of options, one cache folder a part of the project. numba does not notice when a *callee* in another file
changes, so each cache folder carries a hash of all sources its machine code is made of: an edited or upgraded kernel
is always compiled afresh, two versions never share machine code, and a change in one formulation leaves the machine
code of the others as it is.

A decorated function is not touched until it is needed: an entry that Python calls first looks for its library of
machine code (`native`), which needs neither numba nor LLVM; only where there is none, numba is imported and compiles it
with all the kernels it calls (`compilation`) into such a library, for this process and those to come.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, cast

_PACKAGE = Path(__file__).resolve().parents[1]
_SHARED_PARTS = ("algebra", "sea", "loads", "payout", "rigging", "results/observation.py", "results/extremes.py")
"""What every kernel may call."""


CONTRACTED = os.environ.get("FAIRLEAD_CONTRACTION", "1") != "0"
"""Whether a product and a sum may be fused, which rounds once; `make rounding` also tries without."""


@cache
def source_fingerprint(*parts: str) -> str:
    """Hash of every source that the compiled code of these parts (folders in the package) is made of, 16 hex digits."""
    digest = hashlib.sha256()
    places = [_PACKAGE / part for part in sorted({*_SHARED_PARTS, *parts})]
    for path in [file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]:
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(b"" if CONTRACTED else b"no contraction")
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
    return cache_root() / versioned(part)


def versioned(part: str) -> str:
    """Name of a part of the project with the fingerprint of its present version."""
    return f"{part.replace('/', '-')}-{source_fingerprint(part)}"


ROUNDING = frozenset({"contract", "nsz"} if CONTRACTED else {"nsz"})
OPTIONS = {"error_model": "numpy", "fastmath": set(ROUNDING), "forceinline": False, "_nrt": False}
"""Fused multiply-add is allowed; NaN keeps its meaning, since a run looks for it. Without numba's reference counting
(`_nrt`) a view of an array costs nothing, and a kernel that allocates does not compile. Whether a kernel becomes part
of its callers is said for each: numba would take it from whichever caller is compiled first, and two processes that
compile in another order would round differently."""
INNER = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Without a wrapper for Python a kernel compiles in half the time."""


class Kernel:
    """A function that only compiled code calls; numba takes it up when a function that calls it is compiled."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.targetoptions = function, options

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        name = self.py_func.__qualname__
        raise TypeError(
            f"the kernel '{name}' ({self.py_func.__module__}) is called from compiled code only; from Python call "
            f"{name}.py_func(...), the same function uncompiled, or compile a function of your own that calls it"
        )

    @cached_property
    def dispatcher(self) -> Any:
        """What numba knows it as."""
        from .compilation import dispatcher_of

        return dispatcher_of(self)

    @property
    def _numba_type_(self) -> Any:
        """Asked for by numba when compiled code calls it."""
        return self.dispatcher._numba_type_


class Entry(Kernel):
    """A function that Python calls: machine code from a library where there is one, else numba's.

    It lets go of Python's lock while it runs, so that other threads of the process go on; what it writes belongs to
    one call at a time (`Simulation` sees to it).
    """

    vectorised = False
    """Whether its loops are long enough for vectorising to pay for itself."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._call(*arguments, **keywords)

    @cached_property
    def _call(self) -> Callable[..., Any]:
        from .native import find, is_wanted

        if not is_wanted():
            return cast(Callable[..., Any], self.dispatcher)
        return find(self) or self._first_call

    def _first_call(self, *arguments: Any, **keywords: Any) -> Any:
        """Where there is no library: made for these arguments, where one can be."""
        from .compilation import kinds_of

        self._bind(() if keywords else kinds_of(arguments))
        return self._call(*arguments, **keywords)

    def _bind(self, kinds: tuple[Any, ...]) -> None:
        """Find out what a call calls: a library for arguments of these types (numba's), made where one can be."""
        from .compilation import library_of

        found = library_of(self, kinds) if kinds else None
        if not self.is_bound:
            self._call = found or self.dispatcher

    def address(self, signature: Any) -> int:
        """Of the machine code that Python calls, too, for a compiled caller that takes it as a function of a signature
        (numba's)."""
        from numba.experimental.function_type import _get_wrapper_address

        from .emission import words_of
        from .native import Library

        if self._call == self._first_call:
            self._bind(signature.args)
        if isinstance(self._call, Library) and self._call.words == words_of(signature):
            return self._call.address
        return int(_get_wrapper_address(self.dispatcher, signature))

    @property
    def is_bound(self) -> bool:
        """Whether it is known what a call calls."""
        return "_call" in vars(self) and vars(self)["_call"] != self._first_call


class LoopingEntry(Entry):
    vectorised = True


def _decorated(kind: type[Kernel], options: dict[str, Any]) -> Callable[[Callable[..., Any]], Any]:
    def decorator(function: Callable[..., Any]) -> Any:
        return function if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" else kind(function, options)

    return decorator


kernel = _decorated(Kernel, INNER)
"""Decorator of every kernel that is called from compiled code only (from Python: its `py_func`)."""
inlined = _decorated(Kernel, INNER | {"forceinline": True})
"""The same for what runs for every element of every step and is called from one or two places: it becomes part of its
caller. A call would cost more than most of them compute, since everything the caller holds in registers goes to memory
and back, and so do the numbers that are returned. What is rare stays a call."""
summing = _decorated(Kernel, INNER | {"fastmath": {*ROUNDING, "reassoc"}})
"""The same for sums of products in any order, which alone lets their loops be vectorised."""
fold = _decorated(Kernel, OPTIONS | {"inline": "always"})
"""Decorator of kernels near the top that do little but call others: they become part of their caller, so that what
they call is optimised once and not again at every level."""
entry = _decorated(Entry, OPTIONS | {"nogil": True, "cache": True})
"""Decorator of the few kernels that Python calls: only these are kept on disk, each with all it calls."""
looping_entry = _decorated(LoopingEntry, OPTIONS | {"nogil": True, "cache": True})
"""The same for a kernel whose loops are long enough for vectorising to pay for itself."""


@contextmanager
def quick_compilation(vectorised: bool = False) -> Iterator[None]:
    """See `compilation.quick_compilation`."""
    from .compilation import quick_compilation as quick

    with quick(vectorised):
        yield


def is_compiled(formulation: str) -> bool:
    """True when a formulation's machine code is on disk in this very version (else a first run compiles)."""
    from .native import is_shipped

    part = f"formulations/{formulation}"
    folder = cache_folder(part)
    return is_shipped(part) or (folder.is_dir() and any(folder.rglob("*.nbc")))
