"""One observation: what is seen of a state, in the names all formulations share, and the paper's diagnostics."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, dot, subtract
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.rigging.observation import put_angles, put_ends, put_line, put_points, put_totals, put_two

from .energies import body_sum, cable_energies
from .extremes import tension_at
from .node import state_of
from .points import point_state
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
def shown(c, j, sys):
    """What is to be seen of node j of cable c."""
    cable = sys.cable[c]
    i, state, shear, moment = cable.node + j, state_of(cable, j, sys), 0.0, 0.0
    if cable.bends == 1:
        moment = sys.bend[i].moment
        change = abs(moment - sys.bend[i - 1].moment) if j > 0 else 0.0
        if j < cable.count:
            change = max(change, abs(moment - sys.bend[i + 1].moment))
        shear = change / (sys.paid[c].factor * sys.link[cable.link + min(j, cable.count - 1)].length)
    push = sys.touch[i].push if sys.sea.bed > 0.0 else ZERO3
    return state.position, state.velocity, tension_at(c, j, sys), shear, moment, 0.0, push


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
        at, largest = put_line(out, at, c, sys.cable[c].count, 0, False, shown, sys)
        most = max(most, largest)
    for c in range(sys.cables):
        at = put_ends(out, at, sys.end[2 * c].force, sys.end[2 * c + 1].force)
    at = put_points(out, at, sys.points, point_state, sys)
    kinetic, gravity, elastic = 0.0, 0.0, 0.0
    for p in range(sys.points):
        point = sys.point[p]
        x, v = point_state(p, sys)
        k, g = 0.0, 0.0
        if point.kind == HUNG:
            body = sys.body_state[point.which]
            record = row_start(sys.hung[point.which], sys.reals)
            k, g = rigid_body_energies(t, x, rotation(body.turn), v, body.spin, sys.reals, record)
        elif point.kind == FREE:
            k, g = body_sum(t, point.which, 1, x, v, sys)
        kinetic += k
        gravity += g
    for c in range(sys.cables):
        k, g, stretch, bend = cable_energies(t, c, sys)
        kinetic += k
        gravity += g
        elastic += stretch + bend
    ledger = sys.ledger
    damping = ledger.derivative + ledger.integral
    works = ledger.drag, damping + ledger.bending + ledger.bed, ledger.friction, ledger.drives
    at = put_totals(out, at, kinetic, gravity, elastic, works, most)
    mean, deviation, target = link_statistics(sys)
    potential = damping + ledger.proportional + ledger.weight + ledger.drag
    at = put_two(out, at, mean, 1.96 * deviation)
    at = put_two(out, at, mean / target - 1.0, ledger.proportional)
    at = put_two(out, at, ledger.derivative, ledger.integral)
    at = put_two(out, at, ledger.weight, potential)
    out[at] = kinetic + potential
    at += 1
    for b in range(sys.hung_bodies):
        at = put_angles(out, at, rotation(sys.body_state[b].turn))
