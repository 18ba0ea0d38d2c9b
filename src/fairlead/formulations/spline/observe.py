"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, dot, put, scale, subtract
from fairlead.loads.body import body_loads
from fairlead.loads.reported import node_line, place_of_point, report_totals
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR,
    NODE_TENSION, NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS, POINT_POSITION, POINT_VELOCITY,
)  # fmt: skip
from fairlead.loads.signals import load_factor

from .curve import ZERO, slope
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
    node = sys.node[i]
    if sys.held[i].control != FREE:
        return subtract(sys.force[i].xyz, sys.product[i].xyz)
    mass, _, f, _ = body_loads(
        t, sys.position[i].xyz, sys.velocity[i].xyz, node.mass, node.added, node.lift, node.drag, node.height, sys.reals
    )
    force = subtract(scale(mass, sys.acceleration[i].xyz), f)
    for k in range(sys.loads):
        if sys.load[k].node == i:
            force = add_scaled(force, -load_factor(t, sys.load[k], sys.sample.start, sys.reals), sys.push[k].xyz)
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
    """Fill the columns of node i of cable c."""
    cable = sys.cable[c]
    element = sys.element[min(i, cable.first + cable.count - 1) - c]
    bent = sys.curvature[i].xyz
    put(out, at + NODE_POSITION, sys.position[i].xyz)
    put(out, at + NODE_VELOCITY, sys.velocity[i].xyz)
    if sys.held[i].control >= 0:  # the midpoint rule has its own
        put(out, at + NODE_VELOCITY, held_state(i, sys)[1])
    out[at + NODE_TENSION] = tension
    out[at + NODE_SHEAR] = node_shear(c, i, sys)
    out[at + NODE_BENDING_MOMENT] = element.ei * math.sqrt(dot(bent, bent))
    out[at + NODE_TORSION] = sys.torque[c].value
    put(out, at + NODE_CONTACT_FORCE, sys.bed_force[i].xyz if sys.bed == 1 else ZERO)


@kernel
def point_motion(k, sys):
    """Position and velocity of point k."""
    point = sys.point[k]
    if point.node >= 0:
        return sys.position[point.node].xyz, sys.velocity[point.node].xyz
    return place_of_point(point.control, k, sys.controls.start, 6, sys.place.start, sys.reals, sys.y)


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
            observe_node(c, i, tension, sys, out, at)
            if sys.bed == 1:
                elastic += bed_energy(place, i, sys)
            at += NODE_COLUMNS
    for c in range(sys.cables):
        kinetic += kinetic_energy(t, sys.cable[c], sys)
        whole_accelerations(t, c, sys)
        for side in range(2):
            put(out, at + END_FORCE_START + 3 * side, force_on_support(t, c, side, sys))
        at += END_COLUMNS
    for k in range(sys.points):
        place, velocity = point_motion(k, sys)
        put(out, at + POINT_POSITION, place)
        put(out, at + POINT_VELOCITY, velocity)
        at += POINT_COLUMNS
    report_totals(kinetic, gravity, elastic, tension_max, row_start(sys.ledger, sys.y), sys.y, out, at)
    return OK
