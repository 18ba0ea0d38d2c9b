"""The Lagrangian of Pereira et al. for any number of links: what that paper offers its reader, as functions.

Coordinates θ = (elevations e, azimuths a, twists T), each (n,). z points DOWN here, as in the paper; elevation is
counted from it, e_j being that of link j itself, while a_j and T_j are counted from the link above. With
ψ_j = a_1 + … + a_j the direction of link j is q_j = (sin e_j sin ψ_j, sin e_j cos ψ_j, cos e_j) (Eq. 8 to 16), and

    A(θ) θ̈ + C θ̇ + ∂E_p/∂θ + f(θ, θ̇) = T_m                                                             (Eq. 20)

with the mass matrix A and the Coriolis and centrifugal torques f. `reading` decides between the energies as printed and
the ones that go with these coordinates; `end_weight` adds m_c g h_c, which Eq. 4 lacks. Misprints are mended in both:
squares in Eq. 2 and 6, the sign of the azimuth springs in Eq. 7, z_c in Eq. 16, ẋ_c in Eq. 18, indices in Eq. 19.

| term | literal | consistent |
|---|---|---|
| turning of a link (Eq. 2) | ½ I_R (ė_1 + … + ė_k)² | ½ I_R |q̇_k|² |
| azimuth springs (Eq. 4) | ½ k_a (a_i − a_{i−1})² | ½ k_a a_i² |
| twist springs (Eq. 4) | ½ k_T (T_i − T_{i−1})² | ½ k_T T_i² |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lagrangian:
    """A cable of n rigid links hanging from a fixed point.

    lengths, masses, radii (n,) m, kg, m; weights (n,) N: weight less buoyancy of each link; end_mass kg with end_weight
    N and end_inertia kg m² about the last link's axis; k_elevation, k_azimuth, k_twist (n,) N m/rad
    """

    lengths: Floats
    masses: Floats
    radii: Floats
    weights: Floats
    end_mass: float
    end_weight: float
    k_elevation: Floats
    k_azimuth: Floats
    k_twist: Floats
    end_inertia: float = 0.0
    reading: Literal["literal", "consistent"] = "literal"

    @property
    def count(self) -> int:
        """Number of links n."""
        return len(self.lengths)

    @property
    def turning_inertia(self) -> Floats:
        """I_R = m l²/12 of each link about its middle, kg m²."""
        return np.asarray(self.masses * self.lengths**2 / 12)

    @property
    def twist_inertia(self) -> Floats:
        """I_T = m r²/2 of each link about its axis, kg m²."""
        return np.asarray(self.masses * self.radii**2 / 2)

    @cached_property
    def swing_matrix(self) -> Floats:
        """The constant matrix M with ½ Σ M_ij q̇_i·q̇_j the kinetic energy of all that swings, (n, n) kg m².

        M_ij = l_i l_j (μ_k + m_k/2), k = max(i, j); M_ii = l_i² (μ_i + m_i/4), and I_R beside it where it turns with q;
        μ_i is all mass beyond link i.
        """
        n, l, m = self.count, self.lengths, self.masses
        beyond = self.end_mass + np.concatenate([np.cumsum(m[::-1])[::-1][1:], [0.0]])
        lower = np.maximum.outer(np.arange(n), np.arange(n))
        matrix = np.outer(l, l) * (beyond + m / 2)[lower]
        matrix[np.diag_indices(n)] = l**2 * (beyond + m / 4)
        if self.reading == "consistent":
            matrix[np.diag_indices(n)] += self.turning_inertia
        return np.asarray(matrix)

    def split(self, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """Elevations, absolute azimuths ψ and twists of a state (3n,), or the same of its rates."""
        e, a, t = np.reshape(theta, (3, self.count))
        return e, np.cumsum(a), t

    def directions(self, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """q, ∂q/∂e and ∂q/∂ψ of each link, (n, 3) each."""
        e, psi, _ = self.split(theta)
        zero = np.zeros_like(e)
        s, c, sp, cp = np.sin(e), np.cos(e), np.sin(psi), np.cos(psi)
        return (
            np.stack([s * sp, s * cp, c], axis=1),
            np.stack([c * sp, c * cp, -s], axis=1),
            np.stack([s * cp, -s * sp, zero], axis=1),
        )

    def nodes(self, theta: Floats) -> Floats:
        """Joints and the end mass, (n + 1, 3) m from the first joint, z down (Eq. 15 and 16)."""
        q, _, _ = self.directions(theta)
        return np.vstack([np.zeros(3), np.cumsum(self.lengths[:, None] * q, axis=0)])

    def kinetic_energy(self, theta: Floats, rates: Floats) -> float:
        """E_C of Eq. 1 to 3, J."""
        return float(0.5 * rates @ self.mass_matrix(theta) @ rates)

    def potential_energy(self, theta: Floats) -> float:
        """E_p of Eq. 4 with the weight of the end mass, J; zero where the cable hangs straight and untwisted."""
        e, a, t = np.reshape(theta, (3, self.count))
        literal = self.reading == "literal"
        springs = self.k_elevation @ np.diff(e, prepend=0.0) ** 2
        springs += self.k_azimuth @ (np.diff(a, prepend=0.0) if literal else a) ** 2
        springs += self.k_twist @ (np.diff(t, prepend=0.0) if literal else t) ** 2
        rise = self.lengths * (1.0 - np.cos(e))
        top = np.cumsum(rise) - rise
        return float(0.5 * springs + self.weights @ (top + rise / 2) + self.end_weight * rise.sum())

    def lagrangian(self, theta: Floats, rates: Floats) -> float:
        """L = E_C − E_p (Eq. 7 and 19), J."""
        return self.kinetic_energy(theta, rates) - self.potential_energy(theta)

    def mass_matrix(self, theta: Floats) -> Floats:
        """A(θ), (3n, 3n): symmetric; singular in the azimuth of a link whose elevation is zero."""
        n, swing = self.count, self.swing_matrix
        _, p, d = self.directions(theta)
        sums = np.triu(np.ones((n, n)))  # row i of sums @ x holds x_i + … + x_n
        matrix = np.zeros((3 * n, 3 * n))
        matrix[:n, :n] = swing * (p @ p.T)
        if self.reading == "literal":
            matrix[:n, :n] += sums @ np.diag(self.turning_inertia) @ sums.T
        matrix[:n, n : 2 * n] = (swing * (p @ d.T)) @ sums.T
        matrix[n : 2 * n, :n] = matrix[:n, n : 2 * n].T
        matrix[n : 2 * n, n : 2 * n] = sums @ (swing * (d @ d.T)) @ sums.T
        spin = self.twist_inertia.copy()
        spin[-1] += self.end_inertia
        matrix[2 * n :, 2 * n :] = sums @ np.diag(spin) @ sums.T
        return matrix

    def coriolis(self, theta: Floats, rates: Floats) -> Floats:
        """f(θ, θ̇), (3n,) N m: f_e = p·Σ M b, f_ψ = ∂q/∂ψ·Σ M b, with b the part of q̈ that is there without θ̈."""
        n = self.count
        e, psi, _ = self.split(theta)
        de, dpsi, _ = self.split(rates)
        q, p, d = self.directions(theta)
        turn = np.stack([np.cos(psi), -np.sin(psi), 0 * psi], axis=1)
        flat = np.stack([q[:, 0], q[:, 1], 0 * psi], axis=1)
        b = -q * (de**2)[:, None] + 2 * turn * (np.cos(e) * de * dpsi)[:, None] - flat * (dpsi**2)[:, None]
        force = self.swing_matrix @ b
        out = np.zeros(3 * n)
        out[:n] = np.einsum("ni,ni->n", p, force)
        out[n : 2 * n] = np.cumsum(np.einsum("ni,ni->n", d, force)[::-1])[::-1]
        return out

    @cached_property
    def stiffness_matrix(self) -> Floats:
        """K of Eq. 20, (3n, 3n) N m/rad: the springs."""
        n = self.count
        literal = self.reading == "literal"
        difference = np.eye(n) - np.eye(n, k=-1)
        out = np.zeros((3 * n, 3 * n))
        for block, (k, relative) in enumerate(
            ((self.k_elevation, True), (self.k_azimuth, literal), (self.k_twist, literal))
        ):
            inner = slice(block * n, block * n + n)
            lever = difference if relative else np.eye(n)
            out[inner, inner] = lever.T @ np.diag(k) @ lever
        return out

    def gravity_torque(self, theta: Floats) -> Floats:
        """Torques of weight and buoyancy −∂E_p/∂θ, springs left out, (3n,) N m."""
        e, _, _ = self.split(theta)
        carried = np.cumsum(self.weights[::-1])[::-1] - self.weights / 2 + self.end_weight
        return np.concatenate([-self.lengths * carried * np.sin(e), np.zeros(2 * self.count)])
