"""Small systems that run as trees."""

from __future__ import annotations

from typing import Any

from fairlead.formulations.multibody import CompiledMultibody, compile_system
from fairlead.model import System
from fairlead.shape.layout import first_geometry

WIRE = {"diameter": 0.03, "mass_per_length": 3.0, "axial_stiffness": 2e5, "damping_time": 0.002}


def system(**parts: Any) -> System:
    """A 6 m wire of four elements hung obliquely from a fixed point in air, but for what is given."""
    settings = {"formulation": "multibody", "duration": 2, "step": 0.001, "output_every": 0.1}
    whole = {
        "environment": {"water_density": 0.0},
        "types": {"wire": WIRE},
        "points": {
            "top": {"kind": "fixed", "position": [0, 0, 20]},
            "tip": {"kind": "free", "position": [3, 2, 15.5], "mass": 4.0},
        },
        "cables": {"wire": {"type": "wire", "length": 6, "elements": 4, "start": "top", "end": "tip"}},
    }
    return System.model_validate({**whole, **parts, "simulation": {**settings, **parts.get("simulation", {})}})


def compiled(**parts: Any) -> CompiledMultibody:
    whole = system(**parts)
    return compile_system(whole, first_geometry(whole))
