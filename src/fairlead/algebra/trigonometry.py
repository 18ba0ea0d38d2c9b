"""Sine and cosine of one angle together, several times as fast as two calls of the C library.

A sea of waves takes tens of them for every element and step.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

_PER_TURN = 2.0 / math.pi
_HIGH, _MIDDLE, _LOW = 1.57079625129699707031, 7.54978941586159635335e-8, 5.39030285815811905290e-15
"""π/2 in three parts, of which the first two have few bits: n times them is exact up to n = 2²⁷ (Cody and Waite)."""


@kernel
def sine_cosine(x):
    """(sin x, cos x) to 2e-16 of their size for |x| < 1e8.

    x = n π/2 + r with |r| ≤ π/4; polynomials of r (Moshier's Cephes), swapped and signed by the quadrant n mod 4.
    """
    n = int(x * _PER_TURN + (0.5 if x >= 0.0 else -0.5))
    r = ((x - n * _HIGH) - n * _MIDDLE) - n * _LOW
    q = r * r
    s = 1.58962301576546568060e-10 * q - 2.50507477628578072866e-8
    s = ((s * q + 2.75573136213857245213e-6) * q - 1.98412698295895385996e-4) * q + 8.33333333332211858878e-3
    s = r + r * q * (s * q - 1.66666666666666307295e-1)
    c = -1.13585365213876817300e-11 * q + 2.08757008419747316778e-9
    c = ((c * q - 2.75573141792967388112e-7) * q + 2.48015872888517045348e-5) * q - 1.38888888888730564116e-3
    c = 1.0 - 0.5 * q + q * q * (c * q + 4.16666666666665929218e-2)
    quadrant = n & 3
    if quadrant == 0:
        return s, c
    if quadrant == 1:
        return c, -s
    if quadrant == 2:
        return -s, -c
    return -c, s
