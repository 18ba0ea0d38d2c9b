"""Linear systems with a banded matrix, kept row by row in flat memory.

A matrix with `low` diagonals below and `high` above the main one takes `width(low, high)` numbers a row: entry (i, j)
stands at `at + i * width + (j - i + low)`. The last `low` columns of a row are room for what pivoting fills in.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel


@kernel
def width(low, high):
    """Numbers a row takes."""
    return 2 * low + high + 1


@kernel
def clear(work, at, n, low, high):
    """Set an n × n matrix to zero."""
    for k in range(at, at + n * width(low, high)):
        work[k] = 0.0


@kernel
def unit_row(work, at, i, low, high):
    """Replace row i by that of the unit matrix."""
    row = at + i * width(low, high)
    for k in range(row, row + width(low, high)):
        work[k] = 0.0
    work[row + low] = 1.0


@kernel
def solve(work, at, b, n, low, high):
    """Gaussian elimination with partial pivoting: b ← A⁻¹ b in place, A is lost. False when A is singular."""
    w = width(low, high)
    for k in range(n):
        last = min(k + low, n - 1)
        pivot, size = k, abs(work[at + k * w + low])
        for i in range(k + 1, last + 1):
            candidate = abs(work[at + i * w + k - i + low])
            if candidate > size:
                pivot, size = i, candidate
        if not size > 0.0:
            return False
        reach = min(k + low + high, n - 1)
        top = at + k * w + low - k
        if pivot != k:
            other = at + pivot * w + low - pivot
            for j in range(k, reach + 1):
                work[top + j], work[other + j] = work[other + j], work[top + j]
            work[b + k], work[b + pivot] = work[b + pivot], work[b + k]
        inverse = 1.0 / work[top + k]
        for i in range(k + 1, last + 1):
            row = at + i * w + low - i
            f = work[row + k] * inverse
            if f != 0.0:
                for j in range(k + 1, reach + 1):
                    work[row + j] -= f * work[top + j]
                work[b + i] -= f * work[b + k]
    for k in range(n - 1, -1, -1):
        top = at + k * w + low - k
        total = work[b + k]
        for j in range(k + 1, min(k + low + high, n - 1) + 1):
            total -= work[top + j] * work[b + j]
        work[b + k] = total / work[top + k]
    return True
