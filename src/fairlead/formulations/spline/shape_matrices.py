"""One cable's stiffness as sparse matrices, for statics and modes."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.cubic_spline import OTHER, OWN, Curve


FADED = 1e-15
"""Entries of B below this part of its largest are left out."""


class CableShape:
    """The constant matrices of a cable with elements of `lengths` (n,), and what depends on its shape."""

    def __init__(self, lengths: np.ndarray, clamps: tuple[bool, bool], ea: np.ndarray, ei: np.ndarray) -> None:
        n = len(lengths)
        self.lengths, self.ea = lengths, ea
        curve = Curve(lengths, clamps)
        bending = curve.bending()
        bending[np.abs(bending) < FADED * np.abs(bending).max()] = 0.0
        self.curving = sp.csr_matrix(bending)
        """B, (n+1, n+1): curvatures of the nodes per position."""
        self.sloping = sp.diags([-1 / lengths, 1 / lengths], [0, 1], shape=(n, n + 1)).tocsr()
        """(n, n+1): slopes of the elements per position."""
        moments = _pairs(ei * lengths / 3, ei * lengths / 6)
        self.bending_stiffness = (self.curving.T @ moments @ self.curving).tocsr()
        """Bᵀ(EI)B, (n+1, n+1), the same along x, y and z."""
        self._of_first, self._of_last = self.curving[:-1], self.curving[1:]
        self._found = (abs(self.sloping) + abs(self._of_first) + abs(self._of_last)).tocsr()
        """Where ∂e/∂r of one axis has numbers: its structure, the same for every shape."""
        rows = np.repeat(np.arange(n), np.diff(self._found.indptr))
        self._rows, columns = rows, self._found.indices
        self._columns = (3 * columns[:, None] + np.arange(3)).ravel()
        parts = (self.sloping, self._of_first, self._of_last)
        self._shares = [np.asarray(part[rows, columns]).ravel()[:, None] for part in parts]

    def _factors(self, x: np.ndarray, curvature: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What multiplies slopes and both curvatures in ∂e/∂r, (n, 3) each."""
        square = self.lengths[:, None] ** 2
        first = square * (OWN * curvature[:-1] + OTHER * curvature[1:])
        last = square * (OWN * curvature[1:] + OTHER * curvature[:-1])
        return self.sloping @ x, first, last

    def strain_gradient(self, x: np.ndarray, curvature: np.ndarray) -> sp.csr_matrix:
        """∂e/∂r of all elements, (n, 3(n+1)), at positions x and curvatures (n+1, 3)."""
        terms = zip(self._factors(x, curvature), self._shares, strict=True)
        numbers = sum(factor[self._rows] * share for factor, share in terms)
        n = len(self.lengths)
        return sp.csr_matrix((np.ravel(numbers), self._columns, 3 * self._found.indptr), shape=(n, 3 * (n + 1)))

    def pulled(self, x: np.ndarray, curvature: np.ndarray, along: np.ndarray) -> np.ndarray:
        """(∂e/∂r)ᵀ times a number of each element, (n+1, 3), without the matrix."""
        slope, first, last = (along[:, None] * factor for factor in self._factors(x, curvature))
        return np.asarray(self.sloping.T @ slope + self._of_first.T @ first + self._of_last.T @ last)

    def string_stiffness(self, tension: np.ndarray) -> sp.csr_matrix:
        """Σ T h ∂²e/∂r², (n+1, n+1): what tension (n,) adds."""
        force = tension * self.lengths
        straight = self.sloping.T @ sp.diags(force) @ self.sloping
        cubes = force * self.lengths**2
        return (straight + self.curving.T @ _pairs(OWN * cubes, OTHER * cubes) @ self.curving).tocsr()


def _pairs(own: np.ndarray, other: np.ndarray) -> sp.csr_matrix:
    """Σ over elements of own·(diagonal) and other·(beside it), (n+1, n+1)."""
    diagonal = np.append(own, 0.0) + np.append(0.0, own)
    return sp.diags([other, diagonal, other], [-1, 0, 1]).tocsr()
