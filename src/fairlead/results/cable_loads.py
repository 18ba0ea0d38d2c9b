"""What all cables together do to a body: their resultant force, and its moment about the origin of the body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .dataset import settings_of
from .errors import ResultError

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]


def cable_loads(dataset: xr.Dataset, body: str) -> tuple[Floats, Floats]:
    """Force (time, 3) [N] of all cables on a body or point, and moment (time, 3) [N m] about its origin, global axes.

    Ends pull where they are; the moment that a clamped end carries by its bending stiffness is not among it.
    """
    points = [str(name) for name in dataset["point"].values] if "point" in dataset else []
    if body not in points:
        raise ResultError(f"there is no body or point '{body}' in this result; it has {', '.join(points) or 'none'}")
    origin = dataset["point_position"].values[:, points.index(body)]
    force, moment = np.zeros_like(origin), np.zeros_like(origin)
    described: Any = settings_of(dataset).get("cables", {})
    for i, name in enumerate(map(str, dataset["cable"].values)):
        cable = described.get(name, {})
        last = int(dataset["node_count"].values[i]) - 1
        for side, (key, node) in enumerate((("start", 0), ("end", last))):
            end = cable.get(key)
            place = end.get("point") if isinstance(end, dict) else end
            if not isinstance(place, str) or place.partition(".")[0] != body:
                continue
            pull = dataset["force_end"].values[:, i, side]
            force += pull
            moment += np.cross(dataset["position"].values[:, i, node] - origin, pull)
    return force, moment
