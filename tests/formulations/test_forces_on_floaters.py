"""Forces on a floater that has moved, turned and spun: each against what its equation says of that very state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fairlead as fl
from fairlead.algebra.quaternion import rotation
from fairlead.floaters import RadiationFit
from fairlead.floaters.drift import Drift
from fairlead.floaters.interpolation import at_frequencies, at_headings
from fairlead.floaters.waters import Water
from fairlead.sea.waves import AMPLITUDE, KX, KY, OMEGA, PHASE, wave_columns
from fairlead.simulate import Simulation

from .floaters import afloat, body, water
from .test_floaters import balance

PSI = np.radians(20.0)
"""A slow yaw for which the tables of excitation have a row."""
PLACE = np.array([7.0, -4.0])
TIME = 31.7
STEP = 1e-4
"""Forces are those of the middle of the step to come."""
SEA = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 6.0, "components": 12, "direction_deg": 25.0,
       "ramp": 1.0}  # fmt: skip
TURNED = np.array([[np.cos(PSI), np.sin(PSI)], [-np.sin(PSI), np.cos(PSI)]])
"""From the axes of rest into those of the slow yaw."""


def seen(system: fl.System, change: Callable[[Any], None], time: float = TIME) -> Any:
    """What is seen of the system at a time, its state changed."""
    sim = Simulation(system)
    y = sim.state
    change(sim.compiled.tables(y))  # type: ignore[attr-defined]
    sim.set_state(time, y)
    return sim.outputs()


def moved_and_turned(tables: Any) -> None:
    """Slowly carried to PLACE and turned by PSI; there is no motion beside that."""
    tables.hub_state.position[0] = (*PLACE, 0.0)
    tables.hub_state.turn[0] = (np.cos(0.5 * PSI), 0.0, 0.0, np.sin(0.5 * PSI))
    tables.slow.place[0] = tables.slow.ahead[0] = PLACE
    tables.slow.yaw[0] = tables.slow.ahead_yaw[0] = PSI


def crests(system: fl.System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """a e^{i(ωt − k·x − ε)} at PLACE and TIME, ω, and the direction of the waves of a system."""
    waves = wave_columns(system.environment).astype(float)
    theta = waves[KX] * PLACE[0] + waves[KY] * PLACE[1] - waves[OMEGA] * TIME + waves[PHASE]
    return waves[AMPLITUDE] * np.exp(-1j * theta), waves[OMEGA], np.arctan2(waves[KY], waves[KX])


def test_waves_meet_a_floater_by_its_heading_where_it_has_drifted_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """F = Re Σ a X(ω, β − ψ) e^{i(ωt − k·x − ε)} in axes turned by ψ."""
    sea = water("p")
    system = afloat(monkeypatch, [sea], {"p": body(follow_yaw=True)}, "lumped", STEP, environment={"waves": SEA})
    found, data = seen(system, moved_and_turned)["p.force_excitation"], sea.coefficients
    wave, omega, beta = crests(system)
    X = at_headings(data.headings, at_frequencies(data.omega, data.excitation, omega), beta - PSI)
    known = (wave @ X).real
    np.testing.assert_allclose(found, known, atol=2e-4 * np.abs(known).max())
    unturned = (wave @ at_headings(data.headings, at_frequencies(data.omega, data.excitation, omega), beta)).real
    assert np.abs(unturned - known).max() > 0.02 * np.abs(known).max()


def test_slow_drift_is_the_sum_over_all_pairs_of_waves_where_it_has_drifted_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Re Σ a_i a_j T_ij e^{i(ω_i − ω_j)t…} of surge with a T that lags, turned into the axes of the slow yaw."""
    omega = np.linspace(0.2, 6.0, 59)

    def T(one: np.ndarray, two: np.ndarray) -> np.ndarray:
        return np.asarray(1e4 * (0.5 * (one + two) - 0.9) * np.exp(0.7j * (one - two)))

    matrix = np.zeros((1, len(omega), len(omega), 6), complex)
    matrix[0, :, :, 0] = T(*np.meshgrid(omega, omega, indexing="ij"))
    drift = Drift(omega, np.radians([25.0]), np.einsum("hiij->hij", matrix).real, matrix)
    floater = body(follow_yaw=True, drift={"method": "qtf", "file": "known.12d"})
    system = afloat(
        monkeypatch,
        [replace(water("p"), drift={"p": drift})],
        {"p": floater},
        "lumped",
        STEP,
        environment={"waves": SEA},
    )
    found = seen(system, moved_and_turned)["p.force_drift"]
    wave, at, _ = crests(system)
    known = (wave @ T(*np.meshgrid(at, at, indexing="ij")) @ wave.conj()).real
    np.testing.assert_allclose(found[:2], TURNED @ [known, 0.0], atol=0.01 * abs(known))
    np.testing.assert_allclose(found[2:], 0.0, atol=1e-9 * abs(known))


def test_a_mooring_matrix_stays_in_the_axes_of_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"matrix": [3e4, 1e4, 0, 0, 0, 2e6], "preload": [500.0, 0, 0, 0, 0, 0]}
    system = afloat(
        monkeypatch, [water("p")], {"p": body(follow_yaw=True, mooring=held)}, "lumped", points={}, cables={}
    )
    found = seen(system, moved_and_turned)["p.force_mooring"]
    known = TURNED @ [500.0 - 3e4 * PLACE[0], -1e4 * PLACE[1]]
    np.testing.assert_allclose(found[[0, 1, 5]], [*known, -2e6 * PSI], rtol=1e-9)


def test_the_slow_yaw_follows_the_yaw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two filters of 0.03 Hz in a row: held at ψ they have 1 − (1 + rt) e^{−rt} of it after t."""
    held = {"matrix": [1e6, 1e6, 1e6, 1e7, 1e7, 1e8], "preload": [0, 0, 0, 0, 0, 1e8 * PSI]}
    floater = body(follow_yaw=True, mooring=held, displaced=[0, 0, 0, 0, 0, np.degrees(PSI)])
    sim = Simulation(afloat(monkeypatch, [water("p")], {"p": floater}, "lumped", 0.05))
    y = sim.state
    slow = sim.compiled.tables(y).slow  # type: ignore[attr-defined]
    slow.yaw[0] = slow.ahead_yaw[0] = 0.0
    sim.set_state(0.0, y)
    sim.step(6.0)
    rt = 2.0 * np.pi * 0.03 * 6.0
    yaw = sim.compiled.tables(sim.state).slow.yaw[0]  # type: ignore[attr-defined]
    assert yaw == pytest.approx(PSI * (1.0 - (1.0 + rt) * np.exp(-rt)), rel=0.02)


def test_streams_are_felt_against_the_slow_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    """½ρ|U − u|² of the current, u = r (ahead − place) of the filter; T(U − u) of a rotor, u its own velocity."""
    met = {"area": [30.0, 50.0], "length": 12.0, "coefficients": [[0, 0.8, 0, 0], [180, -0.8, 0, 0]]}
    thrust = {"at": [0, 0, 20], "table": [[0.0, 0.0], [10.0, 4e4], [20.0, 1e4]]}
    stirred = {"current": [{"z": 0.0, "velocity": [1.5, 0, 0]}], "wind": {"velocity": [12.0, 0, 0]}}
    system = afloat(
        monkeypatch, [water("p")], {"p": body(current=met, thrust=thrust)}, "lumped", STEP, environment=stirred
    )

    def change(tables: Any) -> None:
        tables.slow.ahead[0] = (1.0, 0.0)
        tables.hub_state.velocity[0], tables.hub_state.spin[0] = (0.5, 0.0, 0.0), (0.0, 0.1, 0.0)

    out, u = seen(system, change), 2.0 * np.pi * 0.03
    assert out["p.force_current"][0] == pytest.approx(0.5 * 1025.0 * (1.5 - u) ** 2 * 30.0 * 0.8, rel=1e-6)
    force = float(np.interp(12.0 - 0.5 - 2.0, [0.0, 10.0, 20.0], [0.0, 4e4, 1e4]))
    np.testing.assert_allclose(out["p.force_thrust"], [force, 0, 0, 0, 20.0 * force, 0], atol=1e-3 * force)


def test_end_stops_have_dampers_that_do_not_pull(monkeypatch: pytest.MonkeyPatch) -> None:
    """f = −k s − k_s(s − s₁) − c_s ṡ beyond a limit while that pushes back, else −k s."""
    pto = {"between": ["p", "A"], "at": [0, 0, 0], "axis": [0, 0, 1], "stiffness": 1e4, "limits": [-0.5, 0.5],
           "limit_stiffness": 1e6, "limit_damping": 2e5}  # fmt: skip
    system = afloat(monkeypatch, [water("p")], {"p": body()}, "lumped", STEP, ptos={"stop": pto})

    def at(heave: float, speed: float) -> float:
        def change(tables: Any) -> None:
            tables.hub_state.position[0], tables.hub_state.velocity[0] = (0.0, 0.0, heave), (0.0, 0.0, speed)

        out = seen(system, change)
        assert out["stop.stroke"] == pytest.approx(-heave)
        return float(out["stop.pto_force"])

    assert at(-0.6, -0.3) == pytest.approx(-1e4 * 0.6 - 1e6 * 0.1 - 2e5 * 0.3, rel=0.02)  # going on into the stop
    assert at(-0.6, 2.0) == pytest.approx(-1e4 * 0.6, rel=0.02)  # leaving faster than the stop follows
    assert at(0.6, -2.0) == pytest.approx(1e4 * 0.6, rel=0.02)
    assert at(0.6, 0.3) == pytest.approx(1e4 * 0.6 + 1e6 * 0.1 + 2e5 * 0.3, rel=0.02)


def test_a_floater_thrown_and_spun_in_next_to_no_water_keeps_its_momenta(monkeypatch: pytest.MonkeyPatch) -> None:
    """Momentum m v_c and angular momentum R J_c w of an uneven body whose centre is beside its reference point."""
    sea, centre, inertia = water("p"), np.array([1.5, -0.8, -1.0]), [2.5e6, 1.2e6, 3.4e6, 1e5, -5e4, 8e4]
    assert sea.fit is not None
    thin = RadiationFit(sea.fit.poles, 1e-9 * sea.fit.residues, 1e-9 * sea.fit.added_mass_infinite)
    nothing = Water(("p",), replace(sea.coefficients, stiffness=0.0 * sea.coefficients.stiffness), thin)
    floater = body(centre_of_mass=centre.tolist(), inertia=inertia, damping={}, mooring=None)
    system = afloat(monkeypatch, [nothing], {"p": floater}, "lumped", 0.01, environment={"gravity": 1e-9})
    sim = Simulation(system)
    y = sim.state
    hub = sim.compiled.tables(y).hub_state  # type: ignore[attr-defined]
    hub.velocity[0], hub.spin[0] = (0.4, 0.1, 0.2), (0.9, -0.5, 0.7)
    sim.set_state(0.0, y)
    J = np.array([[inertia[0], -inertia[3], -inertia[4]], [-inertia[3], inertia[1], -inertia[5]],
                  [-inertia[4], -inertia[5], inertia[2]]])  # fmt: skip
    momenta = []
    for _ in range(3):
        hub = sim.compiled.tables(sim.state).hub_state  # type: ignore[attr-defined]
        R = np.reshape(rotation.py_func(hub.turn[0]), (3, 3))
        momenta.append(np.concatenate([hub.velocity[0] + R @ np.cross(hub.spin[0], centre), R @ J @ hub.spin[0] / 1e6]))
        sim.step(1.0)
    np.testing.assert_allclose(momenta[1:], [momenta[0]] * 2, atol=0.01)


def test_books_close_with_a_steady_take_off_and_a_rotor_that_damps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Energy of a floater that a constant force of its take-off lifts while thrust is lost with speed."""
    pto = {"between": ["p", "A"], "axis": [0, 0, 1], "force": 2e4, "damping": 3e4}
    floater = body(thrust={"at": [0, 0, 20], "force": 5e3, "damping": 4e4}, displaced=[0.05, 0, 0.05, 0, 0, 0])
    result = fl.simulate(afloat(monkeypatch, [water("p")], {"p": floater}, "lumped", 0.05, 8.0, ptos={"lift": pto}))
    assert result["p.heave"].values.mean() == pytest.approx(-2e4 / 7.9e5, rel=0.3)
    exchanged = np.abs(result["work_drives"].values).max()
    assert exchanged > 10.0
    assert np.ptp(balance(result)) < 0.02 * exchanged
    taken = result["lift.energy"].values[-1]
    rate = np.gradient(result["lift.stroke"].values, 0.05)
    assert taken == pytest.approx(3e4 * np.trapezoid(rate**2, dx=0.05), rel=0.03)
