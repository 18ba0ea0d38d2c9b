"""Where each value of a model stands in the file it came from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fairlead.model.problems import Mistake, Problem, path_text

_STEPS = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


@dataclass
class Place:
    """A value in the file: where it starts, where its key starts, what is inside it. Counted from 1; 0 is nowhere."""

    line: int
    column: int
    key_line: int | None = None
    key_column: int | None = None
    inside: dict[str | int, Place] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """The file a system was read from: its name, its text, and the places of its values.

    missing: what another program's file asks for and the system is without.
    """

    path: str
    text: str
    root: Place | None = None
    missing: tuple[Problem, ...] = ()

    def locate(self, location: str | Sequence[str | int], about_key: bool = False) -> tuple[int, int] | None:
        """Line and column of a path such as `cables.left.length`, or of the nearest place above it that is there.

        A scalar is shown where it stands; a mapping or list, or a problem `about_key`, where its key stands.
        """
        if self.root is None:
            return None
        steps: Sequence[str | int] = location if not isinstance(location, str) else _steps(location)
        place, found = self.root, 0
        for step in steps:
            if step not in place.inside:
                break
            place, found = place.inside[step], found + 1
        prefer_key = about_key or bool(place.inside) or found < len(steps)
        if prefer_key and place.key_line is not None and place.key_column is not None:
            return (place.key_line, place.key_column) if place.key_line else None
        return (place.line, place.column) if place.line else None


def place_problem(mistake: Mistake, source: Source | None) -> Problem:
    """A mistake as a problem, with file, line and column where they are known."""
    path = path_text(mistake.location)
    if source is None:
        return Problem(path, mistake.message, mistake.hint)
    line, column = source.locate(mistake.location, mistake.about_key) or (None, None)
    return Problem(path, mistake.message, mistake.hint, source.path, line, column)


def _steps(path: str) -> list[str | int]:
    return [int(index) if index else name for index, name in _STEPS.findall(path)]
