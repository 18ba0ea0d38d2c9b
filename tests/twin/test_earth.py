"""Latitude and longitude in the axes of the system, exactly, and levers from an antenna."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.twin.earth import Frame


def test_a_way_along_the_meridian_is_as_long_as_the_ellipsoid_has_it():
    """Radius of curvature of the meridian at 59°: a(1 − e²)/(1 − e² sin²φ)^(3/2)."""
    frame = Frame(59.0, 3.0)
    x, y, z = frame.local(59.001, 3.0, 4.0)
    e2 = 0.0066943799901413165
    radius = 6378137.0 * (1 - e2) / (1 - e2 * np.sin(np.radians(59.0005)) ** 2) ** 1.5
    assert x == pytest.approx(radius * np.radians(0.001), abs=1e-5)
    assert (y, z) == (pytest.approx(0.0, abs=1e-9), 4.0)


def test_east_is_to_the_right_of_north_and_axes_turn_with_the_heading():
    frame, turned = Frame(59.0, 3.0), Frame(59.0, 3.0, 90.0)
    east = frame.local(59.0, 3.01)
    assert east[1] < -500.0
    assert turned.local(59.0, 3.01)[0] == pytest.approx(-east[1], abs=1e-6)
    assert turned.local(59.01, 3.0)[1] == pytest.approx(frame.local(59.01, 3.0)[0], abs=1e-6)


def test_places_50_km_apart_are_metres_off_in_a_plane_chart_and_exact_here():
    """At 50 km the chord is shorter than the arc by s³/24R²; a second-order formula is metres off."""
    frame = Frame(59.0, 3.0)
    x, y, _ = frame.local(59.3, 3.6)
    far = np.array([x, y])
    up = Frame(59.3, 3.6).local(59.0, 3.0)[:2]
    assert np.linalg.norm(far) == pytest.approx(np.linalg.norm(up), rel=2e-6)  # seen from there it is as far


@pytest.mark.parametrize(
    ("heading", "arm", "expected"),
    [
        (0.0, (10, 0, 0), (10, 0, 0)),
        (90.0, (10, 0, 0), (0, -10, 0)),
        (90.0, (0, 10, 0), (10, 0, 0)),
        (180.0, (10, 2, 1), (-10, -2, 1)),
    ],
)
def test_a_lever_turns_with_the_ship(heading, arm, expected):
    assert Frame(59.0, 3.0).lever(arm, heading) == pytest.approx(expected, abs=1e-12)


def test_a_lever_rolls_and_pitches():
    frame = Frame(59.0, 3.0)
    assert frame.lever((10, 0, 0), 0.0, pitch=30.0)[2] == pytest.approx(5.0)  # the bow goes up
    assert frame.lever((0, 10, 0), 0.0, roll=30.0)[2] == pytest.approx(5.0)  # starboard down, port up
