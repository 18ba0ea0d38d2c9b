"""Radiation by poles: known ones are found again, real data are met, and what is made never gives power away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairlead.floaters import CoefficientError, Coefficients, RadiationFit, fit_radiation
from fairlead.floaters.fit import coupled_blocks
from fairlead.floaters.kernels import memory

OMEGA = np.linspace(0.02, 4.0, 200)


def coefficients_of(kernel: np.ndarray, infinite: np.ndarray) -> Coefficients:
    """Coefficients of which K(iω) is the transfer function of the water's memory."""
    added = infinite + kernel.imag / OMEGA[:, None, None]
    return Coefficients(
        omega=OMEGA, added_mass=added, damping=kernel.real, headings=np.zeros(0),
        excitation=np.zeros((0, len(OMEGA), 6), complex), stiffness=np.zeros((6, 6)), added_mass_infinite=infinite,
    )  # fmt: skip


def heave_and_pitch() -> tuple[Coefficients, RadiationFit]:
    """Surge and pitch on two pairs of poles, heave on one: K = s (...) vanishes at rest and is passive."""
    shape, other = np.zeros((6, 6)), np.zeros((6, 6))
    shape[np.ix_([0, 4], [0, 4])] = [[4.0, -2.0], [-2.0, 3.0]]
    other[2, 2] = 2.0
    poles, residues = [], []
    for matrix, w, zeta in ((shape, 0.8, 0.3), (other, 1.1, 0.4)):
        # c s/(s² + 2ζw s + w²): zero at s = 0, Re >= 0 everywhere
        p = -zeta * w + 1j * w * np.sqrt(1 - zeta**2)
        poles.append(p)
        residues.append(matrix * p / (2j * p.imag))
    exact = RadiationFit(np.array(poles), np.array(residues), np.diag([10.0] * 6))
    return coefficients_of(exact.transfer(OMEGA), np.diag([10.0] * 6)), exact


def test_a_rational_memory_is_found_again_to_many_digits() -> None:
    data, exact = heave_and_pitch()
    found = fit_radiation(data, 1e-8)
    assert found.blocks == ((0, 4), (2,))
    assert found.orders == (2, 2)
    assert found.error < 1e-9
    np.testing.assert_allclose(np.sort_complex(found.poles), np.sort_complex(exact.poles), rtol=1e-6)
    time = np.linspace(0.0, 30.0, 50)
    np.testing.assert_allclose(found.impulse(time), exact.impulse(time), atol=1e-7 * np.abs(exact.impulse(time)).max())


def test_the_impulse_response_is_the_cosine_transform_of_the_damping() -> None:
    """K(t) = 2/π ∫ B cos ωt dω of the data, against that of the poles: B beyond the data is what is missing."""
    data, exact = heave_and_pitch()
    time = np.linspace(2.0, 40.0, 30)
    whole = exact.impulse(time)
    assert np.abs(memory(data, time) - whole).max() < 0.02 * np.abs(exact.impulse(np.zeros(1))).max()


def test_filon_does_not_repeat_itself_where_the_trapezium_rule_would() -> None:
    """With Δω = 0.05 the trapezium rule returns after 126 s; straight lines integrated exactly do not."""
    data, _ = heave_and_pitch()
    coarse = replace(
        data, omega=data.omega[::2], added_mass=data.added_mass[::2], damping=data.damping[::2],
        excitation=np.zeros((0, 100, 6), complex),
    )  # fmt: skip
    again = 2 * np.pi / (coarse.omega[1] - coarse.omega[0])
    first = np.abs(memory(coarse, np.zeros(1))).max()
    assert np.abs(memory(coarse, np.array([again]))).max() < 0.01 * first


def test_the_hemisphere_is_met_within_its_tolerance_and_is_passive(ball: Coefficients) -> None:
    found = fit_radiation(ball, 0.002)
    assert found.met
    assert found.error <= 0.002
    assert max(found.orders) <= 12
    kernel = ball.damping + 1j * ball.omega[:, None, None] * (ball.added_mass - found.added_mass_infinite)
    within = ball.omega < 2.5
    error = np.abs(found.transfer(ball.omega) - kernel)[within].max(axis=0)
    assert error[2, 2] < 0.01 * np.abs(kernel[:, 2, 2]).max()
    damping = found.transfer(np.linspace(0.0, 50.0, 5000)).real
    assert np.linalg.eigvalsh(damping).min() > -1e-4 * ball.damping.max()
    np.testing.assert_allclose(found.transfer(np.zeros(1)), 0.0, atol=1e-9 * np.abs(kernel).max())


def test_negative_damping_of_the_data_is_not_carried_into_the_fit(ball: Coefficients) -> None:
    """An irregular frequency: a spike below zero. The poles stay passive; away from it they keep to the data."""
    spoilt = ball.damping.copy()
    spoilt[16, 2, 2] = -0.3 * ball.damping[:, 2, 2].max()
    found = fit_radiation(replace(ball, damping=spoilt), 0.002)
    damping = found.transfer(np.linspace(0.0, 50.0, 5000)).real
    assert np.linalg.eigvalsh(damping).min() > -1e-4 * ball.damping.max()
    assert found.transfer(ball.omega[[7]])[0, 2, 2].real == pytest.approx(ball.damping[7, 2, 2], rel=0.1)


def test_without_the_infinite_frequency_it_is_made_from_the_rest(ball: Coefficients) -> None:
    found = fit_radiation(replace(ball, added_mass_infinite=None))
    assert found.added_mass_infinite[2, 2] == pytest.approx(ball.added_mass_infinite[2, 2], rel=2e-3)


def test_motions_that_make_no_waves_have_no_poles(ball: Coefficients) -> None:
    blocks = coupled_blocks(ball.damping, ball.added_mass_infinite, ball.density)
    assert [block.tolist() for block in blocks] == [[0], [1], [2]]


def test_a_band_without_data_is_refused(ball: Coefficients) -> None:
    with pytest.raises(CoefficientError, match="fewer than 4 frequencies"):
        fit_radiation(ball, band=0.2)
