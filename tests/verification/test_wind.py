"""Wind on bodies in every formulation that carries them: how a body drifts, what a gust gives it, how far it leans."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.model import System, load_text

FORMULATIONS = ("lumped", "bars", "multibody", "tether", "links")
AREA, MASS, SPEED, TIME = 8.0, 50.0, 12.0, 6.0
DRAG = 0.5 * 1.225 * AREA
"""½ρCA [kg/m]."""
ADRIFT = """\
title: A body that the wind drives in air, without weight, and a light line that it trails
environment: {{water_density: 0, gravity: 0, wind: {{speed: 12, direction_deg: {heading}{gusts}}}}}
types: {{line: {{diameter: 0.01, mass_per_length: 1e-4, axial_stiffness: 100}}}}
points: {{tail: {{kind: free, position: [0, 0, -2]}}}}
bodies:
  hull: {{kind: free, position: [0, 0, 0], mass: {mass}, inertia: [30, 30, 30], wind: {{area: 8}},
         attachments: {{eye: [0, 0, 0]}}}}
cables: {{line: {{type: line, length: 2, elements: 2, start: hull.eye, end: tail}}}}
simulation: {{formulation: {formulation}, start: catenary, duration: 6, step: 0.02, output_every: 1}}
"""
HANGING = """\
title: A load that the wind pushes aside
environment:
  water_density: 0
  wind: {{speed: 30, direction_deg: {heading}, gusts: [[0, 3], [9, 0]]}}
types: {{rope: {{diameter: 0.01, mass_per_length: 0.001, axial_stiffness: 1e8}}}}
points: {{A: {{kind: fixed, position: [0, 0, 30]}}}}
bodies:
  load: {{kind: free, position: [0, 0, 10], mass: 500, inertia: [80, 80, 80], wind: {{area: 3, coefficient: 1.2}},
         attachments: {{hook: [0, 0, 0]}}}}
cables: {{rope: {{type: rope, length: 20, elements: 2, start: A, end: load.hook}}}}
simulation: {{formulation: {formulation}, duration: 1, step: 0.01}}
"""


def way(heading: float) -> np.ndarray:
    return np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading)), 0.0])


def adrift(formulation: str, heading: float, mass: float = MASS, gusts: str = "") -> System:
    """Links take half the step: theirs has an error of second order here, 0.27 % of the wind's speed at 0.02 s."""
    text = ADRIFT.format(formulation=formulation, heading=heading, mass=mass, gusts=gusts)
    return load_text(text, "f.yaml").with_settings(step=0.01 if formulation == "links" else 0.02)


def test_the_error_of_links_falls_with_the_square_of_the_step():
    errors = []
    for step in (0.02, 0.01, 0.005):
        out = fl.Simulation(adrift("links", 0.0).with_settings(step=step)).step(1.0)
        tau = DRAG * SPEED / MASS
        errors.append(abs(out["hull.velocity"][0] - SPEED * tau / (1.0 + tau)))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("heading", [0.0, 130.0])
def test_a_body_comes_to_drift_with_the_wind(formulation, heading):
    """m v̇ = k (W − v)² from rest: v = W τ/(1 + τ), τ = k W t/m; and all it has is the work of the wind."""
    result = fl.simulate(adrift(formulation, heading))
    times = result["time"].values
    tau = DRAG * SPEED * times / MASS
    found = result["point_velocity"].sel(point="hull").values
    expected = np.outer(SPEED * tau / (1.0 + tau), way(heading))
    assert found == pytest.approx(expected, abs=2e-3 * SPEED)
    kinetic = 0.5 * MASS * float((expected[-1] ** 2).sum())
    assert float(result["energy_kinetic"][-1]) == pytest.approx(kinetic, rel=5e-3)
    assert float(result["work_drag"][-1]) == pytest.approx(float(result["energy_kinetic"][-1]), rel=2e-3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_gust_gives_the_impulse_of_its_table(formulation):
    """A heavy body hardly moves: m v = ∫ ½ρCA (f W)² dt, over f rising from 0 to 2 in 2 s and falling to 1 in 4 s."""
    heavy = 1e6
    system = adrift(formulation, 60.0, heavy, ", gusts: [[0, 0], [2, 2], [6, 1]]")
    out = fl.Simulation(system).step(TIME)
    impulse = DRAG * SPEED**2 * (2.0 * 4.0 / 3.0 + 4.0 * (4.0 + 2.0 + 1.0) / 3.0)
    assert heavy * out["hull.velocity"] == pytest.approx(impulse * way(60.0), abs=5e-3 * impulse)


@pytest.mark.parametrize("heading", [0.0, 75.0, 210.0])
def test_a_load_hangs_aside_by_its_force_over_its_weight(heading):
    """tan θ = F/mg at rest in the mean wind, whatever the gusts: the load is L sin θ aside of its hook."""
    rest = fl.Simulation(load_text(HANGING.format(heading=heading, formulation="lumped"), "f.yaml")).outputs()
    slope = 0.5 * 1.225 * 1.2 * 3.0 * 30.0**2 / (500.0 * 9.81)
    aside = 20.0 * slope / math.hypot(1.0, slope)
    assert rest["load.position"][:2] == pytest.approx(aside * way(heading)[:2], abs=1e-3 * aside)


def test_the_wind_can_be_turned_while_it_runs():
    """One second from the south, one from the east: a heavy body has both impulses."""
    heavy = 1e6
    text = ADRIFT.format(formulation="lumped", heading=0.0, mass=heavy, gusts="")
    steady = text.replace("speed: 12, direction_deg: 0.0", "velocity: [12, 0, 0]")
    simulation = fl.Simulation(load_text(steady, "f.yaml"))
    simulation.step(1.0)
    simulation.set_parameters({"environment.wind.velocity": (0.0, 6.0, 0.0)})
    found = heavy * simulation.step(1.0)["hull.velocity"]
    assert found == pytest.approx([DRAG * 12.0**2, DRAG * 6.0**2, 0.0], abs=0.01 * DRAG * 6.0**2)
