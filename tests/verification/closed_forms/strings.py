"""Lines that swing: the chain hung from one end, and the taut string with and without bending stiffness."""

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import brentq
from scipy.special import jn_zeros, jv, yv


def hanging_chain_frequencies(length, count, gravity=9.81):
    """ω (count,) rad/s of a chain hung from its top, ω = (j₀ₖ/2) √(g/L).

    With x from the lower end the tension is µ g x: µ ÿ = (µ g x y')'. In ξ = √x this is Bessel's equation of order
    zero in 2ω ξ/√g; the regular solution J₀ vanishes at the top. In water, g is the weight over the inertia (with
    added mass) of a metre.
    """
    return 0.5 * jn_zeros(0, count) * np.sqrt(gravity / length)


def hanging_chain_frequencies_with_mass(length, mass_per_length, end_mass, count, gravity=9.81):
    """ω (count,) rad/s of the same chain with a point mass at its lower end.

    The tension is µ g (x + a), a = M/µ: the solution A J₀(z) + B Y₀(z), z = κ √(x + a), κ = 2ω/√g. The mass obeys
    M ÿ = M g y', that is y' = -(ω²/g) y at x = 0, which with J₂ = 2 J₁/z - J₀ becomes A J₂ + B Y₂ = 0 there:

        J₀(κ √(L + a)) Y₂(κ √a) = Y₀(κ √(L + a)) J₂(κ √a).
    """
    a = end_mass / mass_per_length

    def miss(kappa):
        top, bottom = kappa * np.sqrt(length + a), kappa * np.sqrt(a)
        # Y₂ grows without bound at small arguments: the sum of both kinds as a scale keeps the sign and the size.
        return (jv(0, top) * yv(2, bottom) - yv(0, top) * jv(2, bottom)) / (1.0 + abs(yv(2, bottom)))

    # Zeros are spaced by about π in κ(√(L + a) - √a); a step of a sixtieth cannot jump over two.
    spacing = np.pi / (np.sqrt(length + a) - np.sqrt(a))
    roots, low, step = [], 1e-6 * spacing, spacing / 60.0
    while len(roots) < count:
        if miss(low) * miss(low + step) < 0.0:
            roots.append(brentq(miss, low, low + step, xtol=1e-15, rtol=1e-14))
        low += step
    return 0.5 * np.array(roots) * np.sqrt(gravity)


def hanging_bars_frequencies(length, n, count, diameter=0.0, end_mass_ratio=0.0, gravity=9.81):
    """ω (count,) rad/s of n equal rigid bars hinged one below the other, exact for small angles.

    Angles θ₁ … θₙ from the top, bar mass 1, l = L/n: centre k is at Σ_{j<k} l θ_j + ½ l θ_k, each bar has the inertia
    l²/12 + d²/16 about it, and θ_j carries ½ l of its own weight and l of all below it: K = g l (n - j + ½ + r) on the
    diagonal. `end_mass_ratio` is the mass at the end over that of the whole chain.
    """
    l, tip = length / n, end_mass_ratio * n
    lever = l * (np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n))
    end = np.full(n, l)
    M = lever.T @ lever + (l**2 / 12.0 + diameter**2 / 16.0) * np.eye(n) + tip * np.outer(end, end)
    K = np.diag(gravity * l * (n - np.arange(1, n + 1) + 0.5 + tip))
    return np.sqrt(eigh(K, M, eigvals_only=True))[:count]


def taut_string_frequencies(length, tension, mass_per_length, count, EI=0.0):
    """ω (count,) rad/s between hinged ends: y = sin(kπx/L) in µ ÿ = T y'' - EI y''''.

    ω = (kπ/L) √((T + EI (kπ/L)²)/µ).
    """
    wave = np.arange(1, count + 1) * np.pi / length
    return wave * np.sqrt((tension + EI * wave**2) / mass_per_length)


def taut_beam_frequencies_clamped(length, tension, mass_per_length, EI, count):
    """ω (count,) rad/s of the same string with both ends clamped, EI > 0.

    Solutions exp(±a x), exp(±i b x) of EI y'''' - T y'' = µ ω² y have a² - b² = T/EI, (a b)² = µ ω²/EI; y = y' = 0 at
    both ends: 2 a b (1 - cos bL cosh aL) + (a² - b²) sin bL sinh aL = 0, here divided by cosh aL.
    """
    stiff = tension / EI

    def miss(b):
        a = np.sqrt(b * b + stiff)
        decay = 2.0 * np.exp(-a * length) / (1.0 + np.exp(-2.0 * a * length))  # 1/cosh without overflow
        wave = b * length
        return 2.0 * a * b * (decay - np.cos(wave)) + (a * a - b * b) * np.sin(wave) * np.tanh(a * length)

    # A clamped end shortens the free wave by less than half a wave: root k lies in (kπ, (k + 1)π)/L.
    ends = [((k + 1e-9) * np.pi / length, (k + 1 - 1e-9) * np.pi / length) for k in range(1, count + 1)]
    b = np.array([brentq(miss, low, high, xtol=1e-15, rtol=1e-14) for low, high in ends])
    return b * np.sqrt(b * b + stiff) * np.sqrt(EI / mass_per_length)


def taut_bars_frequencies(length, tension, mass_per_length, n, count):
    """ω (count,) rad/s of n rigid thin bars hinged end to end between fixed ends under tension, exact for small angles.

    Inner nodes 1 … n-1 move across; bar between y₀, y₁ has the kinetic energy (m/6)(ẏ₀² + ẏ₀ẏ₁ + ẏ₁²) and the
    tension the stiffness T/l: waves sin(kπi/n) give ω² = 6 (T/(m l)) (1 - cos)/(2 + cos), cos = cos(kπ/n), m of a bar.
    """
    l = length / n
    cosine = np.cos(np.arange(1, count + 1) * np.pi / n)
    return np.sqrt(6.0 * tension / (mass_per_length * l * l) * (1.0 - cosine) / (2.0 + cosine))
