"""Fields of a row as numbers and words. What is wrong is kept as a problem with its line, and all are told at once."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from fairlead.model.problems import Problem, shown

from .numerals import number
from .sections import Row

Vector = tuple[float, float, float]


@dataclass
class Reader:
    """Reads fields of the rows of one file, and keeps what is wrong with them."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, line: int | None, message: str, hint: str = "") -> None:
        """Keep a problem; words of a file that are endless are cut short in it."""
        short, cure = (re.sub(r"\S{60,}", lambda word: word[0][:40] + "...", text) for text in (message, hint))
        self.problems.append(Problem("", short, cure, self.file, line))

    def number(self, row: Row, index: int, what: str, name: str) -> float:
        """The field as a finite number; NaN, and a problem, where it is none."""
        if index >= len(row.fields):
            self.wrong(
                row.line, f"{what} has no {name}: its row has {len(row.fields)} columns", f"add column {index + 1}"
            )
            return math.nan
        value = number(row.fields[index])
        if value is None:
            self.wrong(row.line, f"{name} of {what} is {shown(row.fields[index])}, which is no number")
            return math.nan
        return value

    def whole(self, row: Row, index: int, what: str, name: str) -> int:
        """The field as a whole number; -1, and a problem, where it is none."""
        value = self.number(row, index, what, name)
        if math.isnan(value):
            return -1
        if value != int(value):
            self.wrong(row.line, f"{name} of {what} is {value:g}, which is no whole number")
            return -1
        return int(value)

    def vector(self, row: Row, index: int, what: str, names: str) -> Vector:
        """Three fields from `index` on."""
        x, y, z = (self.number(row, index + i, what, name) for i, name in enumerate(names.split()))
        return x, y, z

    def several(self, row: Row, index: int, what: str, name: str, counts: tuple[int, ...]) -> tuple[float, ...]:
        """Numbers joined by `|`, as many as one of `counts`."""
        if index >= len(row.fields):
            return (self.number(row, index, what, name),)
        values = tuple(number(part) for part in row.fields[index].split("|"))
        good = tuple(value for value in values if value is not None)
        if len(good) < len(values) or len(values) not in counts:
            wanted = " or ".join(map(str, counts))
            self.wrong(row.line, f"{name} of {what} is {shown(row.fields[index])}; it is {wanted} numbers, joined by |")
            return (math.nan,) * counts[0]
        return good


def numbers_from(row: Row, index: int) -> int:
    """How many fields from `index` on are numbers, one after the other."""
    count = 0
    while index + count < len(row.fields) and number(row.fields[index + count]) is not None:
        count += 1
    return count
