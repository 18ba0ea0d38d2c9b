"""Floaters in long steps and large motions: what a step takes of the water, of a rotor and of a take-off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import lsim

import fairlead as fl
from fairlead.floaters import RadiationFit
from fairlead.floaters.waters import Water
from fairlead.simulate import Simulation

from .floaters import DENSITY, FORMULATIONS, MASS, afloat, body, free_motion, matrices, motions, water
from .test_floaters import DISPLACED, START, balance
from .test_floaters_by_their_past import recalled


def thin(*names: str) -> Water:
    """Next to no water: nothing radiates, is carried along or rights a body."""
    sea = water(*names)
    assert sea.fit is not None
    fit = RadiationFit(sea.fit.poles, 1e-9 * sea.fit.residues, 1e-9 * sea.fit.added_mass_infinite)
    return replace(sea, coefficients=replace(sea.coefficients, stiffness=0.0 * sea.coefficients.stiffness), fit=fit)


def louder(sea: Water, times: float) -> Water:
    """The same water, radiating so many times as much."""
    assert sea.fit is not None
    return replace(sea, fit=replace(sea.fit, residues=times * sea.fit.residues))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_bodies_that_feel_each_others_waves(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either way, in the very step as well: the error is of second order for each, and their works are force by way."""
    sea, bodies = louder(water("p", "q", seed=2, shared=0.5), 3.0), {"p": body(displaced=DISPLACED), "q": body()}
    start, errors = np.concatenate([START, np.zeros(6)]), []
    for h in (0.2, 0.1):
        result = fl.simulate(afloat(monkeypatch, [sea], bodies, formulation, h, 12.0))
        known = free_motion(sea, *matrices(sea, list(bodies.values())), start, h, len(result.time) - 1)
        off = np.abs(motions(result, "p", "q") - known)
        errors.append([off[:, own].max() / np.abs(known[:, own]).max() for own in (slice(0, 6), slice(6, 12))])
    assert np.max(errors[0]) < 0.06
    assert np.all(np.array(errors[1]) < 0.35 * np.array(errors[0]))
    given = [result[f"{name}.work_radiation"].values for name in "pq"]
    assert np.ptp(balance(result)) < (0.006 if formulation == "lumped" else 0.016) * np.abs(given).max()
    assert np.abs(given[1]).max() > 0.02 * np.abs(given[0]).max()


def test_thrust_lost_with_speed_slows_as_its_closed_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """V̇ = −M⁻¹ D nnᵀ V of a rotor aslant and beside the middle, at steps in which half of that speed is lost: by the
    mean of both ends of the step, which is within 0.05 of it."""
    at, angle, D, h = np.array([1.0, -2.0, 3.0]), np.radians(40.0), 3e5, 0.2
    floater = body(centre_of_mass=[0, 0, 0], inertia=[2e6, 3e6, 4e6], mooring=None, damping={},
                   thrust={"at": at.tolist(), "force": 0, "direction_deg": 40.0, "damping": D})  # fmt: skip
    nowhere = {"gravity": 1e-9}
    sim = Simulation(afloat(monkeypatch, [thin("p")], {"p": floater}, "lumped", h, 9.0, nowhere, points={}, cables={}))
    n = np.array([np.cos(angle), np.sin(angle), 0.0])
    row = np.concatenate([n, np.cross(at, n)])
    M = np.diag([MASS] * 3 + [2e6, 3e6, 4e6])
    fade = row @ np.linalg.solve(M, D * row) * h
    assert 0.4 < fade < 1.0
    start = 1e-3 * np.array([1.0, 0.5, 0.2, 0.1, -0.1, 0.2])
    y = sim.state
    hub = sim.compiled.tables(y).hub_state  # type: ignore[attr-defined]
    hub.velocity[0], hub.spin[0] = start[:3], start[3:]
    sim.set_state(0.0, y)
    damper, mean = D * np.outer(row, row), start
    for _ in range(4):
        sim.step(h)
        hub = sim.compiled.tables(sim.state).hub_state  # type: ignore[attr-defined]
        mean = np.linalg.solve(M + 0.5 * h * damper, (M - 0.5 * h * damper) @ mean)
        np.testing.assert_allclose([*hub.velocity[0], *hub.spin[0]], mean, atol=2e-3 * np.abs(start).max())
        assert abs(row @ mean - row @ expm(-sim.time * np.linalg.solve(M, damper)) @ start) < 0.05 * abs(row @ start)


def test_the_past_of_a_long_step_is_that_of_the_poles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both take velocities along straight lines through a step, the one under way included."""
    sea = louder(water("p"), 8.0)
    found = [
        motions(fl.simulate(afloat(monkeypatch, [one], {"p": body(displaced=DISPLACED)}, "lumped", 0.5, 15.0)), "p")
        for one in (sea, recalled(sea))
    ]
    error = np.abs(found[1] - found[0]).max(axis=0) / np.abs(found[0]).max(axis=0)
    assert error.max() < 6e-3


@pytest.mark.parametrize("integrator", ["semi_implicit", "rk4"])
def test_the_current_is_felt_against_the_motion_through_two_filters(
    integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """U − ẋ of the place behind 1/(1 + s/r)², r = 2π 0.03 Hz, of a floater on a soft mooring that swings to and fro."""
    rows = [[0, 0.8, 0, 0], [90, 0, 0.8, 0], [180, -0.8, 0, 0]]
    met, U, h = {"area": [30.0, 30.0], "length": 12.0, "coefficients": rows}, 1.5, 0.1
    held = {"matrix": [2e4, 2e4, 0, 0, 0, 1e6], "preload": [0] * 6}
    floater = body(current=met, mooring=held, displaced=[0, 8.0, 0, 0, 0, 0])
    sea = {"current": [{"z": 0.0, "velocity": [0, U, 0]}]}
    system = afloat(monkeypatch, [water("p")], {"p": floater}, "lumped", h, 30.0, sea, points={}, cables={})
    result = fl.simulate(system.with_settings(integrator=integrator))
    t, r = result.time.values, 2.0 * np.pi * 0.03
    sway = result["p.sway"].values - 8.0  # they begin where it is let go, and know of no motion before
    _, slow, _ = lsim(([r * r, 0.0], [1.0, 2.0 * r, r * r]), sway, t)
    known = 0.5 * DENSITY * (U - slow) ** 2 * 30.0 * 0.8
    assert np.ptp(known) > 0.5 * known[0]
    np.testing.assert_allclose(result["p.force_current"].values[5:, 1], known[5:], rtol=0.02)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_take_off_between_bodies_that_have_moved_apart_keeps_energy(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its axis turns with the first body, its place is that of the second: the lever of the first is between them."""
    h, k, c = 0.02, 2e5, 2e4

    def result(damping: float) -> Any:
        pto = {"between": ["p", "q"], "at": [1.0, 0.5, 0.0], "axis": [0, 0, 1], "stiffness": k, "damping": damping}
        bodies = {name: body(centre_of_mass=[0, 0, 0], mooring=None, damping={}) for name in "pq"}
        bodies["q"]["displaced"] = [6.0, -4.0, 1.0, 0, 0, 0]
        bodies["p"]["displaced"] = [0, 0, 0, 8.0, -5.0, 0]
        return fl.simulate(
            afloat(monkeypatch, [thin("p", "q")], bodies, formulation, h, 8.0, {"gravity": 1e-9}, ptos={"rod": pto})
        )

    free = result(0.0)
    stroke = free["rod.stroke"].values
    assert np.ptp(stroke) > 1.0
    assert np.ptp(balance(free)) < 0.01 * 0.5 * k * np.ptp(stroke) ** 2
    damped = result(c)
    rate = np.gradient(damped["rod.stroke"].values, h)
    taken = c * np.trapezoid(rate**2, dx=h)
    assert damped["rod.energy"].values[-1] == pytest.approx(taken, rel=0.02)


def in_the_other_order(sea: Water) -> Water:
    """The same water of two bodies, the second told first."""
    assert sea.fit is not None
    new, data, fit = np.roll(np.arange(12), 6), sea.coefficients, sea.fit
    both = np.ix_(new, new)
    told = replace(
        data, added_mass=data.added_mass[:, new][:, :, new], damping=data.damping[:, new][:, :, new],
        excitation=data.excitation[..., new], stiffness=data.stiffness[both],
        added_mass_infinite=fit.added_mass_infinite[both],
    )  # fmt: skip
    known = RadiationFit(fit.poles, fit.residues[:, new][:, :, new], fit.added_mass_infinite[both])
    return Water(sea.names[::-1], told, known)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_works_of_bodies_in_one_water_do_not_depend_on_their_order(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What either gives the water of the other, by its velocity and by its acceleration within a long step."""
    sea, bodies = louder(water("p", "q", seed=2, shared=0.5), 3.0), {"p": body(displaced=DISPLACED), "q": body()}
    thread = {"c": {"type": "thread", "length": 600, "elements": 2, "start": "A", "end": "p.f"}}
    works = []
    for told, order in ((sea, "pq"), (in_the_other_order(sea), "qp")):
        told_so = {name: bodies[name] for name in order}
        result = fl.simulate(afloat(monkeypatch, [told], told_so, formulation, 0.2, 6.0, cables=thread))
        works.append([result[f"{name}.work_{kind}"].values for name in "pq" for kind in ("radiation", "viscous")])
    assert np.abs(works[0][2]).max() > 0.02 * np.abs(works[0][0]).max()
    np.testing.assert_allclose(works[1], works[0], rtol=0, atol=1e-6 * np.abs(works[0][0]).max())
