"""A cable of joints that swings over the axis of its first turns, where its coordinates would be singular."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "the same cable as point masses in Cartesian coordinates, which know no singularity"
DURATION, STEP = 4.0, 0.0005  # s


def swing(formulation: str) -> np.ndarray:
    """Path (sample, node, 3), m, of a cable let go level: it swings through half a turn about y.

    The first axis lies in the plane of the motion, the worst choice: all of it is in the second turn, which would pass
    90 degrees at each swing.
    """
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {
                "wire": {"diameter": 0.03, "mass_per_length": 20.0, "axial_stiffness": 2e5, "damping_time": 2e-3}
            },
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, 20]},
                "tip": {"kind": "free", "position": [-6, 0.3, 20]},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": 6, "elements": 3, "start": "top", "end": "tip", "allow_stretch": True,
                }
            },
            "simulation": {
                "start": "catenary",
                    "formulation": formulation, "integrator": "rk4", "duration": DURATION, "step": STEP,
                "output_every": 0.1, "multibody": {"slack": "rod", "first_axis": [0, 0, 1]},
                "lumped": {"compression": "carried"},
            },
        }
    )  # fmt: skip
    return np.asarray(simulate(system)["position"].values[:, 0])


def check() -> Iterator[Record]:
    """Largest distance between the two paths, at any node and time."""
    apart = float(np.linalg.norm(swing("multibody") - swing("lumped"), axis=-1).max())
    yield Record.absolute("multibody, swinging over the first axis, path, m", SOURCE, apart, 0.0, 1e-5)
