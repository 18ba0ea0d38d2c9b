"""The memory of the water as a sum of poles: K(s) = Σ R_k / (s - p_k)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

ACCEPTED = 0.01
"""Relative error of a fit from which on the convolution is better."""
FAR = 100.0
"""Times the last frequency of the data up to which a fit is looked at."""
STRONG = 0.1
"""Damping over ω A∞ from which on it counts above the data."""


@dataclass(frozen=True)
class RadiationFit:
    """K(iω) = B(ω) + iω (A(ω) - A∞) ~ Σ_k R_k/(iω - p_k), a pole off the real axis together with its conjugate.

    States z_k (6N each): z_k' = p_k z_k + V; the water's force against the motion is μ = Re Σ f_k R_k z_k. Poles of
    different blocks of coupled motions stand one after the other; residues are zero outside their block.
    """

    poles: np.ndarray
    """(K,) complex, Re < 0, Im >= 0, 1/s."""
    residues: np.ndarray
    """(K, 6N, 6N) complex, symmetric."""
    added_mass_infinite: np.ndarray
    """(6N, 6N) that belongs to it."""
    error: float = 0.0
    """Largest relative rms error of a block, weighted as it was fitted."""
    tolerance: float = 0.002
    blocks: tuple[tuple[int, ...], ...] = ()
    """Motions that share poles."""
    orders: tuple[int, ...] = ()
    """Order (states of a motion) of each block."""
    errors: tuple[float, ...] = ()
    """Relative rms error of each block."""
    least_damping: float = 0.0
    """Smallest eigenvalue of Re K over all frequencies, as a share of the largest damping: >= 0 where it is passive."""
    band: float = np.inf
    """Above this frequency [rad/s] the data had no say."""
    factor: np.ndarray = field(init=False)
    """(K,) 2 for a pole with its conjugate, 1 for a real one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", np.where(self.poles.imag > 0.0, 2.0, 1.0))

    @property
    def met(self) -> bool:
        """Whether it is near enough to the data: within the tolerance, or within 1 % where that is all they allow."""
        return self.error <= max(self.tolerance, ACCEPTED)

    def transfer(self, omega: np.ndarray) -> np.ndarray:
        """K(iω) (n, 6N, 6N)."""
        s = 1j * np.asarray(omega, float)[:, None]
        upper = 1.0 / (s - self.poles)
        lower = np.where(self.factor == 2.0, 1.0 / (s - self.poles.conj()), 0.0)
        flat = self.residues.reshape(len(self.poles), -1)
        size = self.residues.shape[-1]
        return np.asarray((upper @ flat + lower @ flat.conj()).reshape(-1, size, size))

    def beyond(self, peaks: np.ndarray) -> tuple[float, int, float]:
        """Its largest damping above `band`, over the largest of the data, `peaks` (6N,): that ratio, of which motion,
        and at which frequency [rad/s]. What hardly damps there, for the water that moves with it, does not count."""
        motions = [i for block in self.blocks for i in block if peaks[i] > 0.0]
        if not motions or not len(self.poles):
            return 0.0, 0, self.band
        omega = np.geomspace(self.band, FAR * self.band, 600)
        damping = np.einsum("wii->wi", self.transfer(omega).real)[:, motions]
        strong = damping > STRONG * np.outer(omega, np.abs(np.diag(self.added_mass_infinite))[motions])
        ratios = np.where(strong, damping / peaks[motions], 0.0)
        at, which = np.unravel_index(int(ratios.argmax()), ratios.shape)
        return float(ratios[at, which]), motions[int(which)], float(omega[at])

    def impulse(self, time: np.ndarray) -> np.ndarray:
        """K(t) (n, 6N, 6N) = Re Σ f R e^{pt}."""
        decay = np.exp(np.asarray(time, float)[:, None] * self.poles) * self.factor
        size = self.residues.shape[-1]
        return np.asarray((decay @ self.residues.reshape(len(self.poles), -1)).real.reshape(-1, size, size))
