"""What changes with time by itself: motion tables, sines, load factors, and the filter of a controlled point."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

MOTION_NONE, MOTION_TABLE, MOTION_HARMONIC = 0, 1, 2


@kernel
def table_value(t, reals, start, rows, columns, column):
    """Linear interpolation in a table of `rows` rows (t, value, …) kept from `start` on; held beyond its ends."""
    last = start + (rows - 1) * columns
    if t <= reals[start]:
        return reals[start + column]
    if t >= reals[last]:
        return reals[last + column]
    i = start
    while t > reals[i + columns]:
        i += columns
    f = (t - reals[i]) / (reals[i + columns] - reals[i])
    return reals[i + column] + f * (reals[i + columns + column] - reals[i + column])


@kernel
def motion_offset(t, kind, table, rows, wave, reals):
    """Offset (3) of a motion: rows (t, x, y, z) from `table` on, or a sine whose numbers begin at `wave`.

    The sine's numbers: amplitude (3), angular frequency, phase, ramp, start.
    """
    if kind == MOTION_TABLE:
        return (
            table_value(t, reals, table, rows, 4, 1),
            table_value(t, reals, table, rows, 4, 2),
            table_value(t, reals, table, rows, 4, 3),
        )
    if kind == MOTION_HARMONIC:
        since = t - reals[wave + 6]
        if since < 0.0:
            return (0.0, 0.0, 0.0)
        f = math.sin(reals[wave + 3] * since + reals[wave + 4])
        if since < reals[wave + 5]:
            s = since / reals[wave + 5]
            f *= s * s * (3.0 - 2.0 * s)
        return (f * reals[wave], f * reals[wave + 1], f * reals[wave + 2])
    return (0.0, 0.0, 0.0)


@kernel
def filter_acceleration(goal, x, v, cutoff, h):
    """ẍ = ω²(goal − x) − √2 ω ẋ, taken implicitly over a step h, so that no cut-off is too fast for it (h = 0: plain).

    The position is to follow as x₁ = x + h v₁.
    """
    a = cutoff * cutoff * (goal - x - h * v) - math.sqrt(2.0) * cutoff * v
    return a / (1.0 + math.sqrt(2.0) * cutoff * h + cutoff * cutoff * h * h)
