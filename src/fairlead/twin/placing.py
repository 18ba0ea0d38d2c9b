"""Where a twin begins: its file has the system somewhere, and the ship is where its first fixes say, on its course."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.model import System

NEAR = 5.0
"""Distance up to which a twin goes to where a first fix has it, m; what is further off is put there."""
FAR = 100.0
"""Distance from where its drive is heard again, after a silence, from which on a twin is put there, m."""
BOUND = 60.0
"""Time up to which a twin may be turned to the course of its ship, where noise hides it at first, s."""
ALONG = 0.2
"""Angle between its course and that of the file up to which it is not turned, rad."""
SLOWEST = 0.3
"""Speed below which a course has no direction, m/s."""
EVEN = {"depth", "stiffness", "damping", "friction", "friction_stiffness", "slope"}
"""What a seabed may have that is the same everywhere, if its slope is none."""


@dataclass(frozen=True)
class Placement:
    """A system that is put elsewhere: by a point of it, to a place (x, y) [m], turned about it [rad], at a time [s]."""

    point: str
    x: float
    y: float
    turn: float
    since: float

    def of(self, system: System) -> System:
        """The system there."""
        pivot = _place(system, self.point)
        c, s = np.cos(self.turn), np.sin(self.turn)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        values: dict[str, list[float]] = {}
        for name, point in system.points.items():
            if point.kind == "sliding" or point.position is None:
                continue
            off = np.array([float(x) for x in point.position]) - [*pivot[:2], 0.0]
            values[f"points.{name}.position"] = (turn @ off + [self.x, self.y, 0.0]).tolist()
            if point.velocity is not None and "velocity" in point.model_fields_set:
                values[f"points.{name}.velocity"] = (turn @ np.array(point.velocity, dtype=float)).tolist()
        return system.with_values(values)


def _place(system: System, point: str) -> np.ndarray:
    return np.array([float(x) for x in system.points[point].position or ()])


def is_movable(system: System, driven: set[str]) -> bool:
    """Whether the system is the same anywhere at sea: nothing but driven points holds it in its place."""
    bed = system.environment.seabed
    even = bed is None or (bed.model_fields_set <= EVEN and not any(bed.slope))
    held = {name for name, point in system.points.items() if point.kind not in ("free", "passive", "sliding")}
    moves = any(getattr(point, "motion", None) is not None for point in system.points.values())
    return even and held == driven and not (moves or system.bodies or system.inputs or system.hydro)


def turn_to(system: System, point: str, rate: np.ndarray) -> float:
    """By how much the system is to be turned to go along with a point [rad]; 0 where it need not or cannot be."""
    own = np.array(getattr(system.points[point], "velocity", None) or (0.0, 0.0, 0.0))[:2]
    if system.loads or np.linalg.norm(own) < SLOWEST or np.linalg.norm(rate[:2]) < SLOWEST:
        return 0.0
    across, along = own[0] * rate[1] - own[1] * rate[0], own @ rate[:2]
    angle = float(np.arctan2(across, along))
    return angle if abs(angle) > ALONG else 0.0
