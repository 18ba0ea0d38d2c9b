"""A plane that a cable can rest on: the seabed, or the surface of the sea for a cable that floats."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Plane:
    """z = level + slope . (x, y).

    level: height at x = y = 0 [m]; slope: dz/dx and dz/dy [-]. For a cable on the seabed this is where its axis rests,
    one contact radius above the bed (`above`).
    """

    level: float
    slope: tuple[float, float] = (0.0, 0.0)

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
