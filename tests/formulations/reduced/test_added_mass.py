"""Added mass of a reduced cable, along it and across it, by the frequencies of a taut line in water."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fairlead.formulations.reduced.model_file import ReducedModel, identity
from fairlead.model import System
from fairlead.reduction import compiled
from fairlead.simulate import Simulation

LENGTH, DISTANCE, ELEMENTS, STIFFNESS, DIAMETER, MASS = 10.0, 10.5, 8, 2e5, 0.1, 6.0
WATER = 1025.0 * np.pi * DIAMETER**2 / 4.0
"""Mass of the water in its place, kg/m."""
SLOWER = np.sqrt(MASS / (MASS + WATER))
"""What it does to a frequency, 0.65: straight elements carry 1.5 % less of it than a sine would."""


def line(normal: float, axial: float) -> Simulation:
    """A taut line without weight under water, with one mode along it, one across it and no drag."""
    type_ = {"diameter": DIAMETER, "mass_per_length": MASS, "axial_stiffness": STIFFNESS,
             "drag": {"normal": 0.0, "axial": 0.0}, "added_mass": {"normal": normal, "axial": axial}}  # fmt: skip
    system = System.model_validate(
        {
            "environment": {"gravity": 1e-9, "water_density": 1025.0},
            "types": {"rope": type_},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -50]},
                "B": {"kind": "fixed", "position": [DISTANCE, 0, -50]},
            },
            "cables": {"line": {"type": "rope", "length": LENGTH, "elements": ELEMENTS, "start": "A", "end": "B",
                                "allow_stretch": True}},
            "simulation": {"formulation": "reduced", "start": "catenary", "duration": 1.0, "step": 1e-3,
                           "reduced": {"model": "none"}},
        }
    )  # fmt: skip
    along = np.linspace(0.0, 1.0, ELEMENTS + 1)
    modes = np.zeros((ELEMENTS + 1, 3, 2))
    modes[:, 0, 0] = modes[:, 1, 1] = np.sin(np.pi * along)
    modes[[0, -1]] = 0.0
    model = ReducedModel(
        cables=("line",), source="lumped", element="straight", along=along, mean=np.zeros((ELEMENTS + 1, 3)),
        modes=modes, tensions=np.eye(ELEMENTS), singular_values=np.ones(2), tension_values=np.ones(ELEMENTS),
        identity=identity(system, "straight"),
    )  # fmt: skip
    return Simulation.of(compiled(system, model))


def frequency(simulation: Simulation, mode: int) -> float:
    """Of a small free swing in one mode, rad/s, by its crossings of zero."""
    coordinate = simulation.compiled.layout["coordinate"].start + mode
    rest = simulation.state
    y = rest.copy()
    y[coordinate] += 1e-4
    simulation.set_state(0.0, y)
    seen = [1e-4]
    while sum(a * b < 0.0 for a, b in itertools.pairwise(seen)) < 3:
        simulation.step(1e-3)
        seen.append(float(simulation.state[coordinate] - rest[coordinate]))
        assert len(seen) < 3000
    values = np.array(seen)
    k = np.flatnonzero(values[:-1] * values[1:] < 0.0)
    crossings = (k + values[k] / (values[k] - values[k + 1])) * 1e-3
    return float(np.pi * (len(k) - 1) / (crossings[-1] - crossings[0]))


@pytest.fixture(scope="module")
def frequencies():
    cases = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    return {case: [frequency(line(*case), mode) for mode in (0, 1)] for case in cases}


def test_water_across_the_line_slows_its_swing_and_not_its_stretching(frequencies):
    (along, across), (along_too, across_too) = frequencies[0.0, 0.0], frequencies[1.0, 0.0]
    assert along_too / along == pytest.approx(1.0, rel=1e-3)
    assert across_too / across == pytest.approx(SLOWER, rel=0.015)


def test_water_along_the_line_slows_its_stretching_and_not_its_swing(frequencies):
    (along, across), (along_too, across_too) = frequencies[1.0, 0.0], frequencies[1.0, 1.0]
    assert along_too / along == pytest.approx(SLOWER, rel=0.015)
    assert across_too / across == pytest.approx(1.0, rel=1e-3)


def test_the_line_swings_as_a_string_does(frequencies):
    """ω = π/L sqrt(T/m) over its length as laid, with the Green strain's tension; elements make it a little stiffer."""
    stretch = DISTANCE / LENGTH
    tension = STIFFNESS * 0.5 * (stretch**2 - 1.0)
    assert frequencies[0.0, 0.0][1] == pytest.approx(np.pi / LENGTH * np.sqrt(tension / MASS), rel=0.02)
