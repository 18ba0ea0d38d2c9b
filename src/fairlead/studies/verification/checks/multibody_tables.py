"""The cable of Guillaume et al.: Table 1 (three elements swinging) and Table 2 (stretched lengths at rest)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

DIAMETER, MODULUS, DAMPING = 0.0332, 7.75e7, 1.0e5  # m, Pa, Pa s
GRAVITY = 9.81
SOURCE_1 = "Guillaume et al., Table 1, half an element at the tip: two independent solutions"
SOURCE_2 = "Guillaume et al., Table 2: element lengths of a hanging cable with nodal masses of 2, 2 and 6 kg"
LENGTHS = (3.46711, 3.40285, 3.32281, 3.54267, 3.36401, 3.37769, 3.49054, 3.36728, 3.46318, 3.40277)
"""Length of the third element at t = 1, 2, …, 10 s [m]."""
PRINTED = (0.50073, 0.50058, 0.50044)


def swinging(formulation: str, step: float, **settings: object) -> System:
    """Table 1: 10 m of cable from (0, 0, 20) to (−2, 0, 10), straight and at rest, its lower end let go."""
    return System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {
                "wire": {
                    "diameter": DIAMETER,
                    "mass_per_length": 100.0,
                    "youngs_modulus": MODULUS,
                    "damping_time": {"axial": DAMPING / MODULUS},
                }
            },
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, 20]},
                "tip": {"kind": "free", "position": [-2, 0, 10]},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": 10, "elements": 3, "start": "top", "end": "tip", "allow_stretch": True,
                }
            },
            "simulation": {
                "start": "catenary",
                    "formulation": formulation, "integrator": "rk4", "duration": 10, "step": step, "output_every": 0.1,
                **settings,
            },
        }
    )  # fmt: skip


def nodes(system: System) -> np.ndarray:
    """Nodes of a run's cable, (sample, node, 3), m."""
    return np.asarray(simulate(system)["position"].values[:, 0])


def third_lengths(path: np.ndarray) -> np.ndarray:
    """Length of the third element at t = 1, 2, …, 10 s, (10,), m."""
    return np.asarray(np.linalg.norm(path[10::10, 3] - path[10::10, 2], axis=1))


def resting() -> np.ndarray:
    """Table 2: lengths (3,) of the elements of a hanging cable, m, its swinging in length damped away."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {
                "wire": {"diameter": DIAMETER, "mass_per_length": 2.0, "youngs_modulus": MODULUS, "damping_time": 0.01}
            },
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, 20]},
                "load": {"kind": "free", "position": [0, 0, 18.5], "mass": 5.0},
            },
            "cables": {"wire": {"type": "wire", "length": 1.5, "elements": 3, "start": "top", "end": "load"}},
            "simulation": {
                "start": "catenary", "formulation": "multibody", "duration": 4, "step": 0.01, "output_every": 4,
                "multibody": {"lumping": "paper"},
            },
        }
    )  # fmt: skip
    return np.asarray(np.linalg.norm(np.diff(nodes(system)[-1], axis=0), axis=1))


def check() -> Iterator[Record]:
    """Both tables."""
    found = third_lengths(nodes(swinging("multibody", 0.001, multibody={"slack": "paper"})))
    for t, (value, reference) in enumerate(zip(found, LENGTHS, strict=True), start=1):
        yield Record.absolute(f"multibody, Table 1, third element at t = {t} s, m", SOURCE_1, value, reference, 2e-5)
    for i, (value, reference) in enumerate(zip(resting(), PRINTED, strict=True), start=1):
        yield Record.absolute(f"multibody, Table 2, element {i}, m", SOURCE_2, value, reference, 1e-5)
