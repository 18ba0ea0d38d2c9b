"""A steady wave: regular, of unchanging shape, as harmonics of one phase; what theories of any order make of H and T.

η = Σ aⱼ cos jθ,   φ = Σ bⱼ cosh jk(z + h) / cosh jkh · sin jθ,   θ = kx − ωt,   no current in the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.model.waves import STEEPEST

DEEP = 30.0
"""kh from which water counts as infinitely deep: e^(−2kh) is below the last digit."""


class WaveTooSteep(ValueError):
    """A wave that would break, or that its theory cannot carry; the text says what, why, and what to do."""


@dataclass(frozen=True)
class SteadyWave:
    """Amplitudes of a steady wave of height H and period T."""

    elevation: np.ndarray
    """aⱼ, j = 1 … order, m."""
    potential: np.ndarray
    """bⱼ, m²/s."""
    wavenumber: float
    """k, rad/m."""
    frequency: float
    """ω, rad/s."""
    depth: float
    """h, m; may be infinite."""
    gravity: float
    bernoulli: float
    """B of φ_t + ½|∇φ|² + gη = B on the surface, m²/s²."""

    @property
    def speed(self) -> float:
        """Speed of the crest, m/s."""
        return self.frequency / self.wavenumber

    @property
    def height(self) -> float:
        """From trough to crest, m."""
        return float(2.0 * self.elevation[::2].sum())

    def surface(self, theta: np.ndarray) -> np.ndarray:
        """η at phases θ (n,), m."""
        j = np.arange(1, len(self.elevation) + 1)
        return np.asarray(np.cos(np.multiply.outer(theta, j)) @ self.elevation)


def check_breaking(height: float, k: float, depth: float) -> None:
    """Raise `WaveTooSteep` where the wave would break: H/λ above 0.142 tanh kh (Miche 1944)."""
    limit = STEEPEST * 2.0 * math.pi / k * math.tanh(k * depth)
    if height > limit:
        water = "deep water" if math.isinf(depth) else f"{depth:g} m of water"
        raise WaveTooSteep(
            f"a wave of height {height:g} m and length {2 * math.pi / k:.4g} m breaks in {water}: its height is above "
            f"{limit:.4g} m, the limit 0.142 tanh(kh) of H over the length (Miche); use a lower or a longer wave"
        )
