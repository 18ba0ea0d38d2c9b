"""Lines of a MoorDyn file that are one cable here: bending goes on through a free rod without length."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .deck import Deck, Line, Rod, rod_end
from .numerals import number


@dataclass(frozen=True)
class Run:
    """A cable: its lines from start to end, each with whether it is taken from its end B to its end A."""

    lines: tuple[tuple[Line, bool], ...]

    @property
    def name(self) -> str:
        first, *others = (line for line, _ in self.lines)
        return "_".join((first.name, *(line.id for line in others)))

    @property
    def ends(self) -> tuple[str, str]:
        """Where it starts and ends, as the file names it."""
        (first, turned), (last, last_turned) = self.lines[0], self.lines[-1]
        return first.ends[1 if turned else 0], last.ends[0 if last_turned else 1]


def has_length(rod: Rod) -> bool:
    return rod.segments > 0 and math.dist(rod.a, rod.b) > 0.0


def bends(deck: Deck, line: Line) -> bool:
    """Whether a line has bending stiffness; a table of it counts."""
    value = number(deck.types[line.type].ei)
    return value is None or value > 0.0


def ends_at(deck: Deck) -> dict[str, list[tuple[Line, int]]]:
    """Lines by where they end; both ends of a rod without length are one place, `R3`."""
    found: dict[str, list[tuple[Line, int]]] = {}
    for line in deck.lines.values():
        for side, end in enumerate(line.ends):
            found.setdefault(_place(deck, end), []).append((line, side))
    return found


def runs(deck: Deck) -> list[Run]:
    """All cables, in the order of their first lines."""
    meeting = ends_at(deck)
    done: set[str] = set()
    found = []
    for line in deck.lines.values():
        if line.id in done:
            continue
        forward = _walk(deck, meeting, line, 1)
        back = [] if len(forward) > 1 and forward[-1][0].id == line.id else _walk(deck, meeting, line, 0)[1:]
        chain = [(other, not turned) for other, turned in reversed(back)] + forward
        done |= {other.id for other, _ in chain}
        found.append(Run(tuple(chain)))
    return found


def _walk(deck: Deck, meeting: dict[str, list[tuple[Line, int]]], line: Line, side: int) -> list[tuple[Line, bool]]:
    """Lines met when going on from one side of a line over joints that bending goes through, itself first."""
    chain = [(line, side == 0)]
    seen = {line.id}
    while True:
        place = _place(deck, line.ends[side])
        there = meeting[place]
        if not place.startswith("R") or len(there) != 2 or not all(bends(deck, other) for other, _ in there):
            return chain
        if deck.rods[place[1:]].held.kind != "free":
            return chain
        other, near = there[0] if there[1][0].id == line.id else there[1]
        if other.id in seen:
            return chain
        chain.append((other, near == 1))
        seen.add(other.id)
        line, side = other, 1 - near


def _place(deck: Deck, end: str) -> str:
    rod = rod_end(end)
    return f"R{rod[0]}" if rod is not None and not has_length(deck.rods[rod[0]]) else end
