"""What changes with time by itself: motion tables, sines, load factors, and the filter of a controlled point."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.fade import fade

MOTION_NONE, MOTION_TABLE, MOTION_HARMONIC, MOTION_LINEAR = 0, 1, 2, 3
"""Kinds of motion: none, a table with a cubic between its rows, sines, a table with lines between its rows."""
FILTERED = 8
"""Added to a kind: the motion passes the filter of live inputs instead of being followed exactly."""
MOTION_HEAD = 3
"""Numbers before the rows of a motion: the steady velocity to which they are added."""
SINE_NUMBERS = 7
NEAR = 1.0e-9
"""Part of a place, a rate or a time that is no difference."""


@kernel
def row_before(t, reals, start, rows, columns):
    """Number of the row of a table at or before t, between its first and its last but one."""
    low, high = 0, rows - 1
    while high - low > 1:
        middle = (low + high) // 2
        if t > reals[start + middle * columns]:
            low = middle
        else:
            high = middle
    return low


@kernel
def table_value(t, reals, start, rows, columns, column):
    """Linear interpolation in a table of `rows` rows (t, value, …) kept from `start` on; held beyond its ends."""
    last = start + (rows - 1) * columns
    if t <= reals[start]:
        return reals[start + column]
    if t >= reals[last]:
        return reals[last + column]
    i = start + row_before(t, reals, start, rows, columns) * columns
    f = (t - reals[i]) / (reals[i + columns] - reals[i])
    return reals[i + column] + f * (reals[i + columns + column] - reals[i + column])


@kernel
def load_factor(t, load, tables, reals):
    """Factor of a point load (`first`, `rows` of its table (t, factor), counted from `tables`); 1 where it has none."""
    if load.rows == 0:
        return 1.0
    return table_value(t, reals, tables + load.first, load.rows, 2, 1)


@kernel
def cubic_at(t, reals, start, rows, column):
    """Value, first and second derivative in a table of rows (t, x, y, z, ẋ, ẏ, ż): Hermite's cubic between rows.

    With s = (t − t₀)/h: x = x₀ + s(v₀ + s(b + s a)), a = 2(x₀ − x₁) + v₀ + v₁, b = 3(x₁ − x₀) − 2v₀ − v₁, v = h ẋ. Held
    beyond its ends, where the slopes are zero.
    """
    last = start + 7 * (rows - 1)
    if t <= reals[start] or rows == 1:
        return reals[start + column], 0.0, 0.0
    if t >= reals[last]:
        return reals[last + column], 0.0, 0.0
    i = start + 7 * row_before(t, reals, start, rows, 7)
    h = reals[i + 7] - reals[i]
    s = (t - reals[i]) / h
    x0, x1 = reals[i + column], reals[i + 7 + column]
    v0, v1 = h * reals[i + 3 + column], h * reals[i + 10 + column]
    a, b = 2.0 * (x0 - x1) + v0 + v1, 3.0 * (x1 - x0) - 2.0 * v0 - v1
    return x0 + s * (v0 + s * (b + s * a)), (v0 + s * (2.0 * b + 3.0 * s * a)) / h, (2.0 * b + 6.0 * s * a) / (h * h)


@kernel
def line_at(t, reals, start, rows, column):
    """Value, first and second derivative in a table of rows (t, x, y, z) with lines between them; held beyond.

    On a row the line to come counts, on the last row the line that ends there: a run that ends with its table does not
    see the stop that would follow.
    """
    value, last = table_value(t, reals, start, rows, 4, column), reals[start + 4 * (rows - 1)]
    if rows == 1 or t < reals[start] or t > last + NEAR * (1.0 + abs(last)):
        return value, 0.0, 0.0
    low = row_before(t, reals, start, rows, 4)
    if low < rows - 2 and t >= reals[start + 4 * (low + 1)]:  # on a row the line to come counts
        low += 1
    i = start + 4 * low
    return value, (reals[i + 4 + column] - reals[i + column]) / (reals[i + 4] - reals[i]), 0.0


@kernel
def ends_at(t, kind, first, rows, reals):
    """Whether t is on the last row of a motion that is a table with lines between its rows."""
    if kind % FILTERED != MOTION_LINEAR:
        return False
    last = reals[first + MOTION_HEAD + 4 * (rows - 1)]
    return abs(t - last) <= NEAR * (1.0 + abs(last))


@kernel
def sine_at(t, at, reals):
    """r(t) sin(ω (t − start) + phase) and its first two derivatives; its four numbers begin at `at`.

    r grows from 0 to 1 over the ramp, see `fade`. Nothing before its start.
    """
    omega, ramp = reals[at], reals[at + 2]
    since = t - reals[at + 3]
    if since < 0.0:
        return 0.0, 0.0, 0.0
    angle = omega * since + reals[at + 1]
    f, g = math.sin(angle), omega * math.cos(angle)
    if since >= ramp:
        return f, g, -omega * omega * f
    r, dr, ddr = fade(since / ramp)
    dr, ddr = dr / ramp, ddr / (ramp * ramp)
    return r * f, dr * f + r * g, (ddr - r * omega * omega) * f + 2.0 * dr * g


@kernel
def number_at(t, kind, first, rows, axis, reals):
    """One number of a motion, `axis` 0 to 2, with its first and second derivative; see `motion_at`."""
    way = kind % FILTERED
    if way == MOTION_NONE:
        return 0.0, 0.0, 0.0
    at = first + MOTION_HEAD
    v, a = reals[first + axis], 0.0
    x = v * t
    if way == MOTION_HARMONIC:
        for i in range(at, at + SINE_NUMBERS * rows, SINE_NUMBERS):
            if reals[i + axis] != 0.0:
                f, df, ddf = sine_at(t, i + 3, reals)
                x += reals[i + axis] * f
                v += reals[i + axis] * df
                a += reals[i + axis] * ddf
        return x, v, a
    if way == MOTION_TABLE:
        f, df, ddf = cubic_at(t, reals, at, rows, 1 + axis)
    else:
        f, df, ddf = line_at(t, reals, at, rows, 1 + axis)
    return x + f, v + df, a + ddf


@kernel
def motion_at(t, kind, first, rows, reals):
    """Offset (3), velocity (3) and acceleration (3) of a motion that is known in advance.

    Its numbers begin at `first`: a steady velocity (3), then the rows of a table, or of sines that are added. A row of
    a table: t, x, y, z (with lines between rows), and ẋ, ẏ, ż (with cubics). A sine's seven numbers: amplitude (3),
    angular frequency, phase, ramp, start.
    """
    if kind % FILTERED == MOTION_HARMONIC:
        vx, vy, vz = reals[first], reals[first + 1], reals[first + 2]
        x, y, z = vx * t, vy * t, vz * t
        ax, ay, az = 0.0, 0.0, 0.0
        at = first + MOTION_HEAD
        for i in range(at, at + SINE_NUMBERS * rows, SINE_NUMBERS):
            f, df, ddf = sine_at(t, i + 3, reals)
            x, y, z = x + f * reals[i], y + f * reals[i + 1], z + f * reals[i + 2]
            vx, vy, vz = vx + df * reals[i], vy + df * reals[i + 1], vz + df * reals[i + 2]
            ax, ay, az = ax + ddf * reals[i], ay + ddf * reals[i + 1], az + ddf * reals[i + 2]
        return (x, y, z), (vx, vy, vz), (ax, ay, az)
    x, vx, ax = number_at(t, kind, first, rows, 0, reals)
    y, vy, ay = number_at(t, kind, first, rows, 1, reals)
    z, vz, az = number_at(t, kind, first, rows, 2, reals)
    return (x, y, z), (vx, vy, vz), (ax, ay, az)


@kernel
def off_motion(t, kind, first, rows, axis, x, v, there, rate, reals):
    """By how much a number x and its rate v are off a motion that is `there` with `rate` at t: nothing if they follow.

    To follow it is to be in its place, with its rate or with the one it had an instant ago, where it turns sharply.
    """
    z, dz = x - there, v - rate
    if abs(z) > NEAR * (1.0 + abs(there)):
        return z, dz
    if abs(dz) > NEAR * (1.0 + abs(rate)):
        _, before, _ = number_at(t - NEAR * (1.0 + abs(t)), kind, first, rows, axis, reals)
        if abs(v - before) > 1e3 * NEAR * (1.0 + abs(before)):
            return z, dz
    return 0.0, 0.0


@kernel
def is_live(k, u):
    """Whether the three numbers of command k are given by an input, and not by the file."""
    return not math.isnan(u[3 * k] + u[3 * k + 1] + u[3 * k + 2])


@kernel
def is_filtered(k, kind, u):
    """Whether command k passes the filter: a live input, or a motion of the file that asks for it."""
    return kind >= FILTERED or is_live(k, u)


@kernel
def filter_acceleration(goal, x, v, cutoff, h):
    """ẍ = ω²(goal − x) − √2 ω ẋ, taken implicitly over a step h, so that no cut-off is too fast for it (h = 0: plain).

    The position is to follow as x₁ = x + h v₁.
    """
    a = cutoff * cutoff * (goal - x - h * v) - math.sqrt(2.0) * cutoff * v
    return a / (1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h)
