"""What a body looks like: the solid that its settings describe, or lines from its origin to its attachments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROUND = 24
"""Sides of what is round."""


def solid_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The solid of a body or a buoy from what the file says of it.

    kind    sphere, cylinder or box; none where the file gives no size
    size    how far it reaches along its own axes x, y, z (m)
    offset  its middle in the frame of the body (m)
    spokes  places of the attachments in that frame (m), to which lines run from the origin
    """
    kind, size = _shape(facts)
    places = facts.get("attachments")
    spokes = [_vector(place) for place in places.values()] if isinstance(places, Mapping) else []
    offset = _vector(facts.get("centre_of_buoyancy"))
    if not facts.get("shape") and (frame := _frame(spokes, float(facts.get("height") or 0.0))) is not None:
        kind, (size, offset) = "box", frame
    return {"kind": kind, "size": size, "offset": offset, "spokes": spokes}


def _frame(places: list[list[float]], height: float) -> tuple[list[float], list[float]] | None:
    """Size and middle of the box that three attachments or more span, at least a tenth of its largest side thick.

    Where attachments lie in a level plane and the body has a height, the box hangs below them. None of fewer, or of
    those in a line.
    """
    if len(places) < 3:
        return None
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    size, middle = high - low, 0.5 * (low + high)
    if np.count_nonzero(size > 0.05 * size.max()) < 2:
        return None
    if size[2] < 0.1 * size.max() and height > 0.0:
        middle[2] -= 0.5 * (height - size[2])
        size[2] = height
    size = np.maximum(size, 0.1 * size.max())
    return [float(value) for value in size], [float(value) for value in middle]


def _shape(facts: Mapping[str, Any]) -> tuple[str, list[float]]:
    """A shape as given; of a volume with a height the upright box that floats like it, else the sphere of a volume."""
    shape = facts.get("shape")
    for kind, given in (shape if isinstance(shape, Mapping) else {}).items():
        if isinstance(given, Mapping):
            wide = float(given.get("diameter") or 0.0)
            tall = float(given.get("height") or wide)
            return str(kind), [float(given.get("length") or wide), float(given.get("width") or wide), tall]
    volume, height = (float(facts.get(key) or 0.0) for key in ("volume", "height"))
    diameter = (6.0 * volume / np.pi) ** (1.0 / 3.0)
    if volume > 0.0 and height > 0.0 and abs(height - diameter) > 1e-3 * diameter:
        side = float(np.sqrt(volume / height))
        return "box", [side, side, height]
    return ("sphere", [float(diameter)] * 3) if volume > 0.0 else ("none", [0.0, 0.0, 0.0])


def _vector(place: Any) -> list[float]:
    return [float(value) for value in place] if isinstance(place, list | tuple) and len(place) == 3 else [0.0] * 3


def outline(solid: Mapping[str, Any]) -> list[NDArray[np.float64]]:
    """Lines (point, 3) that draw a solid in the frame of its body, m: its edges and rings, and its spokes."""
    size, middle = np.array(solid["size"]), np.array(solid["offset"])
    lines = [0.5 * size * line + middle for line in _unit_lines(solid["kind"])]
    return lines + [np.array([[0.0, 0.0, 0.0], spoke]) for spoke in solid["spokes"] if np.any(spoke)]


def _unit_lines(kind: str) -> list[NDArray[np.float64]]:
    """Lines of the solid that reaches from -1 to 1 along each axis."""
    turn = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)])
    if kind == "sphere":
        return [ring, ring[:, [0, 2, 1]], ring[:, [2, 0, 1]]]
    if kind == "cylinder":
        sides = [np.array([[x, y, -1.0], [x, y, 1.0]]) for x, y, _ in ring[:-1:6]]
        up = np.array([0.0, 0.0, 1.0])
        return [ring - up, ring + up, *sides]
    if kind == "box":
        square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]])
        ends = [np.column_stack([square, np.full(5, z)]) for z in (-1.0, 1.0)]
        return ends + [np.array([[x, y, -1.0], [x, y, 1.0]]) for x, y in square[:-1]]
    return []


def turned(lines: list[NDArray[np.float64]], angles: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Lines of a body turned by roll, pitch and yaw (3,), rad: Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    matrix = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    return [line @ matrix.T for line in lines]
