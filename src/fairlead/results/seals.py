"""Hashes of what a result holds, so that no damaged number or text is ever read as if it were right.

HDF5 keeps a Fletcher-32 checksum with every chunk of numbers, which any reader checks. It does not guard names, units,
texts and types; so a file also keeps SHA-256 hashes of all it holds *as it is read*, in a group of its own, which a
file that someone else makes of it does not carry along.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

SEALS_GROUP = "seals"
SLICE = 8 * 1024 * 1024  # bytes hashed at a time


class Seal:
    """The hash of one array, taken piece by piece along its first dimension."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, values: NDArray[Any]) -> None:
        """The next piece."""
        if values.dtype.kind in "OUS":
            self._hash.update("".join(f"{str(text)!r}\n" for text in values.ravel()).encode("utf-8", "replace"))
            return
        whole = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).reshape(-1)
        for start in range(0, whole.size, SLICE // 8):
            part = whole[start : start + SLICE // 8]
            if part.dtype.kind == "f" and (none := np.isnan(part)).any():
                part = np.where(none, np.nan, part)  # readers may give any NaN for any other
            self._hash.update(part.data)

    @property
    def text(self) -> str:
        return self._hash.hexdigest()


def seal_of(values: NDArray[Any]) -> str:
    """The hash of a whole array."""
    seal = Seal()
    seal.add(values)
    return seal.text


Described = tuple[str, tuple[str, ...], tuple[int, ...], str, Mapping[str, Any]]
"""A variable without its numbers: name, dimensions, shape, kind of its type, attributes."""


def seal_of_texts(attrs: Mapping[str, Any], variables: Iterable[Described]) -> str:
    """The hash of everything but the numbers: names, dimensions, types, units and attributes."""
    described = sorted(
        [name, list(dims), [int(n) for n in shape], "text" if kind in "OUST" else kind, _plain(own)]
        for name, dims, shape, kind, own in variables
    )
    text = json.dumps([_plain(attrs), described], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(attrs: Mapping[str, Any]) -> list[list[Any]]:
    return [[str(name), _value(value)] for name, value in sorted(attrs.items())]


def _value(value: Any) -> Any:
    if isinstance(value, bool | np.bool_ | int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value).hex()
    return str(value)
