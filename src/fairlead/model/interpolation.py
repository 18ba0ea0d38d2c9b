"""Between the rows of a table: a smooth curve that overshoots nowhere and begins and ends at rest, or lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

Row = tuple[float, ...]


def smooth_slopes(table: Sequence[Row], plane: bool = False) -> list[Row]:
    """Slopes of the columns after the first at every row of a table (t, value, ...), see `mean_slope`.

    With `plane` the first two columns are x and y of one horizontal vector, so the curve does not depend on the
    direction of the axes; every other column stands by itself. Slopes are zero at the first and the last row: beyond
    them the table is held.
    """
    slopes: list[Row] = [(0.0,) * (len(table[0]) - 1)] * len(table)
    for i in range(1, len(table) - 1):
        before, here, after = table[i - 1 : i + 2]
        left, right = here[0] - before[0], after[0] - here[0]
        weights = 2.0 * right + left, right + 2.0 * left
        d = [(b - a) / left for a, b in zip(before[1:], here[1:], strict=True)]
        e = [(c - b) / right for b, c in zip(here[1:], after[1:], strict=True)]
        row: list[float] = []
        if plane:
            together = mean_slope(complex(d[0], d[1]), complex(e[0], e[1]), *weights)
            row = [together.real, together.imag]
        alone = len(row)
        row += [mean_slope(p, q, *weights).real for p, q in zip(d[alone:], e[alone:], strict=True)]
        slopes[i] = tuple(row)
    return slopes


def mean_slope(d: complex, e: complex, one: float, two: float) -> complex:
    """Slope at a row between the mean slopes d before and e after it, given their weights: g (w₁ + w₂)/(w₁/d + w₂/e).

    For numbers that is the monotone cubic of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984): zero where the
    column turns, else a weighted harmonic mean, so the cubic stays between its rows. For x + iy it is the same mean of
    vectors. The factor g = c (2 − c), c the cosine of the angle between d and e, is 1 on a straight path and takes the
    speed away as the path turns: zero from a right angle on, where the curve stops at the row. Only lengths and the
    angle enter, so turning the table turns the curve. Progress along both sides is monotone: the part of the slope
    along d lies between 0 and g (w₁ + w₂)/w₁ ≤ 3 of it, likewise for e.
    """
    along = d.real * e.real + d.imag * e.imag
    if not along > 0.0:
        return 0.0
    c = min(along / (abs(d) * abs(e)), 1.0)
    return c * (2.0 - c) * (one + two) / (one / d + two / e)


def interpolated(table: Sequence[Row], t: float, straight: bool = False, plane: bool = False) -> tuple[Row, Row]:
    """The columns of a table after its first and their slopes, at time t: held beyond the ends.

    Between rows runs the smooth cubic, or a line where `straight`; on a row the line to come counts, on the last row
    the line that ends there. `plane`: the first two columns are a horizontal vector, see `smooth_slopes`.
    """
    after = bisect_right(table, t, key=lambda row: row[0])
    if straight and t == table[-1][0]:
        after = max(len(table) - 1, 1)
    if after in (0, len(table)):
        row = table[max(after - 1, 0)][1:]
        return row, (0.0,) * len(row)
    low, high = table[after - 1], table[after]
    h = high[0] - low[0]
    s = (t - low[0]) / h
    if straight:
        rise = [b - a for a, b in zip(low[1:], high[1:], strict=True)]
        return tuple(a + s * d for a, d in zip(low[1:], rise, strict=True)), tuple(d / h for d in rise)
    near = table[max(after - 2, 0) : after + 2]
    slopes = smooth_slopes(near, plane)
    first = 0 if after == 1 else 1
    values, rates = [], []
    for a, b, p, q in zip(low[1:], high[1:], slopes[first], slopes[first + 1], strict=True):
        p, q = h * p, h * q
        cube, square = 2.0 * (a - b) + p + q, 3.0 * (b - a) - 2.0 * p - q
        values.append(a + s * (p + s * (square + s * cube)))
        rates.append((p + s * (2.0 * square + 3.0 * s * cube)) / h)
    return tuple(values), tuple(rates)
