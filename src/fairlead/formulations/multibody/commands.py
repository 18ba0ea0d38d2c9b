"""Bases that move as commanded: exactly as the file has it; each number of an input through a filter of its own."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, cross, scale
from fairlead.loads.signals import FILTERED, filter_acceleration, number_at, off_motion
from fairlead.rigging.commands import fading, filtered
from fairlead.rigging.point_loads import take_loads

from .schema import ZERO3


@kernel
def rest_bases(sys):
    """Bases where they are, at rest."""
    for b in range(sys.bases):
        record = sys.record[b]
        record.rotation, record.position = sys.base[b].rotation, sys.base[b].position
        record.velocity, record.spin, record.acceleration, record.alpha = ZERO3, ZERO3, ZERO3, ZERO3


@kernel
def file_motion(t, k, sys):
    """Value, rate and its rate of control k by the file's motion."""
    control = sys.control[k]
    x, v, a = number_at(t, control.kind, sys.sample.start + control.first, control.rows, control.axis, sys.reals)
    return sys.goal[k].value + x, v, a


@kernel
def off_file(t, k, x, v, sys):
    """By how much control k and its rate are off the file's motion, which has x and v at t."""
    control, command = sys.control[k], sys.command[k]
    first = sys.sample.start + control.first
    return off_motion(
        t, control.kind, first, control.rows, control.axis, command.value, command.rate, x, v, sys.reals
    )  # fmt: skip


@kernel
def is_filtered(k, u, sys):
    """Whether control k passes the filter: a live input, or a motion of the file that asks for it."""
    return sys.control[k].kind >= FILTERED or not math.isnan(u[k])


@kernel
def goal_of(t, k, u, sys):
    """Commanded value of control k: the live input where it is a number, else the file's motion."""
    if not math.isnan(u[k]):
        return u[k]
    return file_motion(t, k, sys)[0]


@kernel
def control_rate(t, k, u, sys):
    """Acceleration of control k at t: ω²(goal − x) − √2 ω ẋ, or that of the file's motion, any difference fading so."""
    cutoff = sys.goal[k].cutoff
    if is_filtered(k, u, sys):
        return filter_acceleration(goal_of(t, k, u, sys), sys.command[k].value, sys.command[k].rate, cutoff, 0.0)
    x, v, a = file_motion(t, k, sys)
    z, dz = off_file(t, k, x, v, sys)
    return a + filter_acceleration(0.0, z, dz, cutoff, 0.0)


@kernel
def follow(t, h, u, sys):
    """Let all controls follow their commands over a step h from t, exactly."""
    for k in range(sys.controls):
        command, cutoff = sys.command[k], sys.goal[k].cutoff
        faded = fading(cutoff, h)
        if is_filtered(k, u, sys):
            first, middle, last = goal_of(t, k, u, sys), goal_of(t + 0.5 * h, k, u, sys), goal_of(t + h, k, u, sys)
            command.value, command.rate = filtered(
                command.value, command.rate, first, middle, last, cutoff, h, faded
            )  # fmt: skip
        else:
            x0, v0, _ = file_motion(t, k, sys)
            z, dz = off_file(t, k, x0, v0, sys)
            x1, v1, _ = file_motion(t + h, k, sys)
            z, dz = filtered(z, dz, 0.0, 0.0, 0.0, cutoff, h, faded)
            command.value, command.rate = x1 + z, v1 + dz


@kernel
def move_bases(t, u, sys):
    """Put the moved bases where their controls have them at t.

    R = Rz(yaw) Ry(pitch) Rx(roll); ω = ψ̇ e_z + θ̇ e₂ + φ̇ e₃, with e₂ = Rz e_y and e₃ = Rz Ry e_x.
    """
    for i in range(sys.moved_bases):
        moved = sys.moved[i]
        base, k = sys.record[moved.base], moved.position
        x, y, z = sys.command[k], sys.command[k + 1], sys.command[k + 2]
        base.position, base.velocity = (x.value, y.value, z.value), (x.rate, y.rate, z.rate)
        base.acceleration = (
            control_rate(t, k, u, sys), control_rate(t, k + 1, u, sys), control_rate(t, k + 2, u, sys),
        )  # fmt: skip
        k = moved.angles
        if k < 0:
            continue
        roll, pitch, yaw = sys.command[k], sys.command[k + 1], sys.command[k + 2]
        cr, sr, cp, sp = math.cos(roll.value), math.sin(roll.value), math.cos(pitch.value), math.sin(pitch.value)
        cy, sy = math.cos(yaw.value), math.sin(yaw.value)
        base.rotation = (
            cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
            -sp, cp * sr, cp * cr,
        )  # fmt: skip
        up, second, third = (0.0, 0.0, 1.0), (-sy, cy, 0.0), (cy * cp, sy * cp, -sp)
        outer = add_scaled(scale(yaw.rate, up), pitch.rate, second)
        base.spin = add_scaled(outer, roll.rate, third)
        alpha = scale(control_rate(t, k + 2, u, sys), up)
        alpha = add_scaled(alpha, control_rate(t, k + 1, u, sys), second)
        alpha = add_scaled(alpha, control_rate(t, k, u, sys), third)
        alpha = add_scaled(alpha, pitch.rate * yaw.rate, cross(up, second))
        base.alpha = add_scaled(alpha, roll.rate, cross(outer, third))


@kernel
def hold_moment(t, u, sys):
    """Bases where they are at t, loads as they are set, and a scheme without a step."""
    take_loads(u, sys)
    scheme = sys.scheme
    scheme.step, scheme.half, scheme.theta_step, scheme.predicted, scheme.loosen = 0.0, 0.0, 0.0, 0.0, 0.0
    rest_bases(sys)
    move_bases(t, u, sys)
