"""A payload lowered on a drum: elements come off it four times, and the payload does not feel it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "steady lowering: the payload hangs at its weight; interpolating the speed of a new node gives 29 N"
RATE, ELEMENT, LINE, MASS, GRAVITY = 0.5, 0.5, 2.0, 5.0, 9.81  # m/s, m, kg/m, kg, m/s2
STEADY = 6.0  # s


@dataclass(frozen=True)
class Lowering:
    """A run, each (sample,): time s, pull on the payload N, pull at the drum beyond the weight that hangs from it N,
    elements off the drum, unstretched length m."""

    time: np.ndarray
    pull: np.ndarray
    excess: np.ndarray
    elements: np.ndarray
    length: np.ndarray


def lower(step: float = 0.0005, duration: float = STEADY + 4.5) -> Lowering:
    """2 kg/m of cable, elements of 0.5 m, paid out at 0.5 m/s after a gentle start; 5 kg below, in air."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {
                "wire": {
                    "diameter": 0.0332, "mass_per_length": LINE, "youngs_modulus": 7.75e7, "damping_time": 1e-3,
                }
            },
            "points": {
                "drum": {"kind": "fixed", "position": [0, 0, 20]},
                "load": {"kind": "free", "position": [0, 0, 18.5], "mass": MASS},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": 1.5, "elements": 3, "start": "drum", "end": "load",
                    "winch": {"end": "start", "table": [[0, 0], [4, RATE]]},
                }
            },
            "simulation": {
                "start": "catenary",
                    "formulation": "multibody", "duration": duration, "step": step, "output_every": 0.001,
                "multibody": {"theta": 0.5},
            },
        }
    )  # fmt: skip
    result = simulate(system)
    force, length = result["force_end"].values[:, 0], result["wire.winch.length"].values
    return Lowering(
        result["time"].values,
        np.linalg.norm(force[:, 1], axis=-1),
        np.linalg.norm(force[:, 0], axis=-1) - GRAVITY * (MASS + LINE * length),
        np.isfinite(result["position"].values[:, 0, :, 0]).sum(axis=1) - 1,
        length,
    )


def check() -> Iterator[Record]:
    """Mean and spread of the pull on the payload over four splits, and of the pull at the drum."""
    run = lower()
    steady = run.time >= STEADY
    splits = int(run.elements[-1] - run.elements[steady][0])
    pull = run.pull[steady]
    yield Record.absolute("multibody, lowering over splits, number of splits", SOURCE, float(splits), 4.0, 0.5)
    yield Record.absolute("multibody, lowering, spread of the payload's pull, N", SOURCE, float(pull.std()), 0.0, 0.05)
    yield Record.relative(
        "multibody, lowering, mean pull on the payload", SOURCE, float(pull.mean()), MASS * GRAVITY, 1e-3
    )
    jolt = float(np.abs(run.excess[steady]).max())
    yield Record.absolute("multibody, lowering, largest jolt at the drum, N", SOURCE, jolt, 0.0, 0.2)
