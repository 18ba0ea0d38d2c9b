"""Influence of flat panels: against integrals by brute force, Gauss's theorem, images and the sphere in deep water."""

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro import influence as module
from fairlead.hydro.influence import influence
from fairlead.hydro.panels import Panels

SQUARE = Panels([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]])


def by_brute_force(panels: Panels, x: np.ndarray, n: int = 400) -> tuple[float, float]:
    """∫ 1/r and ∫ ∂(1/r)/∂n of one flat panel by the midpoint rule."""
    a, b, c, d = panels.corners[0]
    u = (np.arange(n) + 0.5) / n
    U, V = np.meshgrid(u, u, indexing="ij")
    U, V = U[..., None], V[..., None]
    place = (1 - U) * (1 - V) * a + U * (1 - V) * b + U * V * c + (1 - U) * V * d
    along, across = (1 - V) * (b - a) + V * (c - d), (1 - U) * (d - a) + U * (c - b)
    area = np.linalg.norm(np.cross(along, across), axis=-1) / n**2
    away = x - place
    r = np.linalg.norm(away, axis=-1)
    return float(np.sum(area / r)), float(np.sum(area * (away @ panels.normals[0]) / r**3))


@pytest.mark.parametrize(
    "point", [[0.3, 0.4, 0.2], [1.5, 0.2, -0.3], [0.5, 0.5, 1.4], [3.0, 1.0, 2.0], [9.0, 2.0, 1.0]]
)
def test_near_middle_and_far_field_are_the_integrals(point):
    """Exact near the panel, to 6e-4 farther off."""
    S, D = influence(SQUARE, points=np.array([point]))
    source, dipole = by_brute_force(SQUARE, np.array(point))
    near = np.linalg.norm(np.array(point) - 0.5) < module.NEAR_LIMIT * SQUARE.diameters[0]
    bound = 2e-5 if near else 6e-4
    assert S[0, 0] == pytest.approx(source, rel=bound)
    assert D[0, 0] == pytest.approx(dipole, rel=9 * bound)


def test_own_potential_of_a_square():
    """At its centre a unit square has 4 ln(1 + √2)."""
    assert influence(SQUARE)[0][0, 0] == pytest.approx(4.0 * np.log(1.0 + np.sqrt(2.0)), rel=1e-12)


def test_points_on_corners_edges_and_in_the_plane_are_finite():
    """No special place breaks the closed form; in the plane beside the panel it has no solid angle."""
    S, D = influence(SQUARE, points=np.array([[0.0, 0, 0], [0.5, 0, 0], [2.0, 0.5, 0], [1.0 + 1e-9, 0.5, 0]]))
    assert np.all(np.isfinite(S))
    assert np.all(S > 0.0)
    np.testing.assert_allclose(D[2:, 0], 0.0, atol=1e-12)


def test_a_triangle_is_a_panel_with_a_repeated_corner(monkeypatch):
    """Two triangles make the square: everywhere, and the source also at the corners themselves."""
    monkeypatch.setattr(module, "NEAR_LIMIT", 1e9)
    monkeypatch.setattr(module, "FAR_LIMIT", 1e9)
    corners = np.array([[0.0, 0.1, 0.0], [1.0, 0.0, 0.3], [1.1, 1.0, 0.5], [0.0, 0.0, 0.0]])
    corners[3] = corners[0] + corners[2] - corners[1]
    square = Panels(corners, [[0, 1, 2, 3]])
    halves = Panels(corners, [[0, 1, 2, 2], [0, 2, 3, 3]])
    points = np.concatenate([corners, [[0.4, 0.6, 0.1], [2.0, 1.0, 3.0], [7.0, 3.0, -2.0]]])
    (S, D), (S_two, D_two) = influence(square, points=points), influence(halves, points=points)
    np.testing.assert_allclose(S_two.sum(axis=1), S[:, 0], rtol=1e-9)
    np.testing.assert_allclose(D_two.sum(axis=1)[4:], D[4:, 0], rtol=1e-9)


def test_solid_angles_add_up(monkeypatch):
    """Exact panels of a closed hull fill 4π seen from inside, 0 from outside, 2π from a panel of it."""
    monkeypatch.setattr(module, "NEAR_LIMIT", 1e9)
    monkeypatch.setattr(module, "FAR_LIMIT", 1e9)
    body = hulls.sphere(1.0, 16).rigid
    _, D = influence(body, points=np.array([[0.1, 0.2, -0.3], [2.0, 0.5, 0.3]]))
    np.testing.assert_allclose(D.sum(axis=1), [4 * np.pi, 0.0], atol=1e-12)
    _, own = influence(body)
    np.testing.assert_allclose(own.sum(axis=1), 2 * np.pi, atol=1e-12)


def test_images_are_panels_on_the_other_side():
    """Bottom and plane of symmetry do what mirrored panels would do."""
    half = hulls.sphere(1.0, 16).halved().wetted(np.array([0.0, 0.0, -2.0]))
    below = Panels(half.vertices * [1, 1, -1] + [0, 0, -2 * 5.0], half.quads[:, ::-1])
    everything = half.joined(half.mirrored(), below, below.mirrored())
    S, D = influence(half, depth=5.0, symmetric=True)
    n = len(half)
    S_all, D_all = influence(everything)
    np.testing.assert_allclose(S, sum(S_all[:n, k * n : (k + 1) * n] for k in range(4)), rtol=1e-9)
    np.testing.assert_allclose(D, sum(D_all[:n, k * n : (k + 1) * n] for k in range(4)), atol=1e-9)


def added_mass(around: int) -> float:
    """Of a sphere in unbounded fluid, of the mass it displaces: ½."""
    body = hulls.sphere(1.0, around).rigid
    S, D = influence(body)
    n_z = body.normals[:, 2]
    phi = np.linalg.solve(D + 2 * np.pi * np.eye(len(body)), S @ n_z)
    return float(np.sum(phi * n_z * body.areas) / (4 / 3 * np.pi))


def test_sphere_in_unbounded_fluid():
    """Added mass ½ of the displaced mass; the error falls as the square of the panels' size."""
    coarse, fine = added_mass(16), added_mass(32)
    assert fine == pytest.approx(0.5, rel=0.012)
    assert coarse - 0.5 > 3.0 * (fine - 0.5)
