"""What is to be seen of a state: nodes, end forces, points, energies."""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of
from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, cross, dot, matvec, put, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, TOTALS, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import bed_gap

from .commands import hold_moment
from .extremes import end_forces, seen_at
from .forces import solve, spring_energy
from .joints import direction_of, first_active
from .lines import line_energies, near_end, push_all
from .schema import ZERO3
from .standing import put_standing
from .tension import stretch_energy
from .winch import paid_length


@kernel
def put_node(out, at, place, velocity, tension, push):
    """One node's columns."""
    put(out, at + NODE_POSITION, place)
    put(out, at + NODE_VELOCITY, velocity)
    out[at + NODE_TENSION] = tension
    out[at + NODE_SHEAR], out[at + NODE_BENDING_MOMENT], out[at + NODE_TORSION] = 0.0, 0.0, 0.0
    put(out, at + NODE_CONTACT_FORCE, push)


@kernel
def put_cable(t, c, at, ends, sys, out):
    """Nodes of cable c from `at` on and its end forces at `ends`; returns its largest tension."""
    cable = sys.cable[c]
    count, reverse = cable.count, cable.reversed == 1
    first = first_active(c, sys)
    bodies, elements = cable.body, cable.element
    near, _ = end_forces(t, bodies + first, sys)
    _, far = end_forces(t, bodies + count - 1, sys)
    most = -math.inf
    for i in range(count + 1):
        node = at + NODE_COLUMNS * (count - i if reverse else i)
        if i < first:
            for k in range(NODE_COLUMNS):
                out[node + k] = math.nan
            continue
        if i == first:
            _, _, place, velocity = near_end(bodies + i, sys)
            tension = dot(near, direction_of(sys.record[sys.bases + bodies + i]))
            put_node(out, node, place, velocity, tension, ZERO3)
        else:
            record = sys.record[sys.bases + bodies + i - 1]
            tension = -dot(far, direction_of(record))
            if i < count:
                tension = 0.5 * (sys.pull[elements + i - 1].tension + sys.pull[elements + i].tension)
            push = sys.touch[bodies + i - 1].push
            put_node(out, node, record.position, record.velocity, tension, push)
        most = max(most, tension)
    put(out, ends + (END_FORCE_END if reverse else END_FORCE_START), near)
    put(out, ends + (END_FORCE_START if reverse else END_FORCE_END), far)
    return most


@kernel
def put_energies(t, at, sys, out):
    """Kinetic, gravity and elastic energy of all lines and bodies."""
    kinetic, gravity, elastic = 0.0, 0.0, spring_energy(sys)
    for c in range(sys.cables):
        cable = sys.cable[c]
        for slot in range(first_active(c, sys), cable.count):
            j, e = cable.body + slot, cable.element + slot
            moving, lifted = line_energies(t, j, sys)
            kinetic += moving
            gravity += lifted
            element, length = sys.element[e], sys.line[e].length
            span = sys.coordinate[sys.body[j].coordinate + 2].value
            elastic += stretch_energy(span, length, element, sys.slack)
            if sys.sea.bed > 0.0:
                depth = min(0.0, bed_gap(sys.record[sys.bases + j].position, element.radius, sys.reals))
                elastic += 0.5 * length * element.bed_stiffness * depth * depth
    for i in range(sys.solids):
        record = sys.record[sys.solid[i].record]
        R, w = record.rotation, record.spin
        c = matvec(R, sys.hull[i].place)
        moving, lifted = rigid_body_energies(
            t, add(record.position, c), R, add(record.velocity, cross(w, c)), transposed_matvec(R, w), sys.reals,
            row_start(sys.hull[i], sys.reals),
        )  # fmt: skip
        kinetic += moving
        gravity += lifted
    out[at + ENERGY_KINETIC], out[at + ENERGY_GRAVITY], out[at + ENERGY_ELASTIC] = kinetic, gravity, elastic


@fold
def observe(t, u, sys, out):
    """Fill one observation row for the state at t. Returns a status."""
    hold_moment(t, u, sys)
    for c in range(sys.cables):
        sys.payout[c].rate = sys.paid[c].rate
    status = solve(t, sys, sys.work, sys.change.start)
    push_all(sys)
    at, most = 0, -math.inf
    ends = 0
    for c in range(sys.cables):
        ends += NODE_COLUMNS * (sys.cable[c].count + 1)
    for c in range(sys.cables):
        most = max(most, put_cable(t, c, at, ends, sys, out))
        at += NODE_COLUMNS * (sys.cable[c].count + 1)
        ends += END_COLUMNS
    at = ends
    for k in range(sys.places):
        place, velocity = seen_at(k, sys)
        put(out, at, place)
        put(out, at + 3, velocity)
        at += POINT_COLUMNS
    put_energies(t, at, sys, out)
    out[at + WORK_DRAG], out[at + WORK_DAMPING] = sys.ledger.drag, sys.ledger.damping
    out[at + WORK_FRICTION] = sys.ledger.friction
    out[at + WORK_DRIVES] = sys.ledger.drives
    out[at + TENSION_MAX] = most
    totals = at
    at += len(TOTALS)
    for w in range(sys.winches):
        c = sys.winch[w].cable
        out[at], out[at + 1] = paid_length(c, sys), sys.payout[c].rate
        at += 2
    for k in range(sys.points, sys.places):
        put(out, at, angles_of(sys.record[sys.seen[k].record].rotation))
        at += 3
    put_standing(at, totals + ENERGY_ELASTIC, sys, out)
    return status
