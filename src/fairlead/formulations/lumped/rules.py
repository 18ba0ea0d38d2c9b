"""What the counts, flags and quaternions in a state of lumped masses may be."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.algebra.records import Tables
from fairlead.formulations.states import (
    Bound,
    StateRules,
    count_bound,
    flags,
    length_bound,
    past_bounds,
    places_of,
    unit_fields,
)


def state_rules(tables: Tables, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in their order."""
    bounds = [*flags(places_of(tables, "hold", "attached"), "a flag of 'attached'"), *past_bounds(tables)]
    count, latest, first_length, paid_out = (
        places_of(tables, "drum", field) for field in ("count", "latest", "first_length", "paid_out")
    )
    for k, c in enumerate(tables.winch.cable):
        bounds += [
            count_bound(count[k], cables[c], int(tables.cable.allotted_count[c])),
            Bound(latest[k], f"the latest event at the winch of cable '{cables[c]}'", -1, 1),
            length_bound(first_length[k], cables[c]),
            length_bound(paid_out[k], cables[c]),
        ]
    return StateRules(tuple(bounds), unit_fields(tables, "hub", "turn", "the quaternion of junction"))
