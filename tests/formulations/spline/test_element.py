"""The element: its forces are the gradient of its energies, its matrices are those of a cubic spline."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from fairlead.algebra.cubic_spline import Curve
from fairlead.formulations import compile_system
from fairlead.formulations.spline.element import OTHER, OWN, mean_strain
from fairlead.formulations.spline.shape_matrices import CableShape
from fairlead.results.observation import END_FORCE_START, NODE_TENSION
from fairlead.shape.layout import first_geometry

from .systems import slack

LENGTHS = np.array([1.0, 1.3, 0.8, 1.1, 1.2])
PLACES = np.concatenate(([0.0], np.cumsum(LENGTHS)))


def compiled(elements=8, **more):
    system = slack(elements, **more)
    return compile_system(system, first_geometry(system))


def bent(model, amount=0.3):
    """A state off its equilibrium, and moving."""
    y, rng = model.initial_state(), np.random.default_rng(1)
    x = y[model.layout["position"]].reshape(-1, 3)
    x[1:-1] += amount * rng.normal(size=x[1:-1].shape)
    return y


def energies(model, y):
    """Gravity and elastic energy of a state, J."""
    row = model.shape.empty_row()
    model.observe(0.0, y, model.initial_inputs(), 0.01, row)
    return row[model.shape.column("energy_gravity")] + row[model.shape.column("energy_elastic")]


def test_curvatures_are_those_of_a_natural_spline():
    values = np.random.default_rng(0).normal(size=len(PLACES))
    known = CubicSpline(PLACES, values, bc_type="natural")(PLACES, 2)
    assert Curve(LENGTHS, (False, False)).bending() @ values == pytest.approx(known, abs=1e-12)


def test_curvatures_are_those_of_a_clamped_spline():
    values = np.random.default_rng(0).normal(size=len(PLACES))
    known = CubicSpline(PLACES, values, bc_type="clamped")(PLACES, 2)
    assert Curve(LENGTHS, (True, True)).bending() @ values == pytest.approx(known, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_mean_strain_is_that_of_the_cubic_by_fine_quadrature(seed, monkeypatch):
    """½∫(|r'|² − 1)du of scipy's spline through random places, element by element, by ten Gauss points in each."""
    monkeypatch.setitem(mean_strain.py_func.__globals__, "dot", np.dot)  # in Python, so that nothing is compiled
    nodes = np.random.default_rng(seed).normal(size=(len(PLACES), 3)) + 2.0 * PLACES[:, np.newaxis]
    spline = CubicSpline(PLACES, nodes, bc_type="natural")
    curvature = spline(PLACES, 2)
    u, w = np.polynomial.legendre.leggauss(10)
    for i, h in enumerate(LENGTHS):
        slope = spline(PLACES[i] + 0.5 * h * (u + 1.0), 1)
        known = 0.5 * w @ (0.5 * (np.sum(slope**2, axis=1) - 1.0))
        chord = tuple((nodes[i + 1] - nodes[i]) / h)
        found = mean_strain.py_func(chord, tuple(curvature[i]), tuple(curvature[i + 1]), h)
        assert found == pytest.approx(known, rel=1e-12)


def test_mass_and_load_are_integrals_of_the_spline():
    """∫φφ and ∫φ by fine quadrature of scipy's splines through unit values."""
    curve, n = Curve(LENGTHS, (False, False)), len(PLACES)
    u, w = np.polynomial.legendre.leggauss(4)
    fine = np.concatenate([a + 0.5 * h * (u + 1) for a, h in zip(PLACES[:-1], LENGTHS, strict=True)])
    weight = np.concatenate([0.5 * h * w for h in LENGTHS])
    shapes = CubicSpline(PLACES, np.eye(n), bc_type="natural")(fine)
    assert curve.mass(np.full(n - 1, 2.0), lumped=False) == pytest.approx(2.0 * shapes.T @ (weight[:, None] * shapes))
    assert curve.load_shares(lumped=False).sum(axis=1) == pytest.approx(shapes.T @ weight)


@pytest.mark.parametrize("strain", [-1e-4, 1e-3, 0.01, 0.2])
def test_a_straight_pulled_cable_shows_its_tension(strain):
    """EA times the strain, which the ends feel too, to 1e-8; the energy is half of that times the stretch."""
    points = {"A": {"kind": "fixed", "position": [0, 0, -5]}, "B": {"kind": "fixed", "position": [3, 0, -5]}}
    cable = {"length": 3.0 / (1.0 + strain), "allow_stretch": True}
    model = compiled(4, points=points, cable=cable, environment={"water_density": 0.0, "gravity": 0.0})
    y, row = model.initial_state(), model.shape.empty_row()
    y[model.layout["position"]] = np.column_stack([np.linspace(0, 3, 5), np.zeros(5), np.full(5, -5.0)]).ravel()
    model.observe(0.0, y, model.initial_inputs(), 0.01, row)
    pull = 1e6 * strain
    nodes = row[model.shape.node_block].reshape(5, -1)
    assert nodes[:, NODE_TENSION] == pytest.approx(pull, rel=1e-8)
    ends = row[model.shape.node_block.stop :]
    assert ends[END_FORCE_START : END_FORCE_START + 6] == pytest.approx([pull, 0, 0, -pull, 0, 0], rel=1e-8, abs=1e-7)
    stored = row[model.shape.column("energy_elastic")]
    assert stored == pytest.approx(0.5 * pull * strain * cable["length"], rel=1e-8)


@pytest.mark.parametrize("mass", ["consistent", "lumped"])
@pytest.mark.parametrize("joint", ["ball", "clamp"])
def test_forces_are_the_gradient_of_the_energies(mass, joint):
    """Stretching, bending, torsion and weight together, on a crooked shape, its end turned by 100 degrees."""
    settings = {"spline": {"mass": mass, "twists": {"rod": {"angle_deg": 100.0}}}}
    ends = {"start": {"point": "A", "joint": joint}, "end": {"point": "B", "joint": joint}}
    model = compiled(simulation=settings, cable=ends)
    y = bent(model)
    forces = model.linearised().residual(y)
    at = np.arange(model.layout["position"].start + 3, model.layout["position"].stop - 3)
    for k, force in zip(at, forces, strict=True):
        ahead, behind = y.copy(), y.copy()
        ahead[k] += 1e-6
        behind[k] -= 1e-6
        slope = (energies(model, ahead) - energies(model, behind)) / 2e-6
        assert -slope == pytest.approx(force, rel=1e-6, abs=1e-5 * np.abs(forces).max())


def test_stiffness_is_the_derivative_of_the_forces():
    model = compiled(simulation={"spline": {"twists": {"rod": {"angle_deg": 100.0}}}})
    held = model.linearised()
    y = held.settled(bent(model, 0.05))
    stiffness = held.tangent(y).toarray()
    start = model.layout["position"].start + 3
    for k in range(0, held.size, 5):
        ahead, behind = y.copy(), y.copy()
        ahead[start + k] += 1e-6
        behind[start + k] -= 1e-6
        slope = (held.residual(behind) - held.residual(ahead)) / 2e-6
        assert stiffness[:, k] == pytest.approx(slope, abs=1e-6 * np.abs(stiffness).max())


def test_torques_of_both_kinds_bend_the_cable_alike_inside():
    """They differ by what the end joints do alone: end moments, whose effect fades as 0.27 a node."""
    inner = []
    for torque in ("conservative", "follower"):
        twist = {"rod": {"angle_deg": 200.0, "torque": torque}}
        model = compiled(elements=40, simulation={"spline": {"twists": twist}})
        y = bent(model, 0.0)
        x = y[model.layout["position"]].reshape(-1, 3)
        s = np.linspace(0, 2 * np.pi, 41)
        x += 0.3 * np.column_stack([np.sin(s), np.sin(1.5 * s), np.cos(s) - 1])
        plain = compiled(elements=40)
        inner.append((model.linearised().residual(y) - plain.linearised().residual(y)).reshape(-1, 3)[12:-12])
    assert np.abs(inner[0]).max() > 0.5
    assert inner[0] == pytest.approx(inner[1], abs=0.02 * np.abs(inner[0]).max())


def test_the_bound_of_verlet_is_that_of_the_axial_wave():
    """Lumped mass: 2/omega = h/c up to the finite length; the step beyond it grows without bound, below it does not."""
    model = compiled(elements=16, simulation={"spline": {"mass": "lumped"}})
    speed = np.sqrt(1e6 / 5.0)
    assert model.step_bound() == pytest.approx(9.0 / 16 / speed, rel=0.02)
    for factor, stays in ((0.98, True), (1.05, False)):
        y = model.initial_state()
        y[model.layout["velocity"]][30] = 1e-3
        model._bound = np.inf  # no division of the step
        failure = model.advance(0.0, y, 3000, factor * model.step_bound(), model.initial_inputs(), "verlet")
        assert (failure is None) is stays


@pytest.mark.parametrize("clamps", [(False, False), (True, False), (True, True)])
def test_strains_change_with_the_shape_as_their_gradient_says(clamps):
    """By differences; and what a number of each element pulls at the nodes is the transposed gradient times it."""
    rng = np.random.default_rng(3)
    lengths, pull = rng.uniform(0.5, 2.0, 7), rng.normal(size=7)
    shape = CableShape(lengths, clamps, np.full(7, 1e6), np.full(7, 10.0))

    def strains(x):
        slope, curvature = shape.sloping @ x, shape.curving @ x
        first, last = curvature[:-1], curvature[1:]
        bent = OWN * (first**2 + last**2) + 2.0 * OTHER * first * last
        return 0.5 * (np.sum(slope**2, axis=1) + lengths**2 * np.sum(bent, axis=1) - 1.0)

    x, small = rng.normal(size=(8, 3)), 1e-6
    gradient = shape.strain_gradient(x, shape.curving @ x).toarray()
    ways = small * np.eye(24).reshape(24, 8, 3)
    found = np.array([(strains(x + way) - strains(x - way)) / (2.0 * small) for way in ways]).T
    assert gradient == pytest.approx(found, abs=1e-7 * np.abs(found).max())
    assert shape.pulled(x, shape.curving @ x, pull).ravel() == pytest.approx(gradient.T @ pull, rel=1e-12, abs=1e-12)
