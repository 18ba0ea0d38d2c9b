"""Bodies that move as prescribed, and the points they carry along."""

from __future__ import annotations

from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, matvec


@kernel
def turn_frame(frame, angles):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw.

    `angles` is the plan of the command that turns it.
    """
    frame.turn = from_angles(angles.position)
    frame.spin = spin_of_angles(angles.position, angles.velocity)
    frame.spin_rate = spin_rate_of_angles(angles.position, angles.velocity, angles.acceleration)


@kernel
def carry_point(point, frame, centre, o, late):
    """A place at o on a prescribed body: p + R o, v + R(w × o), a + R(α × o + w × (w × o)).

    Where v and w of `centre` and `frame` are those of a time `late` ago, so is the turn R that w × o takes: less `late`
    times R(w × (w × o)).
    """
    R, w = rotation(frame.turn), frame.spin
    swing = cross(w, o)
    inward = cross(w, swing)
    point.position = add(centre.position, matvec(R, o))
    point.velocity = add(centre.velocity, matvec(R, add_scaled(swing, -late, inward)))
    point.acceleration = add(centre.acceleration, matvec(R, add(cross(frame.spin_rate, o), inward)))


@kernel
def follow_plan(point, plan):
    """A point where its command has it."""
    point.position, point.velocity, point.acceleration = plan.position, plan.velocity, plan.acceleration


@kernel
def rest_point(point, position):
    """A point that stands still."""
    point.position, point.velocity, point.acceleration = position, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)


@kernel
def state_of(which, points, hubs):
    """Place and velocity of a prescribed point (`which` ≥ 0) or of a hub (−1 − its number)."""
    if which >= 0:
        return points[which].position, points[which].velocity
    return hubs[-which - 1].position, hubs[-which - 1].velocity


@kernel
def turn_of(which, owners, frames, hubs):
    """Turn (quaternion) of the prescribed body that owns a point, or of a hub, counted likewise."""
    return frames[owners[which].frame].turn if which >= 0 else hubs[-which - 1].turn


@kernel
def lever_columns(R, o):
    """U = −R S(o), nine numbers: acceleration of a place at offset o on a body for a unit angular acceleration."""
    return (
        R[2] * o[1] - R[1] * o[2], R[0] * o[2] - R[2] * o[0], R[1] * o[0] - R[0] * o[1],
        R[5] * o[1] - R[4] * o[2], R[3] * o[2] - R[5] * o[0], R[4] * o[0] - R[3] * o[1],
        R[8] * o[1] - R[7] * o[2], R[6] * o[2] - R[8] * o[0], R[7] * o[0] - R[6] * o[1],
    )  # fmt: skip
