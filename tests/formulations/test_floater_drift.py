"""Slow drift of floaters: what is summed over waves is what sums over pairs of waves give."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.floaters.drift import Drift
from fairlead.model import Environment
from fairlead.rigging.floater_sea import drift_terms
from fairlead.sea.waves import AMPLITUDE, OMEGA, PHASE, wave_columns

SEA = wave_columns(
    Environment.model_validate(
        {"waves": {"kind": "jonswap", "significant_height": 4.0, "peak_period": 10.0, "components": 40}}
    )
)


@pytest.fixture(scope="module")
def drift() -> Drift:
    """T of surge that changes its sign, and with the difference its size and phase."""
    omega = np.linspace(0.2, 3.4, 33)
    one, two = np.meshgrid(omega, omega, indexing="ij")
    mean = 0.5 * (one + two)
    T = 1e4 * (mean - 0.55) * np.exp(1j * 0.8 * (one - two)) / (1.0 + (one - two) ** 2)
    matrix = np.zeros((1, 33, 33, 6), complex)
    matrix[0, :, :, 0] = T
    diagonal = np.einsum("hiij->hij", matrix).real
    return Drift(omega, np.zeros(1), diagonal, matrix)


def force(method: str, drift: Drift, times: np.ndarray) -> np.ndarray:
    """Surge force over time at the origin, from the terms."""
    mean, terms = drift_terms(drift, method, SEA, 0.0)
    theta = SEA[PHASE][:, None] - SEA[OMEGA][:, None] * times
    total = np.full(len(times), mean[0])
    for freedom, weight, (re, im) in terms:
        assert freedom == 0
        total += weight * np.abs((re + 1j * im) @ np.exp(-1j * theta)) ** 2
    return total


def test_the_whole_matrix_by_its_eigenvalues_is_the_sum_over_all_pairs(drift: Drift) -> None:
    times = np.linspace(0.0, 400.0, 300)
    a, omega = SEA[AMPLITUDE], SEA[OMEGA]
    one, two = np.meshgrid(omega, omega, indexing="ij")
    T = 1e4 * (0.5 * (one + two) - 0.55) * np.exp(1j * 0.8 * (one - two)) / (1.0 + (one - two) ** 2)
    E = a[:, None] * np.exp(1j * (omega[:, None] * times - SEA[PHASE][:, None]))
    known = np.einsum("it,ij,jt->t", E, T, E.conj()).real
    found = force("qtf", drift, times)
    np.testing.assert_allclose(found, known, atol=0.01 * np.abs(known).max())
    _, terms = drift_terms(drift, "qtf", SEA, 0.0)
    assert len(terms) < 25


def test_mean_drift_is_that_of_the_diagonal_whatever_the_method(drift: Drift) -> None:
    known = float(np.sum(SEA[AMPLITUDE] ** 2 * np.interp(SEA[OMEGA], drift.omega, drift.mean[0, :, 0])))
    for method in ("mean", "newman", "qtf"):
        mean, terms = drift_terms(drift, method, SEA, 0.0)
        total = mean[0] + sum(weight * float(np.sum(columns**2)) for _, weight, columns in terms)
        assert total == pytest.approx(known, rel=2e-3)


def test_newman_has_the_sign_of_the_drift_of_either_side(drift: Drift) -> None:
    """Waves that push and waves that pull do not beat with each other."""
    _, terms = drift_terms(drift, "newman", SEA, 0.0)
    assert sorted(weight for _, weight, _ in terms) == [-1.0, 1.0]
    pushing, pulling = (next(columns for _, weight, columns in terms if weight == sign) for sign in (1.0, -1.0))
    assert not (pushing[0] * pulling[0]).any()
