"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract, transposed_matvec
from fairlead.loads.body import body_energies
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.results.observation import (
    END_COLUMNS, END_FORCE_END, END_FORCE_START, ENERGY_ELASTIC, ENERGY_GRAVITY, ENERGY_KINETIC, NODE_BENDING_MOMENT,
    NODE_COLUMNS, NODE_CONTACT_FORCE, NODE_POSITION, NODE_SHEAR, NODE_TENSION, NODE_TORSION, NODE_VELOCITY,
    POINT_COLUMNS, TENSION_MAX, TOTALS, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, WORK_FRICTION,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z, elevation

from . import arrays
from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BED_STIFFNESS, BUOYANCY, CABLE_ALLOTTED_COUNT, CABLE_ALLOTTED_FIRST, CABLE_COUNT,
    CABLE_FIRST, CABLE_REVERSED, CABLE_ROTARY, DIAMETER, FRAME_KEPT, INERTIA, INERTIA_ADDED, I_NAMED, I_POINTS,
    I_SLIDERS, JOINT_COLUMNS, K_AXIAL, LENGTH, LUMP_ADDED, LUMP_BUOYANCY, LUMP_COUNT, LUMP_FIRST, LUMP_HEIGHT,
    LUMP_MASS, LUMP_OFFSET, MASS, N_BODIES, N_CABLES, N_HUBS, N_NAMED, N_SLIDERS, N_WINCHES, RULE, R_JOINTS,
    SLIDER_INTS, SPIN_INERTIA, TUNING, WEIGHT, W_DAMPING, W_FRAMES, W_MULTIPLIERS, W_RATE, Y_ATTACHED, Y_LEDGER,
    bar_at, bar_of_joint, bar_state_at, cable_at, hub_at, hub_state_at, is_attached, is_clamped, lump_at, point_at,
    quaternion_of, vector_of,
)  # fmt: skip
from .element import axis_of, point_velocity
from .ends import frame_of, point_of_end
from .frames import drive_points, show_points
from .hubs import solve
from .joint import turn_of_first
from .loosening import along_line, is_folded, only_pulls
from .slider import HOST, ON_BAR, PRESS, RING, slider_state
from .standing import put_standing
from .step import STRAIN, STRAIN_LIMIT, contact_force
from .sweep import ZERO3, joint_row, relative_of
from .winch import PAID_OUT, RATE, drive_winches, winch_state

TOTAL_COUNT = len(TOTALS)


@kernel
def bar_energies(t, i, ints, reals, y):
    """Kinetic energy (with added mass) and gravity potential (with buoyancy) of one bar [J]."""
    bar, body = bar_at(ints, i), bar_state_at(ints, i)
    p, v, w = vector_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
    R = rotation(quaternion_of(y, body))
    height = bar_height(R[8] * reals[bar + LENGTH], reals[bar + DIAMETER])
    surface = elevation(t, p[0], p[1], reals)
    sigma = submergence(p[2] - surface, height)
    u = transposed_matvec(R, v)
    across = reals[bar + MASS] + sigma * reals[bar + ADDED_NORMAL]
    along = reals[bar + MASS] + sigma * reals[bar + ADDED_AXIAL]
    jx = reals[bar + INERTIA] + sigma * reals[bar + INERTIA_ADDED]
    kinetic = across * (u[0] * u[0] + u[1] * u[1]) + along * u[2] * u[2]
    kinetic += jx * (w[0] * w[0] + w[1] * w[1]) + reals[bar + SPIN_INERTIA] * w[2] * w[2]
    gravity = reals[bar + WEIGHT] * p[2] + buoyancy_energy(reals[bar + BUOYANCY], p[2] - surface, height)
    kinetic *= 0.5
    first = int(reals[bar + LUMP_FIRST])
    for k in range(first, first + int(reals[bar + LUMP_COUNT])):
        lump = lump_at(ints, k)
        o = reals[lump + LUMP_OFFSET]
        moving, lifted = body_energies(
            t, add_scaled(p, o, axis_of(R)), point_velocity(o, R, v, w), reals[lump + LUMP_MASS],
            reals[lump + LUMP_ADDED], reals[lump + LUMP_BUOYANCY], reals[lump + LUMP_HEIGHT], reals,
        )  # fmt: skip
        kinetic += moving
        gravity += lifted
    return kinetic, gravity


@kernel
def joint_energy(j, rotary, rule, gap, ints, work):
    """Elastic energy of a joint [J].

    Under the rule it is (λ − damping)²/2k: the gap itself carries the step's linearisation error times k, the
    multiplier does not. Under the paper's law it is ½K C² of gap and turn, with the ½G Ċ² of the law's own inertia.
    """
    row, rate = joint_row(j, ints, work), ints[W_RATE] + 6 * j
    multiplier, damping = ints[W_MULTIPLIERS] + 6 * j, ints[W_DAMPING] + 6 * j
    relative = relative_of(j, ints, work)
    energy = 0.0
    for k in range(6 if rotary else 3):
        kind = 0 if k < 3 else (1 if k < 5 else 2)
        stiffness = row[3 * kind + 2]
        if not rule:
            c = gap[k] if k < 3 else 2.0 * relative[k - 2]
            energy += 0.5 * stiffness * c * c + 0.5 * row[3 * kind] * work[rate + k] ** 2
        elif stiffness > 0.0:
            energy += (work[multiplier + k] - work[damping + k]) ** 2 / (2.0 * stiffness)
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
        axis = add(axis, along_line(first + c + bar + 1, axis_of(R), ints, reals, work))
        if side == 0 and 0 < i < count and is_folded(first + c + i, ints, reals, work):
            continue
        o = 0.5 * reals[bar_at(ints, first + bar) + LENGTH] * (1.0 if side == 0 else -1.0)
        end = add_scaled(vector_of(y, body), o, axis_of(R))
        place = add(place, end)
        gap = add_scaled(gap, -1.0 if side == 0 else 1.0, end)
        velocity = add(velocity, point_velocity(o, R, vector_of(y, body + 7), vector_of(y, body + 10)))
        parts += 1.0
    place, velocity = scale(1.0 / parts, place), scale(1.0 / parts, velocity)
    size = math.sqrt(dot(axis, axis))
    if size > 1e-9:
        axis = scale(1.0 / size, axis)
    end_index = 2 * c if i == 0 else 2 * c + 1
    if (i == 0 or i == count) and is_attached(y, ints, end_index):
        place, velocity, _, _, _, _ = point_of_end(end_index, ints, reals, y, work)
        gap = add_scaled(gap, -1.0 if i == 0 else 1.0, place)
    return place, velocity, axis, gap


@kernel
def put(out, at, vector):
    """Write a vector into a row."""
    out[at], out[at + 1], out[at + 2] = vector


@kernel
def ring_place(k, ints, reals, y):
    """Unstretched length of cable between a ring and the start of its host, as the file counts [m]."""
    c = ints[ints[I_SLIDERS] + SLIDER_INTS * k + HOST]
    cable, bar = cable_at(ints, c), int(y[slider_state(ints, k) + ON_BAR])
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    body = bar_state_at(ints, bar)
    ring = hub_state_at(ints, ints[ints[I_SLIDERS] + SLIDER_INTS * k + RING])
    offset = subtract(vector_of(y, ring), vector_of(y, body))
    along = dot(axis_of(rotation(quaternion_of(y, body))), offset)
    before, total = 0.5 * reals[bar_at(ints, bar) + LENGTH] + along, 0.0
    for i in range(first, first + count):
        total += reals[bar_at(ints, i) + LENGTH]
        if i < bar:
            before += reals[bar_at(ints, i) + LENGTH]
    return total - before if ints[cable + CABLE_REVERSED] == 1 else before


@kernel
def observe(t, y, u, rig, ints, reals, work, out):
    """Fill one observation row for the state at t, joints prepared. `y` is scratched: pass a copy."""
    drive_points(t, 1, u, ints, reals, y, work)
    if rig is not None:
        drive_winches(t, u, ints, reals, y, work)
    ledger = ints[Y_LEDGER]
    drag_work, damping_work = y[ledger + arrays.WORK_DRAG], y[ledger + arrays.WORK_DAMPING]
    friction_work, drives = y[ledger + arrays.WORK_FRICTION], y[ledger + arrays.WORK_DRIVES]
    status = solve(t, u, rig, ints, reals, y, work)
    show_points(ints, reals, y, work)
    bed = reals[BED_PRESENT] > 0.0
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    rule = ints[TUNING] == RULE
    elastic, tension_max = 0.0, -math.inf
    at = 0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        reverse = ints[cable + CABLE_REVERSED] == 1
        allotted = ints[cable + CABLE_ALLOTTED_COUNT]
        unused = first - ints[cable + CABLE_ALLOTTED_FIRST]
        if allotted > count:
            for k in range(at, at + NODE_COLUMNS * (allotted + 1)):
                out[k] = math.nan
        after = at + NODE_COLUMNS * (allotted + 1)
        at += NODE_COLUMNS * (allotted - count - unused if reverse else unused)
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
                if only_pulls(j, ints, reals):
                    tension = max(0.0, tension)
                across = add_scaled(force, -tension, axis)
                shear = math.sqrt(dot(across, across))
                elastic += joint_energy(j, rotary, rule, gap, ints, work)
                if rotary:
                    moment = transposed_matvec(turn_of_first(relative_of(j, ints, work)), moment)
                    bending = math.sqrt(moment[0] ** 2 + moment[1] ** 2)
                    torsion = moment[2]
            push = ZERO3
            if bed:
                for side in range(2):
                    bar = i - 1 if side == 0 else i
                    if bar < 0 or bar >= count:
                        continue
                    normal, friction, damping, _ = contact_force(first + bar, 1 - side, ints, reals, y, work)
                    push = add(push, add_scaled(friction, normal, n))
                    if normal > 0.0:
                        elastic += (normal - damping) ** 2 / (2.0 * reals[bar_at(ints, first + bar) + BED_STIFFNESS])
            if not tension <= tension_max:
                tension_max = tension
            bar = bar_at(ints, first + bar_of_joint(i, count))
            stiffness = reals[ints[R_JOINTS] + JOINT_COLUMNS * j + K_AXIAL]
            if rule and not abs(tension) < STRAIN_LIMIT * stiffness * reals[bar + LENGTH]:
                status = STRAIN
            put(out, at + NODE_POSITION, place)
            put(out, at + NODE_VELOCITY, velocity)
            out[at + NODE_TENSION] = tension
            out[at + NODE_SHEAR] = shear
            out[at + NODE_BENDING_MOMENT] = bending
            out[at + NODE_TORSION] = torsion
            put(out, at + NODE_CONTACT_FORCE, push)
            at += NODE_COLUMNS
        at = after

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
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        for i in range(first, first + ints[cable_at(ints, c) + CABLE_COUNT]):
            k, g = bar_energies(t, i, ints, reals, y)
            kinetic += k
            gravity += g
    for i in range(ints[N_HUBS]):
        body = hub_state_at(ints, i)
        k, g = rigid_body_energies(
            t, vector_of(y, body), rotation(quaternion_of(y, body)), vector_of(y, body + 7), vector_of(y, body + 10),
            reals, hub_at(ints, i),
        )  # fmt: skip
        kinetic += k
        gravity += g
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    out[at + WORK_DRAG] = drag_work
    out[at + WORK_DAMPING] = damping_work
    out[at + WORK_FRICTION] = friction_work
    out[at + WORK_DRIVES] = drives
    out[at + TENSION_MAX] = tension_max
    totals = at
    at += TOTAL_COUNT
    if rig is not None:
        for k in range(ints[N_WINCHES]):
            out[at], out[at + 1] = y[winch_state(ints, k) + PAID_OUT], y[winch_state(ints, k) + RATE]
            at += 2
        for k in range(ints[N_SLIDERS]):
            out[at], out[at + 1] = ring_place(k, ints, reals, y), y[slider_state(ints, k) + PRESS]
            at += 2
    for k in range(ints[N_NAMED] - ints[N_BODIES], ints[N_NAMED]):
        which = ints[ints[I_NAMED] + k]
        if which >= 0:
            R = rotation(frame_of(work, ints[W_FRAMES] + FRAME_KEPT * ints[ints[I_POINTS] + which]))
        else:
            R = rotation(quaternion_of(y, hub_state_at(ints, -which - 1)))
        out[at], out[at + 1], out[at + 2] = angles_of(R)
        at += 3
    if bed:
        put_standing(at, totals + ENERGY_ELASTIC, ints, reals, y, work, out)
    return status
