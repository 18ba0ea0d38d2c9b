"""Derivatives along a meshed surface of values at the panel centres, by least squares over neighbouring panels.

Around each panel a polynomial in two tangential directions is fitted to the values of its neighbours (panels that
share a corner, and the neighbours of these), so any mesh will do: rings, squares, a disc without a pole. Panels across
an edge of a hull do not take part, since the flow is not smooth there; the mirrored panels over a plane of symmetry
do. Who neighbours whom stays for good; the weights follow a mesh that stretches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, diags, identity
from scipy.spatial import cKDTree

from .panels import Floats, Integers, Panels
from .vectors import crosses

SAME_SIDE = 0.5
"""Cosine between normals above which two panels lie on the same side of an edge."""
SPARE = 1.3
"""Neighbours for every coefficient of a polynomial, at least."""
FIRM = 0.02
"""Least to largest singular value of a fit that is firm: three columns of panels carry no third power across them."""


@dataclass(frozen=True)
class Stencils:
    """Who neighbours whom on a mesh: the pattern of its derivatives."""

    near: Integers
    """Neighbours of each panel (m, k), counted on into the mirror image; filled up with the panel itself."""
    there: Floats
    """1 for a neighbour, 0 for filling (m, k)."""
    degree: Integers
    """Of the polynomial that the neighbours carry (m,)."""
    symmetric: bool

    @classmethod
    def of(cls, panels: Panels, symmetric: bool = False, rings: int = 2, degree: int = 3) -> Stencils:
        """Of a mesh, or of the half y ≥ 0 of one when `symmetric`; neighbours up to `rings` panels away."""
        n = len(panels)
        found = _neighbours(panels.whole() if symmetric else panels, n, rings, SPARE * coefficients(degree))
        counts = np.array([len(near) for near in found])
        near = np.tile(np.arange(n)[:, None], (1, int(counts.max(initial=1))))
        there = np.zeros(near.shape)
        for i, some in enumerate(found):
            near[i, : len(some)] = some
            there[i, : len(some)] = 1.0
        degrees = np.ones(n, dtype=np.int64)
        away, _ = _away(panels, near, symmetric)
        for higher in range(2, degree + 1):
            terms = _terms(*_scaled(away, there)[:3], higher)[..., 1:]
            spread = np.linalg.svd(terms, compute_uv=False)
            firm = spread[:, -1] > FIRM * spread[:, 0]
            degrees[(counts >= SPARE * coefficients(higher)) & firm & (degrees == higher - 1)] = higher
        return cls(near, there, degrees, symmetric)

    def on(self, panels: Panels) -> Along:
        """The derivatives on a mesh of this pattern."""
        n, k = self.near.shape
        away, tangents = _away(panels, self.near, self.symmetric)
        x, y, weight, size = _scaled(away, self.there)
        slopes, level = np.empty((n, 2, k)), np.empty((n, k))
        for degree in np.unique(self.degree):
            some = self.degree == degree
            terms = _terms(x[some], y[some], weight[some], int(degree))
            slopes[some] = _weights(terms[..., 1:])[:, :2] * weight[some][:, None]
            level[some] = _weights(terms[..., :3])[:, 0] * weight[some]
        slopes /= size[:, :, None]
        sign = np.where(self.near < n, 1.0, -1.0)
        return Along(self.near % n, sign, slopes[:, 0], slopes[:, 1], level, tangents)


@dataclass(frozen=True)
class Along:
    """Slopes along two tangents at each panel, and a filter, of values f (m,) at the panel centres."""

    near: Integers
    """Neighbours (m, k)."""
    sign: Floats
    """−1 for a neighbour in the mirror image (m, k): what is odd in y changes its sign there."""
    first: Floats
    second: Floats
    """Weights (m, k) of f(neighbour) − f(panel) in ∂f/∂t₁ and ∂f/∂t₂, 1/m."""
    level: Floats
    """Weights (m, k) of the value at the centre of the plane through the neighbours alone."""
    tangents: Floats
    """t₁ and t₂ (m, 2, 3)."""

    def slopes(self, f: Floats, odd: bool = False) -> tuple[Floats, Floats]:
        """∂f/∂t₁ and ∂f/∂t₂ (m,) of a value that is even in y, or odd."""
        there = f[self.near] * self.sign if odd else f[self.near]
        change = there - f[:, None]
        return np.einsum("ik,ik->i", self.first, change), np.einsum("ik,ik->i", self.second, change)

    def filter(self, areas: Floats) -> csr_matrix:
        """What a filter takes away from f: G = (W⁻¹ Lᵀ W L)/λ with L f = f − (plane through the neighbours).

        W are the areas and λ makes 1 the largest eigenvalue of G, so that f − αGf with 0 ≤ α ≤ 1 never grows in the
        mean square over the surface and takes a share α of sawteeth away. Like a fourth difference it counts in panels:
        it hardly touches what many panels resolve, and absorbs waves that run out to where panels are as long as they
        (else these are thrown back and build up between the body and the coarse part of the mesh).
        """
        n, k = self.near.shape
        rows = np.repeat(np.arange(n), k)
        L = identity(n, format="csr") - csr_matrix((self.level.ravel(), (rows, self.near.ravel())), shape=(n, n))
        G = diags(1.0 / areas) @ L.T @ diags(areas) @ L
        return csr_matrix(G / _radius(lambda f: G @ f, n))

    def gradient(self, f: Floats, normal: Floats, normals: Floats) -> Floats:
        """∇f (m, 3) from f on the surface and its normal derivative (m,)."""
        a, b = self.slopes(f)
        t = self.tangents
        return np.asarray(a[:, None] * t[:, 0] + b[:, None] * t[:, 1] + normal[:, None] * normals)

    def hessian(self, gradient: Floats, normals: Floats) -> Floats:
        """∇∇f (m, 3, 3) of a harmonic f from ∇f (m, 3): slopes along the surface, and Laplace's equation across it."""
        axes = np.stack([self.tangents[:, 0], self.tangents[:, 1], normals], axis=1)
        slopes = np.stack([np.stack(self.slopes(gradient[:, c], odd=c == 1), axis=1) for c in range(3)], axis=2)
        local = np.zeros((len(gradient), 3, 3))
        local[:, :2] = np.einsum("ikc,iac->ika", slopes, axes)
        local[:, 0, 1] = local[:, 1, 0] = 0.5 * (local[:, 0, 1] + local[:, 1, 0])
        local[:, 2, :2] = local[:, :2, 2]
        local[:, 2, 2] = -local[:, 0, 0] - local[:, 1, 1]
        return np.asarray(np.swapaxes(axes, 1, 2) @ local @ axes)

    def sharpest(self) -> float:
        """Largest wavenumber that a slope can give, 1/m: the larger spectral radius of the two."""
        n = len(self.near)
        return max(_radius(lambda f: self.slopes(f)[0], n), _radius(lambda f: self.slopes(f)[1], n))


def tangents_of(normals: Floats) -> Floats:
    """Two unit tangents (m, 2, 3) to surfaces of normals (m, 3); x and y themselves on a level surface."""
    helper = np.where(np.abs(normals[:, :1]) < 0.8, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first = helper - np.sum(helper * normals, axis=1, keepdims=True) * normals
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack([first, crosses(normals, first)], axis=1)


def coefficients(degree: int) -> int:
    """Of a polynomial in two variables without its constant."""
    return (degree + 1) * (degree + 2) // 2 - 1


def _away(panels: Panels, near: Integers, symmetric: bool) -> tuple[Floats, Floats]:
    """Places of neighbours along the tangents of each panel (m, k, 2), and the tangents (m, 2, 3)."""
    centres = (panels.whole() if symmetric else panels).centres
    tangents = tangents_of(panels.normals)
    return np.einsum("ikc,itc->ikt", centres[near] - panels.centres[:, None], tangents), tangents


def _scaled(away: Floats, there: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """x and y of neighbours within ±1 (m, k), their weights (m, k), and the scales (m, 2)."""
    size = np.maximum(np.abs(away).max(axis=1), 1e-12)
    x, y = np.moveaxis(away / size[:, None], 2, 0)
    return x, y, there / np.maximum(np.hypot(x, y), 1e-12), size


def _terms(x: Floats, y: Floats, weight: Floats, degree: int) -> Floats:
    """Weighted terms 1, x, y, x², … of a polynomial (m, k, c)."""
    powers = [(d - b, b) for d in range(degree + 1) for b in range(d + 1)]
    return np.stack([x**a * y**b for a, b in powers], axis=2) * weight[..., None]


def _weights(terms: Floats) -> Floats:
    """Least squares (…, c, k) for terms (…, k, c)."""
    other = np.swapaxes(terms, -1, -2)
    square = other @ terms
    size = np.trace(square, axis1=-2, axis2=-1)
    size = np.where(size > 0.0, size, 1.0)  # a panel alone on its side of all edges has no neighbours, and no slopes
    square += 1e-12 * size[..., None, None] * np.eye(square.shape[-1])
    return np.asarray(np.linalg.solve(square, other))


def _radius(operator: Callable[[Floats], Floats], n: int) -> float:
    """Spectral radius of a real operator whose largest eigenvalues may be a conjugate pair, by power iteration."""
    f = np.cos(1.7 * np.arange(n) ** 2)
    f /= np.linalg.norm(f)
    growth = 0.0
    for k in range(60):
        f = operator(f)
        size = float(np.linalg.norm(f))
        if size == 0.0:
            return 0.0
        f /= size
        growth += np.log(size) if k >= 30 else 0.0
    return float(np.exp(growth / 30.0))


def _neighbours(whole: Panels, n: int, rings: int, enough: float) -> list[Integers]:
    """Panels around each of the first n on the same side of any edge: `rings` rings of them, one more if few."""
    corner = _same_places(whole.vertices, 1e-6 * float(whole.diameters.min()))[whole.quads]
    of_corner: dict[int, list[int]] = {}
    for panel, four in enumerate(corner):
        for k in set(four.tolist()):
            of_corner.setdefault(k, []).append(panel)
    touching = [set().union(*(of_corner[k] for k in set(four.tolist()))) for four in corner]
    chosen = []
    for i in range(n):
        around = {i}
        for ring in range(rings + 1):
            if ring == rings and len(around) > enough:
                break
            around = set().union(*(touching[k] for k in around))
            around = {k for k in around if whole.normals[k] @ whole.normals[i] > SAME_SIDE}
        chosen.append(np.array(sorted(around - {i}), dtype=np.int64))
    return chosen


def _same_places(places: Floats, tolerance: float) -> Integers:
    """One number for all places that coincide, (n,)."""
    pairs = cKDTree(places).query_pairs(tolerance, output_type="ndarray")
    number = np.arange(len(places))
    for a, b in pairs[np.argsort(pairs[:, 1], kind="stable")] if len(pairs) else []:
        number[max(a, b)] = min(number[a], number[b])
    return number
