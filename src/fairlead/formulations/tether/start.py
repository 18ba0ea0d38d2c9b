"""The paper's first shape (its section IV): a catenary over x, with y linear in the number of the node."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from fairlead.formulations.contract import UnsupportedSystem


def paper_nodes(start: np.ndarray, end: np.ndarray, length: float, count: int, place: str) -> np.ndarray:
    """Nodes (count + 1, 3) of a catenary z(x) = c₁ cosh((x + c₂)/c₁) + c₃ of the given length, equal arcs apart.

    Length and shape are those of the plane x, z alone, and y runs evenly from end to end, as printed: where the ends
    differ in y, the polyline is longer than the cable and leaves the plane of its ends. The constants come from
    sinh(q)/q = √(L² − v²)/h, which has one root, and not from a search for all three, which may end anywhere.
    """
    h, v = float(end[0] - start[0]), float(end[2] - start[2])
    if h == 0.0 or length <= math.hypot(h, v):
        raise UnsupportedSystem(
            f"{place}: the paper's first shape needs ends apart in x and a cable longer than their distance in "
            "x and z; use tether: {first_shape: chain}"
        )
    goal = math.sqrt(length**2 - v**2) / abs(h)
    q = brentq(lambda q: math.log(math.sinh(q) / q) - math.log(goal), 1e-8, 500.0, xtol=1e-14)
    a = 0.5 * abs(h) / q
    middle = 0.5 * (abs(h) - a * math.log((length + v) / (length - v)))
    arc = a * math.sinh(-middle / a) + np.linspace(0.0, length, count + 1)
    along = middle + a * np.arcsinh(arc / a)
    z = a * (np.cosh((along - middle) / a) - math.cosh(middle / a))
    nodes = np.column_stack(
        (start[0] + math.copysign(1.0, h) * along, np.linspace(start[1], end[1], count + 1), start[2] + z)
    )
    nodes[0], nodes[-1] = start, end
    return nodes
