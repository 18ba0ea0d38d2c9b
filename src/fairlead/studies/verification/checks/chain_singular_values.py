"""A chain of 20 rigid links moved at one end: the singular values of its motion against those the paper prints."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "Escalante et al., section 4: sums of all proper orthogonal values of x and of y"
LENGTH, ELEMENTS = 47.0, 20  # m, 1
SUMS = (12.723, 47.029)  # m


def example(elements: int = ELEMENTS, **settings: Any) -> System:
    """The plane chain of the paper, its y upwards as z, as shipped."""
    wave = {"amplitude": [3.0, 0.0, 2.0], "period": 2.0 * math.pi / 0.25, "phase_deg": 90.0, "ramp": 0.0}
    system = System.model_validate(
        {
            "title": "Chain of rigid links moved at one end",
            "environment": {"water_density": 0.0},
            "types": {"chain": {"diameter": 0.0285, "density": 7850.0, "axial_stiffness": 55.64e6, "drag": "none"}},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, 0]},
                "B": {
                    "kind": "controlled",
                    "position": [37.0, 0.0, 18.0],
                    "motion": {"harmonic": wave},
                },
            },
            "cables": {"chain": {"type": "chain", "length": LENGTH, "elements": elements, "start": "A", "end": "B"}},
            "simulation": {
                "start": "catenary",
                "formulation": "chain",
                "duration": 25.0,
                "step": 0.005,
                "output_every": 0.5,
            },
        }
    )
    return system.with_settings(**settings) if settings else system


def snapshots() -> np.ndarray:
    """Places of all nodes every 0.5 s over 25 s, (51, 21, 3) m."""
    return np.asarray(Simulation(example()).run()["position"].values[:, 0])


def singular_values(motion: np.ndarray) -> np.ndarray:
    """Of one coordinate (time, node), less the end's motion in proportion along the chain (Eq. 7), and its mean."""
    along = np.linspace(0.0, 1.0, motion.shape[1])
    own = motion - along * motion[:, -1:]
    return np.asarray(np.linalg.svd(own - own.mean(axis=0), compute_uv=False))


def check() -> Iterator[Record]:
    """The sums of the singular values."""
    motion = snapshots()
    for axis, name, known, bound in ((0, "x", SUMS[0], 0.02), (2, "z", SUMS[1], 0.05)):
        value = float(singular_values(motion[:, :, axis]).sum())
        yield Record.absolute(
            f"chain of 20 links, sum of the singular values of {name} [m]", SOURCE, value, known, bound
        )
