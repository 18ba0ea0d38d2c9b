"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import WIDTH, all_lanes, common, where
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import expected, taken
from fairlead.algebra.small import add, add_scaled, dot, scale
from fairlead.loads.extremes import (
    NOTHING, best_of_eight, bend_between, first_extreme, note_cable, note_eight, note_node, nothing_in_eight,
)  # fmt: skip
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.rigging.extremes import note_ends, note_points
from fairlead.rigging.frames import point_state
from fairlead.sea.water import bed_clearance

from .element import axis_of
from .ends import point_of_end
from .loosening import along_line, held_along, is_folded, is_held_folded, only_pulls
from .topology import is_attached, is_clamped


@inlined
def seen_within(bar, j, sys):
    """Tension, square of the curvature and place at joint j, where the bar before `bar` and `bar` meet; neither of them
    is the first of its cable."""
    one, two, before, after = sys.bar_state[bar - 1], sys.bar_state[bar], sys.bar[bar - 1].length, sys.bar[bar].length
    axis_one, axis_two = axis_of(rotation(one.turn)), axis_of(rotation(two.turn))
    behind, ahead = along_line(j, axis_one, sys), along_line(j + 1, axis_two, sys)
    past = add_scaled(add_scaled(one.position, -0.5 * before, axis_one), before, behind)
    here = add_scaled(two.position, -0.5 * after, axis_two)
    axis = add(behind, ahead)
    tension = dot(sys.joint_load[j].force, axis) / max(1e-9, math.sqrt(dot(axis, axis)))
    if only_pulls(j, sys):
        tension = max(0.0, tension)
    place = where(is_folded(j, sys), here, scale(0.5, add(past, here)))
    return tension, bend_between(behind, ahead, 0.5 * (before + after)), place


@inlined
def are_joined_alike(j, rows):
    """Whether eight joints from j on, and the one behind them, all only pull or none does."""
    these, next = rows.joint[j].one_way, rows.joint[j + 1].one_way
    return all_lanes((these == common(these)) & (next == common(these)))


@inlined
def seen_ahead(bar, j, sys):
    """State of a bar, multiplier of joint j behind it, what is held in `sys.loose` of the joint ahead of it, and
    whether that only pulls."""
    ahead = min(j + 1, sys.joints - 1)
    return taken(sys.bar_state[bar]), taken(sys.joint_load[j]), taken(sys.loose[ahead]), only_pulls(ahead, sys)


@inlined
def seen_at(c, i, body, force, held, pulls, held_ahead, pulls_ahead, behind, before, past, sys):
    """Tension, square of the curvature and place at node i of cable c, and direction, length and end of the line in the
    bar ahead.

    body                     that bar; at the cable's end it is not looked at
    force                    of the joint there
    held, pulls              what is held of it in `sys.loose`, and whether it only pulls; the same of the joint ahead
    behind, before, past     direction, length and end of the line in the bar behind
    """
    first, count = sys.cable[c].first, sys.cable[c].count
    ahead, after = behind, before
    if i < count:
        axis, after = axis_of(rotation(body.turn)), sys.bar[first + i].length
        ahead = held_along(pulls_ahead, axis, held_ahead)
        place = add_scaled(body.position, -0.5 * after, ahead if i == 0 else axis)
        here = place
        if i > 0:
            place = where(is_held_folded(pulls, held), here, scale(0.5, add(past, here)))
        past = add_scaled(here, after, ahead)
    else:
        place = past
    if i == 0 or i == count:
        end = 2 * c if i == 0 else 2 * c + 1
        tension, bend = 0.0, 0.0
        if is_attached(end, sys):
            tension = dot(force, ahead)
            place, _, _, _, _, _ = point_of_end(end, sys)
        if is_clamped(end, sys):
            turn, half = sys.relative[first + c + i].turn, 0.5 * after
            bend = 4.0 * (turn[1] * turn[1] + turn[2] * turn[2]) / (half * half)
    else:
        axis = add(behind, ahead)
        tension = dot(force, axis) / max(1e-9, math.sqrt(dot(axis, axis)))
        bend = bend_between(behind, ahead, 0.5 * (before + after))
    if pulls:
        tension = max(0.0, tension)
    return tension, bend, place, ahead, after, past


@inlined
def first_node(cable):
    """Which node of a cable, as the file counts all that are allotted, is the first of its sweep, and the step from one
    to the next."""
    unused = cable.first - cable.allotted_first
    if cable.reversed == 1:
        return cable.allotted_count - unused, -1
    return unused, 1


@kernel
def note_along(t, c, at, rows, sys):
    """Nodes of cable c, whose first one's extremes stand at `at`; the force of a joint is that of the step from t. Of
    `rows`, where there are such, they are looked at eight at a time."""
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    zero, onward = first_node(cable)
    found = NOTHING
    behind, before = (0.0, 0.0, 0.0), 0.0
    past = behind
    skipped = 0
    coming = seen_ahead(first, first + c, sys)
    held_ahead, pulls_ahead = taken(sys.loose[first + c]), only_pulls(first + c, sys)
    for i in range(count + 1):
        held, pulls = held_ahead, pulls_ahead
        body, load, held_ahead, pulls_ahead = coming
        coming = seen_ahead(first + min(i + 1, count - 1), first + c + min(i + 1, count), sys)
        if rows is not None:
            if i == 2:
                skipped, found = note_together(c, at, zero, onward, found, rows, sys)
                if skipped > 2:
                    last, before = sys.bar_state[first + skipped - 1], sys.bar[first + skipped - 1].length
                    axis = axis_of(rotation(last.turn))
                    behind = along_line(first + c + skipped, axis, sys)
                    past = add_scaled(add_scaled(last.position, -0.5 * before, axis), before, behind)
            if i >= 2 and i < skipped:
                continue
        expected(sys.bar_state.position, first + min(i + 2, count - 1), 7)
        expected(sys.joint_load.force, first + c + min(i + 2, count), 3)
        expected(sys.loose.loose, first + c + min(i + 3, count), 1)
        expected(sys.loose.side, first + c + min(i + 3, count), 1)
        tension, bend, place, behind, before, past = seen_at(
            c, i, body, load.force, held, pulls, held_ahead, pulls_ahead, behind, before, past, sys
        )
        found = note_node(sys.y, at, zero + onward * i, tension, bend, bed_clearance(place, sys.reals), found)
    note_whole(t, c, found, sys)


@kernel
def note_whole(t, c, found, sys):
    """Fold what was `found` along cable c, and the forces at its ends."""
    first, count = sys.cable[c].first, sys.cable[c].count
    note_cable(t, c, found, sys.ints, sys.y)
    start = scale(sys.attached[2 * c].joined, sys.joint_load[first + c].force)
    end = scale(sys.attached[2 * c + 1].joined, sys.joint_load[first + c + count].force)
    note_ends(t, c, start, end, sys.cable[c].reversed == 1, sys)


@kernel
def note_together(c, at, zero, ahead, found, rows, sys):
    """Nodes of cable c from the third on, eight at a time; the first that is left, and what is `found` with them.
    `zero` and `ahead` are what `first_node` gives."""
    first, count = sys.cable[c].first, sys.cable[c].count
    i, best = 2, nothing_in_eight()
    while i + WIDTH <= count and are_joined_alike(first + c + i, rows):
        tensions, bends, places = seen_within(first + i, first + c + i, rows)
        best = note_eight(
            sys.y, at + NODE_EXTREMES * (zero + ahead * i), ahead * NODE_EXTREMES, i, tensions, bends,
            bed_clearance(places, rows.reals), best,
        )  # fmt: skip
        i += WIDTH
    if i > 2:
        found = best_of_eight(best, zero, ahead, found)
    return i, found


@kernel
def noted_state(k, sys):
    """Place and velocity of the k-th of all points and bodies of the file at the beginning of a step, or in the middle
    of a second-order step.

    What follows a motion has its own velocity, not that which the rule of a step gives it: they part by half a step's
    change, which jumps where the motion's acceleration does.
    """
    place, velocity = point_state(k, sys)
    which, half = sys.name[k].which, sys.scheme.half
    if half > 0.0:
        gained = sys.point_now[which].acceleration if which >= 0 else sys.hub_rhs[-which - 1].linear
        return add_scaled(place, 0.5 * half * half, gained), add_scaled(velocity, half, gained)
    control = sys.owner[which].control if which >= 0 else -1
    if control >= 0:
        velocity = sys.controls[control].velocity
    return place, velocity


@kernel
def note_extremes(t, sys):
    """Fold the step that begins at t, solved but not yet made, into the extremes."""
    note_cables(t, in_eights(sys), sys)
    note_all_points(t, sys)


@kernel
def note_all_points(t, sys):
    """Points and bodies of the file."""
    note_points(t, sys.named, noted_state, sys)


@kernel
def note_cables(t, rows, sys):
    """All cables."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        note_along(t, c, at, rows, sys)
        at += NODE_EXTREMES * (sys.cable[c].allotted_count + 1)
