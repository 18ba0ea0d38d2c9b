"""Bodies that move as prescribed, and the points they carry along.

Of a system `sys`, `control`, `command`, `controls` and `plan` are the tables of its commands: what moves as the file
says, with which constants, where it is in the state, and how it moves in a step. `point` and `frame` are its prescribed
points and bodies, `point_now` and `frame_now` as they are in a step, `owner` what a point belongs to; `name` says which
prescribed point or, as −1 − its number, which of the hubs (`hub_state`) a point or body of the file is.
"""

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
def place_points(sys):
    """Fixed points where they are, at rest."""
    for k in range(sys.points):
        rest_point(sys.point_now[k], sys.point[k].position)


@kernel
def turn_frames(sys):
    """Turn of all prescribed bodies, from their roll, pitch and yaw."""
    for k in range(sys.frames):
        turn_frame(sys.frame_now[k], sys.plan[sys.frame[k].rotation])


@kernel
def carry_along(k, late, sys):
    """Point k, on a prescribed body; see `carry_point`."""
    body = sys.owner[k].frame
    centre = sys.plan[sys.frame[body].position]
    carry_point(sys.point_now[k], sys.frame_now[body], centre, sys.point[k].position, late)


@kernel
def carry_all(late, sys):
    """Points where their controls and bodies have them; velocities are those of a time `late` ago."""
    for k in range(sys.controlled):
        if sys.control[k].point >= 0:
            follow_plan(sys.point_now[sys.control[k].point], sys.plan[k])
    turn_frames(sys)
    if sys.frames > 0:
        for k in range(sys.points):
            if sys.owner[k].frame >= 0:
                carry_along(k, late, sys)


@kernel
def move_controls(sys):
    """All that is prescribed as it is at the end of the step."""
    for k in range(sys.controlled):
        sys.controls[k].position, sys.controls[k].velocity = sys.plan[k].next_position, sys.plan[k].next_velocity


@kernel
def held_turn(k, sys):
    """How the body of prescribed point k is turned."""
    return sys.frame_now[sys.owner[k].frame].turn if sys.owner[k].frame >= 0 else (1.0, 0.0, 0.0, 0.0)


@kernel
def point_state(k, sys):
    """Place and velocity of the k-th of all points and bodies of the file: a prescribed point, or a hub."""
    which = sys.name[k].which
    if which >= 0:
        return sys.point_now[which].position, sys.point_now[which].velocity
    return sys.hub_state[-which - 1].position, sys.hub_state[-which - 1].velocity


@kernel
def body_turn(k, sys):
    """Turn (quaternion) of the k-th, which is a body."""
    which = sys.name[k].which
    return sys.frame_now[sys.owner[which].frame].turn if which >= 0 else sys.hub_state[-which - 1].turn


@kernel
def lever_columns(R, o):
    """U = −R S(o), nine numbers: acceleration of a place at offset o on a body for a unit angular acceleration."""
    return (
        R[2] * o[1] - R[1] * o[2], R[0] * o[2] - R[2] * o[0], R[1] * o[0] - R[0] * o[1],
        R[5] * o[1] - R[4] * o[2], R[3] * o[2] - R[5] * o[0], R[4] * o[0] - R[3] * o[1],
        R[8] * o[1] - R[7] * o[2], R[6] * o[2] - R[8] * o[0], R[7] * o[0] - R[6] * o[1],
    )  # fmt: skip
