"""What an FMU needs to know of the `bars` formulation: its kernel, its faults, and where its first state stands.

This is the one place that knows the inside of a formulation; another that is to be exported adds a file like this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.formulations.bars.coefficients import SEMI_IMPLICIT
from fairlead.formulations.bars.compiled_bars import CompiledBars
from fairlead.formulations.bars.run import run as run
from fairlead.formulations.bars.schema import SCHEMA
from fairlead.formulations.bars.step import HUB_RANGE, RANGE, SINGULAR, STRAIN
from fairlead.formulations.contract import Exportable
from fairlead.formulations.states import places_of
from fairlead.shape.layout import Geometry

MOVING = ("bar_state", "hub_state", "multipliers", "contact")
"""Parts of the state that relaxation changes; the rest belongs to the beginning of a run."""


def exportable(compiled: CompiledBars) -> Exportable:
    """The kernel and what its statuses mean."""
    return Exportable(
        entry=compiled.entry,
        kind=int(compiled.kind),
        statuses=tuple(range(1, 1 + max(RANGE, SINGULAR, HUB_RANGE, STRAIN))),
        junction_statuses=(SINGULAR, HUB_RANGE),
        junctions=tuple(compiled._hub_names),
        reversed=tuple(bool(back) for back in compiled.tables(compiled._y0).cable.reversed),
    )


@dataclass(frozen=True)
class Place:
    """Where the first shape of a cable goes: its bars and joint forces in `y`, its end frames in `reals`."""

    reversed: bool
    bodies: int
    multipliers: int
    clamps: tuple[int, int]
    directions: tuple[tuple[float, float, float], tuple[float, float, float]]
    """Given directions of its clamps, in the order in which it is stored; zero: as the cable lies."""
    shaped_clamps: bool
    """Whether a clamp takes its direction from the first shape."""


BODY_STRIDE = SCHEMA.table["bar_state"].width
_NONE = (0.0, 0.0, 0.0)


def places(compiled: CompiledBars) -> tuple[Place, ...]:
    """Where each cable of the system stands."""
    t, found = compiled.tables(compiled._y0), []
    bodies, forces = places_of(t, "bar_state", "position"), places_of(t, "multipliers", "force")
    clamps = places_of(t, "end", "frame")
    for c, cable in enumerate(compiled.system.cables.values()):
        first, turned = int(t.cable.first[c]), bool(t.cable.reversed[c])
        ends = [cable.end, cable.start] if turned else [cable.start, cable.end]
        sign = -1.0 if turned else 1.0
        given = [tuple(sign * x for x in end.direction) if end.direction is not None else _NONE for end in ends]
        found.append(
            Place(
                reversed=turned,
                bodies=bodies[first],
                multipliers=forces[first + c],
                clamps=(clamps[2 * c], clamps[2 * c + 1]),
                directions=(given[0], given[1]),  # type: ignore[arg-type]
                shaped_clamps=any(end.joint == "clamp" and end.direction is None for end in ends),
            )
        )
    return tuple(found)


def stands_so(compiled: CompiledBars, geometry: Geometry) -> bool:
    """Whether the compiled state is where `places` has it; not so for what is laid by other rules."""
    y = compiled.initial_state()
    for place, name in zip(places(compiled), compiled.system.cables, strict=True):
        nodes = np.asarray(geometry.nodes[name])[:: -1 if place.reversed else 1]
        bars = y[place.bodies : place.bodies + BODY_STRIDE * (len(nodes) - 1)].reshape(-1, BODY_STRIDE)
        if len(bars) != len(nodes) - 1 or not np.allclose(bars[:, :3], 0.5 * (nodes[1:] + nodes[:-1]), 1e-12, 1e-9):
            return False
    return True


@dataclass(frozen=True)
class Still:
    """The system while time stands still, for relaxation."""

    ints: np.ndarray
    reals: np.ndarray
    kind: int
    step: float
    """s"""
    rates: np.ndarray
    """Where velocities stand in the state, six a body."""
    kept: tuple[tuple[int, int], ...]
    """Parts of the state that relaxation leaves alone."""


def still(compiled: CompiledBars, state: np.ndarray) -> Still:
    """No motion, no release, no friction, all the damping the scheme can give (see `LinearisedBars`)."""
    from fairlead.statics.newton import Scale
    from fairlead.statics.relaxation import Relaxation

    system = compiled.linearised(0.0)
    relaxation = Relaxation(system, state, Scale.of(system, state))
    tables = compiled.tables(state)
    velocities = [*places_of(tables, "bar_state", "velocity"), *places_of(tables, "hub_state", "velocity")]
    rates = np.array(velocities, dtype=int)[:, None] + np.arange(6)[None, :]  # angular velocities follow
    return Still(
        ints=system._ints.copy(),
        reals=system._reals.copy(),
        kind=SEMI_IMPLICIT,
        step=float(relaxation.h),
        rates=rates.ravel(),
        kept=tuple((b.start, b.stop) for b in compiled.layout.blocks if b.name not in MOVING),
    )
