"""Boxes and cylinders cut by the water however they are turned: closed forms of naval architecture."""

from math import cos, pi, radians, sin, sqrt, tan

import numpy as np
import pytest
from oracle.quaternions import exponential, matrix

from fairlead.algebra.compiled import entry
from fairlead.loads import cut_solid


@entry
def box(d, k, a):
    return cut_solid.cut_box(d, k, a)


@entry
def cylinder(d, k, radius, half):
    return cut_solid.cut_cylinder(d, k, radius, half)


LENGTH, WIDTH, HEIGHT = 12.0, 6.0, 3.0
HALF = (0.5 * LENGTH, 0.5 * WIDTH, 0.5 * HEIGHT)


def rolled(angle):
    """The vertical in the axes of a body that is rolled (about x)."""
    return 0.0, sin(angle), cos(angle)


def floated(cut, k, volume):
    """Water level at which a solid turned to k displaces a volume, by halving."""
    low, high = -50.0, 50.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if cut(middle, k)[1] < volume else (low, middle)
    return 0.5 * (low + high)


def arm(cut, k, volume):
    """Righting arm about the middle of the solid, in roll, at a displaced volume, m."""
    _, V, _, first, _ = cut(floated(cut, k, volume), k)
    return float(-np.cross(first, k)[0] / V)


SOLIDS = {
    "box": (lambda d, k: box(d, k, HALF), LENGTH * WIDTH, LENGTH * WIDTH**3 / 12.0),
    "cylinder": (lambda d, k: cylinder(d, k, 2.5, 1.5), pi * 2.5**2, pi * 2.5**4 / 4.0),
}


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("degrees", [0.01, 0.3, 1.0, 10.0, 22.0])
def test_a_wall_sided_body_rights_itself_by_the_wall_sided_formula(name, degrees):
    """(GM + ½ BM tan²φ) sin φ, G in the middle of the solid, until the deck edge is under water; exact."""
    cut, area, second = SOLIDS[name]
    draught, angle = 1.3, radians(degrees)
    radius = second / (area * draught)
    GM = radius + 0.5 * draught - 0.5 * HEIGHT
    exact = (GM + 0.5 * radius * tan(angle) ** 2) * sin(angle)
    assert arm(cut, rolled(angle), area * draught) == pytest.approx(exact, rel=2e-6)


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("degrees", [20.0, 60.0, 89.9, 90.0, 130.0, 180.0])
def test_all_of_it_under_water_has_its_volume_and_its_middle(name, degrees):
    cut, area, _ = SOLIDS[name]
    F, V, A, first, edge = cut(20.0, rolled(radians(degrees)))
    assert pytest.approx(area * HEIGHT) == V
    assert pytest.approx(area * HEIGHT * 20.0) == F
    assert (A, *first, *edge) == pytest.approx(np.zeros(7), abs=1e-9 * V)


@pytest.mark.parametrize("d", [-1.0, 0.4, 1.7])
def test_a_box_on_its_side_is_a_box_of_other_sides(d):
    """Rolled by 90° the width stands up."""
    F, V, A, first, _ = box(d, (0.0, 1.0, 0.0), HALF)
    wet = d + 0.5 * WIDTH
    assert pytest.approx(LENGTH * HEIGHT * wet) == V
    assert pytest.approx(LENGTH * HEIGHT) == A
    assert pytest.approx(LENGTH * HEIGHT * wet**2 / 2) == F
    assert first[1] == pytest.approx(V * (0.5 * wet - 0.5 * WIDTH))


def test_a_box_on_a_corner_shows_a_hexagon():
    """A cube balanced on a corner and half under water: volume a³/2, waterplane a regular hexagon, (3√3/4) a²."""
    k = (1.0 / sqrt(3.0),) * 3
    _, V, A, first, edge = box(0.0, k, (0.5, 0.5, 0.5))
    assert pytest.approx(0.5) == V
    assert pytest.approx(0.75 * sqrt(3.0)) == A
    assert np.cross(first, k) == pytest.approx(np.zeros(3), abs=1e-12)
    assert edge == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("d", [-0.8, 0.0, 0.5])
def test_a_cylinder_on_its_side_displaces_the_segment_of_its_circle(d):
    """By its eight slabs, to 2 % of the whole."""
    radius, half = 1.0, 2.0
    V = cylinder(d, (1.0, 0.0, 0.0), radius, half)[1]
    segment = np.arccos(-d) + d * sqrt(1.0 - d * d)
    assert pytest.approx(2.0 * half * segment, abs=0.02 * 2.0 * half * pi) == V


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("d", [-1.2, 0.1, 1.4])
def test_volume_and_moments_are_the_gradient_of_one_function(name, seed, d):
    """∂F/∂d = V, ∂F/∂k = −∫x dV, ∂V/∂d = A, ∂V/∂k = −∫x dA, turned any way; a vertical has k·dk = 0."""
    cut, area, _ = SOLIDS[name]
    R = matrix(exponential(np.random.default_rng(seed).normal(size=3)))
    k, e = R[2], 1e-5
    _, V, A, first, edge = cut(d, tuple(k))
    below, above = cut(d - e, tuple(k)), cut(d + e, tuple(k))
    size = area * HEIGHT
    assert (above[0] - below[0]) / (2 * e) == pytest.approx(V, abs=1e-6 * size)
    assert (above[1] - below[1]) / (2 * e) == pytest.approx(A, abs=1e-5 * size)
    for way in R[:2]:
        low, high = cut(d, tuple(k - e * way)), cut(d, tuple(k + e * way))
        assert (high[0] - low[0]) / (2 * e) == pytest.approx(-np.dot(first, way), abs=1e-5 * size)
        assert (high[1] - low[1]) / (2 * e) == pytest.approx(-np.dot(edge, way), abs=1e-4 * size)


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_nothing_jumps_where_a_side_turns_level(share):
    """Corners give way to Gauss points at a small lean; volume and moment are the same on both sides of it."""
    lean = share * cut_solid.LEVEL * HEIGHT / WIDTH
    _, V, _, first, _ = box(0.2, rolled(lean), HALF)
    assert pytest.approx(LENGTH * WIDTH * (0.5 * HEIGHT + 0.2 / cos(lean)), rel=1e-7) == V
    assert first[1] == pytest.approx(-LENGTH * WIDTH**3 / 12.0 * tan(lean), rel=1e-5)
