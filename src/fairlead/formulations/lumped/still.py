"""The point masses at rest: the system as a search for an equilibrium sees it, its places and the forces on it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from fairlead.algebra.bordered_band import copy
from fairlead.algebra.compiled import kernel
from fairlead.algebra.damped_newton import KEPT, LOADS
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import with_state
from fairlead.algebra.small import add, cross, scale, subtract, symvec, transposed_matvec
from fairlead.rigging.axial import axial_slope, axial_tension
from fairlead.rigging.ropes import rest_tension
from fairlead.rigging.settling import lead, note_places, place_all, put_way
from fairlead.rigging.sliding import slide_along, slide_of
from fairlead.rigging.standing import press_hub

from .assembly import assemble
from .bending import bending_stiffness, turning_rate
from .ends import ZERO3, place_end
from .hubs import begin
from .points import chord, clamp_direction
from .schema import CARRIED
from .scheme import PLAIN, set_scheme


class Still(NamedTuple):
    """A system held still: with its springs; without springs and bending, in a state of its own; and where places go.

    start, goal: commands (controls, 3) at the beginning and in the end; before (points, 7): place and turn of each
    point; gaps (elements,): how far each is from its kept tension [m]; change (nodes, 3): loads ahead; quick: whether
    what is loaded is loaded quickly; slide: what slides over the bed, see `rigging.sliding`
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
    slide: np.ndarray


@kernel
def springy(case, y):
    """The system in state y with its springs."""
    return with_state(case.springs, y)


# --- places ----------------------------------------------------------------------------------------------------------
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


# --- forces ----------------------------------------------------------------------------------------------------------
@kernel
def look_at(case, y):
    """Begin to look at the loads on state y: ends where they are, their pull known to what it drives."""
    copy(y, case.loads.y)
    sys = case.loads
    set_scheme(PLAIN, 0.0, sys)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for side in range(2):
            hold = sys.hold[2 * c + side]
            hold.attached = 0.0
            hold.pull = max(0.0, sys.spring[first + (count - 1 if side == 1 else 0)].tension)


@kernel
def node_loads(case):
    """Loads on all nodes, into the rows."""
    sys = case.loads
    for c in range(sys.cables):
        assemble(c, case.t, True, sys)
    if case.slide[0] > 0.0:
        for i in range(sys.nodes):
            contact = sys.contact[i]
            if contact.active > 0.0:
                sys.row[i].r = add(sys.row[i].r, slide_of(case.slide, -contact.normal_bias, contact.normal))


@kernel
def hub_loads(case):
    """Loads on all hubs, into their balances."""
    sys = case.loads
    begin(case.t, case.u, sys)
    if case.slide[0] > 0.0:
        for h in range(sys.standing_hubs):
            R = rotation(sys.hub_state[h].turn)
            for k in range(int(sys.hub[h].feet)):
                active, lever, _, push = press_hub(case.t, k, h, R, sys)
                if active:
                    force = slide_along(case.slide, push)
                    sys.balance[h].force = add(sys.balance[h].force, force)
                    sys.balance[h].torque = add(sys.balance[h].torque, transposed_matvec(R, cross(lever, force)))


@kernel
def pull_of(e, span, sys):
    """Tension of an element by its length, its slope, and the slope that a gap is measured with."""
    element = sys.element[e]
    stretch = span / element.length
    tension = axial_tension(sys.law, stretch, element.stiffness)
    slope = axial_slope(sys.law, stretch, element.length, element.stiffness)
    pulls = span > element.length
    if sys.ropes > 0 and element.rope >= 0.0:
        tension, slope = rest_tension(sys.rope[int(element.rope)], stretch - 1.0, sys.creep[e].most, sys)
        slope, pulls = slope / element.length, tension > 0.0
    if element.pushed != CARRIED and not pulls:
        tension, slope = 0.0, 0.0
    slope = max(0.0, slope)
    return tension, slope, slope if slope > 0.0 else element.stiffness / element.length


@kernel
def beside(c, i, sys):
    """Directions and lengths before and after node i of cable c; a clamp stands for the element that is not there."""
    first, count = sys.cable[c].first, sys.cable[c].count
    t1, l1, t2, l2 = (0.0, 0.0, 0.0), math.inf, (0.0, 0.0, 0.0), math.inf
    if i > 0:
        t1, l1 = chord(first + c + i - 1, sys)
    else:
        t1 = clamp_direction(2 * c, sys)
    if i < count:
        t2, l2 = chord(first + c + i, sys)
    else:
        t2 = clamp_direction(2 * c + 1, sys)
    return t1, l1, t2, l2


@kernel
def pull_apart(i, force, sys):
    """A force on the vector from node i to the next."""
    sys.row[i].r = subtract(sys.row[i].r, force)
    sys.row[i + 1].r = add(sys.row[i + 1].r, force)


@kernel
def forces(case, y, mode):
    """Forces on all nodes and hubs, into the rows and balances; returns gaps and stress as `balance` does."""
    look_at(case, y)
    sys = case.loads
    if sys.hubs > 0:
        hub_loads(case)
    node_loads(case)
    if mode == LOADS:
        return 0.0, 0.0, 0.0
    sys = springy(case, y)
    gap2, widest, stress = 0.0, 0.0, 0.0
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count):
            axis, span = chord(first + c + i, sys)
            tension, _, stiff = pull_of(first + i, span, sys)
            kept = sys.spring[first + i].tension
            gap = (tension - kept) / stiff
            case.gaps[first + i] = gap
            gap2 += gap * gap
            widest, stress = max(widest, abs(gap)), max(stress, abs(kept))
            pull_apart(first + c + i, scale(-kept if mode == KEPT else -tension, axis), sys)
        if sys.cable[c].bends == 1:
            for i in range(count + 1):
                k = bending_stiffness(c, i, sys)
                if k > 0.0:
                    t1, l1, t2, l2 = beside(c, i, sys)
                    if i > 0:
                        pull_apart(first + c + i - 1, scale(k, symvec(turning_rate(t1, l1), t2)), sys)
                    if i < count:
                        pull_apart(first + c + i, scale(k, symvec(turning_rate(t2, l2), t1)), sys)
    return gap2, widest, stress


@kernel
def end_force(end, sys):
    """Force on the end node of a cable."""
    c = end // 2
    return sys.row[sys.cable[c].first + c + (sys.cable[c].count if end % 2 == 1 else 0)].r
