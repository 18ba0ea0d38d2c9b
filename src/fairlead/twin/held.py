"""How well places are known at best: as well as the points that hold the system in its place."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairlead.model import System
from fairlead.results import NODE_COLUMNS, ObservationShape

HOLDS = frozenset({"fixed", "anchor", "controlled"})
"""Kinds of points that hold a system in its place."""


def held_row(row: np.ndarray, shape: ObservationShape, system: System, told: Mapping[str, float]) -> np.ndarray:
    """Standard deviation of places that what drives the system leaves to every number of a row: to each node and point
    that of the holding point that is nearest.

    told  standard deviations of driven points, m along each axis
    """
    found = np.zeros_like(row)
    driven = [name for name in told if name in shape.points]
    if not any(told[name] for name in driven):
        return found
    others = {name for name, point in system.points.items() if point.kind in HOLDS and name not in told}
    holds = driven + [name for name in shape.points if name in others]
    starts = np.array([shape.point(name).start for name in shape.points])
    places, axes = row[starts[:, None] + np.arange(3)], np.arange(3)
    at = places[[shape.points.index(name) for name in holds]]
    spreads = np.array([told.get(name, 0.0) for name in holds])
    nodes = NODE_COLUMNS * np.arange(shape.node_count)
    for first, where in ((nodes, row[nodes[:, None] + axes]), (starts, places)):
        nearest = np.argmin(np.linalg.norm(np.nan_to_num(where)[:, None] - at, axis=2), axis=1)
        found[first[:, None] + axes] = spreads[nearest][:, None]
    return found
