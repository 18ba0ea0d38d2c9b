"""A node of a cable on the seabed: what its contact adds to the equations of a step, and what it does after them.

`kept` is a row with `TOUCH`, `memory` one with `CONTACT`. The law is that of `loads.seabed_contact`.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import any_lane, where
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add_scaled, dot, outer_scaled, symadd
from fairlead.loads.seabed_contact import bed_push, remember_push

TOUCH = "active normal_g normal_bias shear_g friction:3 normal:3"
"""1 where it acts; G and bias of the normal row λ = G·a_n + bias, G of the two tangential ones, friction before them;
the bed's normal there."""


@inlined
def free_fall(weight, buoyancy, inertia):
    """How what pressed on the bed would fall in free water [m/s²]: not upwards."""
    return min(0.0, -(weight - buoyancy) / inertia)


@inlined
def touch_bed(place, velocity, radius, k, c, ks, fall, near, kept, memory, h, g_per_c, g_per_k, d_per_k, sys):
    """Contact of a node, which is `near` enough to touch at all; see `bed_push` for its numbers.

    Returns a matrix (6) and a force (3): the bed pushes with force − matrix·(acceleration). Both are zero where it does
    not act.
    """
    active, g, bias, shear, friction, n = bed_push(
        sys.reals, radius, k, c, ks, fall, place, velocity, sys.y, row_start(memory, sys.y), h, g_per_c, g_per_k,
        d_per_k,
    )  # fmt: skip
    active = active & near
    kept.active, kept.normal = where(active, 1.0, 0.0), n
    kept.normal_g, kept.normal_bias, kept.shear_g, kept.friction = g, bias, shear, friction
    if not any_lane(active):
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    g, bias, shear, friction = where(active, (g, bias, shear, friction), (0.0, 0.0, 0.0, (0.0, 0.0, 0.0)))
    matrix = symadd(outer_scaled(g - shear, n), (shear, 0.0, 0.0, shear, 0.0, shear))
    return matrix, add_scaled(friction, -bias, n)


@inlined
def pressed(kept, a):
    """Normal force and friction (3) on a touching node that accelerates with a, and its acceleration off the bed."""
    n = kept.normal
    across = dot(n, a)
    normal = -(kept.normal_g * across + kept.normal_bias)
    return normal, add_scaled(kept.friction, -kept.shear_g, add_scaled(a, -across, n)), across


@kernel
def remember_touch(ks, place, touched, active, normal, memory, sys):
    """Friction memory of a node after the move; see `remember_push`."""
    remember_push(sys.reals, ks, place, touched, active, normal, sys.y, row_start(memory, sys.y))
