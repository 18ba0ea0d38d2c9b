"""Rows of a CSV file that a logger writes, and messages in JSON, as readings."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .reading import LONGEST, Parsed, Reading, Refusal

MOST_VALUES = 64
"""That one message may hold."""


@dataclass(frozen=True)
class Columns:
    """Where the columns of a file stand, and what their numbers are multiplied with to be in SI units.

    time     place of the column with the stamps; None where there is none
    wanted   name: place and factor
    """

    time: int | None
    wanted: Mapping[str, tuple[int, float]]

    @classmethod
    def of(cls, head: str, time: str | None, factors: Mapping[str, float]) -> Columns | str:
        """From the first line of a file; a sentence where a column is missing."""
        names = [name.strip() for name in _cells(head)]
        missing = [name for name in ([time] if time else []) + list(factors) if name not in names]
        if missing:
            return f"no column {', '.join(missing)}; its first line names {', '.join(names) or 'none'}"
        return cls(names.index(time) if time else None, {n: (names.index(n), f) for n, f in factors.items()})


def parse_row(line: bytes, columns: Columns) -> Parsed:
    """What one row says; a cell that is empty says nothing. Never raises."""
    if len(line) > LONGEST:
        return Refusal("too long")
    cells = _cells(line.decode("utf-8", "replace"))
    if not any(cell.strip() for cell in cells):
        return None
    stamp = None
    if columns.time is not None:
        stamp = stamp_of(cells[columns.time].strip()) if columns.time < len(cells) else None
        if stamp is None:
            return Refusal("no time")
    out = {}
    for name, (place, factor) in columns.wanted.items():
        text = cells[place].strip() if place < len(cells) else ""
        if not text:
            continue
        value = _finite(text)
        if value is None:
            return Refusal(f"{name} is not a number")
        out[name] = factor * value
    return Reading(out, stamp) if out else None


def parse_message(text: bytes, time: str | None, factors: Mapping[str, float]) -> Parsed:
    """What ``{"utc": "2026-06-01T12:35:19Z", "tension": 12.5, "t200": [1, 2, 3]}`` says. Never raises.

    ``time`` names the stamp (seconds since 1970, or ISO 8601), ``factors`` the other keys that are read, with their
    factors to SI units. Three numbers are x, y and z: t200.x, t200.y, t200.z.
    """
    if len(text) > LONGEST:
        return Refusal("too long")
    try:
        message = json.loads(text.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return Refusal("not JSON")
    if not isinstance(message, dict) or len(message) > MOST_VALUES:
        return Refusal("not an object")
    stamp = None
    if time is not None:
        stamp = stamp_of(message.get(time))
        if stamp is None:
            return Refusal("no time")
    out: dict[str, float] = {}
    for key, given in message.items():
        three = isinstance(given, list) and len(given) == 3
        for name, value in zip((f"{key}.{axis}" for axis in "xyz"), given, strict=True) if three else ((key, given),):
            if name not in factors:
                continue
            number = None if isinstance(value, bool) or not isinstance(value, int | float) else _bounded(value)
            if number is None:
                return Refusal(f"{name} is not a number")
            out[name] = factors[name] * number
    return Reading(out, stamp) if out else Refusal("no values")


def stamp_of(given: Any) -> float | None:
    """Seconds since 1970 of a number or of a time in ISO 8601 (UTC where it does not say); None for anything else."""
    if isinstance(given, bool):
        return None
    if isinstance(given, int | float):
        return _bounded(given)
    if not isinstance(given, str) or not 0 < len(given) <= 40:
        return None
    number = _finite(given)
    if number is not None:
        return number
    try:
        moment = datetime.fromisoformat(given)
        return _bounded((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return None


def _cells(line: str) -> Sequence[str]:
    try:
        return next(csv.reader([line.replace("\0", "").strip("\r\n")]), [])
    except csv.Error:
        return []


def _finite(text: str) -> float | None:
    try:
        return _bounded(float(text)) if "_" not in text else None
    except ValueError:
        return None


def _bounded(value: float) -> float | None:
    """A number that arithmetic survives."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) < 1e15 else None


def _no_constant(name: str) -> None:
    raise ValueError(name)
