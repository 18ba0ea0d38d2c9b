"""What moves as prescribed: fixed and controlled points, and bodies that carry points along; and where elements point.

A command (a place, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, dot, matvec, scale, subtract
from fairlead.loads.signals import is_filtered, is_live
from fairlead.rigging.commands import command_of, filter_accelerations, plan_known, plan_seen
from fairlead.rigging.frames import carry_all
from fairlead.rigging.half_way import take_half_way


@kernel
def drive_points(t, ahead, seen, u, sys):
    """Position, velocity and acceleration of all that is prescribed: at t, or (`ahead` = ½h) as a step from t has them.

    A step takes them half-way, x₁ − ½h v₁ with the v of its beginning and a = (v₁ − v)/h, so that they arrive in place
    and speed. Filters are taken implicitly. To be `seen` (1, else 0), the point of an input has the acceleration of the
    filter at t: the step to come, for which the input is held, would brake it, which the next input undoes. A straight
    table goes on beyond its last row (`plan_seen`).
    """
    h = sys.scheme.step
    for k in range(sys.controlled):
        control, state, plan = sys.control[k], sys.controls[k], sys.plan[k]
        if is_filtered(k, control.kind, u):
            held = 0.0 if seen == 1 and is_live(k, u) else h
            x, v = state.position, state.velocity
            a = filter_accelerations(command_of(t + h, k, u, sys), x, v, sys.command[k].cutoff, held)
            plan.position, plan.velocity, plan.acceleration = x, v, a
            plan.next_position = add_scaled(x, h, add_scaled(v, 0.5 * h, a))
            plan.next_velocity = add_scaled(v, h, a)
        else:
            step, samples = h if ahead > 0.0 else 0.0, sys.sample.start
            if seen == 1:
                plan_seen(t, step, 0.5, control, sys.command[k], state, plan, samples, sys.reals)
            else:
                plan_known(t, step, 0.5, control, sys.command[k], state, plan, samples, sys.reals)
    carry_all(0.0, sys)
    if ahead > 0.0:
        take_half_way(ahead, sys)


@kernel
def chord(i, sys):
    """Direction and length of the element that begins at node i."""
    d = subtract(sys.node[i + 1].position, sys.node[i].position)
    span = math.sqrt(dot(d, d))
    return scale(1.0 / span, d), span


@kernel
def clamp_direction(end, sys):
    """Rest direction of a clamped cable end: on a prescribed body it turns with the body."""
    direction, point = sys.end[end].direction, sys.joint[end].point
    if point >= 0 and sys.owner[point].frame >= 0:
        return matvec(rotation(sys.frame_now[sys.owner[point].frame].turn), direction)
    return direction
