"""Rows of the hub system: a matrix or a force at the end of a lever on a body, J = [1, U]."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, transposed_matvec


@kernel
def entry_of(columns, k, m):
    """Entry of J = [1, U] at row k, column m."""
    if m < 3:
        return 1.0 if m == k else 0.0
    return columns[3 * k + m - 3]


@kernel
def add_product(slot, left, m, right, lower, transposed, sys):
    """Add J_leftᵀ M J_right to the block in `slot`: all of it, its lower triangle, or transposed."""
    b = sys.hub_size
    for i in range(b):
        for j in range(b):
            if lower and j > i:
                continue
            s = 0.0
            for p in range(3):
                for q in range(3):
                    s += entry_of(left, p, i) * m[3 * p + q] * entry_of(right, q, j)
            sys.matrix[b * b * slot + (b * j + i if transposed else b * i + j)].number += s


@kernel
def add_force(h, columns, force, sys):
    """Add Jᵀf to the right-hand side of hub h."""
    balance = sys.balance[h]
    balance.force = add(balance.force, force)
    if sys.hub_size == 6:
        balance.torque = add(balance.torque, transposed_matvec(columns, force))
