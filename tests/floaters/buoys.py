"""A hemisphere on a mooring matrix, as a file beside its coefficients."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import fairlead as fl

MASS = 2.0 / 3.0 * math.pi * 125.0 * 1025.0
BUOY = f"""\
title: A hemisphere on a mooring matrix
environment:
  gravity: 9.80665
  waves: {{kind: jonswap, significant_height: 2, peak_period: 7}}
types: {{}}
points: {{}}
bodies:
  buoy:
    kind: floating
    position: [0, 0, 0]
    mass: {MASS!r}
    centre_of_mass: [0, 0, -2]
    inertia: [1e6, 1e6, 1e6]
    coefficients: ball
    volume: {MASS / 1025.0!r}
    mooring: {{matrix: [2e4, 2e4, 0, 0, 0, 1e6]}}
cables: {{}}
simulation: {{formulation: lumped, duration: 10, step: 0.1}}
"""


def changed(file: Path, **values: Any) -> fl.System:
    return fl.load(file).with_values({key.replace("__", "."): value for key, value in values.items()})
