"""Systems of point masses for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.formulations.lumped import CompiledLumped, compile_system
from fairlead.model import System
from fairlead.shape.layout import first_geometry


def compiled(system: System) -> CompiledLumped:
    """The system as first laid out."""
    return compile_system(system, first_geometry(system))


def web(**settings: Any) -> System:
    """Five cables over three free points: a branch, a loop, cables stored against the file, a clump, a clamp."""
    return System.model_validate(
        {
            "environment": {
                "current": [{"z": 0, "velocity": [0.4, 0.2, 0]}],
                "seabed": {"depth": 60.0, "friction": 0.4, "damping": 500.0},
            },
            "types": {
                "rope": {
                    "diameter": 0.06, "density": 1500, "axial_stiffness": 2e6, "bending_stiffness": 800.0,
                    "damping_time": 0.02, "added_mass": {"normal": 1.0, "axial": 0.2},
                },
                "bare": {"diameter": 0.04, "density": 2500, "axial_stiffness": 3e6},
            },
            "points": {
                "a": {"kind": "fixed", "position": [0, 0, -10]},
                "b": {"kind": "controlled", "position": [60, 0, -5],
                      "motion": {"harmonic": {"amplitude": [1, 0, 1], "period": 8}}},
                "m": {"kind": "free", "position": [20, 5, -40], "mass": 50, "volume": 0.01, "drag_area": 0.2},
                "n": {"kind": "free", "position": [40, -5, -42]},
                "o": {"kind": "free", "position": [30, 20, -45], "mass": 20},
            },
            "cables": {
                "one": {"type": "rope", "length": 40, "elements": 6, "start": {"point": "a", "joint": "clamp"},
                        "end": "m", "attachments": [{"at": 15, "mass": 30, "volume": 0.01, "drag_area": 0.1}]},
                "two": {"type": "bare", "length": 26, "elements": 4, "start": "m", "end": "n"},
                "three": {"type": "rope", "length": 29, "elements": 3, "start": "n", "end": "o"},
                "four": {"type": "bare", "length": 18.7, "elements": 1, "start": "o", "end": "m",
                         "allow_stretch": True},
                "five": {"type": "rope", "length": 48, "elements": 5, "start": "n", "end": "b"},
            },
            "simulation": {"start": "catenary",
                "formulation": "lumped", "duration": 10, "step": 0.01, "lumped": settings},
        }
    )  # fmt: skip


def stirred(system: CompiledLumped, seed: int = 1) -> np.ndarray:
    """A state in which everything moves and is a little out of place."""
    rng = np.random.default_rng(seed)
    y = system.initial_state()
    state = system.tables(y)
    state.node.position += rng.normal(scale=0.05, size=(state.nodes, 3))
    state.node.velocity = rng.normal(scale=0.5, size=(state.nodes, 3))
    state.hub_state.velocity = rng.normal(scale=0.5, size=(state.hubs, 3))
    state.previous.acceleration = rng.normal(scale=0.5, size=(state.nodes, 3))
    state.hub_previous.acceleration = rng.normal(scale=0.5, size=(state.hubs, 3))
    state.spring.sway = rng.normal(scale=0.5, size=(state.elements, 3))
    state.history.steps = 1.0
    return y
