"""Bars of given length laid along a circular arc: the shape of a cable that nothing pulls in any direction."""

from math import asin, pi

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.bracket import root

Floats = NDArray[np.float64]


def arc_exists(lengths: Floats, chord: float) -> bool:
    """Whether bars of these `lengths` (n,) [m] can span `chord` [m]: no side longer than all others together."""
    total = float(lengths.sum())
    return chord <= total and 2.0 * float(lengths.max()) <= total + chord


def arc_directions(lengths: Floats, chord: float) -> Floats:
    """Unit directions (n, 2) of bars inscribed in a circle, from (0, 0) to (chord, 0), bulging towards -y.

    lengths: (n,) [m]; chord: distance of the ends [m], zero for a closed loop. Sides that satisfy the polygon
    inequality (`arc_exists`) always fit one circle; the unknown is its curvature q = 1/(2 R), since a side l spans the
    central angle 2 asin(l q).
    """
    longest = int(np.argmax(lengths))
    largest = max(float(lengths[longest]), chord)
    q_max = 1.0 / largest

    def half_angles(q: float) -> Floats:
        return np.arcsin(np.minimum(lengths * q, 1.0))

    def of_chord(q: float) -> float:
        return asin(min(chord * q, 1.0))

    folded = False
    if half_angles(q_max).sum() + of_chord(q_max) >= pi:  # the centre lies inside the polygon
        q = root(lambda q: float(half_angles(q).sum()) + of_chord(q) - pi, 0.0, q_max)
    elif chord >= lengths[longest]:  # a shallow arc: the centre lies beyond the chord
        # divided by q, so that the root is not confused with the trivial one at q = 0
        q = root(lambda q: (float(half_angles(q).sum()) - of_chord(q)) / q, 1e-9 * q_max, q_max)
    else:  # the centre lies beyond the longest bar, along which the others turn back
        folded = True
        q = root(
            lambda q: (float(half_angles(q).sum()) + of_chord(q) - 2.0 * half_angles(q)[longest]) / q,
            1e-9 * q_max,
            q_max,
        )
    angles = 2.0 * half_angles(q)
    if folded:
        angles[longest] = 2.0 * pi - angles[longest]
    heading = np.cumsum(angles) - 0.5 * angles - 0.5 * angles.sum()
    return np.column_stack((np.cos(heading), np.sin(heading)))
