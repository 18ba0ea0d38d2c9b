"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.loads.extremes import first_extreme
from fairlead.rigging.extremes import bend_of_two, note_ends, note_line, note_points
from fairlead.rigging.observation import node_or_held

from .links import force_on_support


@kernel
def tension_at(c, i, sys):
    """Tension at node i of cable c, the mean of its links, after a solution: multipliers times lengths."""
    first, count = sys.cable[c].first, sys.cable[c].count
    tension = 0.0
    for k in (max(i - 1, 0), min(i, count - 1)):
        tension += 0.5 * sys.link[first - c + k].length * sys.found[first + k].multiplier
    return tension


@kernel
def bend_at(c, i, sys):
    """Square of the curvature at node i of cable c; none at its ends."""
    first, count = sys.cable[c].first, sys.cable[c].count
    if i == 0 or i == count:
        return 0.0
    one, two = sys.link[first - c + i - 1].length, sys.link[first - c + i].length
    return bend_of_two(
        sys.position[first + i - 1].xyz, sys.position[first + i].xyz, sys.position[first + i + 1].xyz, one, two
    )  # fmt: skip


@kernel
def seen(c, i, sys):
    """Tension, square of the curvature and place at node i of cable c."""
    return tension_at(c, i, sys), bend_at(c, i, sys), sys.position[sys.cable[c].first + i].xyz


@kernel
def note_extremes(t, sys):
    """Fold the state at t, from which a step begins and whose forces are known, into the extremes."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        count = sys.cable[c].count
        at = note_line(t, c, at, count, 0, False, seen, sys)
        note_ends(t, c, force_on_support(t, c, 0, sys), force_on_support(t, c, count, sys), False, sys)
    note_points(t, sys.points, node_or_held, sys)
