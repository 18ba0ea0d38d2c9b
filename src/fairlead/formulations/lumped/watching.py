"""Samples of a study, taken in the middle of the step that begins with them; see `rigging.watching`.

The step is solved half-way, and what is seen is of its beginning: places and the directions of the elements are looked
at before it goes there, tensions afterwards, along those directions, as an observation has them.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.small import dot, scale, subtract
from fairlead.rigging.watching import CHANNELS, HOME, TABLES, wants_points, watch_lines, watch_points

from .ends import place_ends
from .points import drive_points, point_state
from .tensions import tension_at


@kernel
def node_tension(c, node, sys):
    """Tension at a node of cable c, as the file counts them, after a solve."""
    cable = sys.cable[c]
    return tension_at(c, cable.count - node if cable.reversed == 1 else node, sys)


@kernel
def look(t, sample, u, seen, sys):
    """At the beginning of a step: points as they are asked for, and where every element points."""
    for k in range(lane_count(sys)):
        drive_points(t, 0.0, 1, u, lane_of(sys, k))
    if wants_points(seen[CHANNELS]):
        watch_points(sample, seen[CHANNELS], seen[HOME], seen[TABLES], point_state, sys)
    for c in range(sys.cables):
        place_ends(c, sys)  # which the step itself does anew
        first = sys.cable[c].first
        for e in range(first, first + sys.cable[c].count):
            d = subtract(sys.node[e + c + 1].position, sys.node[e + c].position)
            sys.facing[e].direction = scale(1.0 / math.sqrt(dot(d, d)), d)


@kernel
def exchange_directions(sys):
    """Directions of elements at the beginning of the step for those half-way, or back."""
    for e in range(sys.elements):
        chord, facing = sys.chord[e], sys.facing[e]
        chord.direction, facing.direction = facing.direction, chord.direction


@kernel
def watch(sample, seen, sys):
    """After the solve: cables as they are asked for, and all extremes; begin new ones."""
    exchange_directions(sys)
    watch_lines(sample, seen[CHANNELS], seen[TABLES], node_tension, sys)
    exchange_directions(sys)
