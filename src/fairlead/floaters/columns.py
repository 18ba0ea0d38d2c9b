"""Coefficients of slender vertical columns by strips: spars, semi-submersibles, buoys on plates, in deep water.

For trying things out, for examples and checks, where no panel code is at hand. All belong together: the damping is made
from the excitation (Haskind) and the added mass from the damping (Ogilvie), so that every relation of linear theory
holds, however rough the excitation itself is:

    surge   what MacCamy and Fuchs give for a strip of a vertical cylinder, 4ρg e^{kz}/(k H₁⁽²⁾′(ka)), at each column
    heave   ρg (A_w − k ∫ e^{kz} A dz) of the undisturbed pressure, and −ω² e^{kz} A₃ of plates at the foot
    B_ij =  kω/(4πρg²) ∫ X_i X_j* dβ,     A(ω) = A∞ + 2/π ⨍ B(σ)/(σ² − ω²) dσ

Columns do not see one another's waves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .coefficients import Coefficients
from .kernels import principal_value

FINE, COUNT = 0.02, 400
"""Step in rad/s of the frequencies that the integrals see, and how many there are."""
ROUND = 180
"""Headings over which the radiated power is summed."""
STRIPS = 160
SMALL = 1e-9


@dataclass(frozen=True)
class Column:
    """A vertical circular column.

    levels  (z, radius) from its foot up; its top is in the surface where the last z is 0
    plate   added mass in heave of what its foot is [kg]
    """

    x: float
    y: float
    levels: tuple[tuple[float, float], ...]
    plate: float = 0.0

    @property
    def pierces(self) -> bool:
        return self.levels[-1][0] == 0.0

    def strips(self) -> tuple[np.ndarray, np.ndarray]:
        """Heights (n,) and radii (n,)."""
        heights, radii = np.array(self.levels).T
        z = np.linspace(heights[0], heights[-1], STRIPS + 1)
        return z, np.interp(z, heights, radii)


def columns(
    bodies: Sequence[Sequence[Column]], omega: Sequence[float], headings: Sequence[float], density: float = 1025.0,
    gravity: float = 9.80665,
) -> Coefficients:  # fmt: skip
    """Coefficients of bodies made of columns, all about the origin; `omega` in whole steps of FINE, headings in rad."""
    rows = np.round(np.asarray(omega) / FINE).astype(int)
    fine = FINE * np.arange(1, COUNT + 1)
    size = 6 * len(bodies)
    X = _excitation(bodies, fine, 2.0 * np.pi * np.arange(ROUND) / ROUND, density, gravity)
    power = fine**3 / gravity / (4.0 * np.pi * density * gravity**2)
    B = 2.0 * np.pi / ROUND * power[:, None, None] * np.einsum("hwi,hwj->wij", X, X.conj()).real
    infinite, stiffness = np.zeros((size, size)), np.zeros((size, size))
    volume, centre = np.zeros(len(bodies)), np.zeros((len(bodies), 3))
    for n, body in enumerate(bodies):
        own = slice(6 * n, 6 * n + 6)
        infinite[own, own], (stiffness[own, own], volume[n], centre[n]) = _added(body, density), _still(body)
    padded = np.concatenate([np.zeros((1, size, size)), B]).reshape(len(fine) + 1, -1)
    from_zero = np.concatenate([[0.0], fine])
    added = [infinite + 2.0 / np.pi * principal_value(from_zero, padded, int(n)).reshape(size, size) for n in rows]
    zero = infinite + 2.0 / np.pi * np.trapezoid(B / fine[:, None, None] ** 2, fine, axis=0)
    beta = np.asarray(headings, float)
    size_of = np.sqrt(np.abs(np.diag(infinite)))
    joined = np.abs(zero) > SMALL * np.outer(size_of, size_of)  # the rest is rounding
    return Coefficients(
        fine[rows - 1], np.array(added) * joined, B[rows - 1] * joined, beta,
        _excitation(bodies, fine[rows - 1], beta, density, gravity),
        density * gravity * stiffness, infinite * joined, zero * joined, volume, centre, density, gravity,
        reference=np.zeros((len(bodies), 3)), source="columns",
    )  # fmt: skip


def _excitation(
    bodies: Sequence[Sequence[Column]], omega: np.ndarray, headings: np.ndarray, density: float, gravity: float
) -> np.ndarray:
    """(heading, frequency, 6N) per metre of wave amplitude."""
    from scipy.special import h2vp

    k = (omega**2 / gravity)[:, None]
    found = np.zeros((len(headings), len(omega), 6 * len(bodies)), complex)
    cosine, sine = np.cos(headings)[:, None], np.sin(headings)[:, None]
    for n, body in enumerate(bodies):
        for column in body:
            z, a = column.strips()
            area = np.pi * a**2
            strip = 4.0 * density * gravity * np.exp(k * z) / (k * h2vp(1, k * a))
            push, lever = np.trapezoid(strip, z, axis=1), np.trapezoid(strip * z, z, axis=1)
            water = area[-1] if column.pierces else 0.0
            lift = density * gravity * (water - k[:, 0] * np.trapezoid(np.exp(k * z) * area, z, axis=1))
            lift = lift - omega**2 * np.exp(k[:, 0] * z[0]) * column.plate
            late = np.exp(-1j * k[:, 0] * (column.x * cosine + column.y * sine))
            F, M = push * late, lever * late
            up = lift * late
            own = found[:, :, 6 * n : 6 * n + 6]
            own[..., 0] += F * cosine
            own[..., 1] += F * sine
            own[..., 2] += up
            own[..., 3] += column.y * up - M * sine
            own[..., 4] += M * cosine - column.x * up
            own[..., 5] += (column.x * sine - column.y * cosine) * F
    largest = np.abs(found).max(axis=(0, 1)).reshape(-1, 2, 3).max(axis=2)
    found[np.abs(found) < SMALL * np.repeat(largest, 3, axis=1).ravel()] = 0.0
    return found


def _added(body: Sequence[Column], density: float) -> np.ndarray:
    """(6, 6) at infinite frequency: the water a strip displaces, moved sideways, and the plates, moved up."""
    found = np.zeros((6, 6))
    for column in body:
        z, a = column.strips()
        mass = density * np.pi * a**2
        x, y = column.x, column.y
        ahead = np.stack([np.ones_like(z), 0 * z, 0 * z, 0 * z, z, np.full_like(z, -y)])
        aside = np.stack([0 * z, np.ones_like(z), 0 * z, -z, 0 * z, np.full_like(z, x)])
        for move in (ahead, aside):
            found += np.trapezoid(mass * move[:, None] * move[None], z, axis=2)
        up = np.array([0.0, 0.0, 1.0, y, -x, 0.0])
        found += column.plate * np.outer(up, up)
    return found


def _still(body: Sequence[Column]) -> tuple[np.ndarray, float, np.ndarray]:
    """Stiffness of buoyancy over ρg (6, 6), volume and its centre (3,)."""
    matrix, volume, moment = np.zeros((6, 6)), 0.0, np.zeros(3)
    for column in body:
        z, a = column.strips()
        area = np.pi * a**2
        held = float(np.trapezoid(area, z))
        volume += held
        moment += [held * column.x, held * column.y, float(np.trapezoid(area * z, z))]
        if column.pierces:
            up = np.array([0.0, 0.0, 1.0, column.y, -column.x, 0.0])
            matrix += area[-1] * np.outer(up, up)
            matrix[3, 3] += 0.25 * np.pi * a[-1] ** 4
            matrix[4, 4] += 0.25 * np.pi * a[-1] ** 4
    matrix[3, 3] += moment[2]
    matrix[4, 4] += moment[2]
    matrix[3, 5] -= moment[0]
    matrix[4, 5] -= moment[1]
    return matrix, volume, moment / volume
