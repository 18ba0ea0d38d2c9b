"""Between the rows of a table: a smooth curve that overshoots nowhere and begins and ends at rest, or lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

Row = tuple[float, ...]


def monotone_slopes(table: Sequence[Row]) -> list[Row]:
    """Slopes of the columns after the first at every row of a table (t, value, ...).

    Those of the monotone cubic of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984): zero where a column turns,
    else a harmonic mean of the slopes on either side, so that the cubic keeps between its rows. Zero at the first and
    the last row: beyond them the table is held.
    """
    still = (0.0,) * (len(table[0]) - 1)
    slopes = [still] * len(table)
    for i in range(1, len(table) - 1):
        before, here, after = table[i - 1 : i + 2]
        left, right = here[0] - before[0], after[0] - here[0]
        one, two = 2.0 * right + left, right + 2.0 * left
        row = []
        for a, b, c in zip(before[1:], here[1:], after[1:], strict=True):
            d, e = (b - a) / left, (c - b) / right
            row.append((one + two) / (one / d + two / e) if d * e > 0.0 else 0.0)
        slopes[i] = tuple(row)
    return slopes


def interpolated(table: Sequence[Row], t: float, straight: bool = False) -> tuple[Row, Row]:
    """The columns of a table after its first and their slopes, at time t: held beyond the ends.

    Between rows runs the monotone cubic, or a line where `straight`; on a row the line to come counts.
    """
    after = bisect_right(table, t, key=lambda row: row[0])
    if after == 0 or after == len(table):
        row = table[max(after - 1, 0)][1:]
        return row, (0.0,) * len(row)
    low, high = table[after - 1], table[after]
    h = high[0] - low[0]
    s = (t - low[0]) / h
    if straight:
        rise = [b - a for a, b in zip(low[1:], high[1:], strict=True)]
        return tuple(a + s * d for a, d in zip(low[1:], rise, strict=True)), tuple(d / h for d in rise)
    near = table[max(after - 2, 0) : after + 2]
    slopes = monotone_slopes(near)
    first = 0 if after == 1 else 1
    values, rates = [], []
    for a, b, p, q in zip(low[1:], high[1:], slopes[first], slopes[first + 1], strict=True):
        p, q = h * p, h * q
        cube, square = 2.0 * (a - b) + p + q, 3.0 * (b - a) - 2.0 * p - q
        values.append(a + s * (p + s * (square + s * cube)))
        rates.append((p + s * (2.0 * square + 3.0 * s * cube)) / h)
    return tuple(values), tuple(rates)
