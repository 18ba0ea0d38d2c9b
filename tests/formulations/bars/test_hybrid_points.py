"""Hybrid points: driven to their command, held back by the pull of their cables; named loads and inputs."""

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation

DRIVEN = """
environment: {{water_density: 1000, gravity: 9.81}}
types: {{wire: {{diameter: 0.03, density: 1000, axial_stiffness: 1e5, drag: {{normal: 1.2, axial: 0.02}}}}}}
points:
  A: {{kind: fixed, position: [0, 0, -8]}}
  B: {{kind: hybrid, position: [0, 0, -5], mass: 300, shape: {{sphere: {{diameter: 0.8306}}}}, drag_coefficient: 0.5,
      stiffness: 100, force_max: {force}, tension_max: {tension}}}
cables: {{line: {{type: wire, length: 10, elements: 6, start: A, end: B}}}}
loads: [{{name: tug, point: B, force: [0, {side}, 0]}}]
simulation: {{formulation: bars, duration: 400, step: 0.02, start: catenary}}
"""


def driven(force=5000.0, tension=1e6, side=0.0):
    return Simulation(load_text(DRIVEN.format(force=force, tension=tension, side=side)))


def settled(simulation, inputs, seconds=150.0):
    return simulation.step(seconds, inputs)


def test_it_reaches_its_command_when_nothing_holds_it():
    """The sphere is neutrally buoyant (300 kg) and the line slack: no force is left, within the thread's weight."""
    out = settled(driven(), {"B.position": (5.0, 0.0, -5.0)})
    assert out["B.position"] == pytest.approx([5.0, 0.0, -5.0], abs=0.01)


def test_a_steady_force_displaces_it_by_its_stiffness():
    out = settled(driven(side=50.0), {"B.position": (5.0, 0.0, -5.0)})
    assert out["B.position"][1] == pytest.approx(0.5, abs=0.01)


def test_its_force_saturates():
    """100 N/m times 50 m would be 5 kN: the taut line carries force_max and no more."""
    out = settled(driven(force=1500.0), {"B.position": (60.0, 0.0, -5.0)})
    assert np.linalg.norm(out["line.force_end"]) == pytest.approx(1500.0, rel=0.01)


def test_its_force_falls_as_the_tension_nears_tension_max():
    """At rest along a taut line T = F_max (1 − (T/T_max)²): a quadratic for T."""
    force, limit = 5000.0, 2000.0
    out = settled(driven(force=force, tension=limit), {"B.position": (90.0, 0.0, -5.0)})
    exact = (-1.0 + np.sqrt(1.0 + 4.0 * force**2 / limit**2)) / (2.0 * force / limit**2)
    assert np.linalg.norm(out["line.force_end"]) == pytest.approx(exact, rel=0.01)


def test_it_gives_up_beyond_tension_max():
    """Another force has pulled the line to 1.5 times tension_max: the drive, told to go the other way, is gone."""
    simulation = driven(tension=1000.0, side=1500.0)
    settled(simulation, {"B.position": (0.0, 9.0, -5.0)})
    out = settled(simulation, {"B.position": (0.0, -9.0, -5.0)})
    assert out["B.position"][1] > 9.0
    pulls = [np.linalg.norm(simulation.step(0.1)["line.force_end"]) for _ in range(100)]  # nothing damps the line
    assert np.mean(pulls) == pytest.approx(1500.0, rel=0.01)


def test_a_named_load_is_overridden_by_its_input_and_comes_back():
    simulation = driven(side=50.0)
    command = {"B.position": (5.0, 0.0, -5.0)}
    assert settled(simulation, command)["B.position"][1] == pytest.approx(0.5, abs=0.01)
    assert settled(simulation, {"tug.force": (0.0, -20.0, 0.0)})["B.position"][1] == pytest.approx(-0.2, abs=0.01)
    assert settled(simulation, {"tug.force": None})["B.position"][1] == pytest.approx(0.5, abs=0.01)
