"""A tree at rest: the forces on its joints, how they change with its shape, and how its nodes move with the joints."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add, cross, dot, subtract, transposed_matvec
from fairlead.rigging.stillness import put_signals

from .commands import hold_moment
from .coordinates import drift, rebase
from .forces import load_all
from .joints import kind_of, place_all, speeds_of
from .schema import CABLE, FIXED, FREE, PRISMATIC, REVOLUTE, SPHERICAL, TRANSLATION, system
from .spatial import add_bias


@kernel
def stand_still(t, u, sys):
    """Bases where they are, at rest, and a scheme without a step; nothing is paid out."""
    hold_moment(t, u, sys)
    for c in range(sys.cables):
        sys.payout[c].rate = 0.0


@kernel
def forces_at_rest(t, sys, torques, loads):
    """Forces on all joints of a tree without speeds: τ into `torques`, −Sᵀβᶜ into `loads`."""
    load_all(t, sys)
    for back in range(sys.bodies):
        j = sys.bodies - 1 - back
        body = sys.body[j]
        record, first = sys.record[sys.bases + j], body.speed
        f, m = record.bias, record.bias_turn
        for k in range(speeds_of(body.kind)):
            torques[first + k], loads[first + k] = 0.0, 0.0
        for k in range(speeds_of(kind_of(body, sys))):
            axis = sys.axis[6 * (sys.bases + j) + k]
            torques[first + k] = sys.effort[first + k].torque
            loads[first + k] = -dot(axis.linear, f) - dot(axis.angular, m)
        add_bias(sys.record[body.parent], f, m, record.arm)


@entry
def rest_forces(t, y, u, ints, reals, work, torques, loads):
    """Forces of springs and tensions (speeds,) and of all else (speeds,) on the joints of a tree at rest."""
    sys = system(ints, reals, y, work)
    stand_still(t, u, sys)
    forces_at_rest(t, sys, torques, loads)


@entry
def rest_stiffness(t, y, u, ints, reals, work, width, trial, move, ahead, behind, outside, K):
    """K = −∂(forces on joints)/∂(coordinates), (speeds, speeds), by central differences of a half `width`."""
    sys, moved = system(ints, reals, y, work), system(ints, reals, trial, work)
    n = sys.speeds
    stand_still(t, u, sys)
    for k in range(n):
        for side in range(2):
            for i in range(y.shape[0]):
                trial[i] = y[i]
            move[k] = width if side == 0 else -width
            drift(1.0, moved, move, 0)
            move[k] = 0.0
            forces = ahead if side == 0 else behind
            forces_at_rest(t, moved, forces, outside)
            for i in range(n):
                forces[i] += outside[i]
        for i in range(n):
            K[i, k] = (behind[i] - ahead[i]) / (2.0 * width)


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
    sys = system(ints, reals, y, work)
    stand_still(t, u, sys)
    place_all(sys)
    for j in range(sys.bodies):
        body, record = sys.body[j], sys.record[sys.bases + j]
        kind, row = kind_of(body, sys), body.speed
        if kind in (REVOLUTE, PRISMATIC, FIXED):
            for k in range(speeds_of(body.kind)):
                J[row + k, row + k] = 1.0
            continue
        R, place = record.rotation, record.position
        above = j
        while above >= 0:
            other = sys.body[above]
            arm = subtract(place, sys.record[sys.bases + above].position)
            for k in range(speeds_of(kind_of(other, sys))):
                column, axis = other.speed + k, sys.axis[6 * (sys.bases + above) + k]
                w = axis.angular
                if kind in (CABLE, TRANSLATION, FREE):
                    put_column(J, row, column, add(axis.linear, cross(w, arm)), 3)
                if kind in (SPHERICAL, FREE):
                    put_column(J, row + (3 if kind == FREE else 0), column, transposed_matvec(R, w), 3)
            above = other.parent - sys.bases


@entry
def rest_displaced(t, y, u, ints, reals, work, move):
    """Move the coordinates by `move` (speeds,), in place; elements near their singular turn get a new frame."""
    sys = system(ints, reals, y, work)
    stand_still(t, u, sys)
    drift(1.0, sys, move, 0)
    place_all(sys)
    rebase(sys)


@entry
def signals_at(t, u, y, ints, reals, work, commands, loads):
    """All commands (controlled, 3) and the forces and torques of all loads (loads, 6) at time t."""
    put_signals(t, u, system(ints, reals, y, work), commands, loads)
