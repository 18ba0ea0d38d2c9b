"""A cable pulled by a sudden load: the first peak is twice the static stretch, if the step does not damp it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

LENGTH, ELEMENTS, AXIAL_STIFFNESS, LOAD = 100.0, 20, 1e6, 1e4  # m, 1, N, N
DIAMETER, DENSITY = 0.044, 1100.0  # m, kg/m3
SOURCE = "elastic rod under a sudden end load: twice the static stretch F L / EA (1 - 1/2n)"


def static_travel() -> float:
    """Travel of the last bar at rest, m: all joints open, the loaded half bar stays rigid."""
    return LOAD * LENGTH / AXIAL_STIFFNESS * (1.0 - 0.5 / ELEMENTS)


def period() -> float:
    """First axial period of the cable, s."""
    return 4.0 * LENGTH / float(np.sqrt(AXIAL_STIFFNESS / (DENSITY * np.pi / 4.0 * DIAMETER**2)))


def pulled_cable(step: float, theta: float = 1.0, damping_time: float = 0.0) -> Simulation:
    """A level cable without weight, one end fixed, a load of 10 kN at the other from t = 0."""
    wire = {"diameter": DIAMETER, "density": DENSITY, "axial_stiffness": AXIAL_STIFFNESS, "damping_time": damping_time}
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 0.0},
            "types": {"wire": wire},
            "points": {
                "wall": {"kind": "fixed", "position": [0, 0, -10]},
                "tip": {"kind": "free", "position": [LENGTH, 0, -10]},
            },
            "cables": {"wire": {"type": "wire", "length": LENGTH, "elements": ELEMENTS, "start": "wall", "end": "tip"}},
            "loads": [{"point": "tip", "force": [LOAD, 0, 0]}],
            "simulation": {
                "start": "catenary",
                "duration": 1.0,
                "step": step,
                "output_every": step,
                "bars": {"scheme": "first_order", "theta": theta},
            },
        }
    )
    return Simulation(system)


def travel(simulation: Simulation) -> float:
    """How far the last bar has moved, m."""
    bars = simulation.state[simulation.compiled.layout["bar_state"]].reshape(-1, 13)
    return float(bars[-1, 0] - LENGTH * (1.0 - 0.5 / ELEMENTS))


def first_peak(step: float, theta: float = 1.0) -> float:
    """Largest travel of the last bar in the first period, m."""
    simulation, largest = pulled_cable(step, theta), 0.0
    while simulation.time < period():
        simulation.step(max(step, 0.002))
        largest = max(largest, travel(simulation))
    return largest


def check() -> Iterator[Record]:
    """The static stretch, and the first peak with a fine step and with theta = 0.55 at a coarse one."""
    resting = pulled_cable(0.0125, damping_time=0.05)
    resting.step(40.0)
    yield Record.relative("sudden axial load, stretch at rest", SOURCE, travel(resting), static_travel(), 1e-7)
    peak = 2.0 * static_travel()
    yield Record.relative("sudden axial load, first peak, step 1e-4 s", SOURCE, first_peak(1e-4), peak, 0.02)
    coarse = first_peak(0.0125, theta=0.55)
    yield Record.relative("sudden axial load, peak, theta 0.55, step 0.0125 s", SOURCE, coarse, peak, 0.06)
