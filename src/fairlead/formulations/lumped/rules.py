"""What the counts, flags and quaternions in a state of lumped masses may be."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.algebra.records import Tables
from fairlead.rigging.states import StateRules, flags, past_bounds, places_of, unit_fields, winch_bounds


def state_rules(tables: Tables, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in their order."""
    bounds = [*flags(places_of(tables, "hold", "attached"), "a flag of 'attached'"), *past_bounds(tables)]
    places = (places_of(tables, "drum", field) for field in ("count", "latest", "first_length", "paid_out"))
    for c, *four in zip(tables.winch.cable, *places, strict=True):
        bounds += winch_bounds(cables[c], int(tables.cable.allotted_count[c]), *four)
    return StateRules(tuple(bounds), unit_fields(tables, "hub_state", "turn", "the quaternion of junction"))
