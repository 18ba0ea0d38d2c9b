"""Cummins' equation in the hubs: what floats by coefficients moves as linear theory, energy and symmetry say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import fsolve

import fairlead as fl
from fairlead.floaters.drift import Drift
from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry
from fairlead.statics.modes import natural_modes
from fairlead.statics.solution import settled

from .floaters import (
    FORMULATIONS,
    GRAVITY,
    MASS,
    MOTIONS,
    afloat,
    body,
    free_motion,
    in_two_parts,
    matrices,
    motions,
    response,
    water,
)  # fmt: skip

START = np.array([4e-4, 2e-4, 1e-3, *np.radians([0.006, 0.01, 0.004])])
"""So small that turns add up as vectors."""
DISPLACED = [*START[:3], *np.degrees(START[3:])]


def balance(result: Any) -> np.ndarray:
    """What the books of energy do not account for, [J]."""
    works = sum(result[f"work_{kind}"].values for kind in ("drag", "damping", "friction", "drives"))
    moving = result["energy_kinetic"].values - works
    held = (result["energy_gravity"] + result["energy_elastic"]).values
    return np.asarray(moving + held)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_six_coupled_freedoms_let_go_move_as_the_closed_solution(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every entry of added mass, stiffness, damping, radiation and inertia counts; the error is of second order."""
    sea, floater = water("p"), body(displaced=DISPLACED)
    errors = []
    for h in (0.1, 0.05):
        result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, formulation, h, 20.0))
        known = free_motion(sea, *matrices(sea, [floater]), START, h, len(result.time) - 1)
        errors.append(np.abs(motions(result, "p") - known).max(axis=0) / np.abs(known).max(axis=0))
    assert errors[0].max() < 0.02
    assert errors[1].max() < 0.3 * errors[0].max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_motions_in_a_regular_wave_are_those_of_the_frequency_domain(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sea, floater = water("p"), body(excitation={"phase_at": "rest"})
    period, beta, height = 7.0, np.radians(40.0), 0.02
    waves = {"kind": "regular", "height": height, "period": period, "direction_deg": 40.0, "ramp": 2 * period}
    result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, formulation, 0.1, 24 * period, {"waves": waves}))
    omega = 2 * np.pi / period
    last = result.time.values >= 20 * period
    turn = np.exp(-1j * omega * result.time.values[last][:-1])
    moved = motions(result, "p")[last][:-1]
    found = 2 * np.mean((moved - moved.mean(axis=0)) * turn[:, None], axis=0) / (0.5 * height)
    known = response(sea, *matrices(sea, [floater]), omega, beta)
    assert np.abs(found - known)[:5].max() < 0.004 * np.abs(known).max()
    np.testing.assert_allclose(np.abs(found), np.abs(known), rtol=0.01)
    works = [float(result[f"p.work_{kind}"][-1]) for kind in ("waves", "radiation", "viscous")]
    assert works[0] > 0 > works[1]
    assert works[2] < 0
    assert np.ptp(balance(result)) < 1e-3 * works[0]


def test_a_moored_floater_in_bars_moves_as_in_lumped(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a heavy line, from rest into a wave: two formulations of the line, two schemes of the hub."""
    line = {
        "types": {"chain": {"diameter": 0.1, "mass_per_length": 200.0, "axial_stiffness": 1e8}},
        "points": {"A": {"kind": "fixed", "position": [70, 10, -30]}},
        "cables": {"c": {"type": "chain", "length": 78, "elements": 8, "start": "A", "end": "p.f"}},
    }
    waves = {"waves": {"kind": "regular", "height": 0.4, "period": 7.0, "direction_deg": 30.0, "ramp": 7.0}}
    found = {}
    for formulation in FORMULATIONS:
        system = afloat(monkeypatch, [water("p")], {"p": body()}, formulation, 0.05, 20.0, waves, **line)
        simulation = system.simulation.model_copy(update={"start": "statics"})
        result = fl.simulate(system.model_copy(update={"simulation": simulation}))
        found[formulation] = np.column_stack([motions(result, "p"), result["tension_effective"].values[:, 0, -1]])
        bound = 0.02 if formulation == "lumped" else 0.005
        assert np.ptp(balance(result)) < bound * float(result["p.work_waves"].max())
    ranges = np.ptp(found["lumped"], axis=0)
    assert np.abs(found["bars"] - found["lumped"])[:, :6].max() < 0.01 * ranges[:6].max()
    np.testing.assert_allclose(np.ptp(found["bars"], axis=0), ranges, rtol=0.03)
    np.testing.assert_allclose(found["bars"][0], found["lumped"][0], rtol=0.01, atol=1e-4)


def test_free_decay_has_the_same_peaks_whatever_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """No damping of the scheme itself: from peak to peak heave loses the same at 0.05, 0.1 and 0.25 s, to 0.5 %."""
    sea = water("p")
    peaks = []
    for formulation in FORMULATIONS:
        for h in (0.05, 0.1, 0.25):
            floater = body(displaced=[0, 0, 0.01, 0, 0, 0], damping={"linear": [0, 0, 1e3, 0, 0, 0]})
            heave = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, formulation, h, 16.0))["p.heave"].values
            top = np.flatnonzero((heave[1:-1] > heave[:-2]) & (heave[1:-1] > heave[2:])) + 1
            y0, y1, y2 = (heave[top[1:3] + k] for k in (-1, 0, 1))
            first, second = y1 - (y2 - y0) ** 2 / (8 * (y2 - 2 * y1 + y0))
            peaks.append(second / first)
    assert np.ptp(peaks) < 0.005


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_two_bodies_in_one_water_with_a_power_take_off(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Radiation and added mass between the bodies, and a spring and damper between points beside their middles."""
    sea, k, c, arm = water("p", "q", seed=2), 3e5, 8e4, np.array([1.0, 0.5, 0.0])
    bodies = {"p": body(displaced=DISPLACED), "q": body()}
    pto = {"between": ["p", "q"], "at": list(arm), "axis": [0, 0, 2], "stiffness": k, "damping": c}
    h = 0.05
    result = fl.simulate(afloat(monkeypatch, [sea], bodies, formulation, h, 15.0, ptos={"heave": pto}))
    row = np.array([0, 0, 1, arm[1], -arm[0], 0])
    J = np.concatenate([-row, row])
    M, B, C = matrices(sea, list(bodies.values()))
    known = free_motion(
        sea, M, B + c * np.outer(J, J), C + k * np.outer(J, J), np.concatenate([START, np.zeros(6)]), h,
        len(result.time) - 1,
    )  # fmt: skip
    error = np.abs(motions(result, "p", "q") - known).max(axis=0) / np.abs(known).max()
    assert error.max() < 0.01
    np.testing.assert_allclose(result["heave.stroke"].values, known @ J, atol=0.01 * np.abs(known @ J).max())
    taken, power = result["heave.energy"].values, result["heave.power"].values
    np.testing.assert_allclose(taken[-1], np.trapezoid(power, dx=h), rtol=0.03)
    assert np.ptp(balance(result)) < 0.02 * taken[-1]


def test_end_stops_push_back_and_keep_their_energy(monkeypatch: pytest.MonkeyPatch) -> None:
    sea = water("p")
    pto = {"between": ["p", "A"], "at": [0, 0, 0], "axis": [0, 0, 1], "stiffness": 1.0, "limits": [-0.004, 0.001],
           "limit_stiffness": 3e7}  # fmt: skip
    floater = body(displaced=[0, 0, 0.003, 0, 0, 0])
    result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, "lumped", 0.02, 6.0, ptos={"stop": pto}))
    stroke = result["stop.stroke"].values
    np.testing.assert_allclose(stroke, -result["p.heave"].values, atol=1e-6)
    assert stroke.min() >= -0.0031
    assert 0.0012 < stroke.max() < 0.0017
    assert np.ptp(balance(result)) < 0.03 * np.ptp(result.energy_elastic.values)


def test_a_floater_and_its_sea_turned_together_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Motions are given in the axes of the coefficients, turned by yaw; following a yaw that stays changes nothing."""
    sea, found = water("p"), []
    for yaw, follow in ((0.0, False), (35.0, False), (35.0, True)):
        waves = {"kind": "regular", "height": 0.02, "period": 6.0, "direction_deg": 20.0 + yaw}
        floater = body(orientation_deg=[0, 0, yaw], follow_yaw=follow, displaced=[0, 0, 0.001, 0, 0, 0])
        result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, "lumped", 0.1, 12.0, {"waves": waves}))
        moved = motions(result, "p")
        moved[:, 5] -= np.radians(yaw)
        found.append(moved)
    np.testing.assert_allclose(found[1], found[0], atol=2e-3 * np.abs(found[0]).max())
    np.testing.assert_allclose(found[2], found[1], atol=2e-2 * np.abs(found[0]).max())


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rest_under_thrust_is_that_of_an_independent_solution(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thrust along an axis that turns with the floater, weight and levers at large angles; 10 kN give 0.5 m and 1°."""
    sea, at, thrust = water("p"), np.array([0.0, 1.0, 20.0]), 1e4
    floater = body(thrust={"at": list(at), "force": thrust})
    system = afloat(monkeypatch, [sea], {"p": floater}, formulation)
    compiled, y, u, _, _ = settled(system.with_settings(start="statics"))
    row = compiled.shape.empty_row()
    compiled.observe(0.0, y, u, 0.1, row)
    found = np.array([row[compiled.shape.column(f"p.{motion}")] for motion in MOTIONS])
    C, K = sea.coefficients.stiffness, np.diag(floater["mooring"]["matrix"])
    c, lift = np.array(floater["centre_of_mass"]), MASS * GRAVITY

    def left(x: np.ndarray) -> np.ndarray:
        (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in x[3:])
        H = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])  # axes of the water, at the heading of rest
        R = H @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]) @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        push, weight = R @ [thrust, 0, 0], np.array([0, 0, -lift])
        force = push + weight
        moment = np.cross(R @ at, push) + np.cross(R @ c, weight)
        water = np.array([0, 0, lift, 0.002 * lift, -0.003 * lift, 0]) - C @ [*(H.T @ x[:3]), x[3], x[4], 0]
        held = K @ [*x[:3], *(H @ [x[3], x[4], x[5]])]
        return np.concatenate([force + H @ water[:3], moment + H @ water[3:]]) - held

    np.testing.assert_allclose(found, fsolve(left, np.zeros(6)), atol=2e-4)
    assert np.degrees(found[4]) > 1.0
    assert found[0] > 0.4


def test_natural_modes_have_the_water_of_their_own_frequency(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, without cables: modes of K φ = ω² (M + A(ω)) φ."""
    sea, floater = water("p"), body()
    system = afloat(monkeypatch, [sea], {"p": floater}, "lumped", cables={}, points={})
    compiled, y, u, _, _ = settled(system.with_settings(start="statics"))
    found = natural_modes(compiled, y, 6, u)
    assert len(found) == 6
    assert {motion.partition(" ")[0] for motion in found.motions} == set(MOTIONS)
    M, _, C = matrices(sea, [floater])
    assert sea.fit is not None
    for omega in found.omega:
        heavier = M + sea.fit.transfer(np.array([omega]))[0].imag / omega
        squares = np.linalg.eigvals(np.linalg.solve(heavier, 0.5 * (C + C.T))).real
        assert np.abs(squares / omega**2 - 1.0).min() < 1e-4


def test_a_run_in_two_parts_is_the_run_in_one_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the next step reads is in the state: the water's memory, slow filters, works."""
    waves = {"kind": "jonswap", "significant_height": 1.0, "peak_period": 6.0, "components": 16}
    system = afloat(monkeypatch, [water("p")], {"p": body(follow_yaw=True)}, "lumped", environment={"waves": waves})
    assert np.array_equal(*in_two_parts(system, 20))


def test_a_live_force_and_torque_move_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sim = fl.Simulation(afloat(monkeypatch, [water("p")], {"p": body(damping={"linear": [3e5] * 6})}, "lumped"))
    for _ in range(600):
        out = sim.step(0.5, inputs={"p.force": (400.0, 0.0, 0.0), "p.torque": (0.0, 0.0, 2000.0)})
    assert out["p.position"][0] == pytest.approx(400.0 / 2e4, rel=0.05)


def test_runge_kutta_sees_the_same_floater(monkeypatch: pytest.MonkeyPatch) -> None:
    sea, floater = water("p"), body(displaced=DISPLACED)
    system = afloat(monkeypatch, [sea], {"p": floater}, "lumped", 0.02, 2.0)
    one, two = (fl.simulate(system.with_settings(integrator=kind)) for kind in ("semi_implicit", "rk4"))
    a, b = motions(one, "p"), motions(two, "p")
    np.testing.assert_allclose(a, b, atol=2e-3 * np.abs(b).max())
    np.testing.assert_allclose(one["p.work_radiation"][-1], two["p.work_radiation"][-1], rtol=0.01)


def test_slow_drift_reaches_the_freedoms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newman's force in a run: at full sea its mean is that of the diagonal, Σ a² T."""
    omega = np.array([0.1, 4.0])
    mean = np.zeros((1, 2, 6))
    mean[0, :, 0] = 2e3
    sea = replace(water("p"), drift={"p": Drift(omega, np.zeros(1), mean)})
    waves = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 6.0, "components": 24, "ramp": 1.0}
    floater = body(drift={"method": "newman", "file": "known.8"}, excitation="none")
    result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, "lumped", 0.25, 600.0, {"waves": waves}))
    found = result["p.force_drift"].values[8:, 0]
    assert found.mean() == pytest.approx(2e3 * 2.0**2 / 8.0, rel=0.1)
    assert found.min() > 0.0
    assert result["p.surge"].values[1200:].mean() == pytest.approx(found.mean() / 2e4, rel=0.1)


def test_a_wave_from_where_there_are_no_coefficients_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sea = water("p")
    data = sea.coefficients
    sea = replace(sea, coefficients=replace(data, headings=data.headings[6:7], excitation=data.excitation[6:7]))
    waves = {"kind": "regular", "height": 1.0, "period": 8.0, "direction_deg": 30.0}
    system = afloat(monkeypatch, [sea], {"p": body()}, "lumped", environment={"waves": waves})
    with pytest.raises(fl.ModelError, match=r"bodies\.p\.coefficients.*30 deg.*compute that heading too"):
        compile_system(system, first_geometry(system))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_cables_below_the_reach_of_waves_lie_in_still_water(formulation: str) -> None:
    """Bit for bit as without waves below it, and as without a reach above it."""
    waves = {"kind": "regular", "height": 2.0, "period": 8.0, "ramp": 1.0}

    def tension(environment: dict[str, Any], reach: float | None) -> np.ndarray:
        system = fl.System.model_validate(
            {
                "environment": environment,
                "types": {"rope": {"diameter": 0.05, "density": 1500, "youngs_modulus": 1e9}},
                "points": {"A": {"kind": "fixed", "position": [0, 0, -30]},
                           "B": {"kind": "fixed", "position": [20, 0, -30]}},
                "cables": {"c": {"type": "rope", "length": 20.5, "elements": 2, "start": "A", "end": "B"}},
                "simulation": {"formulation": formulation, "duration": 4.0, "step": 0.1, "start": "statics",
                               formulation: {"wave_reach": reach}},
            }
        )  # fmt: skip
        return np.asarray(fl.simulate(system)["tension_effective"].values)

    calm, deep = tension({}, None), tension({"waves": waves}, None)
    assert np.array_equal(tension({"waves": waves}, 20.0), calm)
    assert np.array_equal(tension({"waves": waves}, 50.0), deep)
    assert np.abs(deep - calm).max() > 1.0
    flow = [0.8, 0.5, 0.0]
    streams = {"current": [{"z": 0.0, "velocity": flow}]}, {"current_field": {"t": [0.0, 9.0], "velocity": [flow] * 2}}
    steady, field = (tension({"waves": waves, **stream}, 20.0) for stream in streams)
    np.testing.assert_allclose(field, steady, rtol=1e-9)  # a current on a grid brings no waves with it
    assert np.abs(steady - calm).max() > 1.0


def at_once(result: Any, force: str) -> np.ndarray:
    """Force and moment on the floater after the first steps, (6,)."""
    return np.asarray(result[f"p.force_{force}"].values[1])


@pytest.mark.parametrize(("towards", "side"), [(60.0, 1.0), (-60.0, -1.0)])
def test_current_and_wind_push_by_their_coefficients(
    towards: float, side: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """½ρU² [C_X A, C_Y A', C_N A'L] between the rows that are given, mirrored to the other side; U of either stream."""
    rows = [[0, 0.8, 0, 0], [90, 0, 0.6, 0.03], [180, -0.8, 0, 0]]
    met = {"area": [30.0, 50.0], "length": 12.0, "coefficients": rows}
    angle = np.radians(towards)
    flow = [1.5 * np.cos(angle), 1.5 * np.sin(angle), 0.0]
    blow = [20.0 * np.cos(angle), 20.0 * np.sin(angle), 0.0]
    sea = {"current": [{"z": 0.0, "velocity": flow}], "wind": {"velocity": blow, "air_density": 1.2}}
    floater = body(current=met, wind=met)
    result = fl.simulate(afloat(monkeypatch, [water("p")], {"p": floater}, "lumped", 0.01, 0.02, sea))
    shares = np.array([0.8 / 3, side * 0.6 * 2 / 3, side * 0.03 * 2 / 3]) * [30.0, 50.0, 50.0 * 12.0]
    for name, pressure in (("current", 0.5 * 1025.0 * 1.5**2), ("wind", 0.5 * 1.2 * 20.0**2)):
        np.testing.assert_allclose(at_once(result, name)[[0, 1, 5]], pressure * shares, rtol=1e-3)
        np.testing.assert_allclose(at_once(result, name)[2:5], 0.0, atol=1e-9)


def test_thrust_lost_with_speed_damps_surge_and_pitch(monkeypatch: pytest.MonkeyPatch) -> None:
    """D u at a point 20 m up is a damper of all freedoms that move it: B + D nnᵀ with n = [1, 0, 0, 0, z, 0]."""
    D, row = 3e4, np.array([1.0, 0, 0, 0, 20.0, 0])
    sea, h = water("p"), 0.05
    floater = body(displaced=DISPLACED, thrust={"at": [0, 0, 20], "force": 0, "damping": D})
    result = fl.simulate(afloat(monkeypatch, [sea], {"p": floater}, "lumped", h, 15.0))
    M, B, C = matrices(sea, [floater])
    known = free_motion(sea, M, B + D * np.outer(row, row), C, START, h, len(result.time) - 1)
    undamped = free_motion(sea, M, B, C, START, h, len(result.time) - 1)
    error = np.abs(motions(result, "p") - known).max(axis=0) / np.abs(known).max(axis=0)
    assert error.max() < 0.02
    assert np.abs(undamped - known)[:, 4].max() > 0.2 * np.abs(known)[:, 4].max()


def test_a_power_take_off_that_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spring and damper about y between two bodies: k and c of the difference of their pitches."""
    sea, k, c, h = water("p", "q", seed=2), 4e6, 1e6, 0.05
    bodies = {"p": body(displaced=DISPLACED), "q": body()}
    pto = {"between": ["p", "q"], "axis": [0, 1, 0], "rotation": True, "stiffness": k, "damping": c}
    result = fl.simulate(afloat(monkeypatch, [sea], bodies, "lumped", h, 15.0, ptos={"hinge": pto}))
    J = np.zeros(12)
    J[4], J[10] = -1.0, 1.0
    M, B, C = matrices(sea, list(bodies.values()))
    known = free_motion(
        sea, M, B + c * np.outer(J, J), C + k * np.outer(J, J), np.concatenate([START, np.zeros(6)]), h,
        len(result.time) - 1,
    )  # fmt: skip
    assert (np.abs(motions(result, "p", "q") - known).max(axis=0) / np.abs(known).max()).max() < 0.01
    np.testing.assert_allclose(result["hinge.stroke"].values, known @ J, atol=0.01 * np.abs(known @ J).max())
