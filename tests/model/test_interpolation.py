"""Smooth curves through the rows of a table: the same whatever the direction of the axes, and no overshoot."""

from __future__ import annotations

import cmath
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from fairlead.model.interpolation import interpolated, mean_slope, smooth_slopes

NUMBER = st.floats(-50.0, 50.0).map(lambda x: round(x, 3))
GAP = st.floats(0.1, 20.0)
TABLES = st.lists(st.tuples(GAP, NUMBER, NUMBER, NUMBER), min_size=2, max_size=7).map(
    lambda rows: [(sum(row[0] for row in rows[: i + 1]), *row[1:]) for i, row in enumerate(rows)]
)


def turned(table, angle):
    c, s = math.cos(angle), math.sin(angle)
    return [(t, c * x - s * y, s * x + c * y, z) for t, x, y, z in table]


@given(TABLES, st.floats(0.0, 6.3), st.floats(0.0, 1.0))
def test_turning_a_table_turns_its_curve(table, angle, part):
    t = table[0][0] + part * (table[-1][0] - table[0][0])
    for here, there in zip(
        interpolated(table, t, plane=True), interpolated(turned(table, angle), t, plane=True), strict=True
    ):
        [(_, *expected)] = turned([(t, *here)], angle)
        assert there == pytest.approx(tuple(expected), abs=1e-6)  # a corner of nearly 90 degrees: slopes of √eps


@given(TABLES)
def test_between_two_rows_it_never_goes_back(table):
    """The part of the velocity along the line between two rows is nowhere negative; height alone likewise."""
    for low, high in pairwise(table):
        line, rise = np.subtract(high[1:3], low[1:3]), high[3] - low[3]
        for t in np.linspace(low[0], high[0], 23):
            rate = interpolated(table, t, plane=True)[1]
            assert np.dot(rate[:2], line) >= -1e-9 * np.dot(line, line)
            assert rate[2] * rise >= -1e-9 * rise * rise


def test_a_straight_path_has_the_slopes_of_the_monotone_cubic_in_any_direction():
    """scipy's, which is that of Fritsch and Butland, of the distance run."""
    times, run = np.array([0.0, 1.0, 3.0, 3.5, 7.0]), np.array([0.0, 2.0, 2.5, 6.0, 6.5])
    slopes = PchipInterpolator(times, run).derivative()(times)[1:-1]
    for angle in (0.0, 0.6, 2.0, 4.0):
        c, s = math.cos(angle), math.sin(angle)
        found = np.array(smooth_slopes([(t, c * r, s * r, 0.0) for t, r in zip(times, run, strict=True)], plane=True))
        assert found[1:-1, 0] == pytest.approx(c * slopes, rel=1e-12)
        assert found[1:-1, 1] == pytest.approx(s * slopes, rel=1e-12)


@pytest.mark.parametrize("bend", [0.1, 0.3, 0.6])
def test_a_circle_is_sailed_round_with_nearly_its_speed(bend):
    """Rows on a circle: the speed along it is θ/(2 sin(θ/2)) of that along the chords, the curve's to θ²/12."""
    slope = mean_slope(1.0, cmath.exp(1j * bend), 3.0, 3.0)
    assert cmath.phase(slope) == pytest.approx(bend / 2)
    assert abs(slope) == pytest.approx(bend / 2 / math.sin(bend / 2), abs=bend**2 / 10)


def test_it_stops_at_a_right_angle_and_where_it_turns_back():
    for e in (1j, -1j, -1.0, cmath.exp(2.0j), 0.0):
        assert mean_slope(1.0, e, 3.0, 3.0) == 0.0
    assert 0.0 < abs(mean_slope(1.0, cmath.exp(1.5j), 3.0, 3.0)) < 0.2
