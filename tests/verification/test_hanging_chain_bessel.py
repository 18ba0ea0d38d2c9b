"""A hanging chain of 20 bars at rest: natural frequencies against Bessel's zeros and exact hinged bars."""

import numpy as np
import pytest
from scipy.special import j0, jn_zeros

from fairlead.studies.verification.checks.hanging_chain_modes import ELEMENTS, LENGTH, chain_modes
from verification.closed_forms import hanging_bars_frequencies, hanging_chain_frequencies


@pytest.fixture(scope="module")
def modes():
    return chain_modes()


def test_first_three_frequencies_against_bessel_zeros(modes):
    """0.02 %, 0.3 % and 1.1 %: what twenty straight bars make of a smooth curve."""
    error = np.abs(modes.omega[::2] / hanging_chain_frequencies(LENGTH, 3) - 1.0)
    assert np.all(error < [2e-4, 3e-3, 1.1e-2]), error


def test_first_three_frequencies_against_hinged_bars(modes):
    """The same mechanism solved exactly: what is left is the stretch of the chain."""
    exact = hanging_bars_frequencies(LENGTH, ELEMENTS, 3, diameter=0.01)
    assert modes.omega[::2] == pytest.approx(exact, rel=1e-5)


def test_each_frequency_comes_twice(modes):
    """Although the stiffness of the chain is eight orders above that of its swinging."""
    assert modes.omega[::2] == pytest.approx(modes.omega[1::2], rel=1e-9)
    assert set(modes.motions) == {"sideways"}


def test_shapes_are_bessel_functions(modes):
    """J₀ of the root of the height above the lower end; one more node with each mode."""
    height = 1.0 - np.linspace(0.0, 1.0, ELEMENTS + 1)
    for k, zero in enumerate(jn_zeros(0, 3)):
        moved = modes.shapes["chain"][2 * k]
        shape = moved @ moved[-1] / (moved[-1] @ moved[-1])
        assert np.abs(shape - j0(zero * np.sqrt(height))).max() < 0.05
        assert np.sum(np.diff(np.sign(shape[1:])) != 0) == k


def test_frequencies_converge_with_the_square_of_the_bars():
    exact = hanging_chain_frequencies(LENGTH, 2)
    errors = [np.abs(chain_modes(n, 4).omega[::2] / exact - 1.0) for n in (20, 40)]
    assert np.log2(errors[0] / errors[1])[1] == pytest.approx(2.0, abs=0.2)
