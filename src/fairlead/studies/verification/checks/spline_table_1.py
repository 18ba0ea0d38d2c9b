"""Splines beside masses on springs of as many elements, Example 1: the difference d of Escalante et al., Table 1."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.spline_slack_cable import run
from fairlead.studies.verification.record import Record

SOURCE = "Escalante et al., Table 1; span and sampling are not given there: 30 s, every 0.1 s"
TABLE = {4: 23.86e-4, 8: 9.37e-4, 16: 6.63e-4, 32: 4.85e-4}
"""d by the number of elements, m."""
DURATION = 30.0  # s


def end(t: float) -> tuple[float, float, float]:
    """Where the moved end of Example 1 is at time t, m."""
    across, up = 26.16 + 2.12 * math.cos(0.5 * t), 18.0 + 2.0 * math.cos(0.75 * t)
    return across, across, up


def spring_chain(elements: int) -> np.ndarray:
    """Places of the masses of Example 1 every 0.1 s, (time, node, 3) m: no bending, Green's strain."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"steel": {"diameter": 0.0285, "density": 7850.0, "youngs_modulus": 210e9, "drag": "none"}},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, 0]},
                "B": {"kind": "controlled", "position": list(end(0.0)), "cutoff": 1e4},
            },
            "cables": {"cable": {"type": "steel", "length": 47.0, "elements": elements, "start": "A", "end": "B"}},
            "simulation": {
                "formulation": "lumped",
                "start": "statics",
                "duration": DURATION,
                "step": 0.0025,
                "output_every": 0.1,
                "lumped": {"strain": "green", "theta": 0.55},
            },
        }
    )
    return np.asarray(Simulation(system).run(inputs={"B.position": end})["position"].values[:, 0])


def difference(elements: int) -> float:
    """d = ||X_chain - X_cable|| / (3 Nel nt), Frobenius norm over the moving nodes and all samples, m."""
    spline = run(1, elements, duration=DURATION)["position"].values[:, 0]
    apart = (spline - spring_chain(elements))[:, 1:-1]
    return float(np.linalg.norm(apart) / (3 * elements * len(apart)))


def check() -> Iterator[Record]:
    """4, 8, 16 and 32 elements."""
    for elements, known in TABLE.items():
        name = f"splines beside masses on springs, d of {elements} elements"
        yield Record.relative(name, SOURCE, difference(elements), known, 0.3)
