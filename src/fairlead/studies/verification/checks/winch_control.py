"""A winch with a controller under a heaving crane: a load that hangs still, a wire that keeps its tension."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

FORMULATIONS = ("multibody", "lumped", "bars")
HEAVE, PERIOD = 1.2, 8.0  # m, s
SPEED = HEAVE * 2 * math.pi / PERIOD
MASS, GRAVITY, EA, LENGTH, PER_LENGTH = 2000.0, 9.81, 3e7, 30.0, 4.0  # kg, m/s2, N, m, kg/m
STRETCH = LENGTH * (MASS + 0.5 * PER_LENGTH * LENGTH) * GRAVITY / EA
GOAL, BAND, FASTEST = 3.0e4, 6.0e3, 2.0  # N, N, m/s
COMPENSATION = {"kind": "heave_compensation", "speed_max": FASTEST}
TENSION = {"kind": "constant_tension", "tension": GOAL, "band": BAND, "speed_max": FASTEST}
HELD = {"kind": "fixed", "position": [0, 0, 10]}


def hoist(formulation: str, control: dict[str, Any], end: dict[str, Any] | None = None, **changes: Any) -> System:
    """A load on 30 m of wire under a crane tip that heaves, in air; `end` holds the wire instead of the load."""
    motion = {"harmonic": {"amplitude": [0, 0, HEAVE], "period": PERIOD, "ramp": 4.0}}
    winch = {"end": "start", "length_max": 60, "length_min": 5, "control": control, **changes.pop("winch", {})}
    wire = {"diameter": 0.03, "mass_per_length": PER_LENGTH, "axial_stiffness": EA, "damping_time": 0.02}
    return System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {"wire": wire},
            "points": {
                "tip": {"kind": "controlled", "position": [0, 0, 40], "motion": motion},
                "load": end or {"kind": "free", "position": [0, 0, 10 - STRETCH], "mass": MASS},
            },
            "cables": {
                "wire": {"type": "wire", "length": LENGTH, "elements": 6, "start": "tip", "end": "load", "winch": winch,
                         "allow_stretch": True}
            },
            "simulation": {"start": "catenary",
                "formulation": formulation, "duration": 40, "step": 0.01, "output_every": 0.1, **changes},
        }
    )  # fmt: skip


def check() -> Iterator[Record]:
    """What is left of the heave, and how far the tension is off its goal."""
    for formulation in FORMULATIONS:
        for efficiency, bound in ((1.0, 0.01), (0.9, 0.005)):
            result = simulate(hoist(formulation, {**COMPENSATION, "efficiency": efficiency}))
            late = result["time"].values > 16.0
            left = float(np.ptp(result["point_position"].sel(point="load", axis="z").values[late])) / (2 * HEAVE)
            name = f"{formulation}, heave compensation of {efficiency:.0%}, part of the heave left in the load"
            yield Record.absolute(name, "law of the controller, 1 - efficiency", left, 1.0 - efficiency, bound)
    for formulation in ("lumped", "bars"):
        result = simulate(hoist(formulation, TENSION, end=HELD))
        late = result["time"].values > 10.0
        pull = np.linalg.norm(result["force_end"].sel(cable="wire", end="start").values, axis=-1)[late]
        name = f"{formulation}, constant tension on a held wire, largest distance from the goal, N"
        source = "law of the controller, band * speed / greatest speed"
        yield Record.relative(name, source, float(np.abs(pull - GOAL).max()), BAND * SPEED / FASTEST, 0.06)
