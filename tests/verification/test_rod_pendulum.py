"""A rod on a hinge, let go 1 rad from the vertical, swings with the period of the elliptic integral.

A velocity kept in the turning frame and advanced by plain Euler gains 37 % of energy here; explicit Euler gains more.
"""

import numpy as np
import pytest

from fairlead.studies.verification.checks.rod_pendulum import AMPLITUDE, DIAMETER, LENGTH, swing
from verification.closed_forms import rod_pendulum_angle, rod_pendulum_period


@pytest.fixture(scope="module")
def fine():
    return swing(0.0125)


def test_period_within_half_a_per_mille(fine):
    """Mean of ten periods against 4 K(sin²½)/ω₀: 0.05 %."""
    assert fine.period == pytest.approx(rod_pendulum_period(LENGTH, AMPLITUDE, DIAMETER), rel=5e-4)


def test_energy_kept_within_one_percent_for_a_minute(fine):
    """Kinetic and potential energy from the lowest point, at every step: 1 %."""
    assert np.abs(fine.energy - 1.0).max() < 0.01


def test_tip_follows_the_elliptic_function(fine):
    """Angle at every step for 60 s against sn: the tip (10 m away) is off by 0.03 m at most, a quarter with half the
    step."""
    exact = rod_pendulum_angle(fine.time, LENGTH, AMPLITUDE, DIAMETER)
    error = LENGTH * np.abs(fine.angle - exact).max()
    assert error < 0.03
    finer = swing(0.00625)
    exact = rod_pendulum_angle(finer.time, LENGTH, AMPLITUDE, DIAMETER)
    assert LENGTH * np.abs(finer.angle - exact).max() == pytest.approx(0.25 * error, rel=0.1)


def test_a_step_four_times_as_long_keeps_the_period_and_a_tenth_of_the_energy():
    """h = 0.05 s, a hundredth of the period: 0.1 % and 10 %."""
    coarse = swing(0.05)
    assert coarse.period == pytest.approx(rod_pendulum_period(LENGTH, AMPLITUDE, DIAMETER), rel=1e-3)
    assert np.abs(coarse.energy - 1.0).max() < 0.1
