"""A root that a library's power would take ten times as long for."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined
from fairlead.algebra.lanes import from_bits

_C1 = 1.0 / 12.0
_C2 = _C1 * 13.0 / 24.0
_C3 = _C2 * 25.0 / 36.0
_C4 = _C3 * 37.0 / 48.0
_C5 = _C4 * 49.0 / 60.0
_C6 = _C5 * 61.0 / 72.0
"""(1 − e)^(−1/12) = 1 + c₁e + c₂e² + …, c₍ₖ₊₁₎ = cₖ (12k + 1)/(12k + 12)."""
_BITS = (1.0 + 1.0 / 12.0) * (1023.0 - 0.045) * 2.0**52
"""The bits of a float64, read as a whole number, are about its logarithm: those of x^(−1/12) are this less a twelfth of
those of x, 3 % off at most."""


@inlined
def twelfth_root_under_one(x):
    """x^(−1/12) of a positive x, to 3e-16 of its size; NaN stays NaN.

    A guess y from the bits of x, then y (1 − e)^(−1/12) with e = 1 − x y¹², once to e³ and once to e⁶.
    """
    y = from_bits(x, _BITS, _C1)
    y3 = y * y * y
    y6 = y3 * y3
    e = 1.0 - x * (y6 * y6)
    y += y * e * (_C1 + e * (_C2 + e * _C3))
    y3 = y * y * y
    y6 = y3 * y3
    e = 1.0 - x * (y6 * y6)
    return y + y * (e * (_C1 + e * (_C2 + e * (_C3 + e * (_C4 + e * (_C5 + e * _C6))))))
