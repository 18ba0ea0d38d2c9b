"""A hanging chain at rest: its first three natural frequencies against the zeros of Bessel's function."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import jn_zeros

from fairlead.model import System
from fairlead.statics import Modes, natural_modes, solve
from fairlead.studies.verification.record import Record

LENGTH, ELEMENTS, GRAVITY = 20.0, 20, 9.81  # m, 1, m/s2
SOURCE = "hanging chain, (j0k / 2) sqrt(g / L), zeros of J0"
BOUNDS = (2e-4, 3e-3, 1.1e-2)


def chain_modes(elements: int = ELEMENTS, count: int = 6) -> Modes:
    """Modes of a chain in air that hangs from its top; each comes twice, along x and along y."""
    rest = solve(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": GRAVITY},
                "types": {"chain": {"diameter": 0.01, "mass_per_length": 5.0, "axial_stiffness": 1e8}},
                "points": {
                    "top": {"kind": "fixed", "position": [0, 0, 0]},
                    "tip": {"kind": "free", "position": [0, 0, -LENGTH]},
                },
                "cables": {
                    "chain": {"type": "chain", "length": LENGTH, "elements": elements, "start": "top", "end": "tip"}
                },
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )
    return natural_modes(rest.compiled, rest.y, count)


def check() -> Iterator[Record]:
    """The first three frequencies."""
    found = chain_modes().omega[::2]
    exact = 0.5 * jn_zeros(0, 3) * np.sqrt(GRAVITY / LENGTH)
    for k, bound in enumerate(BOUNDS):
        name = f"hanging chain, frequency {k + 1} from modes (rad/s), {ELEMENTS} bars"
        yield Record.relative(name, SOURCE, float(found[k]), float(exact[k]), bound)
