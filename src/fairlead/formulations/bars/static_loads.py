"""Loads on bars and hubs at rest: what statics and modes need beside the joints."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract, transposed_matvec
from fairlead.loads.landing import BED_KEPT, BED_MEMORY, press_foot
from fairlead.loads.rigid_body import BODY_FEET, rigid_body_loads
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    HYBRID_INTS, HYBRID_REALS, I_HYBRIDS, I_LOADS, LENGTH, LOAD_INTS, N_BARS, N_HUBS, N_HYBRIDS, N_LOADS, N_STANDING,
    R_HYBRIDS, W_STANDING, Y_CONTROLS, Y_STANDING, bar_at, bar_state_at, hub_at, hub_state_at, memory_at,
    quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import D_PER_K, G_PER_C, G_PER_K, PLAIN, STEP, set_scheme
from .element import axis_of, bar_loads, bed_contact, offset_torque
from .hubs import hybrid_limit
from .signals import load_on_hub
from .sweep import ZERO3


@entry
def static_loads(t, y, u, ints, reals, work, frictionless, out, inertia):
    """Force (3, global) and torque (3, body) of weight, buoyancy, current, seabed and point loads, at rest.

    `out` has shape (bars + hubs, 6), and so has `inertia`, with added mass: a bar's masses across and along, the
    coupling κ and the moments of inertia about the transverse axes and the axis; a hub's mass along and moments of
    inertia about its axes (3 each).
    """
    set_scheme(PLAIN, 0.0, ints, reals, y, work)
    bed = reals[BED_PRESENT] > 0.0
    count = ints[N_BARS]
    for i in range(count):
        body, bar = bar_state_at(ints, i), bar_at(ints, i)
        p = vector_of(y, body)
        R = rotation(quaternion_of(y, body))
        across, along, coupling, jx, jz, force, torque, _ = bar_loads(t, ints, reals, bar, p, R, ZERO3, ZERO3, 0.0)
        inertia[i, 0], inertia[i, 1], inertia[i, 2], inertia[i, 3], inertia[i, 4] = across, along, coupling, jx, jz
        if bed:
            for side in range(2):
                o = 0.5 * reals[bar + LENGTH] * (1.0 if side == 1 else -1.0)
                place = add_scaled(p, o, axis_of(R))
                active, _, bias, _, friction, n = bed_contact(
                    reals, bar, place, ZERO3, y, memory_at(ints, i, side), work
                )
                if active:
                    f = scale(-bias, n)
                    if not frictionless:
                        f = add(f, friction)
                    force = add(force, f)
                    torque = add(torque, offset_torque(o, R, f))
        for k in range(3):
            out[i, k] = force[k]
            out[i, 3 + k] = torque[k]
    for h in range(ints[N_HUBS]):
        body = hub_state_at(ints, h)
        R = rotation(quaternion_of(y, body))
        mass, _, moments, _, force, torque, _ = rigid_body_loads(
            t, vector_of(y, body), R, ZERO3, ZERO3, reals, hub_at(ints, h)
        )
        if ints[N_STANDING] > 0:
            for k in range(int(reals[hub_at(ints, h) + BODY_FEET])):
                _, lever, _, f = press_foot(
                    t, k, vector_of(y, body), R, ZERO3, ZERO3, reals, hub_at(ints, h), y,
                    ints[Y_STANDING] + BED_MEMORY * h, work[STEP], work[G_PER_C], work[G_PER_K], work[D_PER_K], work,
                    ints[W_STANDING] + BED_KEPT * h,
                )  # fmt: skip
                force = add(force, f)
                torque = add(torque, transposed_matvec(R, cross(lever, f)))
        for k in range(3):
            out[count + h, k] = force[k]
            out[count + h, 3 + k] = torque[k]
            inertia[count + h, k] = mass[k]
            inertia[count + h, 3 + k] = moments[k]
    for i in range(ints[N_HYBRIDS]):
        h = ints[ints[I_HYBRIDS] + HYBRID_INTS * i]
        place = ints[Y_CONTROLS] + 6 * ints[ints[I_HYBRIDS] + HYBRID_INTS * i + 1]
        miss = subtract(vector_of(y, place), vector_of(y, hub_state_at(ints, h)))
        limit = hybrid_limit(i, ints, reals, y)
        force = scale(reals[ints[R_HYBRIDS] + HYBRID_REALS * i], miss)
        size = math.sqrt(dot(force, force))
        if size > limit:
            force = scale(limit / size, force)
        for k in range(3):
            out[count + h, k] += force[k]
    for i in range(ints[N_LOADS]):
        h = ints[ints[I_LOADS] + LOAD_INTS * i]
        R = rotation(quaternion_of(y, hub_state_at(ints, h)))
        force, torque = load_on_hub(t, i, u, R, ints, reals)
        for k in range(3):
            out[count + h, k] += force[k]
            out[count + h, 3 + k] += torque[k]
