"""One observation: what is seen of a state, in the names all formulations share, and the paper's diagnostics."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.angles import angles_of
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import dot, put, subtract
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, TOTALS, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip

from .energies import body_sum, cable_energies
from .extremes import tension_at
from .node import ZERO3, state_of
from .schema import FREE, HUNG

EXTRAS = (
    ("link_length_mean", "m", "mean distance of neighbouring nodes"),
    ("link_length_band", "m", "half width of the 95 % band of the link lengths, 1.96 standard deviations"),
    ("link_length_error", "1", "mean link length beside the target length, relative"),
    ("work_proportional", "J", "energy given to the nodes by the proportional part of the link forces"),
    ("work_derivative", "J", "energy given to the nodes by the derivative part of the link forces"),
    ("work_integral", "J", "energy given to the nodes by the integral part of the link forces"),
    ("work_weight", "J", "energy given to the nodes by weight and buoyancy"),
    ("energy_potential_paper", "J", "the paper's potential energy: work of all its forces, with its sign"),
    ("energy_mechanical_paper", "J", "the paper's mechanical energy: kinetic energy and its potential energy"),
)
"""Numbers beside the common ones: name, unit, meaning. The paper's Figs. 3 to 7."""


@kernel
def put_nodes(c, at, sys, out):
    """Node columns of cable c from `at` on; returns its largest tension."""
    cable = sys.cable[c]
    bends, bed = cable.bends == 1, sys.sea.bed > 0.0
    most = -math.inf
    for j in range(cable.count + 1):
        i, state = cable.node + j, state_of(cable, j, sys)
        tension, shear, moment = tension_at(c, j, sys), 0.0, 0.0
        if bends:
            moment = sys.bend[i].moment
            change = abs(moment - sys.bend[i - 1].moment) if j > 0 else 0.0
            if j < cable.count:
                change = max(change, abs(moment - sys.bend[i + 1].moment))
            shear = change / (sys.paid[c].factor * sys.link[cable.link + min(j, cable.count - 1)].length)
        put(out, at + NODE_POSITION, state.position)
        put(out, at + NODE_VELOCITY, state.velocity)
        out[at + NODE_TENSION] = tension
        out[at + NODE_SHEAR] = shear
        out[at + NODE_BENDING_MOMENT] = moment
        out[at + NODE_TORSION] = 0.0
        put(out, at + NODE_CONTACT_FORCE, sys.touch[i].force if bed else ZERO3)
        most = max(most, tension)
        at += NODE_COLUMNS
    return most


@kernel
def link_vector(c, j, sys):
    """From node j of cable c to the next."""
    cable = sys.cable[c]
    return subtract(state_of(cable, j + 1, sys).position, state_of(cable, j, sys).position)


@kernel
def link_statistics(sys):
    """Mean and standard deviation of all link lengths, and the mean target length [m]."""
    total, squares, target = 0.0, 0.0, 0.0
    for c in range(sys.cables):
        for j in range(sys.cable[c].count):
            chord = link_vector(c, j, sys)
            total += math.sqrt(dot(chord, chord))
            target += sys.paid[c].factor * sys.link[sys.cable[c].link + j].length
    mean = total / sys.links
    for c in range(sys.cables):
        for j in range(sys.cable[c].count):
            chord = link_vector(c, j, sys)
            squares += (math.sqrt(dot(chord, chord)) - mean) ** 2
    return mean, math.sqrt(squares / sys.links), target / sys.links


@kernel
def observe(t, sys, out):
    """Fill one row for the state at t; scratch holds the forces of the step that begins there."""
    at, most = 0, -math.inf
    for c in range(sys.cables):
        most = max(most, put_nodes(c, at, sys, out))
        at += NODE_COLUMNS * (sys.cable[c].count + 1)
    for c in range(sys.cables):
        put(out, at + END_FORCE_START, sys.end[2 * c].force)
        put(out, at + END_FORCE_END, sys.end[2 * c + 1].force)
        at += END_COLUMNS
    kinetic, gravity, elastic = 0.0, 0.0, 0.0
    for p in range(sys.points):
        point, state = sys.point[p], sys.point_state[p]
        x, v = state.position, state.velocity
        if point.kind == HUNG:
            body = sys.body_state[point.which]
            x, v = body.position, body.velocity
            k, g = rigid_body_energies(
                t, x, rotation(body.turn), v, body.spin, sys.reals, row_start(sys.hung[point.which], sys.reals)
            )
            kinetic += k
            gravity += g
        put(out, at, x)
        put(out, at + 3, v)
        at += POINT_COLUMNS
        if point.kind == FREE:
            k, g = body_sum(t, point.which, 1, x, v, sys)
            kinetic += k
            gravity += g
    for c in range(sys.cables):
        k, g, stretch, bend = cable_energies(t, c, sys)
        kinetic += k
        gravity += g
        elastic += stretch + bend
    ledger = sys.ledger
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + WORK_DRAG] = ledger.drag
    damping = ledger.derivative + ledger.integral
    out[at + WORK_DAMPING] = damping + ledger.bending + ledger.bed
    out[at + WORK_FRICTION] = ledger.friction
    out[at + WORK_DRIVES] = ledger.drives
    out[at + TENSION_MAX] = most
    at += len(TOTALS)
    mean, deviation, target = link_statistics(sys)
    potential = damping + ledger.proportional + ledger.weight + ledger.drag
    out[at] = mean
    out[at + 1] = 1.96 * deviation
    out[at + 2] = mean / target - 1.0
    out[at + 3] = ledger.proportional
    out[at + 4] = ledger.derivative
    out[at + 5] = ledger.integral
    out[at + 6] = ledger.weight
    out[at + 7] = potential
    out[at + 8] = kinetic + potential
    at += 9
    for b in range(sys.hung_bodies):
        put(out, at, angles_of(rotation(sys.body_state[b].turn)))
        at += 3
