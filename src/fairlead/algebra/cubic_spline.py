"""A curve of cubics through its nodes: constant matrices for its curvatures, its mass and the shares of a load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

OWN, OTHER = 1.0 / 45.0, 7.0 / 360.0
"""∫f₂′² = h³/45 and ∫f₂′f₄′ = 7h³/360: shares of the curvatures in the mean strain (Escalante et al., Eq. 15)."""
DROPPED = 1e-17
"""Entries of a band below this part of its largest are left out."""


@dataclass(frozen=True)
class Curve:
    """A cable of elements with `lengths` (n,) [m], pinned or clamped at its start and end."""

    lengths: np.ndarray
    clamps: tuple[bool, bool]

    def continuity(self) -> np.ndarray:
        """A, (n+1, n+1) [m]: A C = D r + b; a pinned end has a row of its own that makes C zero."""
        h = self.lengths
        A = np.zeros((len(h) + 1, len(h) + 1))
        for i, length in enumerate(h):
            A[i, i] += length / 3
            A[i + 1, i + 1] += length / 3
            A[i, i + 1] = A[i + 1, i] = length / 6
        for end, clamped in zip((0, -1), self.clamps, strict=True):
            if not clamped:
                A[end, :] = A[:, end] = 0.0
                A[end, end] = 1.0
        return A

    def slopes(self) -> np.ndarray:
        """D, (n+1, n+1) [1/m]: differences of the slopes beside a node; zero at a pinned end."""
        h = self.lengths
        D = np.zeros((len(h) + 1, len(h) + 1))
        for i, length in enumerate(h):
            D[i, i + 1] += 1 / length
            D[i, i] -= 1 / length
            D[i + 1, i + 1] -= 1 / length
            D[i + 1, i] += 1 / length
        for end, clamped in zip((0, -1), self.clamps, strict=True):
            if not clamped:
                D[end] = 0.0
        return D

    def bending(self) -> np.ndarray:
        """B = A⁻¹D, (n+1, n+1) [1/m²]: curvatures of the nodes per position of the nodes."""
        return np.asarray(np.linalg.solve(self.continuity(), self.slopes()))

    def turned(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """A⁻¹b, (n+1, 3) [1/m]: curvatures that clamps with the directions `start` and `end` (3,) make."""
        b = np.zeros((len(self.lengths) + 1, 3))
        if self.clamps[0]:
            b[0] = -start
        if self.clamps[1]:
            b[-1] = end
        return np.asarray(np.linalg.solve(self.continuity(), b))

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """Pivots 1/d (n+1,) and couplings l (n+1,), the last unused, of A = L D Lᵀ."""
        A = self.continuity()
        pivots, couplings = np.zeros(len(A)), np.zeros(len(A))
        d = A[0, 0]
        for i in range(len(A)):
            if i:
                d = A[i, i] - couplings[i - 1] * A[i, i - 1]
            pivots[i] = 1 / d
            couplings[i] = A[i, i + 1] / d if i + 1 < len(A) else 0.0
        return pivots, couplings

    def load_shares(self, lumped: bool) -> np.ndarray:
        """(n+1, n) [m]: ∫φ ds over each element, φ the curve that is 1 at its node and 0 at the others.

        Half the element at each of its nodes; with the curvatures −h³/24 at each of them.
        """
        n = len(self.lengths)
        shares, curved = np.zeros((n + 1, n)), np.zeros((n + 1, n))
        for e, h in enumerate(self.lengths):
            shares[e, e] = shares[e + 1, e] = h / 2
            curved[e, e] = curved[e + 1, e] = -(h**3) / 24
        return shares if lumped else shares + self.bending().T @ curved

    def mass(self, per_length: np.ndarray, lumped: bool) -> np.ndarray:
        """Mass matrix (n+1, n+1) [kg] of elements with `per_length` (n,) [kg/m], the same along x, y and z."""
        n = len(self.lengths)
        if lumped:
            half = 0.5 * self.lengths * per_length
            return np.diag(np.append(half, 0.0) + np.append(0.0, half))
        rr, rc, cc = np.zeros((3, n + 1, n + 1))
        for e, (h, m) in enumerate(zip(self.lengths, per_length, strict=True)):
            pair = np.ix_([e, e + 1], [e, e + 1])
            rr[pair] += m * h * np.array([[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
            rc[pair] -= m * h**3 * np.array([[1 / 45, 7 / 360], [7 / 360, 1 / 45]])
            cc[pair] += m * h**5 * np.array([[2 / 945, 31 / 15120], [31 / 15120, 2 / 945]])
        B = self.bending()
        mixed = rc @ B
        return np.asarray(rr + mixed + mixed.T + B.T @ cc @ B)


def end_tangent(nodes: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Direction of a cable at its first node: that of the parabola through the first three, (3,)."""
    first = (nodes[1] - nodes[0]) / lengths[0]
    tangent = first
    if len(lengths) > 1:
        tangent = first - (nodes[2] - nodes[1] - lengths[1] * first) / lengths[1] * lengths[0] / lengths[:2].sum()
    return np.asarray(tangent / np.linalg.norm(tangent))


def band(matrix: np.ndarray) -> tuple[int, np.ndarray]:
    """Half width of a matrix that fades away from its diagonal, and its rows in that band, (n, 2·half + 1)."""
    n = len(matrix)
    i, j = np.nonzero(np.abs(matrix) > DROPPED * np.abs(matrix).max())
    half = int(np.abs(i - j).max(initial=0))
    rows = np.zeros((n, 2 * half + 1))
    for k in range(-half, half + 1):
        diagonal = np.diagonal(matrix, k)
        first = max(0, -k)
        rows[first : first + len(diagonal), k + half] = diagonal
    return half, rows
