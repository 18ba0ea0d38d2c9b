"""Derivatives along meshed surfaces, and the filter."""

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.gradients import Stencils
from fairlead.hydro.surface_mesh import disc


@pytest.fixture(scope="module")
def surface():
    """Half of a disc without a polar centre."""
    return disc((0.0, 0.0), 20.0, 24, 1.5, 4.0).halved().at()


def test_quadratics_are_differentiated_exactly(surface):
    """Any quadratic even in y, at every panel: in the block, at its corners and in the rings."""
    x, y, _ = surface.centres.T
    along = Stencils.of(surface, True, 1, 2).on(surface)
    firm = Stencils.of(surface, True, 1, 2).degree == 2
    f_x, f_y = along.slopes(1.0 + 2.0 * x - 0.3 * x**2 + 0.2 * y**2)
    np.testing.assert_allclose(f_x[firm], (2.0 - 0.6 * x)[firm], atol=1e-7)
    np.testing.assert_allclose(f_y[firm], (0.4 * y)[firm], atol=1e-7)
    assert firm.mean() > 0.9
    odd_x, odd_y = along.slopes(x * y, odd=True)
    np.testing.assert_allclose(odd_y[firm], x[firm], atol=1e-7)
    np.testing.assert_allclose(odd_x[firm], y[firm], atol=1e-7)


def test_filter_never_adds_energy(surface):
    """Whatever the values: the mean square over the surface falls, planes stay, sawteeth go."""
    along = Stencils.of(surface, True, 1, 2).on(surface)
    G = along.filter(surface.areas)
    rng = np.random.default_rng(1)
    for f in rng.standard_normal((20, len(surface))):
        assert (f - G @ f) ** 2 @ surface.areas <= f**2 @ surface.areas
    np.testing.assert_allclose(G @ (1.0 + 0.2 * surface.centres[:, 0]), 0.0, atol=1e-9)


def test_flow_past_a_sphere():
    """∇φ and ∇∇φ of a dipole on the sphere it moves, in the half y ≥ 0."""
    body = hulls.sphere(1.0, 32).halved().wetted(np.zeros(3))
    x = body.centres
    r = np.linalg.norm(x, axis=1)[:, None]
    up = np.array([0.0, 0.0, 1.0])
    phi = (x[:, 2:] / r**3)[:, 0]
    grad = up / r**3 - 3 * x * x[:, 2:] / r**5
    both = x[:, :, None] * up + up[:, None] * x[:, None, :]
    hess = (
        -3 * (both + x[:, 2, None, None] * np.eye(3)) / r[:, :, None] ** 5
        + 15 * x[:, 2, None, None] * x[:, :, None] * x[:, None, :] / r[:, :, None] ** 7
    )
    along = Stencils.of(body, True).on(body)
    found = along.gradient(phi, np.einsum("ij,ij->i", grad, body.normals), body.normals)
    second = along.hessian(found, body.normals)
    assert np.sqrt(np.mean((found - grad) ** 2) / np.mean(grad**2)) < 0.02
    assert np.sqrt(np.mean((second - hess) ** 2) / np.mean(hess**2)) < 0.08


def test_three_columns_carry_no_third_power():
    """Fits that neighbours cannot hold are made with a lower degree, not with huge weights."""
    hull = hulls.cylinder(0.2, -0.5, 0.5, 16, 5).halved()
    panels, _ = hull.placed(np.zeros(3))
    along = Stencils.of(panels, True).on(panels)
    sizes = np.sqrt(panels.areas)
    assert np.max(np.abs(along.first).sum(axis=1) * sizes) < 6.0
    assert np.max(np.abs(along.second).sum(axis=1) * sizes) < 6.0
