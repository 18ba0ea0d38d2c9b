"""Trees of bodies: both algorithms agree, H is the kinetic energy's matrix, and what must be conserved is."""

import numpy as np
import pytest

from fairlead.formulations.multibody.schema import CABLE, FIXED, PRISMATIC, REVOLUTE, SPHERICAL
from fairlead.formulations.multibody.tree import WORLD, Tree
from fairlead.studies.benchmarks.tree_model import TreeModel

from .random_trees import energy_and_momentum, random_state, random_tree


@pytest.mark.parametrize("seed", range(100))
def test_composite_equals_articulated_on_branched_floating_trees(seed):
    """Two algorithms that share nothing but the placing of the bodies: 1e-11 of the largest acceleration."""
    joints = 1 + (seed * 59) // 99
    model = random_tree(seed, joints)
    y = random_state(model, seed + 1000)
    torques = np.random.default_rng(seed).normal(size=model.counts["speeds"])
    fast = model.accelerations(y, torques, 9.81)
    dense = model.accelerations(y, torques, 9.81, method="composite")
    H, C = model.mass_and_bias(y, 9.81)
    assert np.abs(fast - dense).max() <= 1e-11 * np.abs(dense).max()
    residual = H @ fast + C - torques
    assert np.abs(residual).max() <= 1e-11 * (np.abs(H) @ np.abs(fast) + np.abs(C)).max()


def test_mass_matrix_is_that_of_the_kinetic_energy():
    """½ vᵀ H v = Σ ½ m u² + ½ ωᵀ J ω for any speeds."""
    model = random_tree(7, 12)
    for seed in range(5):
        y = random_state(model, seed)
        H, _ = model.mass_and_bias(y)
        v = model.tables(y).speed.value
        assert 0.5 * v @ H @ v == pytest.approx(energy_and_momentum(model, y)[0], rel=1e-12)
        assert np.allclose(H, H.T, rtol=0, atol=1e-13 * np.abs(H).max())


def drift(model, y, h, time):
    """Largest change of energy, momentum and angular momentum in a free motion."""
    before, after = energy_and_momentum(model, y), energy_and_momentum(model, model.run(y, h, round(time / h)))
    return np.array([np.abs(np.subtract(one, two)).max() for one, two in zip(before, after, strict=True)])


@pytest.mark.parametrize(
    ("seed", "kinds"),
    [(3, (REVOLUTE, SPHERICAL, FIXED)), (11, (REVOLUTE, SPHERICAL, PRISMATIC)), (5, (REVOLUTE, CABLE))],
)
def test_free_tree_keeps_energy_and_momenta_to_fourth_order(seed, kinds):
    """No gravity, no torques, Runge–Kutta 4: errors fall by 16 and more when the step is halved."""
    model = random_tree(seed, 7, kinds=kinds)
    y = random_state(model, seed, pace=0.5)
    coarse, fine, finer = (drift(model, y, h, 1.0) for h in (0.02, 0.01, 0.005))
    assert (fine < 1e-5).all()
    for larger, smaller in ((coarse, fine), (fine, finer)):
        ratio = larger / np.maximum(smaller, 1e-13)
        assert ((ratio > 12.0) | (smaller < 1e-12)).all(), ratio


def test_pendulum_has_its_own_acceleration_and_the_base_feels_it():
    """A rod on a hinge at 60° from the vertical: θ̈ = −m g c sin θ / (J + m c²)."""
    tree = Tree()
    tree.add(WORLD, REVOLUTE, axis=(0, 1, 0), mass=2.0, centre=(0, 0, -0.5), inertia=(0.1, 0.2, 0.05))
    model = TreeModel.of(tree)
    angle = np.radians(60.0)
    rate = model.accelerations(model.state(np.array([angle]), np.array([0.3])), gravity=9.81)
    assert rate[0] == pytest.approx(-2.0 * 9.81 * 0.5 * np.sin(angle) / (0.2 + 2.0 * 0.25), rel=1e-14)


def test_three_joints_at_a_time_are_three_joints():
    """A cable as (revolute, revolute, prismatic) with massless bodies between, and as one joint of three axes."""
    rng = np.random.default_rng(4)
    q = np.column_stack((0.3 * rng.normal(size=(8, 2)), 1.0 + 0.1 * rng.random(8))).ravel()
    v = rng.normal(size=24)
    whole, single = Tree(), Tree()
    one = three = WORLD
    for _ in range(8):
        one = whole.add(one, CABLE, mass=2.0)
        for kind, axis in ((REVOLUTE, (0, 1, 0)), (REVOLUTE, (1, 0, 0)), (PRISMATIC, (0, 0, 1))):
            three = single.add(three, kind, axis=axis, mass=2.0 if kind == PRISMATIC else 0.0)
    whole_model, single_model = TreeModel.of(whole), TreeModel.of(single)
    H, C = whole_model.mass_and_bias(whole_model.state(q, v), 9.81)
    other_H, other_C = single_model.mass_and_bias(single_model.state(q, v), 9.81)
    assert np.abs(H - other_H).max() < 1e-12 * np.abs(H).max()
    assert np.abs(C - other_C).max() < 1e-12 * np.abs(C).max()


def test_joint_without_inertia_is_named():
    tree = Tree()
    tree.add(WORLD, REVOLUTE)
    model = TreeModel.of(tree)
    with pytest.raises(ZeroDivisionError, match="body 0"):
        model.accelerations(model.state(np.zeros(1), np.zeros(1)))
