"""What the counts, indices, flags and quaternions in a state of bars may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.formulations.contract import Layout
from fairlead.formulations.states import Bound, StateRules, count_bound, flags, length_bound, unit_vectors

from . import arrays as a
from .slider import HOST, ON_BAR
from .winch import ALLOTTED_COUNT, ALLOTTED_FIRST, AT_END, COUNT, FIRST_LENGTH, LATEST, PAID_OUT, WINCH_CABLE

QUATERNION = 3
"""Where a body's quaternion begins, after its position."""


def state_rules(ints: np.ndarray, layout: Layout, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in the order of `ints`."""
    bounds = [*flags(range(layout["attached"].start, layout["attached"].stop), "a flag of 'attached'")]
    winches = ints[ints[a.I_WINCHES] :][: a.WINCH_INTS * ints[a.N_WINCHES]].reshape(-1, a.WINCH_INTS)
    counts = {}
    for k, row in enumerate(winches):
        state, name = layout["winches"].start + a.WINCH_STATE * k, cables[row[WINCH_CABLE]]
        counts[int(row[WINCH_CABLE])] = state + COUNT, row
        bounds += [
            count_bound(state + COUNT, name, int(row[ALLOTTED_COUNT])),
            Bound(state + LATEST, f"the latest event at the winch of cable '{name}'", -1, 1),
            length_bound(state + FIRST_LENGTH, name),
            length_bound(state + PAID_OUT, name),
        ]
    sliders = ints[ints[a.I_SLIDERS] :][: a.SLIDER_INTS * ints[a.N_SLIDERS]].reshape(-1, a.SLIDER_INTS)
    for k, row in enumerate(sliders):
        place, c = layout["sliders"].start + a.SLIDER_STATE * k + ON_BAR, int(row[HOST])
        what = f"the element of cable '{cables[c]}' that a ring is on"
        if c not in counts:
            cable = ints[ints[a.I_CABLES] + a.CABLE_COLUMNS * c :]
            first = int(cable[a.CABLE_FIRST])
            bounds.append(Bound(place, what, first, first + int(cable[a.CABLE_COUNT]) - 1))
            continue
        count, winch = counts[c]
        first, most = int(winch[ALLOTTED_FIRST]), int(winch[ALLOTTED_COUNT])
        if winch[AT_END]:
            bounds.append(Bound(place, what, first, first - 1, count=count, high_slope=1.0))
        else:
            bounds.append(Bound(place, what, first + most, first + most - 1, count=count, low_slope=-1.0))
    return StateRules(
        tuple(bounds),
        (
            *unit_vectors(layout["bars"], a.BODY, QUATERNION, 4, "the quaternion of bar", or_zero=len(winches) > 0),
            *unit_vectors(layout["hubs"], a.BODY, QUATERNION, 4, "the quaternion of junction"),
        ),
    )
