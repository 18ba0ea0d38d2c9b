"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, scale, transposed_matvec
from fairlead.loads.buoyancy import submergence
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z, GRAVITY, elevation

from . import arrays
from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BED_STIFFNESS, BUOYANCY, CABLE_COUNT, CABLE_FIRST, CABLE_REVERSED, CABLE_ROTARY,
    DIAMETER, HUB_ADDED, HUB_BUOYANCY, HUB_HEIGHT, HUB_INERTIA, HUB_MASS, HUB_WEIGHT, I_NAMED, INERTIA, INERTIA_ADDED,
    LENGTH, LUMP_ADDED, LUMP_BUOYANCY, LUMP_HEIGHT, LUMP_INERTIA, LUMP_MASS, LUMP_OFFSET, MASS, N_BARS, N_CABLES,
    N_HUBS, N_NAMED, RULE, SPIN_INERTIA, TUNING, W_MULTIPLIERS, WEIGHT, Y_ATTACHED, Y_LEDGER, bar_at, bar_state_at,
    cable_at, hub_at, hub_state_at, is_attached, is_clamped, point_at,
)  # fmt: skip
from .element import axis_of, point_velocity
from .hubs import solve
from .joint import turn_of_first
from .step import contact_force, drive_points
from .sweep import ZERO3, joint_row, point_of_end, quaternion_of, relative_of, vector_of


@kernel
def buoyancy_energy(lift, z, height):
    """Potential of a buoyancy `lift`·σ(z): zero above the surface, −lift·z well below it [J]."""
    if z >= 0.5 * height:
        return 0.0
    if z <= -0.5 * height:
        return -lift * z
    return lift * (0.5 * height - z) ** 2 / (2.0 * height)


@kernel
def bar_energies(t, i, ints, reals, y):
    """Kinetic energy (with added mass) and gravity potential (with buoyancy) of one bar [J]."""
    bar, body = bar_at(ints, i), bar_state_at(ints, i)
    p, v, w = vector_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
    R = rotation(quaternion_of(y, body))
    height = abs(R[8]) * reals[bar + LENGTH] + reals[bar + DIAMETER]
    surface = elevation(t, p[0], p[1], reals)
    sigma = submergence(p[2] - surface, height)
    u = transposed_matvec(R, v)
    across = reals[bar + MASS] + sigma * reals[bar + ADDED_NORMAL]
    along = reals[bar + MASS] + sigma * reals[bar + ADDED_AXIAL]
    jx = reals[bar + INERTIA] + sigma * reals[bar + INERTIA_ADDED]
    kinetic = across * (u[0] * u[0] + u[1] * u[1]) + along * u[2] * u[2]
    kinetic += jx * (w[0] * w[0] + w[1] * w[1]) + reals[bar + SPIN_INERTIA] * w[2] * w[2]
    gravity = reals[bar + WEIGHT] * p[2] + buoyancy_energy(reals[bar + BUOYANCY], p[2] - surface, height)
    if reals[bar + LUMP_HEIGHT] > 0.0:
        place = add_scaled(p, reals[bar + LUMP_OFFSET], axis_of(R))
        velocity = point_velocity(reals[bar + LUMP_OFFSET], R, v, w)
        surface = elevation(t, place[0], place[1], reals)
        wet = submergence(place[2] - surface, reals[bar + LUMP_HEIGHT])
        kinetic += (reals[bar + LUMP_MASS] + wet * reals[bar + LUMP_ADDED]) * dot(velocity, velocity)
        kinetic += reals[bar + LUMP_INERTIA] * (w[0] * w[0] + w[1] * w[1])
        gravity += reals[bar + LUMP_MASS] * reals[GRAVITY] * place[2]
        gravity += buoyancy_energy(reals[bar + LUMP_BUOYANCY], place[2] - surface, reals[bar + LUMP_HEIGHT])
    return 0.5 * kinetic, gravity


@kernel
def joint_energy(rotary, rule, row, multiplier, moment, gap, relative):
    """Elastic energy of a joint [J].

    Under the rule it is λ²/2k: the gap itself carries the step's linearisation error times k, the multiplier does
    not. Under the paper's law the multiplier is mostly damping, so the energy is ½K C² of gap and turn.
    """
    if not rule:
        energy = 0.5 * row[2] * dot(gap, gap)
        if rotary:
            energy += 2.0 * row[5] * (relative[1] ** 2 + relative[2] ** 2) + 2.0 * row[8] * relative[3] ** 2
        return energy
    energy = dot(multiplier, multiplier) / (2.0 * row[2])
    if rotary and row[5] > 0.0:
        energy += (moment[0] ** 2 + moment[1] ** 2) / (2.0 * row[5])
    if rotary and row[8] > 0.0:
        energy += moment[2] ** 2 / (2.0 * row[8])
    return energy


@kernel
def node_values(c, i, ints, reals, y, work):
    """Position, velocity, mean axis and joint gap at node i of cable c (sweep order)."""
    first, count = ints[cable_at(ints, c) + CABLE_FIRST], ints[cable_at(ints, c) + CABLE_COUNT]
    place, velocity, axis = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    gap = (0.0, 0.0, 0.0)
    parts = 0.0
    for side in range(2):
        bar = i - 1 if side == 0 else i
        if bar < 0 or bar >= count:
            continue
        body = bar_state_at(ints, first + bar)
        R = rotation(quaternion_of(y, body))
        o = 0.5 * reals[bar_at(ints, first + bar) + LENGTH] * (1.0 if side == 0 else -1.0)
        end = add_scaled(vector_of(y, body), o, axis_of(R))
        place = add(place, end)
        gap = add_scaled(gap, -1.0 if side == 0 else 1.0, end)
        velocity = add(velocity, point_velocity(o, R, vector_of(y, body + 7), vector_of(y, body + 10)))
        axis = add(axis, axis_of(R))
        parts += 1.0
    place, velocity = scale(1.0 / parts, place), scale(1.0 / parts, velocity)
    size = math.sqrt(dot(axis, axis))
    if size > 1e-9:
        axis = scale(1.0 / size, axis)
    end_index = 2 * c if i == 0 else 2 * c + 1
    if (i == 0 or i == count) and is_attached(y, ints, end_index):
        place, velocity, _, _, _ = point_of_end(end_index, ints, reals, y, work)
        gap = add_scaled(gap, -1.0 if i == 0 else 1.0, place)
    return place, velocity, axis, gap


@kernel
def put(out, at, vector):
    """Write a vector into a row."""
    out[at], out[at + 1], out[at + 2] = vector


@fold
def observe(t, y, u, ints, reals, work, out):
    """Fill one observation row for the state at t, joints prepared. `y` is scratched: pass a copy."""
    drive_points(t, u, ints, reals, y, work)
    ledger = ints[Y_LEDGER]
    drag, damping = y[ledger + arrays.WORK_DRAG], y[ledger + arrays.WORK_DAMPING]
    friction_work, drives = y[ledger + arrays.WORK_FRICTION], y[ledger + arrays.WORK_DRIVES]
    status = solve(t, ints, reals, y, work)
    bed = reals[BED_PRESENT] > 0.0
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    rule = ints[TUNING] == RULE
    elastic, tension_max = 0.0, -math.inf
    at = 0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        reverse = ints[cable + CABLE_REVERSED] == 1
        for node in range(count + 1):
            i = count - node if reverse else node
            j = first + c + i
            multiplier = ints[W_MULTIPLIERS] + 6 * j
            force, moment = vector_of(work, multiplier), vector_of(work, multiplier + 3)
            place, velocity, axis, gap = node_values(c, i, ints, reals, y, work)
            if i == 0 or i == count:
                end_index = 2 * c if i == 0 else 2 * c + 1
                attached = is_attached(y, ints, end_index)
                rotary = is_clamped(y, ints, end_index)
            else:
                attached = True
                rotary = ints[cable + CABLE_ROTARY] == 1
            tension, shear, bending, torsion = 0.0, 0.0, 0.0, 0.0
            if attached:
                tension = dot(force, axis)
                across = add_scaled(force, -tension, axis)
                shear = math.sqrt(dot(across, across))
                relative = relative_of(j, ints, work)
                elastic += joint_energy(rotary, rule, joint_row(j, ints, work), force, moment, gap, relative)
                if rotary:
                    moment = transposed_matvec(turn_of_first(relative), moment)
                    bending = math.sqrt(moment[0] ** 2 + moment[1] ** 2)
                    torsion = moment[2]
            push = ZERO3
            if bed:
                for side in range(2):
                    bar = i - 1 if side == 0 else i
                    if bar < 0 or bar >= count:
                        continue
                    normal, friction, _ = contact_force(first + bar, 1 - side, ints, reals, y, work)
                    push = add(push, add_scaled(friction, normal, n))
                    if normal > 0.0:
                        elastic += normal * normal / (2.0 * reals[bar_at(ints, first + bar) + BED_STIFFNESS])
            tension_max = max(tension_max, tension)
            put(out, at + NODE_POSITION, place)
            put(out, at + NODE_VELOCITY, velocity)
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = shear
            out[at + NODE_BENDING_MOMENT] = bending
            out[at + NODE_TORSION] = torsion
            put(out, at + NODE_CONTACT_FORCE, push)
            at += NODE_COLUMNS

    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        attached = ints[Y_ATTACHED] + 2 * c
        start = scale(y[attached], vector_of(work, ints[W_MULTIPLIERS] + 6 * (first + c)))
        end = scale(-y[attached + 1], vector_of(work, ints[W_MULTIPLIERS] + 6 * (first + c + count)))
        reverse = ints[cable + CABLE_REVERSED] == 1
        put(out, at + END_FORCE_START, end if reverse else start)
        put(out, at + END_FORCE_END, start if reverse else end)
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

    kinetic, gravity = 0.0, 0.0
    for i in range(ints[N_BARS]):
        k, g = bar_energies(t, i, ints, reals, y)
        kinetic += k
        gravity += g
    for i in range(ints[N_HUBS]):
        hub, body = hub_at(ints, i), hub_state_at(ints, i)
        v, w, z = vector_of(y, body + 7), vector_of(y, body + 10), y[body + 2]
        wet = submergence(z, reals[hub + HUB_HEIGHT])
        kinetic += 0.5 * (reals[hub + HUB_MASS] + wet * reals[hub + HUB_ADDED]) * dot(v, v)
        kinetic += 0.5 * reals[hub + HUB_INERTIA] * dot(w, w)
        gravity += reals[hub + HUB_WEIGHT] * z + buoyancy_energy(reals[hub + HUB_BUOYANCY], z, reals[hub + HUB_HEIGHT])
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + WORK_DRAG] = drag
    out[at + WORK_DAMPING] = damping
    out[at + WORK_FRICTION] = friction_work
    out[at + WORK_DRIVES] = drives
    out[at + TENSION_MAX] = tension_max
    return status
