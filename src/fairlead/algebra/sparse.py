"""Sparse matrices of stiffness and mass. scipy is loaded when the first is made: a plain run makes none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix

    from .bordered_band import Bordered


def of_entries(values: np.ndarray, rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> csc_matrix:
    """The matrix with these entries (n,); what stands in one place is added up."""
    import scipy.sparse as sp

    return sp.csc_matrix((values, (rows, columns)), shape=shape)


def block_diagonal(blocks: Sequence[np.ndarray | csc_matrix]) -> csc_matrix:
    """The matrix of these blocks along its diagonal."""
    import scipy.sparse as sp

    return sp.block_diag(blocks, format="csc")


def zeros(size: int) -> csc_matrix:
    """The square matrix without entries."""
    import scipy.sparse as sp

    return sp.csc_matrix((size, size))


def of_chains(m: Bordered, size: int) -> csc_matrix:
    """The matrix of `bordered_band`, (size, size): rows of all chains, then as much of its border as there is room."""
    import scipy.sparse as sp

    (rows, width), (chains, ends, _) = m.band.shape, m.corner.shape
    chain = np.repeat(np.arange(chains), m.chain[:, 1])
    i, k = np.nonzero(m.band)
    own = of_entries(m.band[i, k], i, i + k - width // 2, (rows, rows))
    sides = []
    for side in (m.across, m.back):
        i, k = np.nonzero(side)
        sides.append(of_entries(side[i, k], i, ends * chain[i] + k, (rows, ends * chains)))
    c, p, q = np.nonzero(m.reach)
    column = m.site[c, p // (ends // 2)] + q
    reach = of_entries(m.reach[c, p, q], ends * c + p, column, (ends * chains, len(m.border)))
    i, k = np.nonzero(m.border)
    narrow = m.border.shape[1] < len(m.border)
    column = k + m.sizes[1] * (i // m.sizes[1]) if narrow else k
    felt = of_entries(m.border[i, k], i, column, (len(m.border), len(m.border)))
    border = reach.T @ block_diagonal([*m.corner, np.zeros((0, 0))]) @ reach + felt
    whole = sp.bmat([[own, sides[0] @ reach], [reach.T @ sides[1].T, border]], format="csc")
    return whole[:size, :size]


class Blocks:
    """Square blocks by the bodies or nodes that they belong to, collected into one sparse matrix."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, row: np.ndarray, column: np.ndarray, block: np.ndarray) -> None:
        """Blocks (n, width, width) at the bodies `row` and `column` (n,)."""
        within = np.arange(self._width)
        i = np.broadcast_to(self._width * row[:, None, None] + within[None, :, None], block.shape)
        j = np.broadcast_to(self._width * column[:, None, None] + within[None, None, :], block.shape)
        self._parts.append((i.ravel(), j.ravel(), block.ravel()))

    def add_between(self, rows: np.ndarray, columns: np.ndarray, block: np.ndarray) -> None:
        """Blocks of the differences x₂ − x₁ of the pairs `rows` and `columns` (n, 2)."""
        for i, j in np.ndindex(2, 2):
            self.add(rows[:, i], columns[:, j], block if i == j else -block)

    def assembled(self, size: int) -> csc_matrix:
        """The sum of all blocks among the first `size` numbers, (size, size)."""
        rows, columns, values = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        inside = (rows < size) & (columns < size)
        return of_entries(values[inside], rows[inside], columns[inside], (size, size))


def by_differences(forces: Callable[[np.ndarray], np.ndarray], x: np.ndarray, reach: int, by: float) -> csr_matrix:
    """−∂forces/∂x of nodes at x (nodes, 3) by central differences of half width `by` [m], (nodes·3, nodes·3).

    forces(x), (nodes·3,), on a node depend on the nodes up to `reach` away; nodes far enough apart are moved together.
    """
    from scipy.sparse import lil_matrix

    count, apart = len(x), 2 * reach + 1
    total = lil_matrix((3 * count, 3 * count))
    for first in range(min(apart, count)):
        moved = np.arange(first, count, apart)
        for k in range(3):
            aside = np.zeros_like(x)
            aside[moved, k] = by
            change = (forces(x - aside) - forces(x + aside)) / (2 * by)
            for i in moved.tolist():
                near = slice(3 * max(0, i - reach), 3 * min(count, i + reach + 1))
                total[near, 3 * i + k] = change[near][:, None]
    return total.tocsr()
