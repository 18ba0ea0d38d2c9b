"""A hanging chain of point masses: frequencies from modes against Bessel functions, bare and with an end mass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import j0, j1, jn_zeros, y0, y1

from fairlead.model import System
from fairlead.statics import natural_modes, solve
from fairlead.studies.verification.record import Record

LENGTH, DIAMETER, STEEL, WATER, GRAVITY, TIP = 3.2, 0.02, 7850.0, 1025.0, 9.81, 0.5  # SI: the cable of Pereira et al.
AREA = np.pi / 4 * DIAMETER**2
BARE = "hanging chain, (j01 / 2) sqrt(g / L), zero of J0"
LOADED = "hanging chain with an end mass, J0 and Y0, omega^2 M y + T0 y' = 0 at the tip"
BARE_BOUNDS = {10: 3e-3, 20: 8e-4}


def first_frequency(elements: int, tip: float, water: float = 0.0, added: float = 0.0) -> float:
    """Slowest angular frequency from modes, rad/s."""
    chain = {
        "diameter": DIAMETER, "density": STEEL, "axial_stiffness": 1e8, "drag": "none",
        "added_mass": {"normal": added, "axial": 0.0},
    }  # fmt: skip
    file: dict[str, Any] = {
        "environment": {"water_density": water, "gravity": GRAVITY},
        "types": {"chain": chain},
        "points": {
            "top": {"kind": "fixed", "position": [0, 0, -10]},
            "tip": {"kind": "free", "position": [0, 0, -10 - LENGTH], "mass": tip},
        },
        "cables": {"chain": {"type": "chain", "length": LENGTH, "elements": elements, "start": "top", "end": "tip"}},
        "simulation": {"start": "catenary", "formulation": "lumped", "duration": 1.0, "step": 0.01},
    }
    rest = solve(System.model_validate(file))
    return float(natural_modes(rest.compiled, rest.y, 2).omega[0])


def exact_frequency(tip: float, water: float = 0.0, added: float = 0.0) -> float:
    """The same of a continuous chain: (T y')' + omega^2 m y = 0 with T = w s + M g, rad/s."""
    weight = (STEEL - water) * AREA * GRAVITY
    mass = (STEEL + added * water) * AREA
    if tip == 0.0:
        return float(0.5 * jn_zeros(0, 1)[0] * np.sqrt(weight / mass / LENGTH))
    pull = tip * GRAVITY
    low, high = np.sqrt(mass * pull) / weight, np.sqrt(mass * (pull + weight * LENGTH)) / weight

    def left_over(omega: float) -> float:
        a, b = 2 * omega * low, 2 * omega * high
        slope = omega * np.sqrt(mass / pull)
        ends = [omega**2 * tip * f(a) - pull * slope * df(a) for f, df in ((j0, j1), (y0, y1))]
        return float(ends[0] * y0(b) - ends[1] * j0(b))

    near = float(np.sqrt(GRAVITY / LENGTH))
    grid = near * np.linspace(0.5, 2.0, 200)
    values = [left_over(omega) for omega in grid]
    k = next(i for i in range(len(grid) - 1) if values[i] * values[i + 1] < 0)
    return float(brentq(left_over, grid[k], grid[k + 1], xtol=1e-12))


def check() -> Iterator[Record]:
    """A bare chain of 10 and 20 masses; 20 masses with an end mass in air, in water, with added mass."""
    for elements, bound in BARE_BOUNDS.items():
        name = f"hanging chain, first frequency (rad/s), {elements} masses"
        yield Record.relative(name, BARE, first_frequency(elements, 0.0), exact_frequency(0.0), bound)
    for place, water, added in (("in air", 0.0, 0.0), ("in water", WATER, 0.0), ("in water, added mass", WATER, 1.0)):
        name = f"hanging chain with end mass {place}, first frequency (rad/s), 20 masses"
        found, exact = first_frequency(20, TIP, water, added), exact_frequency(TIP, water, added)
        yield Record.relative(name, LOADED, found, exact, 1e-3)
