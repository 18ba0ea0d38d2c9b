"""Where the first state of bars stands, for those who make it without Python (see `formulations.first_state`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.first_state import LaidCable, Still
from fairlead.rigging.states import numbers_of, places_of

from .coefficients import SEMI_IMPLICIT
from .schema import SCHEMA

if TYPE_CHECKING:
    from fairlead.shape.layout import Geometry

    from .compiled_bars import CompiledBars

MOVING = ("bar_state", "hub_state", "multipliers", "contact")
"""Parts of the state that relaxation changes; the rest belongs to the beginning of a run."""
_NONE = (0.0, 0.0, 0.0)


def laid(compiled: CompiledBars, geometry: Geometry) -> tuple[LaidCable, ...] | None:
    """Where each cable stands; None for what is laid by other rules than along the nodes of its first shape."""
    places = tuple(_places(compiled))
    y = compiled.initial_state()
    for place, name in zip(places, compiled.system.cables, strict=True):
        nodes = np.asarray(geometry.nodes[name])[:: -1 if place.reversed else 1]
        bars = y[place.bodies : place.bodies + place.stride * (len(nodes) - 1)].reshape(-1, place.stride)
        if len(bars) != len(nodes) - 1 or not np.allclose(bars[:, :3], 0.5 * (nodes[1:] + nodes[:-1]), 1e-12, 1e-9):
            return None
    return places


def _places(compiled: CompiledBars) -> list[LaidCable]:
    t, found = compiled.tables(compiled._y0), []
    bodies, forces = places_of(t, "bar_state", "position"), places_of(t, "multipliers", "force")
    clamps = places_of(t, "end", "frame")
    for c, cable in enumerate(compiled.system.cables.values()):
        first, turned = int(t.cable.first[c]), bool(t.cable.reversed[c])
        ends = [cable.end, cable.start] if turned else [cable.start, cable.end]
        sign = -1.0 if turned else 1.0
        given = [tuple(sign * x for x in end.direction) if end.direction is not None else _NONE for end in ends]
        found.append(
            LaidCable(
                reversed=turned,
                bodies=bodies[first],
                stride=SCHEMA.table["bar_state"].width,
                multipliers=forces[first + c],
                clamps=(clamps[2 * c], clamps[2 * c + 1]),
                directions=(given[0], given[1]),  # type: ignore[arg-type]
                shaped_clamps=any(end.joint == "clamp" and end.direction is None for end in ends),
            )
        )
    return found


def still(compiled: CompiledBars) -> Still:
    """The arrays of `LinearisedBars`."""
    system = compiled.linearised(0.0)
    tables = compiled.tables(compiled._y0)
    moves = [numbers_of(tables, table, field) for table in MOVING[:2] for field in ("position", "turn")]
    rates = [numbers_of(tables, table, field) for table in MOVING[:2] for field in ("velocity", "spin")]
    return Still(
        ints=system._ints.copy(),
        reals=system._reals.copy(),
        kind=SEMI_IMPLICIT,
        moves=np.concatenate(moves),
        rates=np.concatenate(rates),
        kept=tuple((b.start, b.stop) for b in compiled.layout.blocks if b.name not in MOVING),
    )
