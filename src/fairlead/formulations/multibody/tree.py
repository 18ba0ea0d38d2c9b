"""Trees of bodies as they are collected: what each body is, what it hangs from and how it is joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.algebra.records import Tables

from .schema import CABLE, COORDINATES, SPEEDS

WORLD = 0
"""Record of the world, the first of the bases."""
_IDENTITY = np.eye(3)


@dataclass
class Tree:
    """Bodies and bases as they are added; every parent before its children."""

    bodies: list[dict[str, int]] = field(default_factory=list)
    joints: list[dict[str, Any]] = field(default_factory=list)
    """What each body is and how it is joined, by the names of the tables."""
    bases: list[dict[str, np.ndarray]] = field(
        default_factory=lambda: [{"rotation": _IDENTITY.ravel(), "position": np.zeros(3)}]
    )
    """Rotation (9) and position (3) of each base; the first is the world."""

    def add_base(self, position: Sequence[float] | np.ndarray, rotation: np.ndarray = _IDENTITY) -> int:
        """Add a base that is held or moved, before all bodies: returns its record."""
        assert not self.bodies
        self.bases.append({"rotation": np.ravel(rotation), "position": np.asarray(position)})
        return len(self.bases) - 1

    def add(
        self,
        parent: int,
        kind: int,
        place: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        frame: np.ndarray = _IDENTITY,
        axis: Sequence[float] | np.ndarray = (0.0, 0.0, 1.0),
        mass: float = 0.0,
        centre: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        inertia: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        element: int = -1,
        cable: int = -1,
    ) -> int:
        """Add a body that hangs from the record `parent` by a joint; returns its own record.

        place, frame   of the joint in the parent's frame (3,) [m], (3, 3)
        axis           of a revolute or prismatic joint
        mass, centre   dry mass [kg] and its centre (3,) [m], in the body's frame
        inertia        about the centre: three moments or the full matrix (3, 3) [kg m²]
        """
        full = np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia)
        if kind == CABLE and element < 0:
            element = sum(other["kind"] == CABLE for other in self.bodies)
        self.joints.append(
            {
                "frame": np.ravel(frame), "place": place, "axis": np.asarray(axis, dtype=float) / np.linalg.norm(axis),
                "low": -np.inf, "high": np.inf, "mass": mass, "centre": centre, "inertia": full[np.triu_indices(3)],
            }
        )  # fmt: skip
        self.bodies.append({"parent": parent, "kind": kind, "element": element, "cable": cable})
        return len(self.bases) + len(self.bodies) - 1

    @property
    def counts(self) -> dict[str, int]:
        """How many bodies, bases, coordinates and speeds there are."""
        kinds, bases = [row["kind"] for row in self.bodies], len(self.bases)
        return {
            "bodies": len(kinds), "bases": bases, "records": bases + len(kinds),
            "coordinates": sum(COORDINATES[kind] for kind in kinds), "speeds": sum(SPEEDS[kind] for kind in kinds),
        }  # fmt: skip

    def fill(self, tables: Tables) -> None:
        """Write bodies, joints and bases, and where the coordinates and speeds of each body begin."""
        body = tables.body
        body.fill(self.bodies)
        for name, sizes in (("coordinate", COORDINATES), ("speed", SPEEDS)):
            size = np.array([sizes[kind] for kind in body.kind], dtype=np.int64)
            setattr(body, name, np.cumsum(size) - size)
        tables.joint.fill(self.joints)
        tables.base.fill(self.bases)
