"""3×3 blocks of pairs of nodes, collected into one sparse matrix."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


class Blocks:
    """3×3 blocks by their nodes, collected into one sparse matrix."""

    def __init__(self, nodes: int) -> None:
        self._size = 3 * nodes
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, row: np.ndarray, column: np.ndarray, block: np.ndarray) -> None:
        """Blocks (n, 3, 3) at the nodes `row` and `column` (n,)."""
        i = np.broadcast_to(3 * row[:, None, None] + np.arange(3)[None, :, None], block.shape)
        j = np.broadcast_to(3 * column[:, None, None] + np.arange(3)[None, None, :], block.shape)
        self._parts.append((i.ravel(), j.ravel(), block.ravel()))

    def add_between(self, rows: np.ndarray, columns: np.ndarray, block: np.ndarray) -> None:
        """Blocks of the differences x₂ − x₁ of the node pairs `rows` and `columns` (n, 2)."""
        for i, j in np.ndindex(2, 2):
            self.add(rows[:, i], columns[:, j], block if i == j else -block)

    def assembled(self) -> sp.csr_matrix:
        """The sum of all blocks."""
        rows, columns, values = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        return sp.csr_matrix((values, (rows, columns)), shape=(self._size, self._size))
