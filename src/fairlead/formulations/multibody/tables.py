"""What is collected while a tree grows from a system."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .controls import Control
from .tree import Tree


@dataclass(frozen=True)
class Owner:
    """Where a point or body is in the tree: parent number (see `Tree.add`) and the tree's origin in its own frame."""

    number: int
    shift: np.ndarray


@dataclass
class Tables:
    """Rows collected while the tree grows."""

    tree: Tree = field(default_factory=Tree)
    owners: dict[str, Owner] = field(default_factory=dict)
    cables: dict[str, list[int]] = field(default_factory=dict)
    elements: list[np.ndarray] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)
    active: dict[str, int] = field(default_factory=dict)
    first_axes: dict[str, np.ndarray] = field(default_factory=dict)
    water_int: list[list[int]] = field(default_factory=list)
    water: list[np.ndarray] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    moved: list[list[int]] = field(default_factory=list)
    inputs: dict[str, slice] = field(default_factory=dict)
    winches_int: list[list[int]] = field(default_factory=list)
    winches: list[list[float]] = field(default_factory=list)
    steered: list[float] = field(default_factory=list)
    winch_names: list[str] = field(default_factory=list)
    table: list[float] = field(default_factory=list)
    motion: dict[int, np.ndarray] = field(default_factory=dict)
    """Of each body: rotation (9), position (3), velocity (3), spin (3) at t = 0."""
    starts: dict[int, float] = field(default_factory=dict)
    """First coordinate of prismatic joints."""

    def water_at(self, number: int, turns: bool, row: np.ndarray) -> None:
        """Let the water (and weight) act on a body of the tree."""
        self.water_int.append([number, int(turns)])
        self.water.append(row)

    def stands(self, number: int, position: np.ndarray, rotation: np.ndarray | None = None) -> None:
        """Say where a body is at t = 0, at rest."""
        turn = np.eye(3) if rotation is None else rotation
        self.motion[number] = np.concatenate((np.ravel(turn), position, np.zeros(6)))
