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

GATE = 2.5
"""Deviation in standard deviations from which on a measurement is far off."""
FREEDOM = 4.0
"""Degrees of freedom ν of Student's distribution, which noise is taken to have: it has outliers."""


FARTHEST = 3.0
"""Standard deviations of the members by which an update moves their mean at most: what is linear between them is so no
further, and an ensemble on a ridge would be thrown along it."""
SEEN = 0.01
"""Share of the largest variance from which on a combination of members is seen by the sensors."""


def softened(
    variance: np.ndarray, deviation: np.ndarray, spread: np.ndarray, group: np.ndarray, usual: float = 1.0
) -> np.ndarray:
    """Variances of noise r·max(1, (ν + z²/u)/(ν + n)), with z² the sum of squares of the n numbers of a reading
    (`group`, numbers from 0), each over what was expected of it, spread² + r: the weights of Student's distribution.

    usual  u, how large squares are of late over what they should be. An outlier pulls the less the further off it is;
           but where half of the sensors are off again and again, it is the filter that went astray, and they count in
           full: nothing is locked out.
    """
    square = np.bincount(group, deviation**2 / (spread**2 + variance))
    far = (FREEDOM + square / max(1.0, usual)) / (FREEDOM + np.bincount(group))
    return np.asarray(variance * np.maximum(1.0, far[group]))


def apart(
    variance: np.ndarray, bias: np.ndarray, softer: np.ndarray, group: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Variances r and biases b of noise of which each number is to have `softer` times its r + b², by its own outlier.

    What all numbers of a group are softened by may as well be their bias, and both parts grow; the rest is the number's
    own: g r + (f − g)(r + b²) and √g b, with g the least f of the group. With a larger bias of its own an outlier would
    be told by that bias, and its neighbours pulled along.
    """
    least = np.full(int(group.max()) + 1, np.inf)
    np.minimum.at(least, group, softer)
    common = least[group]
    return common * variance + (softer - common) * (variance + bias**2), np.sqrt(common) * bias


def shared(
    predicted: np.ndarray, measured: np.ndarray, variance: np.ndarray, bias: np.ndarray, group: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same numbers as sums and differences whose noise is independent: what a sensor is off for good is the same in
    all of its readings, R = diag(r) + b bᵀ of each group.

    Over the roots of r a group has noise I + c cᵀ; Householder's reflection takes c onto the first axis, which alone
    has the variance 1 + c². What readings differ by is known as well as if there were no bias.

    predicted  (member, number); measured, variance r and bias b (number,); group numbers from 0
    """
    root = np.sqrt(variance)
    z, y, c, found = predicted / root, measured / root, bias / root, np.ones_like(variance)
    for k in np.unique(group):
        mine = np.flatnonzero(group == k)
        size = float(np.linalg.norm(c[mine]))
        found[mine[0]] += size**2
        axis = c[mine] - size * np.eye(len(mine))[0]
        if (length := float(np.linalg.norm(axis))) > 1e-12 * size:
            axis = axis / length
            z[:, mine] -= 2.0 * np.outer(z[:, mine] @ axis, axis)
            y[mine] -= 2.0 * (axis @ y[mine]) * axis
    return z, y, found


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
    weights = inverse @ (s.T @ d)
    nearer = min(1.0, FARTHEST / max(float(np.linalg.norm(weights)), 1e-300))
    weights, d = nearer * weights, nearer * d
    if noise is None:
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


def inflated(predicted: np.ndarray, variance: np.ndarray, factor: float) -> np.ndarray:
    """The matrix (member, member) that makes the variance of what is measured so many times as large.

    Only those combinations of members differ more from then on in which measurements differ; what no sensor sees keeps
    its spread. predicted (member, number); variance of the noise (number,).
    """
    s = (predicted - predicted.mean(axis=0)) / np.sqrt(variance)
    values, vectors = np.linalg.eigh(s @ s.T)
    seen = vectors[:, values > SEEN * values[-1]]
    return np.asarray(np.eye(len(predicted)) + (np.sqrt(factor) - 1.0) * (seen @ seen.T))


def mixed(rows: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """x̄ + Mᵀ (x − x̄) of rows (member, number)."""
    rows = np.ascontiguousarray(rows)  # sums round as numbers lie in memory; a restored twin must not differ
    mean = rows.mean(axis=0)
    return np.asarray(mean + matrix.T @ (rows - mean))
