"""Machine code without a compiler: libraries of single entries, made by `emission` and called through ctypes.

A library holds one entry with all it calls, for one level of processors. It is looked for in the package, where a wheel
brings it, then in the cache folder of its part of the project, where the first compilation has left it; in both under
the fingerprint of the sources. Its function takes one pointer, to its arguments one after the other in eight bytes
each (an array: its address, then its lengths), and returns its result in eight bytes. A second one in front of the same
machine code is for callers that numba has compiled, so that whoever calls an entry gets the same bits: LLVM rounds
otherwise in code that stands elsewhere in memory.

`FAIRLEAD_NUMBA=1` keeps to numba, as do its switches for debugging.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import struct
import weakref
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .compiled import cache_folder, part_of, versioned

if TYPE_CHECKING:
    from .compiled import Entry

SHIPPED = Path(__file__).resolve().parents[1] / "machine_code"
"""Where a wheel has its libraries."""
FUNCTION, INNER_FUNCTION, ARGUMENTS = "fairlead_entry", "fairlead_inner_entry", "fairlead_arguments"
"""Symbols of a library: its function, that for compiled callers, and the kinds of its arguments and of its result, as
text."""
FAILED = -(2**63)
"""What the function returns where numba's code would raise an exception."""
_SCALARS = {"float": "d", "int": "q", "bool": "?"}
_DTYPES = {"float": np.dtype(np.float64), "int": np.dtype(np.int64), "bool": np.dtype(np.bool_)}
TARGET = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
DEBUGGING = ("FAIRLEAD_NUMBA", "NUMBA_BOUNDSCHECK", "NUMBA_DEBUG", "NUMBA_OPT")


@cache
def level() -> str:
    """The level of processors that this one belongs to."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if machine != "x86_64":
        return machine
    return "x86-64-v3" if {"AVX2", "FMA3"} <= abilities() else "x86-64"


def abilities() -> frozenset[str]:
    """What this processor can do, by numpy's names."""
    inside = "numpy._core" if find_spec("numpy._core") else "numpy.core"  # the latter up to numpy 1.26
    names: dict[str, bool] = getattr(import_module(f"{inside}._multiarray_umath"), "__cpu_features__", {})
    return frozenset(name for name, has in names.items() if has)


@cache
def this_processor() -> str:
    """A name for all processors that can do what this one can, for machine code that was made here; for another target
    that the environment names, one that goes with it."""
    known = " ".join([*sorted(abilities()), *other_target()])
    return f"{level()}-{hashlib.sha256(known.encode()).hexdigest()[:8]}"


def other_target() -> tuple[str, ...]:
    """Processor and features that the environment tells numba to compile for; nothing where it is this processor."""
    return tuple(f"{name}={os.environ[name]}" for name in TARGET if name in os.environ)


def library_name(entry: Entry, of: str) -> str:
    """File name of an entry's library for a level of processors."""
    return f"{entry.py_func.__module__.rpartition('.')[2]}.{entry.py_func.__name__.strip('_')}-{of}.so"


def is_wanted() -> bool:
    """Whether machine code comes from libraries: not where numba is asked for."""
    return not any(os.environ.get(name, "0") not in ("", "0") for name in DEBUGGING)


def find(entry: Entry) -> Library | None:
    """An entry's machine code on disk, or None; where a wheel is made, or code for another processor, not what an older
    one has."""
    part = part_of(entry.py_func.__module__)
    shipped, made = (SHIPPED / versioned(part), level()), (cache_folder(part), this_processor())
    own = bool(os.environ.get("FAIRLEAD_MACHINE_CODE") or other_target())
    for folder, processor in (made,) if own else (shipped, made):
        path = folder / library_name(entry, processor)
        try:
            if _trusted(path):
                return Library(path, entry)
        except OSError:
            continue  # gone meanwhile, or of a machine that this is not: numba compiles it
    return None


def is_shipped(part: str) -> bool:
    """Whether a part of the project came with its machine code for this processor."""
    return any((SHIPPED / versioned(part)).glob(f"*-{level()}.so"))


def _trusted(path: Path) -> bool:
    """Whether only the user, or who installed the program, can have written a file; what others may write is not
    loaded."""
    about = path.stat()
    return about.st_uid in (0, os.geteuid()) and not about.st_mode & 0o022


class Library:
    """An entry in a library, called as the function it was made of."""

    def __init__(self, path: Path, entry: Entry) -> None:
        library = ctypes.CDLL(str(path))
        self._function = library[FUNCTION]
        self._function.argtypes, self._function.restype = (ctypes.c_char_p,), ctypes.c_int64
        self.address = int(ctypes.cast(library[INNER_FUNCTION], ctypes.c_void_p).value or 0)
        """Of the function for compiled callers."""
        self.words = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, ARGUMENTS))).decode()
        """Kinds of its arguments and of its result."""
        *self._kinds, self._result = self.words.split()
        slots = ((kind, *("int",) * int(rank or 0)) for kind, _, rank in (word.partition(":") for word in self._kinds))
        flat = [
            "q" if ":" in word or position else _SCALARS[kind]
            for word, parts in zip(self._kinds, slots, strict=True)
            for position, kind in enumerate(parts)
        ]
        self._packed = struct.Struct("=" + "".join("?7x" if code == "?" else code for code in flat)).pack
        self._entry = entry
        self._known: dict[int, tuple[Any, tuple[int, ...]]] = {}

    def __call__(self, *arguments: Any) -> Any:
        flat: list[Any] = []
        known = self._known
        try:
            for kind, value in zip(self._kinds, arguments, strict=True):
                if ":" in kind:
                    seen = known.get(id(value))
                    flat += seen[1] if seen is not None and seen[0]() is value else self._array(kind, value)
                else:
                    flat.append(value)
            packed = self._packed(*flat)
        except (_Other, struct.error, ValueError):
            return self._entry.dispatcher(*arguments)  # arguments of other types: numba compiles for them
        found = self._function(packed)
        if found == FAILED:
            return self._entry.dispatcher(*arguments)  # which raises
        if self._result == "int":
            return found
        if self._result == "float":
            return struct.unpack("=d", struct.pack("=q", found))[0]
        return bool(found) if self._result == "bool" else None

    def _array(self, kind: str, value: Any) -> tuple[int, ...]:
        """Address and lengths of an array, kept as long as it lives."""
        dtype, _, rank = kind.partition(":")
        fits = isinstance(value, np.ndarray) and value.dtype == _DTYPES[dtype] and value.ndim == int(rank)
        if not (fits and value.flags.c_contiguous and value.flags.writeable):
            raise _Other
        numbers = (value.__array_interface__["data"][0], *value.shape)
        key, known = id(value), self._known
        known[key] = (weakref.ref(value, lambda _: known.pop(key, None)), numbers)
        return numbers


class _Other(Exception):
    """An argument is not of the type that a library was made for."""
