"""Matrices, streams and lines that a file gives to a floater: what they push it with, and what that work is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fairlead as fl
from fairlead.algebra.quaternion import rotation
from fairlead.floaters import RadiationFit
from fairlead.floaters.drift import Drift
from fairlead.sea.waves import AMPLITUDE, OMEGA, wave_columns
from fairlead.simulate import Simulation

from .floaters import DENSITY, GRAVITY, MASS, afloat, body, motions, water
from .test_floaters import balance
from .test_forces_on_floaters import SEA, STEP, seen

FULL = np.random.default_rng(3).normal(size=(3, 6, 6))
"""Matrices that are not symmetric."""


def test_given_matrices_are_forces_row_by_row_over_motions(monkeypatch: pytest.MonkeyPatch) -> None:
    """−Cξ, preload − Kξ and −BV − D|V|V, with matrices that are not symmetric."""
    scale = np.sqrt(np.outer([1e5] * 3 + [1e6] * 3, [1e5] * 3 + [1e6] * 3))
    C, K, B = FULL * scale
    preload, D = np.array([1e3, -2e3, 3e3, 4e4, -5e4, 6e4]), np.array([2e4, 3e4, 4e4, 5e5, 6e5, 7e5])
    sea = water("p")
    sea = replace(sea, coefficients=replace(sea.coefficients, stiffness=C))
    given = {
        "mooring": {"matrix": K.tolist(), "preload": preload.tolist()},
        "damping": {"linear": B.tolist(), "quadratic": D.tolist()},
        "displaced": [0.2, -0.1, 0.15, 0.5, -0.4, 0.3],
    }
    system = afloat(monkeypatch, [sea], {"p": body(**given)}, "lumped", STEP, points={}, cables={})
    moved = np.array([0.2, -0.1, 0.15, *np.radians([0.5, -0.4, 0.3])])
    speed = np.array([0.3, 0.2, -0.4, 0.05, -0.03, 0.04])

    def change(tables: Any) -> None:
        R = np.reshape(rotation.py_func(tables.hub_state.turn[0]), (3, 3))
        tables.hub_state.velocity[0], tables.hub_state.spin[0] = speed[:3], R.T @ speed[3:]

    out, lift = seen(system, change, 0.0), MASS * GRAVITY
    known = {
        "hydrostatic": np.array([0, 0, lift, 0.002 * lift, -0.003 * lift, 0]) - C @ moved,
        "mooring": preload - K @ moved,
        "viscous": -B @ speed - D * np.abs(speed) * speed,
    }
    for name, force in known.items():
        np.testing.assert_allclose(out[f"p.force_{name}"], force, atol=2e-3 * np.abs(scale[0, 0]) * 0.3, err_msg=name)


def test_a_floater_turned_about_the_vertical_floats_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its buoyancy goes with its centre: the moments that C46 = −ρgV x_b and C56 = −ρgV y_b tell of a yaw."""
    lift, (x, y), yaw = MASS * GRAVITY, (2.0, -1.0), np.radians(1.0)
    sea = water("p")
    C = sea.coefficients.stiffness.copy()
    C[3, 5], C[4, 5] = -lift * x, -lift * y
    data = replace(sea.coefficients, stiffness=C, centre_of_buoyancy=np.array([[x, y, -2.0]]))
    floater = body(centre_of_mass=[x, y, -1.0], displaced=[0, 0, 0, 0, 0, 1.0], mooring=None)
    system = afloat(
        monkeypatch, [replace(sea, coefficients=data)], {"p": floater}, "lumped", STEP, points={}, cables={}
    )
    found = seen(system, lambda tables: None, 0.0)["p.force_hydrostatic"]
    at = x - yaw * y, y + yaw * x
    np.testing.assert_allclose(found, [0, 0, lift, lift * at[1], -lift * at[0], 0], atol=1e-3 * lift * yaw)


def test_a_turned_floater_meets_the_current_at_its_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    """½ρU² by the heading that the stream has for the floater, U where its buoyancy has its centre, 2 m down."""
    rows = [[0, 0.8, 0, 0], [90, 0, 0.6, 0.03], [180, -0.8, 0, 0]]
    met = {"area": [30.0, 50.0], "length": 12.0, "coefficients": rows}
    towards = np.array([np.cos(np.radians(100.0)), np.sin(np.radians(100.0)), 0.0])
    sheared = [{"z": 0.0, "velocity": (2.0 * towards).tolist()}, {"z": -10.0, "velocity": [0, 0, 0]}]
    floater = body(current=met, orientation_deg=[0, 0, 40.0])
    system = afloat(
        monkeypatch,
        [water("p")],
        {"p": floater},
        "lumped",
        STEP,
        environment={"current": sheared},
        points={},
        cables={},
    )
    found = seen(system, lambda tables: None, 0.0)["p.force_current"]
    shares = np.array([0.8 / 3, 0.6 * 2 / 3, 0.03 * 2 / 3]) * [30.0, 50.0, 50.0 * 12.0]  # 60 degrees off its bow
    np.testing.assert_allclose(found[[0, 1, 5]], 0.5 * DENSITY * 1.6**2 * shares, rtol=1e-6)


def test_what_lines_do_to_a_turned_floater_is_told_in_its_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Force and moment of a stiff taut line on a hull that heads west, at a lever of its own."""
    line = {"diameter": 0.02, "density": DENSITY, "youngs_modulus": 1e9, "drag": {"normal": 0, "axial": 0}}
    lever, yaw = np.array([3.0, 2.0, -1.0]), np.radians(90.0)
    floater = body(orientation_deg=[0, 0, 90.0], attachments={"f": lever.tolist()})
    top = np.array([-2.0, 3.0, -1.0])  # where the lever is when the hull has turned
    anchor = top + np.array([60.0, 10.0, 0.0])
    system = afloat(
        monkeypatch, [water("p")], {"p": floater}, "lumped", STEP, types={"line": line},
        points={"A": {"kind": "fixed", "position": anchor.tolist()}},
        cables={"c": {"type": "line", "length": 60.0, "elements": 2, "start": "A", "end": "p.f",
                      "allow_stretch": True}},
    )  # fmt: skip
    out = seen(system, lambda tables: None, 0.0)
    way = anchor - top
    pull = 1e9 * np.pi * 0.01**2 * (np.linalg.norm(way) / 60.0 - 1.0) * way / np.linalg.norm(way)
    back = np.array([[np.cos(yaw), np.sin(yaw), 0], [-np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    known = np.concatenate([back @ pull, back @ np.cross(top, pull)])
    np.testing.assert_allclose(out["p.force_mooring"], known, atol=0.01 * np.abs(known).max())


def test_quadratic_damping_slows_as_its_closed_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """v = v₀/(1 + D v₀ t/m) in next to no water, at steps in which a tenth of the speed is lost."""
    sea, v, h = water("p"), 2.0, 0.1
    assert sea.fit is not None
    thin = RadiationFit(sea.fit.poles, 1e-9 * sea.fit.residues, 1e-9 * sea.fit.added_mass_infinite)
    D = MASS / v  # D v₀/m is one a second
    floater = body(centre_of_mass=[0, 0, 0], mooring=None, damping={"quadratic": [D, 0, 0, 0, 0, 0]})
    system = afloat(monkeypatch, [replace(sea, fit=thin)], {"p": floater}, "lumped", h, points={}, cables={})
    sim = Simulation(system)
    y = sim.state
    sim.compiled.tables(y).hub_state.velocity[0] = (v, 0.0, 0.0)  # type: ignore[attr-defined]
    sim.set_state(0.0, y)
    for time in (1.0, 2.0, 3.0):
        sim.step(1.0)
        found = sim.compiled.tables(sim.state).hub_state.velocity[0][0]  # type: ignore[attr-defined]
        assert found == pytest.approx(v / (1.0 + time), rel=0.01)


def test_mean_drift_alone_is_a_steady_push_along_the_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Σ a² T(ω) at any time, and its square of the ramp while the sea grows."""
    omega = np.linspace(0.2, 6.0, 30)
    mean = np.zeros((1, len(omega), 6))
    mean[0, :, 0], mean[0, :, 4] = 2e4 * omega, -3e4 * omega
    sea = replace(water("p"), drift={"p": Drift(omega, np.radians([25.0]), mean)})
    floater = body(drift={"method": "mean", "file": "known.8"})
    system = afloat(monkeypatch, [sea], {"p": floater}, "lumped", STEP, environment={"waves": {**SEA, "ramp": 8.0}})
    waves = wave_columns(system.environment).astype(float)
    push = float((waves[AMPLITUDE] ** 2 * waves[OMEGA]).sum())
    assert push > 0.0
    for time, share in ((31.7, 1.0), (90.0, 1.0), (4.0, 0.5)):
        found = seen(system, lambda tables: None, time)["p.force_drift"]
        np.testing.assert_allclose(found, share**2 * push * np.array([2e4, 0, 0, 0, -3e4, 0]), rtol=1e-3, atol=1e-6)


def test_works_are_forces_along_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of waves, drift, radiation and dampers on a floater that a preloaded mooring pulls aside; and the books close."""
    omega = np.linspace(0.2, 6.0, 30)
    mean = np.zeros((1, len(omega), 6))
    mean[0, :, 0], mean[0, :, 1] = 2e4 * omega, 1e4
    held = {"matrix": [2e4, 2e4, 0, 0, 0, 1e6], "preload": [4e3, 0, 0, 0, 0, 2e4]}
    damping = {"linear": [1e4, 1e4, 2e4, 4e5, 4e5, 4e5], "quadratic": [5e3] * 3 + [1e5] * 3}
    floater = body(mooring=held, drift={"method": "newman", "file": "known.8"}, damping=damping)
    sea, h = replace(water("p"), drift={"p": Drift(omega, np.radians([25.0]), mean)}), 0.02
    result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, "lumped", h, 20.0, {"waves": SEA}))
    speeds = np.gradient(motions(result, "p"), h, axis=0)
    names = {"waves": "excitation", "drift": "drift", "radiation": "radiation", "viscous": "viscous"}
    for word, name in names.items():
        power = (result[f"p.force_{name}"].values * speeds).sum(axis=1)
        known = np.concatenate([[0.0], np.cumsum(0.5 * h * (power[1:] + power[:-1]))])
        work = result[f"p.work_{word}"].values
        assert np.abs(work).max() > 10.0, word
        assert np.abs(work - known).max() < 0.03 * np.abs(work).max(), word
    exchanged = sum(np.abs(result[f"p.work_{word}"].values).max() for word in names)
    assert np.ptp(balance(result)) < 0.01 * exchanged
