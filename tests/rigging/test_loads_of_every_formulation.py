"""Loads are the same in every formulation: named ones are inputs, and their work is force times way."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from fairlead.formulations import NAMES
from fairlead.model import System, load_text
from fairlead.reduction import compiled, reduce
from fairlead.simulate import Simulation

TEXT = """
types: {{rope: {{diameter: 20 mm, mass_per_length: 0.5, axial_stiffness: 20 kN, drag: none}}}}
points:
  hook: {{kind: fixed, position: [0, 0, -2]}}
  weight: {{kind: free, position: [0, 0, -5], mass: 20, volume: 0.002}}
cables: {{line: {{type: rope, length: 3.01, elements: 3, start: hook, end: weight}}}}
loads: [{{point: weight, force: {force}, name: tug}}]
simulation: {{formulation: {formulation}, start: catenary, duration: 0.4, step: 0.01, output_every: 0.4}}
"""
FORCE = (30.0, 10.0, 0.0)


def hanging(formulation: str, force: tuple[float, ...]) -> System:
    """A weight on a rope that a force draws aside."""
    return load_text(TEXT.format(formulation=formulation, force=list(force)), "weight.yaml")


@cache
def shapes():
    """Those of a reduced model of the rope."""
    return reduce(Simulation(hanging("spline", FORCE), output_every=0.01).run(), modes=6, tension_modes=2)


def simulation(formulation: str, force: tuple[float, ...]) -> Simulation:
    if formulation != "reduced":
        return Simulation(hanging(formulation, force))
    return Simulation.of(compiled(hanging("spline", force), shapes()))


@pytest.mark.parametrize("formulation", NAMES)
def test_a_force_set_live_is_that_of_the_file_until_it_is_handed_back(formulation: str) -> None:
    """Two loads of the file, and the other one set live in the middle: where the weight is drawn to is the same.

    The first half kick of Störmer–Verlet (`spline`) is that of the first state, which knows the load of the file only.
    """
    live, strong = simulation(formulation, (0.0, 0.0, 0.0)), simulation(formulation, FORCE)
    near = 5e-4 if formulation == "spline" else 1e-9
    seen = live.step(0.1, {"tug.force": FORCE})["weight.position"]
    asked = strong.step(0.1)["weight.position"]
    assert abs(asked[0]) > 3e-3
    assert seen == pytest.approx(asked, abs=near)
    seen = live.step(0.1, {"tug.force": None})["weight.position"]
    asked = strong.step(0.1, {"tug.force": (0.0, 0.0, 0.0)})["weight.position"]
    assert seen == pytest.approx(asked, abs=3 * near)


@pytest.mark.parametrize("formulation", [name for name in NAMES if name != "bars"])
def test_the_work_of_a_load_is_force_times_way(formulation: str) -> None:
    """Along the mean velocity of every step; with that of its start the work would be 2.5 % short (half a step)."""
    result = simulation(formulation, FORCE).run()
    place = result["point_position"].sel(point="weight").values
    way = float(np.dot(FORCE, place[-1] - place[0]))
    assert way > 1.0
    assert float(result["work_drives"][-1] - result["work_drives"][0]) == pytest.approx(way, rel=0.01)


def test_a_reduced_cable_that_pushes_is_told_of() -> None:
    """Its shapes cannot go slack: a load lifted by more than its weight leans on the line as on a rod."""
    assert "pushes" not in simulation("reduced", FORCE).run().attrs["warnings"]
    told = simulation("reduced", (0.0, 0.0, 400.0)).run().attrs["warnings"]
    assert "its cable pushes with up to" in told
    assert "bars or lumped for snap loads" in told
