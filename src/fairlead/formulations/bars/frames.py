"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

A command (a position, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled
from fairlead.loads.signals import is_filtered, is_live
from fairlead.rigging.commands import command_of, filter_accelerations, plan_known, plan_seen
from fairlead.rigging.frames import carry_all
from fairlead.rigging.half_way import take_half_way

from .coefficients import EXPLICIT_EULER, PLAIN


@kernel
def drive_points(t, seen, u, sys):
    """Position, velocity and acceleration of all that is prescribed, inputs filtered (Eq. 9, cut-off ω).

    In a step the filter is taken implicitly, so that no cut-off is too fast for a step:
    v₁ = (v₀ + hω²(p − x₀))/(1 + √2 ωh + ω²h²), x₁ = x₀ + h v₁; for explicit Euler, whose position takes v₀, in the
    form of its own rule.

    The second-order step takes points half-way (`rigging.half_way`), as it does all bodies.

    An input is held over a step. To be `seen` (1, else 0), its point has the acceleration of the filter at t: the step
    to come would brake it, which the next input undoes. A straight table goes on beyond its last row (`plan_seen`).
    """
    h = sys.scheme.step
    plain = sys.scheme.kind == PLAIN
    explicit = sys.scheme.kind == EXPLICIT_EULER
    theta, half = 0.0 if explicit else sys.scheme.theta, sys.scheme.half
    if half > 0.0:
        theta = 0.5
    for k in range(sys.controlled):
        control, state, plan, live = sys.control[k], sys.controls[k], sys.plan[k], seen == 1 and is_live(k, u)
        if is_filtered(k, control.kind, u):
            goal, cutoff = command_of(t if plain else t + h, k, u, sys), sys.command[k].cutoff
            x, v = state.position, state.velocity
            held, late = 0.0 if plain or live else h, h if explicit else 0.0
            a = filter_accelerations(goal, add_scaled(x, late, v), v, cutoff, held)
            plan.position, plan.velocity, plan.acceleration = x, v, a
            plan.next_position = add_scaled(x, h, add_scaled(v, theta * h, a))
            plan.next_velocity = add_scaled(v, h, a)
        else:
            step, samples = 0.0 if plain else h, sys.sample.start
            if seen == 1:
                plan_seen(t, step, theta, control, sys.command[k], state, plan, samples, sys.reals)
            else:
                plan_known(t, step, theta, control, sys.command[k], state, plan, samples, sys.reals)
    carry_all(0.0 if plain else (theta - 0.5) * h, sys)
    if half > 0.0:
        take_half_way(half, sys)


@kernel
def show_points(sys):
    """Places and velocities of all that is prescribed as they are in the state, which the rule of a step may shift."""
    for k in range(sys.controlled):
        sys.plan[k].position, sys.plan[k].velocity = sys.controls[k].position, sys.controls[k].velocity
    carry_all(0.0, sys)
