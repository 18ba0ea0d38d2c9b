"""A tether in a steady current, at rest: the place of its end against the differential equation of a flexible line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.integrate import solve_ivp

from fairlead.model import System
from fairlead.statics import solve
from fairlead.studies.verification.record import Record

LENGTH, DIAMETER, MASS, TIP = 25.0, 0.01, 0.12, 0.5  # m, m, kg/m, kg
WATER, GRAVITY, SPEED, NORMAL = 1025.0, 9.81, 0.5, 1.2
TOP = -1.0
SOURCE = "flexible line: T' = w sin a, T a' = w cos a - 1/2 rho d Cn U^2 sin^2 a, from the end up"


def line_in_current() -> tuple[float, float, float]:
    """Offset downstream and depth of the end below the top (m), and the tension at the top (N)."""
    weight = (MASS - WATER * np.pi * DIAMETER**2 / 4) * GRAVITY
    head = 0.5 * WATER * DIAMETER * NORMAL * SPEED**2

    def slope(s: float, state: np.ndarray) -> list[float]:
        tension, angle = state[0], state[1]
        turn = (weight * np.cos(angle) - head * np.sin(angle) ** 2) / tension
        return [weight * np.sin(angle), turn, np.cos(angle), np.sin(angle)]

    found = solve_ivp(slope, (0.0, LENGTH), [TIP * GRAVITY, np.pi / 2, 0.0, 0.0], rtol=1e-11, atol=1e-12)
    tension, _, along, down = found.y[:, -1]
    return float(along), float(down), float(tension)


def resting_tether(elements: int) -> tuple[float, float, float]:
    """The same three of point masses at rest."""
    tether = {
        "diameter": DIAMETER, "mass_per_length": MASS, "axial_stiffness": 2e4, "drag": {"normal": NORMAL, "axial": 0.0},
    }  # fmt: skip
    rest = solve(
        System.model_validate(
            {
                "environment": {
                    "water_density": WATER,
                    "gravity": GRAVITY,
                    "current": [{"z": 0, "velocity": [SPEED, 0, 0]}],
                },
                "types": {"tether": tether},
                "points": {
                    "top": {"kind": "fixed", "position": [0, 0, TOP]},
                    "end": {"kind": "free", "position": [15, 0, TOP - 20], "mass": TIP},
                },
                "cables": {
                    "tether": {"type": "tether", "length": LENGTH, "elements": elements, "start": "top", "end": "end"}
                },
                "simulation": {"start": "catenary", "formulation": "lumped", "duration": 1.0, "step": 0.01},
            }
        )
    )
    row = rest.compiled.shape.empty_row()
    rest.compiled.observe(0.0, rest.y, rest.compiled.initial_inputs(), 0.01, row)
    nodes = rest.compiled.shape.node_table(row, "tether")
    return float(nodes[-1, 0]), float(TOP - nodes[-1, 2]), float(nodes[0, 6])


def check() -> Iterator[Record]:
    """20 masses."""
    exact, found = line_in_current(), resting_tether(20)
    for name, value, reference in zip(("downstream", "depth"), found, exact, strict=False):
        yield Record.absolute(f"tether in current, end, {name} (m), 20 masses", SOURCE, value, reference, 0.04)
    yield Record.relative("tether in current, tension at the top, 20 masses", SOURCE, found[2], exact[2], 0.005)
