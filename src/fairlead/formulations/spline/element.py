"""One twisted-cubic-spline element: r = r₀f₁ + C₀f₂ + r₁f₃ + C₁f₄ (Escalante et al., Eq. 15), and what it stores.

f₁ = 1 − u, f₃ = u, f₂ = (f₁³ − f₁)h²/6, f₄ = (f₃³ − f₃)h²/6 with u from 0 to 1 over the element's length h; C is r″ at
the nodes and d = (r₁ − r₀)/h. All of it follows from d, C₀ and C₁.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.cubic_spline import OTHER, OWN
from fairlead.algebra.small import add, add_scaled, dot, scale

GAUSS = 0.5 / math.sqrt(3.0)


@kernel
def mean_strain(d, c0, c1, h):
    """Mean Green strain (|d|² − 1)/2 + h²(|C₀|² + |C₁|²)/90 + 7h² C₀·C₁/360, exact for the cubic.

    One number an element: strains taken point by point lock (the cubic cannot be inextensible everywhere).
    """
    bowed = 0.5 * OWN * (dot(c0, c0) + dot(c1, c1)) + OTHER * dot(c0, c1)
    return 0.5 * (dot(d, d) - 1.0) + h * h * bowed


@kernel
def stretch(e):
    """Present over unstretched length s of an element with the mean Green strain e: s² = 1 + 2e."""
    return math.sqrt(1.0 + 2.0 * e)


@kernel
def elongation(e):
    """Engineering strain s − 1 of an element with the mean Green strain e, without cancellation."""
    return 2.0 * e / (1.0 + stretch(e))


@kernel
def strain_by_curvature(c0, c1, h):
    """∂e/∂C₀; that by C₁ with the two exchanged."""
    return scale(h * h, add_scaled(scale(OWN, c0), OTHER, c1))


@kernel
def slope_shares(u, h):
    """f₂′ and f₄′ at u."""
    f = 1.0 - u
    return (1.0 - 3.0 * f * f) * h / 6.0, (3.0 * u * u - 1.0) * h / 6.0


@kernel
def tangent_start(d, c0, c1, h):
    """r′ at u = 0: d − h(2C₀ + C₁)/6."""
    return add_scaled(d, -h / 6.0, add(scale(2.0, c0), c1))


@kernel
def tangent_end(d, c0, c1, h):
    """r′ at u = 1: d + h(C₀ + 2C₁)/6."""
    return add_scaled(d, h / 6.0, add(c0, scale(2.0, c1)))
