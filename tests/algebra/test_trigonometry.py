"""Sine and cosine together are those of the C library."""

import math

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.algebra.trigonometry import sine_cosine


@entry
def both(x):
    return sine_cosine(x)


def test_they_agree_with_the_library_over_eight_decades_and_in_every_quadrant():
    random = np.random.default_rng(2)
    angles = np.concatenate(
        [random.uniform(-1, 1, 4000) * 10.0 ** random.uniform(-8, 7, 4000), np.arange(-40, 41) * math.pi / 4]
    )
    found = np.array([both(x) for x in angles])
    assert np.abs(found[:, 0] - np.sin(angles)).max() < 3e-15
    assert np.abs(found[:, 1] - np.cos(angles)).max() < 3e-15
