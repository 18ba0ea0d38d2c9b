"""What is to be seen of a state: nodes, end forces, points, energies."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, cross, dot, matvec, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import END_COLUMNS, NODE_COLUMNS
from fairlead.rigging.observation import (
    put_angles, put_ends, put_no_nodes, put_node, put_points, put_totals, put_two, works_of,
)  # fmt: skip
from fairlead.rigging.standing import put_landings
from fairlead.sea.water import bed_gap

from .commands import hold_moment
from .extremes import end_forces, seen_at
from .forces import solve, spring_energy
from .joints import direction_of, first_active
from .lines import line_energies, near_end, push_all
from .schema import ZERO3
from .standing import reaction_on, stander
from .tension import stretch_energy
from .winch import paid_length


@kernel
def put_cable(t, c, at, ends, sys, out):
    """Nodes of cable c from `at` on and its end forces at `ends`; returns where the nodes end, its largest tension."""
    cable = sys.cable[c]
    count, reverse = cable.count, cable.reversed == 1
    first = first_active(c, sys)
    bodies, elements = cable.body, cable.element
    near, _ = end_forces(t, bodies + first, sys)
    _, far = end_forces(t, bodies + count - 1, sys)
    most = -math.inf
    for k in range(count + 1):
        i = count - k if reverse else k
        if i < first:
            at = put_no_nodes(out, at, 1)
            continue
        if i == first:
            _, _, place, velocity = near_end(bodies + i, sys)
            tension, push = dot(near, direction_of(sys.record[sys.bases + bodies + i])), ZERO3
        else:
            record = sys.record[sys.bases + bodies + i - 1]
            place, velocity, push = record.position, record.velocity, sys.touch[bodies + i - 1].push
            tension = -dot(far, direction_of(record))
            if i < count:
                tension = 0.5 * (sys.pull[elements + i - 1].tension + sys.pull[elements + i].tension)
        at = put_node(out, at, place, velocity, tension, 0.0, 0.0, 0.0, push)
        most = max(most, tension)
    put_ends(out, ends, far if reverse else near, near if reverse else far)
    return at, most


@kernel
def energies(t, sys):
    """Kinetic, gravity and elastic energy of all lines and bodies [J]."""
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
            elastic += stretch_energy(span, length, element, sys)
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
    return kinetic, gravity, elastic


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
        at, largest = put_cable(t, c, at, ends, sys, out)
        most = max(most, largest)
        ends += END_COLUMNS
    at = put_points(out, ends, sys.places, seen_at, sys)
    kinetic, gravity, elastic = energies(t, sys)
    totals = at = put_totals(out, at, kinetic, gravity, elastic, works_of(sys.ledger), most)
    for w in range(sys.winches):
        c = sys.winch[w].cable
        at = put_two(out, at, paid_length(c, sys), sys.payout[c].rate)
    for k in range(sys.points, sys.places):
        at = put_angles(out, at, sys.record[sys.seen[k].record].rotation)
    put_landings(out, at, totals, sys.places, stander, reaction_on, sys.landing.start, sys)
    return status
