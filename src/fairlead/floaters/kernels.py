"""The memory of the water in time, and what Ogilvie's relations make of it.

    K(t) = 2/π ∫ B(ω) cos ωt dω,     A∞ = A(ω) + 1/ω ∫ K(t) sin ωt dt

B is taken as straight lines between its frequencies and the integrals are done exactly (Filon); the trapezium rule of
B cos ωt would repeat itself after 2π/Δω.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .coefficients import Coefficients


def _padded(coefficients: Coefficients) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies from 0 and damping, which is 0 there."""
    omega = np.concatenate([[0.0], coefficients.omega])
    return omega, np.concatenate([np.zeros_like(coefficients.damping[:1]), coefficients.damping])


def memory(coefficients: Coefficients, time: np.ndarray) -> np.ndarray:
    """K(t) (n, 6N, 6N) of B within the data; beyond them it is taken to be 0."""
    omega, damping = _padded(coefficients)
    flat = damping.reshape(len(omega), -1)
    found = np.zeros((len(time), flat.shape[1]))
    slope = np.diff(flat, axis=0) / np.diff(omega)[:, None]
    for n, t in enumerate(np.asarray(time, float).tolist()):
        if t == 0.0:
            found[n] = np.trapezoid(flat, omega, axis=0)
            continue
        # ∫ (b + s (ω - ω0)) cos ωt dω between neighbours, by parts
        sine, cosine = np.sin(omega * t), np.cos(omega * t)
        found[n] = flat[-1] * sine[-1] / t + (slope * np.diff(cosine)[:, None]).sum(0) / t**2
    found *= 2.0 / np.pi
    size = coefficients.stiffness.shape[0]
    return found.reshape(len(time), size, size)


@dataclass(frozen=True)
class InfiniteAddedMass:
    """A∞ by Ogilvie's relation."""

    value: np.ndarray
    """(6N, 6N)."""
    spread: float
    """Standard deviation of the estimates at single frequencies, over the largest entry of its kind."""


def infinite_added_mass(coefficients: Coefficients) -> InfiniteAddedMass:
    """A∞ = A(ω) - 2/π ⨍ B(σ)/(σ² - ω²) dσ, the mean over the frequencies of the inner half of the data.

    The principal value is exact for B of straight lines; beyond the data B falls off like σ^-4.
    """
    omega, damping = _padded(coefficients)
    flat = damping.reshape(len(omega), -1)
    added = coefficients.added_mass.reshape(len(omega) - 1, -1)
    inner = np.unique(np.linspace(0.1 * (len(omega) - 1), 0.6 * (len(omega) - 1), 40).astype(int))
    inner = inner[(inner >= 1) & (inner < len(omega) - 1)]
    estimates = np.array([added[n - 1] - 2.0 / np.pi * principal_value(omega, flat, n) for n in inner])
    value = np.median(estimates, axis=0)
    size = coefficients.stiffness.shape[0]
    spread = estimates.std(axis=0).reshape(size, size)
    matrix = value.reshape(size, size)
    scale = np.sqrt(np.abs(np.outer(np.diag(matrix), np.diag(matrix))))
    worst = np.max(np.where(scale > 0.0, spread / np.where(scale > 0.0, scale, 1.0), 0.0).diagonal())
    return InfiniteAddedMass(0.5 * (matrix + matrix.T), float(worst))


def principal_value(omega: np.ndarray, flat: np.ndarray, n: int) -> np.ndarray:
    """⨍ B(σ)/(σ² - ω_n²) dσ (m,), over the data exactly and over the tail σ^-4 beyond them."""
    w = omega[n]
    slope = np.diff(flat, axis=0) / np.diff(omega)[:, None]
    # B = b0 + s (σ - σ0) = β + s σ on each piece; primitives: β/(2w) ln|(σ - w)/(σ + w)| + s/2 ln|σ² - w²|.
    # At σ = w itself the logarithm's coefficient is B(w) on both sides: its infinite parts cancel and are left out.
    left = flat[:-1] - slope * omega[:-1, None]

    def logs(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        near = at == w
        minus = np.log(np.where(near, 1.0, np.abs(at - w)))
        plus = np.log(at + w)
        return minus - plus, minus + plus

    low, high = logs(omega[:-1]), logs(omega[1:])
    total = (left * (high[0] - low[0])[:, None]).sum(0) / (2.0 * w)
    total += 0.5 * (slope * (high[1] - low[1])[:, None]).sum(0)
    edge = omega[-1]
    if edge > w:
        # ∫ B_e (e/σ)^4/(σ² - w²) dσ = B_e e^4 [ (1/2w) ln((e+w)/(e-w)) - 1/e - w²/(3e³) ]/w^4
        x = w / edge
        ratio = 0.5 * np.log((1.0 + x) / (1.0 - x)) / x - 1.0 - x**2 / 3.0 if x > 0.05 else x**4 / 5.0
        total = total + flat[-1] * ratio / (x**4 * edge)
    return np.asarray(total)


def closing(coefficients: Coefficients) -> float:
    """How far A∞ of the file is from Ogilvie's, over the diagonal: the largest of the moves and turns that radiate."""
    if coefficients.added_mass_infinite is None:
        return float("nan")
    made = infinite_added_mass(coefficients).value
    given = coefficients.added_mass_infinite
    difference = np.abs(np.diag(made - given))
    size = np.maximum(np.abs(np.diag(given)), 1e-3 * np.abs(np.diag(given)).max())
    return float((difference / size).max())
