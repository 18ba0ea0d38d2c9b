"""One observation, column by column: how all formulations write what is seen of a state.

Every writer returns where the next columns begin. `point_state(k, sys)` is a formulation's kernel that gives place and
velocity of the k-th of all points and bodies of the file, `shown(c, i, sys)` one that gives what `put_node` writes of
node i of cable c.
"""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of
from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.small import put
from fairlead.results.observation import (
    END_COLUMNS,
    END_FORCE_END,
    END_FORCE_START,
    ENERGY_ELASTIC,
    ENERGY_GRAVITY,
    ENERGY_KINETIC,
    NODE_BENDING_MOMENT,
    NODE_COLUMNS,
    NODE_CONTACT_FORCE,
    NODE_POSITION,
    NODE_SHEAR,
    NODE_TENSION,
    NODE_TORSION,
    NODE_VELOCITY,
    POINT_COLUMNS,
    POINT_POSITION,
    POINT_VELOCITY,
    TENSION_MAX,
    TOTALS,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_DRIVES,
    WORK_FRICTION,
)

TOTAL_COLUMNS = len(TOTALS)


@kernel
def put_node(out, at, place, velocity, tension, shear, bending, torsion, push):
    """One node: place and velocity, effective tension, shear, bending moment and torsion, push of the seabed."""
    put(out, at + NODE_POSITION, place)
    put(out, at + NODE_VELOCITY, velocity)
    out[at + NODE_TENSION] = tension
    out[at + NODE_SHEAR] = shear
    out[at + NODE_BENDING_MOMENT] = bending
    out[at + NODE_TORSION] = torsion
    put(out, at + NODE_CONTACT_FORCE, push)
    return at + NODE_COLUMNS


@kernel
def put_no_nodes(out, at, count):
    """Nodes that are still on a drum."""
    for k in range(at, at + NODE_COLUMNS * count):
        out[k] = math.nan
    return at + NODE_COLUMNS * count


@fold
def put_line(out, at, c, count, spare, reverse, shown, sys):
    """Nodes of cable c, of `count` elements, from its start in the file on; also its largest tension.

    spare, reverse: as in `rigging.extremes.note_line`.
    """
    most = -math.inf
    if not reverse:
        at = put_no_nodes(out, at, spare)
    for k in range(count + 1):
        place, velocity, tension, shear, bending, torsion, push = shown(c, count - k if reverse else k, sys)
        at = put_node(out, at, place, velocity, tension, shear, bending, torsion, push)
        most = max(most, tension)
    if reverse:
        at = put_no_nodes(out, at, spare)
    return at, most


@kernel
def put_ends(out, at, start, end):
    """Forces of a cable on what holds its start and its end."""
    put(out, at + END_FORCE_START, start)
    put(out, at + END_FORCE_END, end)
    return at + END_COLUMNS


@fold
def put_points(out, at, count, point_state, sys):
    """All points and bodies of the file."""
    for k in range(count):
        place, velocity = point_state(k, sys)
        put(out, at + POINT_POSITION, place)
        put(out, at + POINT_VELOCITY, velocity)
        at += POINT_COLUMNS
    return at


@kernel
def works_of(ledger):
    """The four works of a ledger, which are the first of its numbers in every formulation but the tether."""
    return ledger.drag, ledger.damping, ledger.friction, ledger.drives


@kernel
def put_totals(out, at, kinetic, gravity, elastic, works, most):
    """Energies, the works of drag, damping, friction and drives, and the largest tension."""
    out[at + ENERGY_KINETIC], out[at + ENERGY_GRAVITY], out[at + ENERGY_ELASTIC] = kinetic, gravity, elastic
    out[at + WORK_DRAG], out[at + WORK_DAMPING], out[at + WORK_FRICTION], out[at + WORK_DRIVES] = works
    out[at + TENSION_MAX] = most
    return at + TOTAL_COLUMNS


@kernel
def add_elastic(out, after_totals, energy):
    """Add to the elastic energy of an observation whose totals end there."""
    out[after_totals - TOTAL_COLUMNS + ENERGY_ELASTIC] += energy


@kernel
def put_two(out, at, one, two):
    """Two numbers beside the common ones."""
    out[at], out[at + 1] = one, two
    return at + 2


@kernel
def put_angles(out, at, R):
    """Roll, pitch and yaw of a body turned by R."""
    put(out, at, angles_of(R))
    return at + 3


@kernel
def node_line(i, count, h0, h1, t0, t1):
    """A number at node i of `count` elements, on the line through the middles of the two elements nearest to it.

    These have the lengths h0 and h1 and the numbers t0 and t1: the two beside the node; at an end the last two there.
    """
    if count == 1:
        return t0
    away = -0.5 * h0 if i == 0 else (0.5 * h0 if i < count else 0.5 * h0 + h1)
    return t0 + (t1 - t0) * away / (0.5 * (h0 + h1))


@kernel
def held_state(k, sys):
    """Place and velocity of point k, which no node is: as it is commanded, or fixed."""
    control = sys.point[k].control
    if control >= 0:
        return sys.controls[control].position, sys.controls[control].velocity
    return sys.place[k].position, (0.0, 0.0, 0.0)


@kernel
def node_or_held(k, sys):
    """The same of a point that may be a node, whose states are the tables `position` and `velocity`."""
    node = sys.point[k].node
    if node >= 0:
        return sys.position[node].xyz, sys.velocity[node].xyz
    return held_state(k, sys)
