"""Points: those that are held or driven, and free ones, which the cables that end there move together."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, scale, subtract, symadd, symmetric_inverse, symvec, transposed_matvec,
)  # fmt: skip
from fairlead.loads.body import body_loads
from fairlead.loads.end_motion import goal_at, plan_known
from fairlead.loads.hung_body import hang, hung_accelerations, hung_place
from fairlead.loads.signals import filter_acceleration, is_filtered, table_value
from fairlead.loads.buoyancy import submergence
from fairlead.sea.water import BED_PRESENT, GRAVITY, elevation

from .arrays import (
    ACTIVE, BODY_ADDED, BODY_COLUMNS, BODY_DRAG, BODY_HEIGHT, BODY_LIFT, BODY_MASS, CABLE_COUNT, CABLE_END,
    CABLE_NODE, CABLE_START, CARRIED, CONTROLLED, CONTROL_INTS, CONTROL_REALS, END_FORCE, END_MATRIX, END_PARTS,
    END_POWER, END_PULL, END_SECANT, END_WATER, END_WEIGHT, FIXED, FREE, HUNG, I_CONTROLS, I_LOADS, I_POINTS,
    LOAD_INTS, LOAD_REALS, N_CABLES, N_LOADS, N_POINTS, POINT_ACCELERATION, POINT_COLUMNS, POINT_FORCE, POINT_MATRIX,
    POINT_PLAN, R_BODIES, R_CONTROLS, R_LOADS, R_TABLE, STEP, STEP_DRAG, WORK_DERIVATIVE, WORK_DRAG, WORK_DRIVES,
    WORK_INTEGRAL, WORK_PROPORTIONAL, WORK_WEIGHT, Y_LEDGER, Y_SCALE, cable_at, end_at, hung_at, hung_record_at,
    kept_contact_at, kept_hung_at, kept_point_at, matrix_of, point_state_at, put, vector_of,
)  # fmt: skip
from .node import ZERO3, contact_push, settle_contact


@kernel
def body_water(t, b, x, v, ints, reals):
    """Body b: inertia with added mass [kg], drag secant [N s/m], force of the moving water (3), buoyancy less weight,
    upwards [N], and the power of the water beyond that of its force [W]."""
    body = ints[R_BODIES] + b * BODY_COLUMNS
    inertia, c, force, power = body_loads(
        t, x, v, reals[body + BODY_MASS], reals[body + BODY_ADDED], reals[body + BODY_LIFT], reals[body + BODY_DRAG],
        reals[body + BODY_HEIGHT], reals,
    )  # fmt: skip
    wet = submergence(x[2] - elevation(t, x[0], x[1], reals), reals[body + BODY_HEIGHT])
    up = wet * reals[body + BODY_LIFT] - reals[body + BODY_MASS] * reals[GRAVITY]
    water = (force[0], force[1], force[2] - up)
    return inertia, c, water, up, power - dot(water, v)


@kernel
def load_factor(t, load, ints, reals):
    """Factor of the point load whose record begins at `load` (1 when it has no table)."""
    if ints[load + 2] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)


@kernel
def load_at(t, i, u, ints, reals):
    """Force and torque (global) of load i: live inputs where they are numbers, else the file's, times its factor."""
    load, at = ints[I_LOADS] + LOAD_INTS * i, ints[R_LOADS] + LOAD_REALS * i
    f = load_factor(t, load, ints, reals)
    force, torque = scale(f, vector_of(reals, at)), scale(f, vector_of(reals, at + 3))
    live = ints[load + 3]
    if live >= 0:
        if not math.isnan(u[live] + u[live + 1] + u[live + 2]):
            force = vector_of(u, live)
        turns = ints[ints[I_POINTS] + POINT_COLUMNS * ints[load]] == HUNG
        if turns and not math.isnan(u[live + 3] + u[live + 4] + u[live + 5]):
            torque = vector_of(u, live + 3)
    return force, torque


@kernel
def thrust(t, p, R, u, ints, reals):
    """Force (global) and torque about its centre of mass (body axes) of all loads on the body at point p."""
    force, torque = ZERO3, ZERO3
    for i in range(ints[N_LOADS]):
        if ints[ints[I_LOADS] + LOAD_INTS * i] == p:
            push, twist = load_at(t, i, u, ints, reals)
            o = vector_of(reals, ints[R_LOADS] + LOAD_REALS * i + 6)
            force = add(force, push)
            torque = add(torque, add(transposed_matvec(R, twist), cross(o, transposed_matvec(R, push))))
    return force, torque


@kernel
def turn_of(y, body):
    """Rotation matrix of the body whose state begins at `body`."""
    return rotation((y[body + 3], y[body + 4], y[body + 5], y[body + 6]))


@kernel
def place_body(p, b, ints, reals, y):
    """Let the point where a body hangs follow it."""
    body, at = hung_at(ints, b), point_state_at(ints, p)
    place, velocity = hung_place(
        vector_of(y, body), turn_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10), reals,
        hung_record_at(ints, b),
    )  # fmt: skip
    put(y, at, place)
    put(y, at + 3, velocity)


@kernel
def move_body(t, p, b, u, ints, reals, y, work):
    """Move a hanging body by one step with the acceleration of its point; book the work of its thrusters."""
    h, body, ledger = work[STEP], hung_at(ints, b), ints[Y_LEDGER]
    R, v, w = turn_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
    a, spin = hung_accelerations(
        vector_of(work, kept_point_at(ints, p) + POINT_ACCELERATION), R, w, reals, hung_record_at(ints, b), work,
        kept_hung_at(ints, b),
    )  # fmt: skip
    force, torque = thrust(t, p, R, u, ints, reals)
    y[ledger + WORK_DRIVES] += h * (dot(force, add_scaled(v, 0.5 * h, a)) + dot(torque, add_scaled(w, 0.5 * h, spin)))
    turning = add_scaled(w, work[CARRIED], spin)
    q = turned((y[body + 3], y[body + 4], y[body + 5], y[body + 6]), h * turning[0], h * turning[1], h * turning[2])
    put(y, body, add_scaled(vector_of(y, body), h, add_scaled(v, work[CARRIED], a)))
    y[body + 3], y[body + 4], y[body + 5], y[body + 6] = q
    put(y, body + 7, add_scaled(v, h, a))
    put(y, body + 10, add_scaled(w, h, spin))
    place_body(p, b, ints, reals, y)


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k: the live input where it is a number, else the file's motion."""
    kind, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    return goal_at(t, k, u, ints[kind], ints[R_TABLE] + ints[kind + 1], ints[kind + 2], base, reals)


@kernel
def drive(t, p, k, u, ints, reals, y, work):
    """Plan the step of controlled point p, the k-th: as the file has it, an input through its filter, implicitly."""
    h, at, plan = work[STEP], point_state_at(ints, p), kept_point_at(ints, p) + POINT_PLAN
    kind, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    if is_filtered(k, ints[kind], u):
        goal = command(t + h, k, u, ints, reals)
        for i in range(3):
            x, v = y[at + i], y[at + 3 + i]
            a = filter_acceleration(goal[i], x, v, reals[base + 3], h)
            work[plan + 6 + i], work[plan + 9 + i], work[plan + 12 + i] = a, x + h * (v + h * a), v + h * a
    else:
        first = ints[R_TABLE] + ints[kind + 1]
        plan_known(t, h, 0.5, ints[kind], first, ints[kind + 2], base, reals, y, at, work, plan)
    put(work, kept_point_at(ints, p) + POINT_ACCELERATION, vector_of(work, plan + 6))


@kernel
def begin_points(t, u, ints, reals, y, work):
    """Accelerations of held and driven points; bodies and loads of the free ones."""
    for p in range(ints[N_POINTS]):
        kind, kept = ints[ints[I_POINTS] + POINT_COLUMNS * p], kept_point_at(ints, p)
        which = ints[ints[I_POINTS] + POINT_COLUMNS * p + 1]
        put(work, kept + POINT_ACCELERATION, ZERO3)
        if kind == CONTROLLED:
            drive(t, p, which, u, ints, reals, y, work)
        elif kind == FREE:
            at = point_state_at(ints, p)
            inertia, c, drag, up, _ = body_water(t, which, vector_of(y, at), vector_of(y, at + 3), ints, reals)
            m = inertia + work[STEP_DRAG] * c
            put(work, kept + POINT_FORCE, (drag[0], drag[1], drag[2] + up))
            put(work, kept + POINT_MATRIX, (m, 0.0, 0.0))
            put(work, kept + POINT_MATRIX + 3, (m, 0.0, m))
        elif kind == HUNG:
            body = hung_at(ints, which)
            R = turn_of(y, body)
            force, torque = thrust(t, p, R, u, ints, reals)
            matrix, pull, power = hang(
                t, vector_of(y, body), R, vector_of(y, body + 7), vector_of(y, body + 10), force, torque,
                work[STEP_DRAG], ZERO3, ZERO3, reals, hung_record_at(ints, which), work, kept_hung_at(ints, which),
            )  # fmt: skip
            put(work, kept + POINT_FORCE, pull)
            for k in range(6):
                work[kept + POINT_MATRIX + k] = matrix[k]
            y[ints[Y_LEDGER] + WORK_DRAG] += work[STEP] * power
    for i in range(ints[N_LOADS]):
        p = ints[ints[I_LOADS] + LOAD_INTS * i]
        if ints[ints[I_POINTS] + POINT_COLUMNS * p] == FREE:
            at = kept_point_at(ints, p) + POINT_FORCE
            force, _ = load_at(t, i, u, ints, reals)
            put(work, at, add(vector_of(work, at), force))


@kernel
def is_free(p, ints):
    """Whether the forces decide where point p goes."""
    kind = ints[ints[I_POINTS] + POINT_COLUMNS * p]
    return kind in (FREE, HUNG)


@kernel
def gather(ints, reals, work):
    """Sum over the cables that end in free points."""
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for side in range(2):
            p = ints[cable + (CABLE_START if side == 0 else CABLE_END)]
            if not is_free(p, ints):
                continue
            kept, end = kept_point_at(ints, p), end_at(ints, c, side)
            node = ints[cable + CABLE_NODE] + side * ints[cable + CABLE_COUNT]
            force, matrix = vector_of(work, end + END_FORCE), matrix_of(work, end + END_MATRIX)
            if reals[BED_PRESENT] > 0.0 and work[kept_contact_at(ints, node) + ACTIVE] > 0.5:
                push, stiff = contact_push(node, ints, reals, work)
                force, matrix = add(force, push), symadd(matrix, stiff)
            put(work, kept + POINT_FORCE, add(vector_of(work, kept + POINT_FORCE), force))
            matrix = symadd(matrix, matrix_of(work, kept + POINT_MATRIX))
            for k in range(6):
                work[kept + POINT_MATRIX + k] = matrix[k]


@kernel
def solve_points(ints, work):
    """Accelerations of the free points."""
    for p in range(ints[N_POINTS]):
        if is_free(p, ints):
            kept = kept_point_at(ints, p)
            inverse = symmetric_inverse(matrix_of(work, kept + POINT_MATRIX))
            put(work, kept + POINT_ACCELERATION, symvec(inverse, vector_of(work, kept + POINT_FORCE)))


@kernel
def book_ends(ints, reals, y, work):
    """Force of each cable on its points, and the works of its end nodes.

    The force of an end is that of its link and of the half link next to it: weight, drag and inertia.
    """
    h, ledger = work[STEP], ints[Y_LEDGER]
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for side in range(2):
            p = ints[cable + (CABLE_START if side == 0 else CABLE_END)]
            end, at = end_at(ints, c, side), point_state_at(ints, p)
            a = vector_of(work, kept_point_at(ints, p) + POINT_ACCELERATION)
            v = vector_of(y, at + 3)
            mean = add_scaled(v, 0.5 * h, a)
            force = subtract(vector_of(work, end + END_FORCE), symvec(matrix_of(work, end + END_MATRIX), a))
            pull = h * dot(vector_of(work, end + END_PULL), mean)
            drag = subtract(vector_of(work, end + END_WATER), symvec(matrix_of(work, end + END_SECANT), a))
            y[ledger + WORK_PROPORTIONAL] += pull * work[end + END_PARTS]
            y[ledger + WORK_INTEGRAL] += pull * work[end + END_PARTS + 1]
            y[ledger + WORK_DERIVATIVE] += pull * work[end + END_PARTS + 2]
            y[ledger + WORK_WEIGHT] += h * work[end + END_WEIGHT] * mean[2]
            y[ledger + WORK_DRAG] += h * (dot(drag, mean) + work[end + END_POWER])
            if not is_free(p, ints):
                y[ledger + WORK_DRIVES] -= h * dot(force, mean)
            elif reals[BED_PRESENT] > 0.0:
                node = ints[cable + CABLE_NODE] + side * ints[cable + CABLE_COUNT]
                reached = add_scaled(vector_of(y, at), h, add_scaled(v, work[CARRIED], a))
                settle_contact(node, y[ints[Y_SCALE] + c], v, a, reached, ints, reals, y, work)
            put(work, end + END_FORCE, force)


@kernel
def move_points(t, u, ints, reals, y, work):
    """Book the works of bodies and loads at free points and move all points by one step."""
    h, ledger = work[STEP], ints[Y_LEDGER]
    for i in range(ints[N_LOADS]):
        p = ints[ints[I_LOADS] + LOAD_INTS * i]
        if ints[ints[I_POINTS] + POINT_COLUMNS * p] == FREE:
            v = vector_of(y, point_state_at(ints, p) + 3)
            mean = add_scaled(v, 0.5 * h, vector_of(work, kept_point_at(ints, p) + POINT_ACCELERATION))
            force, _ = load_at(t, i, u, ints, reals)
            y[ledger + WORK_DRIVES] += h * dot(force, mean)
    for p in range(ints[N_POINTS]):
        kind, at = ints[ints[I_POINTS] + POINT_COLUMNS * p], point_state_at(ints, p)
        if kind == FIXED:
            continue
        if kind == CONTROLLED:
            end = kept_point_at(ints, p) + POINT_PLAN + 9
            put(y, at, vector_of(work, end))
            put(y, at + 3, vector_of(work, end + 3))
            continue
        if kind == HUNG:
            move_body(t, p, ints[ints[I_POINTS] + POINT_COLUMNS * p + 1], u, ints, reals, y, work)
            continue
        x, v = vector_of(y, at), vector_of(y, at + 3)
        a = vector_of(work, kept_point_at(ints, p) + POINT_ACCELERATION)
        which = ints[ints[I_POINTS] + POINT_COLUMNS * p + 1]
        _, c, drag, up, raised = body_water(t, which, x, v, ints, reals)
        mean = add_scaled(v, 0.5 * h, a)
        y[ledger + WORK_DRAG] += h * (dot(add_scaled(drag, -work[STEP_DRAG] * c, a), mean) + raised)
        y[ledger + WORK_WEIGHT] += h * up * mean[2]
        put(y, at, add_scaled(x, h, add_scaled(v, work[CARRIED], a)))
        put(y, at + 3, add_scaled(v, h, a))
