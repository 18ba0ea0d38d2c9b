"""Rods among the hubs: their loads piece by piece into the hub system, their power and energies; see `rigging.rods`."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, scale, subtract
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.rods import (
    end_loads, end_place, point_of_rod, strip_energies, strip_loads, strip_place, strip_power,
)  # fmt: skip
from fairlead.sea.water import GRAVITY

from .ends import middle_motion
from .hub_rows import add_force, add_product
from .scheme import drag_share


@kernel
def is_rod(h, sys):
    """Whether hub h is a rod; asked where there are any."""
    return sys.rod_of[h].rod >= 0


@kernel
def mass_of(k, across, along):
    """across (1 − k kᵀ) + along k kᵀ, nine numbers."""
    x, y, z = k
    more = along - across
    return (
        across + more * x * x, more * x * y, more * x * z, more * y * x, across + more * y * y, more * y * z,
        more * z * x, more * z * y, across + more * z * z,
    )  # fmt: skip


@kernel
def load_rod(t, h, R, sys):
    """Add a rod to the hub system: its own mass and weight, its pieces and its ends."""
    hub, balance, body, b = sys.hub_state[h], sys.balance[h], sys.hub[h], sys.hub_size
    rod, law = sys.rod[sys.rod_of[h].rod], sys.rod_law[sys.rod_of[h].rod]
    k, up, scheme, reals = (R[2], R[5], R[8]), (R[6], R[7], R[8]), sys.scheme, sys.reals
    velocity, spin = middle_motion(h, sys)
    w, block = matvec(R, spin), b * b * h
    slower, turning = subtract(velocity, hub.velocity), subtract(w, matvec(R, hub.spin))
    inertia = body.inertia
    for i in range(3):
        sys.matrix[block + (b + 1) * i].number += body.mass
        sys.matrix[block + (b + 1) * (3 + i)].number += inertia[i]
    turned = (inertia[0] * spin[0], inertia[1] * spin[1], inertia[2] * spin[2])
    balance.force = (0.0, 0.0, -body.mass * reals[GRAVITY])
    balance.torque = scale(-1.0, cross(spin, turned))
    length = law.length / rod.strips
    for j in range(rod.strips):
        s = strip_place(j, rod, law)
        place, v, bend = point_of_rod(s, k, hub.position, velocity, w)
        push, secant, added, lift, moment = strip_loads(t, place, v, k, up, length, law, reals)
        gain = add_scaled(slower, s, cross(turning, k))
        push = add_scaled(push, secant, add_scaled(gain, -dot(k, gain), k))
        share = drag_share(secant, added + body.mass / rod.strips, scheme)
        columns = lever_columns(R, (0.0, 0.0, s))
        bend = add_scaled(bend, -dot(k, bend), k)
        add_product(h, columns, mass_of(k, added + share * secant, 0.0), columns, True, False, sys)
        add_force(h, columns, add(add_scaled(push, -added, bend), (0.0, 0.0, lift)), sys)
        balance.torque = add(balance.torque, cross(moment, up))
    for side in range(2):
        s = end_place(side, law)
        place, v, bend = point_of_rod(s, k, hub.position, velocity, w)
        push, secant, added = end_loads(t, place, v, k, law, reals)
        push += secant * dot(k, slower)
        share = drag_share(secant, added + 0.5 * body.mass, scheme)
        columns = lever_columns(R, (0.0, 0.0, s))
        add_product(h, columns, mass_of(k, 0.0, added + share * secant), columns, True, False, sys)
        add_force(h, columns, scale(push - added * dot(k, bend), k), sys)


@kernel
def rod_power(t, h, v, spin, sys):
    """Power of the water on a rod where it stands, with the velocity v and the angular velocity `spin` (body axes)."""
    hub = sys.hub_state[h]
    R = rotation(hub.turn)
    rod, law = sys.rod[sys.rod_of[h].rod], sys.rod_law[sys.rod_of[h].rod]
    k, up, w = (R[2], R[5], R[8]), (R[6], R[7], R[8]), matvec(R, spin)
    turning, power, length = cross(w, k), 0.0, law.length / rod.strips
    for j in range(rod.strips):
        place, speed, _ = point_of_rod(strip_place(j, rod, law), k, hub.position, v, w)
        power += strip_power(t, place, speed, k, up, spin, turning, length, law, sys.reals)
    for side in range(2):
        place, speed, _ = point_of_rod(end_place(side, law), k, hub.position, v, w)
        push, _, added = end_loads(t, place, speed, k, law, sys.reals)
        power += push * dot(k, speed) + added * dot(speed, turning) * dot(speed, k)
    return power


@kernel
def rod_energies(t, h, sys):
    """Kinetic energy with added mass and potential with buoyancy of a rod [J]."""
    hub, body = sys.hub_state[h], sys.hub[h]
    R = rotation(hub.turn)
    rod, law = sys.rod[sys.rod_of[h].rod], sys.rod_law[sys.rod_of[h].rod]
    k, up, w, v = (R[2], R[5], R[8]), (R[6], R[7], R[8]), matvec(R, hub.spin), hub.velocity
    kinetic, potential = 0.5 * body.mass * dot(v, v), body.mass * sys.reals[GRAVITY] * hub.position[2]
    for i in range(3):
        kinetic += 0.5 * body.inertia[i] * hub.spin[i] * hub.spin[i]
    for j in range(rod.strips):
        place, speed, _ = point_of_rod(strip_place(j, rod, law), k, hub.position, v, w)
        moving, lifted = strip_energies(t, place, speed, k, up, law.length / rod.strips, law, sys.reals)
        kinetic += moving
        potential += lifted
    for side in range(2):
        place, speed, _ = point_of_rod(end_place(side, law), k, hub.position, v, w)
        _, _, added = end_loads(t, place, speed, k, law, sys.reals)
        kinetic += 0.5 * added * dot(k, speed) * dot(k, speed)
    return kinetic, potential
