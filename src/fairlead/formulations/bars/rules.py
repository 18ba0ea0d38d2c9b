"""What the counts, indices, flags and quaternions in a state of bars may be."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.algebra.records import Tables
from fairlead.rigging.states import Bound, StateRules, flags, past_bounds, places_of, unit_fields, winch_bounds


def state_rules(t: Tables, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in the order of the tables."""
    bounds = [*flags(places_of(t, "attached", "joined"), "a flag of 'attached'"), *past_bounds(t)]
    counts = {}
    for k, c in enumerate(t.winch.cable.tolist()):
        name, place = cables[c], {f: places_of(t, "winch_state", f)[k] for f in t.schema.table["winch_state"].fields}
        counts[c] = place["count"], k
        four = place["count"], place["latest"], place["first_length"], place["paid_out"]
        bounds += winch_bounds(name, int(t.winch.allotted_count[k]), *four)
    for on_bar, c in zip(places_of(t, "ring_state", "on_bar"), t.slider.host.tolist(), strict=True):
        what = f"the element of cable '{cables[c]}' that a ring is on"
        if c not in counts:
            first = int(t.cable.first[c])
            bounds.append(Bound(on_bar, what, first, first + int(t.cable.count[c]) - 1))
            continue
        count, k = counts[c]
        first, most = int(t.winch.allotted_first[k]), int(t.winch.allotted_count[k])
        if t.winch.at_end[k]:
            bounds.append(Bound(on_bar, what, first, first - 1, count=count, high_slope=1.0))
        else:
            bounds.append(Bound(on_bar, what, first + most, first + most - 1, count=count, low_slope=-1.0))
    return StateRules(
        tuple(bounds),
        (
            *unit_fields(t, "bar_state", "turn", "the quaternion of bar", or_zero=t.winches > 0),
            *unit_fields(t, "hub_state", "turn", "the quaternion of junction"),
        ),
    )
