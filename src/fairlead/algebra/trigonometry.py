"""Sine and cosine of one angle together, and powers of e: of eight numbers at once (`lanes`), no call, no branch.

A sea of waves takes hundreds of them for every element and step. Polynomials are as long as 1e-12 asks for, a tenth of
what the rounding of the phase leaves after hours, and are summed in pairs (Estrin): their parts do not wait for one
another.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined
from fairlead.algebra.lanes import ROUND, at_least, counted, half_turned, quarter_turned, times_power_of_two

_PER_TURN = 2.0 / math.pi
_HIGH, _LOW = 1.570796325802803, 9.920935796805404e-10
"""π/2 in two parts, of which the first has 30 bits: n times it is exact up to n = 2²³ (Cody and Waite)."""
_LOG2 = math.log(2.0)


@inlined
def sines_cosines(x):
    """(sin x, cos x) to 1e-12 for |x| < 1e7.

    x = n π/2 + r with |r| ≤ π/4; polynomials of r, of least error there, swapped and signed by the quadrant n mod 4.
    """
    count = counted(x, _PER_TURN)
    n = count - ROUND
    r = (x - n * _HIGH) - n * _LOW
    q = r * r
    p = q * q
    s = (q * 8.33333333107922308e-3 - 1.66666666666638859e-1) + p * (
        (q * 2.75559909295653186e-6 - 1.98412669169859656e-4) - p * 2.48056362418347626e-8
    )
    c = (q * -1.38888876720167901e-3 + 4.16666666643212033e-2) + p * (q * -2.730095920390147e-7 + 2.4800600377156728e-5)
    s = r + (r * q) * s
    c = (q * -0.5 + 1.0) + p * c
    return quarter_turned(s, c, count)


@inlined
def powers_of_e(x):
    """eˣ and e⁻ˣ to 1e-12 of their size for |x| < 700; below −700 they are e⁻⁷⁰⁰ and e⁷⁰⁰.

    x = n ln 2 + r with |r| ≤ ½ ln 2; polynomials of least error there for cosh r ± sinh r.
    """
    x = at_least(x, -700.0)
    count = counted(x, 1.0 / _LOG2)
    n = count - ROUND
    r = x - n * _LOG2
    q = r * r
    p = q * q
    even = (q * 1.38888664958918551e-3 + 4.16666666816101759e-2) + p * 2.48512881511276198e-5
    odd = (q * 8.33333334420297993e-3 + 1.66666666666625866e-1) + p * (
        q * 2.76175647858760859e-6 + 1.98412245996560124e-4
    )
    even, odd = (q * 0.5 + 1.0) + p * even, r + (r * q) * odd
    return times_power_of_two(even + odd, count), times_power_of_two(even - odd, 2.0 * ROUND - count)


# --- to 3e-10: what is felt of waves ----------------------------------------------------------------------------------

SMALL = 0.25 * math.pi
"""Angles and exponents up to which `small_sines_cosines` and `small_cosh_sinh` are good."""


@inlined
def rough_sines_cosines(x):
    """(sin x, cos x) to 3e-10 for |x| < 2e7: x = n π + r with |r| ≤ π/2, polynomials of r, signed by n."""
    count = counted(x, 0.5 * _PER_TURN)
    n = count - ROUND
    r = (x - n * (2.0 * _HIGH)) - n * (2.0 * _LOW)
    q = r * r
    p = q * q
    s = (q * -1.66666664655971751e-1 + 9.99999999796250502e-1) + p * (
        (q * -1.98405435069675068e-4 + 8.33332754375031512e-3)
        + p * (q * -2.36995693187621035e-8 + 2.75123986297899456e-6)
    )
    c = (q * -4.99999993578352388e-1 + 9.99999999780390926e-1) + p * (
        (q * -1.38883610877320624e-3 + 4.1666636233978842e-2)
        + p * (q * -2.60512017390263431e-7 + 2.47601450627792724e-5)
    )
    return half_turned(r * s, count), half_turned(c, count)


@inlined
def rough_power_of_e(x):
    """eˣ to 1e-10 of its size for |x| < 700: x = n ln 2 + r with |r| ≤ ½ ln 2."""
    count = counted(x, 1.0 / _LOG2)
    r = x - (count - ROUND) * _LOG2
    q = r * r
    low = (r * 1.00000000024329007 + 9.99999999961651689e-1) + q * (r * 1.66666651252184736e-1 + 5.00000010459837128e-1)
    high = (r * 8.33356118056795127e-3 + 4.16662252501139357e-2) + q * (
        r * 1.97751586878090467e-4 + 1.39481951359210148e-3
    )
    return times_power_of_two(low + (q * q) * high, count)


@inlined
def small_sines_cosines(x):
    """(sin x, cos x) to 1e-10 for |x| ≤ SMALL."""
    q = x * x
    p = q * q
    s = (q * 8.33332933176943472e-3 - 1.66666666442515717e-1) + p * (q * 2.717354825780364e-6 - 1.9839262232144188e-4)
    c = (q * 4.16666233242661003e-2 - 4.99999997251072746e-1) + p * (
        q * 2.43904505479289212e-5 - 1.38867637923999504e-3
    )
    return x + (x * q) * s, q * c + 1.0


@inlined
def small_cosh_sinh(x):
    """(cosh x, sinh x) to 1e-10 for |x| ≤ SMALL."""
    q = x * x
    p = q * q
    s = (q * 8.33333741186350202e-3 + 1.66666666438039968e-1) + p * (
        q * 2.79461303680825027e-6 + 1.98392273793421237e-4
    )
    c = (q * 4.16667110457588107e-2 + 4.99999997179517727e-1) + p * (
        q * 2.52190965609135094e-5 + 1.38867192942174371e-3
    )
    return q * c + 1.0, x + (x * q) * s
