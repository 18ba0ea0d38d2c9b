"""What is reported of a state, in the names all formulations share, and the one compiled call of a run."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.loads.reported import report_point, report_totals
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR,
    NODE_TENSION, NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS,
)  # fmt: skip

from .arrays import (
    COUNT, FIRST, I_POINTS, N_CABLES, N_CONTROLLED, N_LINKS, N_NODES, N_POINTS, POINT_INTS, R_POINTS, W_FORCE,
    Y_CONTROLS, Y_LEDGER, Y_POSITION, Y_VELOCITY, cable_at, link_at, put, vector_of,
)  # fmt: skip
from .extremes import tension_at
from .links import (
    accelerations, force_on_support, link_energies, link_loads, link_state, masses, point_energies, point_loads,
    wet_part,
)  # fmt: skip
from .step import OK, SINGULAR, command, end_accelerations, put_right, step

STEPS, RIGHT, SIGNALS, LOADS, MASSES = range(5)


@kernel
def observe(t, ints, reals, y, work, out):
    """Fill one observation row for the state at t. Returns a status."""
    ends = end_accelerations(ints, y, work)
    kinetic, gravity, tension_max = 0.0, 0.0, -math.inf
    at, end_at = 0, 0
    for c in range(ints[N_CABLES]):
        end_at += NODE_COLUMNS * (ints[cable_at(ints, c) + COUNT] + 1)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + FIRST], ints[cable + COUNT]
        well, _, _ = accelerations(t, c, ends, ints, reals, y, work)
        if not well:
            return SINGULAR
        for i in range(count + 1):
            tension = tension_at(c, i, ints, reals, work)
            tension_max = max(tension_max, tension)
            put(out, at + NODE_POSITION, vector_of(y, ints[Y_POSITION] + 3 * (first + i)))
            put(out, at + NODE_VELOCITY, vector_of(y, ints[Y_VELOCITY] + 3 * (first + i)))
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = 0.0
            out[at + NODE_BENDING_MOMENT] = 0.0
            out[at + NODE_TORSION] = 0.0
            put(out, at + NODE_CONTACT_FORCE, (0.0, 0.0, 0.0))
            at += NODE_COLUMNS
            if i < count:
                moving, lifted = link_energies(t, first + i, first - c + i, ints, reals, y)
                kinetic += moving
                gravity += lifted
        for side in range(2):
            moving, lifted = point_energies(t, first + side * count, ints, reals, y)
            kinetic += moving
            gravity += lifted
            put(out, end_at + END_FORCE_START + 3 * side, force_on_support(t, c, side * count, ints, reals, y, work))
        end_at += END_COLUMNS
    at = end_at
    for k in range(ints[N_POINTS]):
        node, control = ints[ints[I_POINTS] + POINT_INTS * k], ints[ints[I_POINTS] + POINT_INTS * k + 1]
        if node >= 0:
            put(out, at, vector_of(y, ints[Y_POSITION] + 3 * node))
            put(out, at + 3, vector_of(y, ints[Y_VELOCITY] + 3 * node))
        else:
            report_point(control, k, ints[Y_CONTROLS], 9, ints[R_POINTS], reals, y, out, at)
        at += POINT_COLUMNS
    report_totals(kinetic, gravity, 0.0, tension_max, ints[Y_LEDGER], y, out, at)
    return OK


@kernel
def resting_loads(t, ints, reals, y, work, out):
    """Loads on all nodes (3 each) of the state at rest into `out`: weight, water, bodies of free points, loads."""
    for k in range(3 * ints[N_NODES]):
        work[ints[W_FORCE] + k] = 0.0
    for c in range(ints[N_CABLES]):
        first, count = ints[cable_at(ints, c) + FIRST], ints[cable_at(ints, c) + COUNT]
        for i in range(count):
            link_loads(t, first + i, first - c + i, ints, reals, y, work)
        for i in range(0, count + 1, count):
            point_loads(t, first + i, ints[W_FORCE] + 3 * (first + i), ints, reals, y, work)
    for k in range(3 * ints[N_NODES]):
        out[k] = work[ints[W_FORCE] + k]


@kernel
def resting_masses(t, ints, reals, y, work, out):
    """Masses of all links across, then along them, then those of the bodies at all nodes, into `out`."""
    links = ints[N_LINKS]
    for c in range(ints[N_CABLES]):
        first, count = ints[cable_at(ints, c) + FIRST], ints[cable_at(ints, c) + COUNT]
        for i in range(count):
            r0, r1, _, _ = link_state(first + i, ints, y)
            link = link_at(ints, first - c + i)
            wet, _, _ = wet_part(t, r0, r1, reals, link)
            out[first - c + i], out[links + first - c + i] = masses(wet, reals, link)
        for i in range(0, count + 1, count):
            inertia, _, _ = point_loads(t, first + i, ints[W_FORCE], ints, reals, y, work)
            out[2 * links + first + i] = inertia


@entry
def run(task, t, y, n, h, u, ints, reals, work, out):
    """STEPS: n steps of size h from t, then, when `out` has room for it, one observation. RIGHT: put the links of the
    state right. SIGNALS: commands of all controlled points (3 each) into `out`. LOADS, MASSES: what statics needs of
    the state at rest, into `out`. Returns a status."""
    if task == LOADS:
        resting_loads(t, ints, reals, y, work, out)
        return OK
    if task == MASSES:
        resting_masses(t, ints, reals, y, work, out)
        return OK
    if task == SIGNALS:
        for k in range(ints[N_CONTROLLED]):
            put(out, 3 * k, command(t, k, u, ints, reals))
        return OK
    if task == RIGHT:
        return put_right(t, ints, reals, y, work)
    begin_extremes(n, out, ints, y)
    for k in range(n):
        status = step(t + k * h, h, u, ints, reals, y, work)
        if status != OK:
            return status
    if out.shape[0] > 0:
        status = observe(t + n * h, ints, reals, y, work, out)
        report_extremes(ints, y, out)
        return status
    return OK
