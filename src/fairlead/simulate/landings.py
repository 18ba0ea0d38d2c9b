"""Energy that steps take from line that lands on a bed without damping.

Such a bed is a spring: it throws back what falls on it, and in the limit of small steps line bounces on it until the
water has taken its energy. A step that takes the spring at its end damps the bounce, by exp(−πωh/2) with ω² = k/m of
line on the bed, so that at ωh = ½ less than half of the speed comes back. `bars` and `lumped` book it with the damping,
others leave it out of their balance. Either way, where line brought down with it, as energy of motion, most of what
was lost, the user is told, with the damping that lets the bed itself take the energy: c = 2√(k m) of the line,
critical. Where the balance is poor by it, this is the warning.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from fairlead.model import System
from fairlead.results import NODE_COLUMNS
from fairlead.results.energy import BED_DAMPING, GOOD_BALANCE, EnergyBalance, unreliable
from fairlead.results.observation import ObservationShape
from fairlead.results.variables import NODE_FIELDS
from fairlead.words import NOTE, number, percentage

MOSTLY = 0.5
"""Part of what is lost, brought down by line as energy of motion, beyond which it is put down to that."""


def landing_note(
    system: System, balance: EnergyBalance, h: float, shape: ObservationShape, rows: Iterable[np.ndarray]
) -> tuple[str, ...]:
    """A note after steps of h [s] on what they took from line that landed; `rows` (sample, shape.size)."""
    bed = system.environment.seabed
    if bed is None or bed.damping > 0.0 or balance.idle or not shape.cables:
        return ()
    damped = balance.works["work_damping"]
    if not _part_lost(balance, -damped) > GOOD_BALANCE:
        return ()
    brought = _brought_down(shape, np.concatenate([_masses(system, shape, name) for name in shape.cables]), rows)
    landed = [name for name in shape.cables if brought[_nodes(shape, name)].any()]
    kinds = {part.type_name for name in landed for part in system.cables[name].segments(system)}
    every = {part.type_name for cable in system.cables.values() for part in cable.segments(system)}
    only_the_bed = not any(_is_damped(system, name) for name in every)  # has anything to book as damping
    lost = _part_lost(balance, -damped if only_the_bed else 0.0 * damped)
    if not lost > GOOD_BALANCE or not brought.sum() > MOSTLY * lost * balance.total:
        return ()
    damping = {name: _critical(system, name) for name in kinds}
    heaviest = max(damping, key=lambda name: damping[name])
    told = f"{NOTE}{BED_DAMPING}: {percentage(lost)} of the energy exchanged went"
    if balance.is_poor and not balance.made:
        told = f"{BED_DAMPING}: {unreliable(balance)}; most of that went"
    return (
        f"{told} where line landed "
        f"on the bed: without damping it throws back what falls on it, in bounces that a step of {h:g} s takes instead "
        f"of following them; {number(damping[heaviest], 2)} N*s/m^3 (critical for '{heaviest}') lets the bed take it",
    )


def _part_lost(balance: EnergyBalance, booked: np.ndarray) -> float:
    """The largest part of the energy exchanged that is missing from a balance, with what was `booked` as lost, J."""
    lost = float(np.max(booked - balance.residual))
    return lost / balance.total if balance.total > 0.0 else 0.0


def _nodes(shape: ObservationShape, name: str) -> slice:
    """Nodes of a cable among those of all."""
    place, first = shape.cable_nodes(name), shape.node_block.start
    return slice((place.start - first) // NODE_COLUMNS, (place.stop - first) // NODE_COLUMNS)


def _masses(system: System, shape: ObservationShape, name: str) -> np.ndarray:
    """What moves with each node of a cable when it comes down, with its added mass, kg (node,)."""
    elements = np.array([_mass_per_metre(system, s.type_name) * s.length for s in system.cables[name].segments(system)])
    place = _nodes(shape, name)
    if len(elements) + 1 != place.stop - place.start:  # a winch makes and takes elements
        return np.full(place.stop - place.start, elements.mean())
    return np.asarray(0.5 * (np.append(elements, 0.0) + np.append(0.0, elements)))


def _brought_down(shape: ObservationShape, masses: np.ndarray, rows: Iterable[np.ndarray]) -> np.ndarray:
    """Energy of motion downwards with which nodes came down on the bed, all times they did, J (node,)."""
    columns = {field.name: field.column for field in NODE_FIELDS}
    down, contact = columns["velocity"] + 2, columns["contact_force"]
    brought, touched, falling = np.zeros(len(masses)), np.ones(len(masses), dtype=bool), np.zeros(len(masses))
    for block in rows:
        for row in block[:, shape.node_block].reshape(len(block), -1, NODE_COLUMNS):
            touching = np.nan_to_num(row[:, contact : contact + 3]).any(axis=-1)
            brought += np.where(touching & ~touched, 0.5 * masses * falling**2, 0.0)
            touched, falling = touching, np.minimum(np.nan_to_num(row[:, down]), 0.0)
    return brought


def _is_damped(system: System, name: str) -> bool:
    """Whether line of a type damps its own stretching, bending or twisting, or creeps."""
    kind = system.types[name]
    time = kind.damping_time
    return bool(kind.damping_ratio) or kind.axial is not None or max(time.axial, time.bending, time.torsion) > 0.0


def _mass_per_metre(system: System, name: str) -> float:
    """Of line of a type, with its added mass across it, kg/m."""
    kind, water = system.types[name], system.environment.water_density
    return kind.mass_per_metre + kind.added_mass.normal * water * 0.25 * math.pi * kind.diameter**2


def _critical(system: System, name: str) -> float:
    """Critical damping of line of a type on the bed, N s/m³."""
    bed = system.environment.seabed
    assert bed is not None
    return 2.0 * math.sqrt(bed.stiffness * _mass_per_metre(system, name) / system.types[name].contact_diameter)
