"""What is to be seen of a state: nodes, end forces, points, energies."""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of
from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.small import add, cross, dot, matvec, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, TOTALS, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT, bed_gap

from . import arrays
from .arrays import (
    AT_Q, AXES, BED_STIFFNESS, CABLE_BODY, CABLE_COUNT, CABLE_ELEMENT, CABLE_REVERSED, HALF, I_NAMED,
    I_WATER, I_WINCHES, NAMED_REALS, N_BASES, N_CABLES, N_NAMED, N_WATER, N_WINCHES, POSITION, PREDICTED, PUSH,
    RADIUS, ROTATION, R_NAMED, R_WATER, SPIN, STEP, THETA_STEP, VELOCITY, WATER_CENTRE, WATER_INTS, WATER_REALS,
    WINCH_INTS, W_RATES, W_START, W_TENSION, Y_LEDGER, Y_LENGTH, Y_RATE, ZERO3, body_at, cable_at, element_at,
    first_active, matrix_of, put, record_at, vector_of,
)  # fmt: skip
from .commands import move_bases, rest_bases
from .extremes import end_forces
from .forces import solve, spring_energy
from .lines import contact_at, line_energies, near_end, push_all, stretch_energy
from .standing import put_standing
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
def put_cable(t, c, at, ends, ints, reals, y, work, out):
    """Nodes of cable c from `at` on and its end forces at `ends`; returns its largest tension."""
    cable = cable_at(ints, c)
    count, reverse = ints[cable + CABLE_COUNT], ints[cable + CABLE_REVERSED] == 1
    first = first_active(ints, y, c)
    bodies, elements = ints[cable + CABLE_BODY], ints[W_TENSION] + ints[cable + CABLE_ELEMENT]
    near, _ = end_forces(t, bodies + first, ints, reals, y, work)
    _, far = end_forces(t, bodies + count - 1, ints, reals, y, work)
    most = -math.inf
    for i in range(count + 1):
        node = at + NODE_COLUMNS * (count - i if reverse else i)
        if i < first:
            for k in range(NODE_COLUMNS):
                out[node + k] = math.nan
            continue
        if i == first:
            _, _, place, velocity = near_end(bodies + i, body_at(ints, bodies + i), ints, reals, work)
            tension = dot(near, vector_of(work, record_at(ints, ints[N_BASES] + bodies + i) + AXES + 12))
            put_node(out, node, place, velocity, tension, ZERO3)
        else:
            record = record_at(ints, ints[N_BASES] + bodies + i - 1)
            tension = -dot(far, vector_of(work, record + AXES + 12))
            if i < count:
                tension = 0.5 * (work[elements + i - 1] + work[elements + i])
            push = vector_of(work, contact_at(ints, bodies + i - 1) + PUSH)
            put_node(out, node, vector_of(work, record + POSITION), vector_of(work, record + VELOCITY), tension, push)
        most = max(most, tension)
    put(out, ends + (END_FORCE_END if reverse else END_FORCE_START), near)
    put(out, ends + (END_FORCE_START if reverse else END_FORCE_END), far)
    return most


@kernel
def put_energies(t, at, ints, reals, y, work, out):
    """Kinetic, gravity and elastic energy of all lines and bodies."""
    kinetic, gravity, elastic = 0.0, 0.0, spring_energy(ints, reals, y)
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for slot in range(first_active(ints, y, c), ints[cable + CABLE_COUNT]):
            j, e = ints[cable + CABLE_BODY] + slot, ints[cable + CABLE_ELEMENT] + slot
            moving, lifted = line_energies(t, j, ints, reals, y, work)
            kinetic += moving
            gravity += lifted
            element, length = element_at(ints, e), y[ints[Y_LENGTH] + e]
            elastic += stretch_energy(y[ints[body_at(ints, j) + AT_Q] + 2], length, ints, reals, element)
            if reals[BED_PRESENT] > 0.0:
                place = vector_of(work, record_at(ints, ints[N_BASES] + j) + POSITION)
                depth = min(0.0, bed_gap(place, reals[element + RADIUS], reals))
                elastic += 0.5 * length * reals[element + BED_STIFFNESS] * depth * depth
    for i in range(ints[N_WATER]):
        row = ints[R_WATER] + WATER_REALS * i
        record = record_at(ints, ints[ints[I_WATER] + WATER_INTS * i])
        R, w = matrix_of(work, record + ROTATION), vector_of(work, record + SPIN)
        c = matvec(R, vector_of(reals, row + WATER_CENTRE))
        moving, lifted = rigid_body_energies(
            t, add(vector_of(work, record + POSITION), c), R, add(vector_of(work, record + VELOCITY), cross(w, c)),
            transposed_matvec(R, w), reals, row,
        )  # fmt: skip
        kinetic += moving
        gravity += lifted
    out[at + ENERGY_KINETIC], out[at + ENERGY_GRAVITY], out[at + ENERGY_ELASTIC] = kinetic, gravity, elastic


@fold
def observe(t, y, u, ints, reals, work, out):
    """Fill one observation row for the state at t. Returns a status."""
    work[STEP], work[HALF], work[THETA_STEP], work[PREDICTED] = 0.0, 0.0, 0.0, 0.0
    rest_bases(ints, reals, work)
    move_bases(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        work[ints[W_RATES] + c] = y[ints[Y_RATE] + c]
    status = solve(t, ints, reals, y, work, work, ints[W_START])
    push_all(ints, reals, y, work)
    at, most = 0, -math.inf
    ends = 0
    for c in range(ints[N_CABLES]):
        ends += NODE_COLUMNS * (ints[cable_at(ints, c) + CABLE_COUNT] + 1)
    for c in range(ints[N_CABLES]):
        most = max(most, put_cable(t, c, at, ends, ints, reals, y, work, out))
        at += NODE_COLUMNS * (ints[cable_at(ints, c) + CABLE_COUNT] + 1)
        ends += END_COLUMNS
    at = ends
    for k in range(ints[N_NAMED]):
        record = record_at(ints, ints[ints[I_NAMED] + k])
        c = matvec(matrix_of(work, record + ROTATION), vector_of(reals, ints[R_NAMED] + NAMED_REALS * k))
        put(out, at, add(vector_of(work, record + POSITION), c))
        put(out, at + 3, add(vector_of(work, record + VELOCITY), cross(vector_of(work, record + SPIN), c)))
        at += POINT_COLUMNS
    put_energies(t, at, ints, reals, y, work, out)
    ledger = ints[Y_LEDGER]
    out[at + WORK_DRAG], out[at + WORK_DAMPING] = y[ledger + arrays.WORK_DRAG], y[ledger + arrays.WORK_DAMPING]
    out[at + WORK_FRICTION] = y[ledger + arrays.WORK_FRICTION]
    out[at + WORK_DRIVES] = y[ledger + arrays.WORK_DRIVES]
    out[at + TENSION_MAX] = most
    totals = at
    at += len(TOTALS)
    for w in range(ints[N_WINCHES]):
        c = ints[ints[I_WINCHES] + WINCH_INTS * w]
        out[at], out[at + 1] = paid_length(c, ints, y), work[ints[W_RATES] + c]
        at += 2
    for k in range(ints[arrays.N_POINTS], ints[N_NAMED]):
        R = matrix_of(work, record_at(ints, ints[ints[I_NAMED] + k]) + ROTATION)
        out[at], out[at + 1], out[at + 2] = angles_of(R)
        at += 3
    put_standing(at, totals + ENERGY_ELASTIC, ints, reals, y, work, out)
    return status
