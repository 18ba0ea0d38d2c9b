"""Largest tensions of two shipped examples that swing and go slack, against their equations of motion solved by scipy.

Steps of 0.02 s are long for both: the first-order step of `lumped` is 16 % and 7 % too low there.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fairlead as fl
from fairlead.results import summarise

EXAMPLES = Path(__file__).parents[2] / "examples"
GRAVITY = 9.81


def double_pendulum() -> float:
    """Largest pull at the top of the wire below the rod in 10 s: a compound pendulum with a load on a massless link."""
    rod, inertia, half, length, wire, shared = 4.0, 0.4806, 0.6, 1.2, 0.75, 0.5 * 0.02 * 0.75
    load = 1.5 + shared
    about = inertia + rod * half**2 + (shared + load) * length**2

    def solved(y: np.ndarray) -> tuple[float, float]:
        q, p, dq, dp = y
        c, s = np.cos(q - p), np.sin(q - p)
        cross = load * length * wire
        mass = [[about, cross * c], [cross * c, load * wire**2]]
        moment = (rod * half + (shared + load) * length) * GRAVITY * np.sin(q)
        return np.linalg.solve(
            mass, [-cross * s * dp**2 - moment, cross * s * dq**2 - load * GRAVITY * wire * np.sin(p)]
        )

    def pull(y: np.ndarray) -> float:
        """Of load and half of the wire, with the other half."""
        q, p, dq, dp = y
        ddq, ddp = solved(y)
        along = np.array([-np.sin(p), np.cos(p)])
        end = length * (ddq * np.array([np.cos(q), np.sin(q)]) + dq**2 * np.array([-np.sin(q), np.cos(q)]))
        there = end + wire * (ddp * np.array([np.cos(p), np.sin(p)]) + dp**2 * along)
        return load * (there @ along + GRAVITY * np.cos(p)) + shared * (end @ along + GRAVITY * np.cos(p))

    start = [0.5, np.arctan2(0.724312644 - length * np.sin(0.5), 1.788149008 - length * np.cos(0.5)), 0.0, 0.0]
    found = solve_ivp(
        lambda _, y: [y[2], y[3], *solved(y)], (0, 10), start, rtol=1e-9, atol=1e-11, t_eval=np.arange(0, 10, 0.002)
    )
    return max(map(pull, found.y.T))


def paper_cable() -> float:
    """Largest pull at the top of the cable in 1.5 s: three springs whose dampers also push, and the masses between."""
    length, mass = 10.0 / 3.0, 1000.0 / 3.0
    stiffness = 7.75e7 * np.pi / 4 * 0.0332**2 / length
    damping, masses = 1.2903226e-3 * stiffness, np.array([[mass], [mass], [0.5 * mass]])

    def pulls(y: np.ndarray) -> np.ndarray:
        """Force (3, 2) of every spring on its upper end."""
        d = np.diff(np.vstack([[0.0, 20.0], y[:6].reshape(3, 2)]), axis=0)
        v = np.diff(np.vstack([[0.0, 0.0], y[6:].reshape(3, 2)]), axis=0)
        span = np.linalg.norm(d, axis=1)
        t = d / span[:, None]
        return (np.maximum(stiffness * (span - length), 0.0) + damping * (v * t).sum(axis=1))[:, None] * t

    def motion(_: float, y: np.ndarray) -> np.ndarray:
        force = pulls(y)
        a = (np.vstack([force[1:], [[0.0, 0.0]]]) - force) / masses - (0.0, GRAVITY)
        return np.concatenate([y[6:], a.ravel()])

    start = np.array([[0.0, 20.0]]) + np.arange(1, 4)[:, None] / 3.0 * [[-2.0, -10.0]]
    found = solve_ivp(
        motion, (0, 1.5), np.concatenate([start.ravel(), np.zeros(6)]), rtol=1e-9, atol=1e-9, max_step=0.01,
        t_eval=np.arange(0, 1.5, 0.001),
    )  # fmt: skip
    return max(np.linalg.norm(pulls(y)[0] - (0.0, 0.5 * mass * GRAVITY)) for y in found.y.T)


@pytest.mark.parametrize(("step", "bound"), [(0.02, 0.006), (0.005, 0.0005)])
@pytest.mark.parametrize(
    ("name", "duration", "truth"),
    [("double_pendulum", 10.0, double_pendulum), ("paper_cable_swinging", 1.5, paper_cable)],
)
def test_the_largest_tension_is_that_of_the_equations(name, duration, truth, step, bound):
    values = {"formulation": "lumped", "integrator": "auto", "duration": duration, "step": step, "output_every": 0.1}
    system = fl.load(EXAMPLES / f"{name}.yaml").with_values({f"simulation.{key}": x for key, x in values.items()})
    found = summarise(fl.simulate(system))["cables"]["wire"]["force_start"]["max"]
    assert found == pytest.approx(truth(), rel=bound)
