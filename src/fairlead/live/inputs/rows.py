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

ALL = "*"
"""The channel of a whole row or message: all that its input names, in that order."""
MOST_VALUES = 16
"""Numbers that one value may have."""


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
    """The readings of one row; a cell that is empty is no reading. Never raises."""
    if len(line) > LONGEST:
        return Refusal("too long")
    cells = _cells(line.decode("utf-8", "replace"))
    if not any(cell.strip() for cell in cells):
        return []
    stamp = None
    if columns.time is not None:
        stamp = stamp_of(cells[columns.time].strip()) if columns.time < len(cells) else None
        if stamp is None:
            return Refusal("no time")
    out: list[Reading] = []
    for name, (place, factor) in columns.wanted.items():
        text = cells[place].strip() if place < len(cells) else ""
        if not text:
            continue
        value = _finite(text)
        if value is None:
            return Refusal(f"{name} is not a number")
        out.append(Reading(name, (factor * value,), stamp))
    return _with_all(out, len(columns.wanted), stamp)


def parse_message(text: bytes, factors: Mapping[str, float]) -> Parsed:
    """The readings of ``{"stamp": ..., "values": {"tension": 12.5, "position": [1, 2, 3]}}``. Never raises.

    ``stamp`` (seconds since 1970, or ISO 8601) may be left out. Without ``factors`` any name is taken, in SI units.
    """
    if len(text) > LONGEST:
        return Refusal("too long")
    try:
        message = json.loads(text.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return Refusal("not JSON")
    if not isinstance(message, dict) or not message.keys() <= {"stamp", "values"}:
        return Refusal('not {"stamp": ..., "values": {...}}')
    values, given = message.get("values"), message.get("stamp")
    if not isinstance(values, dict) or not 0 < len(values) <= MOST_VALUES:
        return Refusal("no values")
    stamp = None
    if given is not None:
        stamp = stamp_of(given)
        if stamp is None:
            return Refusal("no time")
    out = []
    for name, value in values.items():
        if factors and name not in factors:
            return Refusal("unknown value")
        numbers = _numbers(value, factors.get(name, 1.0))
        if numbers is None:
            return Refusal("not a number")
        out.append(Reading(str(name)[:64], numbers, stamp))
    return _with_all(sorted(out, key=lambda r: list(factors).index(r.channel)) if factors else out, len(factors), stamp)


def _with_all(out: list[Reading], count: int, stamp: float | None) -> list[Reading]:
    """The same, and where nothing is missing all of it in one: a place comes as three columns."""
    if count < 2 or len(out) < count:
        return out
    return [*out, Reading(ALL, tuple(value for reading in out for value in reading.values), stamp)]


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


def _numbers(value: Any, factor: float) -> tuple[float, ...] | None:
    several = value if isinstance(value, list) else [value]
    if not 0 < len(several) <= MOST_VALUES:
        return None
    found = [None if isinstance(v, bool) or not isinstance(v, int | float) else _bounded(v) for v in several]
    return None if None in found else tuple(factor * v for v in found if v is not None)


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
