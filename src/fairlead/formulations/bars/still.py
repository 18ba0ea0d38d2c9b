"""The bars at rest: the system as a search for an equilibrium sees it, its places, and its joints.

Degrees of freedom: for each bar, then each hub, a global displacement (3) and a body rotation (3).

The joint forces λ kept in the state (its `multipliers`) are unknowns of their own beside the shape: a step of
Newton's method moves both, λ ← k(C + J δx).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from fairlead.algebra.bordered_band import copy
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import product, rotation
from fairlead.algebra.records import with_state
from fairlead.algebra.small import (
    ZERO3, add, add_scaled, cross, dot, matadd_scaled, matscale, matvec, scale, skew, subtract,
)  # fmt: skip
from fairlead.rigging.frames import held_turn
from fairlead.rigging.settling import lead, note_places, place_all, put_way

from .element import axis_of
from .ropes import is_rope, quick_stiffness, rest_gap, rest_pull
from .static_loads import loads_at_rest
from .topology import is_attached

ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Still(NamedTuple):
    """A system held still: seen in some state, room for another, where places go, and the joints.

    start, goal: commands (controls, 3) at the beginning and in the end; before (points, 7): place and turn of each
    point; gaps (joints, 3): how far each is from its kept force [m]; joint (joints, 4): axial stiffness and those about
    the three axes; loose (hubs,): 1 where no torque counts; spare (bars,): stiffness that holds line still on a winch
    where it is, 0 of bars in use; out, inertia, change (bodies, 6): loads, inertias and loads ahead; quick: whether
    what is loaded is loaded quickly; slide: what slides over the bed, see `rigging.sliding`
    """

    t: float
    u: np.ndarray
    sys: Any
    probe: np.ndarray
    start: np.ndarray
    goal: np.ndarray
    before: np.ndarray
    gaps: np.ndarray
    joint: np.ndarray
    loose: np.ndarray
    spare: np.ndarray
    out: np.ndarray
    inertia: np.ndarray
    change: np.ndarray
    quick: bool
    slide: np.ndarray


@kernel
def seen(case, y):
    """The system in state y."""
    return with_state(case.sys, y)


# --- places ----------------------------------------------------------------------------------------------------------
@kernel
def arrive(case, y, share):
    """The state at rest with prescribed points and bodies at a share of their way."""
    sys = seen(case, y)
    for i in range(sys.bars):
        sys.bar_state[i].velocity = sys.bar_state[i].spin = ZERO3
    for h in range(sys.hubs):
        sys.hub_state[h].velocity = sys.hub_state[h].spin = ZERO3
    lead(case, share, sys)


@kernel
def point_of(c, side, sys):
    """Prescribed point of an end of cable c, or −1."""
    return sys.cable[c].start_point if side == 0 else sys.cable[c].end_point


@kernel
def ahead(case, y, m, share):
    """The way of prescribed ends from where they are to a share of their way, and the turn of their clamps."""
    sys = seen(case, y)
    note_places(case, sys)
    copy(y, case.probe)
    arrive(case, case.probe, share)
    for c in range(sys.cables):
        for side in range(2):
            put_way(case, m, c, side, point_of(c, side, sys), sys)
    place_all(sys)


# --- joints and loads ------------------------------------------------------------------------------------------------
@kernel
def body_of(c, i, side, sys):
    """The body at a side of joint i of cable c: a bar, behind the bars a hub, or −1."""
    cable = sys.cable[c]
    if side == 0 and i == 0:
        return sys.bars + cable.start_hub if cable.start_hub >= 0 else -1
    if side == 1 and i == cable.count:
        return sys.bars + cable.end_hub if cable.end_hub >= 0 else -1
    return cable.first + i - 1 + side


@kernel
def side_of(c, i, side, sys):
    """A side of joint i of cable c: its place, its offset and turn in its body, its frame and that in body axes.

    Prescribed points turn in global axes.
    """
    body = body_of(c, i, side, sys)
    if 0 <= body < sys.bars:
        bar = sys.bar_state[body]
        R = rotation(bar.turn)
        o = (0.0, 0.0, sys.bar[body].length * (0.5 if side == 0 else -0.5))
        return add_scaled(bar.position, o[2], axis_of(R)), o, R, bar.turn, ONE
    end = sys.end[2 * c + side]
    if body >= 0:
        hub = sys.hub_state[body - sys.bars]
        R = rotation(hub.turn)
        return add(hub.position, matvec(R, end.lever)), end.lever, R, product(hub.turn, end.frame), rotation(end.frame)
    k = point_of(c, side, sys)
    frame = product(held_turn(k, sys), end.frame)
    return sys.point_now[k].position, ZERO3, ONE, frame, rotation(frame)


@kernel
def holds(c, i, sys):
    """Whether joint i of cable c holds: no end of a cable that was released."""
    if i == 0:
        return is_attached(2 * c, sys)
    return i < sys.cable[c].count or is_attached(2 * c + 1, sys)


@kernel
def turn_of(one, two):
    """Turn s, u from the frame of one side to that of the other: nothing at all between frames that are the same, where
    products of their numbers would leave what rounding leaves."""
    near = 1.0 if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] >= 0.0 else -1.0
    axis, change = (one[1], one[2], one[3]), (near * two[1] - one[1], near * two[2] - one[2], near * two[3] - one[3])
    u = add_scaled(scale(one[0], change), one[0] - near * two[0], axis)
    u = subtract(u, cross(axis, change))
    return math.sqrt(max(0.0, 1.0 - dot(u, u))), u


@kernel
def lever_of(s, u, side):
    """s·1 ∓ S(u), which turns a rate of either side into that of 2u."""
    return matadd_scaled(matscale(s, ONE), -1.0 if side == 0 else 1.0, skew(u))


@kernel
def law_of(case, joint, kept, sys):
    """Stiffness of a joint along the force it was left with, and across it, where it is the secant [N/m]."""
    if sys.ropes == 0 or not is_rope(joint, sys):
        return case.joint[joint, 0], case.joint[joint, 0]
    tension = max(math.sqrt(dot(kept, kept)), 1.0e-6)
    gap, stiff = rest_gap(joint, tension, sys)
    return quick_stiffness(joint, tension, sys) if case.quick else stiff, tension / gap


@kernel
def force_of(case, joint, gap, kept, sys):
    """Force of a joint by its gap."""
    if sys.ropes == 0 or not is_rope(joint, sys):
        return scale(case.joint[joint, 0], gap)
    size = math.sqrt(dot(gap, gap))
    return scale(rest_pull(joint, size, math.sqrt(dot(kept, kept)), sys) / max(size, 1.0e-12), gap)


@kernel
def moment_of(case, joint, u):
    """Moment of a joint in the frame of its first side."""
    k = case.joint[joint]
    return (2.0 * k[1] * u[0], 2.0 * k[2] * u[1], 2.0 * k[3] * u[2])


@kernel
def loads(case, y):
    """Loads on all bodies, into `out`."""
    loads_at_rest(case.t, case.u, case.slide, case.out, case.inertia, seen(case, y))
    bars = case.spare.shape[0]
    for i in range(bars):
        if case.spare[i] > 0.0:
            case.out[i] = 0.0
    for h in range(case.loose.shape[0]):
        if case.loose[h] == 1:
            case.out[bars + h, 3:] = 0.0
