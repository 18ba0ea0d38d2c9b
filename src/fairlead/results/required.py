"""What a Dataset must hold to be a result: the variables of the catalogue along their dimensions, numbers in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .variables import CABLE_PEAKS, END_PEAKS, NODE_FIELDS, NODE_PEAKS, POINT_PEAKS, TOTAL_ATTRS

if TYPE_CHECKING:
    import xarray as xr

NODES = ("time", "cable", "node")
DIMS: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("time", "cable", "node", "axis", "end", "point")},
    "arc_length": ("cable", "node"),
    "node_count": ("cable",),
    **{field.name: (*NODES, "axis") if field.width == 3 else NODES for field in NODE_FIELDS},
    "force_end": ("time", "cable", "end", "axis"),
    **dict.fromkeys(("point_position", "point_velocity"), ("time", "point", "axis")),
    **{peak.name: NODES for peak in NODE_PEAKS},
    **{peak.name: ("time", "cable") for peak in CABLE_PEAKS},
    **{peak.name: ("time", "cable", "end") for peak in END_PEAKS},
    **{peak.name: ("time", "point") for peak in POINT_PEAKS},
    "grounded_length": ("time", "cable"),
    "uplift_angle": ("time", "cable", "end"),
    **dict.fromkeys(TOTAL_ATTRS, ("time",)),
}
"""The dimensions of every variable that has a name of the catalogue."""
OF_CABLES = ("cable", "position", "velocity", "tension_effective", "contact_force", "force_end", "arc_length",
             "node_count")  # fmt: skip
OF_POINTS = ("point_position",)
SIZES = {"axis": 3, "end": 2}
TOGETHER = (
    ("tension_effective_min", "tension_effective_max", "tension_min_time", "tension_min_node", "tension_max_time",
     "tension_max_node"),
    ("curvature_max", "curvature_max_time", "curvature_max_node"),
    ("clearance_min", "clearance_min_time", "clearance_min_node"),
    ("force_end_min", "force_end_max", "force_end_max_time"),
    ("acceleration_max", "acceleration_max_time", "point_clearance_min", "point_clearance_min_time"),
)  # fmt: skip
"""Variables of which a result has all or none: an extreme without its time or place would be told of the samples."""


def fault_of(dataset: xr.Dataset) -> str | None:
    """Why no picture or number can be made of a Dataset, as half a sentence; None for a result.

    Looks at names, dimensions and times, and reads no other numbers than those of nodes and lengths.
    """
    return _missing(dataset) or _misshapen(dataset) or _no_time(dataset) or _no_nodes(dataset) or parted(dataset)


def parted(dataset: xr.Dataset) -> str | None:
    """An extreme that stands without what belongs to it."""
    for names in TOGETHER:
        missing = [name for name in names if name not in dataset]
        if missing and len(missing) < len(names):
            there = next(name for name in names if name in dataset)
            return f"it has '{there}' and no '{missing[0]}', which belongs to it"
    return None


def _missing(dataset: xr.Dataset) -> str | None:
    # Without cables there are points, and totals that are always there.
    without_cables = "cable" not in dataset.dims and "tension_max" in dataset and "point_position" in dataset
    needed = (*(() if without_cables else OF_CABLES), *(OF_POINTS if "point" in dataset.dims else ()))
    for name in needed:
        if name not in dataset.variables:
            return f"it has no {name}({', '.join(DIMS[name])})"
    return None


def _misshapen(dataset: xr.Dataset) -> str | None:
    for name, size in SIZES.items():
        if dataset.sizes.get(name, size) != size:
            return f"its dimension {name} has the size {dataset.sizes[name]}, not {size}"
    for label, variable in dataset.variables.items():
        name = str(label)
        dims = DIMS.get(name)
        if dims is not None and variable.dims != dims:
            return f"its {name} has no dimensions ({', '.join(dims)})"
        if dims is None and "." in name and variable.dims[:1] != ("time",):
            return f"its {name} has no dimension time"
        if "time" in variable.dims and variable.dtype.kind != "f":
            return f"{name} holds no numbers over time"
    return None


def _no_time(dataset: xr.Dataset) -> str | None:
    times = dataset["time"].values if "time" in dataset.coords else np.empty(0)
    grows = len(times) > 0 and np.isfinite(times).all() and (np.diff(times) > 0.0).all()
    return None if grows else "it has no samples over time that grows"


def _no_nodes(dataset: xr.Dataset) -> str | None:
    if "cable" not in dataset.dims:
        return None
    counts, arcs = dataset["node_count"].values, dataset["arc_length"].values
    if not len(counts):
        return "it has no cables"
    if counts.dtype.kind not in "iu" or not ((counts >= 2) & (counts <= dataset.sizes["node"])).all():
        return "its node_count does not fit its nodes"
    along = [arc[:count] for arc, count in zip(arcs, counts, strict=True)]
    if arcs.dtype.kind != "f" or not all(np.isfinite(arc).all() and (np.diff(arc) >= 0.0).all() for arc in along):
        return "its arc_length does not grow along its cables"
    return None
