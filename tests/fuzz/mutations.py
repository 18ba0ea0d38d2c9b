"""Damaged copies of sound files, each from a seed: cut, garbled, swapped, saved by the wrong program."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable

NUMBER = re.compile(rb"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w.])")
ODD = (
    b"nan", b"inf", b"-inf", b"1e300", b"-1e300", b"1e-300", b"0", b"-1", b"-0.0", b"1e16", b"99999999999", b"1e999",
    b"0.5", b"1,5", b"", b"abc", b"[1]", b"{a: 1}", b"null", b"true", b"7", b"2", b"1e9", b"9" * 400, b"\xff", b"1|2",
    b"12345678901234567890", b"-5", b"1.5", b"'", b'"', b"3 kN", b"!!python/object:os.system", b"*a", b"&a", b"%",
)  # fmt: skip
ODD_DOUBLES = (float("nan"), float("inf"), -1.0, 0.0, 1e300, -1e300, 5e-324, 1e16, 2.0)


def damaged(data: bytes, seed: int, text: bool = True) -> bytes:
    """A damaged copy; the same seed gives the same one."""
    chance = random.Random(seed)
    acts = (*ANY, *(OF_TEXT * 2 if text else OF_NUMBERS * 2))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = chance.choice(acts)(data, chance)
    return data


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _cut_start(data: bytes, chance: random.Random) -> bytes:
    return data[chance.randrange(len(data) + 1) :]


def _remove(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.randint(1, 60) :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice((b"\0", b"\0" * 20, b"\xff\xfe", chance.randbytes(8), b"\n", b"\t")) + data[at:]


def _flip(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return data
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
    return bytes(found)


def _sector(data: bytes, chance: random.Random) -> bytes:
    size = chance.choice((16, 64, 512))
    at = size * chance.randrange(len(data) // size + 1)
    return data[:at] + chance.choice((bytes, chance.randbytes))(len(data[at : at + size])) + data[at + size :]


def _number(data: bytes, chance: random.Random) -> bytes:
    places = list(NUMBER.finditer(data))
    if not places:
        return data
    found = chance.choice(places)
    return data[: found.start()] + chance.choice(ODD) + data[found.end() :]


def _word(data: bytes, chance: random.Random) -> bytes:
    places = list(re.finditer(rb"[^\s,:\[\]{}]+", data))
    if not places:
        return data
    found = chance.choice(places)
    new = chance.choice((*ODD, chance.choice(places).group()))
    return data[: found.start()] + new + data[found.end() :]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[a]
        case 1:
            lines[a], lines[b] = lines[b], lines[a]
        case 2:
            lines.insert(a, lines[b])
        case 3:
            lines[a] = lines[a][: len(lines[a]) // 2]
        case _:
            lines[a] = lines[a].replace(b":", b"", 1) if b":" in lines[a] else b" ".join(lines[a].split()[1:])
    return b"\n".join(lines)


def _encoding(data: bytes, chance: random.Random) -> bytes:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    return text.encode(chance.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32")), "replace")


def _double(data: bytes, chance: random.Random) -> bytes:
    """Eight bytes at a place of eight, as a number that no reader expects."""
    if len(data) < 16:
        return data
    at = 8 * chance.randrange(len(data) // 8)
    order = chance.choice("<>")
    return data[:at] + struct.pack(f"{order}d", chance.choice(ODD_DOUBLES)) + data[at + 8 :]


def _count(data: bytes, chance: random.Random) -> bytes:
    if len(data) < 8:
        return data
    at = 4 * chance.randrange(len(data) // 4)
    return data[:at] + struct.pack("<I", chance.choice((0, 1, 2**31 - 1, 2**32 - 1, 10**6))) + data[at + 4 :]


Act = Callable[[bytes, random.Random], bytes]
ANY: tuple[Act, ...] = (_cut, _cut_start, _remove, _insert, _flip, _sector)
OF_TEXT: tuple[Act, ...] = (_number, _number, _number, _word, _lines, _lines, _encoding)
OF_NUMBERS: tuple[Act, ...] = (_double, _double, _count, _number)
