"""The block factorisation solves what a dense solver solves, for any pattern."""

import numpy as np
import pytest

from fairlead.algebra import block_cholesky as bc
from fairlead.algebra.compiled import entry


@entry
def solve(ints, n, work, blocks, x, b):
    failed = bc.factor_at(ints, 0, n, work, blocks, b)
    if failed < 0:
        bc.solve_at(ints, 0, n, work, blocks, x, b)
    return failed


def flat(plan: bc.Analysis) -> np.ndarray:
    """The plan behind the six numbers that say where its parts begin."""
    parts = [
        plan.order,
        plan.column_start,
        plan.column_rows,
        plan.column_slots,
        plan.updates.ravel(),
        plan.update_start,
    ]
    starts = 6 + np.cumsum([0, *(len(part) for part in parts[:-1])])
    return np.concatenate([starts, *parts])


@pytest.mark.parametrize("b", [3, 6])
@pytest.mark.parametrize("seed", range(12))
def test_solves_like_dense(seed: int, b: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    edges = [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.35]
    plan = bc.analyse(n, edges)
    dense = np.zeros((n * b, n * b))
    for i, j in edges:
        block = rng.normal(size=(b, b))
        dense[i * b : i * b + b, j * b : j * b + b] = block
        dense[j * b : j * b + b, i * b : i * b + b] = block.T
    dense += np.eye(n * b) * (np.abs(dense).sum(axis=1).max() + 1.0)
    blocks = np.zeros((plan.slot_count, b, b))
    for (i, j), slot in plan.slots.items():
        blocks[slot] = dense[i * b : i * b + b, j * b : j * b + b]
    rhs = rng.normal(size=(n, b))
    gap = 5  # numbers before the blocks that are none of theirs
    work = np.concatenate([np.full(gap, np.nan), blocks.ravel(), rhs.ravel()])
    assert solve(flat(plan), n, work, gap, gap + blocks.size, b) == -1
    expected = np.linalg.solve(dense, rhs.ravel())
    np.testing.assert_allclose(work[gap + blocks.size :], expected, rtol=1e-11, atol=1e-12)


def test_tree_has_no_fill() -> None:
    edges = [(0, 1), (0, 2), (0, 3), (3, 4), (3, 5)]
    assert bc.analyse(6, edges).slot_count == 6 + len(edges)


def test_names_the_row_that_is_not_positive() -> None:
    plan = bc.analyse(2, [])
    blocks = np.stack([np.eye(6), -np.eye(6)])
    assert solve(flat(plan), 2, np.concatenate([blocks.ravel(), np.ones(12)]), 0, 72, 6) == 1
