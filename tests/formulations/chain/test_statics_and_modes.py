"""Rigid links at rest: frequencies of hanging chains, the discrete catenary, a rod in a current."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from verification.closed_forms import hanging_bars_frequencies, hanging_chain_frequencies

import fairlead as fl
from fairlead.statics import natural_modes, settle, solve

from .test_chain import hanging

LENGTH, LINKS = 6.0, 20


def from_the_top(elements, **environment):
    """The chain of 6 m hanging from its start."""
    tip = {"B": {"kind": "free", "position": [0, 0, -2 - LENGTH]}}
    return hanging(elements, tip, environment)


def test_frequencies_are_those_of_bessel_and_of_hinged_rods():
    rest = solve(from_the_top(LINKS))
    modes = natural_modes(rest.compiled, rest.y, 6)
    exact = hanging_bars_frequencies(LENGTH, LINKS, 3, diameter=0.0)
    assert modes.omega[::2] == pytest.approx(exact, rel=1e-6)
    assert modes.omega[::2] == pytest.approx(hanging_chain_frequencies(LENGTH, 3), rel=1.1e-2)
    assert modes.omega[::2] == pytest.approx(modes.omega[1::2], rel=1e-7)


def test_one_link_is_a_rod_pendulum_in_water_too():
    """omega² = 3 (m - rho A) g / (2 (m + rho A) L): buoyancy takes weight, added mass (1, across) adds inertia."""
    rest = solve(from_the_top(1, water_density=1025.0))
    displaced = 1025.0 * math.pi / 4 * 0.03**2
    exact = math.sqrt(3 * (5.0 - displaced) * 9.81 / (2 * (5.0 + displaced) * LENGTH))
    assert natural_modes(rest.compiled, rest.y, 2).omega == pytest.approx(exact, rel=1e-6)


def test_statics_find_the_discrete_catenary_again():
    """tan(slope) of the links grows evenly along the chain, from whatever shape it starts."""
    compiled = fl.Simulation(hanging(8)).compiled
    y = compiled.initial_state()
    first = compiled.tables(y)
    known = first.position.xyz.copy()
    first.position.xyz[1:-1] += 0.2 * np.random.default_rng(2).normal(size=(7, 3))
    first.tension.value = 0.0
    found, report = settle(compiled, y)
    assert report.stable
    assert report.relative < 1e-8
    x = compiled.tables(found).position.xyz
    assert x == pytest.approx(known, abs=1e-8)
    chords = np.diff(x, axis=0)
    slopes = chords[:, 2] / np.hypot(chords[:, 0], chords[:, 1])
    assert np.diff(slopes) == pytest.approx(np.diff(slopes).mean(), rel=1e-7)
    assert np.linalg.norm(chords, axis=1) == pytest.approx(LENGTH / 8, rel=1e-12)


def test_a_rod_leans_in_a_current():
    """W sin θ = ½ rho d C U² L cos² θ: drag across the rod alone, weight and drag both act in its middle."""
    speed = 1.2
    current = [{"z": 0.0, "velocity": [speed, 0.0, 0.0]}]
    rest = solve(from_the_top(1, water_density=1025.0, current=current))
    weight = (5.0 - 1025.0 * math.pi / 4 * 0.03**2) * 9.81 * LENGTH
    drag = 0.5 * 1025.0 * 0.03 * 1.0 * speed**2 * LENGTH
    angle = brentq(lambda t: weight * math.sin(t) - drag * math.cos(t) ** 2, 0.0, 1.5)
    tip = np.asarray(rest.outputs["B.position"])
    assert tip == pytest.approx([LENGTH * math.sin(angle), 0.0, -2 - LENGTH * math.cos(angle)], abs=1e-7)


def test_stiffness_is_the_derivative_of_the_forces():
    current = [{"z": 0.0, "velocity": [0.6, 0.4, 0.0]}]
    compiled = fl.Simulation(hanging(6, environment={"water_density": 1025.0, "current": current})).compiled
    held = compiled.linearised()
    y = compiled.initial_state()
    start = compiled.layout["position"].start + 3
    y[start : start + 15] += 1e-9 * np.random.default_rng(1).normal(size=15)
    stiffness = held.tangent(y).toarray()
    for k in range(held.size):
        ahead, behind = y.copy(), y.copy()
        ahead[start + k] += 1e-7
        behind[start + k] -= 1e-7
        slope = (held.residual(behind) - held.residual(ahead)) / 2e-7
        assert stiffness[:, k] == pytest.approx(slope, abs=1e-6 * np.abs(stiffness).max())


def test_a_run_from_statics_stays_there():
    current = [{"z": 0.0, "velocity": [0.5, 0.3, 0.0]}]
    system = hanging(6, environment={"water_density": 1025.0, "current": current}, start="statics")
    places = fl.Simulation(system).run()["position"].values
    assert np.abs(places - places[0]).max() < 1e-6
