"""A hanging chain of 20 bars that swings: frequencies from a run, against Bessel's zeros and exact hinged bars."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.hanging_chain_run import ELEMENTS, LENGTH, swinging_frequencies
from verification.closed_forms import hanging_bars_frequencies, hanging_chain_frequencies


@pytest.fixture(scope="module")
def frequencies():
    return swinging_frequencies(0.005)


def test_first_three_frequencies_against_bessel_zeros(frequencies):
    """0.02 %, 0.3 % and 1.1 %: what twenty straight bars make of a smooth curve."""
    error = np.abs(frequencies / hanging_chain_frequencies(LENGTH, 3) - 1.0)
    assert np.all(error < [2e-4, 3e-3, 1.1e-2]), error


def test_first_three_frequencies_against_hinged_bars(frequencies):
    """The same mechanism solved exactly for small angles: 1e-4, the rest is the amplitude and the step."""
    assert frequencies == pytest.approx(hanging_bars_frequencies(LENGTH, ELEMENTS, 3, diameter=0.01), rel=1e-4)
