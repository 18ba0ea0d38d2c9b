"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, subtract
from fairlead.loads.extremes import first_extreme
from fairlead.rigging.extremes import note_ends, note_line, note_points
from fairlead.rigging.observation import node_or_held

from .inertia import node_water
from .observe import force_on_support, node_tension
from .schema import FREE


@kernel
def end_inertia(t, cable, n, sys):
    """Inertia force of end node n of a cable: its row of (M + A) a, with what held ends do to the others' a."""
    row = cable.band + n * (2 * cable.half + 1) + cable.half - n
    start, end = sys.acceleration[cable.first].xyz, sys.acceleration[cable.first + cable.count].xyz
    total = ZERO3
    for j in range(max(0, n - cable.half), min(cable.count, n + cable.half) + 1):
        i = cable.first + j
        a = sys.acceleration[i].xyz
        if sys.held[i].control == FREE:
            a = add_scaled(add_scaled(a, sys.node[i].pull_start, start), sys.node[i].pull_end, end)
        total = add_scaled(total, sys.band[row + j].entry, a)
    if sys.water == 1:
        total = add(total, node_water(t, cable.first + n, sys.acceleration[cable.first + n].xyz, sys))
    return total


@kernel
def end_force(t, c, side, explicit, sys):
    """Force of cable c on what holds its end after a step to t: at a held end what was left of the forces on its node.

    An implicit step keeps it as its mean over the step, an explicit one as it is at t but for the inertia.
    """
    cable = sys.cable[c]
    n = side * cable.count
    if sys.held[cable.first + n].control == FREE:
        return force_on_support(t, c, side, sys)
    force = sys.reaction[2 * c + side].xyz
    return subtract(force, end_inertia(t, cable, n, sys)) if explicit else force


@kernel
def seen(c, n, sys):
    """Tension, square of the curvature and place at node n of cable c."""
    i = sys.cable[c].first + n
    bent = sys.curvature[i].xyz
    return node_tension(c, i, sys), dot(bent, bent), sys.position[i].xyz


@kernel
def note_extremes(t, explicit, sys):
    """Fold a step that was made to t, by an explicit or an implicit rule, into the extremes."""
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        at = note_line(t, c, at, sys.cable[c].count, 0, False, seen, sys)
        note_ends(t, c, end_force(t, c, 0, explicit, sys), end_force(t, c, 1, explicit, sys), False, sys)
    note_points(t, sys.points, node_or_held, sys)
