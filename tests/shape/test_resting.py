"""Cables that rest on the seabed, or float on the surface."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from fairlead.shape import Plane, hang

from .equilibrium import length_error

BED = Plane(-100.0)


def laid(start, end, length, n, bed=BED, weight=1.0):
    lengths = np.full(n, length / n)
    shape = hang(start, end, lengths, weight * lengths, seabed=bed)
    assert length_error(shape.nodes, lengths) < 1e-12
    assert bed.height(shape.nodes[1:-1]).min() >= -1e-9
    return shape


def test_a_mooring_line_touches_down_like_the_catenary_of_the_textbook():
    # suspended s = sqrt(h^2 + 2 h H/w) over x = (H/w) acosh(1 + w h/H), the rest of the 240 m straight on the bed
    def too_far(h):
        return 240 - np.sqrt(100**2 + 200 * h) + h * np.arccosh(1 + 100 / h) - 200

    exact = brentq(too_far, 1, 1e4)
    shape = laid((0, 0, -100), (200, 0, 0), 240, 480)
    assert shape.state == "resting"
    assert shape.balanced
    assert shape.horizontal == pytest.approx(exact, rel=1e-4)
    assert shape.vertical_end == pytest.approx(-np.sqrt(100**2 + 200 * exact), rel=1e-4)
    grounded = shape.nodes[np.abs(shape.nodes[:, 2] + 100) < 1e-9]
    assert grounded[-1, 0] == pytest.approx(240 - np.sqrt(100**2 + 200 * exact), abs=0.6)
    assert np.allclose(np.diff(grounded[:, 0]), 0.5)


def test_heights_rise_from_the_touch_down_to_both_ends():
    shape = laid((0, 0, 0), (150, 200, -40), 360, 90)
    z = shape.nodes[:, 2]
    lowest = np.flatnonzero(z < -100 + 1e-9)
    assert len(lowest) > 3
    assert np.all(np.diff(z[: lowest[0] + 1]) < 0)
    assert np.all(np.diff(z[lowest[-1] :]) > 0)
    plane = np.cross((150, 200, 0), (0, 0, 1)) / 250
    assert np.abs(shape.nodes @ plane).max() < 1e-9


def test_more_cable_than_needed_lies_as_an_arc_on_the_bed_without_pull():
    shape = laid((0, 0, -100), (200, 0, 0), 330, 66)
    assert shape.horizontal == pytest.approx(0, abs=1e-12)
    assert shape.balanced
    assert np.abs(shape.nodes[-20:, :2] - (200, 0)).max() < 1e-9
    assert np.abs(shape.nodes[:, 1]).max() > 10
    assert shape.vertical_end == pytest.approx(-102.5)


def test_a_cable_piled_below_its_upper_end_keeps_clear_of_the_bed():
    shape = laid((0, 0, 0), (0, 0, -100), 150, 30)
    assert shape.balanced


def test_an_anchor_in_the_bed_is_left_by_the_first_element():
    # the anchor is on the bed, the axis of the cable rests 0.2 m above it
    shape = laid((0, 0, -100), (200, 0, 0), 240, 48, bed=BED.above(0.2))
    assert np.all(np.abs(shape.nodes[1:4, 2] + 99.8) < 1e-9)


def test_floats_along_a_riser_lift_it_into_a_wave():
    n = 120
    lengths = np.full(n, 2.0)
    places = np.cumsum(lengths) - 1
    weights = np.where((places > 108) & (places < 156), -2.0, 1.0) * lengths
    shape = hang((0, 0, -100), (150, 0, 0), lengths, weights, seabed=BED)
    assert shape.state == "resting"
    assert shape.balanced
    assert length_error(shape.nodes, lengths) < 1e-12
    z = shape.nodes[:, 2]
    assert z[1:-1].min() >= -100 - 1e-9
    turns = np.flatnonzero(np.diff(np.sign(np.diff(z[z > -99]))))
    assert len(turns) == 2  # a hog and a sag between touch-down and top
    grounded = int((z < -100 + 1e-9).sum())
    lifted = weights[grounded:].sum()
    assert -shape.vertical_end == pytest.approx(lifted, abs=weights.max())


def test_a_slope_is_followed():
    bed = Plane(-100.0, (0.1, -0.05))
    shape = laid((0, 0, -100), (250, 60, 0), 300, 60, bed=bed)
    on_bed = np.abs(bed.height(shape.nodes)) < 1e-9
    assert on_bed.sum() > 10
    steps = np.diff(shape.nodes[on_bed], axis=0)
    assert np.abs(steps - steps[0]).max() < 1e-9


def test_a_weightless_cable_is_swung_clear_of_the_bed():
    shape = laid((0, 0, -99), (50, 0, -99), 80, 20, weight=0.0)
    assert shape.state == "resting"


def test_a_cable_that_stays_above_the_bed_does_not_know_it():
    free = hang((0, 0, 0), (80, 0, 0), np.full(10, 10.0), np.full(10, 10.0))
    assert np.array_equal(laid((0, 0, 0), (80, 0, 0), 100, 10, weight=1.0).nodes, free.nodes)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    n=st.sampled_from((2, 3, 5, 9, 20, 60)),
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(("uniform", "uneven", "floats", "weightless", "buoyant")),
    sloping=st.booleans(),
    grounded=st.sampled_from((0, 1, 2)),
    reach=st.floats(0, 1.1),
)
def test_no_cable_lies_below_the_bed(n, seed, kind, sloping, grounded, reach):
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(0.5, 5, n)
    total = float(lengths.sum())
    bed = Plane(-rng.uniform(0.05, 1) * total, tuple(rng.uniform(-0.4, 0.4, 2)) if sloping else (0.0, 0.0))
    start = rng.uniform(-0.5, 0.5, 3) * total
    toward = rng.normal(size=3)
    end = start + toward / np.linalg.norm(toward) * total * reach
    for k, point in enumerate((start, end)):
        if k < grounded or bed.height(point) < 0:
            point[2] -= bed.height(point)
    weights = {
        "uniform": 2 * lengths,
        "uneven": lengths * rng.uniform(0.5, 2, n),
        "floats": lengths * rng.normal(size=n),
        "weightless": 0 * lengths,
        "buoyant": -lengths,
    }[kind]
    shape = hang(start, end, lengths, weights, seabed=bed, axial_stiffness=1e8)
    assert np.isfinite(shape.nodes).all()
    assert np.isfinite(shape.tensions).all()
    if shape.state in ("stretched", "squeezed"):
        assert shape.note
        return
    assert length_error(shape.nodes, lengths * (1.0 + shape.strain)) < 1e-12
    if n > 3:
        assert bed.height(shape.nodes[1:-1]).min() >= -1e-9
    elif bed.height(shape.nodes[1:-1]).min() < -1e-9:
        assert "seabed" in shape.note  # two or three bars may have no way to lie
