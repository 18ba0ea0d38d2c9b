"""What the observations of several formulations hold: nodes along cables, and columns beside the common ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.algebra.records import Rows
from fairlead.model import System
from fairlead.results.observation import Extra, Field, ObservationShape

Arcs = tuple[tuple[float, ...], ...]
"""Unstretched distance of the nodes of each cable from its start [m]."""


def observation_shape(
    system: System, arcs: Arcs, extras: tuple[Extra, ...] = (), fields: tuple[Field, ...] = ()
) -> ObservationShape:
    """What an observation of the system holds, with nodes at `arcs`."""
    return ObservationShape(
        cables=tuple(system.cables),
        nodes_per_cable=tuple(len(row) for row in arcs),
        points=(*system.points, *system.bodies),
        arc_length=arcs,
        extras=extras,
        fields=fields,
    )


def arcs_of(lengths: Sequence[Sequence[float] | np.ndarray]) -> Arcs:
    """From the lengths of the elements of each cable."""
    return tuple(tuple(np.concatenate(([0.0], np.cumsum(row))).tolist()) for row in lengths)


def file_arcs(system: System) -> Arcs:
    """Nodes as the file divides the cables."""
    return arcs_of([[s.length for s in cable.segments(system)] for cable in system.cables.values()])


def allotted_arcs(cable: Rows, length: np.ndarray) -> Arcs:
    """Nodes of elements (of lengths `length`) that are allotted to cables; on a winch, as if all were paid out."""
    rows = zip(cable.allotted_first, cable.allotted_count, cable.reversed, strict=True)
    return arcs_of([length[first : first + count][:: -1 if back else 1] for first, count, back in rows])


def winch_extras(system: System) -> tuple[Extra, ...]:
    """Length and rate of every winch."""
    found = []
    for name, cable in system.cables.items():
        if cable.winch is not None:
            found.append(Extra(f"{name}.winch.length", "m", f"unstretched length of '{name}' off its winch"))
            found.append(Extra(f"{name}.winch.rate", "m s-1", f"rate at which '{name}' is paid out"))
    return tuple(found)


def angle_extras(system: System) -> tuple[Extra, ...]:
    """Roll, pitch and yaw of every body."""
    angles = ("roll", "pitch", "yaw")
    return tuple(Extra(f"{name}.{angle}", "rad", f"{angle} of '{name}'") for name in system.bodies for angle in angles)
