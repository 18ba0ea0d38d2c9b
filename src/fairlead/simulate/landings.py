"""Energy that steps take from line that lands on a bed without damping.

Such a bed is a spring: it throws back what falls on it, and in the limit of small steps line bounces on it until the
water has taken its energy. A step that takes the spring at its end damps the bounce, by exp(−πωh/2) with ω² = k/m of
line on the bed, so that at ωh = ½ less than half of the speed comes back. `bars` books it with the damping, others
leave it out of their balance. Either way the user is told, with the damping that lets the bed itself take the energy:
c = 2√(k m) of the line, critical.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from fairlead.model import System
from fairlead.results import NODE_COLUMNS
from fairlead.results.energy import GOOD_BALANCE, EnergyBalance
from fairlead.results.observation import ObservationShape
from fairlead.results.variables import NODE_FIELDS
from fairlead.words import NOTE, number, percentage

MOSTLY, BOUNCES = 0.5, 2.0
"""Part of what is lost that goes while nodes come down, and within so many bounces after, beyond which it is put down
to that."""


def landing_note(
    system: System, balance: EnergyBalance, h: float, shape: ObservationShape, rows: Iterable[np.ndarray]
) -> tuple[str, ...]:
    """A note after steps of h [s] on what they took from line that landed; `rows` (sample, shape.size)."""
    bed = system.environment.seabed
    if bed is None or bed.damping > 0.0 or balance.idle:
        return ()
    touching = np.concatenate([_touching(shape, block) for block in rows])
    landed = [name for name in shape.cables if touching[:, _nodes(shape, name)].any()]
    kinds = {part.type_name for name in landed for part in system.cables[name].segments(system)}
    lost = -balance.residual
    if not any(_is_damped(system, name) for name in kinds):  # then only the bed has anything to book there
        lost = lost - balance.works["work_damping"]
    most = float(lost.max()) / balance.total
    downs = balance.time[1:][(touching[1:] & ~touching[:-1]).any(axis=1)]
    if not len(downs) or not most > GOOD_BALANCE:
        return ()
    damping = {name: _critical(system, name) for name in kinds}
    bounce = 2.0 * math.pi * max(damping.values()) / (2.0 * bed.stiffness)  # 2π/ω = πc/k
    since = balance.time[1:] - downs[np.searchsorted(downs, balance.time[1:], side="right") - 1]
    landing = (balance.time[1:] >= downs[0]) & (since <= BOUNCES * bounce)
    if not float(np.diff(lost)[landing].sum()) > MOSTLY * most * balance.total:
        return ()
    heaviest = max(damping, key=lambda name: damping[name])
    return (
        f"{NOTE}environment.seabed.damping: {percentage(most)} of the energy exchanged went where line landed "
        f"on the bed: without damping it throws back what falls on it, in bounces that a step of {h:g} s takes instead "
        f"of following them; {number(damping[heaviest], 2)} N*s/m^3 (critical for '{heaviest}') lets the bed take it",
    )


def _nodes(shape: ObservationShape, name: str) -> slice:
    """Nodes of a cable among those of all."""
    place, first = shape.cable_nodes(name), shape.node_block.start
    return slice((place.start - first) // NODE_COLUMNS, (place.stop - first) // NODE_COLUMNS)


def _touching(shape: ObservationShape, rows: np.ndarray) -> np.ndarray:
    """Whether nodes press on the bed, (sample, node)."""
    contact = next(field for field in NODE_FIELDS if field.name == "contact_force")
    table = rows[:, shape.node_block].reshape(len(rows), -1, NODE_COLUMNS)
    return np.asarray(np.nan_to_num(table[:, :, contact.column : contact.column + contact.width]).any(axis=-1))


def _is_damped(system: System, name: str) -> bool:
    """Whether line of a type damps its own stretching, bending or twisting."""
    kind = system.types[name]
    time = kind.damping_time
    return bool(kind.damping_ratio) or max(time.axial, time.bending, time.torsion) > 0.0


def _critical(system: System, name: str) -> float:
    """Critical damping of line of a type on the bed, N s/m³."""
    kind, water = system.types[name], system.environment.water_density
    mass = kind.mass_per_metre + kind.added_mass.normal * water * 0.25 * math.pi * kind.diameter**2
    bed = system.environment.seabed
    assert bed is not None
    return 2.0 * math.sqrt(bed.stiffness * mass / kind.contact_diameter)
