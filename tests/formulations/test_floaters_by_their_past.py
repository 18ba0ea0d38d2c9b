"""Radiation by the integral over the past: the motion of the closed solution and of the poles, however a run is cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fairlead as fl
from fairlead.floaters.convolution import Recall
from fairlead.floaters.waters import Water
from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.rigging import floater_rows
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation
from fairlead.statics.modes import natural_modes
from fairlead.statics.solution import settled

from .floaters import FORMULATIONS, MOTIONS, afloat, body, free_motion, in_two_parts, matrices, motions, water

START = np.array([4e-4, 2e-4, 1e-3, *np.radians([0.006, 0.01, 0.004])])
DISPLACED = [*START[:3], *np.degrees(START[3:])]
OMEGA = np.concatenate([np.linspace(0.02, 4.0, 200), np.geomspace(4.05, 60.0, 120)])


def recalled(sea: Water, memory: float = 30.0, band: float | None = None) -> Water:
    """The same water, known by its added mass and damping at many frequencies alone."""
    assert sea.fit is not None
    K = sea.fit.transfer(OMEGA)
    data = replace(
        sea.coefficients, omega=OMEGA, damping=K.real, headings=np.zeros(0),
        added_mass=sea.fit.added_mass_infinite + K.imag / OMEGA[:, None, None],
        excitation=np.zeros((0, len(OMEGA), len(K[0])), complex),
    )  # fmt: skip
    bare = replace(sea.fit, poles=sea.fit.poles[:0], residues=sea.fit.residues[:0])
    return replace(sea, fit=bare, recall=Recall.of(data, memory, band))


def test_what_is_left_of_an_impulse_is_that_of_the_poles() -> None:
    """∫K of one pair of poles is R (e^{pt} − 1)/p; from 320 frequencies it comes within a thousandth of its largest."""
    sea, time = water("p"), np.linspace(0.0, 20.0, 101)
    fit, past = sea.fit, recalled(sea).recall
    assert fit is not None
    assert past is not None
    known = (((np.exp(np.outer(time, fit.poles)) - 1.0) / fit.poles * fit.factor) @ fit.residues.reshape(-1, 36)).real
    found = past.rise(time)
    rows = [6 * i + j for i, j in past.pairs]
    assert len(rows) == 36
    np.testing.assert_allclose(found, known[:, rows], atol=1e-3 * np.abs(known).max())
    assert past.left() < 1e-3
    assert recalled(sea, 2.0).recall.left() > 0.1


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_two_bodies_let_go_move_as_the_closed_solution(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both bodies feel the past of both; the error falls with the square of the step."""
    sea, bodies = water("p", "q", seed=2), {"p": body(displaced=DISPLACED), "q": body()}
    errors = []
    for h in (0.1, 0.05):
        system = afloat(monkeypatch, [recalled(sea)], bodies, formulation, h, 10.0)
        result = fl.simulate(system)
        start = np.concatenate([START, np.zeros(6)])
        known = free_motion(sea, *matrices(sea, list(bodies.values())), start, h, len(result.time) - 1)
        errors.append(np.abs(motions(result, "p", "q") - known).max() / np.abs(known).max())
    assert errors[0] < 0.01
    assert errors[1] < 0.35 * errors[0]


def test_it_remembers_in_steps_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps shorter than those of the file share a piece of the past; none is lost: it moves as with poles."""
    sea, floater = water("p"), body(displaced=DISPLACED)
    seen = []
    for one in (sea, recalled(sea)):
        sim = Simulation(afloat(monkeypatch, [one], {"p": floater}, "lumped", 0.1, 12.0))
        outs = [sim.step(dt) for _ in range(12) for dt in (0.03, 0.07, 0.25, 0.01, 0.14, 0.5)]
        seen.append([[out[f"p.{motion}"] for motion in MOTIONS] for out in outs])
    known, found = np.array(seen)
    error = np.abs(found - known).max(axis=0) / np.abs(known).max(axis=0)
    assert error.max() < 2e-3


def test_the_past_is_part_of_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run in two parts is the run in one bit for bit, also after its ring of velocities is full."""
    system = afloat(monkeypatch, [recalled(water("p"), 1.0)], {"p": body(displaced=DISPLACED)}, "lumped", 0.125)
    assert np.array_equal(*in_two_parts(system, 40))


def test_the_past_is_kept_as_finely_as_its_data_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data up to 4 rad/s and steps of 0.02 s: a table of every half step moves it alike, with four times the rows."""
    sea, seen, rows = recalled(water("p"), 10.0, 4.0), [], []
    for lags in (floater_rows.LAGS_A_WAVE, 10**6):
        monkeypatch.setattr(floater_rows, "LAGS_A_WAVE", lags)
        sim = Simulation(afloat(monkeypatch, [sea], {"p": body(displaced=DISPLACED)}, "lumped", 0.02, 3.0))
        rows.append(int(sim.compiled.tables(sim.state).lag_rows))
        outs = [sim.step(0.1) for _ in range(30)]
        seen.append([[out[f"p.{motion}"] for motion in MOTIONS] for out in outs])
    assert rows[1] > 3.5 * rows[0]
    kept, fine = np.array(seen)
    assert (np.abs(kept - fine).max(axis=0) / np.abs(fine).max(axis=0)).max() < 1e-4


def test_a_memory_too_long_to_keep_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floater_rows, "MOST_LAGS", 1000)
    system = afloat(monkeypatch, [recalled(water("p"))], {"p": body()}, "lumped")
    with pytest.raises(fl.ModelError, match=r"bodies\.p\.radiation: a memory of 30 s is .* numbers.*shorten 'memory'"):
        compile_system(system, first_geometry(system))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_damaged_ring_of_the_past_is_no_state(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel reads and writes by these numbers: a wrong one would reach far outside the state."""
    sim = Simulation(afloat(monkeypatch, [recalled(water("p"), 1.0)], {"p": body()}, formulation, 0.125))
    y = sim.state
    bounds = [b for b in sim.compiled.state_rules().bounds if "the water's past" in b.what]
    cells = len(bounds) - 2
    assert [(b.low, b.high, b.whole) for b in bounds[:2]] == [(0, cells - 1, True), (0, cells, True)]
    for bound, wrong in [(bounds[0], n) for n in (1e7, cells, -1.0, 0.5)] + [
        (bounds[1], 1e7), (bounds[1], cells + 1), (bounds[1], -1.0), (bounds[2], -0.1), (bounds[-1], -0.1),
    ]:  # fmt: skip
        bad = y.copy()
        bad[bound.place] = wrong
        with pytest.raises(ValueError, match=r"this is no state of the system.*of the water's past is"):
            sim.state = bad
    for bound, last in zip(bounds[:2], (cells - 1, cells), strict=True):
        y[bound.place] = last
    sim.state = y


def test_natural_modes_have_the_water_of_their_own_frequency(monkeypatch: pytest.MonkeyPatch) -> None:
    sea, found = water("p"), []
    for one in (sea, recalled(sea)):
        system = afloat(monkeypatch, [one], {"p": body()}, "lumped", cables={}, points={})
        compiled, y, u, _, _ = settled(system.with_settings(start="statics"))
        found.append(natural_modes(compiled, y, 6, u).omega)
    np.testing.assert_allclose(found[1], found[0], rtol=1e-3)


def test_runge_kutta_methods_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    system = afloat(monkeypatch, [recalled(water("p"))], {"p": body()}, "lumped").with_settings(integrator="rk4")
    with pytest.raises(UnsupportedSystem, match=r"bodies\.p\.radiation.*use integrator: semi_implicit"):
        compile_system(system, first_geometry(system))
