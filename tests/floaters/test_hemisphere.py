"""The closed solution of a hemisphere agrees with published numbers, and with the relations all coefficients keep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.floaters import Coefficients
from fairlead.floaters.hemisphere import response
from fairlead.floaters.kernels import closing, infinite_added_mass

HULME = {  # Ka: added mass and damping in heave over the displaced mass (and ω); A. Hulme, J. Fluid Mech. 121 (1982)
    0.1: (0.8627, 0.1816), 0.2: (0.7938, 0.2793), 0.5: (0.5861, 0.3391), 0.8: (0.4699, 0.2899), 1.0: (0.4284, 0.2484),
    1.4: (0.3924, 0.1756), 2.0: (0.3884, 0.1030), 3.0: (0.4111, 0.0452),
}  # fmt: skip


@pytest.mark.parametrize("Ka", HULME)
def test_added_mass_and_damping_in_heave(Ka: float) -> None:
    water, _ = response(Ka)
    added, damping = HULME[Ka]
    assert water.real == pytest.approx(added, abs=1.5e-4)
    assert -water.imag == pytest.approx(damping, abs=1.5e-4)


@pytest.mark.parametrize("motion", ["heave", "surge"])
def test_waves_that_it_makes_carry_off_the_power_it_loses(motion: str) -> None:
    """Haskind: |X|² = 2 ρ g³ B/ω³ in heave, and twice that in surge along the waves."""
    for Ka in (0.1, 0.5, 1.0, 2.0):
        water, force = response(Ka, motion)
        power = (2.0 if motion == "heave" else 4.0) * (2.0 / 3.0 * math.pi) * -water.imag / Ka
        assert (math.pi * abs(force)) ** 2 == pytest.approx(power, rel=1e-4)


def test_long_waves_lift_it_as_a_still_water_would_and_push_it_a_quarter_period_before_the_crest() -> None:
    _, lift = response(1e-3)
    _, push = response(1e-3, "surge")
    assert abs(lift) == pytest.approx(1.0, abs=2e-3)
    assert math.degrees(np.angle(lift)) == pytest.approx(0.0, abs=0.1)
    assert math.degrees(np.angle(push)) == pytest.approx(90.0, abs=0.1)


def test_added_mass_and_damping_belong_together_by_ogilvie(ball: Coefficients) -> None:
    """A(∞) from A and B is that of the closed solution: half the displaced mass in heave."""
    found = infinite_added_mass(ball)
    assert found.value[2, 2] == pytest.approx(ball.added_mass_infinite[2, 2], rel=2e-3)
    assert found.value[0, 0] == pytest.approx(ball.added_mass_infinite[0, 0], rel=5e-3)
    assert closing(ball) < 5e-3
    assert found.spread < 0.01
