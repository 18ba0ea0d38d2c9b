"""Loads on bars and hubs at rest: what statics and modes need beside the joints."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, cross, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.rigging.cummins import is_afloat, load_floaters
from fairlead.rigging.sliding import slide_along, slide_of
from fairlead.rigging.standing import press_hub
from fairlead.sea.water import BED_PRESENT

from .coefficients import PLAIN, set_scheme
from .element import axis_of, bar_loads, bed_contact, offset_torque
from .hubs import hybrid_force
from .signals import load_on_hub
from .sweep import ZERO3


@kernel
def loads_at_rest(t, u, slide, out, inertia, sys):
    """Force (3, global) and torque (3, body) of weight, buoyancy, current, seabed and point loads, at rest; `slide`:
    what slides over the seabed (`rigging.sliding`).

    `out` has shape (bars + hubs, 6), and so has `inertia`, with added mass: a bar's masses across and along, the
    coupling κ and the moments of inertia about the transverse axes and the axis; a hub's mass along and moments of
    inertia about its axes (3 each). Those of floaters by coefficients are left in `matrix`.
    """
    reals = sys.reals
    set_scheme(PLAIN, 0.0, sys)
    bed = reals[BED_PRESENT] > 0.0
    count = sys.bars
    for i in range(count):
        body, bar = sys.bar_state[i], sys.bar[i]
        p = body.position
        R = rotation(body.turn)
        across, along, coupling, jx, jz, force, torque, _ = bar_loads(
            t, True, i, p, R, ZERO3, ZERO3, (ZERO3, ZERO3), 0.0, sys
        )
        inertia[i, 0], inertia[i, 1], inertia[i, 2], inertia[i, 3], inertia[i, 4] = across, along, coupling, jx, jz
        if bed:
            for side in range(2):
                o = 0.5 * bar.length * (1.0 if side == 1 else -1.0)
                place = add_scaled(p, o, axis_of(R))
                active, _, bias, _, friction, n = bed_contact(bar, place, ZERO3, sys.contact[2 * i + side], sys)
                if active:
                    f = add(add_scaled(friction, -bias, n), slide_of(slide, -bias, n))
                    force = add(force, f)
                    torque = add(torque, offset_torque(o, R, f))
        for k in range(3):
            out[i, k] = force[k]
            out[i, 3 + k] = torque[k]
    for h in range(sys.hubs):
        body = sys.hub_state[h]
        if is_afloat(h, sys):
            continue
        R = rotation(body.turn)
        mass, _, moments, _, force, torque, _ = rigid_body_loads(
            t, body.position, R, ZERO3, ZERO3, reals, row_start(sys.hub[h], reals)
        )
        if sys.standing_hubs > 0:
            for k in range(int(sys.hub[h].feet)):
                _, lever, _, f = press_hub(t, k, h, R, sys)
                f = add(f, slide_along(slide, f))
                force = add(force, f)
                torque = add(torque, transposed_matvec(R, cross(lever, f)))
        for k in range(3):
            out[count + h, k] = force[k]
            out[count + h, 3 + k] = torque[k]
            inertia[count + h, k] = mass[k]
            inertia[count + h, 3 + k] = moments[k]
    if sys.floaters > 0:
        for i in range(36 * sys.slots):
            sys.matrix[i].value = 0.0
        load_floaters(t, 0.0, sys.hub_state, sys.matrix.start, sys)
        for i in range(sys.floaters):
            for k in range(3):
                out[count + sys.floater[i].hub, k] = sys.hull_now[i].force[k]
                out[count + sys.floater[i].hub, 3 + k] = sys.hull_now[i].torque[k]
    for i in range(sys.hybrids):
        force, _ = hybrid_force(i, sys)
        for k in range(3):
            out[count + sys.hybrid[i].hub, k] += force[k]
    for i in range(sys.loads):
        h = sys.load[i].hub
        R = rotation(sys.hub_state[h].turn)
        force, torque = load_on_hub(t, i, u, R, sys)
        for k in range(3):
            out[count + h, k] += force[k]
            out[count + h, 3 + k] += torque[k]
