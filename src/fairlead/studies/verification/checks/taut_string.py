"""A cable stretched between two points: natural frequencies against those of a string."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.statics import Modes, natural_modes, solve
from fairlead.studies.verification.record import Record

LENGTH, ELEMENTS, MASS = 100.0, 20, 2.0  # m, 1, kg/m
STIFFNESS, STRAIN = 1e8, 1e-4  # N, 1
TENSION = STIFFNESS * STRAIN  # N
SOURCE = "string, k pi / L sqrt(T / m)"


def string_modes(elements: int = ELEMENTS, count: int = 4) -> Modes:
    """Modes of a weightless cable that was laid between two points a little too far apart for it."""
    rest = solve(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 0.0},
                "types": {"wire": {"diameter": 0.01, "mass_per_length": MASS, "axial_stiffness": STIFFNESS}},
                "points": {
                    "left": {"kind": "fixed", "position": [0, 0, 0]},
                    "right": {"kind": "fixed", "position": [LENGTH * (1.0 + STRAIN), 0, 0]},
                },
                "cables": {
                    "wire": {
                        "type": "wire",
                        "length": LENGTH,
                        "elements": elements,
                        "start": "left",
                        "end": "right",
                        "allow_stretch": True,
                    }
                },
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )
    return natural_modes(rest.compiled, rest.y, count)


def check() -> Iterator[Record]:
    """The first two frequencies, each found across in both directions."""
    found = string_modes().omega[::2]
    exact = np.pi / LENGTH * np.sqrt(TENSION / MASS)
    for k in (1, 2):
        name = f"taut string, frequency {k} from modes (rad/s), {ELEMENTS} bars"
        yield Record.relative(name, SOURCE, float(found[k - 1]), float(k * exact), 5e-3)
