"""What a study keeps of a sample: the numbers that were asked for and no others.

The tensions of a moment follow from the accelerations then, which the step that begins there computes anyway: a sample
is taken in the middle of that step, and costs what its few numbers cost. `asked` has a row for each channel:

    how, cable or point, node or part, where in `y` its least and its largest of the steps since stand (or −1), roots

`how` is one of the kinds below; `roots` is 1 where squares are kept. Three numbers come of it: value, least, largest.
What belongs to a sample goes together as `seen`: (steps from one to the next, what is asked for, places that ways are
measured from (member, channel, 2), the tables that samples go to (member, sample, 3 numbers of each channel)).

Of a formulation `point_state(k, sys)` gives place and velocity of the k-th of all points and bodies of the file, and
`node_tension(c, node, sys)` the tension at a node of cable c as the file counts them, after a solve; NaN where it is on
a drum.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.lanes import pick, placed, where
from fairlead.algebra.packs import lane_count
from fairlead.algebra.small import dot
from fairlead.loads.extremes import clear_extremes
from fairlead.results.extremes import UNSET

AT_NODE, MOST, LEAST, PLACE, SPEED, OFFSET, EXTREME = range(7)
"""Tension at a node, the largest and the least along a cable; a coordinate, the speed and the way of a point; nothing
but the extreme."""
HOW, WHICH, PART, LOW, HIGH, ROOTS = range(6)
ASKED = 6
EVERY, CHANNELS, HOME, TABLES = range(4)
"""What `seen` has."""


@kernel
def wants_points(asked):
    """Whether places or velocities are asked for."""
    found = False
    for c in range(asked.shape[0]):
        found = found or PLACE <= asked[c, HOW] <= OFFSET
    return found


@kernel
def put(value, sample, at, out, sys):
    """Write a number of every member into its table."""
    for k in range(lane_count(sys)):
        out[k, sample, at] = pick(value, k)


@kernel
def way(x, c, part, home, sys):
    """How far a coordinate is from where every member has its home."""
    for k in range(lane_count(sys)):
        x = placed(x, k, pick(x, k) - home[k, c, part])
    return x


@kernel
def of_point(how, part, place, velocity, c, home, sys):
    """A channel's number of a point."""
    if how == SPEED:
        return math.sqrt(dot(velocity, velocity))
    if how == OFFSET:
        x, y = way(place[0], c, 0, home, sys), way(place[1], c, 1, home, sys)
        return math.sqrt(x * x + y * y)
    return place[0] if part == 0 else place[1] if part == 1 else place[2]


@fold
def watch_points(sample, asked, home, out, point_state, sys):
    """Write what is asked for of points and bodies, which are where the state has them."""
    for c in range(asked.shape[0]):
        if PLACE <= asked[c, HOW] <= OFFSET:
            place, velocity = point_state(asked[c, WHICH], sys)
            put(of_point(asked[c, HOW], asked[c, PART], place, velocity, c, home, sys), sample, 3 * c, out, sys)


@kernel
def extreme_since(at, roots, sys):
    """An extreme of the steps since the sample before; NaN where there was none."""
    x = sys.y[at]
    kept = where(abs(x) < UNSET, x, math.nan)
    return math.sqrt(kept) if roots == 1 else kept


@fold
def watch_lines(sample, asked, out, node_tension, sys):
    """Write what is asked for of cables, and all extremes; begin new ones."""
    for c in range(asked.shape[0]):
        how, which, roots = asked[c, HOW], asked[c, WHICH], asked[c, ROOTS]
        least = extreme_since(max(0, asked[c, LOW]), roots, sys)
        largest = extreme_since(max(0, asked[c, HIGH]), roots, sys)
        put(least, sample, 3 * c + 1, out, sys)
        put(largest, sample, 3 * c + 2, out, sys)
        if how == EXTREME:
            put(least if asked[c, LOW] >= 0 else largest, sample, 3 * c, out, sys)
        if how <= LEAST:
            first, last = (asked[c, PART], asked[c, PART]) if how == AT_NODE else (0, sys.cable[which].allotted_count)
            found = node_tension(which, first, sys)
            for node in range(first + 1, last + 1):
                tension = node_tension(which, node, sys)
                beyond = tension < found if how == LEAST else tension > found
                found = where(beyond | (found != found), tension, found)
            put(found, sample, 3 * c, out, sys)
    clear_extremes(sys.ints, sys.y)
