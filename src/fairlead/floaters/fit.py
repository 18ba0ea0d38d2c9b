"""The memory of the water by poles: which motions share them, how many it takes, up to which frequency."""

from __future__ import annotations

import numpy as np

from .coefficients import CoefficientError, Coefficients
from .kernels import infinite_added_mass
from .radiation import RadiationFit
from .vector_fitting import basis, fitted, made_passive, residues_of

COUPLED = 0.02
"""Damping between two motions, over √(B_ii B_jj) of their peaks, from which on they share poles."""
ORDERS = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 60)
ENERGY = 0.6
"""Part of ∫ B dω that lies below the frequency from which on the fit is weighted less and less."""
BEYOND = 2.4
"""Data beyond so many times that frequency have no say."""
FALL = 6
SILENT = 1e-3
"""Amplitude, over that of the motion that radiates most, below which a motion makes no waves."""


def fit_radiation(
    coefficients: Coefficients, tolerance: float = 0.002, poles: int = 24, band: float | None = None
) -> RadiationFit:
    """Poles and residues of K(s) = B(ω) + iω (A(ω) - A∞), as few as meet the tolerance; the best there is if none do.

    `poles` is the highest order of a block of coupled motions; above `band` [rad/s] the data have no say.
    """
    infinite = coefficients.added_mass_infinite
    if infinite is None:
        infinite = infinite_added_mass(coefficients.within(band)).value
    infinite = 0.5 * (infinite + infinite.T)
    omega = coefficients.omega
    if band is not None and np.count_nonzero(omega <= band) < 4:
        raise CoefficientError(f"a band of {band:g} rad/s leaves fewer than 4 frequencies of the coefficients to fit")
    damping = 0.5 * (coefficients.damping + coefficients.damping.swapaxes(1, 2))
    added = 0.5 * (coefficients.added_mass + coefficients.added_mass.swapaxes(1, 2))
    if band is not None:
        keep = omega <= band
        omega, damping, added = omega[keep], damping[keep], added[keep]
    kernel = damping + 1j * omega[:, None, None] * (added - infinite)
    all_poles, all_residues, blocks, orders, errors, least = [], [], [], [], [], 0.0
    size = infinite.shape[0]
    for block in coupled_blocks(damping, infinite, coefficients.density):
        square = np.ix_(block, block)
        peaks = np.sqrt(np.array([max(damping[:, i, i].max(), 0.0) for i in block]))
        scaled = kernel[:, square[0], square[1]] / np.outer(peaks, peaks)
        found = _block_fit(omega, scaled, tolerance, poles)
        residues = np.zeros((len(found[0]), size, size), complex)
        residues[:, square[0], square[1]] = found[1] * np.outer(peaks, peaks)
        all_poles.append(found[0])
        all_residues.append(residues)
        blocks.append(tuple(int(i) for i in block))
        orders.append(int(np.where(found[0].imag > 0.0, 2, 1).sum()))
        errors.append(found[2])
        least = min(least, found[3])
    return RadiationFit(
        poles=np.concatenate(all_poles) if all_poles else np.zeros(0, complex),
        residues=np.concatenate(all_residues) if all_residues else np.zeros((0, size, size), complex),
        added_mass_infinite=infinite, error=max(errors, default=0.0), tolerance=tolerance, blocks=tuple(blocks),
        orders=tuple(orders), errors=tuple(errors), least_damping=least, band=float(omega[-1]),
    )  # fmt: skip


def coupled_blocks(damping: np.ndarray, infinite: np.ndarray, density: float) -> list[np.ndarray]:
    """Motions that radiate into one another, as connected sets; those that radiate next to nothing are left out."""
    size = damping.shape[-1]
    peak = np.abs(damping).max(axis=0)
    diagonal = np.sqrt(np.diag(peak))
    turns = np.arange(size) % 6 >= 3
    # a turn about an axis through it moves a body of the size of its added mass by so much
    reach = max(float(np.abs(np.diag(infinite))[~turns].max()) / density, 1e-300) ** (1.0 / 3.0)
    alive = diagonal > SILENT * np.where(turns, reach, 1.0) * diagonal[~turns].max()
    joined = peak > COUPLED * np.outer(diagonal, diagonal)
    blocks: list[np.ndarray] = []
    left = set(np.flatnonzero(alive).tolist())
    while left:
        group, front = set(), {min(left)}
        while front:
            i = front.pop()
            group.add(i)
            front |= {j for j in left if joined[i, j] and j not in group}
        left -= group
        blocks.append(np.array(sorted(group)))
    return blocks


def weights(omega: np.ndarray, scaled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which data have a say, and how much: 1/(1 + (ω/ω_b)^6) below 2.4 ω_b, each with the width it stands for."""
    trace = np.maximum(np.einsum("wii->w", scaled.real), 0.0)
    energy = np.concatenate([[0.0], np.cumsum(0.5 * (trace[1:] + trace[:-1]) * np.diff(omega))])
    edge = float(np.interp(ENERGY * energy[-1], energy, omega))
    kept = omega <= max(BEYOND * edge, omega[min(7, len(omega) - 1)])
    width = np.gradient(omega[kept]) if np.count_nonzero(kept) > 1 else np.ones(1)
    return kept, np.sqrt(width / width.mean()) / (1.0 + (omega[kept] / edge) ** FALL)


def _block_fit(
    omega: np.ndarray, scaled: np.ndarray, tolerance: float, most: int
) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Poles, residues (K, m, m), error and least damping of one block."""
    kept, weight = weights(omega, scaled)
    w, size = omega[kept], scaled.shape[-1]
    i, j = np.triu_indices(size)
    data = scaled[kept][:, i, j]
    share = np.where(i == j, 1.0, np.sqrt(2.0))
    norm = float(np.linalg.norm(weight[:, None] * share * data))
    grid = np.unique(np.concatenate([
        np.linspace(0.0, 4.0 * w[-1], 2400)[1:], w, np.geomspace(w[0] / 20.0, 40.0 * w[-1], 400),
    ]))  # fmt: skip
    best: tuple[np.ndarray, np.ndarray, float, float] | None = None
    for order in ORDERS:
        if order > most or order > max(2, len(w) - 2):
            break
        poles, coefficients = fitted(1j * w, data, weight, order)
        raw = float(np.linalg.norm(weight[:, None] * share * (basis(poles, 1j * w) @ coefficients - data))) / norm
        if best is not None and raw > best[2]:
            continue
        coefficients = made_passive(poles, coefficients, 1j * w, weight, size, grid)
        difference = basis(poles, 1j * w) @ coefficients - data
        error = float(np.linalg.norm(weight[:, None] * share * difference)) / norm
        if best is None or error < best[2]:
            flat = residues_of(poles, coefficients)
            residues = np.zeros((len(poles), size, size), complex)
            residues[:, i, j] = flat
            residues[:, j, i] = flat
            real = np.zeros((len(grid), size, size))
            real[:, i, j] = (basis(poles, 1j * grid) @ coefficients).real
            real[:, j, i] = real[:, i, j]
            values = np.linalg.eigvalsh(real)
            best = poles, residues, error, float(values[:, 0].min() / values.max())
        if best[2] <= tolerance:
            break
    assert best is not None
    return best
