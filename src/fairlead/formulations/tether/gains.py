"""Gains of the links: what is stable with a step, and what is suggested for any tether."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

SAFETY = 0.5
"""The step is this part of its bound under suggested gains."""
CRITICAL = 2.0 * (math.sqrt(2.0) - 1.0)
"""hω at the bound for a motion that is damped critically: the root of x² + 4x = 4."""
INTEGRAL_PART = 0.25
"""Suggested integral gain beside its bound; half of the bound still rings."""
STRETCH = 0.002
"""Strain under the load that suggested links are to stay below before the integral acts."""
MOST_SUBSTEPS = 1000
OWN_STIFFNESS_SUBSTEPS = 100
"""Steps up to which links get the cable's own stiffness, whatever the load: a snap is as hard as its spring."""
DENSE = 400
"""Nodes up to which frequencies are found from full matrices."""


@dataclass(frozen=True)
class Mesh:
    """The tether as masses and springs in a line, for frequencies of stretching.

    ends: (links, 2) nodes of each link; lengths: (links,) [m]; stiffness: EA (links,) [N]; mass: (nodes,) dry [kg];
    heavy: (nodes,) with added mass [kg]; held: (nodes,) whether a node is prescribed; bending: (nodes,) EI [N m²];
    bending_time: (nodes,) its damping time [s]; damping_time: (links,) of stretching, 0 where none is given [s].
    """

    ends: np.ndarray
    lengths: np.ndarray
    stiffness: np.ndarray
    mass: np.ndarray
    heavy: np.ndarray
    held: np.ndarray
    bending: np.ndarray
    bending_time: np.ndarray
    damping_time: np.ndarray

    @property
    def valence(self) -> np.ndarray:
        """Number of links at each node, (nodes,)."""
        return np.bincount(self.ends.ravel(), minlength=len(self.mass))

    def at_nodes(self, of_links: np.ndarray) -> np.ndarray:
        """Sum over the links of each node, (nodes,)."""
        total = np.zeros(len(self.mass))
        np.add.at(total, self.ends, np.repeat(of_links[:, None], 2, axis=1))
        return total


@dataclass(frozen=True)
class Gains:
    """Kp (links,) [N], Kd [N s] and Ki [N/s] of each link, and how far they are from their bounds.

    step_bound: largest stable step [s]; integral_bound: largest stable Ki/Kp [1/s].
    """

    proportional: np.ndarray
    derivative: np.ndarray
    integral: np.ndarray
    step_bound: float
    integral_bound: float

    @property
    def integral_ratio(self) -> float:
        """Largest Ki/Kp [1/s]."""
        return float((self.integral / np.maximum(self.proportional, 1e-300)).max())


def suggest(
    mesh: Mesh,
    step: float,
    proportional: float | None = None,
    derivative: float | None = None,
    integral: float | None = None,
) -> Gains:
    """Gains for steps of size `step` (s); those that are given stay.

    Kp = EA where the step allows it, else so much that the step is half its bound; Kd damps the fastest stretching
    critically, or is Kp times the cable's damping time where it has one; Ki is a quarter of its bound, and of Kp over
    that time t: beyond it the links, which creep as exp(−s/t) where damping leads, would ring instead with
    t s² + s + Ki/Kp = 0.
    """
    h = step / SAFETY
    own = float(mesh.damping_time.max(initial=0.0))
    if own > 0.0 and derivative is None:
        frequency2 = 4.0 / (h * h + 2.0 * h * own)
    else:
        frequency2 = (CRITICAL / h) ** 2
    if proportional is None:
        share = np.where(mesh.held, np.inf, mesh.mass / (2.0 * mesh.valence))
        limit = frequency2 * mesh.lengths * share[mesh.ends].min(axis=1)
        kp = np.minimum(mesh.stiffness, limit)
    else:
        kp = np.full(len(mesh.lengths), proportional)
    if derivative is None:
        fastest = math.sqrt(float(_frequencies2(mesh, kp).max(initial=0.0)))
        kd = kp * np.where(mesh.damping_time > 0.0, mesh.damping_time, 2.0 / fastest if fastest > 0.0 else 0.0)
    else:
        kd = np.full(len(kp), derivative)
    bound = integral_bound(mesh, kp, kd)
    calm = 1.0 / max(float((kd / np.maximum(kp, 1e-300)).max()), 1e-300)
    ki = INTEGRAL_PART * min(bound, calm) * kp if integral is None else np.full(len(kp), integral)
    return Gains(kp, kd, ki, step_bound(mesh, kp, kd), bound)


def substeps_for(mesh: Mesh, step: float, load: float, proportional: float | None, derivative: float | None) -> int:
    """How many steps to make for each of `step` (s) so that links are stiff enough for a tension `load` (N).

    Suggested gains: Kp = EA, so that a blow is caught as hard as the cable catches it, or as much of it as
    `OWN_STIFFNESS_SUBSTEPS` allow, and at least load/0.002 whatever that takes. Gains that are given: as many as keep a
    step at half its bound. Bending has a bound of its own.
    """
    nothing = np.zeros(len(mesh.lengths))
    bending = math.ceil(step / (SAFETY * step_bound(mesh, nothing, nothing)) * (1.0 - 1e-9))
    if proportional is not None:
        bound = suggest(mesh, step, proportional, derivative, 0.0).step_bound
        return int(np.clip(max(bending, math.ceil(step / (SAFETY * bound) * (1.0 - 1e-9))), 1, MOST_SUBSTEPS))
    own = stiffness_substeps(mesh, step, math.inf, derivative)
    if own > OWN_STIFFNESS_SUBSTEPS:
        own = max(OWN_STIFFNESS_SUBSTEPS, stiffness_substeps(mesh, step, load, derivative))
    return int(np.clip(max(bending, own), 1, MOST_SUBSTEPS))


def stiffness_substeps(mesh: Mesh, step: float, load: float, derivative: float | None) -> int:
    """How many steps to make for each of `step` (s) so that Kp is EA, or a tension `load` (N) stretches links by 0.2 %.

    Kp grows as 1/(h² + 2hτ) with the step h and the cable's own damping time τ: with the square of the number of steps
    without damping, in proportion to it with much.
    """
    softest = suggest(mesh, step, None, derivative, 0.0).proportional
    wanted = np.minimum(mesh.stiffness, load / STRETCH)
    h, short = step / SAFETY, max(1.0, float((wanted / softest).max()))
    own = float(mesh.damping_time.max(initial=0.0)) if derivative is None else 0.0
    longest = (math.sqrt(own * own + (h * h + 2.0 * h * own) / short) - own) / h
    return math.ceil((1.0 - 1e-9) / longest)


def step_bound(mesh: Mesh, kp: np.ndarray, kd: np.ndarray) -> float:
    """Largest stable step of the semi-implicit scheme [s]: (−g + √(g² + 4ω²))/ω² at the stiffest node.

    ω² = 2Σ(Kp/l)/m bounds the stretching at a node and g = 2Σ(Kd/l)/m its damping: 4Kp/(m l) and 4Kd/(m l) for equal
    links. For bending ω² = 16 EI/(m l³). Without damping that is 2/ω.
    """
    bound = math.inf
    stretch = _frequencies2(mesh, kp), 2.0 * mesh.at_nodes(kd / mesh.lengths) / mesh.mass
    spacing = mesh.at_nodes(mesh.lengths) / np.maximum(mesh.valence, 1)
    bend2 = 16.0 * mesh.bending / (mesh.mass * spacing**3)
    for frequency2, damping in (stretch, (bend2, mesh.bending_time * bend2)):
        stiff = (frequency2 > 0.0) & ~mesh.held
        w2, g = frequency2[stiff], damping[stiff]
        bound = min(bound, float((4.0 / (g + np.sqrt(g * g + 4.0 * w2))).min(initial=math.inf)))
    return bound


def integral_bound(mesh: Mesh, kp: np.ndarray, kd: np.ndarray) -> float:
    """Largest stable Ki/Kp [1/s], by Routh: (Kd/Kp) ω₁², ω₁ the slowest stretching of the whole, masses with water.

    For n equal links between fixed ends that is Ki < 4 sin²(π/2n) Kp Kd/(m l).
    """
    if not (kp > 0.0).all():
        return 0.0
    return float((kd / kp).min() * slowest2(mesh, kp))


def slowest2(mesh: Mesh, kp: np.ndarray) -> float:
    """ω₁² [1/s²] of stretching, as if all links lay in one line."""
    from scipy.sparse import coo_matrix

    free = np.flatnonzero(~mesh.held)
    if not len(free):
        return 4.0 * float((kp / mesh.lengths).min()) / float(mesh.heavy.max())
    a, b = mesh.ends.T
    k = kp / mesh.lengths
    count = len(mesh.mass)
    rows, columns = np.concatenate((a, b, a, b)), np.concatenate((a, b, b, a))
    stiffness = coo_matrix((np.concatenate((k, k, -k, -k)), (rows, columns)), shape=(count, count)).tocsc()
    root = 1.0 / np.sqrt(mesh.heavy[free])
    scaled = stiffness[free][:, free].multiply(root[:, None]).multiply(root[None, :]).tocsc()
    if len(free) <= DENSE:
        values = np.linalg.eigvalsh(scaled.toarray())
    else:
        from scipy.sparse.linalg import eigsh

        start = np.ones(len(free))
        values = eigsh(scaled, k=2, sigma=-1e-9 * scaled.diagonal().max(), v0=start, return_eigenvectors=False)
    return float(np.sort(values)[0 if mesh.held.any() else min(1, len(values) - 1)])


def _frequencies2(mesh: Mesh, kp: np.ndarray) -> np.ndarray:
    """2Σ(Kp/l)/m of each node that is not held, (nodes,) [1/s²]; 0 for those that are."""
    return np.where(mesh.held, 0.0, 2.0 * mesh.at_nodes(kp / mesh.lengths) / mesh.mass)
