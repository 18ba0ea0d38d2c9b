"""All that acts on the tree at one moment, and the accelerations that follow."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import (
    ZERO3, ZERO6, ZERO9, add, cross, dot, matvec, scale, subtract, symvec, transposed_matvec,
)  # fmt: skip
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.rigging.joints import joint_spring, rotation_vector
from fairlead.rigging.joints import spring_energy as energy_of_spring
from fairlead.rigging.point_loads import load_of

from .articulated import articulated
from .bodies import add_dry, clear, placed, push_at, turned_symmetric
from .joints import four, kind_of, length_rate_of, place_all, speeds_of, three
from .lines import at_start, keep_water, load_element, start_spin
from .schema import CABLE, PRISMATIC, REVOLUTE, ROD, SPHERICAL
from .spatial import add_bias, add_inertia
from .standing import stand_all
from .tension import set_tension, tension_parts


@kernel
def set_torques(sys):
    """Torques τ of all joints and what their springs and dampers add to the elimination, G.

    A spring–damper is taken at the time θh into the step: τ = −k(q₀ + θh v₀ − rest) − c v₀ and G = θ²h²k + θh c, from
    the start of the step q₀, v₀; joints take θ = ½. With h = 0 it is the plain law.
    """
    scheme = sys.scheme
    stepping = scheme.step > 0.0
    for j in range(sys.bodies):
        body, joint = sys.body[j], sys.joint[j]
        kind, q, v = kind_of(body, sys), body.coordinate, body.speed
        for k in range(speeds_of(kind)):
            sys.effort[v + k].torque, sys.effort[v + k].stiff = 0.0, 0.0
        if kind == CABLE:
            set_tension(body, sys)
            continue
        ahead = scheme.half
        if kind in (REVOLUTE, PRISMATIC):
            x, rate = sys.coordinate[q].value, sys.speed[v].value
            if stepping:
                rate = sys.start_speed[v].value
                x = sys.start_coordinate[q].value + ahead * rate
            torque, stiffness, damping = joint_spring(
                joint.spring, joint.damper, x - joint.rest, rate, joint.low - joint.rest, joint.high - joint.rest,
                joint.stop, joint.stop_damper,
            )  # fmt: skip
            sys.effort[v].torque, sys.effort[v].stiff = torque, ahead * (damping + ahead * stiffness)
        elif kind == SPHERICAL:
            turn, rates = rotation_vector(four(sys.coordinate, q)), three(sys.speed, v)
            if stepping:
                rates = three(sys.start_speed, v)
            for k in range(3):
                effort = sys.effort[v + k]
                effort.torque = -joint.spring * turn[k] - joint.damper * rates[k]
                effort.stiff = ahead * (joint.damper + ahead * joint.spring)


@kernel
def load_water(t, i, sys):
    """Weight, buoyancy, drag and added mass of a body or of something at a node, by `loads.rigid_body`.

    Its inertia with added mass stands about its centre of mass c: f = M (a + α × c + ω × (ω × c)) − F, n = J α − N.
    Drag is implicit over half a step: its secant is that of the middle, its velocity that of the start.
    """
    record, c, w = placed(i, sys)
    R, v = record.rotation, add(record.velocity, cross(w, c))
    m, d, j, e, force, torque, power = rigid_body_loads(
        t, add(record.position, c), R, v, transposed_matvec(R, w), sys.reals, row_start(sys.hull[i], sys.reals)
    )
    half = sys.scheme.half
    drag = turned_symmetric(R, (d[0], 0.0, 0.0, d[1], 0.0, d[2]))
    _, start = at_start(sys.solid[i].record, sys.hull[i].place, sys)
    force = add(force, symvec(drag, subtract(v, start)))
    M = turned_symmetric(R, (m[0] + half * d[0], 0.0, 0.0, m[1] + half * d[1], 0.0, m[2] + half * d[2]))
    bias = subtract(symvec(M, cross(w, cross(w, c))), force)
    sys.power.drag += power
    J, resisted = ZERO6, ZERO3
    if sys.solid[i].turns == 1:
        turn = transposed_matvec(R, subtract(w, start_spin(sys.solid[i].record, sys)))
        torque = add(torque, (e[0] * turn[0], e[1] * turn[1], e[2] * turn[2]))
        J = turned_symmetric(R, (j[0] + half * e[0], 0.0, 0.0, j[1] + half * e[1], 0.0, j[2] + half * e[2]))
        resisted = scale(-1.0, matvec(R, torque))
    add_inertia(record, M, ZERO9, J, c)
    add_bias(record, bias, resisted, c)


@kernel
def push_loads(t, sys):
    """Loads of the file: forces and torques (global) on bodies and nodes; their work is the drives'."""
    for i in range(sys.loads):
        record = sys.record[sys.load[i].record]
        force, torque = load_of(t, i, sys)
        c = matvec(record.rotation, sys.push[i].offset)
        push_at(record, force, torque, c)
        w = record.spin
        sys.power.drives += dot(force, add(record.velocity, cross(w, c))) + dot(torque, w)


@kernel
def load_all(t, sys):
    """Place all bodies and give them all that acts on them; joints get their torques."""
    place_all(sys)
    clear(sys)
    sys.power.drag, sys.power.friction, sys.power.drives = 0.0, 0.0, 0.0
    for j in range(sys.bodies):
        body = sys.body[j]
        if body.kind != CABLE:
            add_dry(j, sys)
        elif kind_of(body, sys) == CABLE:
            if sys.scheme.predicted == 0.0:
                keep_water(t, j, sys)
            load_element(t, j, sys)
    for i in range(sys.solids):
        load_water(t, i, sys)
    stand_all(t, sys)
    push_loads(t, sys)
    set_torques(sys)


@kernel
def solve(t, sys, rates, first):
    """Accelerations of all joints at t into `rates` from `first` on; bases are in place. Returns a status."""
    load_all(t, sys)
    return articulated(sys, rates, first)


@kernel
def damper_power(sys):
    """Power of the dampers of joints [W]."""
    power = 0.0
    for j in range(sys.bodies):
        body = sys.body[j]
        if body.kind in (REVOLUTE, PRISMATIC, SPHERICAL):
            for k in range(speeds_of(body.kind)):
                speed = sys.speed[body.speed + k].value
                power -= sys.joint[j].damper * speed * speed
    return power


@kernel
def line_damping(sys):
    """Power of the damping in the cables [W], after a solution without a step."""
    power = 0.0
    for j in range(sys.bodies):
        body = sys.body[j]
        if kind_of(body, sys) == CABLE:
            e = body.element
            span, speed = sys.coordinate[body.coordinate + 2].value, sys.speed[body.speed + 2].value
            length, rate = sys.line[e].length, length_rate_of(body, sys)
            elastic, _ = tension_parts(span, speed, length, rate, sys.element[e], sys)
            if sys.slack != ROD:
                elastic = max(0.0, elastic)  # a slack element stores nothing
            power -= (sys.pull[e].tension - elastic) * (speed - rate * span / length)
    return power


@kernel
def spring_energy(sys):
    """Energy of the springs and limits of joints [J]."""
    energy = 0.0
    for j in range(sys.bodies):
        body, joint = sys.body[j], sys.joint[j]
        if body.kind == SPHERICAL:
            turn = rotation_vector(four(sys.coordinate, body.coordinate))
            energy += 0.5 * joint.spring * dot(turn, turn)
        elif body.kind in (REVOLUTE, PRISMATIC):
            energy += energy_of_spring(joint, sys.coordinate[body.coordinate].value)
    return energy
