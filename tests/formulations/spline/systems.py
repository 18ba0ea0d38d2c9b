"""Systems the tests of the splines use."""

from __future__ import annotations

from typing import Any

import fairlead as fl


def slack(elements: int = 8, points: dict[str, Any] | None = None, cable: dict[str, Any] | None = None, **more: Any):
    """A slack rod in air between two points out of every plane of symmetry; parts of it may be replaced."""
    kind = {
        "diameter": 0.03,
        "mass_per_length": 5.0,
        "axial_stiffness": 1e6,
        "bending_stiffness": 50.0,
        "torsional_stiffness": 40.0,
        "drag": "none",
    }
    simulation = {"formulation": "spline", "duration": 1.0, "step": 0.01} | more.pop("simulation", {})
    return fl.System.model_validate(
        {
            "environment": more.pop("environment", {"water_density": 0.0}),
            "types": {"rod": kind | more.pop("kind", {})},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -5]},
                "B": {"kind": "controlled", "position": [6, 2, -4], "cutoff": 1e6},
            }
            | (points or {}),
            "cables": {
                "rod": {"type": "rod", "length": 9.0, "elements": elements, "start": "A", "end": "B"} | (cable or {})
            },
            "simulation": simulation,
            **more,
        }
    )


SWING = {"harmonic": {"amplitude": [0.5, 0.4, 0.3], "period": 3.0, "ramp": 1.0}}
MOVED = {"B": {"kind": "controlled", "position": [6, 2, -4], "cutoff": 1e3, "motion": SWING}}
SEA = {"current": [{"z": 0, "velocity": [0.4, 0.3, 0]}], "water_density": 1025.0}
WAVES = {"kind": "regular", "height": 1.0, "period": 4.0, "direction_deg": 40.0, "ramp": 2.0}
