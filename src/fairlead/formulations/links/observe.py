"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, add_scaled, dot, subtract
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.rigging.elements import compact_energies
from fairlead.rigging.observation import (
    put_angles, put_ends, put_node, put_points, put_totals, put_two, works_of,
)  # fmt: skip
from fairlead.rigging.point_loads import take_loads
from fairlead.sea.water import bed_gap

from .extremes import axis_at, end_forces
from .hung import centre_of, named_state
from .joint import bend_angle
from .link import link_energies, torques_on
from .step import drive_points, is_prescribed, lay_out, place_points, push_of, solve
from .twist import twist_energies, twist_of


@kernel
def bending_at(c, i, sys):
    """Bend angle and stiffness of the joint at node i of chain c (0 where it turns freely)."""
    first, count, end = sys.chain[c].first, sys.chain[c].count, sys.end[c]
    if i == count:
        k, above, below = end.stop_bending, sys.link_state[first + count - 1].direction, end.stop_axis
    else:
        k, above, below = sys.link[first + i].bending, end.start_axis, sys.link_state[first + i].direction
        if i > 0:
            above = sys.link_state[first + i - 1].direction
    if k == 0.0:
        return 0.0, 0.0
    return bend_angle(above, below), k


@kernel
def end_moments(t, link, axis, sys):
    """Bending moment and torsion at the free end of a chain: what a torque there does to its last link [N m]."""
    torque = torques_on(t, link, sys)
    along = dot(torque, axis)
    across = add_scaled(torque, -along, axis)
    return math.sqrt(dot(across, across)), along if sys.modes > 0 else 0.0


@kernel
def energies(t, sys):
    """Kinetic, gravity and elastic energy of everything [J]."""
    kinetic, elastic, _ = twist_energies(sys)
    gravity = 0.0
    for c in range(sys.chains):
        chain = sys.chain[c]
        for i in range(chain.count + 1):
            node = chain.first + c + i
            place, velocity, body = sys.motion[node].position, sys.motion[node].velocity, sys.sitting[node].body
            if i < chain.count:
                j = chain.first + i
                w = sys.link_state[j].rate
                k, g = link_energies(t, j, place, sys.link_state[j].direction, velocity, w, sys)
                kinetic += k + 0.5 * sys.link[j].rotary * dot(w, w)
                gravity += g
            if body <= -2:
                state = sys.body_state[-2 - body]
                R, w = rotation(state.turn), state.spin
                centre, speed = centre_of(-2 - body, place, velocity, R, w, sys)
                record = row_start(sys.hung[-2 - body], sys.reals)
                k, g = rigid_body_energies(t, centre, R, speed, w, sys.reals, record)
                kinetic += k
                gravity += g
            if body >= 0:
                k, g = compact_energies(t, place, velocity, sys.lump[body], sys.reals)
                kinetic += k
                gravity += g
            angle, k = bending_at(c, i, sys)
            elastic += 0.5 * k * angle * angle
            if sys.sea.bed > 0.0 and not is_prescribed(node, c, sys):
                gap = min(0.0, bed_gap(place, sys.node[node].radius, sys.reals))
                elastic += 0.5 * sys.node[node].stiffness * gap * gap
        if chain.stop >= 0:
            gap = subtract(sys.motion[chain.first + c + chain.count].position, sys.plan[chain.stop].position)
            elastic += 0.5 * sys.end[c].spring * dot(gap, gap)
    return kinetic, gravity, elastic


@kernel
def angles_of(j, sys):
    """Elevation from straight down and azimuth from y towards x of link j, as Pereira et al. counts them [rad]."""
    q = sys.link_state[j].direction
    return math.atan2(math.sqrt(q[0] * q[0] + q[1] * q[1]), -q[2]), math.atan2(q[0], q[1])


@fold
def observe(t, u, sys, out):
    """Fill one observation row for the state at t. It is scratched: pass a copy."""
    sys.step.book = 0.0
    take_loads(u, sys)
    place_points(sys)
    drive_points(t, 0.0, 1, u, sys)
    lay_out(0.0, sys)
    status = solve(t, sys)
    bed = sys.sea.bed > 0.0
    tension_max = -math.inf
    at = 0
    for k in range(sys.cables):
        cable = sys.cable[k]
        c, first, count, reverse = cable.chain, cable.first, cable.count, cable.reversed == 1
        before = first - sys.chain[c].first
        for step in range(count + 1):
            i = count - step if reverse else step
            node = first + c + i
            motion = sys.motion[node]
            axis = axis_at(c, before + i, sys)
            tension = dot(motion.force, axis)
            across = add_scaled(motion.force, -tension, axis)
            angle, stiffness = bending_at(c, before + i, sys)
            moment, torsion = stiffness * angle, 0.0
            if sys.modes > 0 and before + i < sys.chain[c].count:
                _, torsion = twist_of(first + i, sys)
            if before + i == sys.chain[c].count and stiffness == 0.0:
                moment, torsion = end_moments(t, first + count - 1, axis, sys)
            push = ZERO3
            if bed and not is_prescribed(node, c, sys):
                normal, friction = push_of(node, sys)
                push = add_scaled(friction, normal, sys.touch[node].normal)
            tension_max = max(tension_max, tension)
            shear = math.sqrt(dot(across, across))
            at = put_node(out, at, motion.position, motion.velocity, tension, shear, moment, torsion, push)
    for k in range(sys.cables):
        start, end = end_forces(k, sys)
        reverse = sys.cable[k].reversed == 1
        at = put_ends(out, at, end if reverse else start, start if reverse else end)
    at = put_points(out, at, sys.named, named_state, sys)
    kinetic, gravity, elastic = energies(t, sys)
    at = put_totals(out, at, kinetic, gravity, elastic, works_of(sys.ledger), tension_max)
    if sys.reports_angles == 1:
        for j in range(sys.links):
            at = put_two(out, at, *angles_of(j, sys))
            out[at] = 0.0
            if sys.modes > 0:
                out[at], _ = twist_of(j, sys)
            at += 1
    for b in range(sys.hung_bodies):
        at = put_angles(out, at, rotation(sys.body_state[b].turn))
    return status
