"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

A command (a place, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, cross, matvec, scale, subtract
from fairlead.loads.end_motion import goal_at, plan_known
from fairlead.loads.signals import filter_acceleration, is_filtered, is_live


@kernel
def place_points(sys):
    """Fixed points where they are, at rest."""
    for k in range(sys.points):
        point = sys.point[k]
        point.position = sys.place[k].position
        point.velocity = point.acceleration = (0.0, 0.0, 0.0)


@kernel
def base_of(k, sys):
    """Where the base and cut-off of command k stand in `reals`, and where the rows of its motion do."""
    return row_start(sys.goal[k], sys.reals), sys.sample.start + sys.command[k].first


@kernel
def command_at(t, k, u, sys):
    """Command k at time t: the live input where it is a number, else the file's motion."""
    base, first = base_of(k, sys)
    return goal_at(t, k, u, sys.command[k].kind, first, sys.command[k].rows, base, sys.reals)


@kernel
def drive_points(t, ahead, seen, u, sys):
    """Position, velocity and acceleration of all that is prescribed: at t, or (`ahead` = ½h) as a step from t has them.

    A step takes them half-way, x₁ − ½h v₁ with the v of its beginning and a = (v₁ − v)/h, so that they arrive in place
    and speed. Filters are taken implicitly. To be `seen` (1, else 0), the point of an input has the acceleration of the
    filter at t: the step to come, for which the input is held, would brake it, which the next input undoes.
    """
    h = sys.scheme.step
    for k in range(sys.controls):
        if is_filtered(k, sys.command[k].kind, u):
            filter_command(t, k, 0.0 if seen == 1 and is_live(k, u) else h, u, sys)
        else:
            base, first = base_of(k, sys)
            plan_known(
                t, h if ahead > 0.0 else 0.0, 0.5, sys.command[k].kind, first, sys.command[k].rows, base, sys.reals,
                sys.y, row_start(sys.control[k], sys.y), sys.work, row_start(sys.motion[k], sys.work),
            )  # fmt: skip
    carry_all(sys)
    if ahead > 0.0:
        take_half_way(ahead, sys)


@kernel
def filter_command(t, k, held, u, sys):
    """How what follows command k through its filter moves in a step from t; the command is `held` for so long."""
    h, cutoff, motion, control = sys.scheme.step, sys.goal[k].cutoff, sys.motion[k], sys.control[k]
    goal, x, v = command_at(t + h, k, u, sys), control.position, control.velocity
    a = (
        filter_acceleration(goal[0], x[0], v[0], cutoff, held), filter_acceleration(goal[1], x[1], v[1], cutoff, held),
        filter_acceleration(goal[2], x[2], v[2], cutoff, held),
    )  # fmt: skip
    motion.position, motion.velocity, motion.acceleration = x, v, a
    motion.next_position = add_scaled(x, h, add_scaled(v, 0.5 * h, a))
    motion.next_velocity = add_scaled(v, h, a)


@kernel
def carry_all(sys):
    """Points where their controls and bodies have them."""
    for k in range(sys.controls):
        if sys.command[k].point >= 0:
            point, motion = sys.point[sys.command[k].point], sys.motion[k]
            point.position, point.velocity = motion.position, motion.velocity
            point.acceleration = motion.acceleration
    for k in range(sys.frames):
        turn_frame(k, sys)
    if sys.frames > 0:
        for k in range(sys.points):
            if sys.owner[k].frame >= 0:
                carry_point(k, sys)


@kernel
def take_half_way(half, sys):
    """From points and controls at the start of a step to what the step takes of them; see `drive_points`."""
    swap_ends(sys)
    for k in range(sys.frames):
        turn_frame(k, sys)
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
    for k in range(sys.frames):
        turn_frame(k, sys)


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
def turn_frame(k, sys):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw."""
    frame, angles = sys.frame[k], sys.motion[sys.carrier[k].angles]
    frame.turn = from_angles(angles.position)
    frame.spin = spin_of_angles(angles.position, angles.velocity)
    frame.spin_rate = spin_rate_of_angles(angles.position, angles.velocity, angles.acceleration)


@kernel
def carry_point(k, sys):
    """A place on a prescribed body: p + R o, v + R(w × o), a + R(α × o + w × (w × o))."""
    point, frame, o = sys.point[k], sys.frame[sys.owner[k].frame], sys.place[k].position
    centre = sys.motion[sys.carrier[sys.owner[k].frame].place]
    R, swing = rotation(frame.turn), cross(frame.spin, o)
    point.position = add(centre.position, matvec(R, o))
    point.velocity = add(centre.velocity, matvec(R, swing))
    speeding = add(cross(frame.spin_rate, o), cross(frame.spin, swing))
    point.acceleration = add(centre.acceleration, matvec(R, speeding))


@kernel
def clamp_direction(end, sys):
    """Rest direction of a clamped cable end: on a prescribed body it turns with the body."""
    direction, point = sys.end[end].direction, sys.joint[end].point
    if point >= 0 and sys.owner[point].frame >= 0:
        return matvec(rotation(sys.frame[sys.owner[point].frame].turn), direction)
    return direction
