"""A heavy cable trailing in a uniform current: its static angle and tension against the closed form."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from fairlead.model import System
from fairlead.statics import Equilibrium, solve
from fairlead.studies.verification.record import Record

LENGTH, ELEMENTS, DIAMETER, DENSITY = 200.0, 40, 0.03, 2500.0  # m, 1, m, kg/m3
WATER, GRAVITY, SPEED = 1025.0, 9.81, 1.0  # kg/m3, m/s2, m/s
NORMAL, AXIAL = 1.2, 0.01  # drag coefficients
WEIGHT = (DENSITY - WATER) * np.pi / 4.0 * DIAMETER**2 * GRAVITY  # N/m
SOURCE = "critical angle of a towed cable: w cos = 1/2 rho d Cn U^2 sin^2"


def trailing() -> Equilibrium:
    """The cable, its upper end held, its lower end free; the water flows along x. It starts hanging straight down."""
    return solve(
        System.model_validate(
            {
                "environment": {"water_density": WATER, "current": [{"z": 0, "velocity": [SPEED, 0, 0]}]},
                "types": {
                    "wire": {
                        "diameter": DIAMETER,
                        "density": DENSITY,
                        "axial_stiffness": 1e8,
                        "drag": {"normal": NORMAL, "axial": AXIAL},
                    }
                },
                "points": {
                    "ship": {"kind": "fixed", "position": [0, 0, -1]},
                    "tail": {"kind": "free", "position": [0, 0, -1 - LENGTH]},
                },
                "cables": {
                    "wire": {"type": "wire", "length": LENGTH, "elements": ELEMENTS, "start": "ship", "end": "tail"}
                },
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )


def angle(rest: Equilibrium) -> float:
    """Angle of the middle part below the downstream horizontal, rad."""
    nodes = np.asarray(rest.outputs["wire.position"])
    along = nodes[3 * ELEMENTS // 4] - nodes[ELEMENTS // 4]
    return float(np.arctan2(-along[2], along[0]))


def exact_angle() -> float:
    """The closed form, rad."""
    head = 0.5 * WATER * DIAMETER * NORMAL * SPEED**2
    return float(brentq(lambda phi: WEIGHT * np.cos(phi) - head * np.sin(phi) ** 2, 1e-6, 0.5 * np.pi, xtol=1e-14))


def check() -> Iterator[Record]:
    """The angle, and the tension at the upper end."""
    rest, phi = trailing(), exact_angle()
    yield Record.relative("towed cable, angle below the horizontal (rad), statics", SOURCE, angle(rest), phi, 5e-3)
    per_metre = WEIGHT * np.sin(phi) + 0.5 * WATER * np.pi * DIAMETER * AXIAL * (SPEED * np.cos(phi)) ** 2
    tension = float(np.linalg.norm(rest.outputs["wire.force_start"]))
    source = f"{SOURCE}; tension w sin + 1/2 rho pi d Ct U^2 cos^2 a metre"
    yield Record.relative("towed cable, tension at the upper end, statics", source, tension, LENGTH * per_metre, 5e-3)
