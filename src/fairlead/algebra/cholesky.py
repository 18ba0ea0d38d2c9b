"""Small dense symmetric systems in flat memory."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel


@kernel
def solve_positive(matrix, rhs, first, size, least):
    """Solve a symmetric system by Cholesky: `matrix` (size × size, row by row; its lower half counts) is overwritten by
    its factors, `rhs` from `first` on by the solution. False where a pivot is not above `least` of its diagonal."""
    for j in range(size):
        d = matrix[size * j + j]
        for k in range(j):
            d -= matrix[size * j + k] * matrix[size * j + k]
        if not d > least * matrix[size * j + j]:
            return False
        d = math.sqrt(d)
        matrix[size * j + j] = d
        for i in range(j + 1, size):
            s = matrix[size * i + j]
            for k in range(j):
                s -= matrix[size * i + k] * matrix[size * j + k]
            matrix[size * i + j] = s / d
    for i in range(size):
        s = rhs[first + i]
        for k in range(i):
            s -= matrix[size * i + k] * rhs[first + k]
        rhs[first + i] = s / matrix[size * i + i]
    for i in range(size - 1, -1, -1):
        s = rhs[first + i]
        for k in range(i + 1, size):
            s -= matrix[size * k + i] * rhs[first + k]
        rhs[first + i] = s / matrix[size * i + i]
    return True
