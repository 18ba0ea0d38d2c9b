"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of as turn_angles
from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads.body import body_energies
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, TOTALS, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z, bed_gap

from . import arrays
from .arrays import (
    BENDING, BOOK, CABLE_CHAIN, CABLE_COUNT, CABLE_FIRST, CABLE_INTS, CABLE_REVERSED, CHAIN_COUNT, CHAIN_FIRST,
    CHAIN_START, CHAIN_STOP, I_CABLES, LUMP_ADDED, LUMP_BUOYANCY, LUMP_COLUMNS, LUMP_HEIGHT, LUMP_MASS,
    N_CABLES, N_CHAINS, N_HUNG, N_LINKS, N_NAMED, N_TWIST, NODE_BODY, NODE_RADIUS, NODE_REALS, NODE_STIFFNESS, R_LUMPS,
    R_NODES, REPORTS_ANGLES, ROTARY, SPRING, START_AXIS, STOP_AXIS, STOP_BENDING, W_FORCE, W_PLACE, W_VELOCITY,
    Y_LEDGER, Y_LINKS, chain_at, chain_reals, hung_at, hung_record_at, link_at, point_at, put, vector_of,
)  # fmt: skip
from .extremes import axis_at
from .hung import centre_of, named_state, turn_of
from .joint import bend_angle
from .link import link_energies
from .point_loads import take_loads
from .step import drive_points, is_prescribed, lay_out, place_points, push_of, solve
from .sweep import ZERO3
from .twist import twist_energies, twist_of


@kernel
def bending_at(c, i, ints, reals, y):
    """Bend angle and stiffness of the joint at node i of chain c (0 where it turns freely)."""
    chain, constants = chain_at(ints, c), chain_reals(ints, c)
    first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
    if i == count:
        k = reals[constants + STOP_BENDING]
        above, below = vector_of(y, ints[Y_LINKS] + 6 * (first + count - 1)), vector_of(reals, constants + STOP_AXIS)
    else:
        k = reals[link_at(ints, first + i) + BENDING]
        above, below = vector_of(reals, constants + START_AXIS), vector_of(y, ints[Y_LINKS] + 6 * (first + i))
        if i > 0:
            above = vector_of(y, ints[Y_LINKS] + 6 * (first + i - 1))
    if k == 0.0:
        return 0.0, 0.0
    return bend_angle(above, below), k


@kernel
def energies(t, ints, reals, y, work):
    """Kinetic, gravity and elastic energy of everything [J]."""
    kinetic, elastic, _ = twist_energies(ints, reals, y)
    gravity = 0.0
    for c in range(ints[N_CHAINS]):
        chain, constants = chain_at(ints, c), chain_reals(ints, c)
        first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
        for i in range(count + 1):
            node = first + c + i
            place, velocity = vector_of(work, ints[W_PLACE] + 3 * node), vector_of(work, ints[W_VELOCITY] + 3 * node)
            if i < count:
                link, state = link_at(ints, first + i), ints[Y_LINKS] + 6 * (first + i)
                q, w = vector_of(y, state), vector_of(y, state + 3)
                k, g = link_energies(t, ints, reals, link, place, q, velocity, w)
                kinetic += k + 0.5 * reals[link + ROTARY] * dot(w, w)
                gravity += g
            body = int(reals[ints[R_NODES] + NODE_REALS * node + NODE_BODY])
            if body <= -2:
                R, w = turn_of(-2 - body, ints, y), vector_of(y, hung_at(ints, -2 - body) + 4)
                centre, speed = centre_of(-2 - body, place, velocity, R, w, ints, reals)
                k, g = rigid_body_energies(t, centre, R, speed, w, reals, hung_record_at(ints, -2 - body))
                kinetic += k
                gravity += g
            if body >= 0:
                lump = ints[R_LUMPS] + LUMP_COLUMNS * body
                k, g = body_energies(
                    t, place, velocity, reals[lump + LUMP_MASS], reals[lump + LUMP_ADDED],
                    reals[lump + LUMP_BUOYANCY], reals[lump + LUMP_HEIGHT], reals,
                )  # fmt: skip
                kinetic += k
                gravity += g
            angle, k = bending_at(c, i, ints, reals, y)
            elastic += 0.5 * k * angle * angle
            if reals[BED_PRESENT] > 0.0 and not is_prescribed(node, c, ints):
                gap = min(0.0, bed_gap(place, reals[ints[R_NODES] + NODE_REALS * node + NODE_RADIUS], reals))
                elastic += 0.5 * reals[ints[R_NODES] + NODE_REALS * node + NODE_STIFFNESS] * gap * gap
        if ints[chain + CHAIN_STOP] >= 0:
            end = vector_of(work, ints[W_PLACE] + 3 * (first + c + count))
            gap = subtract(end, vector_of(work, point_at(ints, ints[chain + CHAIN_STOP])))
            elastic += 0.5 * reals[constants + SPRING] * dot(gap, gap)
    return kinetic, gravity, elastic


@kernel
def angles_of(j, ints, y):
    """Elevation from straight down and azimuth from y towards x of link j, as Pereira et al. counts them [rad]."""
    q = vector_of(y, ints[Y_LINKS] + 6 * j)
    return math.atan2(math.sqrt(q[0] * q[0] + q[1] * q[1]), -q[2]), math.atan2(q[0], q[1])


@fold
def observe(t, y, u, ints, reals, work, out):
    """Fill one observation row for the state at t. `y` is scratched: pass a copy."""
    ledger = ints[Y_LEDGER]
    work[BOOK] = 0.0
    take_loads(u, ints, reals)
    place_points(ints, reals, work)
    drive_points(t, 0.0, 1, u, ints, reals, y, work)
    lay_out(0.0, ints, reals, y, work)
    status = solve(t, ints, reals, y, work)
    bed = reals[BED_PRESENT] > 0.0
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    tension_max = -math.inf
    at = 0
    for k in range(ints[N_CABLES]):
        cable = ints[I_CABLES] + CABLE_INTS * k
        c, first, count = ints[cable + CABLE_CHAIN], ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        reverse = ints[cable + CABLE_REVERSED] == 1
        before = first - ints[chain_at(ints, c) + CHAIN_FIRST]
        for step in range(count + 1):
            i = count - step if reverse else step
            node = first + c + i
            force = vector_of(work, ints[W_FORCE] + 3 * node)
            axis = axis_at(c, before + i, ints, y)
            tension = dot(force, axis)
            across = add_scaled(force, -tension, axis)
            angle, stiffness = bending_at(c, before + i, ints, reals, y)
            torsion = 0.0
            if ints[N_TWIST] > 0 and i < count:
                _, torsion = twist_of(first + i, ints, reals, y)
            push = ZERO3
            if bed and not is_prescribed(node, c, ints):
                normal, friction = push_of(node, ints, reals, work)
                push = add_scaled(friction, normal, n)
            tension_max = max(tension_max, tension)
            put(out, at + NODE_POSITION, vector_of(work, ints[W_PLACE] + 3 * node))
            put(out, at + NODE_VELOCITY, vector_of(work, ints[W_VELOCITY] + 3 * node))
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = math.sqrt(dot(across, across))
            out[at + NODE_BENDING_MOMENT] = stiffness * angle
            out[at + NODE_TORSION] = torsion
            put(out, at + NODE_CONTACT_FORCE, push)
            at += NODE_COLUMNS
    for k in range(ints[N_CABLES]):
        cable = ints[I_CABLES] + CABLE_INTS * k
        c, first, count = ints[cable + CABLE_CHAIN], ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        start = vector_of(work, ints[W_FORCE] + 3 * (first + c))
        if ints[chain_at(ints, c) + CHAIN_START] < 0 and first == ints[chain_at(ints, c) + CHAIN_FIRST]:
            start = ZERO3
        end = scale(-1.0, vector_of(work, ints[W_FORCE] + 3 * (first + c + count)))
        reverse = ints[cable + CABLE_REVERSED] == 1
        put(out, at + END_FORCE_START, end if reverse else start)
        put(out, at + END_FORCE_END, start if reverse else end)
        at += END_COLUMNS
    for k in range(ints[N_NAMED]):
        place, velocity = named_state(k, ints, reals, y, work)
        put(out, at, place)
        put(out, at + 3, velocity)
        at += POINT_COLUMNS
    kinetic, gravity, elastic = energies(t, ints, reals, y, work)
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + WORK_DRAG] = y[ledger + arrays.WORK_DRAG]
    out[at + WORK_DAMPING] = y[ledger + arrays.WORK_DAMPING]
    out[at + WORK_FRICTION] = y[ledger + arrays.WORK_FRICTION]
    out[at + WORK_DRIVES] = y[ledger + arrays.WORK_DRIVES]
    out[at + TENSION_MAX] = tension_max
    at += len(TOTALS)
    if ints[REPORTS_ANGLES] == 1:
        for j in range(ints[N_LINKS]):
            out[at], out[at + 1] = angles_of(j, ints, y)
            out[at + 2] = 0.0
            if ints[N_TWIST] > 0:
                out[at + 2], _ = twist_of(j, ints, reals, y)
            at += 3
    for b in range(ints[N_HUNG]):
        put(out, at, turn_angles(turn_of(b, ints, y)))
        at += 3
    return status
