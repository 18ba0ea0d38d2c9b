"""Torque of a reduced cable: the twist of its reference frame at Gauss points along the whole of it."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, cross, dot, scale
from fairlead.loads.signals import MOTION_TABLE, table_value

from .arrays import (
    AXIS, MODES, N_TWIST, R_SCALARS, R_TABLE, R_TWIST, TWIST_AMPLITUDE, TWIST_ANGLE, TWIST_INPUT, TWIST_KIND,
    TWIST_OMEGA, TWIST_PHASE, TWIST_RAMP, TWIST_ROWS, TWIST_TABLE, TWISTED, gain, product, put, vector_of,
)  # fmt: skip

FLAT = 1e-6
"""Least |a|² − (a·p)² of a tangent a against the reference direction p of the twist."""


@kernel
def turned(t, u, ints, reals):
    """Angle by which the end is turned against the start [rad]: the live input, else the file's motion."""
    if ints[TWISTED] == 0:
        return 0.0
    live = u[ints[TWIST_INPUT]]
    if not math.isnan(live):
        return live
    at = ints[R_SCALARS]
    if ints[TWIST_KIND] == MOTION_TABLE:
        return table_value(t, reals, ints[R_TABLE] + ints[TWIST_TABLE], ints[TWIST_ROWS], 2, 1)
    f = math.sin(reals[at + TWIST_OMEGA] * t + reals[at + TWIST_PHASE])
    if t < reals[at + TWIST_RAMP]:
        s = t / reals[at + TWIST_RAMP]
        f *= s * s * (3.0 - 2.0 * s)
    return reals[at + TWIST_ANGLE] + reals[at + TWIST_AMPLITUDE] * f


@kernel
def density(a, b, p):
    """Twist a metre of the frame that keeps normal to p: f = a_p (p·(a × b))/(|a|(|a|² − a_p²)), a = r′, b = r″.

    Also |a|² − a_p², which vanishes where the cable runs along p.
    """
    ap, n2 = dot(a, p), dot(a, a)
    clear = n2 - ap * ap
    return ap * dot(b, cross(p, a)) / (math.sqrt(n2) * clear), clear


@kernel
def density_gradient(a, b, p):
    """∂f/∂a and ∂f/∂b of the twist a metre."""
    ap, n2 = dot(a, p), dot(a, a)
    clear = n2 - ap * ap
    turn = cross(p, a)
    q = dot(b, turn)
    share = 1.0 / (math.sqrt(n2) * clear)
    f = ap * q * share
    by_a = add_scaled(scale(q * share, p), ap * share, cross(b, p))
    by_a = add_scaled(by_a, -f * (1.0 / n2 + 2.0 / clear), a)
    return add_scaled(by_a, 2.0 * f * ap / clear, p), scale(ap * share, turn)


@kernel
def frames_of(z, to, ints, reals, work):
    """a and b of all points (6 each) of z in work, into work from `to`: z_j times the j-th column, added up."""
    size = 6 * ints[N_TWIST]
    columns = ints[R_TWIST] + ints[N_TWIST]
    for i in range(size):
        work[to + i] = 0.0
    for j in range(ints[MODES] + 7):
        gain(work, to, work[z + j], reals, columns + j * size, size)


@kernel
def twist_of(frames, ints, reals, work):
    """Φ = Σ w f of the points in `frames`, and the least |a|² − a_p²."""
    p = vector_of(reals, ints[R_SCALARS] + AXIS)
    total, nearest = 0.0, 1.0
    for g in range(ints[N_TWIST]):
        f, clear = density(vector_of(work, frames + 6 * g), vector_of(work, frames + 6 * g + 3), p)
        total += reals[ints[R_TWIST] + g] * f
        nearest = min(nearest, clear)
    return total, nearest


@kernel
def twist_gradient(frames, to, ints, reals, work):
    """Gradient of Φ by z, in the points in `frames` (overwritten), into work from `to`."""
    p, size = vector_of(reals, ints[R_SCALARS] + AXIS), 6 * ints[N_TWIST]
    for g in range(ints[N_TWIST]):
        w, at = reals[ints[R_TWIST] + g], frames + 6 * g
        by_a, by_b = density_gradient(vector_of(work, at), vector_of(work, at + 3), p)
        put(work, at, scale(w, by_a))
        put(work, at + 3, scale(w, by_b))
    columns = ints[R_TWIST] + ints[N_TWIST]
    for j in range(ints[MODES] + 7):
        work[to + j] = product(reals, columns + j * size, work, frames, size)
