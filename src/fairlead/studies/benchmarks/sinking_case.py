"""The sinking cables, as the paper has them and as another program can run them too."""

from __future__ import annotations

from typing import Any

from fairlead.model import System

BED_STIFFNESS = 1e4 / (0.044 * 5.0)
"""Pa/m: 10 kN/m at each end of a 10 m bar."""


def paper_case(step: float) -> System:
    """Case 1 of the paper as `examples/sinking_cables.yaml` has it, with another step [s]."""
    return _case(step, {"drag": "reynolds", "bending_stiffness": 1.8246e6, "torsional_stiffness": 1.8246e6})


def common_case(step: float) -> System:
    """The same cables with constant drag coefficients and no bending stiffness, which every program can carry."""
    return _case(step, {"drag": {"normal": 1.2, "axial": 0.01, "axial_area": "surface"}})


def _case(step: float, wire: dict[str, Any]) -> System:
    cable = {"type": "wire", "length": 500, "elements": 50}
    return System.model_validate(
        {
            "environment": {
                "water_density": 1025,
                "viscosity": 1.35e-6,
                "current": [{"z": 0, "velocity": [0.5, 0, 0]}, {"z": -200, "velocity": [0, 0, 0]}],
                "seabed": {"depth": 200.022, "stiffness": BED_STIFFNESS},
            },
            "types": {
                "wire": {
                    "diameter": 0.044,
                    "density": 1100,
                    "axial_stiffness": 1.8246e8,
                    "added_mass": {"normal": 1, "axial": 1},
                    **wire,
                }
            },
            "points": {
                "A": {"kind": "fixed", "position": [0, -375, 0]},
                "B": {"kind": "fixed", "position": [0, 375, 0]},
                "M": {"kind": "free", "position": [0, 0, 0]},
            },
            "cables": {"left": {**cable, "start": "A", "end": "M"}, "right": {**cable, "start": "M", "end": "B"}},
            "simulation": {"start": "catenary", "duration": 1000, "step": step, "output_every": 100},
        }
    )
