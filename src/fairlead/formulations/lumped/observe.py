"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add_scaled, cross, dot, matvec, scale, subtract
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.rigging.axial import axial_energy
from fairlead.rigging.bed import pressed
from fairlead.rigging.cummins import is_afloat
from fairlead.rigging.floater_observation import (
    floater_energies, moor_floater, put_floater_forces, put_floaters, see_forces,
)  # fmt: skip
from fairlead.rigging.frames import body_turn, point_state
from fairlead.rigging.observation import (
    put_angles, put_ends, put_no_nodes, put_node, put_points, put_totals, put_two, works_of,
)  # fmt: skip
from fairlead.rigging.ropes import rope_energy
from fairlead.rigging.standing import put_landings, standing_hub

from .bending import bending_stiffness
from .ends import ZERO3, is_attached, place_ends
from .energies import still_energies
from .hubs import book_floating
from .joined import joint_energies, put_joints
from .points import chord, clamp_direction, drive_points
from .rods import frame_energies, is_rod, rods_energies
from .schema import CARRIED
from .scheme import second_order
from .slackening import solve, solve_first
from .standing import reaction_on
from .step import bed_energy, book_tensions, drift
from .tensions import between_steps, end_force_between, tension_at


@kernel
def element_energies(t, e, node, sys):
    """Kinetic energy (with added mass), gravity potential (with buoyancy) and elastic energy of one element [J]."""
    element, span = sys.element[e], sys.chord[e].span
    kinetic, gravity = still_energies(t, e, node, sys.chord[e].direction, sys)
    if sys.ropes > 0 and element.rope >= 0.0:
        rope, strain = sys.rope[int(element.rope)], span / element.length - 1.0
        elastic = element.length * rope_energy(rope, strain, sys.creep[e], element.pushed != CARRIED, sys)
    elif element.pushed != CARRIED and span < element.length:
        elastic = 0.0
    else:
        elastic = axial_energy(sys.law, span / element.length, element.length, element.stiffness)
    return kinetic, gravity, elastic


@kernel
def moment_at(c, i, sys):
    """Bending moment (3) at node i of cable c and the elastic energy of its turn: k t₁ × t₂, ½k|t₂ − t₁|²."""
    first, k = sys.cable[c].first, bending_stiffness(c, i, sys)
    if k == 0.0:
        return ZERO3, 0.0
    t1 = sys.chord[first + i - 1].direction if i > 0 else clamp_direction(2 * c, sys)
    t2 = sys.chord[first + i].direction if i < sys.cable[c].count else clamp_direction(2 * c + 1, sys)
    g = subtract(t2, t1)
    return scale(k, cross(t1, t2)), 0.5 * k * dot(g, g)


@kernel
def shear_at(c, i, sys):
    """Shear force at node i: the mean over the elements beside it of the change of the moment along each [N]."""
    first, count = sys.cable[c].first, sys.cable[c].count
    here, _ = moment_at(c, i, sys)
    total, parts = 0.0, 0.0
    for side in range(2):
        e = i - 1 + side
        if e < 0 or e >= count:
            continue
        there, _ = moment_at(c, i - 1 + 2 * side, sys)
        change = subtract(there, here)
        total += math.sqrt(dot(change, change)) / sys.chord[first + e].span
        parts += 1.0
    return total / parts


@kernel
def go_back(t, u, was, sys):
    """After the solve: everything where the state `was` at t has it, and the directions of the elements there."""
    for i in range(sys.nodes):
        sys.node[i].position, sys.node[i].velocity = was.node[i].position, was.node[i].velocity
    for h in range(sys.hubs):
        hub, before = sys.hub_state[h], was.hub_state[h]
        hub.position, hub.turn, hub.velocity, hub.spin = before.position, before.turn, before.velocity, before.spin
    for k in range(sys.controlled):
        control, before = sys.controls[k], was.controls[k]
        control.position, control.velocity = before.position, before.velocity
    for e in range(sys.creeping):
        sys.creep[e].slow, sys.creep[e].most = was.creep[e].slow, was.creep[e].most
    drive_points(t, 0.0, 1, u, sys)
    for c in range(sys.cables):
        place_ends(c, sys)
        first = sys.cable[c].first
        for e in range(first, first + sys.cable[c].count):
            sys.chord[e].direction, sys.chord[e].span = chord(e + c, sys)


@kernel
def moor_floaters(sys):
    """Pull of all cables on floaters."""
    for end in range(2 * sys.cables):
        h = sys.joint[end].hub
        if h >= 0 and is_afloat(h, sys) and is_attached(end, sys):
            force, arm = sys.end_force[end].force, matvec(rotation(sys.hub_state[h].turn), sys.end[end].offset)
            moor_floater(sys.afloat[h].floater, force, cross(arm, force), sys)


@kernel
def observe(t, u, was, sys, out):
    """Fill one observation row for the state `was` at t, scheme prepared; that of `sys` is a copy, to be scratched.

    Forces are found in the middle of a step. Those at t are the mean of the step that has ended there and of the one
    that begins; of the latter alone where none was made before, and in friction and the loads of joints, which no state
    keeps. Forces on floaters that follow from place, velocity and time are taken at t.
    """
    ahead = sys.scheme.drift
    drive_points(t, ahead, 1, u, sys)
    drift(sys)
    status = solve(t + ahead, u, solve_first(t + ahead, u, 0, sys), sys)
    if status == 0:
        status = book_tensions(t, 0, sys)
        book_floating(0.0, sys, sys)
    go_back(t, u, was, sys)
    for end in range(2 * sys.cables):
        sys.end_force[end].force = end_force_between(end, was, sys)
    bed = sys.sea.bed > 0.0
    kinetic, gravity, elastic, tension_max = 0.0, 0.0, 0.0, -math.inf if sys.cables > 0 else 0.0
    at = 0
    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count, reverse = cable.first, cable.count, cable.reversed == 1
        spare = cable.allotted_count - count  # still on the drum, at the cable's first nodes
        if not reverse:
            at = put_no_nodes(out, at, spare)
        for k in range(count + 1):
            i = count - k if reverse else k
            node = first + c + i
            before, after = tension_at(c, i, sys.chord, was), tension_at(c, i, sys.chord, sys)
            tension = between_steps(before, after, was)
            shear, bending, push = 0.0, 0.0, ZERO3
            if cable.bends == 1:
                moment, energy = moment_at(c, i, sys)
                shear, bending = shear_at(c, i, sys), math.sqrt(dot(moment, moment))
                elastic += energy
            if bed:
                contact = sys.contact[node]
                normal, before = 0.0, max(0.0, was.grip[node].normal_force)
                if contact.active > 0.5:
                    normal, push, _ = pressed(contact, sys.row[node].acceleration)
                push = add_scaled(push, between_steps(before, normal, was), contact.normal)
                elastic += bed_energy(contact, contact.gap - ahead * dot(contact.normal, sys.node[node].velocity))
            if i < count:
                moving, lifted, stretched = element_energies(t, first + i, node, sys)
                kinetic += moving
                gravity += lifted
                elastic += stretched
            tension_max = max(tension_max, tension)
            place, velocity = sys.node[node].position, sys.node[node].velocity
            at = put_node(out, at, place, velocity, tension, shear, bending, 0.0, push)
        if reverse:
            at = put_no_nodes(out, at, spare)
    for c in range(sys.cables):
        turned = sys.cable[c].reversed
        at = put_ends(out, at, sys.end_force[2 * c + turned].force, sys.end_force[2 * c + 1 - turned].force)
    at = put_points(out, at, sys.named, point_state, sys)
    for h in range(sys.hubs):
        hub = sys.hub_state[h]
        if is_afloat(h, sys):
            continue
        if sys.rods > 0 and is_rod(h, sys):
            moving, lifted = frame_energies(h, sys)
        else:
            moving, lifted = rigid_body_energies(
                t, hub.position, rotation(hub.turn), hub.velocity, hub.spin, sys.reals,
                row_start(sys.hub[h], sys.reals),
            )  # fmt: skip
        kinetic += moving
        gravity += lifted
        if sys.rods > 0 and sys.rod_of[h].count > 0:
            moving, lifted = rods_energies(t, h, sys)
            kinetic += moving
            gravity += lifted
    if sys.floaters > 0:
        moving, lifted, stored = floater_energies(sys.hub_state, sys)
        kinetic += moving
        gravity += lifted
        elastic += stored
    if sys.bonds > 0:
        elastic += joint_energies(sys)
    totals = at = put_totals(out, at, kinetic, gravity, elastic, works_of(was.ledger), tension_max)
    for k in range(sys.winches):
        at = put_two(out, at, sys.drum[k].paid_out, sys.turning[k].driven)
    for k in range(sys.named - sys.bodies, sys.named):
        at = put_angles(out, at, rotation(body_turn(k, sys)))
    at = put_landings(out, at, totals, sys.named, standing_hub, reaction_on, sys.standing.start, sys)
    if sys.bonds > 0:
        at = put_joints(out, at, sys)
    if sys.floaters > 0:
        if second_order(sys.scheme):
            see_forces(t, sys.hub_state, sys)
        at = put_floaters(out, at, was, sys)
        moor_floaters(sys)
        put_floater_forces(out, at, sys)
    return status
