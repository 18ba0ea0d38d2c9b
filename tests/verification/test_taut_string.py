"""A cable stretched between two points: natural frequencies against those of a string."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.taut_string import ELEMENTS, LENGTH, MASS, TENSION, string_modes
from verification.closed_forms import taut_bars_frequencies, taut_string_frequencies


@pytest.fixture(scope="module")
def modes():
    return string_modes()


def test_first_two_frequencies_against_a_string(modes):
    """0.5 % with 20 bars."""
    assert modes.omega[::2] == pytest.approx(taut_string_frequencies(LENGTH, TENSION, MASS, 2), rel=5e-3)


def test_first_two_frequencies_against_hinged_bars(modes):
    """2e-4: the bars are a ten-thousandth further apart than their lengths add up to."""
    assert modes.omega[::2] == pytest.approx(taut_bars_frequencies(LENGTH, TENSION, MASS, ELEMENTS, 2), rel=2e-4)


def test_shapes_are_sines(modes):
    x = np.linspace(0.0, 1.0, ELEMENTS + 1)
    for k in (1, 2):
        shape = np.linalg.norm(modes.shapes["wire"][2 * k - 2], axis=1)
        assert np.abs(shape - np.abs(np.sin(k * np.pi * x))).max() < 1e-3
    assert "axial" not in modes.motions
