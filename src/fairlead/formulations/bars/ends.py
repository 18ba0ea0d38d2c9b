"""Where the ends of cables are and how they move: at the points and bodies they are joined to."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import product, rotation
from fairlead.algebra.small import add, cross, matvec, transposed_matvec

from .arrays import (
    FRAME_KEPT, I_POINTS, LEVER, W_FRAMES, end_at, hub_of_end, hub_state_at, point_at, point_of_end_index,
    quaternion_of, vector_of,
)  # fmt: skip

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def frame_of(reals, end):
    """Rest frame of the clamp of the cable end whose record begins at `end`."""
    return (reals[end], reals[end + 1], reals[end + 2], reals[end + 3])


@kernel
def lever_of(end, ints, reals):
    """Lever of a cable end in the frame of the body it is joined to."""
    return vector_of(reals, end_at(ints, end) + LEVER)


@kernel
def lever_columns(r, R):
    """U = −R S(r): the acceleration of a body's point at r is a + U·α + centripetal, nine numbers."""
    x, y, z = r
    return (
        R[2] * y - R[1] * z, R[0] * z - R[2] * x, R[1] * x - R[0] * y,
        R[5] * y - R[4] * z, R[3] * z - R[5] * x, R[4] * x - R[3] * y,
        R[8] * y - R[7] * z, R[6] * z - R[8] * x, R[7] * x - R[6] * y,
    )  # fmt: skip


@kernel
def hub_lever(end, ints, reals, y):
    """U of a cable end at the hub it is joined to."""
    R = rotation(quaternion_of(y, hub_state_at(ints, hub_of_end(ints, end))))
    return lever_columns(lever_of(end, ints, reals), R)


@kernel
def point_of_end(end, ints, reals, y, work):
    """Kinematics of what a cable end is joined to.

    Position, velocity, known acceleration; frame, angular velocity and known angular acceleration in that frame. A
    hub's own accelerations are unknown, hence zero here.
    """
    frame = frame_of(reals, end_at(ints, end))
    hub = hub_of_end(ints, end)
    if hub >= 0:
        body = hub_state_at(ints, hub)
        q, w, r = quaternion_of(y, body), vector_of(y, body + 10), lever_of(end, ints, reals)
        R, swing = rotation(q), cross(w, r)
        place, velocity = add(vector_of(y, body), matvec(R, r)), add(vector_of(y, body + 7), matvec(R, swing))
        spin = transposed_matvec(rotation(frame), w)
        return place, velocity, matvec(R, cross(w, swing)), product(q, frame), spin, ZERO3
    index = point_of_end_index(ints, end)
    point, body = point_at(ints, index), ints[ints[I_POINTS] + index]
    spin, turning = ZERO3, ZERO3
    if body >= 0:
        kept = ints[W_FRAMES] + FRAME_KEPT * body
        into = rotation(frame)
        spin = transposed_matvec(into, vector_of(work, kept + 4))
        turning = transposed_matvec(into, vector_of(work, kept + 7))
        frame = product(frame_of(work, kept), frame)
    return vector_of(work, point), vector_of(work, point + 3), vector_of(work, point + 6), frame, spin, turning
