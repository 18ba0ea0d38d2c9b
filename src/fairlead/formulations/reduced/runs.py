"""Runs of numbers in flat arrays: sums of products, in loops that are vectorised."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel, summing


@summing
def product(one, at, other, to, size):
    """Σ one·other of `size` numbers each. Unsigned indices need no look at their sign."""
    a, b = np.uint64(at), np.uint64(to)
    total = 0.0
    for j in range(np.uint64(size)):
        total += one[a + j] * other[b + j]
    return total


@kernel
def gain(values, at, c, matrix, row, size):
    """values += c·row, `size` numbers."""
    a, b = np.uint64(at), np.uint64(row)
    for j in range(np.uint64(size)):
        values[a + j] += c * matrix[b + j]


@kernel
def gain_columns(values, at, factors, first, count, columns, start, size):
    """values += Σ_j factors_j · column_j, `count` columns of `size` numbers, four at a time."""
    a, f = np.uint64(at), np.uint64(first)
    n = np.uint64(size)
    c = np.uint64(start)
    fours = count // 4
    for _ in range(fours):
        x, y = factors[f], factors[f + np.uint64(1)]
        z, w = factors[f + np.uint64(2)], factors[f + np.uint64(3)]
        c1, c2, c3 = c + n, c + n + n, c + n + n + n
        for i in range(n):
            values[a + i] += (x * columns[c + i] + y * columns[c1 + i]) + (z * columns[c2 + i] + w * columns[c3 + i])
        f += np.uint64(4)
        c = c3 + n
    for _ in range(count - 4 * fours):
        x = factors[f]
        for i in range(n):
            values[a + i] += x * columns[c + i]
        f += np.uint64(1)
        c += n


@kernel
def clear(values, at, size):
    """values ← 0, `size` numbers."""
    a = np.uint64(at)
    for j in range(np.uint64(size)):
        values[a + j] = 0.0


@kernel
def copy(values, at, source, start, size):
    """values ← source, `size` numbers."""
    a, b = np.uint64(at), np.uint64(start)
    for j in range(np.uint64(size)):
        values[a + j] = source[b + j]


@kernel
def vector_product(matrix, rows, values, at, size):
    """Three rows, one after the other, times `size` numbers: a vector."""
    x = product(matrix, rows, values, at, size)
    y = product(matrix, rows + size, values, at, size)
    return (x, y, product(matrix, rows + 2 * size, values, at, size))


@kernel
def gain_vector(values, at, vector, matrix, rows, size):
    """values += vector · its three rows, one after the other, `size` numbers each."""
    a, b, c, v = np.uint64(rows), np.uint64(rows + size), np.uint64(rows + 2 * size), np.uint64(at)
    for j in range(np.uint64(size)):
        values[v + j] += vector[0] * matrix[a + j] + vector[1] * matrix[b + j] + vector[2] * matrix[c + j]
