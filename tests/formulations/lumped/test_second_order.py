"""The second-order step of `lumped`, and that of `bars` where it has the same bounds: motion that it resolves is not
damped, forces belong to their time, blows hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fairlead.model import load_text
from fairlead.simulate import Simulation, simulate
from tests.formulations.bars.test_whirling import turning_loop

GRAVITY = 9.80665

PENDULUM = """
environment: {{water_density: {density}}}
types: {{wire: {{diameter: {diameter}, mass_per_length: {mass_per_length}, axial_stiffness: 60 MN{bare}}}}}
points:
  tip: {{kind: fixed, position: [0, 0, 0]}}
  load: {{kind: free, mass: {mass}{drag}, position: [{x}, {y}, {z}], velocity: [{u}, {v}, 0]}}
cables: {{wire: {{type: wire, length: {length}, elements: {elements}, start: tip, end: load}}}}
simulation: {{formulation: {formulation}, duration: {duration}, step: {step}, start: catenary, output_every: 0.1}}
"""
BOTH = pytest.mark.parametrize("formulation", ["lumped", "bars"])


def pendulum(
    length, angle, step, duration, heading=0.0, elements=10, speed=0.0, drag_area=0.0, mass=5000.0, wire=3.5,
    formulation="lumped",
):  # fmt: skip
    """Places (time, 3) of a load on a wire that is let go `angle` off the vertical, moving across with this speed."""
    out, across = np.array([math.cos(heading), math.sin(heading)]), np.array([-math.sin(heading), math.cos(heading)])
    place, velocity = length * math.sin(angle) * out, speed * across
    wet = drag_area > 0.0
    text = PENDULUM.format(
        density=1025 if wet else 0, diameter=0.002 if wet else 0.03, mass_per_length=0.0033 if wet else wire,
        bare=", drag: {normal: 0, axial: 0}, added_mass: {normal: 0, axial: 0}" if wet else "",
        drag=f", drag_area: {drag_area}" if wet else "", x=place[0], y=place[1],
        z=-length * math.cos(angle) - 10.0 * wet, u=velocity[0], v=velocity[1],
        length=length, elements=elements, duration=duration, step=step, mass=mass, formulation=formulation,
    )  # fmt: skip
    result = simulate(load_text(text.replace("position: [0, 0, 0]", f"position: [0, 0, {-10.0 * wet}]")))
    return result["time"].values, result["point_position"].sel(point="load").values


@pytest.mark.parametrize(("step", "elements", "bound"), [(0.1, 10, 0.02), (0.05, 10, 0.005), (0.05, 40, 0.005)])
def test_a_crane_load_keeps_its_swing(step, elements, bound):
    """5 t on 30 m of wire in air, let go at 5 degrees: 18 swings, in which the first-order step loses 78 % of it."""
    heading = math.radians(37.0)
    time, place = pendulum(30.0, math.radians(5.0), step, 200.0, heading, elements)
    swing = np.abs(place[:, 0] * math.cos(heading) + place[:, 1] * math.sin(heading))
    assert swing[time > 187.0].max() == pytest.approx(30.0 * math.sin(math.radians(5.0)), rel=bound)


@BOTH
def test_a_conical_pendulum_keeps_its_radius(formulation):
    angle, length = math.radians(30.0), 10.0
    speed = math.sqrt(GRAVITY * length * math.sin(angle) * math.tan(angle))
    time, place = pendulum(length, angle, 0.01, 100.0, speed=speed, mass=200.0, wire=0.001, formulation=formulation)
    radius = np.hypot(place[:, 0], place[:, 1])[time > 95.0]
    assert radius == pytest.approx(np.full_like(radius, length * math.sin(angle)), rel=1e-3)


@BOTH
def test_a_pendulum_with_quadratic_drag_follows_its_equation(formulation):
    """phi'' = -g/L sin phi - (rho C_d A/2m) L |phi'| phi', 400 s in steps of 0.1 s."""
    length, angle, mass, area = 20.0, math.radians(20.0), 500.0, 0.05
    time, place = pendulum(length, angle, 0.1, 400.0, drag_area=area, mass=mass, formulation=formulation)

    def motion(_, y):
        return [y[1], -GRAVITY / length * math.sin(y[0]) - 0.5 * 1025.0 * area / mass * length * abs(y[1]) * y[1]]

    exact = solve_ivp(motion, (0.0, 400.0), [angle, 0.0], rtol=1e-9, atol=1e-12, max_step=0.05, t_eval=time).y[0]
    late, found = time > 385.0, np.arctan2(place[:, 0], -10.0 - place[:, 2])
    assert np.abs(found[late]).max() == pytest.approx(np.abs(exact[late]).max(), rel=0.01)


TOWED = """
environment:
  water_density: 1025
  current: [{{z: 0, velocity: [1.2, 0.3, 0]}}, {{z: -200, velocity: [0.2, 0, 0]}}]
types: {{wire: {{diameter: 0.03, mass_per_length: 3.5, axial_stiffness: 20 MN, damping_time: 0.02}}}}
points:
  tip: {{kind: controlled, position: [0, 0, -5],
         motion: {{harmonic: {{amplitude: [2, 0, 1], period: 9, ramp: 4}}}}}}
  load: {{kind: free, mass: 800, drag_area: 1, added_mass: 300, position: [0, 0, -105]}}
cables: {{wire: {{type: wire, length: 100, elements: 20, start: tip, end: load}}}}
simulation: {{formulation: lumped, duration: 12, step: {step}, start: statics, output_every: 0.2}}
"""


def test_places_and_forces_in_a_sheared_current_are_of_second_order():
    def run(step):
        result = simulate(load_text(TOWED.format(step=step)))
        return result["point_position"].sel(point="load").values, result["force_end"].sel(cable="wire").values[5:]

    fine, errors = run(0.003125), []
    for step in (0.1, 0.05, 0.025):
        found = run(step)
        errors.append([float(np.sqrt(np.mean((one - true) ** 2))) for one, true in zip(found, fine, strict=True)])
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert orders[:, 0].min() > 1.8
    assert orders[:, 1].min() > 1.6


STRING = """
environment: {{water_density: 0, gravity: 0}}
types: {{rope: {{diameter: 0.02, mass_per_length: 1, axial_stiffness: 1e7}}}}
points: {{a: {{kind: fixed, position: [0, 0, 0]}}, b: {{kind: fixed, position: [20.01, 0, 0]}}}}
cables: {{c: {{type: rope, length: 20, elements: 20, start: a, end: b, allow_stretch: true}}}}
simulation: {{formulation: lumped, duration: {duration}, step: {step}, start: catenary}}
"""


def amplification(omega, b1, b0):
    """Roots of (z - 1)^2 [(1 + b1 w^2) z + b0 w^2] + w^2 z^2 = 0, the largest in size, w = omega times the step."""
    w = omega * omega
    return np.abs(np.roots(np.polyadd(np.polymul([1, -2, 1], [1 + b1 * w, b0 * w]), [w, 0, 0]))).max()


@pytest.mark.parametrize(("steps", "bound"), [(100, 1e-5), (40, 2e-4)])
def test_the_first_mode_of_a_string_is_not_damped(steps, bound):
    """Its damping ratio, from the energy that is left of a small swing after many periods."""
    tension = 1e7 * 0.01 / 20.0
    omega = 2.0 * math.sqrt(tension / (1.0005 * 1.0)) * math.sin(math.pi / 40.0)
    step = 2.0 * math.pi / omega / steps
    simulation = Simulation(load_text(STRING.format(step=step, duration=5000 * step)))
    y = simulation.state
    state = simulation.compiled.tables(y)
    shape = np.sin(math.pi * np.arange(21) / 20.0)
    state.node.position[:, 2] = 1e-4 * shape
    simulation.set_state(0.0, y)

    def size(periods):
        """Largest projection on the mode over a period, after some of them."""
        simulation.step(periods * steps * step)
        found = []
        for _ in range(steps):
            simulation.step(step)
            node = simulation.compiled.tables(simulation.state).node
            found.append((node.position[:, 2] @ shape) ** 2 + (node.velocity[:, 2] @ shape / omega) ** 2)
        return math.sqrt(np.mean(found))

    first, last = size(1), size(40)
    ratio = math.log(first / last) / (2.0 * math.pi * 41)
    assert abs(ratio) < bound


def test_what_a_step_does_not_resolve_is_damped():
    """The string stiffness of elements and their springs, as the step grows, and the order of their damping."""
    for b1, b0, radius in ((8.0 / 27.0, 1.0 / 27.0, 0.5), (0.35009, 0.068308, 0.58)):
        assert amplification(1e5, b1, b0) == pytest.approx(radius, abs=0.01)
        assert 1.0 - amplification(0.05, b1, b0) == pytest.approx(0.5 * b0 * 0.05**4, rel=0.02)
        assert max(amplification(w, b1, b0) for w in np.logspace(-3, 6, 200)) < 1.0


@BOTH
def test_a_loop_that_turns_in_a_vacuum_gains_no_energy(formulation):
    """6 rad/s, 0.06 rad a step, ten turns; half of it more by the first-order step."""
    system = turning_loop(
        spin=6.0, simulation={"formulation": formulation, "duration": 10.0, "step": 0.01, "output_every": 0.1}
    )
    result = simulate(system)
    energy = (result["energy_kinetic"] + result["energy_elastic"]).values
    assert energy.max() < 1.01 * energy[0]


@pytest.mark.parametrize(("formulation", "part"), [("lumped", 0.98), ("bars", 0.97)])
@pytest.mark.parametrize("mass_per_length", [0.001, 0.1, 3.0])
@pytest.mark.parametrize("step", [0.05, 0.005])
def test_a_load_that_falls_into_its_wire_never_comes_back_higher(mass_per_length, step, formulation, part):
    """2 t fall 2 m; with the finer step the peak is 98 % of m g (1 + sqrt(1 + 2 k d / m g)), a weightless wire's, in
    `bars` 97 %."""
    text = f"""
environment: {{water_density: 0}}
types: {{wire: {{diameter: 0.02, mass_per_length: {mass_per_length}, axial_stiffness: 20 MN}}}}
points:
  tip: {{kind: fixed, position: [0, 0, 20]}}
  load: {{kind: free, mass: 2000, position: [0, 0, 2]}}
cables: {{wire: {{type: wire, length: 20, elements: 20, start: tip, end: load}}}}
simulation: {{formulation: {formulation}, duration: 6, step: {step}, start: catenary, output_every: 0.05}}
"""
    result = simulate(load_text(text))
    weight = 2000.0 * GRAVITY
    assert result["point_position"].sel(point="load").values[:, 2].max() < 2.0 + 1e-6
    if step < 0.01:
        exact = weight * (1.0 + math.sqrt(1.0 + 2.0 * 1e6 * 2.0 / weight))
        assert float(result["tension_effective_max"].max()) > part * exact


def test_the_pull_of_a_line_belongs_to_the_time_it_is_reported_at():
    """A light wire between a fixed and a moved end: EA times the strain of the moment; a half-step is 2.3 % of it."""
    text = """
environment: {water_density: 0, gravity: 0}
types: {wire: {diameter: 0.01, mass_per_length: 1e-4, axial_stiffness: 1 MN}}
points:
  a: {kind: fixed, position: [0, 0, 0]}
  b: {kind: controlled, position: [10.1, 0, 0], motion: {harmonic: {amplitude: [0.05, 0, 0], period: 4, ramp: 4}}}
cables: {c: {type: wire, length: 10, elements: 2, start: a, end: b, allow_stretch: true}}
simulation: {formulation: lumped, duration: 12, step: 0.1, output_every: 0.1}
"""
    result = simulate(load_text(text))
    span = result["point_position"].sel(point="b").values[:, 0]
    pull = np.linalg.norm(result["force_end"].sel(cable="c", end="start").values, axis=1)
    late = result["time"].values > 4.0
    exact = 1e6 * (span / 10.0 - 1.0)
    assert np.abs(pull - exact)[late].max() < 0.01 * 5e3


IN_A_CURRENT = """
environment: {{water_density: 1025, current: [{{z: 0, velocity: [1, 0, 0]}}]}}
types: {{rope: {{diameter: 0.02, mass_per_length: 0.35, axial_stiffness: 1 MN, drag: {{normal: 1.2, axial: 0.01}}}}}}
points:
  top: {{kind: fixed, position: [0, 0, -1]}}
  weight: {{kind: free, mass: 30, drag_area: 0.05, position: [10, 0, -18]}}
cables: {{rope: {{type: rope, length: 20, elements: 20, start: top, end: weight}}}}
simulation: {{formulation: lumped, duration: 120, step: {step}, start: catenary, output_every: {step}}}
"""


@pytest.mark.parametrize("step", [0.05, 0.2, 0.5])
def test_a_line_in_a_current_comes_to_rest_though_the_step_does_not_resolve_drag(step):
    """hc/m is 0.9, 3.7 and 9: the secant of drag follows the speed foreseen, and must not make it go to and fro."""
    result = simulate(load_text(IN_A_CURRENT.format(step=step)))
    speed = np.linalg.norm(result["velocity"].sel(cable="rope").values[-5:], axis=-1)
    assert speed.max() < 1e-3
