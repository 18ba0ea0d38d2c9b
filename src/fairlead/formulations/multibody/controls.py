"""Commanded numbers of bases: each follows its command through a filter of its own."""

from __future__ import annotations

from dataclasses import dataclass

from fairlead.algebra.records import fields_of
from fairlead.loads.commands import Command
from fairlead.loads.tables import MOTION


@dataclass(frozen=True)
class Control:
    """One of the three numbers of a command, `axis` 0 to 2; `record` is where the command's motion stands."""

    command: Command
    record: tuple[int, int, int]
    axis: int

    @property
    def motion(self) -> dict[str, int]:
        """Its row of the table `control`."""
        return {**dict(zip(fields_of(MOTION), self.record, strict=True)), "axis": self.axis}

    @property
    def goal(self) -> dict[str, float]:
        """Its value without motion, and the cut-off of its filter."""
        return {"value": float(self.command.base[self.axis]), "cutoff": self.command.cutoff}

    def at_start(self) -> dict[str, float]:
        """Value and rate at t = 0."""
        value, rate = self.command.at_start()
        return {"value": value[self.axis], "rate": rate[self.axis]}


def controls_of(command: Command, table: list[float]) -> list[Control]:
    """The three numbers of a command; its motion is added to `table`."""
    record = command.record(table)
    return [Control(command, record, axis) for axis in range(3)]
