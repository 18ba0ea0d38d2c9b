"""Three heavy elements swinging in air: the test case of Guillaume et al., Table 1, with half masses at the ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "Guillaume et al., Table 1 and Eq. 7: two independent solutions that agree to 2e-11 m"
LENGTHS = (3.39935, 3.46711, 3.40285, 3.32281, 3.54267, 3.36401, 3.37769, 3.49054, 3.36728, 3.46318, 3.40277)
"""Length of the third element at t = 0, 1, … 10 s [m]."""
YOUNG, VISCOSITY = 7.75e7, 1e5  # Pa, Pa s


def third_element(step: float = 1e-3) -> np.ndarray:
    """Length of the third element at t = 0, 1, … 10 s, (11,) m."""
    wire = {
        "diameter": 0.0332, "mass_per_length": 100.0, "youngs_modulus": YOUNG,
        "damping_time": {"axial": VISCOSITY / YOUNG},
    }  # fmt: skip
    result = simulate(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 9.81},
                "types": {"wire": wire},
                "points": {
                    "upper": {"kind": "fixed", "position": [0, 0, 20]},
                    "lower": {"kind": "free", "position": [-2, 0, 10]},
                },
                "cables": {
                    "wire": {
                        "type": "wire", "length": 10.0, "elements": 3, "start": "upper", "end": "lower",
                        "allow_stretch": True,
                    }
                },
                "simulation": {
                    "start": "catenary",
                        "formulation": "lumped", "integrator": "rk4", "duration": 10.0,
                        "step": step, "output_every": 1.0,
                    "lumped": {"compression": "damping_only"},
                },
            }
        )
    )  # fmt: skip
    nodes = result["position"].values[:, 0]
    lengths: np.ndarray = np.linalg.norm(nodes[:, 3] - nodes[:, 2], axis=-1)
    return lengths


def check() -> Iterator[Record]:
    """Every second of ten."""
    for time, (found, exact) in enumerate(zip(third_element(), LENGTHS, strict=True)):
        yield Record.absolute(f"Guillaume et al., third element at {time} s (m)", SOURCE, float(found), exact, 2e-5)
