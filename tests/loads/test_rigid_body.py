"""A rigid body in the water: forces are the gradient of the potential, powers are the change of energy."""

from math import pi

import numba
import numpy as np
import pytest
from oracle.quaternions import exponential, matrix, product, random_frames

from fairlead.loads import rigid_body
from fairlead.model import Environment
from fairlead.sea import water

WATER, GRAVITY, CURRENT = 1000.0, 9.81, (0.4, -0.2, 0.1)
INERTIA, ADDED = np.array([2.0, 3.0, 4.0]), np.array([30.0, 80.0, 10.0])


@numba.njit
def loads(p, R, v, w, reals, body):
    return rigid_body.rigid_body_loads(0.0, p, R, v, w, reals, body)


@numba.njit
def energies(p, R, v, w, reals, body):
    return rigid_body.rigid_body_energies(0.0, p, R, v, w, reals, body)


def record(
    sphere=False, volume=0.2, height=0.7, mass=150.0, current=CURRENT, centre=(0.0, 0.0, 0.0), drag=1.0, added=1.0
):
    """The sea and a body behind it, and where the body begins."""
    flow = [{"z": 0.0, "velocity": current}]
    sea = water.pack(Environment.model_validate({"water_density": WATER, "gravity": GRAVITY, "current": flow}))
    body = np.zeros(rigid_body.BODY_COLUMNS)
    body[rigid_body.BODY_MASS], body[rigid_body.BODY_LIFT] = mass, WATER * GRAVITY * volume
    body[rigid_body.BODY_HEIGHT], body[rigid_body.BODY_SPHERE] = height, float(sphere)
    for column, values in (
        (rigid_body.BODY_CENTRE, centre), (rigid_body.BODY_INERTIA, INERTIA), (rigid_body.BODY_ADDED, added * ADDED),
        (rigid_body.BODY_DRAG, drag * np.array([50.0, 200.0, 80.0])),
        (rigid_body.BODY_DRAG_MOMENT, drag * np.array([5.0, 6.0, 7.0])),
    ):  # fmt: skip
        body[column : column + 3] = values
    return np.concatenate([sea, body]), len(sea)


def call(function, p, q, v, w, parts):
    return function(tuple(map(float, p)), tuple(matrix(q).ravel()), tuple(v), tuple(w), *parts)


def still(function, p, q, parts):
    return call(function, p, q, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), parts)


IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize("draft", [0.1, 0.25, 0.5, 0.9, 1.0])
def test_a_sphere_displaces_the_volume_of_its_cap(draft):
    """π h² (3R − h)/3 for a diameter of 1 m."""
    parts = record(sphere=True, volume=pi / 6, height=1.0, mass=0.0, current=(0.0, 0.0, 0.0))
    force = still(loads, (0.0, 0.0, 0.5 - draft), IDENTITY, parts)[4]
    assert force[2] == pytest.approx(WATER * GRAVITY * pi * draft**2 * (1.5 - draft) / 3, rel=1e-12)


@pytest.mark.parametrize("sphere", [False, True])
@pytest.mark.parametrize("z", [-2.0, -0.33, -0.1, 0.05, 0.3, 2.0])
def test_weight_and_buoyancy_are_the_gradient_of_the_potential(z, sphere):
    parts, e = record(sphere, current=(0.0, 0.0, 0.0)), 1e-5
    low, high = (still(energies, (0.0, 0.0, z + d), IDENTITY, parts)[1] for d in (-e, e))
    assert -(high - low) / (2 * e) == pytest.approx(still(loads, (0.0, 0.0, z), IDENTITY, parts)[4][2], abs=1e-3)


@pytest.mark.parametrize("z", [-2.0, -0.1])
def test_buoyancy_off_the_centre_of_mass_rights_the_body(z):
    """The torque is the potential's change with the turn, about each axis."""
    parts = record(centre=(0.1, -0.05, 0.2), current=(0.0, 0.0, 0.0))
    q, e = random_frames(np.random.default_rng(1), 1)[0], 1e-5
    torque = still(loads, (0.0, 0.0, z), q, parts)[5]
    for k in range(3):
        turn = np.eye(3)[k] * e
        low, high = (still(energies, (0, 0, z), product(q, exponential(s * turn)), parts)[1] for s in (-1, 1))
        assert -(high - low) / (2 * e) == pytest.approx(torque[k], abs=1e-3)


def test_drag_acts_along_each_axis_with_the_whole_speed():
    """−½ρ C_d A_i |u| u_i in the body's axes, towards where the water goes."""
    parts, q = record(), random_frames(np.random.default_rng(2), 1)[0]
    _, secant, _, _, force, _, _ = call(loads, (0, 0, -5), q, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), parts)
    u = matrix(q).T @ -np.array(CURRENT)
    exact = matrix(q) @ (-np.array([50.0, 200.0, 80.0]) * np.linalg.norm(u) * u)
    exact[2] += (WATER * 0.2 - 150.0) * GRAVITY
    assert force == pytest.approx(exact, rel=1e-12)
    assert secant == pytest.approx(np.array([50.0, 200.0, 80.0]) * np.linalg.norm(u))
    assert np.dot(exact[:2], CURRENT[:2]) > 0.0


def test_gyroscopic_torque_does_no_work_and_turns_w_as_euler_says():
    parts = record(volume=0.0, drag=0.0, added=0.0, current=(0.0, 0.0, 0.0))
    w = np.array([0.3, -0.7, 1.1])
    torque = np.array(call(loads, (0, 0, 5), IDENTITY, (0.0, 0.0, 0.0), w, parts)[5])
    assert torque @ w == pytest.approx(0.0, abs=1e-12)
    assert torque == pytest.approx([(INERTIA[1] - INERTIA[2]) * w[1] * w[2], (INERTIA[2] - INERTIA[0]) * w[2] * w[0],
                                    (INERTIA[0] - INERTIA[1]) * w[0] * w[1]])  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_power_of_the_water_is_the_change_of_energy(seed):
    """Kinetic energy with added mass and the potential, over a short move with the accelerations of the loads."""
    rng, parts, t = np.random.default_rng(seed), record(centre=(0.1, 0.0, 0.1)), 1e-6
    p, q = np.array([0.0, 0.0, -3.0]), random_frames(rng, 1)[0]
    v, w = rng.normal(size=3), rng.normal(size=3)
    mass, _, inertia, _, force, torque, power = call(loads, p, q, v, w, parts)
    R = matrix(q)
    a, alpha = R @ ((R.T @ np.array(force)) / np.array(mass)), np.array(torque) / np.array(inertia)

    def energy(s):
        moved = product(q, exponential(s * w + 0.5 * s * s * alpha))
        return sum(call(energies, p + s * v + 0.5 * s * s * a, moved, v + s * a, w + s * alpha, parts))

    assert (energy(t) - energy(-t)) / (2 * t) == pytest.approx(power, rel=1e-4, abs=1e-2)
