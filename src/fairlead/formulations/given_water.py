"""Motion of the water that another program gives at the nodes of cables while a simulation runs.

A solver of the waves knows velocity and acceleration of the water wherever it is asked. It is asked at the nodes, and
what it says stands among the constants of the compiled system until it is given anew: between two nodes the water moves
as their shares, and it goes on from the time at which it was given with the acceleration given.
"""

from __future__ import annotations

import numpy as np

from .contract import Compiled, UnsupportedSystem


class GivenWater:
    """Water given to a compiled system; arrays of a cable are (nodes, 3) from its start to its end, in SI units."""

    def __init__(self, compiled: Compiled) -> None:
        tables = compiled.tables(np.empty(0)) if hasattr(compiled, "tables") else None
        if tables is None or "given" not in tables.schema.table or tables.givens == 0:
            raise UnsupportedSystem(
                "this system takes no motion of the water from outside; "
                "say simulation: {formulation: lumped, lumped: {given_water: true}}"
            )
        for name, cable in compiled.system.cables.items():
            if cable.winch is not None and cable.winch.mode == "drum":
                raise UnsupportedSystem(f"the nodes of cable '{name}' change as it is paid out; give no water there")
        self._tables, self._names = tables, list(compiled.system.cables)

    def places(self, cable: str) -> slice:
        """Which rows of the table are the nodes of a cable, from its start to its end."""
        number = self._names.index(cable)
        row = self._tables.cable
        first = int(row.first[number]) + number
        last = first + int(row.count[number])
        if not row.reversed[number]:
            return slice(first, last + 1)
        return slice(last, first - 1 if first > 0 else None, -1)

    def give(self, time: float, cable: str, velocity: np.ndarray, acceleration: np.ndarray) -> None:
        """The water's velocity (m/s) and acceleration (m/s²) at all nodes of a cable, as of a time, s."""
        rows = self.places(cable)
        given = self._tables.given
        given.velocity[rows], given.acceleration[rows] = velocity, acceleration
        self._tables.settings.given_since = time
