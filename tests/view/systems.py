"""Made-up results with what makes pictures hard: very long, very many, very short, gone wrong, badly named."""

from __future__ import annotations

import numpy as np
import xarray as xr

from fairlead.results import ObservationShape, build_dataset
from fairlead.results import observation as obs


def straight_cables(
    ends: list[tuple[tuple[float, float, float], tuple[float, float, float]]],
    *,
    names: list[str] | None = None,
    points: list[str] | None = None,
    samples: int = 3,
    title: str = "Straight cables",
    settings: dict[str, object] | None = None,
) -> xr.Dataset:
    """Cables of four nodes from one place to another, at 1000 N and more the later they are named."""
    count = len(ends)
    shape = ObservationShape(
        cables=tuple(names or [f"cable_{i}" for i in range(count)]),
        nodes_per_cable=(4,) * count,
        points=tuple(points or [f"point_{i}" for i in range(count)]),
        arc_length=((0.0, 10.0, 20.0, 30.0),) * count,
    )
    rows = np.zeros((samples, shape.size))
    rows[:, shape.extremes.start :] = np.nan
    for i, (start, end) in enumerate(ends):
        table = shape.node_table(rows, i)
        table[..., 0:3] = np.linspace(start, end, 4)
        table[..., obs.NODE_TENSION] = 1000.0 + 10.0 * i
        rows[:, shape.point(i)] = [*end, 0.0, 0.0, 0.0]
    return build_dataset(shape, np.arange(samples) * 10.0, rows, {"title": title, "settings": settings or {}})
