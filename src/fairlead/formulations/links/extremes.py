"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, dot, scale
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, time_since,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES

from .arrays import (
    BENDING, CABLE_CHAIN, CABLE_COUNT, CABLE_FIRST, CABLE_INTS, CABLE_REVERSED, CHAIN_COUNT, CHAIN_FIRST, CHAIN_START,
    I_CABLES, LENGTH, N_CABLES, N_NAMED, START_AXIS, STOP_AXIS, STOP_BENDING, W_FORCE, W_PLACE, Y_LINKS, chain_at,
    chain_reals, link_at, vector_of,
)  # fmt: skip
from .hung import named_state


@kernel
def axis_at(c, i, ints, y):
    """Mean direction of the links that meet at node i of chain c."""
    chain = chain_at(ints, c)
    first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
    above = vector_of(y, ints[Y_LINKS] + 6 * (first + max(0, i - 1)))
    below = vector_of(y, ints[Y_LINKS] + 6 * (first + min(count - 1, i)))
    axis = add(above, below)
    size = math.sqrt(dot(axis, axis))
    return scale(1.0 / size, axis) if size > 1e-9 else above


@kernel
def bend_at(c, i, ints, reals, y):
    """Square of the curvature at node i of chain c; at a clamp over half a link, at other ends none."""
    chain, constants = chain_at(ints, c), chain_reals(ints, c)
    first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
    if i == 0:
        if reals[link_at(ints, first) + BENDING] == 0.0:
            return 0.0
        above, length = vector_of(reals, constants + START_AXIS), 0.0
    else:
        above, length = vector_of(y, ints[Y_LINKS] + 6 * (first + i - 1)), reals[link_at(ints, first + i - 1) + LENGTH]
    if i == count:
        if reals[constants + STOP_BENDING] == 0.0:
            return 0.0
        return bend_between(above, vector_of(reals, constants + STOP_AXIS), 0.5 * length)
    length += reals[link_at(ints, first + i) + LENGTH]
    return bend_between(above, vector_of(y, ints[Y_LINKS] + 6 * (first + i)), 0.5 * length)


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold what is laid out and solved at time t into the extremes."""
    at = first_extreme(ints, y)
    for k in range(ints[N_CABLES]):
        cable = ints[I_CABLES] + CABLE_INTS * k
        c, first, count = ints[cable + CABLE_CHAIN], ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        reverse = ints[cable + CABLE_REVERSED] == 1
        before = first - ints[chain_at(ints, c) + CHAIN_FIRST]
        found = NOTHING
        for i in range(count + 1):
            node = first + c + i
            tension = dot(vector_of(work, ints[W_FORCE] + 3 * node), axis_at(c, before + i, ints, y))
            distance = bed_distance(vector_of(work, ints[W_PLACE] + 3 * node), reals)
            bend = bend_at(c, before + i, ints, reals, y)
            found = note_node(y, at, count - i if reverse else i, tension, bend, distance, found)
        note_cable(t, k, found, reals, ints, y)
        loose = ints[chain_at(ints, c) + CHAIN_START] < 0 and before == 0
        for side in range(2):
            end = (1 - side) if reverse else side
            force = vector_of(work, ints[W_FORCE] + 3 * (first + c + end * count))
            note_end(t, k, side, scale(0.0 if loose and end == 0 else 1.0, force), ints, y)
        at += NODE_EXTREMES * (count + 1)
    since = time_since(t, ints, y)
    for k in range(ints[N_NAMED]):
        place, velocity = named_state(k, ints, reals, y, work)
        note_point(t, since, k, place, velocity, reals, ints, y)
