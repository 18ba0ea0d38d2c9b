"""Samples of a study, taken in the middle of the step that begins with them; see `rigging.watching`.

The step is solved half-way, and what is seen is of its beginning: places and the directions of the elements are looked
at before it goes there, tensions afterwards, along those directions, as an observation has them.
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
from .tensions import tension_at


@kernel
def swept(c, node, sys):
    """The number of a node of cable c in the order it is kept, of one as the file counts them."""
    return sys.cable[c].count - node if sys.cable[c].reversed == 1 else node


@kernel
def node_tension(c, node, sys):
    """Tension at a node of cable c, as the file counts them, after a solve."""
    return tension_at(c, swept(c, node, sys), sys.facing, sys)


@kernel
def aim(c, first, last, sys):
    """Keep where the elements of cable c from `first` to `last` point."""
    for e in range(sys.cable[c].first + first, sys.cable[c].first + last + 1):
        sys.facing[e].direction, _ = chord(e + c, sys)


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
            aim(c, max(0, i - 1), min(i, sys.cable[c].count - 1), sys)
        elif how <= LEAST:
            aim(c, 0, sys.cable[c].count - 1, sys)


@kernel
def watch(sample, seen, sys):
    """After the solve: cables as they are asked for, and all extremes; begin new ones."""
    watch_lines(sample, seen[CHANNELS], seen[TABLES], node_tension, sys)
