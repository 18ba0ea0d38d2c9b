"""Made-up results with all that a replay must show: travel, winches, bodies that turn, waves, floats, contact."""

from __future__ import annotations

import json

import numpy as np
import xarray as xr

from fairlead.results import Extra, ObservationShape, build_dataset
from fairlead.results import observation as obs

SPEED = 2.5  # m/s at which the spread is towed


def towed_spread(cables: int = 6, nodes: int = 41, samples: int = 301, step: float = 1.0) -> xr.Dataset:
    """Streamers behind a vessel that sails north; they sway with waves that run along them."""
    names = tuple(f"streamer {i + 1}" for i in range(cables))
    arc = tuple(np.linspace(0.0, 400.0, nodes))
    shape = ObservationShape(
        names, (nodes,) * cables, ("vessel", *(f"head {i + 1}" for i in range(cables))), (arc,) * cables
    )
    times = np.arange(samples) * step
    rows = np.zeros((samples, shape.size))
    rows[:, shape.extremes.start :] = np.nan
    t, s = times[:, np.newaxis], np.array(arc)
    for i in range(cables):
        sway = 0.02 * s * np.sin(0.1 * t - s / 60.0 + i)
        table = shape.node_table(rows, i)
        table[..., 0] = SPEED * t - 100.0 - s
        table[..., 1] = 60.0 * (i - 0.5 * (cables - 1)) + sway
        table[..., 2] = -8.0 - 2.0 * (1.0 - np.exp(-s / 50.0)) + 0.3 * np.sin(0.6 * t - s / 20.0)
        table[..., obs.NODE_VELOCITY] = SPEED
        table[..., obs.NODE_TENSION] = 12e3 * (1.0 - s / 500.0) * (1.0 + 0.1 * np.sin(0.1 * t + i))
        rows[:, shape.point(i + 1)] = np.concatenate([table[:, 0, :3], table[:, 0, 3:6]], axis=1)
    rows[:, shape.point(0)] = np.stack(
        [SPEED * times, *np.zeros((2, samples)), np.full(samples, SPEED), *np.zeros((2, samples))], 1
    )
    settings = {"points": {"vessel": {"kind": "controlled"}}, "environment": {"seabed": {"depth": 3000.0}}}
    return build_dataset(
        shape, times, rows, {"title": "A spread under tow", "settings": settings, "status": "complete"}
    )


def lowered_load(samples: int = 121, waves: bool = True, title: str = "A load lowered to the seabed") -> xr.Dataset:
    """A load on a wire that a winch pays out at 1 m/s from 10 to 100 m, until it stands on the bed; the load turns."""
    nodes, depth = 21, 100.0
    full = 5.0 * np.arange(nodes)
    shape = ObservationShape(
        cables=("wire",),
        nodes_per_cable=(nodes,),
        points=("crane", "load"),
        arc_length=(tuple(full),),
        extras=(
            Extra("wire.winch.length", "m", "length of wire paid out"),
            *(Extra(f"load.{name}", "rad", f"{name} of the load") for name in ("roll", "pitch", "yaw")),
        ),
    )
    times = np.linspace(0.0, 120.0, samples)
    rows = np.zeros((samples, shape.size))
    rows[:, shape.extremes.start :] = np.nan
    for row, t in zip(rows, times, strict=True):
        out = min(10.0 + t, depth)
        table = shape.node_table(row, 0)
        hanging = out - (full[-1] - full)  # the last node is the load, the first ones are on the drum
        drum = hanging < 0.0
        table[:, 2] = -hanging
        table[:, 0] = 2.0 * np.sin(0.2 * t) * hanging / depth
        table[:, obs.NODE_VELOCITY + 2] = -1.0 if t <= 90.0 else 0.0
        table[:, obs.NODE_TENSION] = 5e4 + 40.0 * (out - hanging) + 8e3 * np.sin(0.8 * t) if t <= 90.0 else 3e3
        table[:, obs.NODE_CONTACT_FORCE + 2] = np.where((t > 90.0) & (full >= full[-1]), 4.7e4, 0.0)
        table[drum] = np.nan
        row[shape.point("load")] = [*table[-1, :6]]
        row[shape.column("wire.winch.length")] = out
        row[shape.column("load.yaw")] = 0.01 * t
        row[shape.column("load.roll")] = 0.1 * np.sin(0.8 * t)
    settings = {
        "environment": {"seabed": {"depth": depth}},
        "points": {"crane": {"kind": "fixed"}},
        "bodies": {
            "load": {"kind": "free", "volume": 8.0, "attachments": {"top": [0.0, 0.0, 1.5], "corner": [3.0, 2.0, 0.0]}}
        },
        "cables": {
            "wire": {
                "end": {"point": "load.top"},
                "winch": {"end": "start", "rate": 1.0},
                "attachments": [{"at": 60.0, "mass": 200.0}],
            }
        },
    }
    sea = [[1.5, 0.05, 0.0, 0.7, 0.0], [0.8, 0.08, 0.03, 0.9, 1.0]] if waves else []
    metadata = {"title": title, "settings": settings, "status": "complete", "wave_components": json.dumps(sea)}
    return build_dataset(shape, times, rows, metadata)
