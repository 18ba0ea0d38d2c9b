"""A tether of controlled links that comes to rest from the paper's first shape, against the catenary."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from fairlead.formulations.tether.start import paper_nodes
from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "catenary, closed form"
LENGTH, MASS, DIAMETER, DENSITY, GRAVITY = 25.0, 0.12, 0.01, 1025.0, 9.81
SPAN, DROP = 15.0, -3.0  # m: the ends lie in the plane y = 0
WEIGHT = (MASS - DENSITY * math.pi / 4.0 * DIAMETER**2) * GRAVITY
SETTLED = 120.0  # s


def tether(elements: int, span: float = SPAN, away: float = 0.0, **settings: Any) -> System:
    """The tether in still water between two points, started on the paper's catenary without any tension."""
    chosen = {"first_shape": "paper", "aim": "length", **settings}
    return System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY},
            "types": {
                "tether": {
                    "diameter": DIAMETER,
                    "mass_per_length": MASS,
                    "axial_stiffness": 1e5,
                    "drag": {"normal": 1.2, "axial": 0.01},
                }
            },
            "points": {
                "left": {"kind": "fixed", "position": [0, 0, -10]},
                "right": {"kind": "fixed", "position": [span, away, -10 + DROP]},
            },
            "cables": {
                "tether": {"type": "tether", "length": LENGTH, "elements": elements, "start": "left", "end": "right"}
            },
            "simulation": {
                "start": "catenary",
                "formulation": "tether",
                "duration": SETTLED,
                "step": 0.002,
                "tether": chosen,
            },
        }
    )


def at_rest(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Nodes (n + 1, 3) [m] and force on the left end (3,) [N] after the tether has come to rest."""
    outputs = Simulation(system).step(SETTLED)
    return np.array(outputs["tether.position"]), np.array(outputs["tether.force_start"])


def distance(elements: int, **settings: Any) -> tuple[float, float]:
    """Largest distance of a node from its place on the catenary [m], and the horizontal pull [N]."""
    nodes, force = at_rest(tether(elements, **settings))
    exact = paper_nodes(nodes[0], nodes[-1], LENGTH, elements, "tether")
    return float(np.linalg.norm(nodes - exact, axis=1).max()), float(np.hypot(force[0], force[1]))


def exact_pull() -> float:
    """H (N) of the catenary: sinh(q)/q = √(L² − v²)/h with q = w h/2H."""
    goal = math.sqrt(LENGTH**2 - DROP**2) / SPAN
    q = brentq(lambda q: math.sinh(q) / q - goal, 1e-6, 50.0, xtol=1e-14)
    return WEIGHT * SPAN / (2.0 * float(q))


def check() -> Iterator[Record]:
    """Distance of 15 nodes, the horizontal pull, and the order in the number of links; Ki is the suggested one."""
    apart = {elements: distance(elements) for elements in (7, 14, 28)}
    name = "tether of 15 nodes at rest, largest distance from the catenary (absolute, m)"
    yield Record.absolute(name, SOURCE, apart[14][0], 0.0, 0.04)
    yield Record.relative("tether of 15 nodes at rest, horizontal force", SOURCE, apart[14][1], exact_pull(), 2e-3)
    order = math.log2(apart[14][0] / apart[28][0])
    yield Record.absolute("tether at rest, order in the number of links (absolute)", SOURCE, order, 2.0, 0.1)
