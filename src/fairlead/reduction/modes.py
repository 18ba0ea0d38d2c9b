"""Proper orthogonal decomposition of the motion of cables (Escalante et al., Eqs. 1-3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import ReductionError
from .snapshots import Snapshots, lifting

Floats = NDArray[np.float64]
ROUNDING = 1e-12
"""Singular values below this part of the largest are rounding."""


@dataclass(frozen=True)
class Basis:
    """Shapes that hold most of a motion: places = ends' motion along the cables + mean + modes · coordinates.

    along            (node,) from 0 to 1
    lift             (node, end) how the nodes follow the held ends
    mean             (node, 3) m, zero at held ends
    modes            (node, 3, mode), orthonormal, zero at held ends
    singular_values  (rank,) m, of all snapshots together, largest first
    """

    along: Floats
    lift: Floats
    mean: Floats
    modes: Floats
    singular_values: Floats

    @property
    def energies(self) -> Floats:
        """Share of the squared motion in the first 1, 2, … modes, (rank,): Σσ² up to there over Σσ² (Eq. 3)."""
        squares = self.singular_values**2
        return np.asarray(np.cumsum(squares) / squares.sum())

    def coordinates(self, places: Floats, ends: Floats) -> Floats:
        """Coordinates (sample, mode) of places (sample, node, 3) m: the nearest the modes come to them."""
        own = places - lifting(self.lift, ends) - self.mean
        return np.asarray(np.einsum("tni,nik->tk", own, self.modes))

    def motion(self, coordinates: Floats, ends: Floats) -> Floats:
        """Places (sample, node, 3) m of coordinates (sample, mode) between held ends (sample, end, 3) m."""
        own = self.mean + np.einsum("tk,nik->tni", coordinates, self.modes)
        return np.asarray(lifting(self.lift, ends) + own)


def pod(snapshots: Snapshots, modes: int, by_axis: bool = False) -> Basis:
    """The `modes` shapes nearest to all snapshots in the sense of least squares.

    With `by_axis` the same number along each axis that moves, from the snapshots of that axis alone (Eq. 8).
    """
    moving = snapshots.assembly.moving
    matrix = snapshots.matrix.reshape(int(moving.sum()), 3, -1)
    left, values, _ = np.linalg.svd(matrix.reshape(-1, matrix.shape[2]), full_matrices=False)
    rank = int((values > ROUNDING * values[0]).sum()) if values[0] > 0.0 else 0
    if not 1 <= modes <= rank:
        raise ReductionError(
            f"{modes} modes were asked for and the snapshots hold {rank}; ask for 1 to {rank}"
            if rank
            else "nothing moves in the snapshots but the ends; there are no modes"
        )
    inner = _shapes_by_axis(matrix, modes) if by_axis else left[:, :modes].reshape(-1, 3, modes)
    shapes = np.zeros((len(moving), *inner.shape[1:]))
    shapes[moving] = inner
    return Basis(snapshots.assembly.along, snapshots.assembly.lift, snapshots.mean, shapes, values[:rank])


def _shapes_by_axis(matrix: Floats, modes: int) -> Floats:
    """Shapes (moving node, 3, mode) that move along one axis each, of snapshots (moving node, 3, sample)."""
    parts = []
    for axis in range(3):
        left, values, _ = np.linalg.svd(matrix[:, axis], full_matrices=False)
        if values[0] <= ROUNDING * np.abs(matrix).max():
            continue
        rank = int((values > ROUNDING * values[0]).sum())
        if modes > rank:
            raise ReductionError(f"{modes} modes an axis were asked for and the snapshots hold {rank} of axis {axis}")
        part = np.zeros((len(matrix), 3, modes))
        part[:, axis] = left[:, :modes]
        parts.append(part)
    return np.concatenate(parts, axis=2)
