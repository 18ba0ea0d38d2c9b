"""A tree at rest: the forces on its joints, how they change with its shape, and how its nodes move with the joints."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add, cross, dot, subtract, transposed_matvec
from fairlead.loads.signals import table_value

from .arrays import (
    ARM, AT_V, AXES, BIAS, CABLE, FIXED, FREE, HALF, I_LOADS, KIND, LOAD_INTS, N_BASES, N_BODIES, N_CABLES,
    N_CONTROLS, N_LOADS, N_V, PARENT, POSITION, PREDICTED, PRISMATIC, REVOLUTE, ROTATION, R_TABLE, SPHERICAL, STEP,
    THETA_STEP, TRANSLATION, W_RATES, W_TORQUE, Y_V, body_at, matrix_of, record_at, vector_of,
)  # fmt: skip
from .commands import goal_of, move_bases, rest_bases
from .coordinates import drift, rebase
from .forces import load_all
from .joints import kind_of, place_all, speeds_of
from .spatial import add_bias


@kernel
def stand_still(t, y, u, ints, reals, work):
    """Bases where they are, at rest, and a scheme without a step; nothing is paid out."""
    work[STEP], work[HALF], work[THETA_STEP], work[PREDICTED] = 0.0, 0.0, 0.0, 0.0
    rest_bases(ints, reals, work)
    move_bases(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        work[ints[W_RATES] + c] = 0.0


@kernel
def forces_at_rest(t, y, ints, reals, work, torques, loads, at):
    """Forces on all joints of a tree without speeds: τ into `torques`, −Sᵀβᶜ into `loads`, from `at` on."""
    load_all(t, ints, reals, y, work)
    for back in range(ints[N_BODIES]):
        j = ints[N_BODIES] - 1 - back
        body = body_at(ints, j)
        record, up = record_at(ints, ints[N_BASES] + j), record_at(ints, ints[body + PARENT])
        f, m = vector_of(work, record + BIAS), vector_of(work, record + BIAS + 3)
        first = ints[body + AT_V] - ints[Y_V]
        for k in range(speeds_of(ints[body + KIND])):
            torques[at + first + k], loads[at + first + k] = 0.0, 0.0
        for k in range(speeds_of(kind_of(ints, y, body))):
            axis = record + AXES + 6 * k
            torques[at + first + k] = work[ints[W_TORQUE] + first + k]
            loads[at + first + k] = -dot(vector_of(work, axis), f) - dot(vector_of(work, axis + 3), m)
        add_bias(work, up, f, m, vector_of(work, record + ARM))


@entry
def rest_forces(t, y, u, ints, reals, work, torques, loads):
    """Forces of springs and tensions (speeds,) and of all else (speeds,) on the joints of a tree at rest."""
    stand_still(t, y, u, ints, reals, work)
    forces_at_rest(t, y, ints, reals, work, torques, loads, 0)


@entry
def rest_stiffness(t, y, u, width, ints, reals, work, trial, move, ahead, behind, outside, K):
    """K = −∂(forces on joints)/∂(coordinates), (speeds, speeds), by central differences of widths `width` (speeds,)."""
    n = ints[N_V]
    stand_still(t, y, u, ints, reals, work)
    for k in range(n):
        for side in range(2):
            for i in range(y.shape[0]):
                trial[i] = y[i]
            move[k] = width[k] if side == 0 else -width[k]
            drift(1.0, ints, trial, move, 0)
            move[k] = 0.0
            forces = ahead if side == 0 else behind
            forces_at_rest(t, trial, ints, reals, work, forces, outside, 0)
            for i in range(n):
                forces[i] += outside[i]
        for i in range(n):
            K[i, k] = (behind[i] - ahead[i]) / (2.0 * width[k])


@kernel
def put_column(J, row, column, moved, count):
    """Write `count` numbers of a vector into a column."""
    for i in range(count):
        J[row + i, column] = moved[i]


@entry
def rest_moves(t, y, u, ints, reals, work, J):
    """J (speeds, speeds): how the speeds move what each joint carries.

    Rows of a node: its velocity (global); of a free body: velocity (global) and angular velocity (body axes); of one
    that turns any way: its whole angular velocity (body axes); of a guided joint and one on the drum: its own speed.
    """
    stand_still(t, y, u, ints, reals, work)
    place_all(ints, reals, y, work)
    for j in range(ints[N_BODIES]):
        body, record = body_at(ints, j), record_at(ints, ints[N_BASES] + j)
        kind = kind_of(ints, y, body)
        row = ints[body + AT_V] - ints[Y_V]
        if kind in (REVOLUTE, PRISMATIC, FIXED):
            for k in range(speeds_of(ints[body + KIND])):
                J[row + k, row + k] = 1.0
            continue
        R, place = matrix_of(work, record + ROTATION), vector_of(work, record + POSITION)
        above = j
        while above >= 0:
            other = body_at(ints, above)
            at = record_at(ints, ints[N_BASES] + above)
            arm = subtract(place, vector_of(work, at + POSITION))
            for k in range(speeds_of(kind_of(ints, y, other))):
                column = ints[other + AT_V] - ints[Y_V] + k
                w = vector_of(work, at + AXES + 6 * k + 3)
                if kind in (CABLE, TRANSLATION, FREE):
                    put_column(J, row, column, add(vector_of(work, at + AXES + 6 * k), cross(w, arm)), 3)
                if kind in (SPHERICAL, FREE):
                    put_column(J, row + (3 if kind == FREE else 0), column, transposed_matvec(R, w), 3)
            above = ints[other + PARENT] - ints[N_BASES]


@entry
def rest_displaced(t, y, u, move, ints, reals, work):
    """Move the coordinates by `move` (speeds,), in place; elements near their singular turn get a new frame."""
    stand_still(t, y, u, ints, reals, work)
    drift(1.0, ints, y, move, 0)
    place_all(ints, reals, y, work)
    rebase(ints, reals, y, work)


@entry
def signals_at(t, u, ints, reals, goals, factors):
    """Commanded values of all controls and factors of all loads at time t."""
    for k in range(ints[N_CONTROLS]):
        goals[k] = goal_of(t, k, u, ints, reals)
    for i in range(ints[N_LOADS]):
        load = ints[I_LOADS] + LOAD_INTS * i
        factors[i] = 1.0
        if ints[load + 2] > 0:
            factors[i] = table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)
