"""What is reported of a state, in the names all formulations share, and the one compiled call of a run."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import ZERO3, put
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.results.observation import NODE_COLUMNS
from fairlead.rigging.commands import put_commands
from fairlead.rigging.observation import node_or_held, put_ends, put_node, put_points, put_totals, works_of
from fairlead.rigging.point_loads import take_loads

from .extremes import tension_at
from .links import (
    accelerations, force_on_support, link_energies, link_loads, link_state, masses, point_energies, point_loads,
    wet_part,
)  # fmt: skip
from .schema import SCHEMA
from .step import OK, SINGULAR, put_right, step

system = SCHEMA.view
STEPS, RIGHT, SIGNALS, LOADS, MASSES = range(5)


@kernel
def observe(t, sys, out):
    """Fill one observation row for the state at t. Returns a status."""
    kinetic, gravity, tension_max = 0.0, 0.0, -math.inf
    at, ends = 0, NODE_COLUMNS * sys.nodes
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        well, _, _ = accelerations(t, c, sys)
        if not well:
            return SINGULAR
        for i in range(count + 1):
            tension = tension_at(c, i, sys)
            tension_max = max(tension_max, tension)
            place, velocity = sys.position[first + i].xyz, sys.velocity[first + i].xyz
            at = put_node(out, at, place, velocity, tension, 0.0, 0.0, 0.0, ZERO3)
            if i < count:
                moving, lifted = link_energies(t, first + i, first - c + i, sys)
                kinetic += moving
                gravity += lifted
        for side in range(2):
            moving, lifted = point_energies(t, first + side * count, sys)
            kinetic += moving
            gravity += lifted
        ends = put_ends(out, ends, force_on_support(t, c, 0, sys), force_on_support(t, c, count, sys))
    at = put_points(out, ends, sys.points, node_or_held, sys)
    put_totals(out, at, kinetic, gravity, 0.0, works_of(sys.ledger), tension_max)
    return OK


@kernel
def resting_loads(t, sys, out):
    """Loads on all nodes (3 each) of the state at rest into `out`: weight, water, bodies of free points, loads."""
    for i in range(sys.nodes):
        sys.force[i].f = ZERO3
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count):
            link_loads(t, first + i, first - c + i, sys)
        for i in range(first, first + count + 1, count):
            sys.force[i].f, _, _, _ = point_loads(t, i, sys.force[i].f, sys)
    for i in range(sys.nodes):
        put(out, 3 * i, sys.force[i].f)


@kernel
def resting_masses(t, sys, out):
    """Masses of all links across, then along them, then those of the bodies at all nodes, into `out`."""
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(first, first + count):
            r0, r1, _, _ = link_state(i, sys)
            wet, _, _ = wet_part(t, i - c, r0, r1, sys)
            out[i - c], out[sys.links + i - c] = masses(wet, i - c, sys)
        for i in range(first, first + count + 1, count):
            _, inertia, _, _ = point_loads(t, i, ZERO3, sys)
            out[2 * sys.links + i] = inertia


@entry
def run(t, y, n, h, u, ints, reals, work, task, copy, out):
    """STEPS: n steps of size h from t, then, when `out` has room for it, one observation. RIGHT: put the links of the
    state right. SIGNALS: commands of all controlled points (3 each) into `out`. LOADS, MASSES: what statics needs of
    the state at rest, into `out`. Returns a status."""
    sys = system(ints, reals, y, work)
    take_loads(u, sys)
    if task == LOADS:
        resting_loads(t, sys, out)
        return OK
    if task == MASSES:
        resting_masses(t, sys, out)
        return OK
    if task == SIGNALS:
        put_commands(t, u, sys, out)
        return OK
    if task == RIGHT:
        return put_right(t, sys)
    begin_extremes(n, out, ints, y)
    for k in range(n):
        status = step(t + k * h, h, u, sys)
        if status != OK:
            return status
    if out.shape[0] > 0:
        status = observe(t + n * h, sys, out)
        report_extremes(ints, y, out)
        return status
    return OK
