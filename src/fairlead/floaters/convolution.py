"""The memory of the water without a fit: L(t) = ∫₀ᵗ K = 2/π ∫ B(ω) sin(ωt)/ω dω, exact for B of straight lines."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .coefficients import Coefficients
from .fit import coupled_blocks
from .kernels import infinite_added_mass

TAIL = np.geomspace(1.0, 6.0, 25)[1:]
"""Beyond the data B falls off like ω^-4, at these multiples of the last frequency."""


@dataclass(frozen=True)
class Recall:
    """What the water remembers, by coefficients themselves."""

    omega: np.ndarray
    """(n,) from 0 on, rad/s."""
    damping: np.ndarray
    """(n, 6N, 6N), symmetric."""
    added_mass_infinite: np.ndarray
    """(6N, 6N): of motions that radiate the one that the data themselves have, so that added mass is right within them
    whatever damping there is beyond."""
    pairs: tuple[tuple[int, int], ...]
    """Motions that feel one another's past: force on the first, velocity of the second."""
    memory: float
    """s: what is older acts no more."""

    @classmethod
    def of(cls, coefficients: Coefficients, memory: float, band: float | None = None) -> Recall:
        """Of the data up to `band` [rad/s]."""
        data = coefficients.symmetric()
        kept = data.omega <= (np.inf if band is None else band)
        omega, damping = data.omega[kept], data.damping[kept]
        infinite = infinite_added_mass(
            replace(data, omega=omega, damping=damping, added_mass=data.added_mass[kept])
        ).value
        blocks = coupled_blocks(damping, infinite, data.density)
        pairs = tuple((int(i), int(j)) for block in blocks for i in block for j in block)
        if data.added_mass_infinite is not None:
            given = data.added_mass_infinite.copy()
            for pair in pairs:
                given[pair] = infinite[pair]
            infinite = given
        tail = damping[-1] * (TAIL**-4.0)[:, None, None]
        return cls(
            np.concatenate([[0.0], omega, omega[-1] * TAIL]),
            np.concatenate([np.zeros_like(damping[:1]), damping, tail]), infinite, pairs, memory,
        )  # fmt: skip

    @property
    def last(self) -> float:
        """Last frequency of the data themselves, rad/s."""
        return float(self.omega[-1] / TAIL[-1])

    def rise(self, time: np.ndarray) -> np.ndarray:
        """L (n, pairs) of the pairs at some times [s]."""
        from scipy.special import sici

        rows, columns = (list(one) for one in zip(*self.pairs, strict=True)) if self.pairs else ([], [])
        B, w = self.damping[:, rows, columns], self.omega
        slope = np.diff(B, axis=0) / np.diff(w)[:, None]
        level = B[:-1] - slope * w[:-1, None]
        found = np.zeros((len(time), len(self.pairs)))
        for n, t in enumerate(np.asarray(time, float).tolist()):
            if t > 0.0:
                # ∫ (level + slope ω) sin(ωt)/ω dω between neighbours
                found[n] = np.diff(sici(w * t)[0]) @ level - np.diff(np.cos(w * t)) @ slope / t
        return 2.0 / np.pi * found

    def left(self) -> float:
        """How much of K is left when the memory ends, as a share of its peak: the largest of the motions."""
        own = [p for p, (i, j) in enumerate(self.pairs) if i == j]
        step = 0.05 * np.pi / self.omega[-1] + 1e-3 * self.memory
        L = self.rise(np.arange(0.0, 1.5 * self.memory, step))[:, own]
        K = np.abs(np.diff(L, axis=0))
        return float((K[round(self.memory / step) :].max(axis=0) / K.max(axis=0)).max()) if own else 0.0
