"""A bar without forces: its middle goes straight on, its angular momentum stays. A wrong Coriolis sign bends the path.

With the sign of the published equations the bar at 1 m/s and 0.5 rad/s would travel 0.9 m instead of 20 m in 20 s.
"""

import numpy as np
import pytest

from fairlead.studies.verification.checks.free_spinning_bar import DURATION, fly, inertia
from verification.closed_forms import spinning_bar_rates

END_OVER_END = np.array([0.3, 0.5, 0.0])
TUMBLING = np.array([0.3, 0.5, 2.0])


@pytest.mark.parametrize("water_density", [0.0, 1025.0])
def test_end_over_end_the_path_is_straight_and_the_angular_momentum_stays(water_density):
    """20 s at h = 0.0125: 1e-6 m and 1e-6, in air and with added mass (normal 1, axial 0) in water without drag."""
    flight = fly(END_OVER_END, 0.0125, water_density=water_density)
    assert flight.path < 1e-6
    assert flight.momentum < 1e-6
    assert flight.energy < 1e-6


@pytest.mark.parametrize("spin", [[0.0, 0.0, 10.0], [0.05, 0.0, 5.0], [0.3, 0.5, 2.0]])
def test_spin_about_the_own_axis_keeps_the_energy(spin):
    """The gyroscopic torque turns (w_x, w_y), whatever the step: energy to 1e-6 (its tangent would gain each step)."""
    for step in (0.0125, 0.1):
        flight = fly(np.array(spin), step)
        assert flight.path < 1e-6
        assert flight.energy < 1e-6


def test_tumbling_with_runge_kutta_4_keeps_angular_momentum_and_follows_euler():
    """All three rates at once, h = 5 ms: 1e-6 of angular momentum; body rates against Euler's equations, 1e-6."""
    flight = fly(TUMBLING, 0.005, "rk4")
    assert flight.path < 1e-6
    assert flight.momentum < 1e-6
    J = inertia()
    assert flight.rates == pytest.approx(spinning_bar_rates(DURATION, TUMBLING, J[0], J[2]), abs=1e-6)


def test_tumbling_with_the_default_step_converges_to_it():
    """Body rates and the direction of the angular momentum to second order: no drift, no wrong sign."""
    J = inertia()
    exact = spinning_bar_rates(DURATION, TUMBLING, J[0], J[2])
    coarse, fine = fly(TUMBLING, 0.0125), fly(TUMBLING, 0.00625)
    assert coarse.rates == pytest.approx(exact, abs=2e-3)
    assert np.abs(fine.rates - exact).max() < 0.3 * np.abs(coarse.rates - exact).max()
    assert coarse.momentum < 0.03
    assert fine.momentum == pytest.approx(0.25 * coarse.momentum, rel=0.05)
