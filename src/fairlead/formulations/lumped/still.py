"""The point masses at rest: the system as a search for an equilibrium sees it, and where its places are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fairlead.algebra.bordered_band import copy
from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import with_state
from fairlead.rigging.settling import lead, note_places, place_all, put_way

from .ends import ZERO3, place_end


class Still(NamedTuple):
    """A system held still: with its springs; without springs and bending, in a state of its own; and where places go.

    start, goal: commands (controls, 3) at the beginning and in the end; before (points, 7): place and turn of each
    point; gaps (elements,): how far each is from its kept tension [m]; change (nodes, 3): loads ahead; quick: whether
    what is loaded is loaded quickly
    """

    t: float
    u: np.ndarray
    springs: Any
    loads: Any
    start: np.ndarray
    goal: np.ndarray
    before: np.ndarray
    gaps: np.ndarray
    change: np.ndarray
    quick: bool


@kernel
def springy(case, y):
    """The system in state y with its springs."""
    return with_state(case.springs, y)


@kernel
def join(sys):
    """End nodes at what they are joined to."""
    for c in range(sys.cables):
        cable = sys.cable[c]
        for side in range(2):
            place_end(2 * c + side, sys.node[cable.first + c + side * cable.count], sys)


@kernel
def arrive(case, y, share):
    """The state at rest with prescribed places at a share of their way, end nodes with them."""
    sys = springy(case, y)
    for i in range(sys.nodes):
        sys.node[i].velocity = ZERO3
    for h in range(sys.hubs):
        sys.hub_state[h].velocity = sys.hub_state[h].spin = ZERO3
    lead(case, share, sys)
    join(sys)


@kernel
def ahead(case, y, m, share):
    """The way of prescribed ends from where they are to a share of their way, and the turn of their clamps."""
    sys = springy(case, y)
    note_places(case, sys)
    copy(y, case.loads.y)
    lead(case, share, springy(case, case.loads.y))
    for end in range(2 * sys.cables):
        put_way(case, m, end // 2, end % 2, sys.joint[end].point, sys)
    place_all(sys)
