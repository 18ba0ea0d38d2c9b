"""Systems that links are tried on."""

from __future__ import annotations

from typing import Any

from fairlead.formulations import compile_system
from fairlead.formulations.contract import Compiled
from fairlead.model import System
from fairlead.shape.layout import first_geometry

ROPE: dict[str, Any] = {
    "diameter": 0.05,
    "density": 1800.0,
    "axial_stiffness": 1e6,
    "bending_stiffness": 40.0,
    "damping_time": {"bending": 0.02, "axial": 0.01, "torsion": 0.003},
    "drag": {"normal": 1.2, "axial": 0.05},
    "added_mass": {"normal": 1.0, "axial": 0.1},
}


def system(
    *,
    end: dict[str, Any] | None = None,
    start: dict[str, Any] | None = None,
    rope: dict[str, Any] | None = None,
    cable: dict[str, Any] | None = None,
    links: dict[str, Any] | None = None,
    **parts: Any,
) -> System:
    """A rope of six unequal links from A to B in a sheared current, with a clump weight on it."""
    data = {
        "environment": {"current": [{"z": 0, "velocity": [0.6, 0.2, 0]}, {"z": -30, "velocity": [0.1, 0, 0.05]}]},
        "types": {"rope": ROPE | (rope or {})},
        "points": {
            "A": start or {"kind": "fixed", "position": [0, 0, -5]},
            "B": end or {"kind": "free", "position": [3, 2, -11], "mass": 12.0, "volume": 0.002, "drag_area": 0.1},
        },
        "cables": {
            "rope": {
                "type": "rope",
                "element_lengths": [1.0, 1.5, 0.8, 2.0, 1.2, 1.7],
                "start": {"point": "A", "joint": "clamp", "direction": [0.4, 0.3, -1]},
                "end": "B",
                "attachments": [{"at": 3.0, "mass": 4.0, "volume": 0.001, "drag_area": 0.05, "added_mass": 1.0}],
            }
            | (cable or {})
        },
        "simulation": {
            "start": "catenary",
            "formulation": "links",
            "duration": 2.0,
            "step": 0.005,
            "links": links or {},
        },
    }
    return System.model_validate(data | parts)


def compiled(given: System) -> Compiled:
    """As a run compiles it."""
    return compile_system(given, first_geometry(given))
