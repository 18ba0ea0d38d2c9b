"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

A command (a position, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

import math

from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, cross, matvec
from fairlead.loads.end_motion import plan_known
from fairlead.loads.signals import is_filtered, is_live

from .coefficients import EXPLICIT_EULER, PLAIN
from .signals import command

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def place_points(sys):
    """Fixed points where they are, at rest."""
    for k in range(sys.points):
        point = sys.point_now[k]
        point.position, point.velocity, point.acceleration = sys.point[k].position, ZERO3, ZERO3


@kernel
def filtered(goal, x, v, cutoff, h, lag, plain, live):
    """Acceleration of a filtered command towards its goal; `live`: as it is at t, not over the step."""
    a = cutoff * cutoff * (goal - x) - math.sqrt(2.0) * cutoff * v
    if live:
        a -= 0.0 if plain else cutoff * cutoff * (lag - h) * v
    elif not plain:
        a -= cutoff * cutoff * lag * v
        a /= 1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h
    return a


@kernel
def drive_points(t, seen, u, sys):
    """Position, velocity and acceleration of all that is prescribed, inputs filtered (Eq. 9, cut-off ω).

    In a step the filter is taken implicitly, so that no cut-off is too fast for a step:
    v₁ = (v₀ + hω²(p − x₀))/(1 + √2 ωh + ω²h²), x₁ = x₀ + h v₁; for explicit Euler, whose position takes v₀, in the
    form of its own rule.

    An input is held over a step. To be `seen` (1, else 0), its point has the acceleration of the filter at t: the step
    to come would brake it, which the next input undoes.
    """
    h = sys.scheme.step
    plain = sys.scheme.kind == PLAIN
    explicit = sys.scheme.kind == EXPLICIT_EULER
    lag = 2.0 * h if explicit else h
    theta = 0.0 if explicit else sys.scheme.theta
    for k in range(sys.controlled):
        control, state, plan, live = sys.control[k], sys.controls[k], sys.plan[k], seen == 1 and is_live(k, u)
        if is_filtered(k, control.kind, u):
            goal, cutoff = command(t if plain else t + h, k, u, sys), sys.command[k].cutoff
            x, v = state.position, state.velocity
            a = (
                filtered(goal[0], x[0], v[0], cutoff, h, lag, plain, live),
                filtered(goal[1], x[1], v[1], cutoff, h, lag, plain, live),
                filtered(goal[2], x[2], v[2], cutoff, h, lag, plain, live),
            )
            plan.position, plan.velocity, plan.acceleration = x, v, a
            plan.next_position = add_scaled(x, h, add_scaled(v, theta * h, a))
            plan.next_velocity = add_scaled(v, h, a)
        else:
            plan_known(
                t, 0.0 if plain else h, theta, control.kind, sys.sample.start + control.first, control.rows,
                row_start(sys.command[k], sys.reals), sys.reals, sys.y, row_start(state, sys.y), sys.work,
                row_start(plan, sys.work),
            )  # fmt: skip
    carry_all(0.0 if plain else (theta - 0.5) * h, sys)


@kernel
def show_points(sys):
    """Places and velocities of all that is prescribed as they are in the state, which the rule of a step may shift."""
    for k in range(sys.controlled):
        sys.plan[k].position, sys.plan[k].velocity = sys.controls[k].position, sys.controls[k].velocity
    carry_all(0.0, sys)


@kernel
def carry_all(late, sys):
    """Points where their controls and bodies have them; velocities are those of a time `late` ago."""
    for k in range(sys.controlled):
        which, plan = sys.control[k].point, sys.plan[k]
        if which >= 0:
            point = sys.point_now[which]
            point.position, point.velocity, point.acceleration = plan.position, plan.velocity, plan.acceleration
    for k in range(sys.frames):
        turn_frame(k, sys)
    if sys.frames > 0:
        carry_points(late, sys)


@kernel
def turn_frame(k, sys):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw."""
    plan, kept = sys.plan[sys.frame[k].rotation], sys.frame_now[k]
    angles, rates = plan.position, plan.velocity
    kept.turn = from_angles(angles)
    kept.spin = spin_of_angles(angles, rates)
    kept.turning = spin_rate_of_angles(angles, rates, plan.acceleration)


@kernel
def carry_points(late, sys):
    """Attachments of prescribed bodies: p + R r, v + R(w × r), a + R(α × r + w × (w × r)).

    Where v and w are those of a time `late` ago, so is the turn R that w × r takes: less `late` times R(w × (w × r)).
    """
    for k in range(sys.points):
        body = sys.owner[k].frame
        if body < 0:
            continue
        kept, point, centre = sys.frame_now[body], sys.point_now[k], sys.plan[sys.frame[body].position]
        R, w, r = rotation(kept.turn), kept.spin, sys.point[k].position
        swing = cross(w, r)
        inward = cross(w, swing)
        point.position = add(centre.position, matvec(R, r))
        point.velocity = add(centre.velocity, matvec(R, add_scaled(swing, -late, inward)))
        point.acceleration = add(centre.acceleration, matvec(R, add(cross(kept.turning, r), inward)))


@kernel
def move_controls(sys):
    """All that is prescribed as it is at the end of the step."""
    for k in range(sys.controlled):
        sys.controls[k].position, sys.controls[k].velocity = sys.plan[k].next_position, sys.plan[k].next_velocity
