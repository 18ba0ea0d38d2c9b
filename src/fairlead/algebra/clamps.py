"""Whether elements beside a clamp are short enough for the bend there: one rule, for checks, runs and reports.

A cable under tension T that leaves a clamp at an angle bends over a length λ = √(EI/T), however long it is. Elements of
length l, joined by springs EI/l and by 2EI/l to the clamp, find 1/√(1 + (l/2λ)²) of the moment and of the curvature
there: 89 % with l = λ, 71 % with l = 2λ, 98.9 % with l = 0.3 λ.
"""

from __future__ import annotations

import math

SHORT = 0.3
"""Of √(EI/T): elements beside a clamp that find its moment and its bend radius to 1 %."""


def clamp_element(ei: float, tension: float) -> float:
    """The longest element beside a clamp that finds the bend there to 1 %, m."""
    return SHORT * math.sqrt(ei / tension)


def clamp_factor(ei: float, tension: float, element: float) -> float:
    """The curvature at a clamp over the one that elements of this length find there."""
    return math.sqrt(1.0 + 0.25 * element**2 * tension / ei)
