"""What is reported of a state, in the names all formulations share, and the one compiled call of a run."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT, NODE_COLUMNS,
    NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS,
    TENSION_MAX, WORK_DRAG,
)  # fmt: skip

from .arrays import (
    COMPLIANCE, ELEMENT_EI, ELEMENT_LENGTH, ELEMENT_REALS, I_POINTS, LEDGER_COUNT, MODES, N_CONTROLLED, N_NODES,
    N_POINTS, POINT_INTS, R_BENDING, R_ELEMENTS, R_MASS, R_NODES, R_POINTS, R_SCALARS, R_WEIGHT, TENSIONS, TWISTED,
    W_FRAMES, W_GRADIENT, W_NEW, W_OLD, W_OLD_GRADIENT, W_SPEED, W_STRAIN, WATER, Y_CONTROLS, Y_COORDINATE, Y_END_RATE,
    Y_ENDS, Y_LEDGER, Y_RATE, Y_REACTION, Y_TENSION, product, put, vector_of, vector_product,
)  # fmt: skip
from .forms import gradients
from .sea_loads import water_energies
from .step import OK, RANGE, base_matrix, command, fill, midpoint_step, static_rows
from .twist import frames_of, turned, twist_of

STEPS, FORCES, SIGNALS = range(3)


@kernel
def element_tension(e, ints, reals, y):
    """Tension of element e [N] from the tension modes: the mean of the last step, since at large steps what stretches
    faster than them rings from one to the next."""
    p = ints[TENSIONS]
    at = ints[R_ELEMENTS] + (ELEMENT_REALS + p) * e
    return product(reals, at + ELEMENT_REALS, y, ints[Y_TENSION], p)


@kernel
def node_tension(i, ints, reals, y):
    """Tension at node i, on the line through the middles of the two elements nearest to it."""
    count = ints[N_NODES] - 1
    if count == 1:
        return element_tension(0, ints, reals, y)
    size = ELEMENT_REALS + ints[TENSIONS]
    e = min(max(i - 1, 0), count - 2)
    h0 = reals[ints[R_ELEMENTS] + size * e + ELEMENT_LENGTH]
    h1 = reals[ints[R_ELEMENTS] + size * (e + 1) + ELEMENT_LENGTH]
    t0, t1 = element_tension(e, ints, reals, y), element_tension(e + 1, ints, reals, y)
    away = -0.5 * h0 if i == 0 else (0.5 * h0 if i < count else 0.5 * h0 + h1)
    return t0 + (t1 - t0) * away / (0.5 * (h0 + h1))


@kernel
def observe_nodes(torque, z, v, ints, reals, y, work, out):
    """The rows of all nodes; the largest tension."""
    count = ints[N_NODES] - 1
    m = ints[MODES] + 7
    size = ELEMENT_REALS + ints[TENSIONS]
    most, at = -math.inf, 0
    for i in range(count + 1):
        rows = ints[R_NODES] + 6 * m * i
        e = min(i, count - 1)
        first = ints[R_NODES] + 6 * m * e
        element = ints[R_ELEMENTS] + size * e
        h, ei = reals[element + ELEMENT_LENGTH], reals[element + ELEMENT_EI]
        bent = vector_product(reals, rows + 3 * m, work, z, m)
        tension = node_tension(i, ints, reals, y)
        most = max(most, tension)
        put(out, at + NODE_POSITION, vector_product(reals, rows, work, z, m))
        put(out, at + NODE_VELOCITY, vector_product(reals, rows, work, v, m))
        out[at + NODE_TENSION] = tension
        shear = 0.0
        if ei > 0.0:  # EI r‴ across the element that follows
            start, end = first, first + 6 * m
            d = subtract(vector_product(reals, end, work, z, m), vector_product(reals, start, work, z, m))
            d = scale(1.0 / math.sqrt(dot(d, d)), d)
            q = subtract(
                vector_product(reals, end + 3 * m, work, z, m), vector_product(reals, start + 3 * m, work, z, m)
            )
            q = scale(ei / h, add_scaled(q, -dot(q, d), d))
            shear = math.sqrt(dot(q, q))
        out[at + NODE_SHEAR] = shear
        out[at + NODE_BENDING_MOMENT] = ei * math.sqrt(dot(bent, bent))
        out[at + NODE_TORSION] = torque
        put(out, at + NODE_CONTACT_FORCE, (0.0, 0.0, 0.0))
        at += NODE_COLUMNS
    return most


@kernel
def observe(t, u, ints, reals, y, work, out):
    """Fill one observation row for the state at t. End forces are the mean ones of the last step."""
    k, p = ints[MODES], ints[TENSIONS]
    m = k + 7
    z, v = ints[W_NEW], ints[W_SPEED]
    fill(k, y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, work, z)
    fill(k, y, ints[Y_RATE], ints[Y_END_RATE], 0.0, work, v)
    gradients(z, ints[W_GRADIENT], ints[W_STRAIN] + p, ints, reals, work)
    torque, elastic = 0.0, 0.0
    if ints[TWISTED] == 1:
        frames_of(z, ints[W_FRAMES], ints, reals, work)
        total, _ = twist_of(ints[W_FRAMES], ints, reals, work)
        torque = (total + turned(t, u, ints, reals)) / reals[ints[R_SCALARS] + COMPLIANCE]
        elastic += 0.5 * torque * torque * reals[ints[R_SCALARS] + COMPLIANCE]
    most = observe_nodes(torque, z, v, ints, reals, y, work, out)
    kinetic, gravity = 0.0, 0.0
    for a in range(p):
        elastic += 0.5 * work[ints[W_STRAIN] + p + a] ** 2
    for i in range(m):
        elastic += 0.5 * work[z + i] * product(reals, ints[R_BENDING] + i * m, work, z, m)
        kinetic += 0.5 * work[v + i] * product(reals, ints[R_MASS] + i * m, work, v, m)
        gravity += reals[ints[R_WEIGHT] + i] * work[z + i]
    if ints[WATER] == 1:
        added, lifted = water_energies(t, z, v, ints, reals, work)
        kinetic += added
        gravity += lifted
    at = NODE_COLUMNS * ints[N_NODES]
    for i in range(6):
        out[at + END_FORCE_START + i] = -y[ints[Y_REACTION] + i]
    at += END_COLUMNS
    for j in range(ints[N_POINTS]):
        end, control = ints[ints[I_POINTS] + POINT_INTS * j], ints[ints[I_POINTS] + POINT_INTS * j + 1]
        if end >= 0:
            put(out, at, vector_of(y, ints[Y_ENDS] + 3 * end))
            put(out, at + 3, vector_of(y, ints[Y_END_RATE] + 3 * end))
        elif control >= 0:
            put(out, at, vector_of(y, ints[Y_CONTROLS] + 6 * control))
            put(out, at + 3, vector_of(y, ints[Y_CONTROLS] + 6 * control + 3))
        else:
            put(out, at, vector_of(reals, ints[R_POINTS] + 3 * j))
            put(out, at + 3, (0.0, 0.0, 0.0))
        at += POINT_COLUMNS
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    for j in range(LEDGER_COUNT):
        out[at + WORK_DRAG + j] = y[ints[Y_LEDGER] + j]
    out[at + TENSION_MAX] = most
    return OK


@kernel
def healthy(ints, y):
    """Whether all coordinates and rates are finite and none is beyond reason."""
    most = 0.0
    for i in range(2 * ints[MODES]):
        size = abs(y[ints[Y_COORDINATE] + i])
        most = size if not size < most else most
    return most < 1e6


@entry
def run(task, t, y, n, h, u, ints, reals, work, out):
    """STEPS: n steps of size h from t, then, when `out` has room for it, one observation. FORCES: by all of z on the
    state at rest, into `out`. SIGNALS: commands of all controlled points (3 each) into `out`. Returns a status; the
    time of a fault is in `work`."""
    if task == SIGNALS:
        for k in range(ints[N_CONTROLLED]):
            put(out, 3 * k, command(t, k, u, ints, reals))
        return OK
    if task == FORCES:
        return static_rows(t, u, ints, reals, y, work, out)
    if n > 0:
        base_matrix(h, ints, reals, work)
        fill(ints[MODES], y, ints[Y_COORDINATE], ints[Y_ENDS], 1.0, work, ints[W_OLD])
        gradients(ints[W_OLD], ints[W_OLD_GRADIENT], ints[W_STRAIN], ints, reals, work)
    for step in range(n):
        status = midpoint_step(t + step * h, h, u, ints, reals, y, work)
        if status == OK and not healthy(ints, y):
            status = RANGE
        if status != OK:
            work[0] = t + step * h
            return status
    if out.shape[0] > 0:
        return observe(t + n * h, u, ints, reals, y, work, out)
    return OK
