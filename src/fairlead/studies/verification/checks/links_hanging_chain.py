"""A chain of rigid links that hangs, in air and in water, with and without an end mass: frequencies against Bessel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq
from scipy.special import j0, j1, jn_zeros, y0, y1

from fairlead.model import System
from fairlead.statics import natural_modes, solve
from fairlead.studies.verification.record import Record

LENGTH, DIAMETER, DENSITY, WATER, GRAVITY = 3.2, 0.02, 7850.0, 1025.0, 9.81  # SI: the steel cable of Pereira et al.
END_MASS = 0.5  # kg
SOURCE = "hanging chain, (j0k / 2) sqrt(g / L), zeros of J0"
LOADED = "hanging chain with an end mass, J0 and Y0, M w^2 y + T y' = 0 at its end"


def frequencies(elements: int, water: float = 0.0, end_mass: float = 0.0, added: float = 0.0) -> np.ndarray:
    """First angular frequencies of the links in one plane, rad/s."""
    rest = solve(
        System.model_validate(
            {
                "environment": {"water_density": water, "gravity": GRAVITY},
                "types": {
                    "steel": {
                        "diameter": DIAMETER,
                        "density": DENSITY,
                        "axial_stiffness": 6e7,
                        "drag": "none",
                        "added_mass": {"normal": added},
                    }
                },
                "points": {
                    "top": {"kind": "fixed", "position": [0, 0, -1]},
                    "tip": {"kind": "free", "position": [0, 0, -1 - LENGTH], "mass": end_mass},
                },
                "cables": {
                    "chain": {"type": "steel", "length": LENGTH, "elements": elements, "start": "top", "end": "tip"}
                },
                "simulation": {"start": "catenary", "formulation": "links", "duration": 1.0, "step": 0.01},
            }
        )
    )
    return np.asarray(natural_modes(rest.compiled, rest.y, 6).omega[::2])


def exact_first(water: float, end_mass: float, added: float) -> float:
    """First angular frequency of a smooth chain without bending stiffness and with a mass at its end, rad/s.

    The tension is T = w s + W from the end up; with xi = 2 omega sqrt(mu T) / w the shape is A J0(xi) + B Y0(xi).
    """
    area = np.pi / 4 * DIAMETER**2
    weight = (DENSITY - water) * area * GRAVITY
    inertia = (DENSITY + added * water) * area
    hung = end_mass * GRAVITY

    def determinant(omega: float) -> float:
        low, high = (2 * omega * np.sqrt(inertia * t) / weight for t in (hung, hung + weight * LENGTH))
        slope = omega * np.sqrt(inertia / hung)
        first = end_mass * omega**2 * j0(low) - hung * slope * j1(low)
        second = end_mass * omega**2 * y0(low) - hung * slope * y1(low)
        return float(first * y0(high) - second * j0(high))

    return float(brentq(determinant, 1.0, 3.0, xtol=1e-13))


def check() -> Iterator[Record]:
    """First frequency with 10 and 20 links; with an end mass in water, with and without added mass."""
    exact = 0.5 * float(jn_zeros(0, 1)[0]) * np.sqrt(GRAVITY / LENGTH)
    for elements, bound in ((10, 4e-4), (20, 1e-4)):
        found = float(frequencies(elements)[0])
        yield Record.relative(
            f"links, hanging chain, frequency 1 (rad/s), {elements} links", SOURCE, found, exact, bound
        )
    for name, water, added in (("in air", 0.0, 0.0), ("in water, no added mass", WATER, 0.0), ("in water", WATER, 1.0)):
        found = float(frequencies(20, water, END_MASS, added)[0])
        title = f"links, chain with end mass {name}, frequency 1 (rad/s), 20 links"
        yield Record.relative(title, LOADED, found, exact_first(water, END_MASS, added), 1e-3)
