"""Samples of a study, taken in the middle of the step that begins with them; see `rigging.watching`."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import where
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, dot, scale
from fairlead.rigging.frames import point_state
from fairlead.rigging.watching import CHANNELS, HOME, TABLES, wants_points, watch_lines, watch_points

from .element import axis_of
from .frames import drive_points, show_points
from .loosening import along_line, only_pulls
from .topology import is_attached


@kernel
def seen_state(k, sys):
    """Place and velocity of the k-th of all points and bodies of the file where the state has them, after the solve."""
    place, velocity = point_state(k, sys)
    if sys.name[k].which < 0:  # a hub has drifted
        place = add_scaled(place, -sys.scheme.half, velocity)
    return place, velocity


@kernel
def force_now(j, sys):
    """Multiplier of the position rows of joint j at the beginning of a step that is solved: in the second-order step
    the mean of that step and the one before, unless it is the first."""
    force, weight = sys.joint_load[j].force, 0.5 if sys.scheme.half > 0.0 else 0.0
    weight = where(sys.scheme.fresh > 0.5, 0.0, weight)
    return add_scaled(scale(1.0 - weight, force), weight, sys.multipliers[j].force)


@kernel
def axis_then(bar, sys):
    """Direction of a bar at the beginning of a step that is solved: in the second-order step it has drifted on."""
    body, half = sys.bar_state[bar], sys.scheme.half
    if half > 0.0:
        back = scale(-half, body.spin)
        return axis_of(rotation(turned(body.turn, back[0], back[1], back[2])))
    return axis_of(rotation(body.turn))


@kernel
def node_tension(c, node, sys):
    """Effective tension at a node of cable c, as the file counts them, after a solve; NaN where it is on a drum."""
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    i = node - (first - cable.allotted_first)
    if cable.reversed == 1:
        i = cable.allotted_count - node - (first - cable.allotted_first)
    if i < 0 or i > count:
        return math.nan
    j, axis, attached = first + c + i, (0.0, 0.0, 0.0), True
    if i > 0:
        axis = add(axis, along_line(j, axis_then(first + i - 1, sys), sys))
    if i < count:
        axis = add(axis, along_line(j + 1, axis_then(first + i, sys), sys))
    if i == 0 or i == count:
        attached = is_attached(2 * c if i == 0 else 2 * c + 1, sys)
    size = math.sqrt(dot(axis, axis))
    tension = dot(force_now(j, sys), axis) / where(size > 1e-9, size, 1.0)
    if only_pulls(j, sys):
        tension = max(0.0, tension)
    return tension if attached else 0.0 * tension


@kernel
def watch(t, sample, u, seen, sys):
    """Write what is asked for into row `sample` of every member's table, and begin new extremes."""
    asked, home, out = seen[CHANNELS], seen[HOME], seen[TABLES]
    if wants_points(asked):
        for k in range(lane_count(sys)):
            show_points(lane_of(sys, k))
        watch_points(sample, asked, home, out, seen_state, sys)
        for k in range(lane_count(sys)):
            drive_points(t, 0, u, lane_of(sys, k))
    watch_lines(sample, asked, out, node_tension, sys)
