"""The mesh of the free surface: it covers the water outside the hulls, whole or half, and follows the waterlines."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.mesh_checks import MeshError
from fairlead.hydro.surface_mesh import SurfaceMesh, disc, graded, rings_about
from fairlead.hydro.triangles import triangles_about

CYLINDER = hulls.cylinder(0.2, -0.5, 0.5, 24, 6).placed(np.zeros(3))[1]
LEFT = hulls.box(4.0, 2.0, -1.0, 1.0, 0.5).placed(np.array([-4.0, 0.0, 0.0]))[1]
RIGHT = hulls.cylinder(1.0, -1.0, 1.0, 16, 4).placed(np.array([2.0, 0.0, 0.0]))[1]

MESHES = {
    "over a submerged body": (disc((0.0, 0.0), 120.0, 32, 4.0, 6.0), math.pi * 120.0**2, 0.01),
    "round a cylinder": (rings_about(CYLINDER, (0.0, 0.0), 12.5, 0.6), math.pi * (12.5**2 - 0.2**2), 0.02),
    "round two bodies": (triangles_about([LEFT, RIGHT], (0.0, 0.0), 30.0, 4.0), math.pi * (30.0**2 - 1.0) - 8.0, 0.01),
}


@pytest.mark.parametrize("name", MESHES)
def test_panels_cover_the_water_once_and_look_up(name: str) -> None:
    mesh, area, within = MESHES[name]
    panels = mesh.at()
    assert panels.areas.sum() == pytest.approx(area, rel=within)
    np.testing.assert_allclose(panels.normals[:, 2], 1.0)


@pytest.mark.parametrize("name", MESHES)
def test_half_of_the_surface(name: str) -> None:
    mesh = MESHES[name][0]
    half = mesh.halved().at()
    assert 2 * half.areas.sum() == pytest.approx(mesh.at().areas.sum(), rel=1e-9)
    assert half.vertices[half.quads][:, :, 1].min() > -1e-9


def test_no_polar_centre_and_even_sizes() -> None:
    panels = MESHES["over a submerged body"][0].at()
    inner = panels.areas[np.linalg.norm(panels.centres[:, :2], axis=1) < 15.0]
    assert inner.min() > 10.0
    assert inner.max() < 45.0


def moved(mesh: SurfaceMesh, shift: np.ndarray) -> np.ndarray:
    return mesh.rest + shift


@pytest.mark.parametrize("name", ["round a cylinder", "round two bodies"])
def test_mesh_follows_the_waterline_and_stays_valid(name: str) -> None:
    mesh = MESHES[name][0]
    shift = np.zeros_like(mesh.rest)
    shift[:, 0] = 0.1 if name == "round a cylinder" else np.where(mesh.rest[:, 0] < 0.0, 0.5, -0.7)
    panels = mesh.at(mesh.rest + shift)
    assert panels.normals[:, 2].min() > 0.999
    assert panels.areas.min() > 0.3 * mesh.at().areas.min()
    rim = np.abs(np.linalg.norm(mesh.base - mesh.centre, axis=1) - mesh.radius) < 1e-9 * mesh.radius
    np.testing.assert_allclose(panels.vertices[rim, :2], mesh.base[rim], atol=1e-12)
    np.testing.assert_allclose(panels.vertices[: len(shift), :2], mesh.rest + shift, atol=1e-12)
    np.testing.assert_allclose(mesh.velocity(shift), panels.vertices[:, :2] - mesh.base, atol=1e-12)


def test_steps_grow_to_the_largest_and_fill_the_length() -> None:
    places = graded(100.0, 1.0, 8.0, 1.3)
    steps = np.diff(places)
    assert places[-1] == pytest.approx(100.0)
    assert steps[0] == pytest.approx(1.0, rel=0.1)
    assert steps.max() == pytest.approx(8.0, rel=0.1)
    assert (np.diff(steps) > -1e-12).all()


def test_a_body_outside_the_domain_is_refused() -> None:
    with pytest.raises(MeshError, match=r"outside the domain or the domain too small.*larger `radius`"):
        rings_about(CYLINDER + np.array([11.0, 0.0, 0.0]), (0.0, 0.0), 12.5, 0.6)
    with pytest.raises(MeshError, match="waterlines cross; move the bodies apart"):
        triangles_about([LEFT, LEFT + np.array([1.0, 0.0, 0.0])], (0.0, 0.0), 30.0, 4.0)


def test_a_block_too_large_for_the_domain_is_refused() -> None:
    with pytest.raises(MeshError, match="does not fit in a radius of 10 m"):
        disc((0.0, 0.0), 10.0, 32, 5.0, 5.0)
