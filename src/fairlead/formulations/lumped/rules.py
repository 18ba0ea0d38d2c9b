"""What the counts, flags and quaternions in a state of lumped masses may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.formulations.contract import Layout
from fairlead.formulations.states import Bound, StateRules, count_bound, flags, length_bound, unit_vectors

from . import arrays as a
from .winch import COUNT, FIRST_LENGTH, LATEST, PAID_OUT, WINCH_CABLE


def state_rules(ints: np.ndarray, layout: Layout, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in the order of `ints`."""
    bounds = [*flags(range(layout["attached"].start, layout["attached"].stop), "a flag of 'attached'")]
    winches = ints[ints[a.I_WINCHES] :][: a.WINCH_INTS * ints[a.N_WINCHES]].reshape(-1, a.WINCH_INTS)
    for k, row in enumerate(winches):
        state, c = layout["winches"].start + a.WINCH_STATE * k, int(row[WINCH_CABLE])
        most = int(ints[ints[a.I_CABLES] + a.CABLE_COLUMNS * c + a.CABLE_ALLOTTED_COUNT])
        bounds += [
            count_bound(state + COUNT, cables[c], most),
            Bound(state + LATEST, f"the latest event at the winch of cable '{cables[c]}'", -1, 1),
            length_bound(state + FIRST_LENGTH, cables[c]),
            length_bound(state + PAID_OUT, cables[c]),
        ]
    return StateRules(tuple(bounds), unit_vectors(layout["hubs"], a.BODY, 3, 4, "the quaternion of junction"))
