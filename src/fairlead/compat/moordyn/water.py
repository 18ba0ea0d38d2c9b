"""Water whose motion the host gives, WaveKin 1: where it is asked, and how lines take it.

MoorDyn asks at the nodes of all lines, then of rods, at points, at the ground (one place, at the origin) and at bodies,
each in the order of the file. Lines are what feels it here. Decks in which something else would, a free point with a
volume or drag, a free body or rod, are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.given_water import GivenWater

from .constants import ERRCODE_INVALID_INPUT, ERRCODE_INVALID_VALUE, ERRCODE_NON_IMPLEMENTED, MoorDynError
from .instance import MoorDyn
from .things import Body, Line, Point, Rod


def water_of(system: MoorDyn) -> WaterFromOutside:
    """How the host of a system says what the water does."""
    system.simulation  # noqa: B018  says what is missing
    if not system.takes_water:
        what = "the water's motion is not given from outside; say '1 WaveKin' among the options of the file"
        raise MoorDynError(ERRCODE_INVALID_VALUE, f"{system.file}: {what}")
    if not isinstance(system.water, WaterFromOutside):
        try:
            system.water = WaterFromOutside(system)
        except UnsupportedSystem as error:
            raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{system.file}: {error}") from None
    return system.water


class WaterFromOutside:
    """Of one system, after `Init`."""

    def __init__(self, system: MoorDyn) -> None:
        self._of = system
        self._refuse_what_feels_it_too()
        self._water = GivenWater(system.simulation.compiled)
        self._given: tuple[float, np.ndarray, np.ndarray] | None = None

    def _refuse_what_feels_it_too(self) -> None:
        deck = self._of.deck
        free = [f"point {p.id}" for p in deck.points.values() if p.held.kind == "free" and (p.volume or p.drag_area)]
        free += [f"body {b.id}" for b in deck.bodies.values() if b.held.kind in ("free", "coupled_pinned")]
        free += [
            f"rod {r.id}" for r in deck.rods.values() if r.held.kind not in ("fixed", "coupled") and r.segments > 0
        ]
        if free:
            what = f"{free[0]} would feel it too, which takes none from outside; only lines do"
            raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{self._of.file}: the water's motion is given, but {what}")

    @property
    def count(self) -> int:
        """Places at which it is given."""
        deck = self._of.deck
        nodes = sum(line.segments + 1 for line in deck.lines.values())
        nodes += sum(rod.segments + 1 for rod in deck.rods.values())
        return nodes + len(deck.points) + 1 + len(deck.bodies)

    def places(self) -> np.ndarray:
        """Where they are now, (count, 3) m."""
        of, deck = self._of, self._of.deck
        lines = [Line(of, row).places() for row in deck.lines.values()]
        rods = [[Rod(of, row).node(i) for i in range(row.segments + 1)] for row in deck.rods.values()]
        points = [[Point(of, row).position()] for row in deck.points.values()]
        bodies = [[Body(of, row).state()[0][:3]] for row in deck.bodies.values()]
        return np.vstack([*lines, *rods, *points, np.zeros((1, 3)), *bodies])

    def give(self, velocity: Any, acceleration: Any, time: float) -> None:
        """Velocities and accelerations at those places (count, 3), as of a time."""
        try:
            u, a = (np.array(values, dtype=float).reshape(-1, 3) for values in (velocity, acceleration))
        except (TypeError, ValueError):
            raise MoorDynError(
                ERRCODE_INVALID_INPUT, "velocities and accelerations must be rows of 3 numbers"
            ) from None
        if (
            len(u) != self.count
            or len(a) != self.count
            or not (np.isfinite(u).all() and np.isfinite(a).all() and np.isfinite(time))
        ):
            what = (
                f"velocities and accelerations must be finite, at {self.count} places each, not {len(u)} and {len(a)}"
            )
            raise MoorDynError(ERRCODE_INVALID_INPUT, what)
        self._given = float(time), u, a
        self.lay_out()

    def lay_out(self) -> None:
        """Write what was given last where steps read it; a new length of a line has written over it."""
        if self._given is None:
            return
        time, u, a = self._given
        nodes = {name: np.zeros((2, c.element_count + 1, 3)) for name, c in self._of.system.cables.items()}
        first = 0
        for row in self._of.deck.lines.values():
            piece = self._of.pieces[row.id]
            at = [piece.node(i) for i in range(row.segments + 1)]
            nodes[piece.cable][:, at] = u[first : first + len(at)], a[first : first + len(at)]
            first += len(at)
        for name, (velocity, acceleration) in nodes.items():
            self._water.give(time, name, velocity, acceleration)
