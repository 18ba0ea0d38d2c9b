"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

A command (a place, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, matvec, scale, subtract
from fairlead.loads.end_motion import STEP_NUMBERS, goal_at, plan_known
from fairlead.loads.signals import filter_acceleration, is_filtered, is_live

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
    control, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    return goal_at(
        t, k, u, ints[control + 1], ints[R_TABLE] + ints[control + 2], ints[control + 3], base, reals
    )  # fmt: skip


@kernel
def drive_points(t, ahead, seen, u, ints, reals, y, work):
    """Position, velocity and acceleration of all that is prescribed: at t, or (`ahead` = ½h) as a step from t has them.

    A step takes them half-way, x₁ − ½h v₁ with the v of its beginning and a = (v₁ − v)/h, so that they arrive in place
    and speed. Filters are taken implicitly. To be `seen` (1, else 0), the point of an input has the acceleration of the
    filter at t: the step to come, for which the input is held, would brake it, which the next input undoes.
    """
    h = work[STEP]
    for k in range(ints[N_CONTROLLED]):
        control, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
        kept, at = ints[W_CONTROLS] + STEP_NUMBERS * k, ints[Y_CONTROLS] + 6 * k
        if is_filtered(k, ints[control + 1], u):
            goal = command(t + h, k, u, ints, reals)
            for i in range(3):
                x, v = y[at + i], y[at + 3 + i]
                held = 0.0 if seen == 1 and is_live(k, u) else h
                a = filter_acceleration(goal[i], x, v, reals[base + 3], held)
                work[kept + i], work[kept + 3 + i], work[kept + 6 + i] = x, v, a
                work[kept + 9 + i], work[kept + 12 + i] = x + h * (v + 0.5 * h * a), v + h * a
        else:
            first, step = ints[R_TABLE] + ints[control + 2], h if ahead > 0.0 else 0.0
            plan_known(
                t, step, 0.5, ints[control + 1], first, ints[control + 3], base, reals, y, at, work, kept
            )  # fmt: skip
    carry_all(ints, reals, work)
    if ahead > 0.0:
        take_half_way(ahead, ints, reals, work)


@kernel
def carry_all(ints, reals, work):
    """Points where their controls and bodies have them."""
    for k in range(ints[N_CONTROLLED]):
        point = ints[ints[I_CONTROLS] + CONTROL_INTS * k]
        if point >= 0:
            for i in range(9):
                work[point_at(ints, point) + i] = work[ints[W_CONTROLS] + STEP_NUMBERS * k + i]
    for k in range(ints[N_FRAMES]):
        turn_frame(k, ints, work)
    if ints[N_FRAMES] > 0:
        carry_points(ints, reals, work)


@kernel
def take_half_way(half, ints, reals, work):
    """From points and controls at the start of a step to what the step takes of them; see `drive_points`."""
    swap_ends(ints, work)
    for k in range(ints[N_FRAMES]):
        turn_frame(k, ints, work)
    for k in range(ints[N_CONTROLLED]):
        point, end = ints[ints[I_CONTROLS] + CONTROL_INTS * k], ints[W_CONTROLS] + STEP_NUMBERS * k
        if point >= 0:
            start = vector_of(work, point_at(ints, point) + 3)
            arrive(point_at(ints, point), half, start, vector_of(work, end), vector_of(work, end + 3), work)
    for k in range(ints[N_POINTS]):
        if ints[ints[I_POINTS] + k] >= 0:
            point = point_at(ints, k)
            start = vector_of(work, point + 3)
            carry_point(k, ints, reals, work)
            arrive(point, half, start, vector_of(work, point), vector_of(work, point + 3), work)
    swap_ends(ints, work)
    for k in range(ints[N_CONTROLLED]):
        kept = ints[W_CONTROLS] + STEP_NUMBERS * k
        put(work, kept, add_scaled(vector_of(work, kept + 9), -half, vector_of(work, kept + 12)))
    for k in range(ints[N_FRAMES]):
        turn_frame(k, ints, work)


@kernel
def swap_ends(ints, work):
    """Exchange place and velocity of all controls at the start of the step for those at its end."""
    for k in range(ints[N_CONTROLLED]):
        kept = ints[W_CONTROLS] + STEP_NUMBERS * k
        for i in range(6):
            work[kept + i], work[kept + 9 + i] = work[kept + 9 + i], work[kept + i]


@kernel
def arrive(point, half, v0, x1, v1, work):
    """What a step takes of a point that is to arrive at x₁ with v₁."""
    put(work, point, add_scaled(x1, -half, v1))
    put(work, point + 3, v0)
    put(work, point + 6, scale(0.5 / half, subtract(v1, v0)))


@kernel
def turn_frame(k, ints, work):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw."""
    at = ints[W_CONTROLS] + STEP_NUMBERS * ints[ints[I_FRAMES] + FRAME_INTS * k + 1]
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
    """All places on prescribed bodies."""
    for k in range(ints[N_POINTS]):
        if ints[ints[I_POINTS] + k] >= 0:
            carry_point(k, ints, reals, work)


@kernel
def carry_point(k, ints, reals, work):
    """A place on a prescribed body: p + R o, v + R(w × o), a + R(α × o + w × (w × o))."""
    body = ints[ints[I_POINTS] + k]
    kept, point = ints[W_FRAMES] + FRAME_KEPT * body, point_at(ints, k)
    centre = ints[W_CONTROLS] + STEP_NUMBERS * ints[ints[I_FRAMES] + FRAME_INTS * body]
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
