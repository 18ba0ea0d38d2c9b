"""Störmer–Verlet: kick, drift, kick. One evaluation of the forces a step; stable up to h = 2/ω of the stiffest motion.

Held ends move by their own law; what they do to the others through a consistent mass matrix enters at the kicks, as in
the momentum form M_ff v_f + M_fp v_p, so that no acceleration of an end is ever needed. Forces that depend on the
velocity take it as it would be at the end of the step without their change.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add_scaled, dot, scale, subtract
from fairlead.rigging.bed import remember_touch
from fairlead.rigging.commands import follow_all
from fairlead.rigging.point_loads import load_of
from fairlead.sea.water import bed_normal

from .curve import curvatures
from .forces import OK, RANGE, gain, node_tangent, outside_forces, point_loads, strain_energy_forces, twist
from .inertia import accelerate, mass_row, node_water
from .schema import FREE

SPEED_LIMIT = 1.0e3


@kernel
def held_state(i, sys):
    """Position and velocity that held node i is to have."""
    control = sys.held[i].control
    if control >= 0:
        return sys.controls[control].position, sys.controls[control].velocity
    return sys.position[i].xyz, ZERO3


@kernel
def kick(cable, share, start, end, sys):
    """v += share·a + what the changes of velocity of the held ends do through the mass matrix."""
    for i in range(cable.first, cable.first + cable.count + 1):
        if sys.held[i].control == FREE:
            gained = add_scaled(scale(share, sys.acceleration[i].xyz), sys.node[i].pull_start, start)
            gain(sys.velocity[i], 1.0, add_scaled(gained, sys.node[i].pull_end, end))


@kernel
def added_energy(t, cable, sys):
    """½ vᵀA v of the water around a cable, tangents as in `tangent`."""
    energy = 0.0
    for i in range(cable.first, cable.first + cable.count + 1):
        v = sys.velocity[i].xyz
        energy += 0.5 * dot(v, node_water(t, i, v, sys))
    return energy


@kernel
def refresh_tangents(sys):
    """Tangents of all nodes, from the state alone."""
    for c in range(sys.cables):
        cable = sys.cable[c]
        curvatures(c, sys.position, False, sys, sys.curvature)
        for i in range(cable.first, cable.first + cable.count + 1):
            sys.tangent[i].xyz = node_tangent(c, i, sys.position, sys.curvature, sys)


@kernel
def clear_forces(sys):
    """No force on any node."""
    for i in range(sys.nodes):
        sys.force[i].xyz = ZERO3


@kernel
def forces(t, rate, h, u, sys):
    """All forces on all nodes for the state at t; `rate` counts the twist's own speed over the step h.

    Returns a status and the powers of drag, damping and friction.
    """
    clear_forces(sys)
    drag, damping, rubbing = 0.0, 0.0, 0.0
    for c in range(sys.cables):
        alpha = twist(t, c, u, sys)
        swift = (alpha - twist(t - h, c, u, sys)) / h if rate else 0.0
        status, lost = strain_energy_forces(c, alpha, swift, sys)
        if status != OK:
            sys.fault.time, sys.fault.cable = t, c
            return status, 0.0, 0.0, 0.0
        wet, slow, rub = outside_forces(t, c, sys)
        drag += wet
        damping += lost + slow
        rubbing += rub
    point_loads(t, sys)
    return OK, drag, damping, rubbing


@kernel
def remember_bed(sys):
    """Friction memory of all nodes after a step, from the force of the bed."""
    for i in range(sys.nodes):
        place = sys.position[i].xyz
        push = dot(sys.bed_force[i].xyz, bed_normal(place, sys.reals))
        remember_touch(sys.node[i].bed_shear, place, True, push > 0.0, push, sys.contact[i], sys)


@kernel
def turned(t, h, c, u, sys):
    """Half the work of turning the end of cable c from t to t + h, by the torque of one end of the step."""
    alpha = twist(t + h, c, u, sys) - twist(t, c, u, sys)
    return 0.5 * alpha * sys.torque[c].value


@kernel
def book_power(h, drag, damping, rubbing, sys):
    """Works of the powers at both ends of a step h."""
    power, ledger = sys.power, sys.ledger
    ledger.drag += 0.5 * h * (power.drag + drag)
    ledger.damping += 0.5 * h * (power.damping + damping)
    ledger.friction += 0.5 * h * (power.friction + rubbing)
    power.drag, power.damping, power.friction = drag, damping, rubbing


@kernel
def first_half(t, h, c, u, sys):
    """Cable c from its state at t to its places at t + h; its velocities are led on for the forces there.

    Returns the energy of the water around it at half the step.
    """
    cable, ledger = sys.cable[c], sys.ledger
    start, end = ZERO3, ZERO3
    for side in range(2):
        i = cable.first + side * cable.count
        if sys.held[i].control >= 0:
            goal, _ = held_state(i, sys)
            half = scale(1.0 / h, subtract(goal, sys.position[i].xyz))
            momentum = mass_row(side * cable.count, cable, sys.velocity, sys)
            ledger.drives -= dot(half, add_scaled(momentum, 0.5 * h, sys.reaction[2 * c + side].xyz))
            change = subtract(half, sys.velocity[i].xyz)
            start, end = (change, end) if side == 0 else (start, change)
            sys.velocity[i].xyz = half
    kick(cable, 0.5 * h, start, end, sys)
    stirred = added_energy(t, cable, sys) if sys.water == 1 else 0.0
    for i in range(cable.first, cable.first + cable.count + 1):
        gain(sys.position[i], h, sys.velocity[i].xyz)
    kick(cable, 0.5 * h, ZERO3, ZERO3, sys)
    ledger.drives += turned(t, h, c, u, sys)
    return stirred


@kernel
def second_half(t, h, c, u, sys):
    """Cable c under the forces at t + h. Returns a status and the energy of the water around it at half the step."""
    cable, ledger = sys.cable[c], sys.ledger
    start, end = ZERO3, ZERO3
    kick(cable, -0.5 * h, ZERO3, ZERO3, sys)
    stirred = added_energy(t + h, cable, sys) if sys.water == 1 else 0.0
    for side in range(2):
        i = cable.first + side * cable.count
        if sys.held[i].control >= 0:
            _, after = held_state(i, sys)
            change = subtract(after, sys.velocity[i].xyz)
            start, end = (change, end) if side == 0 else (start, change)
            sys.acceleration[i].xyz = scale(2.0 / h, change)
    accelerate(t + h, c, sys)
    kick(cable, 0.5 * h, start, end, sys)
    for side in range(2):
        i = cable.first + side * cable.count
        if sys.held[i].control >= 0:
            half, force = sys.velocity[i].xyz, sys.force[i].xyz
            sys.velocity[i].xyz = held_state(i, sys)[1]
            sys.reaction[2 * c + side].xyz = force
            momentum = mass_row(side * cable.count, cable, sys.velocity, sys)
            ledger.drives += dot(half, add_scaled(momentum, -0.5 * h, force))
    ledger.drives += turned(t, h, c, u, sys)
    for i in range(cable.first, cable.first + cable.count + 1):
        speed = sys.velocity[i].xyz
        if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
            sys.fault.time, sys.fault.cable, sys.fault.place = t + h, c, i - cable.first
            return RANGE, 0.0
    return OK, stirred


@kernel
def verlet_step(t, h, u, sys):
    """One step from t, in place. Returns a status."""
    follow_all(t, h, u, sys)
    stirred = 0.0
    for c in range(sys.cables):
        stirred -= first_half(t, h, c, u, sys)
    for k in range(sys.loads):
        sys.ledger.drives += h * dot(sys.velocity[sys.load[k].node].xyz, load_of(t + 0.5 * h, k, sys)[0])
    sys.turned.energy = 0.0
    status, drag, damping, rubbing = forces(t + h, True, h, u, sys)
    if status != OK:
        return status
    book_power(h, drag, damping, rubbing, sys)
    for c in range(sys.cables):
        status, after = second_half(t, h, c, u, sys)
        if status != OK:
            return status
        stirred += after
    sys.ledger.drag += stirred + sys.turned.energy
    if sys.bed == 1:
        remember_bed(sys)
    return OK
