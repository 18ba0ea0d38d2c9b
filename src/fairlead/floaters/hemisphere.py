"""A hemisphere that floats in deep water, to any accuracy: the closed solution by multipoles.

T. H. Havelock, Proc. R. Soc. A 231 (1955) 1; A. Hulme, J. Fluid Mech. 121 (1982) 443. With r, θ about the middle, θ
from straight down, K = ω²/g and y the depth, the potential of a unit velocity is

    φ = c_0 φ_s + Σ c_n [P^m_{2n+m}/r^{2n+m+1} + K/(2n) P^m_{2n+m-1}/r^{2n+m}] cos mψ,     ∂φ/∂r = n on r = a,

m = 0 for heave, 1 for surge. The terms of the sum make no waves; φ_s is a source in the surface, or its -∂/∂R:

    φ_s = 1/r - K/π ∫ e^{-Kζ} Ei(Kζ) dα - iπK e^{-Ky} J0(KR),     ζ = y - iR cos α,  0 < α < π

in the convention e^{+iωt}. Excitation follows from the same potentials by Haskind's relation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expi, j0, j1, jv, lpmv

from .coefficients import Coefficients

TERMS, PLACES, TURNS = 16, 40, 64
INFINITE = {"heave": 0.5, "surge": 0.2732}
"""A(∞) over the displaced mass (Hulme)."""
LIMITS = {"heave": 0.8310, "surge": 0.5}
"""A(0) over the displaced mass: Hulme's for heave; surge of a double body."""


@dataclass(frozen=True)
class _Field:
    """Potentials on the hemisphere of radius 1 at places θ, and their derivatives along r: (terms, places)."""

    value: np.ndarray
    slope: np.ndarray
    theta: np.ndarray
    weight: np.ndarray
    """Of ∫ ... sin θ dθ over the hemisphere."""


def _places() -> tuple[np.ndarray, np.ndarray]:
    x, w = np.polynomial.legendre.leggauss(PLACES)
    theta = 0.25 * np.pi * (x + 1.0)
    return theta, 0.25 * np.pi * w * np.sin(theta)


def _turns() -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of α over (0, π/2), close together at π/2, where ζ is small."""
    x, w = np.polynomial.legendre.leggauss(TURNS)
    t = 0.5 * (x + 1.0)
    return 0.5 * np.pi * (1.0 - t**3), 0.5 * np.pi * 3.0 * t**2 * 0.5 * w


@lru_cache(maxsize=4)
def _source(K: float) -> tuple[np.ndarray, np.ndarray]:
    """ζ and e^{-Kζ} Ei(Kζ) at all places (rows) and turns α."""
    theta, _ = _places()
    q = np.cos(theta)[:, None] - 1j * np.sin(theta)[:, None] * np.cos(_turns()[0])
    return q, np.exp(-K * q) * expi(K * q)


def _field(K: float, m: int) -> _Field:
    theta, weight = _places()
    y, R = np.cos(theta), np.sin(theta)
    alpha, dalpha = _turns()
    # over (0, π) the integrands come in conjugate pairs: twice the real part over half of it
    q, F = _source(K)

    def mean(integrand: np.ndarray) -> np.ndarray:
        return np.asarray(2.0 / np.pi * (integrand.real @ dalpha))

    standing = np.exp(-K * y)
    if m == 0:
        value = 1.0 - K * mean(F) - 1j * np.pi * K * standing * j0(K * R)
        slope = -1.0 + K * (K * mean(q * F) - 1.0)
        slope = slope - 1j * np.pi * K * K * standing * (-y * j0(K * R) - R * j1(K * R))
    else:
        side = 1j * np.cos(alpha)
        value = R + K * (K * mean(side * F) + R / (1.0 + y)) - 1j * np.pi * K * K * standing * j1(K * R)
        slope = -2.0 * R + K * (-K * K * mean(side * q * F) - R / (1.0 + y))
        # d/dr of K e^{-Ky} J1(KR)
        slope = slope - 1j * np.pi * K**3 * standing * (-y * j1(K * R) + R * 0.5 * (j0(K * R) - jv(2, K * R)))
    values, slopes = [value.astype(complex)], [slope.astype(complex)]
    for n in range(1, TERMS):
        l = 2 * n + m
        a, b = lpmv(m, l, y), K / (2 * n) * lpmv(m, l - 1, y)
        values.append((a + b).astype(complex))
        slopes.append(-(l + 1) * a - l * b + 0j)
    return _Field(np.array(values), np.array(slopes), theta, weight)


def response(Ka: float, motion: str = "heave") -> tuple[complex, complex]:
    """(A + B/iω)/(2/3 π ρ a³) and X/(ρ g π a²) of a hemisphere, in heave or in surge (waves along x), e^{+iωt}."""
    m = {"heave": 0, "surge": 1}[motion]
    field = _field(Ka, m)
    y, R = np.cos(field.theta), np.sin(field.theta)
    normal = -y if m == 0 else R
    root = np.sqrt(field.weight)
    c = np.linalg.lstsq((field.slope * root).T, normal * root, rcond=None)[0]
    phi = c @ field.value
    around = 2.0 * np.pi if m == 0 else np.pi
    # F = iωρ ∫ φ n dS = -(iωA + B) V; dS over a² = weight times what is left of the turn round z
    added = -around * np.sum(phi * normal * field.weight) / (2.0 / 3.0 * np.pi)
    # Haskind: X = iωρ ∫ (φ0 n - φ ∂φ0/∂r) dS, φ0 = (ig/ω) e^{-Ky - iKx}, whose part cos mψ is J0 or -2i J1
    K, standing = Ka, np.exp(-Ka * y)
    if m == 0:
        wave, slope = standing * j0(K * R), K * standing * (-y * j0(K * R) - R * j1(K * R))
    else:
        wave = -2j * standing * j1(K * R)
        slope = -2j * K * standing * (-y * j1(K * R) + R * 0.5 * (j0(K * R) - jv(2, K * R)))
    force = -around / np.pi * np.sum((wave * normal - phi * slope) * field.weight)
    return complex(added), complex(force)


def hemisphere(
    radius: float, omega: np.ndarray, headings: np.ndarray, density: float = 1025.0, gravity: float = 9.80665
) -> Coefficients:
    """Coefficients of a hemisphere about its middle, which is in the surface: it makes no waves by turning."""
    omega, headings = np.asarray(omega, float), np.asarray(headings, float)
    mass, area = 2.0 / 3.0 * np.pi * density * radius**3, np.pi * radius**2
    added, damping = np.zeros((len(omega), 6, 6)), np.zeros((len(omega), 6, 6))
    excitation = np.zeros((len(headings), len(omega), 6), complex)
    for n, w in enumerate(omega.tolist()):
        for motion, places in (("heave", (2,)), ("surge", (0, 1))):
            water, force = response(w * w / gravity * radius, motion)
            for i in places:
                added[n, i, i] = mass * water.real
                damping[n, i, i] = -mass * w * water.imag
                turn = {0: np.cos(headings), 1: np.sin(headings), 2: np.ones(len(headings))}[i]
                excitation[:, n, i] = density * gravity * area * force * turn
    stiffness = np.zeros((6, 6))
    stiffness[2, 2] = density * gravity * area
    volume = mass / density
    buoyancy = -0.375 * radius
    # ρ g (I + V z_b): a sphere is not righted by the water
    stiffness[3, 3] = stiffness[4, 4] = density * gravity * (0.25 * np.pi * radius**4 + volume * buoyancy)
    infinite = np.zeros((6, 6))
    infinite[2, 2] = INFINITE["heave"] * mass
    infinite[0, 0] = infinite[1, 1] = INFINITE["surge"] * mass
    zero = np.diag([LIMITS["surge"] * mass] * 2 + [LIMITS["heave"] * mass] + [0.0] * 3)
    return Coefficients(
        omega=omega, added_mass=added, damping=damping, headings=headings, excitation=excitation, stiffness=stiffness,
        added_mass_infinite=infinite, added_mass_zero=zero, volume=np.array([volume]),
        centre_of_buoyancy=np.array([[0.0, 0.0, buoyancy]]), density=density, gravity=gravity, format="hemisphere",
    )  # fmt: skip
