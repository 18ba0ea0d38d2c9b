"""Extremes of every step: how a formulation folds what a step has computed into them, and how they are reported.

The numbers stand at the end of `y`, their counts at the end of `ints` (see `fairlead.results.extremes`). Sizes are kept
as their squares: a root a sample instead of one a step.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import lanes_apart, put_apart
from fairlead.algebra.lanes import WIDTH, alike, any_lane, pick, where
from fairlead.algebra.small import dot, subtract
from fairlead.results.extremes import (
    CABLE_CLEARANCE_MIN,
    CABLE_CURVATURE_MAX,
    CABLE_EXTREMES,
    CABLE_KEPT,
    CABLE_TENSION_MAX,
    CABLE_TENSION_MIN,
    CABLES_FROM_END,
    END_EXTREMES,
    END_FORCE_MAX,
    END_FORCE_MIN,
    KEPT_CLEARANCE_MIN,
    KEPT_CURVATURE_MAX,
    KEPT_TENSION_MAX,
    KEPT_TENSION_MIN,
    NODE_CURVATURE_MAX,
    NODE_EXTREMES,
    NODE_TENSION_MAX,
    NODE_TENSION_MIN,
    NODES_FROM_END,
    POINT_ACCELERATION_MAX,
    POINT_CLEARANCE_MIN,
    POINT_EXTREMES,
    POINTS_FROM_END,
    SIZE_FROM_END,
    TOTALS_FROM_END,
    UNSET,
)  # fmt: skip
from fairlead.results.observation import TENSION_MAX
from fairlead.sea.water import bed_clearance

NOTHING = (UNSET, 0, -UNSET, 0, -UNSET, 0, UNSET, 0)
"""What is found along a cable before its first node: least tension, largest tension, square of the largest curvature
and least height above the bed, each with its node."""


@kernel
def first_extreme(ints, y):
    """Where the extremes of the first node begin in `y`."""
    return y.shape[0] - ints[ints.shape[0] - SIZE_FROM_END]


@kernel
def cable_extremes(ints, y):
    """Where those of the first cable begin."""
    return first_extreme(ints, y) + NODE_EXTREMES * ints[ints.shape[0] - NODES_FROM_END]


@kernel
def end_extremes(ints, y):
    """Where those of the start of the first cable begin."""
    return cable_extremes(ints, y) + CABLE_KEPT * ints[ints.shape[0] - CABLES_FROM_END]


@kernel
def point_extremes(ints, y):
    """Where those of the first point begin."""
    return end_extremes(ints, y) + 2 * END_EXTREMES * ints[ints.shape[0] - CABLES_FROM_END]


@inlined
def bend_between(one, two, length):
    """Square of the curvature of a line whose direction turns from `one` to `two` over a length [1/m²]."""
    turn = subtract(two, one)
    return dot(turn, turn) / (length * length)


@inlined
def kept_of_node(y, at, node):
    """Extremes of a node: least and largest tension, square of the largest curvature. `at` is where those of the
    cable's first node stand."""
    here = at + NODE_EXTREMES * node
    return y[here + NODE_TENSION_MIN], y[here + NODE_TENSION_MAX], y[here + NODE_CURVATURE_MAX]


@inlined
def note_node(y, at, node, tension, bend, clearance, found):
    """Fold tension, square of the curvature and height above the bed at one node of a cable into its extremes.

    `at` is where the extremes of the cable's first node stand; returns `found` (see NOTHING) with this node.
    """
    return fold_node(y, at, node, kept_of_node(y, at, node), tension, bend, clearance, found)


@inlined
def fold_node(y, at, node, kept, tension, bend, clearance, found):
    """The same with what is `kept` of the node, which was read before."""
    here = at + NODE_EXTREMES * node
    low, high, bends = kept
    if any_lane(tension < low):
        y[here + NODE_TENSION_MIN] = where(tension < low, tension, low)
    if any_lane(tension > high):
        y[here + NODE_TENSION_MAX] = where(tension > high, tension, high)
    if any_lane(bend > bends):
        y[here + NODE_CURVATURE_MAX] = where(bend > bends, bend, bends)
    least, at_least, most, at_most, bent, at_bent, low, at_low = found
    least, at_least = where(tension < least, (tension, node), (least, at_least))
    most, at_most = where(tension > most, (tension, node), (most, at_most))
    bent, at_bent = where(bend > bent, (bend, node), (bent, at_bent))
    low, at_low = where(clearance < low, (clearance, node), (low, at_low))
    return least, at_least, most, at_most, bent, at_bent, low, at_low


@inlined
def nothing_in_eight():
    """NOTHING of nodes that are looked at eight at a time (`algebra.eights`)."""
    return (
        alike(UNSET), alike(0.0), alike(-UNSET), alike(0.0), alike(-UNSET), alike(0.0), alike(UNSET), alike(0.0)
    )  # fmt: skip


@inlined
def note_eight(y, here, apart, i, tension, bend, clearance, found):
    """`note_node` of eight nodes: the extremes of the first stand at `here`, those of the next `apart`. What is found
    is counted from the first of them, i."""
    less, more, bent = here + NODE_TENSION_MIN, here + NODE_TENSION_MAX, here + NODE_CURVATURE_MAX
    lows, highs, bends = lanes_apart(y, less, apart), lanes_apart(y, more, apart), lanes_apart(y, bent, apart)
    if any_lane(tension < lows):
        put_apart(y, less, apart, where(tension < lows, tension, lows))
    if any_lane(tension > highs):
        put_apart(y, more, apart, where(tension > highs, tension, highs))
    if any_lane(bend > bends):
        put_apart(y, bent, apart, where(bend > bends, bend, bends))
    least, at_least, most, at_most, bent, at_bent, low, at_low = found
    place = alike(1.0 * i)
    least, at_least = where(tension < least, (tension, place), (least, at_least))
    most, at_most = where(tension > most, (tension, place), (most, at_most))
    bent, at_bent = where(bend > bent, (bend, place), (bent, at_bent))
    low, at_low = where(clearance < low, (clearance, place), (low, at_low))
    return least, at_least, most, at_most, bent, at_bent, low, at_low


@kernel
def first_of_eight(sign, values, counts):
    """The largest of eight values times `sign`, and what it counts as: of two alike the one that comes first."""
    best, count = pick(values, 0), pick(counts, 0)
    for k in range(1, WIDTH):
        value, other = pick(values, k), pick(counts, k) + k
        if sign * value > sign * best or (value == best and other < count):
            best, count = value, other
    return best, int(count)


@kernel
def best_of_eight(eight, zero, ahead, found):
    """What is `found` before, or in any lane after it; a count k stands for node `zero` + `ahead`·k."""
    least, at_least, most, at_most, bent, at_bent, low, at_low = found
    value, count = first_of_eight(-1.0, eight[0], eight[1])
    least, at_least = (value, zero + ahead * count) if value < least else (least, at_least)
    value, count = first_of_eight(1.0, eight[2], eight[3])
    most, at_most = (value, zero + ahead * count) if value > most else (most, at_most)
    value, count = first_of_eight(1.0, eight[4], eight[5])
    bent, at_bent = (value, zero + ahead * count) if value > bent else (bent, at_bent)
    value, count = first_of_eight(-1.0, eight[6], eight[7])
    low, at_low = (value, zero + ahead * count) if value < low else (low, at_low)
    return least, at_least, most, at_most, bent, at_bent, low, at_low


@inlined
def keep_less(y, at, value):
    """Keep a value where it is less than what is kept."""
    less = value < y[at]
    if any_lane(less):
        y[at] = where(less, value, y[at])


@inlined
def keep_more(y, at, value):
    """Keep a value where it is more than what is kept."""
    more = value > y[at]
    if any_lane(more):
        y[at] = where(more, value, y[at])


@kernel
def keep(y, at, beyond, value, t, node):
    """Write an extreme with its time and node where it goes `beyond` what is kept."""
    if any_lane(beyond):
        y[at], y[at + 1], y[at + 2] = where(beyond, (value, t, node), (y[at], y[at + 1], y[at + 2]))


@kernel
def note_cable(t, c, found, ints, y):
    """Fold what was found along cable c at time t into its extremes."""
    at = cable_extremes(ints, y) + CABLE_KEPT * c
    least, at_least, most, at_most, bent, at_bent, low, at_low = found
    keep(y, at + KEPT_TENSION_MIN, least < y[at + KEPT_TENSION_MIN], least, t, at_least)
    keep(y, at + KEPT_TENSION_MAX, most > y[at + KEPT_TENSION_MAX], most, t, at_most)
    keep(y, at + KEPT_CURVATURE_MAX, bent > y[at + KEPT_CURVATURE_MAX], bent, t, at_bent)
    keep(y, at + KEPT_CLEARANCE_MIN, low < y[at + KEPT_CLEARANCE_MIN], low, t, at_low)


@kernel
def note_end(t, c, side, force, ints, y):
    """Fold the force of cable c on the support of its start (side 0) or end (1), as the file counts them."""
    at = end_extremes(ints, y) + END_EXTREMES * (2 * c + side)
    square = dot(force, force)
    keep_less(y, at + END_FORCE_MIN, square)
    keep_timed(y, at + END_FORCE_MAX, square > y[at + END_FORCE_MAX], square, t)


@kernel
def keep_timed(y, at, beyond, value, t):
    """Write an extreme with its time where it goes `beyond` what is kept."""
    if any_lane(beyond):
        y[at], y[at + 1] = where(beyond, (value, t), (y[at], y[at + 1]))


@kernel
def time_since(t, ints, y):
    """Time since the latest step whose velocities were noted [s]; not positive when there is none. Then it is t's."""
    last = y.shape[0] - 1
    since = t - y[last]
    y[last] = t
    return since


@kernel
def note_point(t, since, k, place, velocity, sea, ints, y):
    """Fold place and velocity of point k; its acceleration is the change of its velocity in the time `since` then."""
    at = point_extremes(ints, y) + POINT_EXTREMES * k
    before = y.shape[0] - 1 - 3 * (ints[ints.shape[0] - POINTS_FROM_END] - k)
    if any_lane(since > 0.0):
        change = subtract(velocity, (y[before], y[before + 1], y[before + 2]))
        square = dot(change, change) / (since * since)
        more = (since > 0.0) & (square > y[at + POINT_ACCELERATION_MAX])
        keep_timed(y, at + POINT_ACCELERATION_MAX, more, square, t)
    y[before], y[before + 1], y[before + 2] = velocity
    clearance = bed_clearance(place, sea)
    keep_timed(y, at + POINT_CLEARANCE_MIN, clearance < y[at + POINT_CLEARANCE_MIN], clearance, t)


@kernel
def known(value):
    """An extreme, or NaN where no step has seen anything."""
    return value if abs(value) < UNSET else math.nan


@kernel
def size_of(square):
    """The size whose square is kept."""
    return math.sqrt(square) if 0.0 <= square < UNSET else math.nan


@kernel
def report_extremes(ints, y, out):
    """Write the extremes since the previous sample into the end of a row, and the largest tension into its totals."""
    nodes, cables = ints[ints.shape[0] - NODES_FROM_END], ints[ints.shape[0] - CABLES_FROM_END]
    points = ints[ints.shape[0] - POINTS_FROM_END]
    at = out.shape[0] - NODE_EXTREMES * nodes - (CABLE_EXTREMES + 2 * END_EXTREMES) * cables - POINT_EXTREMES * points
    kept = first_extreme(ints, y)
    for _ in range(nodes):
        out[at + NODE_TENSION_MIN] = known(y[kept + NODE_TENSION_MIN])
        out[at + NODE_TENSION_MAX] = known(y[kept + NODE_TENSION_MAX])
        out[at + NODE_CURVATURE_MAX] = size_of(y[kept + NODE_CURVATURE_MAX])
        at += NODE_EXTREMES
        kept += NODE_EXTREMES
    totals = ints[ints.shape[0] - TOTALS_FROM_END] + TENSION_MAX
    for _ in range(cables):
        if y[kept + KEPT_TENSION_MAX] > out[totals]:
            out[totals] = y[kept + KEPT_TENSION_MAX]
        for k in range(4):
            place = kept + 3 * k
            to = at + (
                CABLE_TENSION_MIN if k == 0 else CABLE_TENSION_MAX if k == 1 else CABLE_CURVATURE_MAX if k == 2
                else CABLE_CLEARANCE_MIN + 1
            )  # fmt: skip
            seen = abs(y[place]) < UNSET
            out[to], out[to + 1] = (y[place + 1], y[place + 2]) if seen else (math.nan, math.nan)
        out[at + CABLE_CLEARANCE_MIN] = known(y[kept + KEPT_CLEARANCE_MIN])
        at += CABLE_EXTREMES
        kept += CABLE_KEPT
    for _ in range(2 * cables):
        out[at + END_FORCE_MIN], out[at + END_FORCE_MAX] = size_of(y[kept]), size_of(y[kept + END_FORCE_MAX])
        out[at + END_FORCE_MAX + 1] = y[kept + END_FORCE_MAX + 1] if y[kept + END_FORCE_MAX] >= 0.0 else math.nan
        at += END_EXTREMES
        kept += END_EXTREMES
    for _ in range(points):
        square, clearance = y[kept + POINT_ACCELERATION_MAX], y[kept + POINT_CLEARANCE_MIN]
        out[at + POINT_ACCELERATION_MAX] = size_of(square)
        out[at + POINT_ACCELERATION_MAX + 1] = y[kept + POINT_ACCELERATION_MAX + 1] if square >= 0.0 else math.nan
        out[at + POINT_CLEARANCE_MIN] = known(clearance)
        out[at + POINT_CLEARANCE_MIN + 1] = y[kept + POINT_CLEARANCE_MIN + 1] if clearance < UNSET else math.nan
        at += POINT_EXTREMES
        kept += POINT_EXTREMES


@kernel
def begin_extremes(n, out, ints, y):
    """Begin anew where n steps are to be seen at their end in one call, as an FMU asks for them."""
    if n > 0 and out.shape[0] > 0:
        clear_extremes(ints, y)


@kernel
def clear_extremes(ints, y):
    """Begin anew."""
    kept = first_extreme(ints, y)
    for _ in range(ints[ints.shape[0] - NODES_FROM_END]):
        y[kept], y[kept + 1], y[kept + 2] = UNSET, -UNSET, -UNSET
        kept += NODE_EXTREMES
    for _ in range(ints[ints.shape[0] - CABLES_FROM_END]):
        for k in range(4):
            y[kept + 3 * k] = UNSET if k == 0 or k == 3 else -UNSET
        kept += CABLE_KEPT
    for _ in range(2 * ints[ints.shape[0] - CABLES_FROM_END]):
        y[kept + END_FORCE_MIN], y[kept + END_FORCE_MAX] = UNSET, -UNSET
        kept += END_EXTREMES
    for _ in range(ints[ints.shape[0] - POINTS_FROM_END]):
        y[kept + POINT_ACCELERATION_MAX], y[kept + POINT_CLEARANCE_MIN] = -UNSET, UNSET
        kept += POINT_EXTREMES
