"""Sparse matrices of stiffness and mass. scipy is loaded when the first is made: a plain run makes none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix


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
