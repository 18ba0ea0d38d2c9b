"""A tether with bending stiffness as a beam on two supports: its first frequency."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

LENGTH, MASS, STIFFNESS = 10.0, 1.0, 50.0  # m, kg/m, N m2
EXACT = math.pi / 2.0 / LENGTH**2 * math.sqrt(STIFFNESS / MASS)  # Hz
SOURCE = "pinned beam, closed form"


def beam(elements: int) -> Simulation:
    """The beam, weightless in air, in the shape of its first mode with a small amplitude, at rest."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 0.0},
            "types": {
                "beam": {
                    "diameter": 0.02,
                    "mass_per_length": MASS,
                    "axial_stiffness": 1e3,
                    "bending_stiffness": STIFFNESS,
                    "drag": "none",
                }
            },
            "points": {
                "left": {"kind": "fixed", "position": [0, 0, 0]},
                "right": {"kind": "fixed", "position": [LENGTH, 0, 0]},
            },
            "cables": {
                "beam": {"type": "beam", "length": LENGTH, "elements": elements, "start": "left", "end": "right"}
            },
            "simulation": {
                "start": "catenary",
                "formulation": "tether",
                "duration": 40.0,
                "step": 0.005,
                "tether": {"integral": 0},
            },
        }
    )
    simulation = Simulation(system)
    y = simulation.state
    nodes = simulation.compiled.tables(y).node_state.position
    nodes[:, 1] = 1e-4 * LENGTH * np.sin(math.pi * nodes[:, 0] / LENGTH)
    simulation.state = y
    return simulation


def frequency(elements: int) -> float:
    """First frequency [Hz] from the zero crossings of the middle of the beam."""
    simulation = beam(elements)
    dt = 0.05
    values = [1.0]
    while simulation.time < 40.0 - 0.5 * dt:
        values.append(float(np.array(simulation.step(dt)["beam.position"])[elements // 2, 1]))
    v = np.array(values[1:])
    at = np.flatnonzero(v[:-1] * v[1:] < 0.0)
    times = dt * (1.0 + at + v[at] / (v[at] - v[at + 1]))
    return float(0.5 * (len(times) - 1) / (times[-1] - times[0]))


def check() -> Iterator[Record]:
    """Ten links: 0.9 % below, as (sin x/x)² with x = π/20; and that this very factor is what is left."""
    found = frequency(10)
    yield Record.relative("tether as a beam on two supports, first frequency, 10 links", SOURCE, found, EXACT, 0.01)
    x = math.pi / 20.0
    source = "pinned chain of second differences, closed form"
    reference = EXACT * (math.sin(x) / x) ** 2
    yield Record.relative("tether as a chain on two supports, first frequency", source, found, reference, 1e-3)
