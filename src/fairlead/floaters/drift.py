"""Slow forces of waves, to second order: WAMIT's .8 and .9 (mean drift) and .12d (difference frequencies).

    .8, .9   PER BETA1 BETA2 I MOD PHA RE IM             RE ρ g L^(1 + (I > 3)) per m²: the mean force
    .12d     PER1 PER2 BETA1 BETA2 I MOD PHA RE IM       T(ω1, ω2) likewise; T(ω2, ω1) is its conjugate

A sea Σ a_i cos(...) feels F = Re Σ_ij a_i a_j T(ω_i, ω_j) e^{i((ω_i - ω_j) t - ...)}; its mean is Σ a_i² T(ω_i, ω_i).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fairlead.model.waves import wavenumber

from .coefficients import CoefficientError
from .rows import modes_of, rows_of
from .wamit import Scale, turning


@dataclass(frozen=True)
class Drift:
    """Slow forces of waves of one direction at a time, in N/m² and N m/m²."""

    omega: np.ndarray
    """(nw,) rad/s, rising."""
    headings: np.ndarray
    """(nh,) rad, rising."""
    mean: np.ndarray
    """(nh, nw, 6N): T(ω, ω)."""
    matrix: np.ndarray | None = None
    """(nh, nw, nw, 6N) complex: T(ω1, ω2), Hermitian; None where the file has means alone."""
    source: str = ""
    motions: tuple[int, ...] = ()
    """Which of the 6N, from 0 on, the file has rows of; the others feel nothing."""

    def mean_force(self, omega: np.ndarray, spectrum: np.ndarray, heading: int = 0) -> np.ndarray:
        """Mean force (6N,) of a sea with the spectrum S(ω) [m² s]: 2 ∫ S T dω, T held below the data and 0 above."""
        table = self.mean[heading]
        drift = np.stack([np.interp(omega, self.omega, column, right=0.0) for column in table.T], axis=1)
        return np.asarray(2.0 * np.trapezoid(spectrum[:, None] * drift, omega, axis=0))

    @property
    def bodies(self) -> int:
        return int(self.mean.shape[2]) // 6

    def of_body(self, number: int) -> Drift:
        """Of one body alone, counted from 1 as in its coefficients: body 2 has the motions 7 to 12."""
        first = 6 * number - 6
        motions = tuple(motion - first for motion in self.motions if first <= motion < first + 6)
        if not motions:
            raise CoefficientError(
                f"{self.source}: has no rows of body {number}, whose motions are {first + 1} to {first + 6}; compute "
                f"its drift too, or number them so where rows of a file of its own are 1 to 6, or 'drift: none'"
            )
        own = slice(first, first + 6)
        matrix = None if self.matrix is None else self.matrix[..., own]
        return replace(self, mean=self.mean[..., own], matrix=matrix, motions=motions)

    def seen_from(self, reference: np.ndarray, depth: float, gravity: float) -> Drift:
        """With crests at a place [x, y, ...] instead of the origin: T' = T e^{+i(k1 - k2)·x}; means stay."""
        if self.matrix is None or not np.any(reference[:2]):
            return self
        k = np.array([wavenumber(w, depth, gravity) for w in self.omega.tolist()])
        along = np.cos(self.headings) * reference[0] + np.sin(self.headings) * reference[1]
        turn = np.exp(1j * along[:, None, None] * (k[:, None] - k[None, :]))
        return replace(self, matrix=self.matrix * turn[..., None])


def read_drift(path: str | Path, scale: Scale | None = None) -> Drift:
    """Mean drift (.8, .9) or quadratic transfer functions (.12d), of as many bodies as the file holds."""
    place = Path(path)
    scale = scale or Scale()
    if not place.is_file():
        raise CoefficientError(f"{place} is not there: without it no wave causes drift; compute it, or 'drift: none'")
    pairs = place.name.lower().endswith(".12d")
    rows = np.array(rows_of(place, 9, 9) if pairs else rows_of(place, 8, 8))
    if not pairs:
        rows = np.insert(rows, 1, rows[:, 0], axis=1)
    # a negative mode stands for the moment by another method, beside the positive one
    rows = rows[(rows[:, 2] == rows[:, 3]) & (rows[:, 4] > 0)]
    if not len(rows):
        raise CoefficientError(f"{place}: holds only pairs of different directions; waves of one direction are needed")
    first, second = scale.omega(rows[:, 0]), scale.omega(rows[:, 1])
    omega, headings = np.unique(np.concatenate([first, second])), np.unique(rows[:, 2])
    mode = np.array(modes_of(rows[:, 4].tolist(), place))
    size = 6 * math.ceil(int(mode.max()) / 6)
    at = np.searchsorted(headings, rows[:, 2]), np.searchsorted(omega, first), np.searchsorted(omega, second), mode - 1
    values = scale.density * scale.gravity * scale.length ** (1.0 + turning(mode)) * (rows[:, 7] + 1j * rows[:, 8])
    shape = len(headings), len(omega), len(omega), size
    matrix, given = np.zeros(shape, complex), np.zeros(shape, bool)
    matrix[at] = values
    given[at] = True
    mirrored = at[0], at[2], at[1], at[3]
    missing = ~given[mirrored]
    matrix[tuple(index[missing] for index in mirrored)] = values[missing].conj()
    diagonal = np.einsum("hiij->hij", matrix).real
    # a motion without any row at a heading feels nothing there
    lacking = np.asarray(given.any(axis=(1, 2)))[:, None] & ~np.einsum("hiij->hij", given)
    if lacking.any():
        _, i, motion = np.argwhere(lacking)[0]
        raise CoefficientError(
            f"{place}: motion {motion + 1} has no row of {omega[i]:.4g} rad/s with itself, which is the mean force; "
            "compute the diagonal too"
        )
    motions = tuple(np.unique(mode - 1).tolist())
    return Drift(omega, np.radians(headings), diagonal, matrix if pairs else None, str(place), motions)


def differs(momentum: Drift, pressure: Drift) -> float:
    """How far the mean drift of .8 (momentum) and .9 (pressure) are apart in surge and sway, over the largest."""
    both = momentum.mean[..., :2], pressure.mean[..., :2]
    if both[0].shape != both[1].shape:
        return float("nan")
    return float(np.abs(both[0] - both[1]).max() / max(np.abs(both[0]).max(), 1e-300))
