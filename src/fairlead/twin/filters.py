"""Ensemble filters as matrices: an update of everything the members hold is one product.

With the members' predictions z_e of what is measured, their mean z̄ and Z = [z_e − z̄]/√(E − 1), scaled by the noise to
S = R^(−½) Z, and the deviation d = R^(−½) (measured − z̄), both filters are

    x_e ← x̄ + Σ_f (x_f − x̄) M_fe,

with M = T + w 1ᵀ/√(E − 1), T = (I + SᵀS)^(−½), w = (I + SᵀS)^(−1) Sᵀ d of the transform filter (Bishop et al. 2001, the
symmetric root of Wang et al. 2004), and M = I + (I + SᵀS)^(−1) Sᵀ [d_e]/√(E − 1) of the stochastic one, whose members
each meet a measurement with noise of their own, d_e (Burgers et al. 1998).
"""

from __future__ import annotations

import numpy as np

GATE, SOFTNESS = 2.5, 1.5
"""Deviation in standard deviations up to which a measurement has its full weight; power by which its variance grows."""


def softened(variance: np.ndarray, deviation: np.ndarray, spread: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Variances of noise r·max(1, z/2.5)^1.5, with z the deviation over what was expected of it, √(spread² + r).

    What belongs to one reading (`group`, numbers from 0) is doubted together, by the largest z in it. A measurement is
    never refused: however far off, it goes on to pull, and a filter that went astray comes back.
    """
    z = np.abs(deviation) / np.sqrt(spread**2 + variance)
    worst = np.zeros(int(group.max(initial=-1)) + 1)
    np.maximum.at(worst, group, z)
    return np.asarray(variance * np.maximum(1.0, worst[group] / GATE) ** SOFTNESS)


def transform(
    predicted: np.ndarray, measured: np.ndarray, variance: np.ndarray, noise: np.ndarray | None = None
) -> np.ndarray:
    """The matrix M (member, member) of an update.

    predicted  (member, number); measured and variance of its noise (number,)
    noise      (member, number) of standard normal numbers for the stochastic filter; None: the transform filter
    """
    members = len(predicted)
    root = np.sqrt(variance)
    mean = predicted.mean(axis=0)
    s = ((predicted - mean) / root).T / np.sqrt(members - 1.0)
    d = (measured - mean) / root
    values, vectors = np.linalg.eigh(s.T @ s)
    values = 1.0 + np.maximum(values, 0.0)
    inverse = (vectors / values) @ vectors.T
    if noise is None:
        weights = inverse @ (s.T @ d)
        return np.asarray((vectors / np.sqrt(values)) @ vectors.T + weights[:, None] / np.sqrt(members - 1.0))
    each = d[:, None] + (noise - noise.mean(axis=0)).T - s * np.sqrt(members - 1.0)
    return np.asarray(np.eye(members) + inverse @ (s.T @ each) / np.sqrt(members - 1.0))


def relaxed(matrix: np.ndarray, share: float) -> np.ndarray:
    """The same with a share of the members' old deviations in the new ones (Zhang et al. 2004); the mean stays.

    A few members, a model that is not the sea and a noise that is not quite known make a filter too sure of itself.
    What no sensor sees keeps its spread, which a factor on it would let grow without bound.
    """
    members = len(matrix)
    mean = matrix.mean(axis=1, keepdims=True)
    return np.asarray(mean + (1.0 - share) * (matrix - mean) + share * (np.eye(members) - 1.0 / members))


def mixed(rows: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """x̄ + Mᵀ (x − x̄) of rows (member, number)."""
    rows = np.ascontiguousarray(rows)  # sums round as numbers lie in memory; a restored twin must not differ
    mean = rows.mean(axis=0)
    return np.asarray(mean + matrix.T @ (rows - mean))
