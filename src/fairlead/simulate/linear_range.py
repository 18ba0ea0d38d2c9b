"""Whether floaters by coefficients stayed within what linear theory knows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from fairlead.model import FloatingBody, System
from fairlead.results.observation import ObservationShape

TILTED, TURNED = 20.0, 15.0
"""Degrees of roll or pitch, and of yaw away from the axes of the coefficients."""


def beyond_linear(
    system: System, shape: ObservationShape, rows: Iterable[np.ndarray], axes: Mapping[str, float]
) -> Iterator[str]:
    """Notes on floaters that tilted or turned further than small motions about rest; `rows` (sample, shape.size).

    axes: by how much the axes of coefficients are turned from the headings of the file [rad].
    """
    floaters = {name: body for name, body in system.bodies.items() if isinstance(body, FloatingBody)}
    if not floaters:
        return
    columns = [shape.column(f"{name}.{motion}") for name in floaters for motion in ("roll", "pitch", "yaw")]
    parts = [np.degrees(row[:, columns]).reshape(len(row), -1, 3) for row in rows]
    angles = np.concatenate(parts)
    for (name, body), angle in zip(floaters.items(), np.moveaxis(angles, 1, 0), strict=True):
        tilt = float(np.abs(angle[:, :2]).max())
        if tilt > TILTED:
            yield (
                f"bodies.{name}: rolled or pitched by {tilt:.0f} deg, where coefficients of small motions say little; "
                "use 'hydro' for such a sea"
            )
        away = np.radians(angle[:, 2] - body.orientation_deg[2]) - axes.get(name, 0.0)
        turn = math.degrees(float(np.abs(np.arctan2(np.sin(away), np.cos(away))).max()))
        if turn > TURNED and not body.follow_yaw:
            yield (
                f"bodies.{name}.follow_yaw: turned by {turn:.0f} deg from the axes of its coefficients, which stood "
                "still; set 'follow_yaw: true'"
            )
