"""Prescribed points and bodies as a step sees them that solves its equations half-way (drift, solve, kick, drift)."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, scale, subtract

from .frames import carry_along, turn_frames


@kernel
def take_half_way(half, sys):
    """From points and controls at the start of a step to what the step takes of them: x₁ − ½h v₁ with the v of its
    start and a = (v₁ − v)/h, so that they arrive in place and speed. `half` is ½h; `plan` must be filled."""
    swap_ends(sys)
    turn_frames(sys)
    for k in range(sys.controlled):
        if sys.control[k].point >= 0:
            point, plan = sys.point_now[sys.control[k].point], sys.plan[k]
            arrive(point, half, point.velocity, plan.position, plan.velocity)
    for k in range(sys.points):
        if sys.owner[k].frame >= 0:
            point = sys.point_now[k]
            start = point.velocity
            carry_along(k, 0.0, sys)
            arrive(point, half, start, point.position, point.velocity)
    swap_ends(sys)
    for k in range(sys.controlled):
        plan = sys.plan[k]
        plan.position = add_scaled(plan.next_position, -half, plan.next_velocity)
    turn_frames(sys)


@kernel
def swap_ends(sys):
    """Exchange place and velocity of all controls at the start of the step for those at its end."""
    for k in range(sys.controlled):
        plan = sys.plan[k]
        plan.position, plan.next_position = plan.next_position, plan.position
        plan.velocity, plan.next_velocity = plan.next_velocity, plan.velocity


@kernel
def arrive(point, half, v0, x1, v1):
    """What a step takes of a point that is to arrive at x₁ with v₁."""
    point.position, point.velocity = add_scaled(x1, -half, v1), v0
    point.acceleration = scale(0.5 / half, subtract(v1, v0))
