"""The seabed as it was surveyed: a plane is a plane, normals are those of the surface, contact keeps energy, and a
chain that lies over a ridge without friction changes its tension with its height alone."""

import numpy as np
import pytest
from kernels.plain import plain

import fairlead as fl
from fairlead.loads.seabed_contact import bed_push
from fairlead.model import Environment
from fairlead.model.environment import Seabed
from fairlead.sea import water

X, Y = np.array([-50.0, 0.0, 40.0, 130.0, 260.0, 400.0]), np.array([-60.0, -10.0, 30.0, 90.0])
SLOPE = 0.03, -0.02


def on_grid(height, x=X, y=Y):
    """A bed of this height z(x, y) given by its depths on a grid."""
    depth = -height(x[:, None], y[None, :]) + np.zeros((len(x), len(y)))
    return {"x": x.tolist(), "y": y.tolist(), "depth": depth.tolist()}


def tilted(x, y):
    return -100.0 + SLOPE[0] * x + SLOPE[1] * y


def hills(x, y):
    return -60.0 + 8.0 * np.sin(x / 40.0) * np.cos(y / 50.0)


def places(count=50):
    random = np.random.default_rng(3)
    return random.uniform((-45, -55, -99), (390, 85, -40), (count, 3))


def test_a_tilted_plane_on_a_grid_is_the_plane():
    bed_at = plain(water.bed_at)
    plane = water.pack(Environment(seabed={"depth": 100.0, "slope": SLOPE}))
    grid = water.pack(Environment(seabed={"bathymetry": on_grid(tilted)}))
    for x, y, _ in places():
        (height, normal), (exact, upward) = bed_at(x, y, grid), bed_at(x, y, plane)
        assert height == pytest.approx(exact, abs=1e-12 * 100)
        np.testing.assert_allclose(normal, upward, rtol=0, atol=1e-14)
    assert grid[water.WAVE_DEPTH] == pytest.approx(100.0)


def test_kernel_and_python_see_the_same_bed_and_its_normal_is_that_of_its_heights():
    seabed = Seabed(bathymetry=on_grid(hills, np.linspace(-50, 400, 19), np.linspace(-60, 90, 9)))
    bed_at, sea, d = plain(water.bed_at), water.pack(Environment(seabed=seabed)), 1e-4
    heights, normals = water.bed_below(places(), sea)
    for k, (x, y, _) in enumerate(places()):
        height, normal = bed_at(x, y, sea)
        assert height == pytest.approx(heights[k], abs=1e-12)
        np.testing.assert_allclose(normal, normals[k], atol=1e-13)
        by_x = (seabed.level(x + d, y) - seabed.level(x - d, y)) / (2 * d)
        by_y = (seabed.level(x, y + d) - seabed.level(x, y - d)) / (2 * d)
        steep = np.array([-by_x, -by_y, 1.0])
        np.testing.assert_allclose(normal, steep / np.linalg.norm(steep), atol=1e-8)
        assert height == pytest.approx(hills(x, y), abs=0.4)  # cells of 25 m, hills of 250 m


def test_heights_go_through_the_soundings_and_are_held_beyond_the_edges():
    seabed = Seabed(bathymetry=on_grid(hills))
    for x in X:
        np.testing.assert_allclose(seabed.level(np.full(len(Y), x), Y), hills(x, Y), atol=1e-12)
    height, by_x, by_y = seabed.at(1000.0, 10.0)
    assert (height, by_x) == (seabed.level(400.0, 10.0), 0.0)
    assert by_y == pytest.approx(seabed.at(400.0 - 1e-9, 10.0)[2], abs=1e-7)
    single = Seabed(bathymetry={"x": [0.0, 10.0], "y": [7.0], "depth": [[20.0], [30.0]]})
    assert single.level(5.0, -1000.0) == single.level(5.0, 1000.0) == pytest.approx(-25.0)


def test_a_ball_that_slides_in_a_bowl_keeps_its_energy():
    """½mv² + mgz + ½k gap² of a point on the frictionless spring of the bed, as the contact law pushes it."""
    bowl = on_grid(lambda x, y: -20.0 + 0.01 * (x * x + y * y), np.linspace(-40, 40, 33), np.linspace(-40, 40, 33))
    sea = water.pack(Environment(seabed={"bathymetry": bowl}))
    push, gap = plain(bed_push), plain(water.bed_gap)
    k, g, h = 4e3, 9.81, 2e-3
    p, v = np.array([20.0, 0.0, 0.0]), np.array([0.0, 4.0, 0.0])
    p[2] = water.bed_below(p[None], sea)[0][0] - g / k

    def acceleration(p):
        active, _, bias, _, _, n = push(sea, 0.0, k, 0.0, 0.0, 0.0, p, v, np.zeros(4), 0, 0.0, 0.0, 0.0, 0.0)
        return np.array([0.0, 0.0, -g]) - (bias * np.array(n) if active else 0.0)

    def energy():
        return 0.5 * v @ v + g * p[2] + 0.5 * k * min(0.0, gap(p, 0.0, sea)) ** 2

    first, a, lowest = energy(), acceleration(p), p[2]
    for _ in range(1500):
        v = v + 0.5 * h * a
        p = p + h * v
        a = acceleration(p)
        v = v + 0.5 * h * a
        lowest = min(lowest, p[2])
    assert lowest < -17.5  # it went down by metres
    assert energy() == pytest.approx(first, abs=2e-3 * g)


def over_a_ridge(friction=0.0, **bed):
    x, y = np.linspace(-50, 400, 91), np.array([-200.0, 200.0])
    ridge = on_grid(lambda x, y: -100.0 + 10.0 * np.exp(-(((x - 120.0) / 40.0) ** 2)), x, y)
    return fl.System.model_validate(
        {
            "environment": {"seabed": {"stiffness": 1e6, "friction": friction, "bathymetry": ridge, **bed}},
            "types": {"chain": {"diameter": 0.1, "mass_per_length": 80.0, "axial_stiffness": 5e8}},
            "points": {
                "anchor": {"kind": "anchor", "position": [0, 0]},
                "top": {"kind": "fixed", "position": [300.0, 0.0, -10.0]},
            },
            "cables": {"line": {"start": "anchor", "end": "top", "type": "chain", "length": 350.0, "elements": 40}},
            "simulation": {"formulation": "lumped", "duration": 1.0, "step": 0.02},
        }
    )


def test_a_chain_over_a_ridge_without_friction_is_tauter_where_it_is_higher():
    """dT = w dz along a chain on any smooth surface, hanging or lying; and the bed pushes along its normal alone."""
    system = over_a_ridge()
    rest = fl.statics(system).outputs
    along = ("position", "tension_effective", "contact_force")
    place, tension, push = (np.asarray(rest[f"line.{key}"]) for key in along)
    weight = system.types["chain"].weight_in_water(system.environment)
    above = place[:, 2] - system.environment.seabed.level(place[:, 0], place[:, 1])
    lying = above[1:-1] < 0.06
    assert 15 <= lying.sum() < 35
    assert above[1:].min() > 0.0  # its axis stays above the bed, over the crest too
    assert place[lying.nonzero()[0] + 1, 2].max() > -91.0  # over the crest
    assert np.ptp(tension - weight * place[:, 2]) < 4e-3 * tension.max()
    _, normals = water.bed_below(place, water.pack(system.environment))
    assert np.abs(np.cross(push, normals)).max() < 1e-9 * np.abs(push).max()
    assert (push[1:-1][lying] * normals[1:-1][lying]).sum(axis=1).min() > 0.0


def test_an_anchor_stands_on_the_surveyed_bed_and_a_result_remembers_it(tmp_path):
    from fairlead.results import seabed_of

    system = over_a_ridge(friction=0.4)
    assert system.points["anchor"].position[2] == system.environment.seabed.level(0.0, 0.0)
    bed = seabed_of(fl.simulate(system.with_settings(duration=0.02)))
    x = np.linspace(-60, 420, 13)
    np.testing.assert_allclose(bed.height(x, 3.0 + 0 * x), system.environment.seabed.level(x, 3.0 + 0 * x))
