"""Free bodies with a shape that are too large for waves that do not notice them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.bodies import FreeBody
from fairlead.model.problems import Problem
from fairlead.model.waves import wavenumber
from fairlead.words import number

if TYPE_CHECKING:
    from fairlead.model.system import System

SMALL = 0.2
"""Extent over wavelength up to which a body leaves the waves as they are."""


def large_bodies(system: System) -> Iterator[Problem]:
    """Bodies that would throw the waves of the sea back, which the loads on a free body leave out."""
    sea = system.environment
    if not sea.trains:
        return
    period = min(float(train.main_period) for _, train in sea.trains)
    length = 2 * math.pi / wavenumber(2 * math.pi / period, sea.depth, sea.gravity)
    solved = system.hydro.hulls if system.hydro is not None else {}
    for name, body in system.bodies.items():
        if not isinstance(body, FreeBody) or body.shape is None or name in solved:
            continue
        across = extent(body)
        if across > SMALL * length:
            message = (
                f"is {number(across, 3)} m across, more than a fifth of the {number(length, 3)} m of the waves "
                f"({number(period, 3)} s): it throws them back and makes waves of its own, which a free body leaves "
                "out; its motions and the loads on its lines may be far off"
            )
            hint = "give it coefficients by 'kind: floating' ('fairlead floater' computes them), or use 'hydro'"
            yield system.problem(f"bodies.{name}.shape", message, hint)


def extent(body: FreeBody) -> float:
    """Greatest horizontal extent along its own axes as it starts, m; a rod in strips counts by its diameter alone."""
    assert body.shape is not None
    roll, pitch, _ = map(math.radians, body.orientation_deg)
    up = (-math.sin(pitch), math.sin(roll) * math.cos(pitch), math.cos(roll) * math.cos(pitch))
    sides = (*body.shape.sides[:2], 0.0 if body.strips is not None else body.shape.sides[2])
    return max(side * math.sqrt(max(1.0 - part * part, 0.0)) for side, part in zip(sides, up, strict=True))
