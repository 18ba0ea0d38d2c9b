"""Sine and cosine of one angle together, and powers of e: of eight numbers at once (`lanes`), no call, no branch.

A sea of waves takes hundreds of them for every element and step. Polynomials are summed in pairs (Estrin): their parts
do not wait for one another.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined
from fairlead.algebra.lanes import ROUND, at_least, counted, quarter_turned, times_power_of_two

_PER_TURN = 2.0 / math.pi
_HIGH, _MIDDLE, _LOW = 1.57079625129699707031, 7.54978941586159635335e-8, 5.39030285815811905290e-15
"""π/2 in three parts, of which the first two have few bits: n times them is exact up to n = 2²⁷ (Cody and Waite)."""
_PER_LOG2 = 1.0 / math.log(2.0)
_LOG2_HIGH, _LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""ln 2 in two parts, of which n times the first is exact."""


@inlined
def sines_cosines(x):
    """(sin x, cos x) to 2e-16 of their size for |x| < 1e8.

    x = n π/2 + r with |r| ≤ π/4; polynomials of r (Moshier's Cephes), swapped and signed by the quadrant n mod 4.
    """
    count = counted(x, _PER_TURN)
    n = count - ROUND
    r = ((x - n * _HIGH) - n * _MIDDLE) - n * _LOW
    q = r * r
    p = q * q
    s = (q * 8.33333333332211858878e-3 - 1.66666666666666307295e-1) + p * (
        (q * 2.75573136213857245213e-6 - 1.98412698295895385996e-4)
        + p * (q * 1.58962301576546568060e-10 - 2.50507477628578072866e-8)
    )
    c = (q * -1.38888888888730564116e-3 + 4.16666666666665929218e-2) + p * (
        (q * -2.75573141792967388112e-7 + 2.48015872888517045348e-5)
        + p * (q * -1.13585365213876817300e-11 + 2.08757008419747316778e-9)
    )
    s = r + (r * q) * s
    c = (q * -0.5 + 1.0) + p * c
    return quarter_turned(s, c, count)


@inlined
def powers_of_e(x):
    """eˣ and e⁻ˣ to 3e-16 of their size for |x| < 700; below −700 they are e⁻⁷⁰⁰ and e⁷⁰⁰.

    x = n ln 2 + r with |r| ≤ ½ ln 2; the series of cosh r ± sinh r to r¹².
    """
    x = at_least(x, -700.0)
    count = counted(x, _PER_LOG2)
    n = count - ROUND
    r = (x - n * _LOG2_HIGH) - n * _LOG2_LOW
    q = r * r
    p = q * q
    even = (q * (1.0 / 720.0) + 1.0 / 24.0) + p * ((q * (1.0 / 3628800.0) + 1.0 / 40320.0) + p * (1.0 / 479001600.0))
    odd = (q * (1.0 / 120.0) + 1.0 / 6.0) + p * ((q * (1.0 / 362880.0) + 1.0 / 5040.0) + p * (1.0 / 39916800.0))
    even, odd = (q * 0.5 + 1.0) + p * even, r + (r * q) * odd
    return times_power_of_two(even + odd, count), times_power_of_two(even - odd, 2.0 * ROUND - count)
