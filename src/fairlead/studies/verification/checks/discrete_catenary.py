"""The first shape of a hanging cable against the closed form of the catenary."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from fairlead.shape.catenary import hang
from fairlead.studies.verification.record import Record

SPAN, RISE, LENGTH = 80.0, 15.0, 100.0  # m
WEIGHT = 16.408  # N/m
SOURCE = "inextensible catenary between points of unequal height, closed form"


def check() -> Iterator[Record]:
    """Horizontal force and lowest point with 20 and 80 elements, and the order at which the error falls."""
    # Parameter a = H / w from sqrt(L^2 - rise^2) = 2 a sinh(span / 2a); the vertex lies a atanh(rise / L) off midspan.
    reach = np.sqrt(LENGTH**2 - RISE**2)
    a = brentq(lambda a: 2.0 * a * np.sinh(SPAN / (2.0 * a)) - reach, 0.05 * SPAN, 100.0 * SPAN, xtol=1e-13)
    vertex = SPAN / 2.0 - a * np.arctanh(RISE / LENGTH)
    lowest = a * (1.0 - np.cosh(vertex / a))

    errors = {}
    for elements, bound in ((20, 1e-3), (80, 6e-5)):
        lengths = np.full(elements, LENGTH / elements)
        laid = hang((0.0, 0.0, 0.0), (SPAN, 0.0, RISE), lengths, WEIGHT * lengths)
        name = f"catenary, horizontal force, {elements} elements"
        yield Record.relative(name, SOURCE, laid.horizontal, WEIGHT * a, bound)
        errors[elements] = abs(laid.horizontal / (WEIGHT * a) - 1.0)
        name = f"catenary, lowest point, {elements} elements"
        yield Record.relative(name, SOURCE, float(laid.nodes[:, 2].min()), lowest, 2 * bound)
    order = float(np.log(errors[20] / errors[80]) / np.log(4.0))
    yield Record.absolute("catenary, order of convergence of the horizontal force", SOURCE, order, 2.0, 0.05)
