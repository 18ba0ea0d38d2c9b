"""One observation: what is seen of a state, in the names all formulations share, and the paper's diagnostics."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.angles import angles_of
from fairlead.algebra.small import dot, subtract
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS as ROW_END, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC,
    NODE_BENDING_MOMENT, NODE_COLUMNS as ROW_NODE, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION,
    NODE_TORSION, NODE_VELOCITY, POINT_COLUMNS as ROW_POINT, TENSION_MAX, TOTALS, WORK_DAMPING as ROW_DAMPING,
    WORK_DRAG as ROW_DRAG, WORK_DRIVES as ROW_DRIVES, WORK_FRICTION as ROW_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    CABLE_BENDS, CABLE_COUNT, CABLE_LINK, CABLE_NODE, CONTACT_FORCE, END_FORCE, FREE, HUNG, I_POINTS, LENGTH,
    N_CABLES, N_HUNG, N_LINKS, N_POINTS, POINT_COLUMNS, WORK_BED, WORK_BENDING, WORK_DERIVATIVE, WORK_DRAG, WORK_DRIVES,
    WORK_FRICTION, WORK_INTEGRAL, WORK_PROPORTIONAL, WORK_WEIGHT, W_MOMENT, Y_LEDGER, Y_SCALE, cable_at,
    end_at, hung_at, hung_record_at, kept_contact_at, link_at, point_state_at, put, state_at, vector_of,
)  # fmt: skip
from .energies import body_sum, cable_energies
from .extremes import tension_at
from .node import ZERO3
from .points import turn_of

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
def put_nodes(c, at, ints, reals, y, work, out):
    """Node columns of cable c from `at` on; returns its largest tension."""
    cable = cable_at(ints, c)
    first, count, link = ints[cable + CABLE_NODE], ints[cable + CABLE_COUNT], ints[cable + CABLE_LINK]
    bends, bed = ints[cable + CABLE_BENDS] == 1, reals[BED_PRESENT] > 0.0
    most = -math.inf
    for j in range(count + 1):
        here = state_at(ints, cable, j)
        tension, shear, moment = tension_at(c, j, ints, work), 0.0, 0.0
        if bends:
            moment = work[ints[W_MOMENT] + first + j]
            change = abs(moment - work[ints[W_MOMENT] + first + j - 1]) if j > 0 else 0.0
            if j < count:
                change = max(change, abs(moment - work[ints[W_MOMENT] + first + j + 1]))
            shear = change / (y[ints[Y_SCALE] + c] * reals[link_at(ints, link + min(j, count - 1)) + LENGTH])
        put(out, at + NODE_POSITION, vector_of(y, here))
        put(out, at + NODE_VELOCITY, vector_of(y, here + 3))
        out[at + NODE_TENSION] = tension
        out[at + NODE_SHEAR] = shear
        out[at + NODE_BENDING_MOMENT] = moment
        out[at + NODE_TORSION] = 0.0
        push = vector_of(work, kept_contact_at(ints, first + j) + CONTACT_FORCE) if bed else ZERO3
        put(out, at + NODE_CONTACT_FORCE, push)
        most = max(most, tension)
        at += ROW_NODE
    return most


@kernel
def link_statistics(ints, reals, y):
    """Mean and standard deviation of all link lengths, and the mean target length [m]."""
    total, squares, target = 0.0, 0.0, 0.0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for j in range(ints[cable + CABLE_COUNT]):
            chord = subtract(vector_of(y, state_at(ints, cable, j + 1)), vector_of(y, state_at(ints, cable, j)))
            total += math.sqrt(dot(chord, chord))
            target += y[ints[Y_SCALE] + c] * reals[link_at(ints, ints[cable + CABLE_LINK] + j) + LENGTH]
    mean = total / ints[N_LINKS]
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for j in range(ints[cable + CABLE_COUNT]):
            chord = subtract(vector_of(y, state_at(ints, cable, j + 1)), vector_of(y, state_at(ints, cable, j)))
            squares += (math.sqrt(dot(chord, chord)) - mean) ** 2
    return mean, math.sqrt(squares / ints[N_LINKS]), target / ints[N_LINKS]


@kernel
def observe(t, y, ints, reals, work, out):
    """Fill one row for the state y at t; `work` holds the forces of the step that begins there."""
    at, most = 0, -math.inf
    for c in range(ints[N_CABLES]):
        most = max(most, put_nodes(c, at, ints, reals, y, work, out))
        at += ROW_NODE * (ints[cable_at(ints, c) + CABLE_COUNT] + 1)
    for c in range(ints[N_CABLES]):
        put(out, at + END_FORCE_START, vector_of(work, end_at(ints, c, 0) + END_FORCE))
        put(out, at + END_FORCE_END, vector_of(work, end_at(ints, c, 1) + END_FORCE))
        at += ROW_END
    kinetic, gravity, elastic = 0.0, 0.0, 0.0
    for p in range(ints[N_POINTS]):
        point = ints[I_POINTS] + POINT_COLUMNS * p
        state = point_state_at(ints, p)
        x, v = vector_of(y, state), vector_of(y, state + 3)
        if ints[point] == HUNG:
            body = hung_at(ints, ints[point + 1])
            x, v = vector_of(y, body), vector_of(y, body + 7)
            k, g = rigid_body_energies(
                t, x, turn_of(y, body), v, vector_of(y, body + 10), reals, hung_record_at(ints, ints[point + 1])
            )
            kinetic += k
            gravity += g
        put(out, at, x)
        put(out, at + 3, v)
        at += ROW_POINT
        if ints[point] == FREE:
            k, g = body_sum(t, ints[point + 1], 1, x, v, ints, reals)
            kinetic += k
            gravity += g
    for c in range(ints[N_CABLES]):
        k, g, stretch, bend = cable_energies(t, c, ints, reals, y)
        kinetic += k
        gravity += g
        elastic += stretch + bend
    ledger = ints[Y_LEDGER]
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + ROW_DRAG] = y[ledger + WORK_DRAG]
    damping = y[ledger + WORK_DERIVATIVE] + y[ledger + WORK_INTEGRAL]
    out[at + ROW_DAMPING] = damping + y[ledger + WORK_BENDING] + y[ledger + WORK_BED]
    out[at + ROW_FRICTION] = y[ledger + WORK_FRICTION]
    out[at + ROW_DRIVES] = y[ledger + WORK_DRIVES]
    out[at + TENSION_MAX] = most
    at += len(TOTALS)
    mean, deviation, target = link_statistics(ints, reals, y)
    potential = damping + y[ledger + WORK_PROPORTIONAL] + y[ledger + WORK_WEIGHT] + y[ledger + WORK_DRAG]
    out[at] = mean
    out[at + 1] = 1.96 * deviation
    out[at + 2] = mean / target - 1.0
    out[at + 3] = y[ledger + WORK_PROPORTIONAL]
    out[at + 4] = y[ledger + WORK_DERIVATIVE]
    out[at + 5] = y[ledger + WORK_INTEGRAL]
    out[at + 6] = y[ledger + WORK_WEIGHT]
    out[at + 7] = potential
    out[at + 8] = kinetic + potential
    at += 9
    for b in range(ints[N_HUNG]):
        out[at], out[at + 1], out[at + 2] = angles_of(turn_of(y, hung_at(ints, b)))
        at += 3
