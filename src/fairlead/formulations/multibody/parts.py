"""What is collected while a tree grows from a system."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fairlead.loads.commands import Command
from fairlead.rigging.rows import Row
from fairlead.rigging.winches import WinchRows

from .tree import Tree


@dataclass(frozen=True)
class Owner:
    """Where a point or body is in the tree: parent number (see `Tree.add`) and the tree's origin in its own frame."""

    number: int
    shift: np.ndarray


@dataclass
class Parts:
    """Rows collected while the tree grows."""

    tree: Tree = field(default_factory=Tree)
    owners: dict[str, Owner] = field(default_factory=dict)
    cables: dict[str, Row] = field(default_factory=dict)
    elements: list[Row] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)
    active: dict[str, int] = field(default_factory=dict)
    first_axes: dict[str, np.ndarray] = field(default_factory=dict)
    solids: list[Row] = field(default_factory=list)
    hulls: list[np.ndarray] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    moved: list[Row] = field(default_factory=list)
    winches: list[WinchRows] = field(default_factory=list)
    samples: list[float] = field(default_factory=list)
    motion: dict[int, Row] = field(default_factory=dict)
    """Rotation (9) and position (3) of each body at t = 0, at rest."""
    starts: dict[int, float] = field(default_factory=dict)
    """First coordinate of prismatic joints."""

    def water_at(self, number: int, turns: bool, row: np.ndarray) -> None:
        """Let the water (and weight) act on a body of the tree."""
        self.solids.append({"record": number, "turns": turns})
        self.hulls.append(row)

    def stands(self, number: int, position: np.ndarray, rotation: np.ndarray | None = None) -> None:
        """Say where a body is at t = 0, at rest."""
        turn = np.eye(3) if rotation is None else rotation
        self.motion[number] = {"rotation": np.ravel(turn), "position": np.asarray(position, dtype=float)}
