"""A bar that flies and spins freely: straight path, constant angular momentum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

LENGTH, DIAMETER, DENSITY = 3.0, 0.3, 1100.0  # m, m, kg/m3
VELOCITY = np.array([1.0, 0.2, -0.1])  # m/s
DURATION = 20.0  # s
SOURCE = "rigid body without forces: straight path, constant angular momentum and energy"


@dataclass(frozen=True)
class Flight:
    """What is lost on the way: distance from the straight path, m; change of angular momentum and energy, relative.

    `rates` is the body angular velocity at the end, (3,) rad/s.
    """

    path: float
    momentum: float
    energy: float
    rates: np.ndarray


def inertia(water_density: float = 0.0) -> np.ndarray:
    """Moments of inertia (3,) about the bar's own axes, with added mass, kg m2."""
    area = np.pi / 4.0 * DIAMETER**2
    across = DENSITY * area * LENGTH * (DIAMETER**2 / 16.0 + LENGTH**2 / 12.0) + water_density * area * LENGTH**3 / 12.0
    return np.array([across, across, DENSITY * area * LENGTH * DIAMETER**2 / 8.0])


def fly(spin: np.ndarray, step: float, integrator: str = "semi_implicit", water_density: float = 0.0) -> Flight:
    """One bar between massless points, set off with VELOCITY and a body spin (3,) rad/s, without weight and drag."""
    system = System.model_validate(
        {
            "environment": {"water_density": water_density, "gravity": 0.0},
            "types": {"bar": {"diameter": DIAMETER, "density": DENSITY, "axial_stiffness": 1e5, "drag": "none"}},
            "points": {
                "a": {"kind": "free", "position": [0, 0, -50]},
                "b": {"kind": "free", "position": [2, 2, -49]},
            },
            "cables": {"bar": {"type": "bar", "length": LENGTH, "elements": 1, "start": "a", "end": "b"}},
            "simulation": {"start": "catenary", "duration": DURATION, "step": step, "integrator": integrator},
        }
    )
    simulation = Simulation(system)
    y, layout = simulation.state, simulation.compiled.layout
    bar = y[layout["bar_state"]]
    turn = frame(bar)
    bar[7:10], bar[10:13] = VELOCITY, spin
    for hub, offset in zip(y[layout["hub_state"]].reshape(-1, 13), (-0.5 * LENGTH, 0.5 * LENGTH), strict=True):
        hub[7:10] = VELOCITY + turn @ np.cross(spin, [0.0, 0.0, offset])
    simulation.state = y
    J = inertia(water_density)
    start, momentum, energy = bar[:3].copy(), turn @ (J * spin), spin @ (J * spin)
    worst = np.zeros(3)
    for _ in range(int(DURATION)):
        simulation.step(1.0)
        bar = simulation.state[layout["bar_state"]]
        rates = bar[10:13]
        off_path = np.linalg.norm(bar[:3] - start - simulation.time * VELOCITY)
        lost = np.linalg.norm(frame(bar) @ (J * rates) - momentum) / np.linalg.norm(momentum)
        worst = np.maximum(worst, [off_path, lost, abs(rates @ (J * rates) / energy - 1.0)])
    return Flight(float(worst[0]), float(worst[1]), float(worst[2]), rates)


def frame(bar: np.ndarray) -> np.ndarray:
    """Rotation matrix (3, 3), local to global, of a bar's state."""
    matrix: np.ndarray = Rotation.from_quat(np.roll(bar[3:7], -1)).as_matrix()
    return matrix


def check() -> Iterator[Record]:
    """End over end, about its own axis, and tumbling; in air and in water."""
    over = np.array([0.3, 0.5, 0.0])
    for where, density in (("in air", 0.0), ("in water", 1025.0)):
        flight = fly(over, 0.0125, water_density=density)
        name = f"free bar end over end {where}"
        yield Record.absolute(f"{name}, off its straight path [m]", SOURCE, flight.path, 0.0, 1e-6)
        yield Record.absolute(f"{name}, angular momentum", SOURCE, flight.momentum, 0.0, 1e-6)
    flight = fly(np.array([0.05, 0.0, 5.0]), 0.0125)
    yield Record.absolute("free bar about its own axis, energy", SOURCE, flight.energy, 0.0, 1e-6)
    flight = fly(np.array([0.3, 0.5, 2.0]), 0.005, "rk4")
    yield Record.absolute("free bar tumbling, angular momentum, rk4", SOURCE, flight.momentum, 0.0, 1e-6)
