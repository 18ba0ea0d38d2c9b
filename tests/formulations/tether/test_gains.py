"""Gains suggested for any tether, and their bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.formulations.tether import suggested_gains
from fairlead.formulations.tether.build import expected_load
from fairlead.model import System
from fairlead.shape import first_geometry
from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.tether_catenary import tether
from fairlead.studies.verification.checks.tether_gains import survives

M, L = 0.12 * 25.0 / 14, 25.0 / 14
"""Mass of an inner node [kg] and length of a link [m]."""


def test_the_bound_on_the_step_is_that_of_the_fastest_stretching():
    """h < (−g + √(g² + 4ω²))/ω² with ω² = 4Kp/(m l), g = 4Kd/(m l); without damping √(m l/Kp)."""
    plain = suggested_gains(tether(14, proportional=200.0, derivative=0.0, substeps=1))
    assert plain.step_bound == pytest.approx(math.sqrt(M * L / 200.0), rel=1e-12)
    damped = suggested_gains(tether(14, proportional=200.0, derivative=8.75, substeps=1))
    w2, g = 4 * 200.0 / (M * L), 4 * 8.75 / (M * L)
    assert damped.step_bound == pytest.approx((-g + math.sqrt(g * g + 4 * w2)) / w2, rel=1e-9)
    assert damped.step_bound == pytest.approx(0.0181, abs=5e-5)


def test_the_load_expected_is_of_all_the_water_that_flows():
    """A quarter of it where half of the speed is taken away."""

    def load(**flow):
        data = tether(14).model_dump(mode="json", exclude_unset=True)
        sea = {key: value for key, value in data.get("environment", {}).items() if key != "current"}
        system = System.model_validate({**data, "environment": {**sea, **flow}})
        return expected_load(system, first_geometry(system))

    current, field = [{"z": 0, "velocity": [30, 0, 0]}], {"t": [0, 5], "velocity": [[0, 0, 0], [0, 30, 0]]}
    assert load(current_field=field) == pytest.approx(load(current=current))
    assert load(current=current, current_field=field) == pytest.approx(4 * load(current=current))


def test_the_bound_on_the_integral_is_routh_for_the_slowest_stretching():
    """Ki < 4 sin²(π/2n) Kp Kd/(m l): 524 N/s for Kp 200 N, Kd 20 N s without added mass."""
    gains = suggested_gains(tether(14, proportional=200.0, derivative=20.0, drag="nodes", substeps=1))
    assert 200.0 * gains.integral_bound == pytest.approx(524.0, rel=2e-3)


def test_a_suggested_integral_is_calm_and_one_beyond_its_bound_is_not():
    assert survives(0.002, 200.0, 20.0, 0.25 * 524.0, 120.0)
    system = tether(14, proportional=200.0, derivative=20.0, integral=700.0, drag="nodes", drag_factor=0.0, substeps=1)
    result = Simulation(system).run(duration=60.0)
    assert result.attrs["status"] != "complete" or float(result["energy_kinetic"][-1]) > 0.1


def test_small_steps_allow_the_cables_own_stiffness():
    gains = suggested_gains(tether(14), 1e-4)
    assert gains.proportional == pytest.approx(1e5)
    assert gains.step_bound > 2e-4


@pytest.mark.parametrize("step", [0.002, 0.01, 0.05])
def test_links_are_stiff_enough_for_their_load_whatever_the_step(step):
    """Steps are divided so that the load stretches no link by more than 0.2 % before the integral acts."""
    simulation = Simulation(tether(14, first_shape="chain").with_settings(step=step))
    load = float(np.max(np.abs(simulation.outputs()["tether.tension_effective"])))
    assert load / simulation.compiled.gains.proportional.min() < 0.0021
    assert simulation.compiled.substeps >= step / 0.002


def test_stiff_bending_takes_its_own_steps():
    """ω² = 16 EI/(m l³) of bending: with EI = 5 kN m² more steps are needed than for stretching."""
    data = tether(100, first_shape="chain").to_dict()
    data["types"]["tether"]["bending_stiffness"] = 5000.0
    simulation = Simulation(System.model_validate(data).with_settings(step=0.01))
    l, m = 25.0 / 100, 0.12 * 25.0 / 100
    fastest = 4.0 * math.sqrt(5000.0 / (m * l**3))
    assert 0.01 / simulation.compiled.substeps == pytest.approx(1.0 / fastest, rel=0.02)
    out = simulation.step(1.0)
    assert np.abs(np.array(out["tether.velocity"])).max() < 20.0


def test_a_tether_at_rest_stays_there():
    """The first shape under its own tension is the equilibrium of its nodes."""
    out = Simulation(tether(14, first_shape="chain")).step(5.0)
    assert np.abs(np.array(out["tether.velocity"])).max() < 1e-6


def test_gains_beyond_their_bounds_are_told():
    simulation = Simulation(tether(14, proportional=2e5, derivative=20.0, integral=1e6, substeps=1))
    text = " ".join(simulation.warnings)
    assert "the bound of the links' gains" in text
    assert "more than half of its bound" in text


def hanging(damping_time: float, step: float) -> System:
    """A soft line of 20 m that hangs from a point, with its own stretch under its weight in water."""
    mass, length, stiffness = 1.0, 20.0, 1e4
    weight = (mass - 1025.0 * math.pi / 4 * 0.02**2) * 9.81
    tip = -1.0 - length - weight * length**2 / (2 * stiffness)
    line = {"diameter": 0.02, "mass_per_length": mass, "axial_stiffness": stiffness, "drag": "none"}
    return System.model_validate(
        {
            "environment": {"water_density": 1025.0, "gravity": 9.81},
            "types": {"line": line | {"damping_time": damping_time}},
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, -1]},
                "tip": {"kind": "free", "position": [0, 0, tip]},
            },
            "cables": {
                "line": {"type": "line", "length": length, "elements": 10, "start": "top", "end": "tip",
                         "allow_stretch": True}
            },
            "simulation": {"formulation": "tether", "start": "catenary", "duration": 1.0, "step": step},
        }
    )  # fmt: skip


def test_the_integral_of_a_line_with_a_damping_time_does_not_ring():
    """Where damping leads, links creep as t s² + s + Ki/Kp = 0: without ringing while Ki/Kp stays below 1/4t."""
    for damping_time in (0.01, 0.1, 1.0):
        gains = suggested_gains(hanging(damping_time, 0.05))
        ratio = gains.integral_ratio * damping_time
        assert 0.0 < ratio <= 0.25 * (1.0 + 1e-12)
        assert gains.integral_ratio <= 0.25 * gains.integral_bound * (1.0 + 1e-12)


@pytest.mark.parametrize("damping_time", [0.02, 0.5])
def test_a_line_with_a_damping_time_is_stiff_enough_for_its_load(damping_time):
    """Kp grows with the number of steps itself, not with its square, where damping bounds them."""
    for step in (0.002, 0.05):
        simulation = Simulation(hanging(damping_time, step))
        load = float(np.max(np.abs(simulation.outputs()["line.tension_effective"])))
        assert simulation.compiled.gains.proportional.min() >= min(1e4, load / 0.00201)


def test_a_line_with_a_damping_time_stays_at_rest():
    data = tether(14, first_shape="chain", aim="elastic").to_dict()
    data["types"]["tether"]["damping_time"] = 0.5
    simulation = Simulation(System.model_validate(data).with_settings(step=0.05))
    assert np.abs(np.array(simulation.step(1.0)["tether.velocity"])).max() < 1e-9
