"""A ring on a straight taut wire at 11.3°: Coulomb's law, the energy book, passing bars, stopping at the ends."""

from math import cos, sin

import numpy as np
import pytest

from fairlead.studies.verification.checks import sliding_ring
from fairlead.studies.verification.checks.sliding_ring import GRAVITY, SLOPE, slide


def test_the_check_itself_passes():
    """Accelerations within 0.2 %, the work of friction within 0.5 %, no creep above 1e-5 m in 26 s."""
    records = list(sliding_ring.check())
    assert all(record.passed for record in records), records


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_the_way_down(friction):
    """½ g (sin − µ cos) t² within 0.5 %, and no jump in speed where the ring passes from bar to bar (2.5 m each)."""
    run = slide(friction)
    exact = 0.5 * GRAVITY * (sin(SLOPE) - friction * cos(SLOPE)) * run.time[-1] ** 2
    assert run.place[-1] - run.place[0] == pytest.approx(exact, rel=5e-3)
    if friction > 0.0:  # let go on its wire the ring bounces at 20 Hz, which only the first-order step damps
        run = slide(friction, scheme="first_order")
    gains = np.diff(run.speed)[20:]
    assert gains.max() / gains.min() < 1.01


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_energy_and_work_of_friction_add_up(friction):
    """Within 0.5 % of the kinetic energy gained."""
    run = slide(friction)
    missing = run.energy - run.energy[0] - run.friction - run.other
    assert np.abs(missing).max() < 0.005 * 0.5 * run.speed[-1] ** 2
    if friction:
        assert run.friction[-1] < -4.0


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_it_does_not_matter_which_end_the_file_names_first(friction):
    assert slide(friction, reverse=True).place == pytest.approx(slide(friction).place, abs=1e-9)


def test_it_sticks_where_friction_is_greater_than_the_slope():
    """The slip at first is elastic, h²µg at most; nothing moves thereafter."""
    run = slide(0.3, 30.0, 0.01)
    assert 0.0 < run.place[20] - run.place[0] < 0.01**2 * 0.3 * 20.0
    assert np.ptp(run.place[80:]) < 1e-6


@pytest.mark.parametrize("uphill", [False, True])
def test_it_stops_at_either_end_and_stays(uphill):
    """It arrives at 4.8 m/s, does not rebound, and rests; the energy goes to friction's account."""
    run = slide(0.0, 6.0, 0.01, 45.0, uphill=uphill)
    length = np.hypot(50.0, 10.0)
    arrived = run.time > 3.0
    assert run.speed.max() > 4.5
    assert run.place[arrived] == pytest.approx(length, abs=5e-3)
    assert np.ptp(run.place[run.time > 5.0]) < 1e-5
    assert np.abs(run.speed[run.time > 5.0]).max() < 1e-3
    missing = run.energy - run.energy[0] - run.friction - run.other
    assert np.abs(missing).max() < 0.01 * abs(run.friction[-1])
