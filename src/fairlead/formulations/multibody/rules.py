"""What the counts, flags and quaternions in a state of a tree of bodies may be."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.algebra.records import Tables
from fairlead.rigging.states import (
    StateRules, UnitVector, count_bound, flags, length_bound, places_of, unit_fields,
)  # fmt: skip

from .schema import FREE, SPHERICAL


def state_rules(tables: Tables, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in their order."""
    counts = zip(places_of(tables, "paid", "count"), cables, tables.cable.count, strict=True)
    bounds = [count_bound(place, cable, int(most)) for place, cable, most in counts]
    bounds += [length_bound(place, "") for place in places_of(tables, "line", "length")]
    bounds += flags(places_of(tables, "drum", "latest"), "the latest event at a winch", low=-1)
    places, turning = places_of(tables, "coordinate", "value"), []
    for j, (kind, first) in enumerate(zip(tables.body.kind, tables.body.coordinate, strict=True)):
        if kind in (SPHERICAL, FREE):
            place = places[first + (3 if kind == FREE else 0)]
            turning.append(UnitVector(place, 4, f"the quaternion of body {j}"))
    frames = unit_fields(tables, "frame", "turn", "the quaternion of element", or_zero=True)
    return StateRules(tuple(bounds), (*turning, *frames))
