"""Hulls as panels: closed, the right way round, of the right volume, and ending at the water wherever it stands."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.hulls import Hull, HullError
from fairlead.hydro.mesh_checks import MeshError, check_closed, check_panels
from fairlead.hydro.panels import Panels

ORIGIN = np.zeros(3)
SHAPES = {
    "sphere": (hulls.sphere(3.5, 28), np.array([0.0, 0.0, -7.0]), None),
    "floating sphere": (hulls.floating_sphere(1.0, 32), ORIGIN, 0.0),
    "cylinder": (hulls.cylinder(0.2, -0.5, 0.5, 24, 6), ORIGIN, 0.0),
    "box": (hulls.box(4.0, 2.0, -1.0, 1.0, 0.25), ORIGIN, 0.0),
    "spar": (hulls.revolution(np.array([(1.0, -3.0), (2.0, -1.5), (2.0, 1.0)]), 32, 8), ORIGIN, 0.0),
}
VOLUMES = {
    "sphere": 4.0 / 3.0 * math.pi * 3.5**3,
    "cylinder": math.pi * 0.2**2 * 0.5,
    "box": 8.0,
    "spar": math.pi * 1.5 * (1.0 + 2.0 + 4.0) / 3.0 + math.pi * 4.0 * 1.5,
}


@pytest.mark.parametrize("name", SHAPES)
def test_hull_is_closed_and_its_normals_point_into_the_body(name: str) -> None:
    hull, place, water = SHAPES[name]
    panels = hull.wetted(place)
    check_panels(panels, name)
    check_closed(panels, name, water)
    assert panels.areas.max() / panels.areas.min() < 14


@pytest.mark.parametrize("name", VOLUMES)
def test_volume_is_that_of_the_body(name: str) -> None:
    hull, place, _ = SHAPES[name]
    panels = hull.wetted(place)
    volume = -float(np.sum(panels.centres[:, 2] * panels.area_vectors[:, 2]))
    assert volume == pytest.approx(VOLUMES[name], rel=6e-3 if name == "spar" else 1e-6)


@pytest.mark.parametrize("name", SHAPES)
def test_half_is_half(name: str) -> None:
    hull, place, _ = SHAPES[name]
    whole, half = hull.wetted(place), hull.halved().wetted(place)
    assert 2 * len(half) == len(whole)
    assert half.centres[:, 1].min() > 0.0
    assert 2 * half.areas.sum() == pytest.approx(whole.areas.sum(), rel=1e-12)


def test_sphere_has_no_small_panels() -> None:
    panels = hulls.sphere(1.0, 32).rigid
    assert panels.areas.max() / panels.areas.min() < 1.3


def test_side_ends_at_the_water_of_a_wave_also_when_the_body_is_turned() -> None:
    hull = SHAPES["cylinder"][0]
    c, s = math.cos(0.2), math.sin(0.2)
    turned = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    for rotation in (None, turned):
        panels, line = hull.placed(np.array([0.1, 0.0, 0.05]), rotation, lambda x, y: 0.08 * np.cos(3.0 * x + y))
        np.testing.assert_allclose(line[:, 2], 0.08 * np.cos(3.0 * line[:, 0] + line[:, 1]), atol=1e-12)
        assert len(panels) == len(hull.wetted(ORIGIN))
        check_panels(panels, "cylinder")


def test_a_hull_that_leaves_the_water_or_is_swamped_says_so() -> None:
    hull = SHAPES["cylinder"][0]
    with pytest.raises(HullError, match="leaves the bottom"):
        hull.wetted(np.array([0.0, 0.0, 0.6]))
    with pytest.raises(HullError, match="over the deck"):
        hull.wetted(np.array([0.0, 0.0, -0.6]))


def test_disc_without_a_pole() -> None:
    disc, rim = hulls.butterfly(32)
    assert disc.areas.sum() == pytest.approx(0.5 * 32 * math.sin(2 * math.pi / 32), rel=1e-12)
    assert disc.areas.max() / disc.areas.min() < 2.5
    np.testing.assert_allclose(disc.normals, [[0.0, 0.0, 1.0]] * len(disc), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(disc.vertices[rim], axis=1), 1.0, rtol=1e-12)


def broken(change: object) -> Panels:
    panels = hulls.sphere(1.0, 16).rigid
    quads = panels.quads.copy()
    return change(panels.vertices.copy(), quads)  # type: ignore[operator]


def test_an_open_mesh_is_refused_with_the_place() -> None:
    panels = broken(lambda v, q: Panels(v, q[1:]))
    with pytest.raises(MeshError, match=r"buoy: the mesh is open: 4 edges .* near \[.*close the hole"):
        check_closed(panels, "buoy")


def test_a_mesh_inside_out_is_refused() -> None:
    panels = broken(lambda v, q: Panels(v, q[:, ::-1]))
    with pytest.raises(MeshError, match=r"inside out.*inverted: true"):
        check_closed(panels, "buoy")


def test_one_panel_the_wrong_way_round_is_found() -> None:
    def flip(v: np.ndarray, q: np.ndarray) -> Panels:
        q[7] = q[7, ::-1]
        return Panels(v, q)

    with pytest.raises(MeshError, match="disagree on which side is outside"):
        check_closed(broken(flip), "buoy")


def test_a_panel_without_area_is_named() -> None:
    def flatten(v: np.ndarray, q: np.ndarray) -> Panels:
        q[5, :] = q[5, 0]
        return Panels(v, q)

    with pytest.raises(MeshError, match=r"panel 5 of \d+ near .* has no area; remove it"):
        check_panels(broken(flatten), "buoy")


def test_an_asymmetric_mesh_cannot_be_halved() -> None:
    panels = hulls.sphere(1.0, 16).rigid
    with pytest.raises(MeshError, match="across the plane y = 0"):
        Hull(Panels(panels.vertices + np.array([0.0, 0.1, 0.0]), panels.quads)).halved()
