"""Rods of the hubs: their loads piece by piece into the hub system, their power and energies; see `rigging.rods`."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, dot, matmul, matvec, scale, subtract, transposed_matvec
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.rods import (
    end_arm, end_loads, point_of_rod, strip_arm, strip_energies, strip_loads, strip_power,
)  # fmt: skip
from fairlead.sea.water import GRAVITY

from .ends import middle_motion
from .hub_rows import add_force, add_product
from .scheme import drag_share


@kernel
def is_rod(h, sys):
    """Whether hub h is a rod and nothing else; asked where there are any."""
    return sys.rod_of[h].whole > 0


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
def load_frame(h, sys):
    """The mass and weight of a hub that is nothing but a rod."""
    balance, body, b = sys.balance[h], sys.hub[h], sys.hub_size
    _, spin = middle_motion(h, sys)
    inertia, block = body.inertia, b * b * h
    for i in range(3):
        sys.matrix[block + (b + 1) * i].number += body.mass
        sys.matrix[block + (b + 1) * (3 + i)].number += inertia[i]
    turned = (inertia[0] * spin[0], inertia[1] * spin[1], inertia[2] * spin[2])
    balance.force = (0.0, 0.0, -body.mass * sys.reals[GRAVITY])
    balance.torque = scale(-1.0, cross(spin, turned))


@kernel
def load_rods(t, h, R, sys):
    """Add the water on all rods of a hub to the hub system: that on their pieces and on their ends."""
    hub, balance, body, own = sys.hub_state[h], sys.balance[h], sys.hub[h], sys.rod_of[h]
    scheme, reals = sys.scheme, sys.reals
    velocity, spin = middle_motion(h, sys)
    w = matvec(R, spin)
    slower, turning = subtract(velocity, hub.velocity), subtract(w, matvec(R, hub.spin))
    for r in range(own.first, own.first + own.count):
        rod, law = sys.rod[r], sys.rod_law[r]
        Q = matmul(R, law.axes)
        k, up = (Q[2], Q[5], Q[8]), (Q[6], Q[7], Q[8])
        length = law.length / rod.strips
        for j in range(rod.strips):
            lever = strip_arm(j, rod, law)
            arm = matvec(R, lever)
            place, v, bend = point_of_rod(arm, hub.position, velocity, w)
            push, secant, added, lift, moment = strip_loads(t, place, v, k, up, length, law, reals)
            gain = add(slower, cross(turning, arm))
            push = add_scaled(push, secant, add_scaled(gain, -dot(k, gain), k))
            share = drag_share(secant, added + body.mass / own.strips, scheme)
            columns = lever_columns(R, lever)
            bend = add_scaled(bend, -dot(k, bend), k)
            add_product(h, columns, mass_of(k, added + share * secant, 0.0), columns, True, False, sys)
            add_force(h, columns, add(add_scaled(push, -added, bend), (0.0, 0.0, lift)), sys)
            balance.torque = add(balance.torque, matvec(law.axes, cross(moment, up)))
        for side in range(2):
            lever = end_arm(side, law)
            arm = matvec(R, lever)
            place, v, bend = point_of_rod(arm, hub.position, velocity, w)
            push, secant, added = end_loads(t, place, v, k, law, reals)
            push += secant * dot(k, add(slower, cross(turning, arm)))
            share = drag_share(secant, added + 0.5 * body.mass / own.count, scheme)
            columns = lever_columns(R, lever)
            add_product(h, columns, mass_of(k, 0.0, added + share * secant), columns, True, False, sys)
            add_force(h, columns, scale(push - added * dot(k, bend), k), sys)


@kernel
def rods_power(t, h, v, spin, sys):
    """Power of the water on the rods of a hub where it stands, with the velocity v and the angular velocity `spin`
    (body axes)."""
    hub, own, power = sys.hub_state[h], sys.rod_of[h], 0.0
    R = rotation(hub.turn)
    w = matvec(R, spin)
    for r in range(own.first, own.first + own.count):
        rod, law = sys.rod[r], sys.rod_law[r]
        Q = matmul(R, law.axes)
        k, up, spin_here = (Q[2], Q[5], Q[8]), (Q[6], Q[7], Q[8]), transposed_matvec(law.axes, spin)
        turning, length = cross(w, k), law.length / rod.strips
        for j in range(rod.strips):
            place, speed, _ = point_of_rod(matvec(R, strip_arm(j, rod, law)), hub.position, v, w)
            power += strip_power(t, place, speed, k, up, spin_here, turning, length, law, sys.reals)
        for side in range(2):
            place, speed, _ = point_of_rod(matvec(R, end_arm(side, law)), hub.position, v, w)
            push, _, added = end_loads(t, place, speed, k, law, sys.reals)
            power += push * dot(k, speed) + added * dot(speed, turning) * dot(speed, k)
    return power


@kernel
def frame_energies(h, sys):
    """Kinetic energy and potential of the mass of a hub that is nothing but a rod [J]."""
    hub, body = sys.hub_state[h], sys.hub[h]
    kinetic = 0.5 * body.mass * dot(hub.velocity, hub.velocity)
    for i in range(3):
        kinetic += 0.5 * body.inertia[i] * hub.spin[i] * hub.spin[i]
    return kinetic, body.mass * sys.reals[GRAVITY] * hub.position[2]


@kernel
def rods_energies(t, h, sys):
    """Kinetic energy of the added mass and potential of the buoyancy of all rods of a hub [J]."""
    hub, own, kinetic, potential = sys.hub_state[h], sys.rod_of[h], 0.0, 0.0
    R = rotation(hub.turn)
    w, v = matvec(R, hub.spin), hub.velocity
    for r in range(own.first, own.first + own.count):
        rod, law = sys.rod[r], sys.rod_law[r]
        Q = matmul(R, law.axes)
        k, up = (Q[2], Q[5], Q[8]), (Q[6], Q[7], Q[8])
        for j in range(rod.strips):
            place, speed, _ = point_of_rod(matvec(R, strip_arm(j, rod, law)), hub.position, v, w)
            moving, lifted = strip_energies(t, place, speed, k, up, law.length / rod.strips, law, sys.reals)
            kinetic += moving
            potential += lifted
        for side in range(2):
            place, speed, _ = point_of_rod(matvec(R, end_arm(side, law)), hub.position, v, w)
            _, _, added = end_loads(t, place, speed, k, law, sys.reals)
            kinetic += 0.5 * added * dot(k, speed) * dot(k, speed)
    return kinetic, potential
