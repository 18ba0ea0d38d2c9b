"""From latitude and longitude to the axes of the system, and from an antenna to the point that is driven."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SEMI_MAJOR = 6378137.0
"""Of the ellipsoid WGS 84, m."""
FLATTENING = 1.0 / 298.257223563


def geocentric(latitude: float, longitude: float) -> np.ndarray:
    """A place on the ellipsoid (degrees) in axes fixed to the earth (3,), m."""
    phi, lam = math.radians(latitude), math.radians(longitude)
    e2 = FLATTENING * (2.0 - FLATTENING)
    n = SEMI_MAJOR / math.sqrt(1.0 - e2 * math.sin(phi) ** 2)
    return np.array([
        n * math.cos(phi) * math.cos(lam), n * math.cos(phi) * math.sin(lam), n * (1.0 - e2) * math.sin(phi)
    ])  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """The system's axes at an origin on the earth: x at `heading` (degrees from north, clockwise), y to its left."""

    latitude: float
    longitude: float
    heading: float = 0.0

    def local(self, latitude: float, longitude: float, height: float = 0.0) -> np.ndarray:
        """A place as (x, y, z), m.

        x and y are exact (topocentric); z is the height above the sea as it is told, since the sea is round, too.
        """
        phi, lam = math.radians(self.latitude), math.radians(self.longitude)
        d = geocentric(latitude, longitude) - geocentric(self.latitude, self.longitude)
        east = -math.sin(lam) * d[0] + math.cos(lam) * d[1]
        north = -math.sin(phi) * (math.cos(lam) * d[0] + math.sin(lam) * d[1]) + math.cos(phi) * d[2]
        c, s = math.cos(math.radians(self.heading)), math.sin(math.radians(self.heading))
        return np.array([c * north + s * east, s * north - c * east, height])

    def lever(self, arm: Sequence[float], heading: float, roll: float = 0.0, pitch: float = 0.0) -> np.ndarray:
        """An arm in the ship's axes (forward, to port, up; m) in those of the system, (3,).

        heading from north, clockwise; roll with starboard down and pitch with the bow up positive; degrees
        """
        yaw = math.radians(self.heading - heading)
        turn = _about(2, yaw) @ _about(1, -math.radians(pitch)) @ _about(0, math.radians(roll))
        return np.asarray(turn @ np.array(arm))


def _about(axis: int, angle: float) -> np.ndarray:
    """Matrix of a turn about an axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[j, i] = math.sin(angle)
    turn[i, j] = -turn[j, i]
    return turn
