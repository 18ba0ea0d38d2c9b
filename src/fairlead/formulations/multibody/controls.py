"""Commanded numbers of bases: each follows its command through a filter of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.loads.commands import Command


@dataclass(frozen=True)
class Control:
    """One of the three numbers of a command, `axis` 0 to 2; `record` is where the command's motion stands."""

    command: Command
    record: tuple[int, int, int]
    axis: int

    @property
    def ints(self) -> list[int]:
        """Kind of its motion, first number and count of its rows, axis."""
        return [*self.record, self.axis]

    @property
    def reals(self) -> list[float]:
        """Its value without motion, and the cut-off of its filter."""
        return [float(self.command.base[self.axis]), self.command.cutoff]

    def at_start(self) -> np.ndarray:
        """Value and rate at t = 0, (2,)."""
        value, rate = self.command.at_start()
        return np.array([value[self.axis], rate[self.axis]])


def controls_of(command: Command, table: list[float]) -> list[Control]:
    """The three numbers of a command; its motion is added to `table`."""
    record = command.record(table)
    return [Control(command, record, axis) for axis in range(3)]
