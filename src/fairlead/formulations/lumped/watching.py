"""Samples of a study, taken in the middle of the step that begins with them; see `rigging.watching`.

The step is solved half-way, and what is seen is of its beginning: places, the directions of the elements and the
tensions of the step before are looked at before it goes there, its own tensions afterwards, along those directions. As
in an observation, the tension of a sample is the mean of both steps.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.rigging.frames import point_state
from fairlead.rigging.watching import (
    AT_NODE, CHANNELS, HOME, HOW, LEAST, PART, TABLES, WHICH, wants_points, watch_lines, watch_points,
)  # fmt: skip

from .ends import is_attached, place_end
from .points import chord, drive_points
from .tensions import between_steps, tension_at


@kernel
def swept(c, node, sys):
    """The number of a node of cable c in the order it is kept, of one as the file counts them."""
    return sys.cable[c].count - node if sys.cable[c].reversed == 1 else node


@kernel
def node_tension(c, node, sys):
    """Tension at a node of cable c, as the file counts them, after a solve."""
    i = swept(c, node, sys)
    before, after = sys.sampled[sys.cable[c].first + c + i].tension, tension_at(c, i, sys.facing, sys)
    return between_steps(before, after, sys)


@kernel
def aim(c, first, last, sys):
    """Keep where the elements of cable c beside its nodes from `first` to `last` point, and the tensions there."""
    start, count = sys.cable[c].first, sys.cable[c].count
    for e in range(start + max(0, first - 1), start + min(last, count - 1) + 1):
        sys.facing[e].direction, _ = chord(e + c, sys)
    for i in range(first, last + 1):
        sys.sampled[start + c + i].tension = tension_at(c, i, sys.facing, sys)


@kernel
def place_turning_ends(sys):
    """Ends on free bodies where these have them: on a lever they came there straight. A step does so by itself."""
    if sys.hub_size == 6:
        for end in range(2 * sys.cables):
            if sys.joint[end].hub >= 0 and is_attached(end, sys):
                cable = sys.cable[end // 2]
                place_end(end, sys.node[cable.first + end // 2 + (end % 2) * cable.count], sys)


@kernel
def look(t, sample, u, seen, sys):
    """At the beginning of a step: points as they are asked for, and where the elements point whose tension is."""
    asked = seen[CHANNELS]
    if wants_points(asked):
        for k in range(lane_count(sys)):
            drive_points(t, 0.0, 1, u, lane_of(sys, k))
        watch_points(sample, asked, seen[HOME], seen[TABLES], point_state, sys)
    place_turning_ends(sys)
    for k in range(asked.shape[0]):
        how, c = asked[k, HOW], asked[k, WHICH]
        if how == AT_NODE:
            i = swept(c, asked[k, PART], sys)
            aim(c, i, i, sys)
        elif how <= LEAST:
            aim(c, 0, sys.cable[c].count, sys)


@kernel
def watch(sample, seen, sys):
    """After the solve: cables as they are asked for, and all extremes; begin new ones."""
    watch_lines(sample, seen[CHANNELS], seen[TABLES], node_tension, sys)
