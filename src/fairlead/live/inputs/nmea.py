"""NMEA 0183: the few sentences that tell where a ship is, how it lies and what time it is.

    $GPGGA,123519.00,5900.0000,N,00300.0000,E,4,12,0.6,22.4,M,44.9,M,,*5B

A sentence is accepted with a right checksum only, and every field must be a number within its bounds. An XOR of bytes
passes some damage all the same (two changed bits in one column): what jumps is held back by its speed
(:mod:`.plausible`). Times of day have no date; the day is the one that brings them nearest to when they arrived.
"""

from __future__ import annotations

import math
import re
from calendar import timegm

from .reading import LONGEST, Parsed, Reading, Refusal

KNOT = 1852.0 / 3600.0  # m/s
DAY = 86400.0
LONGEST_SENTENCE = 120
"""Bytes: the standard allows 82, receivers with many digits send more."""
_SENTENCE = re.compile(rb"[$!]([A-Z]{2})([A-Z]{3}),([\x20-\x7e]*)\*([0-9A-Fa-f]{2})")
_NUMBER = re.compile(r"-?\d{1,12}(\.\d{0,12})?")
_KINDS = ("GGA", "GLL", "VTG", "HDT", "ZDA")


class Wrong(ValueError):
    """A field that is not what its place asks for."""


def parse(line: bytes, arrival: float, talker: str | None = None) -> Parsed:
    """What one line says that arrived at ``arrival`` (UTC, s since 1970); ``talker`` is the only one listened to.

    Never raises.
    """
    if len(line) > LONGEST:
        return Refusal("too long")
    found = _SENTENCE.fullmatch(line.strip())
    if found is None or len(line.strip()) > LONGEST_SENTENCE:
        return Refusal("not a sentence")
    who, kind, body, given = (part.decode("ascii") for part in found.groups())
    if checksum(found[0][1 : found[0].rindex(b"*")]) != int(given, 16):
        return Refusal("checksum")
    if kind not in _KINDS or (talker is not None and who != talker):
        return None
    try:
        return _READERS[kind](body.split(","), arrival)
    except (Wrong, IndexError):
        return Refusal(f"damaged {kind}")


def checksum(body: bytes) -> int:
    """All bytes between ``$`` and ``*``, combined by exclusive or."""
    out = 0
    for byte in body:
        out ^= byte
    return out


def sentence(body: str) -> bytes:
    """A whole sentence of what stands between ``$`` and ``*``, for simulators and tests."""
    return f"${body}*{checksum(body.encode('ascii')):02X}\r\n".encode("ascii")


def _gga(f: list[str], arrival: float) -> Parsed:
    if _whole(f[5], 0, 8) == 0:
        return Refusal("no fix")
    return Reading(_place(f[1:5]) | {"height": _number(f[8], -1e3, 1e4)}, _time(f[0], arrival))


def _gll(f: list[str], arrival: float) -> Parsed:
    if len(f) > 5 and f[5] != "A":
        return Refusal("no fix")
    return Reading(_place(f[0:4]), _time(f[4], arrival) if len(f) > 4 and f[4] else None)


def _vtg(f: list[str], arrival: float) -> Parsed:
    speed = {"speed": KNOT * _number(f[4], 0.0, 200.0)}
    return Reading(speed if not f[0] else {"course": _number(f[0], 0.0, 360.0)} | speed)


def _hdt(f: list[str], arrival: float) -> Parsed:
    return Reading({"heading": _number(f[0], 0.0, 360.0)})


def _zda(f: list[str], arrival: float) -> Parsed:
    day, month, year = _whole(f[1], 1, 31), _whole(f[2], 1, 12), _whole(f[3], 1980, 2200)
    stamp = timegm((year, month, day, 0, 0, 0)) + _time_of_day(f[0])
    return Reading({"clock": stamp}, stamp)


_READERS = {"GGA": _gga, "GLL": _gll, "VTG": _vtg, "HDT": _hdt, "ZDA": _zda}


def _number(text: str, low: float, high: float) -> float:
    if not _NUMBER.fullmatch(text):
        raise Wrong(text)
    value = float(text)
    if not low <= value <= high:
        raise Wrong(text)
    return value


def _whole(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit()):
        raise Wrong(text)
    return int(_number(text, low, high))


def _place(f: list[str]) -> dict[str, float]:
    """Latitude and longitude, degrees, of ``5900.1234,N,00300.5678,E``."""
    return {"latitude": _angle(f[0], f[1], 2, "NS"), "longitude": _angle(f[2], f[3], 3, "EW")}


def _angle(text: str, side: str, digits: int, sides: str) -> float:
    if len(side) != 1 or side not in sides:
        raise Wrong(side)
    whole = _whole(text[:digits], 0, 90 if digits == 2 else 180)
    minutes = _number(text[digits:], 0.0, 60.0)
    value = whole + minutes / 60.0
    if value > (90.0 if digits == 2 else 180.0):
        raise Wrong(text)
    return value if side == sides[0] else -value


def _time_of_day(text: str) -> float:
    hours, minutes = _whole(text[:2], 0, 23), _whole(text[2:4], 0, 59)
    return 3600.0 * hours + 60.0 * minutes + _number(text[4:], 0.0, 60.999)


def _time(text: str, arrival: float) -> float:
    """Seconds since 1970 of a time of day, on the day that brings it nearest to its arrival."""
    if not math.isfinite(arrival):
        raise Wrong(text)
    of_day = _time_of_day(text)
    return of_day + DAY * round((arrival - of_day) / DAY)
