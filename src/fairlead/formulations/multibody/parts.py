"""What is collected while a tree grows from a system."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fairlead.loads.commands import Command
from fairlead.rigging.rows import Collected, Row

from .tree import Tree


@dataclass(frozen=True)
class Owner:
    """Where a point or body is in the tree: its record, and the tree's origin in its own frame."""

    number: int
    shift: np.ndarray


@dataclass
class Parts:
    """What is known while the tree grows: itself, and the rows of all tables but its own."""

    tree: Tree = field(default_factory=Tree)
    rows: Collected = field(default_factory=Collected)
    owners: dict[str, Owner] = field(default_factory=dict)
    cables: dict[str, Row] = field(default_factory=dict)
    active: dict[str, int] = field(default_factory=dict)
    first_axes: dict[str, np.ndarray] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)
    motion: dict[int, Row] = field(default_factory=dict)
    """Rotation (9) and position (3) of each body at t = 0, at rest."""
    starts: dict[int, float] = field(default_factory=dict)
    """First coordinate of prismatic joints."""

    def water_at(self, number: int, turns: bool, row: np.ndarray) -> None:
        """Let the water (and weight) act on a body of the tree."""
        self.rows.solid.append({"record": number, "turns": turns})
        self.rows.hull.append(row)

    def stands(self, number: int, position: np.ndarray, rotation: np.ndarray | None = None) -> None:
        """Say where a body is at t = 0, at rest."""
        turn = np.eye(3) if rotation is None else rotation
        self.motion[number] = {"rotation": np.ravel(turn), "position": np.asarray(position, dtype=float)}
