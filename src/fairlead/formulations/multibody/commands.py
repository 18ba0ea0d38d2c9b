"""Bases that move as commanded: exactly as the file has it; each number of an input through a filter of its own."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, cross, scale
from fairlead.loads.end_motion import fading, filtered
from fairlead.loads.signals import FILTERED, filter_acceleration, number_at, off_motion

from .arrays import (
    ACCELERATION, CONTROL_INTS, CONTROL_REALS, I_CONTROLS, I_MOVED, MOVED_INTS, N_BASES, N_CONTROLS, N_MOVED,
    POSITION, R_BASES, R_CONTROLS, R_TABLE, ROTATION, SPIN, VELOCITY, Y_CONTROLS, ZERO3, matrix_of, put, put_matrix,
    record_at, vector_of,
)  # fmt: skip


@kernel
def rest_bases(ints, reals, work):
    """Bases where they are, at rest."""
    for b in range(ints[N_BASES]):
        record, at = record_at(ints, b), ints[R_BASES] + 12 * b
        put_matrix(work, record + ROTATION, matrix_of(reals, at))
        put(work, record + POSITION, vector_of(reals, at + 9))
        for k in (VELOCITY, SPIN, ACCELERATION, ACCELERATION + 3):
            put(work, record + k, ZERO3)


@kernel
def file_motion(t, k, ints, reals):
    """Value, rate and its rate of control k by the file's motion."""
    kind, at = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    x, v, a = number_at(t, ints[kind], ints[R_TABLE] + ints[kind + 1], ints[kind + 2], ints[kind + 3], reals)
    return reals[at] + x, v, a


@kernel
def off_file(t, k, x, v, y, ints, reals):
    """By how much control k and its rate are off the file's motion, which has x and v at t."""
    kind, at = ints[I_CONTROLS] + CONTROL_INTS * k, ints[Y_CONTROLS] + 2 * k
    first = ints[R_TABLE] + ints[kind + 1]
    return off_motion(t, ints[kind], first, ints[kind + 2], ints[kind + 3], y[at], y[at + 1], x, v, reals)


@kernel
def is_filtered(k, u, ints):
    """Whether control k passes the filter: a live input, or a motion of the file that asks for it."""
    return ints[ints[I_CONTROLS] + CONTROL_INTS * k] >= FILTERED or not math.isnan(u[k])


@kernel
def goal_of(t, k, u, ints, reals):
    """Commanded value of control k: the live input where it is a number, else the file's motion."""
    if not math.isnan(u[k]):
        return u[k]
    return file_motion(t, k, ints, reals)[0]


@kernel
def control_rate(t, k, u, y, ints, reals):
    """Acceleration of control k at t: ω²(goal − x) − √2 ω ẋ, or that of the file's motion, any difference fading so."""
    at, cutoff = ints[Y_CONTROLS] + 2 * k, reals[ints[R_CONTROLS] + CONTROL_REALS * k + 1]
    if is_filtered(k, u, ints):
        return filter_acceleration(goal_of(t, k, u, ints, reals), y[at], y[at + 1], cutoff, 0.0)
    x, v, a = file_motion(t, k, ints, reals)
    z, dz = off_file(t, k, x, v, y, ints, reals)
    return a + filter_acceleration(0.0, z, dz, cutoff, 0.0)


@kernel
def follow(t, h, u, ints, reals, y):
    """Let all controls follow their commands over a step h from t, exactly."""
    for k in range(ints[N_CONTROLS]):
        at = ints[Y_CONTROLS] + 2 * k
        cutoff = reals[ints[R_CONTROLS] + CONTROL_REALS * k + 1]
        faded = fading(cutoff, h)
        if is_filtered(k, u, ints):
            first, middle = goal_of(t, k, u, ints, reals), goal_of(t + 0.5 * h, k, u, ints, reals)
            y[at], y[at + 1] = filtered(
                y[at], y[at + 1], first, middle, goal_of(t + h, k, u, ints, reals), cutoff, h, faded
            )
        else:
            x0, v0, _ = file_motion(t, k, ints, reals)
            z, dz = off_file(t, k, x0, v0, y, ints, reals)
            x1, v1, _ = file_motion(t + h, k, ints, reals)
            z, dz = filtered(z, dz, 0.0, 0.0, 0.0, cutoff, h, faded)
            y[at], y[at + 1] = x1 + z, v1 + dz


@kernel
def move_bases(t, u, ints, reals, y, work):
    """Put the moved bases where their controls have them at t.

    R = Rz(yaw) Ry(pitch) Rx(roll); ω = ψ̇ e_z + θ̇ e₂ + φ̇ e₃, with e₂ = Rz e_y and e₃ = Rz Ry e_x.
    """
    for i in range(ints[N_MOVED]):
        record = ints[I_MOVED] + MOVED_INTS * i
        base = record_at(ints, ints[record])
        for axis in range(3):
            k = ints[record + 1] + axis
            at = ints[Y_CONTROLS] + 2 * k
            work[base + POSITION + axis] = y[at]
            work[base + VELOCITY + axis] = y[at + 1]
            work[base + ACCELERATION + axis] = control_rate(t, k, u, y, ints, reals)
        first = ints[record + 2]
        if first < 0:
            continue
        at = ints[Y_CONTROLS] + 2 * first
        cr, sr, cp, sp = math.cos(y[at]), math.sin(y[at]), math.cos(y[at + 2]), math.sin(y[at + 2])
        cy, sy = math.cos(y[at + 4]), math.sin(y[at + 4])
        put_matrix(work, base + ROTATION, (
            cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
            -sp, cp * sr, cp * cr,
        ))  # fmt: skip
        up, second, third = (0.0, 0.0, 1.0), (-sy, cy, 0.0), (cy * cp, sy * cp, -sp)
        roll, pitch, yaw = y[at + 1], y[at + 3], y[at + 5]
        outer = add_scaled(scale(yaw, up), pitch, second)
        put(work, base + SPIN, add_scaled(outer, roll, third))
        alpha = scale(control_rate(t, first + 2, u, y, ints, reals), up)
        alpha = add_scaled(alpha, control_rate(t, first + 1, u, y, ints, reals), second)
        alpha = add_scaled(alpha, control_rate(t, first, u, y, ints, reals), third)
        alpha = add_scaled(alpha, pitch * yaw, cross(up, second))
        put(work, base + ACCELERATION + 3, add_scaled(alpha, roll, cross(outer, third)))
