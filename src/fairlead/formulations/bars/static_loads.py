"""Loads on bars and hubs at rest: what statics and modes need beside the joints."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, scale, transposed_matvec
from fairlead.loads.body import body_loads
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    HUB_ADDED, HUB_BUOYANCY, HUB_DRAG, HUB_HEIGHT, HUB_MASS, I_LOADS, LENGTH, LOAD_INTS, LOAD_REALS, N_BARS, N_HUBS,
    N_LOADS, R_LOADS, bar_at, bar_state_at, hub_at, hub_state_at, memory_at,
)  # fmt: skip
from .coefficients import PLAIN, set_scheme
from .element import axis_of, bar_loads, bed_contact, offset_torque
from .signals import load_factor
from .sweep import ZERO3, quaternion_of, vector_of


@entry
def static_loads(t, y, ints, reals, work, frictionless, out, inertia):
    """Force (3, global) and torque (3, body) of weight, buoyancy, current, seabed and point loads, at rest.

    `out` has shape (bars + hubs, 6); `inertia` (bars, 5) gets the effective masses across and along, the coupling κ
    and the moments of inertia about the transverse axes and the axis, with added mass.
    """
    set_scheme(PLAIN, 0.0, ints, reals, work)
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
        hub, p = hub_at(ints, h), vector_of(y, hub_state_at(ints, h))
        _, _, force, _ = body_loads(
            t, p, ZERO3, reals[hub + HUB_MASS], reals[hub + HUB_ADDED], reals[hub + HUB_BUOYANCY],
            reals[hub + HUB_DRAG], reals[hub + HUB_HEIGHT], reals,
        )  # fmt: skip
        for k in range(3):
            out[count + h, k] = force[k]
            out[count + h, 3 + k] = 0.0
    for i in range(ints[N_LOADS]):
        load, at = ints[I_LOADS] + LOAD_INTS * i, ints[R_LOADS] + LOAD_REALS * i
        h = ints[load]
        f = load_factor(t, load, ints, reals)
        R = rotation(quaternion_of(y, hub_state_at(ints, h)))
        torque = transposed_matvec(R, vector_of(reals, at + 3))
        for k in range(3):
            out[count + h, k] += f * reals[at + k]
            out[count + h, 3 + k] += f * torque[k]
