"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

Every command (a position, or the roll, pitch and yaw of a body) goes through a second-order filter of its own.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import product, rotation
from fairlead.algebra.small import add, cross, matvec

from .arrays import (
    CONTROL_INTS, CONTROL_REALS, FRAME_INTS, FRAME_KEPT, I_CONTROLS, I_FRAMES, I_POINTS, N_CONTROLLED, N_FRAMES,
    N_POINTS, R_CONTROLS, R_POINTS, W_CONTROLS, W_FRAMES, Y_CONTROLS, point_at, vector_of,
)  # fmt: skip
from .coefficients import EXPLICIT_EULER, PLAIN, SCHEME_KIND, SCHEME_THETA, STEP
from .signals import command


@kernel
def place_points(ints, reals, work):
    """Fixed points where they are, at rest."""
    for k in range(ints[N_POINTS]):
        point = point_at(ints, k)
        for i in range(3):
            work[point + i] = reals[ints[R_POINTS] + 3 * k + i]
            work[point + 3 + i] = 0.0
            work[point + 6 + i] = 0.0


@kernel
def drive_points(t, u, ints, reals, y, work):
    """Position, velocity and acceleration of all that is prescribed (Eq. 9 with a cut-off ω_c).

    In a step the filter is taken implicitly, so that no cut-off is too fast for a step:
    v₁ = (v₀ + hω²(p − x₀))/(1 + √2 ωh + ω²h²), x₁ = x₀ + h v₁; for explicit Euler, whose position takes v₀, in the
    form of its own rule.
    """
    h = work[STEP]
    plain = work[SCHEME_KIND] == PLAIN
    lag = 2.0 * h if work[SCHEME_KIND] == EXPLICIT_EULER else h
    for k in range(ints[N_CONTROLLED]):
        cutoff = reals[ints[R_CONTROLS] + CONTROL_REALS * k + 3]
        goal = command(t if plain else t + h, k, u, ints, reals)
        kept, point = ints[W_CONTROLS] + 9 * k, ints[ints[I_CONTROLS] + CONTROL_INTS * k]
        for i in range(3):
            x, v = y[ints[Y_CONTROLS] + 6 * k + i], y[ints[Y_CONTROLS] + 6 * k + 3 + i]
            a = cutoff * cutoff * (goal[i] - x) - math.sqrt(2.0) * cutoff * v
            if not plain:
                a -= cutoff * cutoff * lag * v
                a /= 1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h
            work[kept + i] = x
            work[kept + 3 + i] = v
            work[kept + 6 + i] = a
        if point >= 0:
            for i in range(9):
                work[point_at(ints, point) + i] = work[kept + i]
    for k in range(ints[N_FRAMES]):
        turn_frame(k, ints, work)
    if ints[N_FRAMES] > 0:
        carry_points(ints, reals, work)


@kernel
def turn_frame(k, ints, work):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw.

    q = q_z(ψ)∘q_y(θ)∘q_x(φ), w = (φ̇ − ψ̇ sin θ, θ̇ cos φ + ψ̇ cos θ sin φ, −θ̇ sin φ + ψ̇ cos θ cos φ).
    """
    angles = ints[W_CONTROLS] + 9 * ints[ints[I_FRAMES] + FRAME_INTS * k + 1]
    roll, pitch, yaw = work[angles], work[angles + 1], work[angles + 2]
    a, b, c = work[angles + 3], work[angles + 4], work[angles + 5]
    da, db, dc = work[angles + 6], work[angles + 7], work[angles + 8]
    qx = (math.cos(0.5 * roll), math.sin(0.5 * roll), 0.0, 0.0)
    qy = (math.cos(0.5 * pitch), 0.0, math.sin(0.5 * pitch), 0.0)
    qz = (math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw))
    kept = ints[W_FRAMES] + FRAME_KEPT * k
    work[kept], work[kept + 1], work[kept + 2], work[kept + 3] = product(product(qz, qy), qx)
    sr, cr, sp, cp = math.sin(roll), math.cos(roll), math.sin(pitch), math.cos(pitch)
    work[kept + 4] = a - c * sp
    work[kept + 5] = b * cr + c * cp * sr
    work[kept + 6] = -b * sr + c * cp * cr
    work[kept + 7] = da - dc * sp - c * b * cp
    work[kept + 8] = db * cr - b * a * sr + dc * cp * sr - c * b * sp * sr + c * a * cp * cr
    work[kept + 9] = -db * sr - b * a * cr + dc * cp * cr - c * b * sp * cr - c * a * cp * sr


@kernel
def carry_points(ints, reals, work):
    """Attachments of prescribed bodies: p + R r, v + R(w × r), a + R(α × r + w × (w × r))."""
    for k in range(ints[N_POINTS]):
        body = ints[ints[I_POINTS] + k]
        if body < 0:
            continue
        kept, point = ints[W_FRAMES] + FRAME_KEPT * body, point_at(ints, k)
        centre = ints[W_CONTROLS] + 9 * ints[ints[I_FRAMES] + FRAME_INTS * body]
        R = rotation((work[kept], work[kept + 1], work[kept + 2], work[kept + 3]))
        w, r = vector_of(work, kept + 4), vector_of(reals, ints[R_POINTS] + 3 * k)
        swing = cross(w, r)
        place = matvec(R, r)
        velocity = matvec(R, swing)
        acceleration = matvec(R, add(cross(vector_of(work, kept + 7), r), cross(w, swing)))
        for i in range(3):
            work[point + i] = work[centre + i] + place[i]
            work[point + 3 + i] = work[centre + 3 + i] + velocity[i]
            work[point + 6 + i] = work[centre + 6 + i] + acceleration[i]


@kernel
def move_controls(ints, y, work):
    """Advance the filters by one step."""
    h, theta = work[STEP], work[SCHEME_THETA]
    explicit = work[SCHEME_KIND] == EXPLICIT_EULER
    for k in range(ints[N_CONTROLLED]):
        filtered, kept = ints[Y_CONTROLS] + 6 * k, ints[W_CONTROLS] + 9 * k
        for i in range(3):
            v, a = y[filtered + 3 + i], work[kept + 6 + i]
            y[filtered + 3 + i] = v + h * a
            y[filtered + i] += h * (v if explicit else v + theta * h * a)
