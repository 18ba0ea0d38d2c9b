"""What is reported of a state, in the names all formulations share, and the one compiled call of a run."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel, looping_entry
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.loads.reported import node_line, report_point, report_totals
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_START, NODE_BENDING_MOMENT, NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR,
    NODE_TENSION, NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS,
)  # fmt: skip

from .arrays import (
    CABLE_INTS, COMPLIANCE, COUNT, ELEMENT_EI, ELEMENT_LENGTH, FINISH, FIRST, I_CABLES, I_POINTS, MODES,
    N_CABLES, N_CONTROLLED, N_POINTS, N_TWISTS, POINT_INTS, R_BENDING, R_MASS, R_POINTS, R_WEIGHT,
    START, STATE, TENSIONS, TWIST, W_GRADIENT, W_NEW, W_SPEED, W_STRAIN, W_TURN, WATER, Y_CONTROLS, Y_COORDINATE,
    Y_END_RATE, Y_ENDS, Y_LEDGER, Y_RATE, Y_REACTION, product, put, vector_of, vector_product,
)  # fmt: skip
from .extremes import element_at, element_tension, node_rows, note_extremes
from .forms import gradients
from .sea_loads import unit, water_energies
from .step import NEWTON, OK, RANGE, begin, command, fill, force_rows, midpoint_step
from .twist import still_torque, twist_reals

STEPS, FORCES, LEFT_OVER, SIGNALS = range(4)


@kernel
def node_tension(i, first, count, ints, reals, y):
    """Tension at node i of a cable [N], on the line through the middles of the two elements nearest to it.

    It is the mean of the last step, since at large steps what stretches faster than them rings from one to the next.
    """
    e = first + (min(max(i - 1, 0), count - 2) if count > 1 else 0)
    one, other = element_at(e, ints), element_at(e + (1 if count > 1 else 0), ints)
    t0 = element_tension(e, ints, reals, y)
    t1 = element_tension(e + (1 if count > 1 else 0), ints, reals, y)
    return node_line(i, count, reals[one + ELEMENT_LENGTH], reals[other + ELEMENT_LENGTH], t0, t1)


@kernel
def element_shear(node, element, ints, reals, z, work):
    """EI r‴ across the element that begins at a node [N]."""
    ei, m = reals[element + ELEMENT_EI], ints[STATE]
    if ei == 0.0:
        return 0.0
    start, end = node_rows(node, ints), node_rows(node + 1, ints)
    d = subtract(vector_product(reals, end, work, z, m), vector_product(reals, start, work, z, m))
    q = vector_product(reals, end + 3 * m, work, z, m)
    q = subtract(q, vector_product(reals, start + 3 * m, work, z, m))
    d = unit(d)
    q = scale(ei / reals[element + ELEMENT_LENGTH], add_scaled(q, -dot(q, d), d))
    return math.sqrt(dot(q, q))


@kernel
def observe_nodes(c, z, v, ints, reals, y, work, out):
    """The rows of the nodes of cable c; its largest tension."""
    cable, m = ints[I_CABLES] + CABLE_INTS * c, ints[STATE]
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    torque = work[ints[W_TURN] + ints[cable + TWIST]] if ints[cable + TWIST] >= 0 else 0.0
    most, at = -math.inf, NODE_COLUMNS * first
    for i in range(count + 1):
        rows, beside = node_rows(first + i, ints), min(i, count - 1)
        element = element_at(first - c + beside, ints)
        bent = vector_product(reals, rows + 3 * m, work, z, m)
        tension = node_tension(i, first - c, count, ints, reals, y)
        most = max(most, tension)
        put(out, at + NODE_POSITION, vector_product(reals, rows, work, z, m))
        put(out, at + NODE_VELOCITY, vector_product(reals, rows, work, v, m))
        out[at + NODE_TENSION] = tension
        out[at + NODE_SHEAR] = element_shear(first + beside, element, ints, reals, z, work)
        out[at + NODE_BENDING_MOMENT] = reals[element + ELEMENT_EI] * math.sqrt(dot(bent, bent))
        out[at + NODE_TORSION] = torque
        put(out, at + NODE_CONTACT_FORCE, (0.0, 0.0, 0.0))
        at += NODE_COLUMNS
    return most


@kernel
def end_force(c, side, ints, reals, y, out):
    """Force of cable c on what holds its start (0) or end (1) [N]; at a free point its tension.

    That of a held end is the mean of the last step: what does work with it when the end moves and the cable follows.
    """
    cable = ints[I_CABLES] + CABLE_INTS * c
    held = ints[cable + (START if side == 0 else FINISH)]
    if held >= 0:
        return scale(-1.0, vector_of(y, ints[Y_REACTION] + 3 * held))
    node = ints[cable + FIRST] + side * ints[cable + COUNT]
    at, other = NODE_COLUMNS * node, NODE_COLUMNS * (node + (1 if side == 0 else -1))
    inward = subtract(vector_of(out, other + NODE_POSITION), vector_of(out, at + NODE_POSITION))
    return scale(out[at + NODE_TENSION], unit(inward))


@kernel
def observe(t, u, ints, reals, y, work, out):
    """Fill one observation row for the state at t. Returns a status."""
    p, m = ints[TENSIONS], ints[STATE]
    z, v = ints[W_NEW], ints[W_SPEED]
    fill(y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, ints, work, z)
    fill(y, ints[Y_RATE], ints[Y_END_RATE], 0.0, ints, work, v)
    gradients(z, ints[W_GRADIENT], ints[W_STRAIN], ints, reals, work)
    kinetic, gravity, elastic, most, at = 0.0, 0.0, 0.0, -math.inf, 0
    for j in range(ints[N_TWISTS]):
        torque, _ = still_torque(t, j, u, ints, reals, work)
        work[ints[W_TURN] + j] = torque
        elastic += 0.5 * torque * torque * reals[twist_reals(j, ints) + COMPLIANCE]
    for c in range(ints[N_CABLES]):
        most = max(most, observe_nodes(c, z, v, ints, reals, y, work, out))
        at += NODE_COLUMNS * (ints[ints[I_CABLES] + CABLE_INTS * c + COUNT] + 1)
    for c in range(ints[N_CABLES]):
        for side in range(2):
            put(out, at + END_FORCE_START + 3 * side, end_force(c, side, ints, reals, y, out))
        at += END_COLUMNS
    for a in range(p):
        elastic += 0.5 * work[ints[W_STRAIN] + a] ** 2
    for i in range(m):
        elastic += 0.5 * work[z + i] * product(reals, ints[R_BENDING] + i * m, work, z, m)
        kinetic += 0.5 * work[v + i] * product(reals, ints[R_MASS] + i * m, work, v, m)
        gravity += reals[ints[R_WEIGHT] + i] * work[z + i]
    if ints[WATER] == 1:
        added, lifted = water_energies(t, z, v, ints, reals, work)
        kinetic += added
        gravity += lifted
    for j in range(ints[N_POINTS]):
        point = ints[I_POINTS] + POINT_INTS * j
        held, control, node = ints[point], ints[point + 1], ints[point + 2]
        if node >= 0:
            row = NODE_COLUMNS * node
            put(out, at, vector_of(out, row + NODE_POSITION))
            put(out, at + 3, vector_of(out, row + NODE_VELOCITY))
        elif held >= 0 and control < 0:
            put(out, at, vector_of(y, ints[Y_ENDS] + 3 * held))
            put(out, at + 3, vector_of(y, ints[Y_END_RATE] + 3 * held))
        else:
            report_point(control, j, ints[Y_CONTROLS], 6, ints[R_POINTS], reals, y, out, at)
        at += POINT_COLUMNS
    report_totals(kinetic, gravity, elastic, most, ints[Y_LEDGER], y, out, at)
    return OK


@kernel
def healthy(ints, y):
    """Whether all coordinates and rates are finite and none is beyond reason."""
    most = 0.0
    for i in range(2 * ints[MODES]):
        size = abs(y[ints[Y_COORDINATE] + i])
        most = size if not size < most else most
    return most < 1e6


@looping_entry
def run(task, t, y, n, h, u, ints, reals, work, out):
    """STEPS: n steps of size h from t, then, when `out` has room for it, one observation. FORCES: by all of z on the
    state at rest, into `out`; LEFT_OVER: on the state as it moves. SIGNALS: commands of all controlled points (3 each)
    into `out`. Returns a status; the
    time of a fault is in `work`."""
    if task == SIGNALS:
        for k in range(ints[N_CONTROLLED]):
            put(out, 3 * k, command(t, k, u, ints, reals))
        return OK
    if FORCES <= task <= LEFT_OVER:
        return force_rows(t, u, task == LEFT_OVER, ints, reals, y, work, out)
    if n > 0 and not begin(t, h, ints, reals, y, work):
        return NEWTON
    begin_extremes(n, out, ints, y)
    for step in range(n):
        status = midpoint_step(t + step * h, h, u, ints, reals, y, work)
        if status == OK and not healthy(ints, y):
            status = RANGE
        if status != OK:
            work[0] = t + step * h
            return status
        note_extremes(t + (step + 1) * h, ints, reals, y, work)
    if out.shape[0] > 0:
        status = observe(t + n * h, u, ints, reals, y, work, out)
        report_extremes(ints, y, out)
        return status
    return OK
