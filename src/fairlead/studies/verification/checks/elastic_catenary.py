"""Static equilibrium of an elastic cable between two points, and of one that rests partly on the seabed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from fairlead.model import System
from fairlead.statics import Equilibrium, solve
from fairlead.studies.verification.record import Record

SPAN, LENGTH, WEIGHT, GRAVITY = 80.0, 100.0, 16.408, 9.81  # m, m, N/m, m/s2
SOURCE = "elastic catenary, closed form"
DEPTH, REACH, LINE = 100.0, 250.0, 300.0  # m: a line from an anchor to the surface
LINE_WEIGHT, LINE_STIFFNESS, DIAMETER = 700.0, 5e8, 0.1  # N/m in water, N, m
GROUNDED = "elastic catenary that leaves a smooth level seabed tangentially, closed form"


def hanging(stiffness: float, elements: int) -> Equilibrium:
    """The cable in air between two points at the same height, EA in N."""
    return solve(
        System.model_validate(
            {
                "environment": {"water_density": 0.0, "gravity": GRAVITY},
                "types": {
                    "wire": {"diameter": 0.044, "mass_per_length": WEIGHT / GRAVITY, "axial_stiffness": stiffness}
                },
                "points": {
                    "left": {"kind": "fixed", "position": [0, 0, 0]},
                    "right": {"kind": "fixed", "position": [SPAN, 0, 0]},
                },
                "cables": {
                    "wire": {"type": "wire", "length": LENGTH, "elements": elements, "start": "left", "end": "right"}
                },
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )


def pull(rest: Equilibrium, cable: str = "wire") -> tuple[float, float]:
    """Horizontal and vertical force (N) of a cable on its start: it pulls towards its end and down."""
    x, _, z = np.asarray(rest.outputs[f"{cable}.force_start"])
    return float(x), float(z)


def exact_horizontal(stiffness: float) -> float:
    """H (N) from span = (2H/w) asinh(wL/2H) + HL/EA."""

    def miss(h: float) -> float:
        return float(2.0 * h / WEIGHT * np.arcsinh(0.5 * WEIGHT * LENGTH / h) + h * LENGTH / stiffness - SPAN)

    return float(brentq(miss, 1.0, 1e5, xtol=1e-12))


def moored(elements: int) -> Equilibrium:
    """A mooring line from an anchor on the bed to a point at the surface, in still water."""
    area = np.pi / 4.0 * DIAMETER**2
    return solve(
        System.model_validate(
            {
                "environment": {"seabed": {"depth": DEPTH + 0.5 * DIAMETER, "stiffness": 1e6}},
                "types": {
                    "chain": {
                        "diameter": DIAMETER,
                        "mass_per_length": LINE_WEIGHT / GRAVITY + 1025.0 * area,
                        "axial_stiffness": LINE_STIFFNESS,
                    }
                },
                "points": {
                    "anchor": {"kind": "fixed", "position": [0, 0, -DEPTH]},
                    "fairlead": {"kind": "fixed", "position": [REACH, 0, 0]},
                },
                "cables": {
                    "line": {
                        "type": "chain",
                        "length": LINE,
                        "elements": elements,
                        "start": "anchor",
                        "end": "fairlead",
                    }
                },
                "simulation": {"start": "catenary", "duration": 1.0, "step": 0.01},
            }
        )
    )


def exact_grounded() -> tuple[float, float]:
    """Horizontal force (N) and unstretched length on the bed (m)."""
    w, ea = LINE_WEIGHT, LINE_STIFFNESS

    def hanging_length(h: float) -> float:
        def miss(s: float) -> float:
            return float(h / w * (np.hypot(1.0, w * s / h) - 1.0) + w * s * s / (2.0 * ea) - DEPTH)

        return float(brentq(miss, 0.0, 10.0 * LINE, xtol=1e-12))

    def span(h: float) -> float:
        s = hanging_length(h)
        return float((LINE - s) * (1.0 + h / ea) + h / w * np.arcsinh(w * s / h) + h * s / ea)

    h = float(brentq(lambda h: span(h) - REACH, 1.0, 1e6, xtol=1e-9))
    return h, LINE - hanging_length(h)


def check() -> Iterator[Record]:
    """Horizontal force with 20 and 80 bars and the order of its error; the mooring line's force and touchdown."""
    for stiffness in (1.82e8, 1e5):
        errors = {}
        for elements, bound in ((20, 7e-4), (80, 5e-5)):
            value, _ = pull(hanging(stiffness, elements))
            name = f"elastic catenary, EA {stiffness:.3g} N, horizontal force, {elements} bars"
            record = Record.relative(name, SOURCE, value, exact_horizontal(stiffness), bound)
            errors[elements] = record.error or np.nan
            yield record
        order = float(np.log(errors[20] / errors[80]) / np.log(4.0))
        name = f"elastic catenary, EA {stiffness:.3g} N, order of convergence (absolute)"
        yield Record.absolute(name, SOURCE, order, 2.0, 0.05)
    rest = moored(100)
    force, grounded = exact_grounded()
    yield Record.relative(
        "mooring line on the seabed, horizontal force, 100 bars", GROUNDED, pull(rest, "line")[0], force, 2e-3
    )
    touchdown = rest.summary()["cables"]["line"]["grounded"][0]["to"]
    yield Record.absolute(
        "mooring line on the seabed, touchdown (absolute, m), 100 bars", GROUNDED, touchdown, grounded, 3.0
    )
