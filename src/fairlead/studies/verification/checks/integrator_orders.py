"""The integrators on one small system: each converges at its order, and all to the same motion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "order of the method; Runge-Kutta 4 with a step of 0.5 ms as the exact motion"


def final_state(integrator: str, step: float = 0.01, tolerance: float = 1e-5, **bars: Any) -> np.ndarray:
    """Bars and junction after one second of two cables in water: clamps, bending, damping, drag and a moving end."""
    wave = {"amplitude": [0.2, 0.3, 0.1], "period": 2.0}
    system = System.model_validate(
        {
            "types": {
                "hose": {
                    "diameter": 0.3,
                    "mass_per_length": 80.0,
                    "axial_stiffness": 4e3,
                    "bending_stiffness": 30.0,
                    "torsional_stiffness": 20.0,
                    "damping_time": 0.02,
                    "drag": {"normal": 1.0, "axial": 0.1},
                    "added_mass": {"normal": 1.0, "axial": 0.3},
                }
            },
            "points": {
                "A": {"kind": "controlled", "position": [0, 0, -10], "cutoff": 4.0, "motion": {"harmonic": wave}},
                "B": {"kind": "fixed", "position": [3, 1, -10]},
                "M": {"kind": "free", "position": [1.5, 0.3, -10.5], "mass": 5.0, "inertia": 0.5},
            },
            "cables": {
                "a": {
                    "type": "hose",
                    "length": 2.0,
                    "elements": 3,
                    "start": {"point": "A", "joint": "clamp"},
                    "end": {"point": "M", "joint": "clamp"},
                },
                "b": {"type": "hose", "length": 2.0, "elements": 2, "start": "M", "end": "B"},
            },
            "simulation": {
                "start": "catenary",
                "duration": 1.0,
                "step": step,
                "output_every": 1.0,
                "integrator": integrator,
                "tolerance": {"relative": tolerance, "absolute": tolerance},
                "bars": bars,
            },
        }
    )
    simulation = Simulation(system)
    simulation.step(1.0)
    y, layout = simulation.state, simulation.compiled.layout
    return np.concatenate([y[layout["bar_state"]], y[layout["hub_state"]]])


def error(reference: np.ndarray, integrator: str, **settings: Any) -> float:
    """Largest difference of a state from the reference, in SI units."""
    return float(np.abs(final_state(integrator, **settings) - reference).max())


def order(reference: np.ndarray, integrator: str, step: float, **settings: Any) -> float:
    """Exponent with which the error falls when the step is halved."""
    coarse = error(reference, integrator, step=step, **settings)
    return float(np.log2(coarse / error(reference, integrator, step=0.5 * step, **settings)))


def check() -> Iterator[Record]:
    """Orders of Runge-Kutta 4, of the semi-implicit steps and of Euler's; what Runge-Kutta 2 makes of its tolerance."""
    exact = final_state("rk4", step=0.0005)
    yield Record.absolute("order of rk4", SOURCE, order(exact, "rk4", 0.008), 4.0, 0.2)
    yield Record.absolute("order of semi_implicit", SOURCE, order(exact, "semi_implicit", 0.004), 2.0, 0.2)
    first = order(exact, "semi_implicit", 0.001, scheme="first_order")
    yield Record.absolute("order of semi_implicit, first_order", SOURCE, first, 1.0, 0.05)
    theta = order(exact, "semi_implicit", 0.001, theta=0.55)
    yield Record.absolute("order of semi_implicit, theta 0.55", SOURCE, theta, 1.0, 0.05)
    yield Record.absolute("order of explicit_euler", SOURCE, order(exact, "explicit_euler", 0.001), 1.0, 0.05)
    yield Record.absolute("rk2, error with a tolerance of 1e-7", SOURCE, error(exact, "rk2", tolerance=1e-7), 0.0, 1e-4)
