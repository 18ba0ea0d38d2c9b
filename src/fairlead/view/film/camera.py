"""Looking at places in space from a direction: an orthographic camera for pictures on paper and film."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VIEWS = ("space", "side", "top")
TRAVELS = 1.6  # a system that goes farther than this times its own width is followed


@dataclass(frozen=True)
class Camera:
    """``right`` and ``up`` (3,) are the unit vectors of the picture; ``stretch`` multiplies heights."""

    right: NDArray[np.float64]
    up: NDArray[np.float64]
    stretch: float = 1.0

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., 3) in m to (..., 2) in the plane of the picture, m."""
        scaled = places * np.array([1.0, 1.0, self.stretch])
        return np.stack([scaled @ self.right, scaled @ self.up], axis=-1)


def camera(view: str, extent: NDArray[np.float64], stretch: float = 1.0) -> Camera:
    """The camera of a named view of a system of this ``extent`` (3,), m; the longer horizontal axis runs across.

    Along x: x to the right; along y: y to the LEFT, so that what is north lies behind or above.
    """
    along_x = bool(extent[0] >= extent[1])
    across, away = (np.eye(3)[0], np.eye(3)[1]) if along_x else (-np.eye(3)[1], np.eye(3)[0])
    if view == "side":
        return Camera(across, np.array([0.0, 0.0, 1.0]), stretch)
    if view == "top":
        return Camera(across, away, stretch)
    turn, tilt = np.radians(26.0), np.radians(21.0)
    right = np.cos(turn) * across - np.sin(turn) * away
    behind = np.sin(turn) * across + np.cos(turn) * away
    return Camera(right, np.sin(tilt) * behind + np.cos(tilt) * np.array([0.0, 0.0, 1.0]), stretch)


@dataclass(frozen=True)
class Window:
    """The box (2, 3) that the picture shows, m; where the system ``travels`` it goes along with its middle."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    travels: bool

    def at(self, middle: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The box when the middle of the system is at ``middle`` (3,), m."""
        if not self.travels:
            return self.low, self.high
        shift = (middle - 0.5 * (self.low + self.high)) * np.array([1.0, 1.0, 0.0])
        return self.low + shift, self.high + shift


def window(places: NDArray[np.float64], bed: float | None, water: bool = True) -> Window:
    """The box around places (time, place, 3); the surface and a bed at height ``bed`` belong to it when near."""
    known = np.where(np.isfinite(places), places, np.nan)
    seen = known[np.isfinite(known).any(axis=(1, 2))]
    if not len(seen):
        return Window(np.full(3, -1.0), np.full(3, 1.0), False)
    low, high = np.nanmin(seen, axis=1), np.nanmax(seen, axis=1)
    widest = (high - low).max(axis=0)
    whole_low, whole_high = low.min(axis=0), high.max(axis=0)
    travels = bool((whole_high - whole_low)[:2].max() > TRAVELS * max(widest.max(), 1e-3))
    if travels:
        middle = 0.5 * (low[0] + high[0])
        whole_low[:2], whole_high[:2] = (middle - 0.55 * widest)[:2], (middle + 0.55 * widest)[:2]
    size = max(float((whole_high - whole_low).max()), 1e-3)
    if water and -0.6 * size < whole_high[2] < 0.0:
        whole_high[2] = 0.0
    if bed is not None and whole_low[2] - bed < 0.6 * size:
        whole_low[2] = min(whole_low[2], bed)
    thin = np.maximum(0.0, 0.25 * size - (whole_high - whole_low)) / 2 * np.array([1.0, 1.0, 0.0])
    return Window(whole_low - thin, whole_high + thin, travels)
