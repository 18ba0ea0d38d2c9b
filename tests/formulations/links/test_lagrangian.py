"""The Lagrangian of Pereira et al. against Euler–Lagrange equations derived symbolically from the paper's energies."""

import numpy as np
import pytest
import sympy as sp
from marks import slowly

from fairlead.formulations.links.lagrangian import Lagrangian


def cable(n: int, reading: str) -> Lagrangian:
    """Links that all differ, so that no index can be mistaken for another."""
    rng = np.random.default_rng(n)
    return Lagrangian(
        lengths=rng.uniform(0.5, 2.0, n),
        masses=rng.uniform(1.0, 4.0, n),
        radii=rng.uniform(0.05, 0.1, n),
        weights=rng.uniform(5.0, 30.0, n),
        end_mass=0.7,
        end_weight=6.0,
        k_elevation=rng.uniform(50, 200, n),
        k_azimuth=rng.uniform(50, 200, n),
        k_twist=rng.uniform(50, 200, n),
        end_inertia=0.03,
        reading=reading,
    )


def symbolic(model: Lagrangian):
    """Mass matrix, Coriolis vector and spring and weight torques as functions of (θ, θ̇), from Eq. 1 to 18 as mended."""
    n = model.count
    e, a, t = (sp.symbols(f"{name}1:{n + 1}") for name in "eat")
    de, da, dt = (sp.symbols(f"d{name}1:{n + 1}") for name in "eat")
    theta, rates = [*e, *a, *t], [*de, *da, *dt]
    number = sp.Float
    psi = [sum(a[: j + 1]) for j in range(n)]
    q = [sp.Matrix([sp.sin(e[j]) * sp.sin(psi[j]), sp.sin(e[j]) * sp.cos(psi[j]), sp.cos(e[j])]) for j in range(n)]

    def velocity(place):
        return place.jacobian(sp.Matrix(theta)) * sp.Matrix(rates)

    kinetic, potential = 0, 0
    joint, height = sp.zeros(3, 1), 0
    for k in range(n):
        length, mass = number(model.lengths[k], 17), number(model.masses[k], 17)
        speed = velocity(joint + length * q[k] / 2)
        kinetic += mass * speed.dot(speed) / 2
        turning, spin = number(model.turning_inertia[k], 17), number(model.twist_inertia[k], 17)
        if model.reading == "literal":
            kinetic += turning * sum(de[: k + 1]) ** 2 / 2
        else:
            turn = velocity(q[k])
            kinetic += turning * turn.dot(turn) / 2
        kinetic += spin * sum(dt[: k + 1]) ** 2 / 2
        rise = length * (1 - sp.cos(e[k]))
        potential += number(model.weights[k], 17) * (height + rise / 2)
        height += rise
        joint += length * q[k]
        above = [x[k - 1] if k else 0 for x in (e, a, t)]
        relative = [above[0], *((above[1], above[2]) if model.reading == "literal" else (0, 0))]
        for stiffness, x, base in zip(
            (model.k_elevation, model.k_azimuth, model.k_twist), (e, a, t), relative, strict=True
        ):
            potential += number(stiffness[k], 17) * (x[k] - base) ** 2 / 2
    speed = velocity(joint)
    kinetic += number(model.end_mass, 17) * speed.dot(speed) / 2 + number(model.end_inertia, 17) * sum(dt) ** 2 / 2
    potential += number(model.end_weight, 17) * height
    momentum = [sp.diff(kinetic, rate) for rate in rates]
    mass = sp.Matrix(momentum).jacobian(sp.Matrix(rates))
    drift = sp.Matrix(momentum).jacobian(sp.Matrix(theta)) * sp.Matrix(rates)
    coriolis = drift - sp.Matrix([sp.diff(kinetic, x) for x in theta])
    torque = sp.Matrix([sp.diff(potential, x) for x in theta])
    return sp.lambdify((theta, rates), (kinetic, potential, mass, coriolis, torque), modules="numpy", cse=True)


@pytest.mark.parametrize("reading", ["literal", "consistent"])
@pytest.mark.parametrize("n", [2, *slowly(3)])
def test_against_symbolic_euler_lagrange_equations(n, reading):
    """Energies, mass matrix, Coriolis torques and the gradient of the potential to 1e-12 in random states."""
    model = cable(n, reading)
    exact = symbolic(model)
    rng = np.random.default_rng(0)
    for _ in range(20):
        theta, rates = rng.normal(size=3 * n), rng.normal(size=3 * n)
        kinetic, potential, mass, coriolis, torque = exact(theta, rates)
        gradient = model.stiffness_matrix @ theta - model.gravity_torque(theta)
        assert model.kinetic_energy(theta, rates) == pytest.approx(kinetic, rel=1e-12)
        assert model.potential_energy(theta) == pytest.approx(potential, rel=1e-12)
        assert model.lagrangian(theta, rates) == pytest.approx(kinetic - potential, rel=1e-12, abs=1e-10)
        for mine, should in ((model.mass_matrix(theta), mass), (model.coriolis(theta, rates), coriolis)):
            should = np.array(should, dtype=float).reshape(mine.shape)
            assert np.abs(mine - should).max() <= 1e-12 * np.abs(should).max()
        assert np.abs(gradient - np.ravel(torque)).max() <= 1e-12 * np.abs(torque).max()


def test_azimuth_loses_its_inertia_where_a_link_hangs_straight():
    """The singularity that stops most solvers: A is positive definite but for links with elevation zero."""
    model = cable(3, "consistent")
    theta = np.array([0.3, 0.2, 0.4, 0.1, 0.2, 0.3, 0.0, 0.0, 0.0])
    assert np.linalg.eigvalsh(model.mass_matrix(theta)).min() > 1e-4
    theta[2] = 0.0
    assert abs(np.linalg.eigvalsh(model.mass_matrix(theta)).min()) < 1e-12


def test_nodes_are_where_the_directions_lead():
    model = cable(3, "literal")
    theta = np.zeros(9)
    assert model.nodes(theta)[-1] == pytest.approx([0, 0, model.lengths.sum()])
    theta[:3] = np.pi / 2
    assert model.nodes(theta)[-1] == pytest.approx([0, model.lengths.sum(), 0], abs=1e-12)
