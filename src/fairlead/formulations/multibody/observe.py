"""What is to be seen of a state: nodes, end forces, points, energies."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, add, cross, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.rigging.observation import (
    put_angles, put_ends, put_line, put_points, put_totals, put_two, works_of,
)  # fmt: skip
from fairlead.rigging.standing import put_landings
from fairlead.sea.water import bed_gap

from .commands import hold_moment
from .bodies import placed
from .extremes import keep_ends, node_state, seen_at, tension_at
from .forces import solve, spring_energy
from .joints import first_active, kind_of
from .lines import line_energies, push_all
from .schema import CABLE
from .standing import reaction_on, stander
from .winch import paid_length


@kernel
def shown(c, i, sys):
    """What is to be seen of node i of cable c off its drum."""
    j = sys.cable[c].body + first_active(c, sys) + i
    place, velocity = node_state(j, i, sys)
    return place, velocity, tension_at(c, i, sys), 0.0, 0.0, 0.0, sys.touch[j - 1].push if i > 0 else ZERO3


@kernel
def energies(t, sys):
    """Kinetic, gravity and elastic energy of all lines and bodies [J]."""
    kinetic, gravity, elastic = 0.0, 0.0, spring_energy(sys)
    for j in range(sys.bodies):
        if kind_of(sys.body[j], sys) == CABLE:
            moving, lifted, stretched = line_energies(t, j, sys)
            kinetic += moving
            gravity += lifted
            elastic += stretched
            if sys.sea.bed > 0.0:
                e = sys.body[j].element
                depth = min(0.0, bed_gap(sys.record[sys.bases + j].position, sys.element[e].radius, sys.reals))
                elastic += 0.5 * sys.line[e].length * sys.element[e].bed_stiffness * depth * depth
    for i in range(sys.solids):
        record, c, w = placed(i, sys)
        R = record.rotation
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
    keep_ends(t, sys)
    at, most = 0, -math.inf
    for c in range(sys.cables):
        spare, reverse = first_active(c, sys), sys.cable[c].reversed == 1
        at, largest = put_line(out, at, c, sys.cable[c].count - spare, spare, reverse, shown, sys)
        most = max(most, largest)
    for c in range(sys.cables):
        end, reverse = sys.end[c], sys.cable[c].reversed == 1
        at = put_ends(out, at, end.far if reverse else end.near, end.near if reverse else end.far)
    at = put_points(out, at, sys.places, seen_at, sys)
    kinetic, gravity, elastic = energies(t, sys)
    totals = at = put_totals(out, at, kinetic, gravity, elastic, works_of(sys.ledger), most)
    for w in range(sys.winches):
        c = sys.winch[w].cable
        at = put_two(out, at, paid_length(c, sys), sys.payout[c].rate)
    for k in range(sys.points, sys.places):
        at = put_angles(out, at, sys.record[sys.seen[k].record].rotation)
    put_landings(out, at, totals, sys.places, stander, reaction_on, sys.landing.start, sys)
    return status
