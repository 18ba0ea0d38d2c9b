"""One elastic joint between two links: physical bending energy U = ½ k β², cos β = q_a·q_b (variant C2).

Unlike springs on azimuth and elevation it stores nothing without deformation and knows no preferred direction.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import cross, dot

from .link import implicit_part

SHARPEST = 1.0e-6
"""Least sin β of a joint folded back on itself."""


@kernel
def bend_angle(qa, qb):
    """β, from 0 to π, accurate near both ends."""
    across = cross(qa, qb)
    return math.atan2(math.sqrt(dot(across, across)), dot(qa, qb))


@kernel
def bend_ratio(qa, qb):
    """β/sin β; by its series in x = 1 − cos β where that is exact to rounding."""
    c = dot(qa, qb)
    x = 1.0 - c
    if x < 1.0e-3:
        return 1.0 + x * (1.0 / 3.0 + x * (2.0 / 15.0 + x * (2.0 / 35.0)))
    return bend_angle(qa, qb) / math.sqrt(max(SHARPEST * SHARPEST, 1.0 - c * c))


@kernel
def joint_force(k, d, beta, h, inertia, qa, qb):
    """Force on q_b − that on q_a is its mirror − of a joint, and the gain s of its implicit part −s(q̈_b − q̈_a).

    Elastic part: −∂U/∂q_b = k(β/sin β) q_a. It is evaluated at q + h(β v₁ − ¼ v₀), which keeps all steps stable: β = ¼
    is undamped, 0.30 the robust choice. The damper acts on q̇_b − q̇_a. Returns (c, e, s): the force on q_b is
    c·q_a − e·(q̇_b − q̇_a), that on q_a is c·q_b + e·(q̇_b − q̇_a).
    """
    c = k * bend_ratio(qa, qb)
    s = beta * h * h * c
    e = (beta - 0.25) * h * c + d
    if d > 0.0:
        s += implicit_part(h, d, inertia)
    return c, e, s
