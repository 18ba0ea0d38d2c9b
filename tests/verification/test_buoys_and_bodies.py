"""Buoys that float and heave, bodies that swing and spin, a deflector on its bridles."""

import numpy as np
import pytest

from fairlead.studies.verification.checks import floating_buoy, rigid_body_pendulum


def test_a_sphere_floats_at_the_draft_of_its_cap():
    assert np.abs(floating_buoy.sphere_heights(0.2) - 0.2).max() < 5e-4


def test_a_sphere_let_go_higher_heaves_about_its_draft():
    """2π√((m + a)/ρgA) with the waterplane of the cap, for 1 cm; the added mass is that of the part under water."""
    z = floating_buoy.sphere_heights(0.21) - 0.2
    cap = np.pi * 0.3**2 * 1.2 / 3.0
    added = 0.5 * cap  # of the sphere's water, times its wetted part
    plane = np.pi * 0.3 * 0.7
    exact = 2.0 * np.pi * np.sqrt((cap + added) / (floating_buoy.GRAVITY * plane))
    down = np.flatnonzero((z[:-1] > 0.0) & (z[1:] <= 0.0))
    times = 0.005 * (down + z[down] / (z[down] - z[down + 1]))
    assert (times[-1] - times[0]) / (len(times) - 1) == pytest.approx(exact, rel=5e-3)
    assert np.abs(z).max() < 0.0102


def test_heave_of_a_spar():
    assert floating_buoy.spar_period()[0] == pytest.approx(floating_buoy.spar_period()[1], rel=2e-3)


def test_a_sphere_pulled_under_by_a_current():
    angle, exact_angle, pull, exact_pull = floating_buoy.pulled_under()
    assert angle == pytest.approx(exact_angle, rel=1e-6)
    assert pull == pytest.approx(exact_pull, rel=1e-6)


def test_bodies():
    """Period within 0.1 %, angular momentum of a top within 1 %, forces and moments on a deflector within 0.1 %."""
    records = list(rigid_body_pendulum.check())
    assert all(record.passed for record in records), records
