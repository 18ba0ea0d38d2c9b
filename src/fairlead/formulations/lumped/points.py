"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

Every command (a place, or the roll, pitch and yaw of a body) goes through a second-order filter of its own.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, cross, matvec
from fairlead.loads.signals import filter_acceleration, is_live, motion_offset

from .arrays import (
    CONTROL_INTS, CONTROL_REALS, FRAME_INTS, FRAME_KEPT, I_CONTROLS, I_FRAMES, I_POINTS, N_CONTROLLED, N_FRAMES,
    N_POINTS, R_CONTROLS, R_POINTS, R_TABLE, W_CONTROLS, W_FRAMES, Y_CONTROLS, point_at, put, vector_of,
)  # fmt: skip
from .scheme import STEP


@kernel
def place_points(ints, reals, work):
    """Fixed points where they are, at rest."""
    for k in range(ints[N_POINTS]):
        point = point_at(ints, k)
        put(work, point, vector_of(reals, ints[R_POINTS] + 3 * k))
        for i in range(3, 9):
            work[point + i] = 0.0


@kernel
def command(t, k, u, ints, reals):
    """Command of control k: the live input where it is a number, else the file's motion."""
    if not math.isnan(u[3 * k] + u[3 * k + 1] + u[3 * k + 2]):
        return (u[3 * k], u[3 * k + 1], u[3 * k + 2])
    control, at = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    table, rows = ints[R_TABLE] + ints[control + 2], ints[control + 3]
    return add(vector_of(reals, at), motion_offset(t, ints[control + 1], table, rows, reals))


@kernel
def drive_points(t, ahead, seen, u, ints, reals, y, work):
    """Position, velocity and acceleration of all that is prescribed, a time `ahead` further on as it moves at t.

    The filters are taken implicitly. To be `seen` (1, else 0), the point of an input has the acceleration of the filter
    at t: the step to come, for which the input is held, would brake it, which the next input undoes.
    """
    h = work[STEP]
    for k in range(ints[N_CONTROLLED]):
        cutoff = reals[ints[R_CONTROLS] + CONTROL_REALS * k + 3]
        goal = command(t + h, k, u, ints, reals)
        kept, point = ints[W_CONTROLS] + 9 * k, ints[ints[I_CONTROLS] + CONTROL_INTS * k]
        for i in range(3):
            x, v = y[ints[Y_CONTROLS] + 6 * k + i], y[ints[Y_CONTROLS] + 6 * k + 3 + i]
            work[kept + i] = x + ahead * v
            work[kept + 3 + i] = v
            ahead_of_it = 0.0 if seen == 1 and is_live(k, u) else h
            work[kept + 6 + i] = filter_acceleration(goal[i], x, v, cutoff, ahead_of_it)
        if point >= 0:
            for i in range(9):
                work[point_at(ints, point) + i] = work[kept + i]
    for k in range(ints[N_FRAMES]):
        turn_frame(k, ints, work)
    if ints[N_FRAMES] > 0:
        carry_points(ints, reals, work)


@kernel
def turn_frame(k, ints, work):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw."""
    at = ints[W_CONTROLS] + 9 * ints[ints[I_FRAMES] + FRAME_INTS * k + 1]
    angles, rates = vector_of(work, at), vector_of(work, at + 3)
    kept = ints[W_FRAMES] + FRAME_KEPT * k
    work[kept], work[kept + 1], work[kept + 2], work[kept + 3] = from_angles(angles)
    put(work, kept + 4, spin_of_angles(angles, rates))
    put(work, kept + 7, spin_rate_of_angles(angles, rates, vector_of(work, at + 6)))


@kernel
def frame_turn(k, ints, work):
    """Rotation matrix of prescribed body k."""
    kept = ints[W_FRAMES] + FRAME_KEPT * k
    return rotation((work[kept], work[kept + 1], work[kept + 2], work[kept + 3]))


@kernel
def carry_points(ints, reals, work):
    """Places on prescribed bodies: p + R o, v + R(w × o), a + R(α × o + w × (w × o))."""
    for k in range(ints[N_POINTS]):
        body = ints[ints[I_POINTS] + k]
        if body < 0:
            continue
        kept, point = ints[W_FRAMES] + FRAME_KEPT * body, point_at(ints, k)
        centre = ints[W_CONTROLS] + 9 * ints[ints[I_FRAMES] + FRAME_INTS * body]
        R = frame_turn(body, ints, work)
        w, o = vector_of(work, kept + 4), vector_of(reals, ints[R_POINTS] + 3 * k)
        swing = cross(w, o)
        put(work, point, add(vector_of(work, centre), matvec(R, o)))
        put(work, point + 3, add(vector_of(work, centre + 3), matvec(R, swing)))
        speeding = add(cross(vector_of(work, kept + 7), o), cross(w, swing))
        put(work, point + 6, add(vector_of(work, centre + 6), matvec(R, speeding)))


@kernel
def clamp_direction(point, at, ints, reals, work):
    """Rest direction of a clamp whose record begins at `at`: on a prescribed body it turns with the body."""
    direction = vector_of(reals, at)
    if point >= 0 and ints[ints[I_POINTS] + point] >= 0:
        return matvec(frame_turn(ints[ints[I_POINTS] + point], ints, work), direction)
    return direction
