"""Where the ends of cables are and how they move: at the points and bodies they are joined to."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import product, rotation
from fairlead.algebra.small import ZERO3, add, add_scaled, cross, matvec, transposed_matvec
from fairlead.rigging.frames import lever_columns

from .topology import hub_of_end, point_of_end_index


@kernel
def hub_lever(end, sys):
    """U of a cable end at the hub it is joined to."""
    return lever_columns(rotation(sys.hub_state[hub_of_end(end, sys)].turn), sys.end[end].lever)


@kernel
def point_of_end(end, sys):
    """Kinematics of what a cable end is joined to.

    Position, velocity, known acceleration; frame, angular velocity and known angular acceleration in that frame. A
    hub's own accelerations are unknown, hence zero here.
    """
    frame = sys.end[end].frame
    hub = hub_of_end(end, sys)
    if hub >= 0:
        body = sys.hub_state[hub]
        q, w, r = body.turn, body.spin, sys.end[end].lever
        R, swing = rotation(q), cross(w, r)
        place, velocity = add(body.position, matvec(R, r)), add(body.velocity, matvec(R, swing))
        spin, known = transposed_matvec(rotation(frame), w), matvec(R, cross(w, swing))
        return place, velocity, known, product(q, frame), spin, ZERO3
    index = point_of_end_index(end, sys)
    point, owner = sys.point_now[index], sys.owner[index].frame
    spin, turning = ZERO3, ZERO3
    if owner >= 0:
        kept = sys.frame_now[owner]
        into = rotation(frame)
        spin = transposed_matvec(into, kept.spin)
        turning = transposed_matvec(into, kept.spin_rate)
        frame = product(kept.turn, frame)
    return point.position, point.velocity, point.acceleration, frame, spin, turning


@kernel
def joined_end(end, sys):
    """The same as a joint sees it in a step: with the velocity at the beginning of the step (see `joint`)."""
    place, velocity, known, q, w, turning = point_of_end(end, sys)
    if hub_of_end(end, sys) >= 0:
        velocity = add_scaled(velocity, -sys.scheme.half, known)
    return place, velocity, known, q, w, turning
