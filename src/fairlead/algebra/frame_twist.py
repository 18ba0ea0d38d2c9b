"""Twist of a curve against a frame that keeps normal to a fixed direction p.

f = a_p (p·(a × b))/(|a|(|a|² − a_p²)) a metre, with a = r′ and b = r″.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, cross, dot, scale

FLAT = 1e-6
"""Least |a|² − a_p²: below it the curve runs along p, and the frame is not defined."""


@kernel
def twist_density(a, b, p):
    """f, and |a|² − a_p²."""
    ap, n2 = dot(a, p), dot(a, a)
    clear = n2 - ap * ap
    return ap * dot(b, cross(p, a)) / (math.sqrt(n2) * clear), clear


@kernel
def twist_gradient(a, b, p):
    """∂f/∂a and ∂f/∂b."""
    ap, n2 = dot(a, p), dot(a, a)
    clear = n2 - ap * ap
    turn = cross(p, a)
    q = dot(b, turn)
    share = 1.0 / (math.sqrt(n2) * clear)
    f = ap * q * share
    by_a = add_scaled(scale(q * share, p), ap * share, cross(b, p))
    by_a = add_scaled(by_a, -f * (1.0 / n2 + 2.0 / clear), a)
    return add_scaled(by_a, 2.0 * f * ap / clear, p), scale(ap * share, turn)


@kernel
def binormal(a, b):
    """(a × b)/|a|³: what the twist grows by along a turn of a when the ends' torque follows the curve."""
    n2 = dot(a, a)
    return scale(1.0 / (n2 * math.sqrt(n2)), cross(a, b))
