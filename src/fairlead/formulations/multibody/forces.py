"""All that acts on the tree at one moment, and the accelerations that follow."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, scale, subtract, symvec, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.loads.signals import table_value

from .arrays import (
    ACCELERATION, AT_Q, AT_V, CABLE, DAMPER, ELEMENT, FIXED, HALF, HIGH, I_LOADS, I_WATER, KIND, LOAD_INTS,
    LOAD_REALS, LOW, N_BODIES, N_LOADS, N_Q, N_V, N_WATER, POSITION, POWER_DRAG, POWER_DRIVES, POWER_FRICTION,
    PREDICTED, PRISMATIC, R_LOADS, R_TABLE, R_WATER, REST, REVOLUTE, ROD, ROTATION, SLACK, SPHERICAL, SPIN, SPRING,
    STEP, STOP, STOP_DAMPER, THETA_STEP, VELOCITY, W_START, W_STIFF, W_TENSION, W_TORQUE, WATER_CENTRE, WATER_INTS,
    WATER_REALS, Y_LENGTH, Y_Q, Y_V, ZERO3, body_at, constants_at, element_at, matrix_of, quaternion_of, record_at,
    vector_of,
)  # fmt: skip
from .articulated import articulated
from .bodies import ZERO6, ZERO9, add_dry, clear, push_at, turned_symmetric
from .joints import kind_of, place_all, speeds_of
from .lines import keep_water, load_element, predicted_change, tension_law, tension_parts
from .spatial import add_bias, add_inertia
from .standing import stand_all
from .winch import length_rate_of


@kernel
def rotation_vector(q):
    """The turn of a quaternion as a vector: angle times axis, the shorter way."""
    s, x, y, z = q
    if s < 0.0:
        s, x, y, z = -s, -x, -y, -z
    size = math.sqrt(x * x + y * y + z * z)
    f = 2.0 if size < 1e-9 else 2.0 * math.atan2(size, s) / size
    return (f * x, f * y, f * z)


@kernel
def joint_spring(k, c, angle, rate, low, high, stop, stop_damper):
    """Torque, stiffness and damping of a joint with spring, damper and limits at `angle` from its rest."""
    torque = -k * angle - c * rate
    over = angle - high if angle > high else (angle - low if angle < low else 0.0)
    if over != 0.0:
        push = -stop * over - stop_damper * rate
        if push * over < 0.0:  # a limit only pushes back
            return torque + push, k + stop, c + stop_damper
    return torque, k, c


@kernel
def set_torques(ints, reals, y, work):
    """Torques τ of all joints and what their springs and dampers add to the elimination, G.

    A spring–damper is taken at the time θh into the step: τ = −k(q₀ + θh v₀ − rest) − c v₀ and G = θ²h²k + θh c, from
    the start of the step q₀, v₀; joints take θ = ½. With h = 0 it is the plain law.
    """
    stepping = work[STEP] > 0.0
    start_q, start_v = ints[W_START] - ints[Y_Q], ints[W_START] + ints[N_Q] - ints[Y_V]
    for j in range(ints[N_BODIES]):
        body, const = body_at(ints, j), constants_at(ints, j)
        kind = kind_of(ints, y, body)
        q, v = ints[body + AT_Q], ints[body + AT_V]
        at = v - ints[Y_V]
        torque, stiff = ints[W_TORQUE] + at, ints[W_STIFF] + at
        if kind == CABLE:
            e = ints[body + ELEMENT]
            ahead = work[THETA_STEP]
            span, rate, change = y[q + 2], y[v + 2], 0.0
            if stepping:
                span, rate = work[start_q + q + 2], work[start_v + v + 2]
                if work[PREDICTED] > 0.0:
                    change = work[start_v + ints[N_V] + v + 2]
            length_rate = length_rate_of(body, ints, y, work)
            # the length in y is that of the middle of the step (of the moment, without a step)
            length = y[ints[Y_LENGTH] + e] + (ahead - work[HALF]) * length_rate
            held = stepping and work[PREDICTED] == 0.0 and span > length
            tension, k, c = tension_law(
                span + ahead * rate, rate, ahead, change, held, length, length_rate, ints, reals, element_at(ints, e)
            )
            for axis in range(3):
                work[torque + axis], work[stiff + axis] = 0.0, 0.0
            work[torque + 2] = -tension
            work[stiff + 2] = ahead * (c + ahead * k)
            work[ints[W_TENSION] + e] = tension
            continue
        ahead = work[HALF]
        if kind in (REVOLUTE, PRISMATIC):
            x, rate = y[q], y[v]
            if stepping:
                rate = work[start_v + v]
                x = work[start_q + q] + ahead * rate
            value, k, c = joint_spring(
                reals[const + SPRING], reals[const + DAMPER], x - reals[const + REST], rate,
                reals[const + LOW] - reals[const + REST], reals[const + HIGH] - reals[const + REST],
                reals[const + STOP], reals[const + STOP_DAMPER],
            )  # fmt: skip
            work[torque], work[stiff] = value, ahead * (c + ahead * k)
        elif kind != FIXED:
            for axis in range(speeds_of(kind)):
                work[torque + axis], work[stiff + axis] = 0.0, 0.0
            if kind == SPHERICAL:
                turn = rotation_vector(quaternion_of(y, q))
                k, c = reals[const + SPRING], reals[const + DAMPER]
                for axis in range(3):
                    rate = work[start_v + v + axis] if stepping else y[v + axis]
                    work[torque + axis] = -k * turn[axis] - c * rate
                    work[stiff + axis] = ahead * (c + ahead * k)


@kernel
def load_water(t, i, ints, reals, work):
    """Weight, buoyancy, drag and added mass of a body or of something at a node, by `loads.rigid_body`.

    Its inertia with added mass stands about its centre of mass c: f = M (a + α × c + ω × (ω × c)) − F, n = J α − N.
    Drag is implicit over half a step: its secant is that of the middle, its velocity that of the start.
    """
    at, row = ints[I_WATER] + WATER_INTS * i, ints[R_WATER] + WATER_REALS * i
    record = record_at(ints, ints[at])
    R, w = matrix_of(work, record + ROTATION), vector_of(work, record + SPIN)
    c = matvec(R, vector_of(reals, row + WATER_CENTRE))
    v = add(vector_of(work, record + VELOCITY), cross(w, c))
    m, d, j, e, force, torque, power = rigid_body_loads(
        t, add(vector_of(work, record + POSITION), c), R, v, transposed_matvec(R, w), reals, row
    )
    half = work[HALF]
    drag = turned_symmetric(R, (d[0], 0.0, 0.0, d[1], 0.0, d[2]))
    force = add(force, symvec(drag, predicted_change(record, c, work)))
    M = turned_symmetric(R, (m[0] + half * d[0], 0.0, 0.0, m[1] + half * d[1], 0.0, m[2] + half * d[2]))
    bias = subtract(symvec(M, cross(w, cross(w, c))), force)
    work[POWER_DRAG] += power
    if ints[at + 1] == 0:
        add_inertia(work, record, M, ZERO9, ZERO6, c)
        add_bias(work, record, bias, ZERO3, c)
        return
    if work[PREDICTED] > 0.0:
        turn = transposed_matvec(R, vector_of(work, record + ACCELERATION + 3))
        torque = add(torque, (half * e[0] * turn[0], half * e[1] * turn[1], half * e[2] * turn[2]))
    J = turned_symmetric(R, (j[0] + half * e[0], 0.0, 0.0, j[1] + half * e[1], 0.0, j[2] + half * e[2]))
    add_inertia(work, record, M, ZERO9, J, c)
    add_bias(work, record, bias, scale(-1.0, matvec(R, torque)), c)


@kernel
def push_loads(t, ints, reals, work):
    """Loads of the file: forces and torques (global) on bodies and nodes; their work is the drives'."""
    for i in range(ints[N_LOADS]):
        at, row = ints[I_LOADS] + LOAD_INTS * i, ints[R_LOADS] + LOAD_REALS * i
        factor = 1.0
        if ints[at + 2] > 0:
            factor = table_value(t, reals, ints[R_TABLE] + ints[at + 1], ints[at + 2], 2, 1)
        record = record_at(ints, ints[at])
        force, torque = scale(factor, vector_of(reals, row)), scale(factor, vector_of(reals, row + 3))
        c = matvec(matrix_of(work, record + ROTATION), vector_of(reals, row + 6))
        push_at(work, record, force, torque, c)
        w = vector_of(work, record + SPIN)
        work[POWER_DRIVES] += dot(force, add(vector_of(work, record + VELOCITY), cross(w, c))) + dot(torque, w)


@kernel
def load_all(t, ints, reals, y, work):
    """Place all bodies and give them all that acts on them; joints get their torques."""
    place_all(ints, reals, y, work)
    clear(ints, work)
    work[POWER_DRAG], work[POWER_FRICTION], work[POWER_DRIVES] = 0.0, 0.0, 0.0
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        if ints[body + KIND] != CABLE:
            add_dry(j, ints, reals, work)
        elif kind_of(ints, y, body) == CABLE:
            if work[PREDICTED] == 0.0:
                keep_water(t, j, ints, reals, y, work)
            load_element(t, j, ints, reals, y, work)
    for i in range(ints[N_WATER]):
        load_water(t, i, ints, reals, work)
    stand_all(t, ints, reals, y, work)
    push_loads(t, ints, reals, work)
    set_torques(ints, reals, y, work)


@kernel
def solve(t, ints, reals, y, work, rates, first):
    """Accelerations of all joints at t into `rates` from `first` on; bases are in place. Returns a status."""
    load_all(t, ints, reals, y, work)
    return articulated(ints, y, work, rates, first)


@kernel
def damper_power(ints, reals, y):
    """Power of the dampers of joints [W]."""
    power = 0.0
    for j in range(ints[N_BODIES]):
        body, const = body_at(ints, j), constants_at(ints, j)
        kind, v = ints[body + KIND], ints[body + AT_V]
        if kind in (REVOLUTE, PRISMATIC, SPHERICAL):
            for axis in range(speeds_of(kind)):
                power -= reals[const + DAMPER] * y[v + axis] * y[v + axis]
    return power


@kernel
def line_damping(ints, reals, y, work):
    """Power of the damping in the cables [W], after a solution without a step."""
    power = 0.0
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        if kind_of(ints, y, body) == CABLE:
            q, v, e = ints[body + AT_Q] + 2, ints[body + AT_V] + 2, ints[body + ELEMENT]
            length, rate = y[ints[Y_LENGTH] + e], length_rate_of(body, ints, y, work)
            elastic, _ = tension_parts(y[q], y[v], length, rate, reals, element_at(ints, e))
            if ints[SLACK] != ROD:
                elastic = max(0.0, elastic)  # a slack element stores nothing
            power -= (work[ints[W_TENSION] + e] - elastic) * (y[v] - rate * y[q] / length)
    return power


@kernel
def spring_energy(ints, reals, y):
    """Energy of the springs and limits of joints [J]."""
    energy = 0.0
    for j in range(ints[N_BODIES]):
        body, const = body_at(ints, j), constants_at(ints, j)
        kind, q = ints[body + KIND], ints[body + AT_Q]
        if kind == SPHERICAL:
            turn = rotation_vector(quaternion_of(y, q))
            energy += 0.5 * reals[const + SPRING] * dot(turn, turn)
        elif kind in (REVOLUTE, PRISMATIC):
            x = y[q] - reals[const + REST]
            over = max(0.0, y[q] - reals[const + HIGH], reals[const + LOW] - y[q])
            energy += 0.5 * reals[const + SPRING] * x * x + 0.5 * reals[const + STOP] * over * over
    return energy
