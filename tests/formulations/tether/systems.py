"""Small tethers for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation


def system(**parts: Any) -> System:
    """A tether in air without gravity unless told otherwise; parts replace whole sections of the file."""
    tether = parts.pop("tether", {})
    simulation = {"formulation": "tether", "duration": 10.0, "step": 0.002, **parts.pop("simulation", {})}
    data = {
        "environment": {"water_density": 0.0, "gravity": 0.0},
        "types": {"rope": rope()},
        "points": {
            "A": {"kind": "fixed", "position": [0, 0, 0]},
            "B": {"kind": "free", "position": [0, 0, -2], "mass": 1.0},
        },
        "cables": {"line": {"type": "rope", "length": 2, "elements": 1, "start": "A", "end": "B"}},
        "simulation": {**simulation, "tether": tether},
    }
    return System.model_validate(data | parts)


def rope(**changes: Any) -> dict[str, Any]:
    """A light rope."""
    return {"diameter": 0.01, "mass_per_length": 0.01, "axial_stiffness": 1e5, "drag": "none", **changes}


def hanging_load(weight: float, **tether: Any) -> float:
    """Length [m] of a link of 2 m that carries a weight [N], at rest in air."""
    point = {"kind": "free", "position": [0, 0, -2], "mass": weight / 10.0 - 0.01}
    case = system(
        environment={"water_density": 0.0, "gravity": 10.0},
        points={"A": {"kind": "fixed", "position": [0, 0, 0]}, "B": point},
        tether={"first_shape": "chain", "substeps": 1, **tether},
    )
    out = Simulation(case).step(200.0)
    return -float(np.array(out["line.position"])[1, 2])
