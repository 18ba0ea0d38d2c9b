"""Stokes waves of second and fifth order, after J. D. Fenton (1985), J. Waterway Port Coastal Ocean Eng. 111(2), 216.

An expansion in ε = kH/2 with coefficients of S = 1/cosh 2kh. No mean current: the crest moves at ū, the mean speed of
the water seen from the wave. The wavenumber is found from the period, ω = √(gk) (C₀ + ε²C₂ + ε⁴C₄).
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.model.waves import wavenumber

from .steady_wave import DEEP, SteadyWave, WaveTooSteep, check_breaking


def stokes(order: int, height: float, period: float, depth: float, gravity: float = 9.81) -> SteadyWave:
    """The Stokes wave of `order` 2 or 5 with that height [m] and period [s]; `depth` may be infinite."""
    if order not in (2, 5):
        raise ValueError(f"Stokes waves of order {order} are not on offer; use 2 or 5")
    omega = 2.0 * math.pi / period
    k = wavenumber(omega, depth, gravity)
    check_breaking(height, k, depth)
    if order == 5:
        k = _wavenumber(omega, height, depth, gravity, k)
        check_breaking(height, k, depth)
    e, kh = 0.5 * k * height, min(k * depth, DEEP)
    A, B, C, E = _coefficients(kh)
    a, b = np.zeros(order), np.zeros(order)
    for (i, j), value in B.items():
        if i <= order:
            a[j - 1] += e**i * value / k
    for (i, j), value in A.items():
        if i <= order:
            b[j - 1] += e**i * value * math.cosh(j * kh) * C[0] * math.sqrt(gravity / k**3)
    if order == 5:
        _check_series(a, kh)
    head = _even(e, E, order) - 0.5 * _even(e, C, order) ** 2
    return SteadyWave(a, b, k, omega, depth, gravity, gravity / k * head)


def _even(e: float, coefficients: dict[int, float], order: int) -> float:
    """c₀ + ε²c₂ + ε⁴c₄ up to `order`."""
    return sum(e**i * value for i, value in coefficients.items() if i <= order)


def _wavenumber(omega: float, height: float, depth: float, gravity: float, k: float) -> float:
    """k of ω = √(gk) (C₀ + ε²C₂ + ε⁴C₄), by the secant method from the linear one."""

    def residual(k: float) -> float:
        C = _coefficients(min(k * depth, DEEP))[2]
        return math.sqrt(gravity * k) * _even(0.5 * k * height, C, 5) - omega

    a, b = k, 0.98 * k
    ra, rb = residual(a), residual(b)
    for _ in range(50):
        if abs(rb) < 1e-13 * omega or ra == rb:
            return b
        a, b, ra = b, b - rb * (b - a) / (rb - ra), rb
        if not b > 0.0:
            break
        rb = residual(b)
    raise WaveTooSteep(
        f"a wave of height {height:g} m and period {2 * math.pi / omega:g} s in {depth:g} m of water is beyond Stokes' "
        "fifth order: the depth is small against its length; use theory: fenton"
    )


def _check_series(a: np.ndarray, kh: float) -> None:
    """Refuse a wave whose series has stopped converging: a harmonic larger than the one before it."""
    if np.any(np.abs(a[1:]) > np.abs(a[:-1])):
        raise WaveTooSteep(
            f"Stokes' fifth order does not converge for this wave (kh = {kh:.3g}): a harmonic of its surface is larger "
            "than the one before it; use theory: fenton, or a lower wave"
        )


def _coefficients(
    kh: float,
) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float], dict[int, float], dict[int, float]]:
    """A (potential), B (surface), C (speed), E (head) of Fenton's Table 1, by order and harmonic."""
    S = 1.0 / math.cosh(2.0 * kh)
    C, sh, th = 1.0 - S, math.sinh(kh), math.tanh(kh)
    ct, two, four = 1.0 / th, 3.0 + 2.0 * S, 4.0 + S

    def poly(*c: float) -> float:
        return sum(value * S**n for n, value in enumerate(c))

    A = {
        (1, 1): 1.0 / sh,
        (2, 2): 3.0 * S**2 / (2.0 * C**2),
        (3, 1): poly(-4, -20, 10, -13) / (8.0 * sh * C**3),
        (3, 3): poly(0, 0, -2, 11) / (8.0 * sh * C**3),
        (4, 2): poly(0, 12, -14, -264, -45, -13) / (24.0 * C**5),
        (4, 4): poly(0, 0, 0, 10, -174, 291, 278) / (48.0 * two * C**5),
        (5, 1): poly(-1184, 32, 13232, 21712, 20940, 12554, -500, -3341, -670) / (64.0 * sh * two * four * C**6),
        (5, 3): poly(0, 4, 105, 198, -1376, -1302, -117, 58) / (32.0 * sh * two * C**6),
        (5, 5): poly(0, 0, 0, -6, 272, -1552, 852, 2029, 430) / (64.0 * sh * two * four * C**6),
    }
    B31 = -3.0 * poly(1, 3, 3, 2) / (8.0 * C**3)
    B53 = 9.0 * poly(132, 17, -2216, -5897, -6292, -2687, 194, 467, 82) / (128.0 * two * four * C**6)
    B55 = 5.0 * poly(300, 1579, 3176, 2949, 1188, 675, 1326, 827, 130) / (384.0 * two * four * C**6)
    B = {
        (1, 1): 1.0,
        (2, 2): ct * (1.0 + 2.0 * S) / (2.0 * C),
        (3, 1): B31,
        (3, 3): -B31,
        (4, 2): ct * poly(6, -26, -182, -204, -25, 26) / (6.0 * two * C**4),
        (4, 4): ct * poly(24, 92, 122, 66, 67, 34) / (24.0 * two * C**4),
        (5, 1): -(B53 + B55),
        (5, 3): B53,
        (5, 5): B55,
    }
    speed = {
        0: math.sqrt(th),
        2: math.sqrt(th) * poly(2, 0, 7) / (4.0 * C**2),
        4: math.sqrt(th) * poly(4, 32, -116, -400, -71, 146) / (32.0 * C**5),
    }
    head = {
        0: 0.5 * th,
        2: th * poly(2, 2, 5) / (4.0 * C**2),
        4: th * poly(8, 12, -152, -308, -42, 77) / (32.0 * C**5),
    }
    return A, B, speed, head
