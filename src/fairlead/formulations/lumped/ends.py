"""What a cable end is joined to: a prescribed point, a free point, or a place on a free body.

A place at offset o on a body moves as v + R(w × o) and accelerates by a + U α + R(w × (w × o)), U = −R S(o), with the
body's unknown accelerations a (global) and α (body axes).
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import common
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, matvec
from fairlead.rigging.frames import lever_columns

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def is_attached(end, sys):
    """Whether a cable end is still joined to its point; all members of a pack alike, which let none go."""
    return common(sys.hold[end].attached) > 0.5


@kernel
def place_ends(c, sys):
    """Let the end nodes of cable c follow the points they are joined to."""
    cable = sys.cable[c]
    for side in range(2):
        if is_attached(2 * c + side, sys):
            place_end(2 * c + side, sys.node[cable.first + c + side * cable.count], sys)


@kernel
def place_end(end, node, sys):
    """Let the node of a joined cable end follow its point."""
    joint = sys.joint[end]
    if joint.hub < 0:
        point = sys.point_now[joint.point]
        node.position, node.velocity = point.position, point.velocity
        return
    hub = sys.hub_state[joint.hub]
    place, velocity = hub.position, hub.velocity
    if sys.hub_size == 6:
        R, o = rotation(hub.turn), sys.end[end].offset
        place = add(place, matvec(R, o))
        velocity = add(velocity, matvec(R, cross(hub.spin, o)))
    node.position, node.velocity = place, velocity


@kernel
def known_acceleration(end, sys):
    """The part of a joined end's acceleration that is there without the hub's unknown accelerations."""
    joint = sys.joint[end]
    if joint.hub < 0:
        return sys.point_now[joint.point].acceleration
    if sys.hub_size == 3:
        return ZERO3
    hub = sys.hub_state[joint.hub]
    _, spin = middle_motion(joint.hub, sys)
    return matvec(rotation(hub.turn), cross(spin, cross(spin, sys.end[end].offset)))


@kernel
def middle_motion(h, sys):
    """Velocity and angular velocity of a hub in the middle of the step, predicted with the accelerations of the step
    before; in the first-order step those of its beginning."""
    hub, was, time = sys.hub_state[h], sys.hub_previous[h], sys.scheme.foresight
    return add_scaled(hub.velocity, time, was.acceleration), add_scaled(hub.spin, time, was.spin_rate)


@kernel
def end_acceleration(end, sys):
    """Acceleration of what a joined cable end follows, after the hubs are solved."""
    known = known_acceleration(end, sys)
    h = sys.joint[end].hub
    if h < 0:
        return known
    linear = add(known, sys.balance[h].acceleration)
    if sys.hub_size == 3:
        return linear
    columns = lever_columns(rotation(sys.hub_state[h].turn), sys.end[end].offset)
    return add(linear, matvec(columns, sys.balance[h].spin_rate))
