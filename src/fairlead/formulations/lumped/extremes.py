"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.records import expected
from fairlead.loads.extremes import bend_between, first_extreme
from fairlead.rigging.extremes import note_ends, note_line, note_line_in_eights, note_points
from fairlead.rigging.frames import point_state

from .ends import is_attached
from .points import clamp_direction
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


@inlined
def seen(c, i, sys):
    """Tension, square of the curvature and place at node i of cable c."""
    first, count = sys.cable[c].first, sys.cable[c].count
    expected(sys.chord.direction, first + min(i + 1, count - 1), 3)
    expected(sys.spring.passed, first + min(i + 1, count - 1), 2)
    expected(sys.node.position, first + c + min(i + 1, count), 3)
    return tension_at(c, i, sys.chord, sys), bend_at(c, i, sys), sys.node[sys.cable[c].first + c + i].position


@inlined
def seen_within(e, c, sys):
    """The same where elements e − 1 and e of cable c meet."""
    ahead, behind = sys.chord[e], sys.chord[e - 1]
    length = 0.5 * (sys.element[e - 1].length + sys.element[e].length)
    bend = bend_between(behind.direction, ahead.direction, length)
    tension = 0.5 * (sys.spring[e].passed[0] + sys.spring[e - 1].passed[1])
    return tension, bend, sys.node[e + c].position


@kernel
def note_extremes(t, sys):
    """Fold a step with its middle at t, solved but not yet made, into the extremes, with places as it is solved at."""
    note_cables(t, in_eights(sys), sys)
    note_points(t, sys.named, point_state, sys)


@kernel
def note_cables(t, rows, sys):
    """All cables, their nodes eight at a time of `rows` where there are such."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        cable = sys.cable[c]
        reverse = cable.reversed == 1
        if rows is not None:
            at = note_line_in_eights(t, c, at, cable.first, cable.count, reverse, seen, seen_within, rows, sys)
        else:
            at = note_line(t, c, at, cable.count, cable.allotted_count - cable.count, reverse, seen, sys)
        note_ends(t, c, sys.end_force[2 * c].force, sys.end_force[2 * c + 1].force, reverse, sys)
