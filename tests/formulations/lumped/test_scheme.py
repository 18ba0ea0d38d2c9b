"""The step: its order, what it damps and what it keeps, and that it stands contact, slack and stiff lines."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System
from fairlead.simulate import Simulation, simulate

STIFFNESS, MASS = 1e4, 2.0  # N over 1 m, kg


def oscillator(step, theta):
    """A mass on one spring of 1 m, stretched by a millimetre, without weight."""
    return Simulation(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 0.0},
                "types": {"spring": {"diameter": 0.001, "density": 1e-3, "axial_stiffness": STIFFNESS}},
                "points": {
                    "a": {"kind": "fixed", "position": [0, 0, 0]},
                    "b": {"kind": "free", "position": [0, 0, -1.001], "mass": MASS},
                },
                "cables": {
                    "c": {
                        "type": "spring", "length": 1, "elements": 1, "start": "a", "end": "b", "allow_stretch": True,
                    }
                },
                "simulation": {
                    "start": "catenary", "formulation": "lumped", "duration": 20 * step, "step": step,
                    "lumped": {"scheme": "first_order", "theta": theta, "compression": "carried"},
                },
            }
        )
    )  # fmt: skip


def amplification(omega2, theta):
    """What a step makes of the stretch, h times its rate and its change in the step before; omega2 = k h²/m.

    h²a = −omega2 [x + (2θ − ½)R + γ(R − R₋) + ((θ − ½)² + s/108) h²a],  R = hv + ½h²a,  γ = 2s/27,  s = 2(1 − θ).
    """
    s = 2.0 * (1.0 - theta)
    gamma, ahead, bow = 2.0 * s / 27.0, 2.0 * theta - 0.5, (theta - 0.5) ** 2 + s / 108.0
    weight = 1.0 / omega2 + 0.5 * (ahead + gamma) + bow
    gained = -np.array([1.0, ahead + gamma, -gamma]) / weight
    return np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]) + np.outer([0.5, 1.0, 0.5], gained)


def radius(omega2, theta):
    """Largest amplification of a step."""
    return np.abs(np.linalg.eigvals(amplification(omega2, theta))).max()


@pytest.mark.parametrize("theta", [0.5, 0.7, 1.0])
@pytest.mark.parametrize("omega", [0.1, 1.0, 30.0])
def test_a_mass_on_a_spring_follows_the_scheme_to_the_last_digit(theta, omega):
    step = omega * np.sqrt(MASS / STIFFNESS)
    simulation = oscillator(step, theta)
    state = np.array([0.001, 0.0, 0.0])
    for _ in range(12):
        state = amplification(omega**2, theta) @ state
        depth = float(simulation.step(step)["b.position"][2])
        assert -depth - 1.0 == pytest.approx(state[0], abs=1e-10)


def test_one_half_keeps_what_the_step_resolves_and_halves_what_it_does_not():
    assert 1.0 - radius(0.1**2, 0.5) == pytest.approx(0.0185 * 0.1**4, rel=0.02)
    assert radius(1e12, 0.5) == pytest.approx(0.5, abs=1e-3)
    assert max(radius(omega2, 0.5) for omega2 in np.logspace(-4, 8, 200)) < 1.0


def test_one_damps_as_the_implicit_euler_step_does():
    for omega2 in np.logspace(-3, 6, 40):
        assert radius(omega2, 1.0) == pytest.approx(1.0 / np.sqrt(1.0 + omega2), abs=1e-9)


def test_every_theta_is_stable_for_every_step():
    for theta in np.linspace(0.5, 1.0, 11):
        assert max(radius(omega2, theta) for omega2 in np.logspace(-4, 10, 200)) < 1.0


def swung(step, theta, stiffness):
    """Places of the nodes of a chain of 20 a second after it is let go from 0.5 rad."""
    tip = [3.2 * np.sin(0.5), 0.0, -3.2 * np.cos(0.5)]
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"chain": {"diameter": 0.02, "density": 7850.0, "axial_stiffness": stiffness}},
            "points": {"top": {"kind": "fixed", "position": [0, 0, 0]}, "tip": {"kind": "free", "position": tip}},
            "cables": {"chain": {"type": "chain", "length": 3.2, "elements": 20, "start": "top", "end": "tip"}},
            "simulation": {
                "start": "catenary", "formulation": "lumped", "duration": 1.0, "step": step, "output_every": 1.0,
                "lumped": {"scheme": "first_order", "theta": theta},
            },
        }
    )  # fmt: skip
    return simulate(system)["position"].values[-1, 0]


@pytest.mark.parametrize(("theta", "stiffness"), [(1.0, 6.3e7), (0.5, 6.3e7), (0.5, 2e4)])
def test_a_swinging_chain_converges_with_the_square_of_the_step(theta, stiffness):
    """By default (steel), and with theta = 0.5 also where the chain is so soft that it vibrates along itself."""
    exact = swung(1e-4, theta, stiffness)
    coarse, fine = (np.abs(swung(step, theta, stiffness) - exact).max() for step in (2e-3, 1e-3))
    assert 3.3 < coarse / fine < 4.7


def test_a_cable_dropped_on_a_hard_bed_comes_to_rest():
    """A bed so hard that it would throw a cable back in less than a millisecond, at a step of 20 ms."""
    system = System.model_validate(
        {
            "environment": {"water_density": 1025.0, "seabed": {"depth": 20.0, "friction": 0.5, "stiffness": 1e9}},
            "types": {"chain": {"diameter": 0.05, "density": 7000, "axial_stiffness": 1e8}},
            "points": {
                "a": {"kind": "free", "position": [0, 0, -18]},
                "b": {"kind": "free", "position": [10, 0, -17]},
            },
            "cables": {"c": {"type": "chain", "length": 10.06, "elements": 20, "start": "a", "end": "b"}},
            "simulation": {
                "start": "catenary",
                "formulation": "lumped",
                "duration": 20,
                "step": 0.02,
                "output_every": 0.5,
            },
        }
    )
    result = simulate(system)
    assert np.abs(result["velocity"].values[-1, 0, :, 2]).max() < 1e-9
    assert result["position"].values[-1, 0, :, 2] == pytest.approx(-20.0 + 0.025, abs=1e-4)
