"""Rows of numbers in text files of other programs: one optional line of text first, Fortran's D exponents."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

import numpy as np

from .coefficients import CoefficientError

_D_EXPONENT = re.compile(r"(?<=[\d.])[dD](?=[+-]?\d)")
MOST_BYTES = 500_000_000


def numbers_of(text: str) -> list[float] | None:
    """The numbers of a line; None where it holds anything else."""
    try:
        return [float(word) for word in _D_EXPONENT.sub("e", text).split()]
    except ValueError:
        return None


def text_of(path: Path) -> str:
    """All of a text file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CoefficientError(f"{path}: is larger than {MOST_BYTES // 10**6} MB, which no such file is")
        data = path.read_bytes()
    except OSError as reason:
        raise CoefficientError(f"{path}: cannot be read: {reason.strerror or reason}") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise CoefficientError(f"{path}:{line}: holds NUL bytes, as no text does: it is damaged; copy it again")
    return data.decode("utf-8-sig", errors="replace")


def is_damaged(line: str, least: int, most: int) -> bool:
    """Whether a line is a row of numbers of which one is spoilt, and no title."""
    words = line.split()
    return least <= len(words) <= most and sum(numbers_of(word) is None for word in words) == 1


def rows_of(path: Path, least: int, most: int) -> list[list[float]]:
    """Rows of `least` to `most` numbers; a first line of text is passed over, and empty lines."""
    rows = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if not line.strip():
            continue
        found = numbers_of(line)
        if found is None or not least <= len(found) <= most:
            if number == 1 and found is None and not is_damaged(line, least, most):
                continue
            wanted = f"{least}" if least == most else f"{least} to {most}"
            what = "text" if found is None else f"{len(found)} numbers"
            shown = f"{line.strip()[:60]!r}"
            cure = "name a file of coefficients as its program wrote it"
            raise CoefficientError(f"{path}:{number}: holds {what} where {wanted} numbers belong: {shown}; {cure}")
        if not all(map(np.isfinite, found)):
            raise CoefficientError(f"{path}:{number}: holds a number that is not finite: {line.strip()[:60]!r}")
        rows.append(found)
    if not rows:
        raise CoefficientError(f"{path}: holds no row of numbers")
    return rows
