"""Ropes in the formulations that have them: at rest, in slow and quick motion, from file to file."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import xarray as xr
from scipy.integrate import solve_ivp

import fairlead as fl
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import load_text
from fairlead.simulate import Simulation
from fairlead.statics import Equilibrium

FORMULATIONS = ("lumped", "bars")
EA, EA_D, C1 = 1.0e6, 2.5e6, 2.0e6
K1 = EA * EA_D / (EA_D - EA)
SPRINGS = f"axial_stiffness: {EA}, axial: {{dynamic_stiffness: {EA_D}, damping: {C1}, dynamic_damping: 2e3}}"
TABLE = "axial: {table: [[0, 0], [0.01, 2 kN], [0.03, 16 kN], [0.1, 80 kN]]}"
SYROPE = (
    "axial: {dynamic_stiffness: 3 MN, dynamic_per_tension: 20, damping: 1e5, working_curves: {original_curve: "
    "[[0, 0], [0.01, 4 kN], [0.05, 40 kN]], shape: exponential, k1: 0.3, k2: 1.2}}"
)
FILE = """
environment: {{water_density: 0}}
types: {{rope: {{diameter: 40 mm, mass_per_length: 1, {law}, drag: none}}}}
points:
  top: {{kind: fixed, position: [0, 0, 0]}}
  load: {{kind: {load}}}
cables: {{line: {{type: rope, length: 10, elements: {elements}, start: top, end: load, {cable}}}}}
simulation:
  {{formulation: {formulation}, start: {start}, duration: {duration}, step: {step}, output_every: {step},
    lumped: {{theta: 0.5}}, bars: {{theta: 0.51}}}}
"""
HANGING = "free, position: [0, 0, -10.1], mass: 1000"
PULLED = "controlled, position: [0, 0, {z}], motion: {motion}"


def system(formulation: str, law: str, load: str = HANGING, **words: object) -> fl.System:
    given = {"elements": 2, "start": "statics", "duration": 1.0, "step": 0.02, "cable": "allow_stretch: true"} | words
    return load_text(FILE.format(formulation=formulation, law=law, load=load, **given), "rope.yaml")


@cache
def pulled(formulation: str, law: str, motion: str, z: float = -10.1, **words: object) -> xr.Dataset:
    return fl.simulate(system(formulation, law, PULLED.format(z=z, motion=motion), **words))


def tension(result: xr.Dataset) -> np.ndarray:
    return np.asarray(result.tension_effective[:, 0].mean("node"))


def energy_left(result: xr.Dataset) -> float:
    """What the works and the energies of a run differ by at its end."""
    total = result.energy_kinetic + result.energy_gravity + result.energy_elastic
    works = result.work_drag + result.work_damping + result.work_friction + result.work_drives
    return float((total - works)[-1] - (total - works)[0])


def depth_of(found: Equilibrium) -> float:
    return -float(found.dataset().point_position.sel(point="load", axis="z").squeeze())


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    ("law", "strain"),
    [
        (SPRINGS, lambda T: T / EA),
        (TABLE, lambda T: np.interp(T, [0, 2e3, 16e3, 80e3], [0, 0.01, 0.03, 0.1])),
        (SYROPE, lambda T: np.interp(T, [0, 4e3, 40e3], [0, 0.01, 0.05])),
    ],
)
def test_a_hanging_load_stretches_a_rope_by_its_static_curve(formulation, law, strain):
    """Element by element: each carries the load and the line below its middle (bars: below each of its joints)."""
    found = fl.statics(system(formulation, law))
    depth = depth_of(found)
    if formulation == "lumped":
        carried = 9.81 * (1000.0 + 1.0 * np.array([7.5, 2.5]))
        exact = 10.0 + 5.0 * sum(strain(T) for T in carried)
    else:
        carried = 9.81 * (1000.0 + 1.0 * np.array([10.0, 5.0, 0.0]))
        exact = 10.0 + sum(length * strain(T) for length, T in zip((2.5, 5.0, 2.5), carried, strict=True))
    assert depth == pytest.approx(exact, abs=2e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_worked_rope_hangs_on_its_working_curve(formulation):
    """Largest tension 30 kN: ε_max 0.0389, of which 0.3 stay; below it the curve of the working shape."""
    found = fl.statics(system(formulation, SYROPE, cable="allow_stretch: true, history: {tension_max: 30 kN}"))
    top = np.interp(30e3, [4e3, 40e3], [0.01, 0.05])

    def strain(T: float) -> float:
        x = np.log1p(T / 30e3 * np.expm1(1.2)) / 1.2
        return top * (0.3 + 0.7 * x)

    carried = 9.81 * (1000.0 + np.array([7.5, 2.5] if formulation == "lumped" else [10.0, 5.0, 0.0]))
    lengths = (5.0, 5.0) if formulation == "lumped" else (2.5, 5.0, 2.5)
    exact = 10.0 + sum(length * strain(T) for length, T in zip(lengths, carried, strict=True))
    assert depth_of(found) == pytest.approx(exact, abs=5e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_quick_modes_have_the_dynamic_stiffness(formulation):
    """A load of 1 t on a line of 10 kg: ω² = EA_d/(L (M + m/3)), not EA."""
    found = fl.modes(system(formulation, SPRINGS, elements=4), 6)
    expected = np.sqrt(EA_D / (10.0 * (1000.0 + 10.0 / 3.0))) / (2 * np.pi)
    assert min(abs(np.asarray(found.frequency) / expected - 1.0)) < 2e-3


JUMP = "{table: [[0, 0, 0, 0], [0.5, 0, 0, 0], [0.6, 0, 0, -0.1], [9, 0, 0, -0.1]], interpolation: linear}"


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_jerked_rope_relaxes(formulation):
    """From ε = 0.01 to 0.02 within 0.1 s: T = EA ε + (EA_d − EA) Δε e^(−t/τ) after it, τ = c₁/(EA₁ + EA_d)."""
    result = pulled(formulation, SPRINGS, JUMP, duration=3.0, step=0.004)
    t, found, tau = np.asarray(result.time), tension(result), C1 / (K1 + EA_D)
    after = t > 0.8
    ramp = tau / 0.1 * (np.exp(0.1 / tau) - 1.0)  # of a strain that comes in 0.1 s
    exact = 0.02 * EA + (EA_D - EA) * 0.01 * ramp * np.exp(-(t - 0.5) / tau)
    assert found[after] == pytest.approx(exact[after], rel=8e-3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_rope_creeps_under_a_load_that_stays(formulation):
    """5 kN more on the load of 1 t: it swings about a place that creeps to F L/EA below, as three equations say."""
    pull = "loads: [{point: load, force: [0, 0, -5000], table: [[0, 0], [0.2, 1], [9, 1]]}]\n"
    given = {"elements": 2, "start": "statics", "duration": 4.0, "step": 0.005, "cable": "allow_stretch: true"}
    text = FILE.format(formulation=formulation, law=SPRINGS, load=HANGING, **given) + pull
    result = fl.simulate(load_text(text, "rope.yaml"))
    length, mass, c2 = 10.0, 1000.0 + 10.0 / 3.0, 2e3

    def motion(t, y):
        strain, rate = y[0] / length, y[1] / length
        slow = (EA_D * (strain - y[2]) + c2 * rate - K1 * y[2]) / (C1 + c2)
        return [y[1], (5e3 * min(1.0, t / 0.2) - K1 * y[2] - C1 * slow) / mass, slow]

    exact = solve_ivp(motion, (0.0, 4.0), [0.0, 0.0, 0.0], t_eval=result.time.values, max_step=0.01, rtol=1e-8).y[0]
    depth = -result.point_position.sel(point="load", axis="z").values
    assert depth - depth[0] == pytest.approx(exact, abs=0.015 * 5e3 * length / EA)
    assert depth[-1] - depth[0] == pytest.approx(5e3 * length / EA, rel=0.05)


SWING = "{table: [[0, 0, 0, 0], [0.6, 0, 0, -0.1], [1.2, 0, 0, 0.02], [2, 0, 0, -0.05], [3, 0, 0, -0.05]]}"


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("law", [SPRINGS, TABLE, SYROPE])
def test_what_a_swung_rope_is_given_it_keeps_or_loses(formulation, law):
    """Energy closes to 1 % of what damping takes; a curve without memory loses nothing."""
    result = pulled(formulation, law, SWING, duration=3.0, step=0.004)
    given = float(np.abs(result.work_drives).max())
    lost = abs(float(result.work_damping[-1]))
    assert abs(energy_left(result)) < (0.01 * lost if law != TABLE else 2e-3 * given)
    assert lost == pytest.approx(0.0, abs=1e-9) if law == TABLE else lost > 0.05 * given


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_cycled_rope_loses_the_area_of_its_loop(formulation):
    """π Im(E*) ε₀² L a cycle, at ω τ of about 1, where it is largest."""
    period, amplitude = 2.0, 0.02
    motion = f"{{harmonic: {{amplitude: [0, 0, {amplitude}], period: {period}}}}}"
    result = pulled(formulation, SPRINGS, motion, duration=6.0, step=0.01)
    w = 2 * np.pi / period
    modulus = 1.0 / (1.0 / (K1 + 1j * w * C1) + 1.0 / (EA_D + 1j * w * 2e3))
    area = np.pi * modulus.imag * (amplitude / 10.0) ** 2 * 10.0
    lost = -np.interp([4.0, 6.0], result.time, result.work_damping)
    assert lost[1] - lost[0] == pytest.approx(area, rel=0.02)


SLOWLY = "{table: [[0, 0, 0, 0], [40, 0, 0, -0.3], [80, 0, 0, -0.1], [120, 0, 0, -0.3]], interpolation: linear}"


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_slow_loading_follows_the_curves(formulation):
    """A table up and down the same way; Syrope up along the original curve, down and up again along a working one."""
    table = pulled(formulation, TABLE, SLOWLY, duration=120.0, step=0.05)
    strain = 0.01 + 0.03 * np.interp(table.time, [0, 40, 80, 120], [0, 1, 1 / 3, 1])
    exact = np.interp(strain, [0, 0.01, 0.03, 0.1], [0, 2e3, 16e3, 80e3])
    assert tension(table)[5:] == pytest.approx(exact[5:], rel=0.02)  # forces are those of the coming step
    syrope = pulled(formulation, SYROPE, SLOWLY, duration=120.0, step=0.05)
    found = tension(syrope)
    curve = np.interp(strain, [0, 0.01, 0.05], [0, 4e3, 40e3])
    t = np.asarray(syrope.time)
    up = (t > 5) & (t < 40)
    assert found[up] == pytest.approx(curve[up], rel=0.03)
    most = found.max()
    low = 0.3 * np.interp(most, [4e3, 40e3], [0.01, 0.05])
    x = (0.02 - low) / (0.04 - low)
    assert found[np.searchsorted(t, 80.0)] == pytest.approx(most * np.expm1(1.2 * x) / np.expm1(1.2), rel=0.04)
    assert abs(energy_left(syrope)) < 0.02 * abs(float(syrope.work_damping[-1]))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_run_goes_on_where_it_stopped(formulation):
    """What a rope remembers is in the state: two halves are the whole, to the last digit."""
    file = system(formulation, SPRINGS, PULLED.format(z=-10.1, motion=JUMP))
    whole, half, rest = Simulation(file), Simulation(file), Simulation(file)
    for k in range(4):
        whole.step(0.2)
        if k < 2:
            half.step(0.2)
    rest.set_state(half.time, half.state)
    rest.step(0.2)
    rest.step(0.2)
    assert np.array_equal(whole.state, rest.state)


def test_others_refuse_ropes():
    for formulation in ("multibody", "tether", "spline", "links", "chain"):
        with pytest.raises(UnsupportedSystem, match=r"types.rope.axial.*ropes whose stiffness"):
            Simulation(system(formulation, SPRINGS, start="catenary"))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_what_cannot_be_with_ropes_is_said(formulation):
    wound = "allow_stretch: true, winch: {end: start, mode: rescale, table: [[0, 0], [1, 0.1]]}"
    with pytest.raises(UnsupportedSystem, match="a winch cannot haul a rope"):
        Simulation(system(formulation, SPRINGS, cable=wound))


def test_what_bars_cannot_have_with_ropes_is_said():
    """Another tuning than the rule, and two ropes in one joint."""
    text = FILE.format(formulation="bars", law=SPRINGS, load=HANGING, elements=2, start="statics", duration=1, step=0.1,
                       cable="allow_stretch: true")  # fmt: skip
    with pytest.raises(UnsupportedSystem, match=r"simulation.bars.tuning: ropes need the tuning rule"):
        Simulation(load_text(text.replace("theta: 0.51", "tuning: literal, alpha: 50, epsilon: 1e-7"), "rope.yaml"))
    other = f"rope: {{diameter: 40 mm, mass_per_length: 1, {TABLE}, drag: none}}, other: {{"
    two = "sections: [{type: rope, length: 5, elements: 1}, {type: other, length: 5, elements: 1}]"
    text = text.replace("rope: {", other, 1).replace("type: rope, length: 10, elements: 2", two, 1)
    with pytest.raises(UnsupportedSystem, match=r"types.rope, types.other: two ropes follow one another in a cable"):
        Simulation(load_text(text, "rope.yaml"))
