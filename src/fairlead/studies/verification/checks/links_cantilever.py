"""A clamped cable of rigid links without weight: bending stiffness of its joints from EI, against beam theory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from fairlead.model import System
from fairlead.statics import natural_modes, solve
from fairlead.studies.verification.record import Record

LENGTH, EI, MASS, LOAD = 20.0, 2e4, 1.0, 0.5  # m, N m2, kg/m, N
FREQUENCY = "cantilever, first frequency (1.8751 / L)^2 sqrt(EI / m)"
DEFLECTION = "cantilever under a load at its tip, P L^3 / 3 EI"


def cantilever(elements: int, load: float = 0.0) -> System:
    """The cable, clamped level at the origin and running along x, without weight; the load pushes its end down."""
    return System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 0.0},
            "types": {
                "rod": {"diameter": 0.05, "mass_per_length": MASS, "axial_stiffness": 1e8, "bending_stiffness": EI}
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
            "simulation": {"start": "catenary", "formulation": "links", "duration": 1.0, "step": 0.01},
        }
    )


def first_frequency(elements: int) -> float:
    """rad/s."""
    rest = solve(cantilever(elements))
    return float(natural_modes(rest.compiled, rest.y, 2).omega[0])


def exact_frequency() -> float:
    """rad/s."""
    root = brentq(lambda x: np.cos(x) * np.cosh(x) + 1.0, 1.5, 2.2, xtol=1e-14)
    return float((root / LENGTH) ** 2 * np.sqrt(EI / MASS))


def deflection(elements: int, load: float = LOAD) -> float:
    """Of the tip, m."""
    return -float(np.array(solve(cantilever(elements, load)).outputs["tip.position"])[2])


def check() -> Iterator[Record]:
    """First frequency and tip deflection."""
    for elements, bound in ((10, 5e-3), (20, 1.3e-3)):
        title = f"links, cantilever, frequency 1 (rad/s), {elements} links"
        yield Record.relative(title, FREQUENCY, first_frequency(elements), exact_frequency(), bound)
    exact = LOAD * LENGTH**3 / (3.0 * EI)
    yield Record.relative("links, cantilever, tip deflection, 10 links", DEFLECTION, deflection(10), exact, 5.1e-3)
