"""One cable's stiffness as sparse matrices, for statics and modes."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.cubic_spline import Curve

from .element import OTHER, OWN


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

    def strain_gradient(self, x: np.ndarray, curvature: np.ndarray) -> sp.csr_matrix:
        """∂e/∂r of all elements, (n, 3(n+1)), at positions x and curvatures (n+1, 3)."""
        d = self.sloping @ x
        square = self.lengths[:, None] ** 2
        first = square * (OWN * curvature[:-1] + OTHER * curvature[1:])
        last = square * (OWN * curvature[1:] + OTHER * curvature[:-1])
        parts = [
            sp.diags(d[:, k]) @ self.sloping
            + sp.diags(first[:, k]) @ self.curving[:-1]
            + sp.diags(last[:, k]) @ self.curving[1:]
            for k in range(3)
        ]
        size = 3 * (len(self.lengths) + 1)
        order = np.arange(size).reshape(3, -1).T.ravel()
        return sp.hstack(parts).tocsc()[:, order].tocsr()

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
