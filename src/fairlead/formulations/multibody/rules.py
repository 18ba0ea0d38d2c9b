"""What the counts, flags and quaternions in a state of a tree of bodies may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.formulations.contract import Layout
from fairlead.formulations.states import StateRules, UnitVector, count_bound, flags, length_bound, unit_vectors

from . import arrays as a


def state_rules(ints: np.ndarray, layout: Layout, cables: Sequence[str]) -> StateRules:
    """Rules of a state; `cables` names them in the order of `ints`."""
    rows = ints[ints[a.I_CABLES] : ints[a.I_CONTROLS]].reshape(-1, a.CABLE_INTS)
    active = layout["active"].start
    bounds = [count_bound(active + c, cables[c], int(row[a.CABLE_COUNT])) for c, row in enumerate(rows)]
    bounds += [length_bound(k, "") for k in range(layout["length"].start, layout["length"].stop)]
    events = layout["latest_event"]
    bounds += flags(range(events.start, events.stop), "the latest event at a winch", low=-1)
    turning = []
    for j, row in enumerate(ints[ints[a.I_BODIES] : ints[a.I_CABLES]].reshape(-1, a.BODY_INTS)):
        if row[a.KIND] in (a.SPHERICAL, a.FREE):
            place = int(row[a.AT_Q]) + (3 if row[a.KIND] == a.FREE else 0)
            turning.append(UnitVector(place, 4, f"the quaternion of body {j}"))
    frames = unit_vectors(layout["frames"], 4, 0, 4, "the quaternion of element", or_zero=True)
    return StateRules(tuple(bounds), (*turning, *frames))
