"""A clamped cable bent by a load at its end: tip deflection against beam theory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.statics import Equilibrium, solve
from fairlead.studies.verification.record import Record

LENGTH, EI, LOAD = 20.0, 2e4, 0.5  # m, N m2, N
SOURCE = "cantilever under a load at its tip, P L^3 / 3 EI"


def bent(elements: int, load: float = LOAD) -> Equilibrium:
    """The cable, clamped level at the origin and running along x, without weight; the load pushes its end down."""
    return solve(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": 0.0},
                "types": {
                    "rod": {
                        "diameter": 0.05,
                        "mass_per_length": 1.0,
                        "axial_stiffness": 1e8,
                        "bending_stiffness": EI,
                        "torsional_stiffness": EI,
                    }
                },
                "points": {
                    "wall": {"kind": "fixed", "position": [0, 0, 0]},
                    "tip": {"kind": "free", "position": [LENGTH, 0, 0]},
                },
                "cables": {
                    "rod": {
                        "type": "rod",
                        "length": LENGTH,
                        "elements": elements,
                        "start": {"point": "wall", "joint": "clamp"},
                        "end": "tip",
                    }
                },
                "loads": [{"point": "tip", "force": [0, 0, -load]}],
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )


def tip(rest: Equilibrium) -> np.ndarray:
    """Place of the loaded end (3,) m."""
    return np.array(rest.outputs["tip.position"])


def check() -> Iterator[Record]:
    """Tip deflection with 10 and 20 bars."""
    exact = LOAD * LENGTH**3 / (3.0 * EI)
    for elements, bound in ((10, 5.1e-3), (20, 1.3e-3)):
        value = -float(tip(bent(elements))[2])
        yield Record.relative(f"cantilever, tip deflection, {elements} bars", SOURCE, value, exact, bound)
