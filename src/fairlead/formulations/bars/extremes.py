"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import where
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import expected
from fairlead.algebra.small import add, add_scaled, dot, scale
from fairlead.loads.extremes import NOTHING, bend_between, first_extreme, note_cable, note_node
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.rigging.extremes import note_ends, note_points
from fairlead.sea.water import bed_clearance

from .element import axis_of
from .ends import point_of_end
from .frames import point_state
from .loosening import along_line, is_folded, only_pulls
from .topology import is_attached, is_clamped


@kernel
def note_along(t, c, at, sys):
    """Nodes of cable c, whose first one's extremes stand at `at`; the force of a joint is that of the step from t."""
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    reverse = cable.reversed == 1
    unused = first - cable.allotted_first
    if reverse:
        unused = cable.allotted_count - count - unused
    found = NOTHING
    behind, before = (0.0, 0.0, 0.0), 0.0
    place = past = behind
    for i in range(count + 1):
        j = first + c + i
        ahead, after = behind, before
        expected(sys.bar_state.position, first + min(i + 1, count - 1), 7)
        expected(sys.joint_load.force, first + c + min(i + 1, count), 3)
        if i < count:
            body = sys.bar_state[first + i]
            axis, after = axis_of(rotation(body.turn)), sys.bar[first + i].length
            ahead = along_line(j + 1, axis, sys)
            place = add_scaled(body.position, -0.5 * after, ahead if i == 0 else axis)
            here = place
            if i > 0:
                place = where(is_folded(j, sys), here, scale(0.5, add(past, here)))
            past = add_scaled(here, after, ahead)
        else:
            place = past
        force = sys.joint_load[j].force
        if i == 0 or i == count:
            end = 2 * c if i == 0 else 2 * c + 1
            tension, bend = 0.0, 0.0
            if is_attached(end, sys):
                tension = dot(force, ahead)
                place, _, _, _, _, _ = point_of_end(end, sys)
            if is_clamped(end, sys):
                turn, half = sys.relative[j].turn, 0.5 * after
                bend = 4.0 * (turn[1] * turn[1] + turn[2] * turn[2]) / (half * half)
        else:
            axis = add(behind, ahead)
            tension = dot(force, axis) / max(1e-9, math.sqrt(dot(axis, axis)))
            bend = bend_between(behind, ahead, 0.5 * (before + after))
        if only_pulls(j, sys):
            tension = max(0.0, tension)
        node = unused + (count - i if reverse else i)
        found = note_node(sys.y, at, node, tension, bend, bed_clearance(place, sys.reals), found)
        behind, before = ahead, after
    note_cable(t, c, found, sys.ints, sys.y)
    start = scale(sys.attached[2 * c].joined, sys.joint_load[first + c].force)
    end = scale(sys.attached[2 * c + 1].joined, sys.joint_load[first + c + count].force)
    note_ends(t, c, start, end, reverse, sys)


@kernel
def noted_state(k, sys):
    """Place and velocity of the k-th of all points and bodies of the file at the beginning of a step.

    What follows a motion has its own velocity, not that which the rule of a step gives it: they part by half a step's
    change, which jumps where the motion's acceleration does.
    """
    place, velocity = point_state(k, sys)
    which = sys.name[k].which
    control = sys.owner[which].control if which >= 0 else -1
    if control >= 0:
        velocity = sys.controls[control].velocity
    return place, velocity


@kernel
def note_extremes(t, sys):
    """Fold the step that begins at t, solved but not yet made, into the extremes."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        note_along(t, c, at, sys)
        at += NODE_EXTREMES * (sys.cable[c].allotted_count + 1)
    note_points(t, sys.named, noted_state, sys)
