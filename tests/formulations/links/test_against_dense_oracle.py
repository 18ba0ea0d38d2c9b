"""The O(n) elimination against a dense solution of Newton's equations with a multiplier for every link."""

import numpy as np
import pytest

from .systems import ROPE, compiled, system

WATER, GRAVITY = 1025.0, 9.81


def moving_state(links, seed):
    """A random shape and random rates across the links."""
    rng = np.random.default_rng(seed)
    y = links.initial_state()
    state = links.tables(y).link_state
    q = state.direction + 0.4 * rng.normal(size=(6, 3))
    q /= np.linalg.norm(q, axis=1)[:, None]
    w = rng.normal(size=(6, 3))
    state.direction, state.rate = q, w - np.sum(w * q, axis=1)[:, None] * q
    return y, q, state.rate.copy()


def current(z):
    """The sheared current of the system."""
    f = np.clip((z + 30) / 30, 0, 1)
    return np.array([0.1, 0, 0.05]) + f * (np.array([0.6, 0.2, 0]) - np.array([0.1, 0, 0.05]))


def dense_accelerations(q, w, base=(0.0, 0.0, -5.0), base_velocity=(0.0, 0.0, 0.0), base_acceleration=(0.0, 0.0, 0.0),
                        end_force=(0.0, 0.0, 0.0), stiffness=40.0):  # fmt: skip
    """Accelerations (7, 3) of the nodes by M a + Gᵀλ = f, q·(a_j − a_{j−1}) = −l|q̇|², written out with 4-point Gauss
    integration of the mass; and the multipliers (6,)."""
    lengths = np.array([1.0, 1.5, 0.8, 2.0, 1.2, 1.7])
    n, d = 6, ROPE["diameter"]
    area = np.pi / 4 * d**2
    x = np.array(base) + np.vstack([np.zeros(3), np.cumsum(lengths[:, None] * q, axis=0)])
    v = np.array(base_velocity) + np.vstack([np.zeros(3), np.cumsum(lengths[:, None] * w, axis=0)])
    mass, force = np.zeros((3 * n + 3, 3 * n + 3)), np.zeros((n + 1, 3))

    def spread(j, s, inertia, push):
        weights = {j: 1 - s, j + 1: s}
        for i, wi in weights.items():
            force[i] += wi * push
            for k, wk in weights.items():
                mass[3 * i : 3 * i + 3, 3 * k : 3 * k + 3] += wi * wk * inertia

    points, shares = np.polynomial.legendre.leggauss(4)
    for j, length in enumerate(lengths):
        along = np.outer(q[j], q[j])
        across = np.eye(3) - along
        for s, share in zip((points + 1) / 2, shares / 2, strict=True):
            part = share * length
            added = WATER * area * part * (1.0 * across + 0.1 * along)
            spread(
                j,
                s,
                1800.0 * area * part * np.eye(3) + added,
                part * np.array([0, 0, -(1800 - WATER) * area * GRAVITY]),
            )
        for s in (0.5 - 0.5 / np.sqrt(3), 0.5 + 0.5 / np.sqrt(3)):
            flow = v[j] + s * (v[j + 1] - v[j]) - current(x[j, 2] + s * (x[j + 1, 2] - x[j, 2]))
            normal, axial = across @ flow, along @ flow
            push = -0.5 * WATER * d * 0.5 * length * 1.2 * np.linalg.norm(normal) * normal
            push -= 0.5 * WATER * np.pi * d * 0.5 * length * 0.05 * np.linalg.norm(axial) * axial
            spread(j, s, np.zeros((3, 3)), push)

    def body(j, s, m, volume, drag, added):
        speed = v[j] + s * (v[j + 1] - v[j]) - current(x[j, 2] + s * (x[j + 1, 2] - x[j, 2]))
        push = np.array([0, 0, (WATER * volume - m) * GRAVITY]) - 0.5 * WATER * drag * np.linalg.norm(speed) * speed
        spread(j, s, (m + added) * np.eye(3), push)

    body(2, 0.5 / 0.8, 4.0, 0.001, 0.05, 1.0)  # at 3.0 m: half a metre into the third link
    body(5, 1.0, 12.0, 0.002, 0.1, 0.0)
    force[n] += end_force
    clamp = np.array([0.4, 0.3, -1.0]) / np.linalg.norm([0.4, 0.3, -1.0])
    for j in range(n):
        above, rate = (clamp, np.zeros(3)) if j == 0 else (q[j - 1], w[j - 1])
        half = 0.5 * lengths[j] + (0.5 * lengths[j - 1] if j else 0.0)
        k = stiffness / half
        angle = np.arccos(np.clip(above @ q[j], -1, 1))
        for link, here, other, slip in ((j, q[j], above, w[j] - rate), (j - 1, above, q[j], rate - w[j])):
            if link < 0:
                continue
            turn = k * angle / np.sin(angle) * other - 0.02 * k * slip
            turn = (turn - (turn @ here) * here) / lengths[link]
            force[link + 1] += turn
            force[link] -= turn
    rows = np.zeros((n, 3 * n + 3))
    for j in range(n):
        rows[j, 3 * j + 3 : 3 * j + 6], rows[j, 3 * j : 3 * j + 3] = q[j], -q[j]
    bias = -lengths * np.sum(w * w, axis=1)
    size = 3 * n
    kkt = np.zeros((size + n, size + n))
    kkt[:size, :size] = mass[3:, 3:]
    kkt[:size, size:], kkt[size:, :size] = rows[:, 3:].T, rows[:, 3:]
    known = np.array(base_acceleration)
    right = np.concatenate([force[1:].ravel() - mass[3:, :3] @ known, bias - rows[:, :3] @ known])
    found = np.linalg.solve(kkt, right)
    return np.vstack([known, found[:size].reshape(n, 3)]), found[size:]


@pytest.mark.parametrize("seed", range(5))
def test_accelerations_of_a_free_end(seed):
    links = compiled(system())
    y, q, w = moving_state(links, seed)
    dy = np.zeros_like(y)
    assert links.rhs(0.0, y, links.initial_inputs(), links.ints, links.reals, links.work, dy) == 0
    exact, _ = dense_accelerations(q, w)
    found = links.tables(y).motion.acceleration
    assert np.abs(found - exact).max() < 1e-11 * np.abs(exact).max()
    swing = np.diff(exact, axis=0) / np.array([1.0, 1.5, 0.8, 2.0, 1.2, 1.7])[:, None]
    assert np.abs(links.tables(dy).link_state.rate - swing).max() < 1e-11 * np.abs(swing).max()


@pytest.mark.parametrize("seed", range(3))
def test_accelerations_with_a_moving_base_and_a_force_at_the_end(seed):
    """The base is driven by its filter; its acceleration enters exactly."""
    driven = {"kind": "controlled", "position": [0, 0, -5], "cutoff": 3.0, "follow": "filtered",
              "motion": {"harmonic": {"amplitude": [1, 0.5, 2], "period": 7, "phase_deg": 40, "ramp": 0}}}  # fmt: skip
    given = system(start=driven, loads=[{"point": "B", "force": [30, -20, 10]}])
    links = compiled(given)
    y, q, w = moving_state(links, seed)
    x, v = links.tables(y).block("control_state").reshape(2, 3)
    goal = np.array([0, 0, -5]) + np.array([1, 0.5, 2]) * np.sin(np.radians(40))
    push = 9.0 * (goal - x) - np.sqrt(2) * 3.0 * v
    dy = np.zeros_like(y)
    assert links.rhs(0.0, y, links.initial_inputs(), links.ints, links.reals, links.work, dy) == 0
    exact, _ = dense_accelerations(q, w, x, v, push, end_force=(30, -20, 10))
    found = links.tables(y).motion.acceleration
    assert np.abs(found - exact).max() < 1e-11 * np.abs(exact).max()


@pytest.mark.parametrize("seed", range(3))
def test_a_held_far_end_pulls_with_its_spring(seed):
    """The end is tied to its point by the stretch of the whole cable, k = EA/L, with its damping."""
    held = {"kind": "fixed", "position": [3, 2, -11]}
    links = compiled(system(end=held))
    y, q, w = moving_state(links, seed)
    lengths = np.array([1.0, 1.5, 0.8, 2.0, 1.2, 1.7])
    gap = np.array([0, 0, -5]) + (lengths[:, None] * q).sum(axis=0) - np.array(held["position"])
    pull = -1e6 / lengths.sum() * (gap + 0.01 * (lengths[:, None] * w).sum(axis=0))
    dy = np.zeros_like(y)
    assert links.rhs(0.0, y, links.initial_inputs(), links.ints, links.reals, links.work, dy) == 0
    # the oracle hangs the free end's body there: take its weight, drag and inertia off by giving it none
    exact = _without_end_body(q, w, pull)
    found = links.tables(y).motion.acceleration
    assert np.abs(found - exact).max() < 1e-9 * np.abs(exact).max()


def _without_end_body(q, w, pull):
    """The dense solution for the same links with a negligible body at the end."""
    links = compiled(
        system(end={"kind": "free", "position": [3, 2, -11]}, loads=[{"point": "B", "force": pull.tolist()}])
    )
    y = links.initial_state()
    state = links.tables(y)
    state.link_state.direction, state.link_state.rate = q, w
    dy = np.zeros_like(y)
    links.rhs(0.0, y, links.initial_inputs(), links.ints, links.reals, links.work, dy)
    return state.motion.acceleration.copy()


def test_a_taut_cable_is_pulled_by_its_own_stretch():
    """5 cm too short: the end stays 5 cm off its point, and the spring k = EA/L gives the tension of the stretch."""
    given = system(
        end={"kind": "fixed", "position": [0, 0, -13.25]}, rope={"bending_stiffness": 0.0},
        cable={"start": "A", "allow_stretch": True},
    )  # fmt: skip
    links = compiled(given)
    y, u, row = links.initial_state(), links.initial_inputs(), links.shape.empty_row()
    assert links.advance(0.0, y, 2000, 0.005, u, "semi_implicit") is None
    links.observe(10.0, y, u, 0.005, row)
    nodes = links.shape.node_table(row, "rope")
    gap = nodes[-1, :3] - [0, 0, -13.25]
    assert row[links.shape.cable_ends("rope")][3:] == pytest.approx(1e6 / 8.2 * gap, rel=1e-6, abs=1e-2)
    assert nodes[-1, 6] == pytest.approx(1e6 * 0.05 / 8.2, rel=2e-3)


def test_end_forces_carry_weight_and_drag():
    """At rest in still water the support carries all weight less buoyancy."""
    given = system(environment={"water_density": 1025.0}, cable={"start": "A"}, rope={"bending_stiffness": 0.0},
                   end={"kind": "free", "position": [0, 0, -13.2], "mass": 12.0})  # fmt: skip
    links = compiled(given)
    row = links.shape.empty_row()
    links.observe(0.0, links.initial_state(), links.initial_inputs(), 0.005, row)
    weight = (1800 - WATER) * np.pi / 4 * 0.05**2 * 8.2 * GRAVITY + 12 * GRAVITY + (4 - WATER * 0.001) * GRAVITY
    ends = row[links.shape.cable_ends("rope")]
    assert ends == pytest.approx([0, 0, -weight, 0, 0, 12 * GRAVITY], abs=1e-8)
