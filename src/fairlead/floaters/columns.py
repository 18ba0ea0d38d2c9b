"""Coefficients of slender vertical columns by strips: spars, semi-submersibles, buoys on plates.

For trying things out, for examples and checks, where no panel code is at hand. All belong together: the damping is made
from the excitation (Haskind) and the added mass from the damping (Ogilvie), so that every relation of linear theory
holds, however rough the excitation itself is:

    surge   what MacCamy and Fuchs give for a strip of a vertical cylinder, 4ρg p/(k H₁⁽²⁾′(ka)), at each column
    heave   ρg (A_w − ∫ p′ A dz) of the undisturbed pressure, and −ω² s A₃ of plates at the foot
    B_ij =  k/(8πρg c_g) ∫ X_i X_j* dβ,     A(ω) = A∞ + 2/π ⨍ B(σ)/(σ² − ω²) dσ

with p = cosh k(z + h)/cosh kh and s = sinh k(z + h)/sinh kh, both e^{kz} in deep water. Columns do not see one
another's waves. Where they stand side by side and are one hull, as in a barge, `sideways` says how much added mass is
left of that of a column alone: a long wave pushes with 1 + that times the water they displace, where one alone has 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.model.waves import wavenumber

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
    sideways  added mass along x and along y over that of the column alone
    """

    x: float
    y: float
    levels: tuple[tuple[float, float], ...]
    plate: float = 0.0
    sideways: tuple[float, float] = (1.0, 1.0)

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
    gravity: float = 9.80665, depth: float = math.inf,
) -> Coefficients:  # fmt: skip
    """Coefficients of bodies made of columns, all about the origin; `omega` in whole steps of FINE, headings in rad."""
    rows = np.round(np.asarray(omega) / FINE).astype(int)
    fine = FINE * np.arange(1, COUNT + 1)
    size = 6 * len(bodies)
    X = _excitation(bodies, fine, 2.0 * np.pi * np.arange(ROUND) / ROUND, density, gravity, depth)
    k = _wave_numbers(fine, gravity, depth)
    kh = np.minimum(k * depth, 300.0)
    group = 0.5 * fine / k * (1.0 + 2.0 * kh / np.sinh(2.0 * kh))
    power = k / (8.0 * np.pi * density * gravity * group)
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
        _excitation(bodies, fine[rows - 1], beta, density, gravity, depth),
        density * gravity * stiffness, infinite * joined, zero * joined, volume, centre, density, gravity, depth,
        reference=np.zeros((len(bodies), 3)), source="columns",
    )  # fmt: skip


def _wave_numbers(omega: np.ndarray, gravity: float, depth: float) -> np.ndarray:
    return np.array([wavenumber(float(w), depth, gravity) for w in omega])


def _excitation(
    bodies: Sequence[Sequence[Column]], omega: np.ndarray, headings: np.ndarray, density: float, gravity: float,
    depth: float,
) -> np.ndarray:  # fmt: skip
    """(heading, frequency, 6N) per metre of wave amplitude."""
    from scipy.special import h2vp

    k = _wave_numbers(omega, gravity, depth)[:, None]
    back = np.exp(-2.0 * np.minimum(k * depth, 300.0))  # e^{-2kh}: 0 in deep water

    def below(z: np.ndarray, sign: float) -> np.ndarray:
        """cosh k(z + h)/cosh kh, or with sign -1 sinh k(z + h)/sinh kh."""
        mirror = back * np.exp(np.minimum(-k * z, 300.0))
        return np.asarray((np.exp(k * z) + sign * mirror) / (1.0 + sign * back))

    found = np.zeros((len(headings), len(omega), 6 * len(bodies)), complex)
    cosine, sine = np.cos(headings)[:, None], np.sin(headings)[:, None]
    for n, body in enumerate(bodies):
        for column in body:
            z, a = column.strips()
            area = np.pi * a**2
            strip = 4.0 * density * gravity * below(z, 1.0) / (k * h2vp(1, k * a))
            push, lever = np.trapezoid(strip, z, axis=1), np.trapezoid(strip * z, z, axis=1)
            water = area[-1] if column.pierces else 0.0
            steep = (omega**2 / gravity) * np.trapezoid(below(z, -1.0) * area, z, axis=1)  # p' = k tanh kh s
            lift = density * gravity * (water - steep)
            lift = lift - omega**2 * below(z[:1], -1.0)[:, 0] * column.plate
            late = np.exp(-1j * k[:, 0] * (column.x * cosine + column.y * sine))
            F, M = push * late, lever * late
            up = lift * late
            own = found[:, :, 6 * n : 6 * n + 6]
            ahead, aside = (0.5 * (1.0 + part) for part in column.sideways)
            ahead, aside = ahead * cosine, aside * sine
            own[..., 0] += F * ahead
            own[..., 1] += F * aside
            own[..., 2] += up
            own[..., 3] += column.y * up - M * aside
            own[..., 4] += M * ahead - column.x * up
            own[..., 5] += (column.x * aside - column.y * ahead) * F
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
        for part, move in zip(column.sideways, (ahead, aside), strict=True):
            found += part * np.trapezoid(mass * move[:, None] * move[None], z, axis=2)
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
