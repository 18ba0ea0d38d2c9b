"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of as turn_angles
from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add_scaled, dot, put, scale, subtract
from fairlead.loads.body import body_energies
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.loads.reported import report_totals
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION,
    NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS, TOTALS,
)  # fmt: skip
from fairlead.sea.water import bed_gap

from .extremes import axis_at
from .hung import centre_of, named_state
from .joint import bend_angle
from .link import link_energies
from .point_loads import take_loads, torques_on
from .step import drive_points, is_prescribed, lay_out, place_points, push_of, solve
from .sweep import ZERO3
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
                lump = sys.lump[body]
                k, g = body_energies(
                    t, place, velocity, lump.mass, lump.added, lump.buoyancy, lump.height, sys.reals
                )  # fmt: skip
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
    bed, n = sys.sea.bed > 0.0, sys.sea.bed_normal
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
                push = add_scaled(friction, normal, n)
            tension_max = max(tension_max, tension)
            put(out, at + NODE_POSITION, motion.position)
            put(out, at + NODE_VELOCITY, motion.velocity)
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = math.sqrt(dot(across, across))
            out[at + NODE_BENDING_MOMENT] = moment
            out[at + NODE_TORSION] = torsion
            put(out, at + NODE_CONTACT_FORCE, push)
            at += NODE_COLUMNS
    for k in range(sys.cables):
        cable = sys.cable[k]
        c, first, reverse = cable.chain, cable.first, cable.reversed == 1
        start = sys.motion[first + c].force
        if sys.chain[c].start < 0 and first == sys.chain[c].first:
            start = ZERO3
        end = scale(-1.0, sys.motion[first + c + cable.count].force)
        put(out, at + END_FORCE_START, end if reverse else start)
        put(out, at + END_FORCE_END, start if reverse else end)
        at += END_COLUMNS
    for k in range(sys.named):
        place, velocity = named_state(k, sys)
        put(out, at, place)
        put(out, at + 3, velocity)
        at += POINT_COLUMNS
    kinetic, gravity, elastic = energies(t, sys)
    report_totals(kinetic, gravity, elastic, tension_max, row_start(sys.ledger, sys.y), sys.y, out, at)
    at += len(TOTALS)
    if sys.reports_angles == 1:
        for j in range(sys.links):
            out[at], out[at + 1] = angles_of(j, sys)
            out[at + 2] = 0.0
            if sys.modes > 0:
                out[at + 2], _ = twist_of(j, sys)
            at += 3
    for b in range(sys.hung_bodies):
        put(out, at, turn_angles(rotation(sys.body_state[b].turn)))
        at += 3
    return status
