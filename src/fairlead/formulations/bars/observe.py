"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, scale, transposed_matvec
from fairlead.loads.buoyancy import submergence
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z, fluid

from . import arrays
from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BED_STIFFNESS, BUOYANCY, CABLE_COUNT, CABLE_FIRST, CABLE_REVERSED, CABLE_ROTARY,
    DIAMETER, HUB_ADDED, HUB_BUOYANCY, HUB_HEIGHT, HUB_INERTIA, HUB_MASS, HUB_WEIGHT, INERTIA, INERTIA_ADDED, LENGTH,
    LUMP_ADDED, LUMP_BUOYANCY, LUMP_HEIGHT, LUMP_INERTIA, LUMP_MASS, LUMP_OFFSET, MASS, N_HUBS, N_NAMED, RULE,
    SPIN_INERTIA, TUNING, WEIGHT, model_of, scratch_of, state_of,
)  # fmt: skip
from .coefficients import PLAIN
from .element import axis_of, point_velocity
from .equations import balance_hubs
from .hubs import solve
from .joint import turn_of_first
from .step import OK, contact_force, drive_points, prepare
from .sweep import is_clamped, point_of_end, quaternion_of, vector_of


@kernel
def buoyancy_energy(lift, z, height):
    """Potential of a buoyancy `lift`·σ(z): zero above the surface, −lift·z well below it [J]."""
    if z >= 0.5 * height:
        return 0.0
    if z <= -0.5 * height:
        return -lift * z
    return lift * (0.5 * height - z) ** 2 / (2.0 * height)


@kernel
def bar_energies(t, bar, body, sea):
    """Kinetic energy (with added mass) and gravity potential (with buoyancy) of one bar [J]."""
    p, v, w = vector_of(body, 0), vector_of(body, 7), vector_of(body, 10)
    R = rotation(quaternion_of(body))
    height = abs(R[8]) * bar[LENGTH] + bar[DIAMETER]
    _, _, elevation, _ = fluid(t, p[0], p[1], p[2], sea)
    sigma = submergence(p[2] - elevation, height)
    u = transposed_matvec(R, v)
    across = bar[MASS] + sigma * bar[ADDED_NORMAL]
    along = bar[MASS] + sigma * bar[ADDED_AXIAL]
    jx = bar[INERTIA] + sigma * bar[INERTIA_ADDED]
    kinetic = across * (u[0] * u[0] + u[1] * u[1]) + along * u[2] * u[2]
    kinetic += jx * (w[0] * w[0] + w[1] * w[1]) + bar[SPIN_INERTIA] * w[2] * w[2]
    gravity = bar[WEIGHT] * p[2] + buoyancy_energy(bar[BUOYANCY], p[2] - elevation, height)
    if bar[LUMP_HEIGHT] > 0.0:
        place = add_scaled(p, bar[LUMP_OFFSET], axis_of(R))
        velocity = point_velocity(bar[LUMP_OFFSET], R, v, w)
        _, _, elevation, _ = fluid(t, place[0], place[1], place[2], sea)
        wet = submergence(place[2] - elevation, bar[LUMP_HEIGHT])
        kinetic += (bar[LUMP_MASS] + wet * bar[LUMP_ADDED]) * dot(velocity, velocity)
        kinetic += bar[LUMP_INERTIA] * (w[0] * w[0] + w[1] * w[1])
        gravity += bar[LUMP_MASS] * sea[1] * place[2]
        gravity += buoyancy_energy(bar[LUMP_BUOYANCY], place[2] - elevation, bar[LUMP_HEIGHT])
    return 0.5 * kinetic, gravity


@kernel
def joint_energy(rotary, rule, row, multiplier, gap, relative):
    """Elastic energy of a joint [J].

    Under the rule it is λ²/2k: the gap itself carries the step's linearisation error times k, the multiplier does
    not. Under the paper's law the multiplier is mostly damping, so the energy is ½K C² of gap and turn.
    """
    if not rule:
        energy = 0.5 * row[2] * dot(gap, gap)
        if rotary:
            energy += 2.0 * row[5] * (relative[1] ** 2 + relative[2] ** 2) + 2.0 * row[8] * relative[3] ** 2
        return energy
    energy = (multiplier[0] ** 2 + multiplier[1] ** 2 + multiplier[2] ** 2) / (2.0 * row[2])
    if rotary and row[5] > 0.0:
        energy += (multiplier[3] ** 2 + multiplier[4] ** 2) / (2.0 * row[5])
    if rotary and row[8] > 0.0:
        energy += multiplier[5] ** 2 / (2.0 * row[8])
    return energy


@kernel
def node_values(c, i, model, state, scratch):
    """Position, velocity, mean axis and joint gap at node i of cable c (sweep order)."""
    first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
    place, velocity, axis = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    gap = (0.0, 0.0, 0.0)
    parts = 0.0
    for side in range(2):
        bar = i - 1 if side == 0 else i
        if bar < 0 or bar >= count:
            continue
        body = state.bars[first + bar]
        R = rotation(quaternion_of(body))
        o = 0.5 * model.bars[first + bar, LENGTH] * (1.0 if side == 0 else -1.0)
        end = add_scaled(vector_of(body, 0), o, axis_of(R))
        place = add(place, end)
        gap = add_scaled(gap, -1.0 if side == 0 else 1.0, end)
        velocity = add(velocity, point_velocity(o, R, vector_of(body, 7), vector_of(body, 10)))
        axis = add(axis, axis_of(R))
        parts += 1.0
    place, velocity = scale(1.0 / parts, place), scale(1.0 / parts, velocity)
    size = math.sqrt(dot(axis, axis))
    if size > 1e-9:
        axis = scale(1.0 / size, axis)
    last = 0 if i == 0 else 1
    if (i == 0 or i == count) and state.attached[c, last] > 0.5:
        place, velocity, _, _, _ = point_of_end(c, last, model, state, scratch)
        gap = add_scaled(gap, -1.0 if i == 0 else 1.0, place)
    return place, velocity, axis, gap


@kernel
def put(out, at, vector):
    """Write a vector into a row."""
    out[at], out[at + 1], out[at + 2] = vector


@kernel
def observe(t, y, u, h, ints, reals, work, kind, out):
    """Fill one observation row for the state at t. `y` is scratched: pass a copy."""
    model, state, scratch = model_of(ints, reals), state_of(ints, y), scratch_of(ints, work)
    prepare(kind, h, model, scratch)
    if kind == PLAIN:
        balance_hubs(t, model, state)
    drive_points(t, u, model, state, scratch)
    works = (state.ledger[0], state.ledger[1], state.ledger[2], state.ledger[3])
    status = solve(t, model, state, scratch)
    bed = model.sea[BED_PRESENT] > 0.0
    n = (model.sea[BED_X], model.sea[BED_Y], model.sea[BED_Z])
    rule = model.ints[TUNING] == RULE
    elastic, tension_max = 0.0, -math.inf

    at = 0
    cables = model.cables.shape[0]
    for c in range(cables):
        first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
        reverse = model.cables[c, CABLE_REVERSED] == 1
        for node in range(count + 1):
            i = count - node if reverse else node
            j = first + c + i
            row = scratch.joints[j]
            force = vector_of(scratch.multipliers[j], 0)
            place, velocity, axis, gap = node_values(c, i, model, state, scratch)
            attached = (i > 0 or state.attached[c, 0] > 0.5) and (i < count or state.attached[c, 1] > 0.5)
            if i == 0 or i == count:
                rotary = is_clamped(c, 0 if i == 0 else 1, model, state)
            else:
                rotary = model.cables[c, CABLE_ROTARY] == 1
            tension, shear, bending, torsion = 0.0, 0.0, 0.0, 0.0
            if attached:
                tension = dot(force, axis)
                across = add_scaled(force, -tension, axis)
                shear = math.sqrt(dot(across, across))
                elastic += joint_energy(rotary, rule, row, scratch.multipliers[j], gap, scratch.relative[j])
                if rotary:
                    r = scratch.relative[j]
                    turn = turn_of_first((r[0], r[1], r[2], r[3]))
                    moment = transposed_matvec(turn, vector_of(scratch.multipliers[j], 3))
                    bending = math.sqrt(moment[0] ** 2 + moment[1] ** 2)
                    torsion = moment[2]
            push = (0.0, 0.0, 0.0)
            if bed:
                for side in range(2):
                    bar = i - 1 if side == 0 else i
                    if bar < 0 or bar >= count:
                        continue
                    normal, friction, _ = contact_force(first + bar, 1 - side, model, state, scratch)
                    push = add(push, add_scaled(friction, normal, n))
                    if normal > 0.0:
                        elastic += normal * normal / (2.0 * model.bars[first + bar, BED_STIFFNESS])
            tension_max = max(tension_max, tension)
            put(out, at + NODE_POSITION, place)
            put(out, at + NODE_VELOCITY, velocity)
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = shear
            out[at + NODE_BENDING_MOMENT] = bending
            out[at + NODE_TORSION] = torsion
            put(out, at + NODE_CONTACT_FORCE, push)
            at += NODE_COLUMNS

    for c in range(cables):
        first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
        reverse = model.cables[c, CABLE_REVERSED] == 1
        start = scale(state.attached[c, 0], vector_of(scratch.multipliers[first + c], 0))
        end = scale(-state.attached[c, 1], vector_of(scratch.multipliers[first + c + count], 0))
        put(out, at + END_FORCE_START, end if reverse else start)
        put(out, at + END_FORCE_END, start if reverse else end)
        at += END_COLUMNS

    for k in range(model.ints[N_NAMED]):
        which = model.named[k]
        if which >= 0:
            put(out, at, vector_of(scratch.points[which], 0))
            put(out, at + 3, vector_of(scratch.points[which], 3))
        else:
            put(out, at, vector_of(state.hubs[-which - 1], 0))
            put(out, at + 3, vector_of(state.hubs[-which - 1], 7))
        at += POINT_COLUMNS

    kinetic, gravity = 0.0, 0.0
    for i in range(state.bars.shape[0]):
        k, g = bar_energies(t, model.bars[i], state.bars[i], model.sea)
        kinetic += k
        gravity += g
    for i in range(model.ints[N_HUBS]):
        hub, body = model.hubs[i], state.hubs[i]
        v, w = vector_of(body, 7), vector_of(body, 10)
        wet = submergence(body[2], hub[HUB_HEIGHT])
        kinetic += 0.5 * (hub[HUB_MASS] + wet * hub[HUB_ADDED]) * dot(v, v) + 0.5 * hub[HUB_INERTIA] * dot(w, w)
        gravity += hub[HUB_WEIGHT] * body[2] + buoyancy_energy(hub[HUB_BUOYANCY], body[2], hub[HUB_HEIGHT])
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + WORK_DRAG] = works[arrays.WORK_DRAG]
    out[at + WORK_DAMPING] = works[arrays.WORK_DAMPING]
    out[at + WORK_FRICTION] = works[arrays.WORK_FRICTION]
    out[at + WORK_DRIVES] = works[arrays.WORK_DRIVES]
    out[at + TENSION_MAX] = tension_max
    return status
