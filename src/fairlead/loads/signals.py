"""What changes with time by itself: motion tables, sines, load factors, and the filter of a controlled point."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

MOTION_NONE, MOTION_TABLE, MOTION_HARMONIC = 0, 1, 2
SINE_NUMBERS = 7


@kernel
def table_value(t, reals, start, rows, columns, column):
    """Linear interpolation in a table of `rows` rows (t, value, …) kept from `start` on; held beyond its ends."""
    last = start + (rows - 1) * columns
    if t <= reals[start]:
        return reals[start + column]
    if t >= reals[last]:
        return reals[last + column]
    low, high = 0, rows - 1
    while high - low > 1:
        middle = (low + high) // 2
        if t > reals[start + middle * columns]:
            low = middle
        else:
            high = middle
    i = start + low * columns
    f = (t - reals[i]) / (reals[i + columns] - reals[i])
    return reals[i + column] + f * (reals[i + columns + column] - reals[i + column])


@kernel
def sine_value(t, at, reals):
    """sin(ω (t − start) + phase), faded in over a ramp, nothing before its start; its four numbers begin at `at`."""
    since = t - reals[at + 3]
    if since < 0.0:
        return 0.0
    f = math.sin(reals[at] * since + reals[at + 1])
    if since < reals[at + 2]:
        s = since / reals[at + 2]
        f *= s * s * (3.0 - 2.0 * s)
    return f


@kernel
def motion_offset(t, kind, first, rows, reals):
    """Offset (3) of a motion whose rows begin at `first`: a table of (t, x, y, z), or sines that are added.

    A sine's seven numbers: amplitude (3), angular frequency, phase, ramp, start.
    """
    if kind == MOTION_TABLE:
        return (
            table_value(t, reals, first, rows, 4, 1),
            table_value(t, reals, first, rows, 4, 2),
            table_value(t, reals, first, rows, 4, 3),
        )
    x, y, z = 0.0, 0.0, 0.0
    if kind == MOTION_HARMONIC:
        for i in range(first, first + SINE_NUMBERS * rows, SINE_NUMBERS):
            f = sine_value(t, i + 3, reals)
            x += f * reals[i]
            y += f * reals[i + 1]
            z += f * reals[i + 2]
    return (x, y, z)


@kernel
def is_live(k, u):
    """Whether the three numbers of command k are given by an input, and not by the file."""
    return not math.isnan(u[3 * k] + u[3 * k + 1] + u[3 * k + 2])


@kernel
def filter_acceleration(goal, x, v, cutoff, h):
    """ẍ = ω²(goal − x) − √2 ω ẋ, taken implicitly over a step h, so that no cut-off is too fast for it (h = 0: plain).

    The position is to follow as x₁ = x + h v₁.
    """
    a = cutoff * cutoff * (goal - x - h * v) - math.sqrt(2.0) * cutoff * v
    return a / (1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h)
