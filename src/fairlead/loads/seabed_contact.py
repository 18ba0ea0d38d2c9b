"""One point of a cable on the seabed: a unilateral normal spring–damper and elastic stick–slip friction with memory.

Four numbers of memory stand in a state vector for each point: where friction is anchored (3) and the normal force of
the latest step. A step that takes springs and dampers implicitly adds G = `g_per_c`·c + `g_per_k`·k to its matrix and
uses the rate coefficient D = c + `d_per_k`·k; with all three zero the law is the plain one.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined
from fairlead.algebra.lanes import any_lane, where
from fairlead.algebra.small import add_scaled, dot, put, scale, subtract, vector_of
from fairlead.sea.water import BED_FRICTION, bed_at, bed_normal


@inlined
def bed_push(sea, radius, k, c, ks, fall, place, velocity, y, memory, h, g_per_c, g_per_k, d_per_k):
    """`push_of_bed` of a point whose memory stands in `y`."""
    return push_of_bed(
        sea, radius, k, c, ks, fall, place, velocity, vector_of(y, memory), y[memory + 3], h, g_per_c, g_per_k, d_per_k
    )


@inlined
def push_of_bed(sea, radius, k, c, ks, fall, place, velocity, anchor, pressed, h, g_per_c, g_per_k, d_per_k):
    """Contact of a point with stiffness k [N/m], damping c and shear stiffness ks at `place`, that remembers where its
    friction is anchored and with what it `pressed`.

    Returns
    -------
    active    : whether the normal row acts
    G, bias   : of the normal row λ_n = G·a_n + bias (λ_n < 0 pushes up along the bed's normal)
    shear     : G of the two tangential rows (0 while slipping)
    friction  : tangential force before the step's own change [N], global
    normal    : of the bed there, upwards

    The normal row acts only when it pushes and the point is, or within the step h will be, in the bed. A point that
    pressed on the bed in the previous step is expected to fall with `fall` ≤ 0 [m/s²] as it would in free water:
    without that it would be let go after every push, sink in during the step and be pushed out again, for ever.
    Friction is a shear spring from the anchor, capped at μ times the normal force of the previous step.
    """
    height, n = bed_at(place[0], place[1], sea)
    gap = n[2] * (place[2] - height) - radius
    rate = dot(n, velocity)
    falling = where(pressed > 0.0, n[2] * fall, 0.0)
    g = g_per_c * c + g_per_k * k
    bias = (c + d_per_k * k) * rate + k * gap
    active = not ((gap + h * (rate + h * falling) >= 0.0) | (bias + g * falling >= 0.0))
    shear, friction = 0.0, (0.0, 0.0, 0.0)
    limit = sea[BED_FRICTION] * pressed
    held = active & (limit > 0.0)
    if any_lane(held):
        slip = subtract(place, anchor)
        slip = add_scaled(slip, -dot(n, slip), n)
        drift = add_scaled(velocity, -rate, n)
        trial = add_scaled(scale(ks, slip), d_per_k * ks, drift)
        size = math.sqrt(dot(trial, trial))
        slips = size > limit
        friction = where(held, scale(where(slips, -limit / size, -1.0), trial), friction)
        shear = where(held & (not slips), g_per_k * ks, shear)
    return active, where(active, g, 0.0), where(active, bias, 0.0), shear, friction, n


@inlined
def remember_push(sea, ks, place, touched, active, normal_force, y, memory):
    """`remembered`, written where it stands in `y`."""
    anchor, y[memory + 3] = remembered(
        sea, ks, place, touched, active, normal_force, vector_of(y, memory), y[memory + 3]
    )
    put(y, memory, anchor)


@inlined
def remembered(sea, ks, place, touched, active, normal_force, before, pressed):
    """Return mapping after a step: the anchor within μN/ks of the point, and the force it presses with; what was kept
    `before` and `pressed` is forgotten at lift-off.

    touched  whether there is something to remember or to forget: the point touches, or did in the step before
    """
    presses = active & (normal_force > 0.0)
    anchor = place
    if any_lane(presses):
        n = bed_normal(place, sea)
        anchor = where(presses & (pressed != 0.0), before, place)
        slip = subtract(place, anchor)
        slip = add_scaled(slip, -dot(n, slip), n)
        size = math.sqrt(dot(slip, slip))
        reach = where(ks > 0.0, sea[BED_FRICTION] * normal_force / ks, 0.0)
        anchor = where(presses & (size > reach), add_scaled(place, -(reach / size), slip), anchor)
    return where(touched, anchor, before), where(touched, where(presses, normal_force, 0.0), pressed)
