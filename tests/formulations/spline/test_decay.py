"""Damping and loads in time against closed forms: the ledger closes with any damping and proves nothing."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

from .systems import slack

INTEGRATORS = ["verlet", "midpoint"]
LENGTH, EA, EI, GJ, PER_LENGTH, MASS = 4.0, 2e4, 50.0, 40.0, 5.0, 50.0


def straight(integrator: str, step: float, *, damping: dict[str, float], span: float = LENGTH, free: bool = False,
             elements: int = 8, kind: dict[str, float] | None = None, **more) -> fl.Simulation:  # fmt: skip
    """A rod along x in empty space, pinned at A; at B pinned, or to a mass."""
    end = {"kind": "free", "mass": MASS} if free else {"kind": "fixed"}
    return fl.Simulation(
        slack(
            elements,
            environment={"water_density": 0.0, "gravity": 0.0},
            points={"A": {"kind": "fixed", "position": [0, 0, -5]}, "B": {**end, "position": [span, 0, -5]}},
            cable={"length": LENGTH, "allow_stretch": True},
            kind={"axial_stiffness": EA, "damping_time": {"axial": 0, "bending": 0, "torsion": 0} | damping}
            | (kind or {}),
            simulation={"start": "catenary", "duration": 1e4 * step, "step": step, "integrator": integrator}
            | more.pop("simulation", {}),
            **more,
        )
    )


def decaying(t: float, omega: float, time: float) -> float:
    """x(t)/x(0) of ẍ + τω²ẋ + ω²x = 0 let go at rest."""
    rate = 0.5 * time * omega**2
    turning = np.sqrt(omega**2 - rate**2)
    return float(np.exp(-rate * t) * (np.cos(turning * t) + rate / turning * np.sin(turning * t)))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_axial_oscillation_decays_by_its_damping_time(integrator):
    """A mass on a line pulled by 1 % and let go: ω² = EA/(L(M + mL/3)), decaying with τω²/2."""
    time, pull, light = 0.02, 0.01 * LENGTH, 1e-3
    omega = np.sqrt(EA / LENGTH / (MASS + light * LENGTH / 3.0))
    period = 2.0 * np.pi / omega
    line = straight(integrator, period / 1000.0, damping={"axial": time}, span=LENGTH + pull, free=True, elements=1,
                    kind={"mass_per_length": light, "bending_stiffness": 0, "torsional_stiffness": 0})  # fmt: skip
    for part in (0.25, 0.5, 1.0, 2.0):
        out = line.step(part * period - line.time)
        assert (out["B.position"][0] - LENGTH) / pull == pytest.approx(decaying(line.time, omega, time), abs=1e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_bending_oscillation_decays_by_its_damping_time(integrator):
    """A pinned rod let go from half a sine of a tenth of a millimetre: ω = (π/L)² √(EI/m), decaying with τω²/2."""
    time, height = 0.02, 1e-4
    omega = (np.pi / LENGTH) ** 2 * np.sqrt(EI / PER_LENGTH)
    period = 2.0 * np.pi / omega
    rod = straight(integrator, period / 2000.0, damping={"bending": time}, kind={"torsional_stiffness": 0})
    state = rod.state
    nodes = state[rod.compiled.layout["position"]].reshape(-1, 3)
    nodes[:, 1] = height * np.sin(np.pi * nodes[:, 0] / LENGTH)
    state[rod.compiled.layout["position"]] = nodes.ravel()
    rod.state = state
    for part in (0.25, 0.5, 1.0):
        out = rod.step(part * period)
        middle = np.asarray(out["rod.position"])[4, 1] / height
        assert middle == pytest.approx(decaying(rod.time, omega, time), abs=3e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_an_end_turned_steadily_works_against_stiffness_and_damping(integrator):
    """Torque GJ(α + τα̇)/L of a straight rod: GJα²/2L is stored, GJτα̇α/L is damped, their sum is the end's work."""
    time, turn, seconds = 0.5, np.radians(40.0), 2.0
    turning = {"spline": {"twists": {"rod": {"table": [[0, 0], [10, 200]]}}}}
    rod = straight(integrator, 0.005, damping={"torsion": time}, span=1.01 * LENGTH, simulation=turning)
    out = rod.step(seconds)
    stored, damped = GJ * turn**2 / (2.0 * LENGTH), GJ / LENGTH * time * turn / seconds * turn
    assert out["work_damping"] == pytest.approx(-damped, rel=1e-3)
    assert out["work_drives"] == pytest.approx(stored + damped, rel=1e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_load_that_grows_in_time_is_met_with_second_order(integrator):
    """M ẍ = F't − kx from rest: x = F'(t − sin(ωt)/ω)/k; half the step, a quarter of the error."""
    light, growth, until = 1e-3, 50.0, 1.0
    stiffness = EA / LENGTH
    omega = np.sqrt(stiffness / (MASS + light * LENGTH / 3.0))
    exact = growth / stiffness * (until - np.sin(omega * until) / omega)
    errors = []
    for step in (0.02, 0.01):
        line = straight(integrator, step, damping={}, free=True, elements=1,
                        kind={"mass_per_length": light, "bending_stiffness": 0, "torsional_stiffness": 0},
                        loads=[{"point": "B", "force": [growth, 0, 0], "table": [[0, 0], [10, 10]]}])  # fmt: skip
        errors.append(line.step(until)["B.position"][0] - LENGTH - exact)
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.4)
