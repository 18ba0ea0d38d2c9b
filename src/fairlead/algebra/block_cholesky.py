"""Cholesky factorisation of a sparse symmetric matrix of small dense blocks.

The pattern is analysed once (elimination order by minimum degree, fill, list of updates); factorisation and
solution are compiled and allocate nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .compiled import kernel


@dataclass(frozen=True)
class Analysis:
    """Elimination plan of n block rows. `slots` numbers the lower blocks, diagonal blocks first."""

    order: np.ndarray
    """Block row eliminated at each step, shape (n,)."""
    slots: dict[tuple[int, int], int]
    """(row, column) in original numbering, row eliminated later than column, to block slot."""
    column_start: np.ndarray
    """Where the sub-diagonal entries of each elimination step begin in `column_rows`/`column_slots`, shape (n+1,)."""
    column_rows: np.ndarray
    column_slots: np.ndarray
    updates: np.ndarray
    """Rows (slot of L_ik, slot of L_jk, slot of A_ij), shape (m, 3), grouped by step."""
    update_start: np.ndarray

    @property
    def slot_count(self) -> int:
        return len(self.order) + len(self.column_slots)

    def slot(self, row: int, column: int) -> int:
        """Where the block of two rows stands; −1 − that of the transposed block where it is that one which is kept."""
        known = self.slots.get((row, column))
        return known if known is not None else -self.slots[(column, row)] - 1


def analyse(n: int, edges: Iterable[tuple[int, int]]) -> Analysis:
    """Plan the elimination of n block rows coupled by `edges` (pairs of distinct rows)."""
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for i, j in edges:
        if i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)
    remaining = set(range(n))
    order: list[int] = []
    entries: list[tuple[int, int]] = []
    updates: list[tuple[tuple[int, int], tuple[int, int]]] = []
    starts, update_starts = [0], [0]
    while remaining:
        k = min(remaining, key=lambda i: (len(neighbours[i]), i))
        remaining.remove(k)
        order.append(k)
        below = sorted(neighbours[k])
        for i in below:
            neighbours[i].discard(k)
            neighbours[i].update(j for j in below if j != i)
        entries += [(i, k) for i in below]
        updates += [((i, k), (j, k)) for i in below for j in below if i >= j]
        starts.append(len(entries))
        update_starts.append(len(updates))
    position = {k: s for s, k in enumerate(order)}
    slots = {(i, i): i for i in range(n)}
    for pair in entries:
        slots[pair] = len(slots)
    resolved = []
    for one, other in updates:
        late, early = (one, other) if position[one[0]] >= position[other[0]] else (other, one)
        resolved.append((slots[late], slots[early], slots[(late[0], early[0])]))
    return Analysis(
        order=np.array(order, dtype=np.int64),
        slots=slots,
        column_start=np.array(starts, dtype=np.int64),
        column_rows=np.array([i for i, _ in entries], dtype=np.int64),
        column_slots=np.array([slots[e] for e in entries], dtype=np.int64),
        updates=np.array(resolved, dtype=np.int64).reshape(-1, 3),
        update_start=np.array(update_starts, dtype=np.int64),
    )


# `ints[plan]` and the five numbers behind it say where the parts of an `Analysis` begin in `ints`, in its own order:
# order, column_start, column_rows, column_slots, updates, update_start. Block s stands at `blocks + b*b*s` in `work`,
# row i of x at `x + b*i`. It compiles in a third of the time that views
# and reshapes would take, and needs no runtime: a kernel that reshapes has no library of machine code.


@kernel
def factor_block_at(work, at, b):
    """Lower Cholesky factor of the b×b block that begins at `at`, in place; False when it is not positive definite."""
    for j in range(b):
        row = at + b * j
        d = work[row + j]
        for k in range(j):
            d -= work[row + k] * work[row + k]
        if not d > 0.0:
            return False
        d = math.sqrt(d)
        work[row + j] = d
        for i in range(j + 1, b):
            below = at + b * i
            s = work[below + j]
            for k in range(j):
                s -= work[below + k] * work[row + k]
            work[below + j] = s / d
    return True


@kernel
def forward_at(work, lower, x, b):
    """x ← L⁻¹ x with the triangular block L that begins at `lower`."""
    for j in range(b):
        s = work[x + j]
        for k in range(j):
            s -= work[lower + b * j + k] * work[x + k]
        work[x + j] = s / work[lower + b * j + j]


@kernel
def backward_at(work, lower, x, b):
    """x ← L⁻ᵀ x."""
    for back in range(b):
        j = b - 1 - back
        s = work[x + j]
        for k in range(j + 1, b):
            s -= work[lower + b * k + j] * work[x + k]
        work[x + j] = s / work[lower + b * j + j]


@kernel
def subtract_product_at(work, target, left, over, down, right, b):
    """target[j] −= Σ_m left[down·j + over·m]·right[m]: a block, or with `over` and `down` exchanged its transpose."""
    for j in range(b):
        s = 0.0
        for m in range(b):
            s += work[left + down * j + over * m] * work[right + m]
        work[target + j] -= s


@kernel
def factor_at(ints, plan, n, work, blocks, b):
    """Factor in place. Returns −1, or the block row that failed."""
    size = b * b
    for step in range(n):
        row = ints[ints[plan] + step]
        diagonal = blocks + size * row
        if not factor_block_at(work, diagonal, b):
            return row
        start = ints[plan + 1] + step
        for c in range(ints[start], ints[start + 1]):
            block = blocks + size * ints[ints[plan + 3] + c]
            for r in range(b):  # block ← block · L⁻ᵀ
                forward_at(work, diagonal, block + b * r, b)
        start = ints[plan + 5] + step
        for e in range(ints[start], ints[start + 1]):
            update = ints[plan + 4] + 3 * e
            left, right, target = ints[update], ints[update + 1], ints[update + 2]
            for r in range(b):
                row_of_left, row_of_target = blocks + size * left + b * r, blocks + size * target + b * r
                subtract_product_at(work, row_of_target, blocks + size * right, 1, b, row_of_left, b)
    return -1


@kernel
def solve_at(ints, plan, n, work, blocks, x, b):
    """Solve with the factor, in place of the right-hand sides that begin at x."""
    size = b * b
    for step in range(n):
        k = ints[ints[plan] + step]
        forward_at(work, blocks + size * k, x + b * k, b)
        start = ints[plan + 1] + step
        for c in range(ints[start], ints[start + 1]):
            below, block = ints[ints[plan + 2] + c], blocks + size * ints[ints[plan + 3] + c]
            subtract_product_at(work, x + b * below, block, 1, b, x + b * k, b)
    for back in range(n):
        step = n - 1 - back
        k = ints[ints[plan] + step]
        start = ints[plan + 1] + step
        for c in range(ints[start], ints[start + 1]):
            below, block = ints[ints[plan + 2] + c], blocks + size * ints[ints[plan + 3] + c]
            subtract_product_at(work, x + b * k, block, b, 1, x + b * below, b)
        backward_at(work, blocks + size * k, x + b * k, b)
