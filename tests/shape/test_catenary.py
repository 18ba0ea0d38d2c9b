"""The hanging cable against closed forms."""

import numpy as np
import pytest
from scipy.optimize import brentq

from fairlead.shape import hang

from .equilibrium import length_error, worst_moment


def hung(span, rise, length, n, weight=1.0, **more):
    """A uniform cable of n elements from (0, 0, 0)."""
    lengths = np.full(n, length / n)
    return hang((0, 0, 0), (span, 0, rise), lengths, weight * lengths, **more)


def test_sinking_cables_start_where_an_independent_computation_of_the_same_discrete_catenary_puts_them():
    shape = hang((0, -375, 0), (0, 0, 0), np.full(50, 10.0), np.full(50, 11.2))
    expected = [(0, -317.60, -81.60), (0, -187.50, -147.20), (0, -57.40, -81.60)]
    assert np.abs(shape.nodes[[10, 25, 40]] - expected).max() < 0.01
    assert shape.balanced
    assert shape.state == "hanging"


@pytest.mark.parametrize(("span", "rise", "length"), [(80.0, 0.0, 100.0), (60.0, 40.0, 90.0), (40.0, -50.0, 80.0)])
def test_the_horizontal_force_converges_to_the_continuous_catenary_with_order_two(span, rise, length):
    # sqrt(L^2 - rise^2) = 2 (H/w) sinh(w span/2 H)
    reduced = np.sqrt(length**2 - rise**2)
    exact = brentq(lambda h: 2 * h * np.sinh(span / (2 * h)) - reduced, span / 100, 1000 * span, xtol=1e-14)
    errors = [abs(hung(span, rise, length, n).horizontal / exact - 1) for n in (20, 40, 80, 160)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 2) < 0.05)
    assert errors[-1] < 2e-4


def test_the_vertical_forces_carry_the_weight_and_a_level_cable_shares_it():
    shape = hung(80, 0, 100, 30, weight=16.408)
    assert shape.vertical_start == pytest.approx(-820.4, rel=1e-12)
    assert shape.vertical_end == pytest.approx(-820.4, rel=1e-12)
    inclined = hung(60, 40, 90, 30, weight=2.0)
    assert inclined.vertical_start + inclined.vertical_end == pytest.approx(-180, rel=1e-12)


def test_a_taut_cable_hung_by_a_hair_has_the_tension_of_the_shallow_parabola():
    # slack = L (wL)^2/(24 H^2)
    slack = 1e-8
    shape = hung(100 * (1 - slack), 0, 100, 200)
    assert shape.horizontal == pytest.approx(100 / np.sqrt(24 * slack), rel=1e-4)
    assert length_error(shape.nodes, np.full(200, 0.5)) < 1e-12


def test_a_buoyant_cable_is_the_mirror_image_of_a_sinking_one():
    lengths = np.linspace(1, 3, 17)
    sinking = hang((0, 0, -5), (20, 3, -9), lengths, 4 * lengths)
    buoyant = hang((0, 0, 5), (20, 3, 9), lengths, -4 * lengths)
    assert np.abs(buoyant.nodes * (1, 1, -1) - sinking.nodes).max() < 1e-12
    assert buoyant.nodes[:, 2].max() > 9
    assert buoyant.vertical_start > 0


def test_a_weightless_cable_lies_on_a_circle_below_its_chord():
    lengths = np.array([2.0, 1.0, 3.0, 1.5, 2.5])
    shape = hang((0, 0, 0), (0, 6, 0), lengths, np.zeros(5))
    assert length_error(shape.nodes, lengths) < 1e-12
    assert np.all(shape.nodes[1:-1, 2] < 0)
    y, z = shape.nodes[:, 1], shape.nodes[:, 2]
    middle = np.linalg.lstsq(np.column_stack((2 * y, 2 * z, np.ones(6))), y**2 + z**2, rcond=None)[0]
    radii = np.hypot(y - middle[0], z - middle[1])
    assert np.ptp(radii) < 1e-9
    assert np.all(shape.tensions == 0)


def test_a_slack_cable_below_one_point_hangs_as_two_straight_legs():
    shape = hang((3, 4, 0), (3, 4, -20), np.full(10, 10.0), np.full(10, 5.0))
    assert np.abs(shape.nodes[:, :2] - (3, 4)).max() < 1e-12
    assert shape.nodes[:, 2].min() == pytest.approx(-60)
    assert shape.balanced
    assert shape.horizontal == pytest.approx(0, abs=1e-9)


def test_a_loop_of_three_bars_hangs_as_a_triangle_with_a_strut_below():
    shape = hang((0, 0, 0), (0, 0, 0), np.ones(3), np.full(3, 2.0))
    assert shape.balanced
    assert np.abs(shape.nodes[1:3, 2] + np.sqrt(3) / 2).max() < 1e-12
    # moments about a foot: the legs lean by 30 degrees and carry half the strut's weight and half their own each
    assert shape.tensions[1] == pytest.approx(-2 * np.tan(np.pi / 6), rel=1e-9)


def test_two_bars_of_different_length_make_the_only_triangle_there_is():
    shape = hang((0, 0, 0), (6, 0, 0), [10.0, 5.0], [10.0, 5.0])
    assert np.abs(shape.nodes[1] - (9.25, 0, -np.sqrt(100 - 9.25**2))).max() < 1e-9
    assert shape.balanced
    assert worst_moment(shape, [10.0, 5.0], [10.0, 5.0]) < 1e-9


def test_a_clump_weight_pulls_the_cable_into_two_straight_lines():
    extra = np.zeros(21)
    extra[10] = 1e6
    lengths = np.full(20, 5.0)
    shape = hang((0, 0, 0), (60, 0, 0), lengths, 1e-3 * lengths, node_weights=extra)
    assert np.abs(shape.nodes[10] - (30, 0, -40)).max() < 1e-3
    assert shape.tensions[0] == pytest.approx(0.5e6 / 0.8, rel=1e-3)
    assert worst_moment(shape, lengths, 1e-3 * lengths, extra) < 1e-12


def test_weights_at_the_ends_load_the_supports_but_leave_the_shape():
    extra = np.zeros(11)
    extra[0], extra[-1] = 7.0, 9.0
    plain = hung(6, 2, 10, 10)
    loaded = hung(6, 2, 10, 10, node_weights=extra)
    assert np.array_equal(plain.nodes, loaded.nodes)
    assert loaded.vertical_start == pytest.approx(plain.vertical_start - 7)
    assert loaded.vertical_end == pytest.approx(plain.vertical_end - 9)


def test_one_element_cannot_sag_and_is_stretched_with_all_its_weight():
    shape = hang([0, 0, 0], [2, 0, 0], [1.0], [200.0], axial_stiffness=1e5)
    assert shape.strain == pytest.approx([1.0])
    assert shape.tensions == pytest.approx([1e5])
    assert "strain 100 %" in shape.note


def test_a_cable_shorter_than_its_chord_is_stretched_like_springs_in_series_and_says_so():
    lengths, stiffness = np.array([10.0, 20.0, 20.0]), np.array([1e6, 2e6, 4e6])
    shape = hang((0, 0, 0), (0, 30.3, 40.4), lengths, 0.0 * lengths, axial_stiffness=stiffness)
    tension = 0.5 / (10 / 1e6 + 20 / 2e6 + 20 / 4e6)
    assert shape.taut
    assert np.allclose(shape.tensions, tension)
    assert np.allclose(shape.strain, tension / stiffness)
    assert np.allclose(np.linalg.norm(np.diff(shape.nodes, axis=0), axis=1), lengths * (1 + tension / stiffness))
    assert np.allclose(shape.force_start, tension * np.array([0, 0.6, 0.8]))
    assert "strain 2 %" in shape.note
    assert "tension 20 kN" in shape.note


def test_an_elastic_cable_is_the_elastic_catenary():
    """x = H L0/EA + H/w (asinh(V/H) - asinh((V - w L0)/H)), z likewise (Irvine 1981), to second order."""
    weight, length, stiffness = 200.0, 110.0, 2e5
    for ends in ((100.0, 30.0), (110.0, 20.0), (60.0, -80.0)):
        errors = []
        for n in (40, 80):
            shape = hang((0, 0, 0), (ends[0], 0, ends[1]), np.full(n, length / n), np.full(n, weight * length / n),
                         axial_stiffness=stiffness)  # fmt: skip
            h, v = shape.horizontal, -shape.vertical_end
            low = v - weight * length
            x = h * length / stiffness + h / weight * (np.arcsinh(v / h) - np.arcsinh(low / h))
            z = (v**2 - low**2) / (2 * stiffness * weight) + (np.hypot(h, v) - np.hypot(h, low)) / weight
            errors.append(float(np.hypot(x - ends[0], z - ends[1])))
            assert shape.balanced
            assert np.allclose(shape.strain, shape.tensions / stiffness, rtol=1e-12)
        assert errors[1] < 0.27 * errors[0] < 0.01


def test_a_cable_as_long_as_its_chord_is_straight_without_strain():
    shape = hang((0, 0, 0), (30, 0, 40), np.full(5, 10.0), np.ones(5))
    assert shape.state == "straight"
    assert not shape.strain.any()
    assert shape.note == ""


def test_an_upright_cable_carries_the_weight_below_each_element():
    lengths = np.array([5.0, 10.0, 5.0])
    shape = hang((0, 0, 0), (0, 0, -20), lengths, 3 * lengths)
    assert np.allclose(shape.tensions, [52.5, 30.0, 7.5])
    assert np.allclose(shape.force_start, (0, 0, -60))
    assert np.allclose(shape.force_end, 0)


@pytest.mark.parametrize("lengths", [[10.0], [10.0, 1.0, 1.0]])
def test_a_bar_too_long_for_its_chord_is_squeezed_and_says_what_to_do(lengths):
    shape = hang((0, 0, 0), (4, 0, 0), lengths, lengths)
    assert shape.state == "squeezed"
    assert np.allclose(np.linalg.norm(np.diff(shape.nodes, axis=0), axis=1), np.array(lengths) * (1 + shape.strain))
    assert "use more elements" in shape.note


def test_one_element_that_fits_is_a_straight_bar():
    shape = hang((0, 0, 0), (3, 4, 0), [5.0], [10.0])
    assert shape.state == "straight"
    assert np.array_equal(shape.nodes, [(0, 0, 0), (3, 4, 0)])


@pytest.mark.parametrize(
    "wrong",
    [
        {"lengths": []},
        {"lengths": [1.0, -1.0], "weights": [1.0, 1.0]},
        {"weights": [1.0, 2.0]},
        {"end": (np.nan, 0, 0)},
        {"node_weights": [1.0]},
    ],
)
def test_arrays_that_do_not_fit_are_refused(wrong):
    given = {"start": (0, 0, 0), "end": (1, 0, 0), "lengths": [2.0, 2.0, 2.0], "weights": [1.0, 1.0, 1.0]} | wrong
    with pytest.raises(ValueError, match="hang"):
        hang(**given)
