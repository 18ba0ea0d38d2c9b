"""Rows of numbers in text files of other programs: one optional line of text first, Fortran's D exponents.

Every number that a reader of text takes passes `finite`, here: it is finite and of a size that a file may hold.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

from fairlead.model.damage import Undecodable, decoded

from .coefficients import CoefficientError

_D_EXPONENT = re.compile(r"(?<=[\d.])[dD](?=[+-]?\d)")
MOST_BYTES = 500_000_000
LARGEST = 1e25
"""Of any number: the roll inertia of the largest ship, in SI units, is below 1e14."""


def numbers_of(text: str) -> list[float] | None:
    """The numbers of a line; None where it holds anything else."""
    try:
        return [float(word) for word in _D_EXPONENT.sub("e", text).split()]
    except ValueError:
        return None


def finite(numbers: list[float], path: Path, line: int) -> list[float]:
    """The same numbers, where all are finite and of a possible size."""
    for value in numbers:
        if not math.isfinite(value) or abs(value) > LARGEST:
            what = "is not finite" if not math.isfinite(value) else "is beyond all measure"
            cure = "compute that row again, or leave its frequency out"
            raise CoefficientError(f"{path}:{line}: holds the number {value:g}, which {what}; {cure}")
    return numbers


def text_of(path: Path) -> str:
    """All of a text file, however it was saved."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CoefficientError(f"{path}: is larger than {MOST_BYTES // 10**6} MB, which no such file is")
        return decoded(path.read_bytes())
    except Undecodable as reason:
        raise CoefficientError(f"{path}:{reason.line}: {reason}") from None
    except OSError as reason:
        raise CoefficientError(f"{path}: cannot be read: {reason.strerror or reason}") from None


def rows_of(path: Path, least: int, most: int) -> list[list[float]]:
    """Rows of `least` to `most` numbers; a first line of text is passed over, and empty lines."""
    rows = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if not line.strip():
            continue
        found = numbers_of(line)
        if found is None or not least <= len(found) <= most:
            if number == 1 and found is None and is_title(line):
                continue
            wanted = f"{least}" if least == most else f"{least} to {most}"
            what = "text" if found is None else f"{len(found)} numbers"
            shown = f"{line.strip()[:60]!r}"
            cure = "name a file of coefficients as its program wrote it"
            if number == 1 and found is None:
                cure = "it is a damaged row, not a title: copy the file again, or mend the row"
            raise CoefficientError(f"{path}:{number}: holds {what} where {wanted} numbers belong: {shown}; {cure}")
        rows.append(finite(found, path, number))
    if not rows:
        raise CoefficientError(f"{path}: holds no row of numbers")
    return rows


def is_title(line: str) -> bool:
    """Whether a line is made of words. A row of which only a part is damaged still is mostly numbers."""
    words = line.split()
    return 2 * sum(numbers_of(word) is not None for word in words) < len(words)


def modes_of(values: list[float], path: Path) -> list[int]:
    """Numbers of motions: whole, from 1 on."""
    for value in values:
        if value != int(value) or not 1 <= value <= MOST_MODES:
            raise CoefficientError(
                f"{path}: names the motion {value:g}; motions are whole numbers from 1 to {MOST_MODES}, six a body"
            )
    return [int(value) for value in values]


MOST_MODES = 600
