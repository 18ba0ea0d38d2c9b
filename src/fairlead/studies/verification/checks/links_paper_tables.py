"""The published cable of three links in air and water: its angles against an independent solution."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "Pereira et al., section 5; independent solution of its equations by LSODA at 1e-10"
TIMES = (1.0, 2.0, 5.0)  # s
STEP = 2e-4  # s
BOUND = 2e-4  # rad
ELEVATIONS: dict[str, tuple[float, dict[str, Any], tuple[float, ...]]] = {
    "air, literal, without the end's weight": (
        0.0, {"end_weight": False},
        (-.0466529, -.0824654, -.0938465, .0284470, .0485489, .0523543, .0268149, .0406001, .0441078),
    ),
    "air, literal": (
        0.0, {},
        (-.0503450, -.0872046, -.0979280, .0373799, .0615859, .0657527, .0096233, .0121630, .0130355),
    ),
    "air, consistent": (
        0.0, {"reading": "consistent"},
        (-.0494210, -.0876749, -.0972874, .0412746, .0698136, .0753884, -.0092364, -.0186516, -.0205107),
    ),
    "water, literal, drag torque": (
        1025.0, {"drag": "torque"},
        (-.0101226, -.0129468, -.0059660, .0010061, .0013860, -.0002097, .0039952, .0062036, .0066946),
    ),
    "water, consistent, drag torque": (
        1025.0, {"drag": "torque", "reading": "consistent"},
        (-.0093118, -.0127691, -.0067405, .0021001, .0033925, .0022343, .0025459, .0039592, .0043878),
    ),
    "water, consistent, drag force": (
        1025.0, {"drag": "force", "reading": "consistent"},
        (.0322637, .0525505, .0568450, .0060340, .0096291, .0103771, -.0006758, -.0011402, -.0012310),
    ),
    "water, literal, Morison drag": (
        1025.0, {},
        (-.0175513, -.0318665, -.0363928, .0041201, .0076070, .0080446, .0076528, .0117755, .0126266),
    ),
}  # fmt: skip
"""Water density, settings, and elevations of the three links after 1, 2 and 5 s [rad]."""
END_MASS = (
    -.0529656, -.2959508, -3.1851571, .0457722, .2502454, -3.1894514, -.0195018, -.1019857, -3.1982256,
)  # fmt: skip
"""Place of the end mass in air after 1, 2 and 5 s with physical bending [m], z up."""


def published_cable(density: float, step: float = STEP, **settings: Any) -> System:
    """The 3.2 m steel cable of Pereira et al. with all angles at 0.1 rad; its first joint at the origin, 5 m deep."""
    start = [math.degrees(0.1)] * 3
    links: dict[str, Any] = {
        "mode": "paper",
        "elevation_stiffness": [200.0] * 3,
        "azimuth_stiffness": [100.0] * 3,
        "twist_stiffness": [200.0] * 3,
        "elevation_damping": [10.5, 0.5, 0.5],
        "azimuth_damping": [4.2, 0.2, 0.2],
        "twist_damping": [0.07, 0.035, 0.01],
        "start_elevation_deg": start,
        "start_azimuth_deg": start,
        "start_twist_deg": start,
        "report_angles": True,
    }
    return System.model_validate(
        {
            "environment": {"water_density": density},
            "types": {
                "steel": {
                    "diameter": 0.02,
                    "density": 7850.0,
                    "axial_stiffness": 6e7,
                    "drag": {"normal": 1.2, "axial": 0.0},
                    "added_mass": {"normal": 0.0},
                }
            },
            "points": {
                "base": {"kind": "fixed", "position": [0, 0, -5]},
                "load": {"kind": "free", "position": [0, 0, -8.2], "mass": 0.5},
            },
            "cables": {
                "cable": {
                    "type": "steel",
                    "element_lengths": [0.8, 1.6, 0.8],
                    "start": {"point": "base", "joint": "clamp", "direction": [0, 0, -1]},
                    "end": "load",
                }
            },
            "simulation": {
                "start": "catenary",
                "formulation": "links",
                "duration": 5.0,
                "step": step,
                "links": links | settings,
            },
        }
    )


def elevations(density: float, step: float = STEP, **settings: Any) -> np.ndarray:
    """Elevation of the three links after 1, 2 and 5 s, (3, 3) rad."""
    simulation = Simulation(published_cable(density, step, **settings))
    found = []
    for begin, end in zip((0.0, *TIMES), TIMES, strict=False):
        seen = simulation.step(end - begin)
        found.append([float(seen[f"elevation_{link}"]) for link in (1, 2, 3)])
    return np.array(found)


def end_places(density: float, step: float = STEP, **settings: Any) -> np.ndarray:
    """Place of the end mass from the first joint after 1, 2 and 5 s in the physical mode, (3, 3) m."""
    simulation = Simulation(published_cable(density, step, mode="physical", **settings))
    found = [
        np.array(simulation.step(end - begin)["load.position"])
        for begin, end in zip((0.0, *TIMES), TIMES, strict=False)
    ]
    return np.array(found) - [0.0, 0.0, -5.0]


def check() -> Iterator[Record]:
    """Elevations of all variants, and the end mass with physical bending."""
    for name, (density, settings, known) in ELEVATIONS.items():
        reference = np.reshape(known, (3, 3))
        found = elevations(density, **settings)
        for time, seen, should in zip(TIMES, found, reference, strict=True):
            worst = int(np.argmax(np.abs(seen - should)))
            title = f"links, {name}, elevation of link {worst + 1} at {time:g} s (rad)"
            yield Record.absolute(title, SOURCE, float(seen[worst]), float(should[worst]), BOUND)
    for time, seen, should in zip(TIMES, end_places(0.0), np.reshape(END_MASS, (3, 3)), strict=True):
        title = f"links, air, physical bending, y of the end mass at {time:g} s (m)"
        yield Record.absolute(title, SOURCE, float(seen[1]), float(should[1]), BOUND)
