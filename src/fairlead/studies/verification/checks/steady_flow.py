"""Cables in steady flow: sinking broadside, drifting with the current, towed at the critical angle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from fairlead.model import System
from fairlead.simulate import Outputs, Simulation
from fairlead.studies.verification.record import Record

DENSITY, WATER, VISCOSITY, DIAMETER, GRAVITY = 1500.0, 1025.0, 1.35e-6, 0.05, 9.81  # SI
AREA = np.pi / 4.0 * DIAMETER**2  # m2
WEIGHT = (DENSITY - WATER) * AREA * GRAVITY  # N/m
NORMAL, AXIAL = 1.2, 0.02  # drag coefficients
SPEED = 1.0  # m/s of the current
SINKING = "terminal speed, weight = drag; v tanh(t / tau) on the way there"
TOWING = "critical angle of a towed cable: w cos = 1/2 rho d Cn U^2 sin^2"


def sinking_bar(drag: Any, step: float, current: float = 0.0) -> Simulation:
    """A level bar of 5 m, let go at rest 200 m down in water that flows along x, across the bar."""
    return Simulation(
        System.model_validate(
            {
                "environment": _sea(current),
                "types": {"bar": _wire(drag)},
                "points": {
                    "a": {"kind": "free", "position": [0, 0, -200]},
                    "b": {"kind": "free", "position": [0, 5, -200]},
                },
                "cables": {"bar": {"type": "bar", "length": 5.0, "elements": 1, "start": "a", "end": "b"}},
                "simulation": {"start": "catenary", "duration": 100.0, "step": step},
            }
        )
    )


def velocity_after(simulation: Simulation, time: float) -> np.ndarray:
    """Velocity (3,) m/s of the bar's start some seconds later."""
    velocity: np.ndarray = np.array(simulation.step(time)["bar.velocity"])[0]
    return velocity


def towed_cable(drag: Any, step: float = 0.05) -> tuple[float, float]:
    """Angle below the horizontal (rad) and growth of tension (N/m) in the middle of 60 m of cable, its end free.

    The water flows along x; the cable starts from an inclined line and comes to rest in 150 s.
    """
    simulation = Simulation(
        System.model_validate(
            {
                "environment": _sea(SPEED),
                "types": {"wire": _wire(drag)},
                "points": {
                    "top": {"kind": "fixed", "position": [0, 0, -5]},
                    "tail": {"kind": "free", "position": [36, 0, -53]},
                },
                "cables": {"wire": {"type": "wire", "length": 60.0, "elements": 30, "start": "top", "end": "tail"}},
                "simulation": {"start": "catenary", "duration": 150.0, "step": step},
            }
        )
    )
    seen: Outputs = simulation.step(150.0)
    nodes, tension = np.array(seen["wire.position"]), np.array(seen["wire.tension_effective"])
    along = nodes[20] - nodes[10]
    return float(np.arctan2(-along[2], along[0])), float(tension[10] - tension[20]) / 20.0


def critical_angle() -> float:
    """Where weight and drag across a straight cable balance, rad below the horizontal."""
    head = 0.5 * WATER * DIAMETER * NORMAL * SPEED**2
    return float(brentq(lambda a: WEIGHT * np.cos(a) - head * np.sin(a) ** 2, 1e-6, 0.5 * np.pi, xtol=1e-14))


def _sea(current: float) -> dict[str, Any]:
    flow = [{"z": 0, "velocity": [current, 0, 0]}]
    return {"water_density": WATER, "viscosity": VISCOSITY, "gravity": GRAVITY, "current": flow}


def _wire(drag: Any) -> dict[str, Any]:
    return {"diameter": DIAMETER, "density": DENSITY, "axial_stiffness": 1e7, "drag": drag}


def check() -> Iterator[Record]:
    """Terminal speed with constant and Reynolds-dependent drag, the way there, the drift, the critical angle."""
    constant = {"normal": NORMAL, "axial": AXIAL}
    resistance = 0.5 * WATER * DIAMETER * NORMAL
    terminal = float(np.sqrt(WEIGHT / resistance))
    fall = sinking_bar(constant, 0.001)
    time = (DENSITY + WATER) * AREA / float(np.sqrt(WEIGHT * resistance))
    reached, exact = velocity_after(fall, 0.5)[2], terminal * float(np.tanh(0.5 / time))
    yield Record.relative("bar sinking from rest, speed after 0.5 s", SINKING, -reached, exact, 2e-3)
    final = velocity_after(sinking_bar(constant, 0.1, current=SPEED), 60.0)
    yield Record.relative("bar sinking, terminal speed", SINKING, -float(final[2]), terminal, 1e-6)
    yield Record.relative("bar sinking, drift with the current", SINKING, float(final[0]), SPEED, 1e-6)

    def surplus(v: float) -> float:
        return float(0.5 * WATER * DIAMETER * (1.1 + 4.0 / np.sqrt(v * DIAMETER / VISCOSITY)) * v * v - WEIGHT)

    final = velocity_after(sinking_bar("reynolds", 0.1), 60.0)
    exact = float(brentq(surplus, 0.1, 10.0, xtol=1e-14))
    yield Record.relative("bar sinking, terminal speed, Reynolds law", SINKING, -float(final[2]), exact, 1e-6)

    angle, growth = towed_cable(constant)
    exact = critical_angle()
    yield Record.relative("towed cable, critical angle from a run", TOWING, angle, exact, 0.005)
    head = 0.5 * WATER * np.pi * DIAMETER * AXIAL * SPEED**2
    steep = float(WEIGHT * np.sin(exact) + head * np.cos(exact) ** 2)
    yield Record.relative("towed cable, growth of tension along it", TOWING, growth, steep, 0.005)
