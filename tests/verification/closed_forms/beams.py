"""Bending, torsion and stretch of a straight member: static answers and natural frequencies.

Where a formula for `bars` exists beside the one of the continuum, the member is n equal rigid bars of length l = L/n
joined by springs S/l, the support holding the first bar by the spring 2S/l of half a bar (S = EA, EI or GJ).
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc


def cantilever_tip_deflection(load, length, EI):
    """P L³/(3 EI), m: twice integrating EI y'' = P (L - x) from the clamp."""
    return load * length**3 / (3.0 * EI)


def cantilever_tip_deflection_uniform(load_per_length, length, EI):
    """q L⁴/(8 EI), m."""
    return load_per_length * length**4 / (8.0 * EI)


def cantilever_tip_deflection_bars(load, length, EI, n):
    """The same for n bars: P L³/(3 EI) (1 + 1/(2 n²)).

    Hinge j at x = j l turns by P (L - x)/(EI/l) and moves the tip by that angle times (L - x); the clamp's spring is
    twice as stiff: (P l³/EI)(n²/2 + Σ_{m=1}^{n-1} m²) = (P l³/EI)(n³/3 + n/6).
    """
    return cantilever_tip_deflection(load, length, EI) * (1.0 + 0.5 / n**2)


def elastica_tip(load, length, EI):
    """Large deflection under a dead load across the clamped direction: tip (along, across) m, and tip angle rad.

    EI φ'' = -P cos φ, φ(0) = 0, φ'(L) = 0. One integration: φ'² = (2P/EI)(sin φ₀ - sin φ), φ₀ the tip angle. With
    p² = (1 + sin φ₀)/2 and 1 + sin φ = 2 p² sin²θ this becomes dθ/ds = √(P/EI) √(1 - p² sin²θ), so that θ runs from
    θ₁ = asin(1/(p√2)) to π/2:

        L √(P/EI) = K(p) - F(θ₁, p),    across = L - 2 √(EI/P) (E(p) - E(θ₁, p)),    along = √(2 EI sin φ₀/P).
    """
    scale = np.sqrt(EI / load)

    def parameters(angle):
        m = 0.5 * (1.0 + np.sin(angle))
        return m, np.arcsin(min(1.0, 1.0 / np.sqrt(2.0 * m)))

    def miss(angle):
        m, theta = parameters(angle)
        return ellipk(m) - ellipkinc(theta, m) - length / scale

    angle = brentq(miss, 1e-12, 0.5 * np.pi - 1e-12, xtol=1e-15)
    m, theta = parameters(angle)
    across = length - 2.0 * scale * (ellipe(m) - ellipeinc(theta, m))
    return scale * np.sqrt(2.0 * np.sin(angle)), across, angle


def twist(torque, length, GJ):
    """T L/GJ, rad."""
    return torque * length / GJ


def twist_bars(torque, length, GJ, n):
    """Twist of the last of n bars, linear springs: the loaded half bar stays rigid, T L/GJ (1 - 1/(2n))."""
    return twist(torque, length, GJ) * (1.0 - 0.5 / n)


def twist_bars_quaternion(torque, length, GJ, n):
    """Twist of the last bar when each joint measures C = 2 sin(φ/2).

    The energy ½ k (2 sin(φ/2))² gives the torque k sin φ: joint angles asin(T/k), and asin(T/2k) at the clamp.
    """
    k = GJ * n / length
    return np.arcsin(0.5 * torque / k) + (n - 1) * np.arcsin(torque / k)


def stretch(force, length, EA):
    """F L/EA, m."""
    return force * length / EA


def stretch_bars(force, length, EA, n):
    """Travel of the last of n bars pulled at its free end: F L/EA (1 - 1/(2n)), n joints of which one is a half."""
    return stretch(force, length, EA) * (1.0 - 0.5 / n)


def beam_roots(count, tip):
    """The first `count` roots βL of cos βL cosh βL = ∓1: tip "free" (-1, cantilever) or "clamped" (+1).

    From y'''' = β⁴ y with y = y' = 0 at x = 0 and y'' = y''' = 0 (free) or y = y' = 0 (clamped) at L. Both sides are
    divided by cosh so that high roots stay exact.
    """
    sign = {"free": 1.0, "clamped": -1.0}[tip]
    first = 1 if tip == "free" else 2
    middles = (first + np.arange(count) - 0.5) * np.pi  # cos = 0: a root lies close to each
    return np.array([brentq(lambda x: np.cos(x) + sign / np.cosh(x), m - 0.5, m + 0.5, xtol=1e-15) for m in middles])


def beam_frequencies(length, EI, mass_per_length, count, tip="free"):
    """ω (count,) rad/s of a beam clamped at one end, ω = (βL)² √(EI/(m L⁴))."""
    return beam_roots(count, tip) ** 2 * np.sqrt(EI / (mass_per_length * length**4))


def rod_frequencies(length, EA, mass_per_length, count, tip="free"):
    """Axial ω (count,) rad/s: waves of speed √(EA/m), a quarter wave (free tip) or a half wave (fixed) first."""
    k = np.arange(1, count + 1)
    wave = (k - 0.5 if tip == "free" else k) * np.pi / length
    return wave * np.sqrt(EA / mass_per_length)


def rod_frequencies_bars(length, EA, mass_per_length, count, n):
    """Axial ω (count,) rad/s of n bars held at one end, 2 √(k/m) sin((2j - 1)π/(4n)) with k = EA/l, m of one bar.

    The half-bar spring 2k is a mirror with changed sign half a bar before the first bar, the free end a mirror half a
    bar behind the last: standing waves sin((2j - 1)π(i - ½)/(2n)) of an endless chain.
    """
    j, l = np.arange(1, count + 1), length / n
    return 2.0 * np.sqrt(EA / l / (mass_per_length * l)) * np.sin((2 * j - 1) * np.pi / (4 * n))
