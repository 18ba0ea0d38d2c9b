"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale, subtract
from fairlead.rigging.elements import compact_loads
from fairlead.rigging.observation import node_line, node_or_held, put_ends, put_node, put_points, put_totals, works_of
from fairlead.rigging.point_loads import load_of

from .curve import slope
from .element import elongation, mean_strain, stretch
from .forces import OK, gain
from .inertia import accelerate, add_water, kinetic_energy, mass_product
from .schema import FREE
from .sea_loads import bed_energy, buoyant_energy
from .verlet import forces, held_state, refresh_tangents


@kernel
def element_strain(c, i, sys):
    """Mean Green strain of the element of cable c that begins at node i."""
    h = sys.element[i - c].length
    return mean_strain(slope(sys.position, i, h), sys.curvature[i].xyz, sys.curvature[i + 1].xyz, h)


@kernel
def stored_energy(c, sys):
    """Energy of stretching and bending of cable c [J]."""
    cable = sys.cable[c]
    energy = 0.0
    for i in range(cable.first, cable.first + cable.count):
        element = sys.element[i - c]
        c0, c1 = sys.curvature[i].xyz, sys.curvature[i + 1].xyz
        e = elongation(element_strain(c, i, sys))
        energy += 0.5 * element.ea * element.length * e * e
        energy += element.ei * element.length / 6.0 * (dot(c0, c0) + dot(c0, c1) + dot(c1, c1))
    return energy


@kernel
def force_on_support(t, c, side, sys):
    """Force of cable c on what holds its end [N]; `product` holds its inertia forces M a.

    A held end takes what is left of the forces on its node. A free point takes what moves its body against the loads.
    """
    i = sys.cable[c].first + side * sys.cable[c].count
    if sys.held[i].control != FREE:
        return subtract(sys.force[i].xyz, sys.product[i].xyz)
    mass, _, f, _ = compact_loads(t, sys.position[i].xyz, sys.velocity[i].xyz, sys.node[i], sys.reals)
    force = subtract(scale(mass, sys.acceleration[i].xyz), f)
    for k in range(sys.loads):
        if sys.load[k].node == i:
            force = subtract(force, load_of(t, k, sys)[0])
    return force


@kernel
def whole_accelerations(t, c, sys):
    """Accelerations of all nodes of cable c, and M a with added mass into `product`."""
    cable = sys.cable[c]
    accelerate(t, c, sys)
    start, end = sys.acceleration[cable.first].xyz, sys.acceleration[cable.first + cable.count].xyz
    for i in range(cable.first, cable.first + cable.count + 1):
        if sys.held[i].control == FREE:
            gain(sys.acceleration[i], sys.node[i].pull_start, start)
            gain(sys.acceleration[i], sys.node[i].pull_end, end)
    mass_product(cable, sys.acceleration, sys, sys.product)
    if sys.water == 1:
        add_water(t, cable, sys.acceleration, sys, sys.product)


@kernel
def element_tension(c, i, sys):
    """Tension in the middle of the element of cable c that begins at node i: what acts on the Green strain times the
    stretch [N]."""
    return stretch(element_strain(c, i, sys)) * sys.tension[i - c].value


@kernel
def node_tension(c, i, sys):
    """Tension at node i of cable c, on the line through the middles of the two elements nearest to it."""
    first, count = sys.cable[c].first, sys.cable[c].count
    if count == 1:
        return element_tension(c, first, sys)
    k = first + min(max(i - first - 1, 0), count - 2)
    h0, h1 = sys.element[k - c].length, sys.element[k - c + 1].length
    return node_line(i - first, count, h0, h1, element_tension(c, k, sys), element_tension(c, k + 1, sys))


@kernel
def node_shear(c, i, sys):
    """Force across the cable at node i: that of its elements, half each."""
    first, last = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
    force = add(sys.pull[max(i - 1, first) - c].xyz, sys.pull[min(i, last - 1) - c].xyz)
    tangent = sys.tangent[i].xyz
    across = add_scaled(force, -dot(force, tangent), tangent)
    return 0.5 * math.sqrt(dot(across, across))


@kernel
def observe_node(c, i, tension, sys, out, at):
    """Fill the columns of node i of cable c; returns where they end."""
    cable = sys.cable[c]
    element = sys.element[min(i, cable.first + cable.count - 1) - c]
    bent, velocity = sys.curvature[i].xyz, sys.velocity[i].xyz
    if sys.held[i].control >= 0:  # the midpoint rule has its own
        velocity = held_state(i, sys)[1]
    bending, push = element.ei * math.sqrt(dot(bent, bent)), sys.bed_force[i].xyz if sys.bed == 1 else ZERO3
    return put_node(
        out, at, sys.position[i].xyz, velocity, tension, node_shear(c, i, sys), bending, sys.torque[c].value, push
    )


@kernel
def observe(t, h, u, sys, out):
    """Fill one observation row for the state at t. The state is scratched: pass a copy. Returns a status."""
    refresh_tangents(sys)
    status, _, _, _ = forces(t, False, h, u, sys)
    if status != OK:
        return status
    kinetic, gravity, elastic, tension_max = 0.0, 0.0, 0.0, -math.inf
    at = 0
    for c in range(sys.cables):
        cable, torque = sys.cable[c], sys.torque[c].value
        elastic += stored_energy(c, sys)
        if cable.twisted == 1:
            elastic += 0.5 * torque * torque * sys.torsion[c].compliance
        for i in range(cable.first, cable.first + cable.count + 1):
            tension, place = node_tension(c, i, sys), sys.position[i].xyz
            tension_max = max(tension_max, tension)
            gravity += sys.node[i].weight * place[2]
            gravity += buoyant_energy(t, place, sys.tangent[i].xyz, i, sys)
            at = observe_node(c, i, tension, sys, out, at)
            if sys.bed == 1:
                elastic += bed_energy(place, i, sys)
    for c in range(sys.cables):
        kinetic += kinetic_energy(t, sys.cable[c], sys)
        whole_accelerations(t, c, sys)
        at = put_ends(out, at, force_on_support(t, c, 0, sys), force_on_support(t, c, 1, sys))
    at = put_points(out, at, sys.points, node_or_held, sys)
    put_totals(out, at, kinetic, gravity, elastic, works_of(sys.ledger), tension_max)
    return OK
