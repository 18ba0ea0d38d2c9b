"""What a viewer is told once, when it comes: the system as the replay draws it, and what the frames' numbers mean."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ObservationShape, build_dataset
from fairlead.results.observation import NODE_COLUMNS
from fairlead.twin import Twin
from fairlead.view.replay.scene import origin_of, scene

from .asking import RATE
from .frames import SCHEMA
from .recorded import Recorded

LARGEST = 4 << 20
"""Bytes of a header."""


def header(
    shape: ObservationShape,
    metadata: Mapping[str, object],
    row: NDArray[np.float64],
    time: float,
    *,
    trends: Sequence[Mapping[str, Any]] = (),
    limits: Sequence[str] = (),
    winches: Sequence[str] = (),
    travels: bool = False,
) -> tuple[dict[str, Any], tuple[float, float]]:
    """The header, and the origin (x, y), m, that frames leave out.

    row      one observation, (shape.size,), at ``time``, s
    trends   name, label, unit and limits of what is shown over time
    winches  cables whose winch a what-if may run
    travels  whether the picture goes along with the system
    """
    dataset = build_dataset(shape, np.array([time]), row[np.newaxis], metadata)
    origin = origin_of(dataset)
    record = scene(dataset, "live", LARGEST, origin)
    record["fields"] = [field for field in record["fields"] if field["key"] == "tension"]
    record["others"] = []
    record["bodies"] = [body | {"angles": None} for body in record["bodies"]]
    for cable in record["cables"]:
        cable["winch_length"] = cable["peak"] = None
    found = {
        "schema": SCHEMA,
        "scene": record,
        "nodes": shape.node_count,
        "units": {"position": "m", "tension": "N", "time": "s"},
        "origin": list(origin),
        "points": _anchors(shape, row),
        "trends": [dict(trend) for trend in trends],
        "limits": list(limits),
        "winches": list(winches),
        "travels": travels,
    }
    same = json.dumps([record["title"], [(c["name"], c["arc"]) for c in record["cables"]], found["trends"]])
    return found | {"identity": hashlib.sha256(same.encode()).hexdigest()[:16]}, origin


def of_twin(twin: Twin, recorded: Recorded) -> tuple[dict[str, Any], tuple[float, float]]:
    """The header of a twin, and the origin that its frames leave out."""
    now = twin.estimate
    winches = [name.removesuffix(RATE) for name in twin.fleet.compiled.inputs if name.endswith(RATE)]
    travels = any(name.endswith(".position") for name in twin.file.drive)
    return header(
        twin.shape, recorded.metadata, now.mean.row, now.time, trends=recorded.trends,
        limits=[alarm.name for alarm in now.alarms], winches=winches, travels=travels,
    )  # fmt: skip


def _anchors(shape: ObservationShape, row: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Of every point the end of a cable that it goes with, and how far off it stands: frames hold nodes only."""
    nodes = row[shape.node_block].reshape(-1, NODE_COLUMNS)[:, :3]
    ends = [i for first, last in zip(shape.first_node, shape.first_node[1:], strict=False) for i in (first, last - 1)]
    ends = [i for i in ends if np.isfinite(nodes[i]).all()]
    out = []
    for name in shape.points:
        place = row[shape.point(name)][:3]
        if not ends or not np.isfinite(place).all():
            out.append({"node": -1, "off": [0.0, 0.0, 0.0]})
            continue
        node = min(ends, key=lambda i: float(np.linalg.norm(nodes[i] - place)))
        out.append({"node": int(node), "off": [round(float(d), 4) for d in place - nodes[node]]})
    return out
