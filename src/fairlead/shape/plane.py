"""A plane that a cable can rest on: the seabed, or the surface of the sea for a cable that floats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.model.environment import Seabed

Floats = NDArray[np.float64]
SAMPLES = 33
"""Places along a cable at which a surveyed bed is looked at."""
ON_BED = 0.02
"""Part of the depth within which an end of a cable lies on a surveyed bed."""
SLIGHT = 1e-3
"""How much slopes count beside heights, which are m, where a plane is laid along a surveyed bed."""


@dataclass(frozen=True)
class Plane:
    """z = level + slope . (x, y).

    level: height at x = y = 0 [m]; slope: dz/dx and dz/dy [-]. For a cable on the seabed this is where its axis rests,
    one contact radius above the bed (`above`).
    """

    level: float
    slope: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def under(cls, bed: Seabed | None, places: Floats) -> "Plane | None":
        """The bed under places (n, 3): itself where it is a plane; a surveyed one by the plane that is as near to it
        as can be all along the way between them and goes through those places that lie on it."""
        if bed is None:
            return None
        if bed.bathymetry is None:
            return cls(-bed.depth, (bed.slope[0], bed.slope[1]))
        middle, size = places[:, :2].mean(axis=0), max(float(np.ptp(places[:, :2], axis=0).max()), 1.0)
        way = np.linspace(places[0, :2], places[-1, :2], SAMPLES) if len(places) == 2 else places[:, :2]
        held = places[np.abs(places[:, 2] - bed.level(places[:, 0], places[:, 1])) < ON_BED * bed.depth, :2]
        where = np.vstack([way, middle, held])
        height, *slopes = bed.at(where[:, 0], where[:, 1])
        weight = np.concatenate([np.ones(len(way) + 1), np.full(len(held), 1e3)])
        table = weight[:, None] * np.column_stack([np.ones(len(where)), (where - middle) / size])
        # across a straight way its heights say nothing: what its slopes say there then decides
        rows = [table, *(np.tile(SLIGHT * np.eye(3)[k], (len(where), 1)) for k in (1, 2))]
        wanted = np.concatenate([weight * height, *(SLIGHT * size * rise for rise in slopes)])
        level, by_x, by_y = np.linalg.lstsq(np.vstack(rows), wanted, rcond=None)[0]
        slope = (float(by_x / size), float(by_y / size))
        return cls(float(level) - slope[0] * float(middle[0]) - slope[1] * float(middle[1]), slope)

    def above(self, distance: float) -> "Plane":
        """The parallel plane at `distance` [m] along the normal."""
        return Plane(self.level + distance * (1.0 + self.slope[0] ** 2 + self.slope[1] ** 2) ** 0.5, self.slope)

    def height(self, points: Floats) -> Floats:
        """Vertical distance (...) [m] of `points` (..., 3) from the plane, positive above it."""
        points = np.asarray(points)
        return points[..., 2] - self.level - self.slope[0] * points[..., 0] - self.slope[1] * points[..., 1]

    @property
    def normal(self) -> Floats:
        """Unit normal (3,) that points up."""
        normal = np.array([-self.slope[0], -self.slope[1], 1.0])
        return np.asarray(normal / np.linalg.norm(normal))

    def slope_along(self, direction: Floats) -> float:
        """Rise per metre of the plane towards the horizontal unit vector `direction` (3,)."""
        return float(self.slope[0] * direction[0] + self.slope[1] * direction[1])

    def along(self, direction: Floats) -> Floats:
        """Unit vector (3,) in the plane, below or above the horizontal `direction` (3,)."""
        vector = np.array([direction[0], direction[1], self.slope_along(direction)])
        return np.asarray(vector / np.linalg.norm(vector))
