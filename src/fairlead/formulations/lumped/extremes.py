"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.loads.extremes import bend_between, first_extreme
from fairlead.rigging.extremes import note_ends, note_line, note_points

from .ends import is_attached
from .points import clamp_direction, point_state
from .tensions import tension_at


@kernel
def bend_at(c, i, sys):
    """Square of the curvature at node i of cable c; at a clamp over half an element, at other ends none."""
    first, count = sys.cable[c].first, sys.cable[c].count
    if i > 0 and i < count:
        e = first + i
        length = 0.5 * (sys.element[e - 1].length + sys.element[e].length)
        return bend_between(sys.chord[e - 1].direction, sys.chord[e].direction, length)
    end = 2 * c + (1 if i == count else 0)
    if sys.joint[end].clamp == 0 or not is_attached(end, sys):
        return 0.0
    e = first + (count - 1 if i == count else 0)
    return bend_between(clamp_direction(end, sys), sys.chord[e].direction, 0.5 * sys.element[e].length)


@kernel
def seen(c, i, sys):
    """Tension, square of the curvature and place at node i of cable c."""
    return tension_at(c, i, sys.chord, sys), bend_at(c, i, sys), sys.node[sys.cable[c].first + c + i].position


@kernel
def note_extremes(t, sys):
    """Fold the step that begins at t, solved but not yet made, into the extremes. Places are those it is solved at."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        cable = sys.cable[c]
        reverse = cable.reversed == 1
        at = note_line(t, c, at, cable.count, cable.allotted_count - cable.count, reverse, seen, sys)
        note_ends(t, c, sys.end_force[2 * c].force, sys.end_force[2 * c + 1].force, reverse, sys)
    note_points(t, sys.places, point_state, sys)
