"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

A command (a place, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, matvec, scale, subtract
from fairlead.loads.signals import is_filtered, is_live
from fairlead.rigging import frames
from fairlead.rigging.commands import command_at, filter_accelerations, plan_known


@kernel
def place_points(sys):
    """Fixed points where they are, at rest."""
    for k in range(sys.points):
        frames.rest_point(sys.point[k], sys.place[k].position)


@kernel
def drive_points(t, ahead, seen, u, sys):
    """Position, velocity and acceleration of all that is prescribed: at t, or (`ahead` = ½h) as a step from t has them.

    A step takes them half-way, x₁ − ½h v₁ with the v of its beginning and a = (v₁ − v)/h, so that they arrive in place
    and speed. Filters are taken implicitly. To be `seen` (1, else 0), the point of an input has the acceleration of the
    filter at t: the step to come, for which the input is held, would brake it, which the next input undoes.
    """
    h, samples, reals = sys.scheme.step, sys.sample.start, sys.reals
    for k in range(sys.controls):
        command, goal, control, motion = sys.command[k], sys.goal[k], sys.control[k], sys.motion[k]
        if is_filtered(k, command.kind, u):
            held = 0.0 if seen == 1 and is_live(k, u) else h
            x, v = control.position, control.velocity
            aim = command_at(t + h, k, u, command, goal, samples, reals)
            a = filter_accelerations(aim, x, v, goal.cutoff, held)
            motion.position, motion.velocity, motion.acceleration = x, v, a
            motion.next_position = add_scaled(x, h, add_scaled(v, 0.5 * h, a))
            motion.next_velocity = add_scaled(v, h, a)
        else:
            plan_known(t, h if ahead > 0.0 else 0.0, 0.5, command, goal, control, motion, samples, reals)
    carry_all(sys)
    if ahead > 0.0:
        take_half_way(ahead, sys)


@kernel
def carry_all(sys):
    """Points where their controls and bodies have them."""
    for k in range(sys.controls):
        if sys.command[k].point >= 0:
            frames.follow_plan(sys.point[sys.command[k].point], sys.motion[k])
    turn_frames(sys)
    if sys.frames > 0:
        for k in range(sys.points):
            if sys.owner[k].frame >= 0:
                carry_point(k, sys)


@kernel
def take_half_way(half, sys):
    """From points and controls at the start of a step to what the step takes of them; see `drive_points`."""
    swap_ends(sys)
    turn_frames(sys)
    for k in range(sys.controls):
        if sys.command[k].point >= 0:
            point, motion = sys.point[sys.command[k].point], sys.motion[k]
            arrive(point, half, point.velocity, motion.position, motion.velocity)
    for k in range(sys.points):
        if sys.owner[k].frame >= 0:
            point = sys.point[k]
            start = point.velocity
            carry_point(k, sys)
            arrive(point, half, start, point.position, point.velocity)
    swap_ends(sys)
    for k in range(sys.controls):
        motion = sys.motion[k]
        motion.position = add_scaled(motion.next_position, -half, motion.next_velocity)
    turn_frames(sys)


@kernel
def swap_ends(sys):
    """Exchange place and velocity of all controls at the start of the step for those at its end."""
    for k in range(sys.controls):
        motion = sys.motion[k]
        motion.position, motion.next_position = motion.next_position, motion.position
        motion.velocity, motion.next_velocity = motion.next_velocity, motion.velocity


@kernel
def arrive(point, half, v0, x1, v1):
    """What a step takes of a point that is to arrive at x₁ with v₁."""
    point.position, point.velocity = add_scaled(x1, -half, v1), v0
    point.acceleration = scale(0.5 / half, subtract(v1, v0))


@kernel
def turn_frames(sys):
    """Turn of all prescribed bodies, from their roll, pitch and yaw."""
    for k in range(sys.frames):
        frames.turn_frame(sys.frame[k], sys.motion[sys.carrier[k].angles])


@kernel
def carry_point(k, sys):
    """Place k, on a prescribed body."""
    body = sys.owner[k].frame
    centre = sys.motion[sys.carrier[body].place]
    frames.carry_point(sys.point[k], sys.frame[body], centre, sys.place[k].position, 0.0)


@kernel
def clamp_direction(end, sys):
    """Rest direction of a clamped cable end: on a prescribed body it turns with the body."""
    direction, point = sys.end[end].direction, sys.joint[end].point
    if point >= 0 and sys.owner[point].frame >= 0:
        return matvec(rotation(sys.frame[sys.owner[point].frame].turn), direction)
    return direction


@kernel
def point_state(k, sys):
    """Place and velocity of the k-th of all points and bodies of the file."""
    return frames.state_of(sys.seen[k].place, sys.point, sys.hub)


@kernel
def body_turn(k, sys):
    """Turn of the k-th, which is a body."""
    return frames.turn_of(sys.seen[k].place, sys.owner, sys.frame, sys.hub)
