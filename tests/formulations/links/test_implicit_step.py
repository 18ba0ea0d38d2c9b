"""A step of stiff links against a dense solution of the same step, and against the equations of motion themselves."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from .systems import compiled, system
from .test_against_dense_oracle import dense_accelerations, moving_state

LENGTHS = np.array([1.0, 1.5, 0.8, 2.0, 1.2, 1.7])
CLAMP = np.array([0.4, 0.3, -1.0]) / np.linalg.norm([0.4, 0.3, -1.0])
STIFF, DAMPING_TIME, GRAVITY = 4e4, 0.02, 9.81
LINE = 1800.0 * np.pi / 4.0 * 0.05**2


def drifted(q, w, h):
    """Every link on its great circle for a time h."""
    rate = np.linalg.norm(w, axis=1)[:, None]
    return q * np.cos(h * rate) + w / rate * np.sin(h * rate), w * np.cos(h * rate) - q * rate * np.sin(h * rate)


def swings(q, w, turn, tension, h, beta):
    """E w (6, 3) of all links at once: the nodes' inertia, the joints' gains and the string stiffness in one matrix.

    The rates across the links are found in their own plane, an SVD's; `turn` are those of the step's middle, which bend
    the paths of the nodes.
    """
    n = len(q)
    mass, force = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
    for j, length in enumerate(LENGTHS):
        mass[j : j + 2, j : j + 2] += LINE * length / 6.0 * np.array([[2.0, 1.0], [1.0, 2.0]])
    share = np.zeros(n + 1)
    share[2:4] = 1.0 - 0.5 / 0.8, 0.5 / 0.8
    mass += 4.0 * np.outer(share, share)
    mass[n, n] += 12.0
    force = -GRAVITY * mass.sum(axis=1)
    # accelerations of the nodes are reach @ q̈, whose part along q is known
    reach = np.vstack([np.zeros(n), np.tril(np.ones((n, n))) * LENGTHS])
    planes = [np.linalg.svd(one[None])[2][1:].T for one in q]
    across = np.zeros((3 * n, 2 * n))
    for j, plane in enumerate(planes):
        across[3 * j : 3 * j + 3, 2 * j : 2 * j + 2] = plane
    bent = -np.sum(turn * turn, axis=1)[:, None] * q
    inertia = np.kron(reach.T @ mass @ reach, np.eye(3))
    push = reach.T @ (np.outer(force, [0.0, 0.0, 1.0]) - mass @ reach @ bent)
    implicit = np.kron(np.diag(beta * h**2 * tension * LENGTHS), np.eye(3))
    for j in range(n):
        above, slip = (CLAMP, w[0]) if j == 0 else (q[j - 1], w[j] - w[j - 1])
        half = 0.5 * (LENGTHS[j] + (LENGTHS[j - 1] if j else 0.0))
        angle = np.arccos(above @ q[j])
        pull = STIFF / half * angle / np.sin(angle)
        damper = STIFF / half * DAMPING_TIME
        z = h * damper / (LINE * LENGTHS[j] ** 3 / 3.0)
        gain = beta * h**2 * pull + h * damper * (1.0 + z) / (2.0 + z)
        rate = (beta - 0.25) * h * pull + damper
        lever = np.zeros(n)
        lever[j] = 1.0
        push[j] += pull * above - rate * slip
        if j:
            lever[j - 1] = -1.0
            push[j - 1] += pull * q[j] + rate * slip
        implicit += gain * np.kron(np.outer(lever, lever), np.eye(3))
    found = np.linalg.solve(across.T @ (inertia + implicit) @ across, across.T @ push.ravel())
    return (across @ found).reshape(n, 3)


@pytest.mark.parametrize("h", [0.001, 0.05, 1.0])
@pytest.mark.parametrize("seed", range(2))
def test_a_step_of_stiff_joints_is_that_of_the_dense_matrix(seed, h):
    """EI = 40 kN m²: hω from 1 to 1000, in empty space."""
    given = system(environment={"water_density": 0.0}, rope={"bending_stiffness": STIFF})
    links, beta = compiled(given), given.simulation.links.beta
    y, q, w = moving_state(links, seed)
    state = links.tables(y)
    tension = state.pull.tension = np.random.default_rng(seed).uniform(0.0, 500.0, 6)
    q, w = drifted(q, w, 0.5 * h)
    swing = swings(q, w, w, tension, h, beta)
    swing = swings(q, w, w + 0.5 * h * swing, tension, h, beta)
    q, w = drifted(q, w + h * swing, 0.5 * h)
    assert links.advance(0.0, y, 1, h, links.initial_inputs(), "semi_implicit") is None
    assert state.link_state.direction == pytest.approx(q, abs=1e-9)
    assert state.link_state.rate == pytest.approx(w, abs=1e-9 * np.abs(w).max())


def test_steps_of_stiff_joints_go_to_the_motion_of_the_dense_equations():
    """In water, EI = 2 kN m², against the dense accelerations integrated to 1e-9.

    The second order with β = ¼; with the robust choice of 0.30 the first, as its damping h(β − ¼)K asks.
    """
    start, q, w = moving_state(compiled(system()), 3)
    until = 0.032

    def rates(_, x):
        q, w = x.reshape(2, 6, 3)
        accelerations, _ = dense_accelerations(q, w, stiffness=2000.0)
        return np.concatenate([w.ravel(), (np.diff(accelerations, axis=0) / LENGTHS[:, None]).ravel()])

    exact = solve_ivp(rates, (0, until), np.concatenate([q.ravel(), w.ravel()]), "DOP853", rtol=1e-9, atol=1e-9)
    for beta, ratio, least in ((0.25, 4.0, 1e-5), (0.3, 2.0, 1e-4)):
        links = compiled(system(rope={"bending_stiffness": 2000.0}, links={"beta": beta}))
        errors = []
        for steps in (32, 64, 128):
            y = start.copy()
            assert links.advance(0.0, y, steps, until / steps, links.initial_inputs(), "semi_implicit") is None
            errors.append(np.abs(links.tables(y).link_state.direction.ravel() - exact.y[:18, -1]).max())
        assert errors[-1] < least
        assert np.divide(errors[:-1], errors[1:]) == pytest.approx(ratio, rel=0.1)
