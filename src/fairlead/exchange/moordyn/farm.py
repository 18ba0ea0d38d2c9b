"""Where the turbines of a farm stand, from FAST.Farm's input file."""

from __future__ import annotations

from .numerals import number
from .rows import Vector

HEADING = ("WT_X", "WT_Y", "WT_Z")


def turbines_of(text: str) -> dict[int, Vector]:
    """Positions by the numbers of the turbines, which the rows of the table after its names and units have in turn."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if tuple(word.upper() for word in line.split()[:3]) == HEADING:
            return dict(enumerate(_rows(lines[i + 2 :]), 1))
    return {}


def _rows(lines: list[str]) -> list[Vector]:
    found: list[Vector] = []
    for line in lines:
        values = [number(word) for word in line.split()[:3]]
        if len(values) < 3 or None in values:
            break
        x, y, z = (value for value in values if value is not None)
        found.append((x, y, z))
    return found
