"""Hydrodynamic coefficients of floaters: what linear theory knows of their water, in one convention.

Signals are Re(X e^{+iωt}); a wave is η = Re(a e^{i(ωt - k·x)}); a heading is the direction the wave runs towards, from
x; a positive phase leads. Forces and moments are taken at the reference point of each body, in its axes at rest. With N
bodies all matrices are 6N x 6N: surge, sway, heave, roll, pitch, yaw of the first, then of the second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

DOFS = ("surge", "sway", "heave", "roll", "pitch", "yaw")


class CoefficientError(ValueError):
    """Coefficients that cannot be read or used; the text says which, why and what to do."""


@dataclass(frozen=True)
class Coefficients:
    """Added mass, damping, excitation and stiffness of N floaters, SI units.

    What a file does not tell is None, or NaN of a number.
    """

    omega: np.ndarray
    """(nw,) rad/s, rising, above 0 and finite."""
    added_mass: np.ndarray
    """(nw, 6N, 6N): force on i against the acceleration of j."""
    damping: np.ndarray
    """(nw, 6N, 6N): force on i against the velocity of j."""
    headings: np.ndarray
    """(nh,) rad, rising; none where the file has no excitation."""
    excitation: np.ndarray
    """(nh, nw, 6N), complex, per metre of wave amplitude, the crest at the reference point at t = 0."""
    stiffness: np.ndarray
    """(6N, 6N): hydrostatic, about the reference point; of buoyancy only, unless `stiffness_has_weight`."""
    added_mass_infinite: np.ndarray | None = None
    """(6N, 6N) at ω -> ∞."""
    added_mass_zero: np.ndarray | None = None
    """(6N, 6N) at ω -> 0."""
    volume: np.ndarray = field(default_factory=lambda: np.full(1, np.nan))
    """(N,) displaced at rest, m^3."""
    centre_of_buoyancy: np.ndarray = field(default_factory=lambda: np.full((1, 3), np.nan))
    """(N, 3) from the reference point, m."""
    density: float = 1025.0
    """Of the water, kg/m^3."""
    gravity: float = 9.80665
    depth: float = math.inf
    """Depth of the water they were computed for, m."""
    reference: np.ndarray = field(default_factory=lambda: np.zeros((1, 3)))
    """(N, 3) where moments are taken, in the axes of the file, m."""
    stiffness_has_weight: bool = False
    """Whether -m g z_g is in the stiffness already."""
    format: str = ""
    source: str = ""
    """The file they were read from."""
    notes: tuple[str, ...] = ()
    """What was done to them while they were read, for the user."""

    @property
    def bodies(self) -> int:
        return int(self.stiffness.shape[0]) // 6

    @property
    def has_excitation(self) -> bool:
        return bool(self.headings.size)

    def only(self, bodies: Sequence[int]) -> Coefficients:
        """Those of some of the bodies, counted from 0; what the others radiate is left out."""
        rows = np.concatenate([np.arange(6 * i, 6 * i + 6) for i in bodies])
        square = np.ix_(rows, rows)
        index = list(bodies)
        return replace(
            self,
            added_mass=self.added_mass[:, rows][:, :, rows],
            damping=self.damping[:, rows][:, :, rows],
            excitation=self.excitation[..., rows],
            stiffness=self.stiffness[square],
            added_mass_infinite=None if self.added_mass_infinite is None else self.added_mass_infinite[square],
            added_mass_zero=None if self.added_mass_zero is None else self.added_mass_zero[square],
            volume=self.volume[index],
            centre_of_buoyancy=self.centre_of_buoyancy[index],
            reference=self.reference[index],
        )

    def within(self, band: float | None) -> Coefficients:
        """Those of frequencies up to `band` [rad/s], all without one; what is left of none is all."""
        kept = self.omega <= (math.inf if band is None else band)
        if kept.all() or not kept.any():
            return self
        return replace(
            self, omega=self.omega[kept], added_mass=self.added_mass[kept], damping=self.damping[kept],
            excitation=self.excitation[:, kept],
        )  # fmt: skip

    def moving(self, motions: Sequence[Sequence[str]]) -> Coefficients:
        """Those of some motions of each body; the water does nothing to the others, but for its stiffness."""
        kept = np.array([dof in chosen for chosen in motions for dof in DOFS])
        if kept.all():
            return self
        square = np.outer(kept, kept)
        infinite, zero = (
            None if one is None else np.where(square, one, 0.0)
            for one in (self.added_mass_infinite, self.added_mass_zero)
        )
        return replace(
            self, added_mass=np.where(square, self.added_mass, 0.0), damping=np.where(square, self.damping, 0.0),
            excitation=np.where(kept, self.excitation, 0.0), added_mass_infinite=infinite, added_mass_zero=zero,
        )  # fmt: skip

    def symmetric(self) -> Coefficients:
        """The same with added mass and damping replaced by the mean of themselves and their transposes."""
        infinite, zero = (
            None if one is None else 0.5 * (one + one.T) for one in (self.added_mass_infinite, self.added_mass_zero)
        )
        return replace(
            self,
            added_mass=0.5 * (self.added_mass + self.added_mass.swapaxes(1, 2)),
            damping=0.5 * (self.damping + self.damping.swapaxes(1, 2)),
            added_mass_infinite=infinite,
            added_mass_zero=zero,
        )

    def added_mass_at(self, omega: float) -> np.ndarray:
        """A(ω) (6N, 6N) along straight lines between the frequencies; beyond them the limits, or held."""
        return self._between(self.added_mass, self.added_mass_zero, self.added_mass_infinite, omega)

    def damping_at(self, omega: float) -> np.ndarray:
        """B(ω) (6N, 6N) along straight lines; 0 at ω = 0, held above the last."""
        return self._between(self.damping, np.zeros_like(self.stiffness), None, omega)

    def _between(
        self, table: np.ndarray, zero: np.ndarray | None, infinite: np.ndarray | None, omega: float
    ) -> np.ndarray:
        first, last = self.omega[0], self.omega[-1]
        if omega >= last:
            if infinite is None or omega == last:
                return np.array(table[-1])
            # A(ω) - A(∞) falls off like 1/ω^2 beyond the data
            return np.asarray(infinite + (table[-1] - infinite) * (last / omega) ** 2)
        if omega <= first:
            if zero is None:
                return np.array(table[0])
            return np.asarray(zero + (table[0] - zero) * omega / first)
        i = int(np.searchsorted(self.omega, omega, side="right"))
        share = (omega - self.omega[i - 1]) / (self.omega[i] - self.omega[i - 1])
        return np.asarray((1.0 - share) * table[i - 1] + share * table[i])
