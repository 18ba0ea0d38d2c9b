"""What moves as prescribed: fixed and controlled points, and bodies that carry points along.

A command (a position, or the roll, pitch and yaw of a body) that the file knows in advance is followed exactly; a live
input goes through a second-order filter of its own.
"""

from __future__ import annotations

import math

from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, matvec
from fairlead.loads.end_motion import STEP_NUMBERS, plan_known
from fairlead.loads.signals import is_filtered, is_live

from .arrays import (
    CONTROL_INTS, CONTROL_REALS, FRAME_INTS, FRAME_KEPT, I_CONTROLS, I_FRAMES, I_POINTS, N_CONTROLLED, N_FRAMES,
    N_POINTS, R_CONTROLS, R_POINTS, R_TABLE, W_CONTROLS, W_FRAMES, Y_CONTROLS, point_at, vector_of,
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
def drive_points(t, seen, u, ints, reals, y, work):
    """Position, velocity and acceleration of all that is prescribed, inputs filtered (Eq. 9, cut-off ω).

    In a step the filter is taken implicitly, so that no cut-off is too fast for a step:
    v₁ = (v₀ + hω²(p − x₀))/(1 + √2 ωh + ω²h²), x₁ = x₀ + h v₁; for explicit Euler, whose position takes v₀, in the
    form of its own rule.

    An input is held over a step. To be `seen` (1, else 0), its point has the acceleration of the filter at t: the step
    to come would brake it, which the next input undoes.
    """
    h = work[STEP]
    plain = work[SCHEME_KIND] == PLAIN
    explicit = work[SCHEME_KIND] == EXPLICIT_EULER
    lag = 2.0 * h if explicit else h
    theta = 0.0 if explicit else work[SCHEME_THETA]
    for k in range(ints[N_CONTROLLED]):
        control, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
        kept, at = ints[W_CONTROLS] + STEP_NUMBERS * k, ints[Y_CONTROLS] + 6 * k
        if is_filtered(k, ints[control + 1], u):
            cutoff = reals[base + 3]
            goal = command(t if plain else t + h, k, u, ints, reals)
            for i in range(3):
                x, v = y[at + i], y[at + 3 + i]
                a = cutoff * cutoff * (goal[i] - x) - math.sqrt(2.0) * cutoff * v
                if seen == 1 and is_live(k, u):
                    a -= 0.0 if plain else cutoff * cutoff * (lag - h) * v
                elif not plain:
                    a -= cutoff * cutoff * lag * v
                    a /= 1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h
                work[kept + i] = x
                work[kept + 3 + i] = v
                work[kept + 6 + i] = a
                work[kept + 9 + i] = x + h * (v + theta * h * a)
                work[kept + 12 + i] = v + h * a
        else:
            first, step = ints[R_TABLE] + ints[control + 2], 0.0 if plain else h
            plan_known(
                t, step, theta, ints[control + 1], first, ints[control + 3], base, reals, y, at, work, kept
            )  # fmt: skip
    carry_all(0.0 if plain else (theta - 0.5) * h, ints, reals, work)


@kernel
def show_points(ints, reals, y, work):
    """Places and velocities of all that is prescribed as they are in the state, which the rule of a step may shift."""
    for k in range(ints[N_CONTROLLED]):
        for i in range(6):
            work[ints[W_CONTROLS] + STEP_NUMBERS * k + i] = y[ints[Y_CONTROLS] + 6 * k + i]
    carry_all(0.0, ints, reals, work)


@kernel
def carry_all(late, ints, reals, work):
    """Points where their controls and bodies have them; velocities are those of a time `late` ago."""
    for k in range(ints[N_CONTROLLED]):
        point = ints[ints[I_CONTROLS] + CONTROL_INTS * k]
        if point >= 0:
            for i in range(9):
                work[point_at(ints, point) + i] = work[ints[W_CONTROLS] + STEP_NUMBERS * k + i]
    for k in range(ints[N_FRAMES]):
        turn_frame(k, ints, work)
    if ints[N_FRAMES] > 0:
        carry_points(late, ints, reals, work)


@kernel
def turn_frame(k, ints, work):
    """Quaternion, angular velocity and acceleration (body axes) of a prescribed body from its roll, pitch and yaw."""
    at = ints[W_CONTROLS] + STEP_NUMBERS * ints[ints[I_FRAMES] + FRAME_INTS * k + 1]
    angles, rates = vector_of(work, at), vector_of(work, at + 3)
    kept = ints[W_FRAMES] + FRAME_KEPT * k
    work[kept], work[kept + 1], work[kept + 2], work[kept + 3] = from_angles(angles)
    work[kept + 4], work[kept + 5], work[kept + 6] = spin_of_angles(angles, rates)
    work[kept + 7], work[kept + 8], work[kept + 9] = spin_rate_of_angles(angles, rates, vector_of(work, at + 6))


@kernel
def carry_points(late, ints, reals, work):
    """Attachments of prescribed bodies: p + R r, v + R(w × r), a + R(α × r + w × (w × r)).

    Where v and w are those of a time `late` ago, so is the turn R that w × r takes: less `late` times R(w × (w × r)).
    """
    for k in range(ints[N_POINTS]):
        body = ints[ints[I_POINTS] + k]
        if body < 0:
            continue
        kept, point = ints[W_FRAMES] + FRAME_KEPT * body, point_at(ints, k)
        centre = ints[W_CONTROLS] + STEP_NUMBERS * ints[ints[I_FRAMES] + FRAME_INTS * body]
        R = rotation((work[kept], work[kept + 1], work[kept + 2], work[kept + 3]))
        w, r = vector_of(work, kept + 4), vector_of(reals, ints[R_POINTS] + 3 * k)
        swing = cross(w, r)
        place = matvec(R, r)
        inward = cross(w, swing)
        velocity = matvec(R, add_scaled(swing, -late, inward))
        acceleration = matvec(R, add(cross(vector_of(work, kept + 7), r), inward))
        for i in range(3):
            work[point + i] = work[centre + i] + place[i]
            work[point + 3 + i] = work[centre + 3 + i] + velocity[i]
            work[point + 6 + i] = work[centre + 6 + i] + acceleration[i]


@kernel
def move_controls(ints, y, work):
    """All that is prescribed as it is at the end of the step."""
    for k in range(ints[N_CONTROLLED]):
        for i in range(6):
            y[ints[Y_CONTROLS] + 6 * k + i] = work[ints[W_CONTROLS] + STEP_NUMBERS * k + 9 + i]
