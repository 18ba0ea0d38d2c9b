"""Energy of a chain of rigid links that swings freely, and that no direction is better than another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation, simulate
from fairlead.studies.verification.record import Record

KEPT = "energy of a frictionless chain is kept; as a part of the largest kinetic energy"
TURNED = "a system turned about the vertical moves as before, turned"
LENGTH, ELEMENTS = 3.2, 20  # m, 1
TIGHT, STEP = 2e-4, 2e-3  # s


def swinging(integrator: str, step: float) -> System:
    """A chain without bending stiffness in air, let go as a line inclined by half a radian."""
    return System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"steel": {"diameter": 0.02, "density": 7850.0, "axial_stiffness": 6e7}},
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, 0]},
                "tip": {"kind": "free", "position": [LENGTH * np.sin(0.5), 0, -LENGTH * np.cos(0.5)], "mass": 0.5},
            },
            "cables": {
                "chain": {"type": "steel", "length": LENGTH, "elements": ELEMENTS, "start": "top", "end": "tip"}
            },
            "simulation": {
                "start": "catenary",
                    "formulation": "links", "duration": 5.0,
                    "step": step, "output_every": 0.1, "integrator": integrator,
            },
        }
    )  # fmt: skip


def drift(integrator: str, step: float) -> float:
    """Largest change of the energy in 5 s, as a part of the largest kinetic energy."""
    result = simulate(swinging(integrator, step))
    total = (result["energy_kinetic"] + result["energy_gravity"] + result["energy_elastic"]).values
    return float(np.abs(total - total[0]).max() / result["energy_kinetic"].values.max())


def turned_place(angle: float) -> np.ndarray:
    """Place of the end of a stiff cable in a current after 3 s, everything turned by `angle` about the vertical."""
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    simulation = Simulation(
        System.model_validate(
            {
                "environment": {"current": [{"z": 0, "velocity": (turn @ [0.4, 0.3, 0.0]).tolist()}]},
                "types": {
                    "rope": {
                        "diameter": 0.02,
                        "density": 2000.0,
                        "axial_stiffness": 1e6,
                        "bending_stiffness": 5.0,
                        "damping_time": {"bending": 0.01},
                    }
                },
                "points": {
                    "top": {"kind": "fixed", "position": [0, 0, -2]},
                    "tip": {"kind": "free", "position": (turn @ [1.5, 0.7, -3.0]).tolist(), "mass": 0.5},
                },
                "cables": {
                    "rope": {
                        "type": "rope",
                        "length": 2.5,
                        "elements": 10,
                        "start": {"point": "top", "joint": "clamp", "direction": (turn @ [0.3, 0.2, -1.0]).tolist()},
                        "end": "tip",
                    }
                },
                "simulation": {"start": "catenary", "formulation": "links", "duration": 3.0, "step": 0.005},
            }
        )
    )
    return np.asarray(turn.T @ np.array(simulation.step(3.0)["tip.position"]))


def check() -> Iterator[Record]:
    """Drift with a tight and with the default step; the end's place whatever the direction."""
    name = "links, swinging chain, drift of the energy in 5 s"
    yield Record.absolute(f"{name}, Runge-Kutta 4, {TIGHT:g} s", KEPT, drift("rk4", TIGHT), 0.0, 1e-10)
    yield Record.absolute(f"{name}, default scheme, {STEP:g} s", KEPT, drift("auto", STEP), 0.0, 1e-4)
    still = turned_place(0.0)
    for angle in (0.7, 2.5):
        gap = float(np.abs(turned_place(angle) - still).max())
        yield Record.absolute(f"links, end of a cable turned by {angle:g} rad (m)", TURNED, gap, 0.0, 1e-10)
