"""How a run begins: in static equilibrium where that is asked for or found, else from the first shape, with a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.results.observation import POINT_POSITION

if TYPE_CHECKING:
    from fairlead.formulations.contract import Compiled
    from fairlead.model import System
    from fairlead.statics.report import Report

FAR = 0.05
"""Way from a given position to that at rest, over the longest cable there, beyond which it is told."""
MOST_TOLD = 3


def begin(compiled: Compiled, y: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, Report | None, list[str]]:
    """The state a run starts from, how its equilibrium was found (None without one), and what a user should know.

    `start: statics` asks for an equilibrium and raises where there is none; `auto` falls back on the first shape y.
    """
    from fairlead.statics import StaticsError, settle

    asked = compiled.system.simulation.start == "statics"
    try:
        settled, report = settle(compiled, y, u, quick=not asked)
    except UnsupportedSystem as error:
        if asked:
            raise
        return y, None, [_fallen_back(str(error))]
    except StaticsError as error:
        if asked:
            raise
        return y, None, [_fallen_back(f"{error.failure.place}: {error.failure.what}")]
    compiled.align(settled)
    return settled, report, [*report.notes, *_moved(compiled, u, y, settled, asked)]


def _fallen_back(why: str) -> str:
    return (
        "simulation.start: the run begins from the first shape, each cable hanging by itself, not from equilibrium: "
        f"{why}; what is not at rest there moves at first and may pull hard: leave that time out of extremes, or say "
        "start: catenary to have it so"
    )


def _moved(compiled: Compiled, u: np.ndarray, first: np.ndarray, settled: np.ndarray, asked: bool) -> list[str]:
    """Free points and bodies that rest far from where the file puts them."""
    system, shape = compiled.system, compiled.shape
    given = [name for name in shape.points if _has_place(system, name)]
    if asked or not given:
        return []
    rows = []
    for y in (first, settled):
        row = shape.empty_row()
        compiled.observe(0.0, y, u, system.simulation.step, row)
        rows.append(row)
    told = []
    for name in given:
        start = shape.point(name).start + POINT_POSITION
        before, after = (row[start : start + 3] for row in rows)
        way = float(np.linalg.norm(after - before))
        if way > FAR * _reach(system, name):
            x, y, z = np.round(after, 3) + 0.0  # no -0
            told.append(f"'{name}' at ({x:.9g}, {y:.9g}, {z:.9g}) m, {way:.3g} m from its position in the file")
    if not told:
        return []
    more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return [
        f"simulation.start: the run begins in equilibrium, with {'; '.join(told[:MOST_TOLD])}{more}; write "
        "that into the file, or say start: catenary to begin where the file puts it"
    ]


def _has_place(system: System, name: str) -> bool:
    """Whether a point or body that moves freely was given a position."""
    owner = system.points.get(name) or system.bodies.get(name)
    return owner is not None and owner.is_free and owner.position is not None


def _reach(system: System, name: str) -> float:
    """Length of the longest cable that ends at a point or a body, m."""
    return max(
        (
            cable.total_length
            for cable in system.cables.values()
            for end in (cable.start, cable.end)
            if end.point.partition(".")[0] == name
        ),
        default=0.0,
    )
