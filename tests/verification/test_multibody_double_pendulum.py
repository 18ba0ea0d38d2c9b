"""A rod on a hinge with a load on a wire, against Lagrange's equations."""

import numpy as np

from fairlead.studies.verification.checks.multibody_double_pendulum import angles, lagrange, pendulum


def test_angles_follow_lagrange():
    """Both angles for 5 s: 2e-4 rad with a step of 0.002 s, about 16 times less with a quarter of it."""
    times, coarse = angles(pendulum(0.002))
    exact = lagrange(times)
    _, fine = angles(pendulum(0.0005))
    error = np.abs(coarse - exact).max()
    assert error < 2e-4
    assert error > 12.0 * np.abs(fine - exact).max()
