"""Hybrid points: free points that a force of limited size drives after a command.

Tables: `hybrid` (hub, control), `drive` (stiffness, damping, force_max, tension_max), `plan`, `hub_state`, `scheme`.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract


@kernel
def hybrid_push(i, pull, sys):
    """The force that drives hybrid point i, F = k(x_c − x) + d(v_c − v), |F| ≤ F_max (1 − (T/T_max)²), and what it
    resists an acceleration with [kg].

    T is the largest `pull` of its cables in the previous step. Within its limit the force is taken implicitly.
    """
    drive, goal, hub = sys.drive[i], sys.plan[sys.hybrid[i].control], sys.hub_state[sys.hybrid[i].hub]
    limit, step = drive.force_max * (1.0 - (pull / drive.tension_max) ** 2), sys.scheme.step
    if limit <= 0.0:
        return (0.0, 0.0, 0.0), 0.0
    ahead = add_scaled(goal.velocity, step, goal.acceleration)  # where the command will be
    miss = subtract(add_scaled(goal.position, step, ahead), add_scaled(hub.position, step, hub.velocity))
    force = add_scaled(scale(drive.stiffness, miss), drive.damping, subtract(ahead, hub.velocity))
    size = math.sqrt(dot(force, force))
    if size > limit:
        return scale(limit / size, force), 0.0
    return force, step * (drive.damping + step * drive.stiffness)
