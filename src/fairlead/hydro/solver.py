"""The mixed boundary-value problem: potential given on the free surface, its normal derivative on everything else.

    C φ = S φ_n,   C = D + 2π,    [S_F  −C_B] [φ_n F; φ B] = C_F φ_F − S_B φ_n B.

The same matrix serves φ and φ_t, so one factorisation carries both problems and one right-hand side for each
acceleration of a body.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.sparse.linalg import LinearOperator, gmres

from .influence import influence
from .panels import Floats, Panels


class SolverError(RuntimeError):
    """The boundary-value problem has no trustworthy answer; the text says why and what to do."""


@dataclass(frozen=True)
class Influences:
    """S and C = D + 2π of a boundary whose first `n_surface` panels are the free surface."""

    S: Floats
    C: Floats
    n_surface: int

    @classmethod
    def of(cls, surface: Panels, solids: Panels, depth: float | None, symmetric: bool) -> Influences:
        """Of a free surface and all that is not free surface (bodies, walls)."""
        S, D = influence(surface.joined(solids), depth, symmetric)
        D[np.diag_indices(len(D))] += 2.0 * np.pi
        return cls(S, D, len(surface))

    @property
    def matrix(self) -> Floats:
        """[S_F  −C_B]: what multiplies the unknowns [φ_n F; φ B]."""
        n = self.n_surface
        matrix = np.empty_like(self.S, order="F")
        matrix[:, :n] = self.S[:, :n]
        np.negative(self.C[:, n:], out=matrix[:, n:])
        return matrix

    def right_side(self, potential: Floats, normal: Floats) -> Floats:
        """C_F φ_F − S_B φ_n B; both may hold several cases as columns."""
        n = self.n_surface
        return np.asarray(self.C[:, :n] @ potential - self.S[:, n:] @ normal)


class BoundarySolver(Protocol):
    """Solves the mixed problem on one boundary, for as many right-hand sides as wanted."""

    def solve(self, potential: Floats, normal: Floats) -> tuple[Floats, Floats]:
        """(φ_n on the surface, φ on the solids) from φ on the surface and φ_n on the solids; cases as columns."""


class Direct:
    """By LU of this boundary's own matrix."""

    def __init__(self, influences: Influences) -> None:
        self.influences = influences
        self.factors = lu_factor(influences.matrix, overwrite_a=True, check_finite=False)
        if not np.all(np.isfinite(self.factors[0].diagonal())):
            raise SolverError("the boundary's matrix is not finite; look for panels that overlap or have no area")

    def solve(self, potential: Floats, normal: Floats) -> tuple[Floats, Floats]:
        """See `BoundarySolver`."""
        right = self.influences.right_side(potential, normal)
        unknown = lu_solve(self.factors, right, overwrite_b=True, check_finite=False)
        n = self.influences.n_surface
        return unknown[:n], unknown[n:]


class Frozen:
    """By a matrix worked out once, [S_F −C_B]⁻¹ [C_F −S_B]: for a boundary that is solved on thousands of times."""

    def __init__(self, influences: Influences) -> None:
        direct = Direct(influences)
        n, size = influences.n_surface, len(influences.S)
        known = np.empty((size, size), order="F")
        known[:, :n] = influences.C[:, :n]
        np.negative(influences.S[:, n:], out=known[:, n:])
        self.n_surface = n
        self.operator = np.ascontiguousarray(lu_solve(direct.factors, known, overwrite_b=True, check_finite=False))

    def solve(self, potential: Floats, normal: Floats) -> tuple[Floats, Floats]:
        """See `BoundarySolver`."""
        n = self.n_surface
        unknown = self.operator @ np.concatenate([potential, normal])
        return unknown[:n], unknown[n:]


class Iterative:
    """By GMRES, preconditioned with the LU of an earlier boundary: for meshes whose LU costs more than their filling.

    The boundary moves little between stages, so an old LU is a very good preconditioner; it is renewed when it needs
    more than `patience` iterations. `tolerance` is on the residual, relative to the right-hand side.
    """

    def __init__(self, tolerance: float = 1e-8, patience: int = 12) -> None:
        self.tolerance = tolerance
        self.patience = patience
        self.factors: tuple[Floats, Floats] | None = None
        self.iterations = 0
        """Of the last solution, over all its right-hand sides the largest."""
        self.renewals = 0
        self._influences: Influences | None = None
        self._matrix: Floats | None = None

    def on(self, influences: Influences) -> Iterative:
        """Itself, now on this boundary."""
        matrix = influences.matrix
        if self.factors is None or len(self.factors[0]) != len(matrix):
            self._renew(matrix)
        self._influences, self._matrix = influences, matrix
        return self

    def solve(self, potential: Floats, normal: Floats) -> tuple[Floats, Floats]:
        """See `BoundarySolver`."""
        if self._influences is None or self._matrix is None:
            raise SolverError("no boundary yet: call `on` with its influences first")
        right = self._influences.right_side(potential, normal)
        columns = right.reshape(len(right), -1)
        answer = np.empty_like(columns)
        self.iterations = 0
        for k in range(columns.shape[1]):
            answer[:, k] = self._one(columns[:, k])
        unknown = answer.reshape(right.shape)
        n = self._influences.n_surface
        return unknown[:n], unknown[n:]

    def _one(self, right: Floats) -> Floats:
        assert self._matrix is not None
        if not np.isfinite(right).all():
            raise SolverError("the flow on the boundary is not finite")
        if not np.any(right):
            return np.zeros_like(right)
        for _ in range(2):
            assert self.factors is not None
            factors, steps = self.factors, [0]
            old = LinearOperator(
                self._matrix.shape, matvec=lambda v, f=factors: lu_solve(f, v, check_finite=False), dtype=np.float64
            )

            def count(_: object, steps: list[int] = steps) -> None:
                steps[0] += 1

            found, trouble = gmres(
                self._matrix, right, M=old, x0=old @ right, rtol=self.tolerance, atol=0.0, restart=40, maxiter=1,
                callback=count, callback_type="pr_norm",
            )  # fmt: skip
            self.iterations = max(self.iterations, steps[0])
            if steps[0] > self.patience or trouble:
                self._renew(self._matrix)
            if not trouble:
                return np.asarray(found)
        raise SolverError(
            f"GMRES did not reach {self.tolerance:g} with a fresh LU; look for panels that overlap or have no area"
        )

    def _renew(self, matrix: Floats) -> None:
        self.factors = lu_factor(matrix, check_finite=False)
        self.renewals += 1
