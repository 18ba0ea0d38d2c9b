"""Numbers written small: rounded to whole steps, differenced in time, sorted into byte planes, deflated, in base64.

A page reads them back with a few lines of its own (`page/numbers.js`). Rounding to a step q leaves at most q/2 of
error; the differences of smooth motion are small integers whose higher bytes are nearly all zero, and deflate well.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 6  # of deflate: 9 takes three times as long for two per cent
LARGEST = 2**28  # whole steps either side of zero: folded second differences of such numbers still fit into 32 bits


def pack(values: NDArray[np.float64], quantum: float | NDArray[np.float64]) -> dict[str, Any]:
    """``values`` (time, ...) rounded to multiples of ``quantum``; what is not finite becomes 0.

    ``quantum`` is one number, or one for each column of (time, column).

    The record holds ``shape``, ``quantum``, ``order`` (how often they were differenced in time, 1 or 2, whichever is
    smaller) and ``data`` (base64 of deflate of the four byte planes of 32-bit integers, lowest first; signs folded into
    the lowest bit).
    """
    if not isinstance(quantum, float):
        quantum = np.array([float(f"{q:.6g}") for q in quantum])
    steps = np.where(np.isfinite(values), values, 0.0) / quantum
    whole = np.rint(np.clip(steps, -LARGEST, LARGEST)).astype(np.int32).reshape(len(values), -1)
    nothing = np.zeros_like(whole[:1])
    once = np.diff(whole, axis=0, prepend=nothing)
    first, second = _deflated(once), _deflated(np.diff(once, axis=0, prepend=nothing))
    order, smaller = (1, first) if len(first) <= len(second) else (2, second)
    return {
        "shape": list(values.shape),
        "quantum": quantum if isinstance(quantum, float) else quantum.tolist(),
        "order": order,
        "data": base64.b64encode(smaller).decode("ascii"),
    }


def unpack(record: dict[str, Any]) -> NDArray[np.float64]:
    """The numbers of a record, as a page reads them."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(record["data"])), dtype=np.uint8).reshape(4, -1)
    folded = (planes.astype(np.int64) << (8 * np.arange(4)[:, np.newaxis])).sum(axis=0)
    shape = tuple(record["shape"])
    whole = ((folded >> 1) ^ -(folded & 1)).reshape(shape[0], -1)
    for _ in range(record["order"]):
        whole = np.cumsum(whole, axis=0)
    return np.asarray((whole * np.asarray(record["quantum"])).reshape(shape))


def size(record: dict[str, Any]) -> int:
    """Bytes the record takes in a page."""
    return len(record["data"]) + 100


def _deflated(whole: NDArray[np.int32]) -> bytes:
    folded = ((whole << 1) ^ (whole >> 31)).astype("<u4").ravel()
    planes = np.ascontiguousarray(folded.view(np.uint8).reshape(-1, 4).T)
    return zlib.compress(planes.tobytes(), LEVEL)
