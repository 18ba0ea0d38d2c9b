"""What a sea does to a floater, from its coefficients: columns for the sums over waves (`floater_waves`)."""

from __future__ import annotations

import math

import numpy as np

from fairlead.floaters import Coefficients
from fairlead.floaters.drift import Drift
from fairlead.floaters.interpolation import at_frequencies, at_headings
from fairlead.sea.waves import AMPLITUDE, KX, KY, OMEGA

LOST = 1e-3
"""Part of a quadratic transfer function (of its Frobenius norm) that its small eigenvalues may hold."""
TOGETHER = 4
"""Eigenvalues are kept by so many: most seas of other seeds then have as many, and run in one pack."""


def turned_headings(waves: np.ndarray, heading: float) -> np.ndarray:
    """Direction the waves run to as seen from axes turned by `heading`, (n,), rad, within ±π."""
    angle = np.arctan2(waves[KY].astype(float), waves[KX].astype(float)) - heading
    return np.asarray((angle + math.pi) % (2 * math.pi) - math.pi)


def excitation_columns(data: Coefficients, body: int, waves: np.ndarray, heading: float) -> np.ndarray:
    """Re and Im of a X of each freedom and wave, (12, n), for axes turned by `heading` from north."""
    beta, omega = turned_headings(waves, heading), waves[OMEGA].astype(float)
    table = data.excitation[:, :, 6 * body : 6 * body + 6]
    X = at_headings(data.headings, at_frequencies(data.omega, table, omega), beta)
    parts = np.stack([X.real, X.imag], axis=2).reshape(len(omega), 12)
    return np.asarray((waves[AMPLITUDE][:, None] * parts).T.copy())


def drift_terms(
    drift: Drift | None, method: str, waves: np.ndarray, heading: float
) -> tuple[np.ndarray, list[tuple[int, float, np.ndarray]]]:
    """Mean drift (6,) and the terms of the slow one: freedom, weight λ, columns Re and Im of u (2, n).

    heading  of the floater's axes from north
    """
    if drift is None or method == "none" or not waves.shape[1]:
        return np.zeros(6), []
    beta, omega, a = turned_headings(waves, heading), waves[OMEGA].astype(float), waves[AMPLITUDE]
    mean = at_headings(drift.headings, at_frequencies(drift.omega, drift.mean, omega), beta)[:, :6]
    if method == "mean":
        return np.asarray(a**2 @ mean), []
    if method == "newman":
        return np.zeros(6), [
            (freedom, sign, np.stack([a * np.sqrt(np.maximum(sign * T, 0.0)), np.zeros(len(a))]))
            for freedom, T in enumerate(mean.T)
            for sign in (1.0, -1.0)
            if (sign * drift.mean[:, :, freedom] > 0.0).any()  # whatever the waves: other seeds have the same terms
        ]
    assert drift.matrix is not None
    a = a.astype(float)  # its eigenvectors leave no record
    table = at_headings(drift.headings, drift.matrix.reshape(len(drift.headings), 1, -1), beta[:1])[0]
    table = table.reshape(drift.matrix.shape[1:])
    left, terms = np.zeros(6), []
    for freedom in range(6):
        Q = np.outer(a, a) * between_pairs(drift.omega, table[:, :, freedom], omega)
        if not np.abs(Q).max() > 0.0:
            continue
        values, vectors = np.linalg.eigh(0.5 * (Q + Q.conj().T))
        order = np.argsort(-np.abs(values))
        beyond = np.sqrt(np.cumsum(values[order][::-1] ** 2)[::-1])  # what is left from each one on
        kept = order[: TOGETHER * math.ceil(np.count_nonzero(beyond > LOST * beyond[0]) / TOGETHER)]
        left[freedom] = values.sum() - values[kept].sum()  # the mean is whole whatever is left out
        terms += [(freedom, float(values[q]), np.stack([vectors[:, q].real, vectors[:, q].imag])) for q in kept]
    return left, terms


def between_pairs(known: np.ndarray, table: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """T(ω_i, ω_j) (n, n) from a table (nw, nw): plane in each of the two triangles that a cell falls into along its
    diagonal of equal difference, so that means are those of the diagonal; held below the data, nothing above."""
    i = np.clip(np.searchsorted(known, omega, side="right") - 1, 0, len(known) - 2)
    share = np.clip((omega - known[i]) / (known[i + 1] - known[i]), 0.0, 1.0)
    s, t = share[:, None], share[None, :]
    row, column = i[:, None], i[None, :]
    corner = np.where(s >= t, table[row + 1, column], table[row, column + 1])
    found = (1.0 - np.maximum(s, t)) * table[row, column] + np.abs(s - t) * corner
    found = found + np.minimum(s, t) * table[row + 1, column + 1]
    above = omega > known[-1] * (1 + 1e-9)
    return np.where(above[:, None] | above[None, :], 0.0, found)
