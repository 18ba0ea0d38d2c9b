"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, subtract, unit
from fairlead.loads.extremes import bend_between, first_extreme
from fairlead.rigging.extremes import note_ends, note_line, note_points

from .node import state_of
from .points import point_state
from .schema import TENSION_ONLY


@kernel
def tension_at(c, j, sys):
    """Tension at node j of cable c: the mean of its links; at an end the pull on its point along the link.

    Of links that only pull it is never below zero: weight and inertia of a slack one's half are in `force_end` alone.
    """
    cable = sys.cable[c]
    if j == 0 or j == cable.count:
        end = sys.end[2 * c + (0 if j == 0 else 1)]
        tension = dot(end.force, end.pull)
        return max(0.0, tension) if sys.sides == TENSION_ONLY else tension
    return 0.5 * (sys.pull[cable.link + j - 1].tension + sys.pull[cable.link + j].tension)


@kernel
def bend_at(c, j, sys):
    """Square of the curvature at node j of cable c; none at its ends."""
    cable, s = sys.cable[c], sys.paid[c].factor
    if j == 0 or j == cable.count:
        return 0.0
    place = state_of(cable, j, sys).position
    behind = unit(subtract(place, state_of(cable, j - 1, sys).position))
    ahead = unit(subtract(state_of(cable, j + 1, sys).position, place))
    k = cable.link + j
    return bend_between(behind, ahead, 0.5 * s * (sys.link[k - 1].length + sys.link[k].length))


@kernel
def seen(c, j, sys):
    """Tension, square of the curvature and place at node j of cable c."""
    return tension_at(c, j, sys), bend_at(c, j, sys), state_of(sys.cable[c], j, sys).position


@kernel
def note_extremes(t, sys):
    """Fold a step that was made from t into the extremes: its forces, and the places and velocities it led to."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        at = note_line(t, c, at, sys.cable[c].count, 0, False, seen, sys)
        note_ends(t, c, sys.end[2 * c].force, sys.end[2 * c + 1].force, False, sys)
    note_points(t, sys.points, point_state, sys)
