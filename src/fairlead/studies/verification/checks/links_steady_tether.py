"""A tether of rigid links that streams in a current: the place of its end against the differential equation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.integrate import solve_ivp

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.statics import solve
from fairlead.studies.verification.record import Record

LENGTH, DIAMETER, MASS, SPEED, END_MASS = 25.0, 0.01, 0.12, 0.5, 0.5  # m, m, kg/m, m/s, kg
WATER, GRAVITY, DRAG = 1025.0, 9.81, 1.2
SOURCE = "inextensible cable in a uniform current, solved as a differential equation"
BOUND = 0.03  # m


def tether(elements: int, step: float = 0.1, formulation: str = "links") -> System:
    """The tether hangs from a fixed point 5 m deep, a mass at its end, in a uniform current along x."""
    return System.model_validate(
        {
            "environment": {"water_density": WATER, "current": [{"z": 0, "velocity": [SPEED, 0, 0]}]},
            "types": {
                "tether": {
                    "diameter": DIAMETER,
                    "mass_per_length": MASS,
                    "axial_stiffness": 2e5,
                    "drag": {"normal": DRAG, "axial": 0.0},
                }
            },
            "points": {
                "ship": {"kind": "fixed", "position": [0, 0, -5]},
                "vehicle": {"kind": "free", "position": [15, 0, -24], "mass": END_MASS},
            },
            "cables": {
                "tether": {"type": "tether", "length": LENGTH, "elements": elements, "start": "ship", "end": "vehicle"}
            },
            "simulation": {"start": "catenary", "formulation": formulation, "duration": 600.0, "step": step},
        }
    )


def exact_end() -> tuple[float, float, float]:
    """How far the end is downstream and below (m), and the tension at the top (N)."""
    weight = (MASS - WATER * np.pi / 4 * DIAMETER**2) * GRAVITY
    head = 0.5 * WATER * DRAG * DIAMETER

    def slope(s: float, state: np.ndarray) -> list[float]:
        pull = state[2:] / np.hypot(*state[2:])  # up along the cable
        across = np.array([SPEED, 0.0]) - SPEED * pull[0] * pull
        push = head * np.linalg.norm(across) * across
        return [*pull, -push[0], weight - push[1]]

    up = solve_ivp(slope, (0.0, LENGTH), [0.0, 0.0, 0.0, END_MASS * GRAVITY], rtol=1e-11, atol=1e-11).y[:, -1]
    return -float(up[0]), float(up[1]), float(np.hypot(*up[2:]))


def distance(place: np.ndarray) -> float:
    """How far the vehicle is from where it should be, m."""
    downstream, below, _ = exact_end()
    return float(np.hypot(place[0] - downstream, place[2] + 5.0 + below))


def check() -> Iterator[Record]:
    """The end from statics and from a run of 600 s with steps of 0.1 s; the tension at the top."""
    rest = solve(tether(20))
    at_rest = np.array(rest.outputs["vehicle.position"])
    moved = np.array(Simulation(tether(20)).step(600.0)["vehicle.position"])
    for name, place in (("statics", at_rest), ("a run", moved)):
        title = f"links, tether in a current, distance of its end from {name} (m), 20 links"
        yield Record.absolute(title, SOURCE, distance(place), 0.0, BOUND)
    top = float(np.linalg.norm(rest.outputs["tether.force_start"]))
    yield Record.relative("links, tether in a current, pull on the ship, 20 links", SOURCE, top, exact_end()[2], 3e-3)
