"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of
from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, cross, dot, scale, subtract
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from . import arrays
from .arrays import (
    BED_K, BENDING, CABLE_ALLOTTED_COUNT, CABLE_BENDS, CABLE_COUNT, CABLE_FIRST, CABLE_REVERSED, CARRIED, END_CLAMP,
    GREEN, I_NAMED, I_POINTS, LENGTH, NODE, N_BODIES, N_CABLES, N_HUBS, N_NAMED, N_WINCHES, PUSHED, SPAN, START_CLAMP,
    STIFFNESS, W_FORCES, Y_LEDGER, Y_NODES, Y_TENSION, cable_at, contact_at, element_at, element_work_at, end_at,
    hub_at, hub_state_at, is_attached, node_state_at, point_at, point_of_end, put, vector_of,
)  # fmt: skip
from .element import strain_energy
from .ends import ZERO3, place_end, turn_of
from .energies import still_energies
from .points import clamp_direction, drive_points, frame_turn
from .scheme import DRIFT
from .slackening import solve
from .standing import put_standing
from .step import book_tensions, contact_force, drift
from .tensions import tension_at
from .winch import PAID_OUT, TURNING, winch_state


@kernel
def element_energies(t, e, node, ints, reals, y, work):
    """Kinetic energy (with added mass), gravity potential (with buoyancy) and elastic energy of one element [J]."""
    element, kept = element_at(ints, e), element_work_at(ints, e)
    kinetic, gravity = still_energies(t, element, node_state_at(ints, node), vector_of(work, kept), ints, reals, y)
    length, stiffness = reals[element + LENGTH], reals[element + STIFFNESS]
    span = work[kept + SPAN]
    if reals[element + PUSHED] != CARRIED and span < length:
        elastic = 0.0
    else:
        elastic = strain_energy(span, length, stiffness, ints[GREEN] == 1)
    return kinetic, gravity, elastic


@kernel
def moment_at(c, i, ints, reals, y, work):
    """Bending moment (3) at node i of cable c and the elastic energy of its turn: k t₁ × t₂, ½k|t₂ − t₁|²."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    if i == 0 or i == count:
        end = 2 * c + (1 if i == count else 0)
        if ints[cable + (END_CLAMP if i == count else START_CLAMP)] == 0 or not is_attached(y, ints, end):
            return ZERO3, 0.0
        e = first + (count - 1 if i == count else 0)
        k = 2.0 * reals[element_at(ints, e) + BENDING] / reals[element_at(ints, e) + LENGTH]
        t1 = vector_of(work, element_work_at(ints, e))
        t2 = clamp_direction(point_of_end(ints, end), end_at(ints, end), ints, reals, work)
        if i == 0:
            t1, t2 = t2, t1
    else:
        one, two = element_at(ints, first + i - 1), element_at(ints, first + i)
        if reals[one + BENDING] == 0.0 or reals[two + BENDING] == 0.0:
            return ZERO3, 0.0
        k = 2.0 / (reals[one + LENGTH] / reals[one + BENDING] + reals[two + LENGTH] / reals[two + BENDING])
        t1 = vector_of(work, element_work_at(ints, first + i - 1))
        t2 = vector_of(work, element_work_at(ints, first + i))
    g = subtract(t2, t1)
    return scale(k, cross(t1, t2)), 0.5 * k * dot(g, g)


@kernel
def shear_at(c, i, ints, reals, y, work):
    """Shear force at node i: the mean over the elements beside it of the change of the moment along each [N]."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    here, _ = moment_at(c, i, ints, reals, y, work)
    total, parts = 0.0, 0.0
    for side in range(2):
        e = i - 1 + side
        if e < 0 or e >= count:
            continue
        there, _ = moment_at(c, i - 1 + 2 * side, ints, reals, y, work)
        change = subtract(there, here)
        total += math.sqrt(dot(change, change)) / work[element_work_at(ints, first + e) + SPAN]
        parts += 1.0
    return total / parts


@kernel
def go_back(t, u, ints, reals, y0, y, work):
    """After the solve: everything where the state y0 at t has it, and the directions of the elements there."""
    for k in range(ints[Y_NODES], ints[Y_TENSION]):
        y[k] = y0[k]
    drive_points(t, 0.0, 1, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        for end in range(2 * c, 2 * c + 2):
            if is_attached(y, ints, end):
                place_end(end, ints, reals, y, work)
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        for e in range(first, first + ints[cable_at(ints, c) + CABLE_COUNT]):
            node, kept = node_state_at(ints, e + c), element_work_at(ints, e)
            d = subtract(vector_of(y, node + NODE), vector_of(y, node))
            work[kept + SPAN] = math.sqrt(dot(d, d))
            put(work, kept, scale(1.0 / work[kept + SPAN], d))


@kernel
def observe(t, y0, y, u, ints, reals, work, out):
    """Fill one observation row for the state y0 at t, scheme prepared. `y` is a copy of it, to be scratched.

    Forces are those of the step that begins at t, as for all formulations.
    """
    drive_points(t, work[DRIFT], 1, u, ints, reals, y, work)
    drift(ints, y, work)
    ledger = ints[Y_LEDGER]
    drag_work, damping_work = y[ledger + arrays.WORK_DRAG], y[ledger + arrays.WORK_DAMPING]
    friction_work, drives = y[ledger + arrays.WORK_FRICTION], y[ledger + arrays.WORK_DRIVES]
    status = solve(t + work[DRIFT], u, ints, reals, y, work)
    if status == 0:
        status = book_tensions(t, ints, reals, y, work)
    go_back(t, u, ints, reals, y0, y, work)
    bed = reals[BED_PRESENT] > 0.0
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    kinetic, gravity, elastic, tension_max = 0.0, 0.0, 0.0, -math.inf
    at = 0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        reverse = ints[cable + CABLE_REVERSED] == 1
        bends = ints[cable + CABLE_BENDS] == 1
        spare = ints[cable + CABLE_ALLOTTED_COUNT] - count  # still on the drum, at the cable's first nodes
        for k in range(count + spare + 1):
            i = count - k if reverse else k - spare
            if i < 0:
                for column in range(NODE_COLUMNS):
                    out[at + column] = math.nan
                at += NODE_COLUMNS
                continue
            node = node_state_at(ints, first + c + i)
            tension = tension_at(c, i, ints, reals, y, work)
            shear, bending, push = 0.0, 0.0, ZERO3
            if bends:
                moment, energy = moment_at(c, i, ints, reals, y, work)
                shear, bending = shear_at(c, i, ints, reals, y, work), math.sqrt(dot(moment, moment))
                elastic += energy
            if bed:
                normal, friction, damping, _ = contact_force(first + c + i, ints, reals, y, work)
                push = add_scaled(friction, normal, n)
                if normal > 0.0:
                    elastic += (normal - damping) ** 2 / (2.0 * work[contact_at(ints, first + c + i) + BED_K])
            if i < count:
                moving, lifted, stretched = element_energies(t, first + i, first + c + i, ints, reals, y, work)
                kinetic += moving
                gravity += lifted
                elastic += stretched
            tension_max = max(tension_max, tension)
            put(out, at + NODE_POSITION, vector_of(y, node))
            put(out, at + NODE_VELOCITY, vector_of(y, node + 3))
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = shear
            out[at + NODE_BENDING_MOMENT] = bending
            out[at + NODE_TORSION] = 0.0
            put(out, at + NODE_CONTACT_FORCE, push)
            at += NODE_COLUMNS
    for c in range(ints[N_CABLES]):
        forces = ints[W_FORCES] + 6 * c
        reverse = ints[cable_at(ints, c) + CABLE_REVERSED] == 1
        put(out, at + END_FORCE_START, vector_of(work, forces + (3 if reverse else 0)))
        put(out, at + END_FORCE_END, vector_of(work, forces + (0 if reverse else 3)))
        at += END_COLUMNS
    for k in range(ints[N_NAMED]):
        which = ints[ints[I_NAMED] + k]
        if which >= 0:
            put(out, at, vector_of(work, point_at(ints, which)))
            put(out, at + 3, vector_of(work, point_at(ints, which) + 3))
        else:
            put(out, at, vector_of(y, hub_state_at(ints, -which - 1)))
            put(out, at + 3, vector_of(y, hub_state_at(ints, -which - 1) + 7))
        at += POINT_COLUMNS
    for h in range(ints[N_HUBS]):
        body = hub_state_at(ints, h)
        moving, lifted = rigid_body_energies(
            t, vector_of(y, body), turn_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10), reals,
            hub_at(ints, h),
        )  # fmt: skip
        kinetic += moving
        gravity += lifted
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + WORK_DRAG] = drag_work
    out[at + WORK_DAMPING] = damping_work
    out[at + WORK_FRICTION] = friction_work
    out[at + WORK_DRIVES] = drives
    out[at + TENSION_MAX] = tension_max
    totals = at
    at += TENSION_MAX + 1
    for k in range(ints[N_WINCHES]):
        out[at], out[at + 1] = y[winch_state(ints, k) + PAID_OUT], y[winch_state(ints, k) + TURNING]
        at += 2
    for k in range(ints[N_NAMED] - ints[N_BODIES], ints[N_NAMED]):
        which = ints[ints[I_NAMED] + k]
        if which >= 0:
            R = frame_turn(ints[ints[I_POINTS] + which], ints, work)
        else:
            R = turn_of(y, hub_state_at(ints, -which - 1))
        put(out, at, angles_of(R))
        at += 3
    if bed:
        put_standing(at, totals + ENERGY_ELASTIC, ints, reals, y, work, out)
    return status
