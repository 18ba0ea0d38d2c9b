"""A floater in the frequency domain: natural periods, damping ratios, responses to waves, what a sea makes of them.

    [C + C_w + K - ω² (M + A(ω)) + iω (B(ω) + B_1)] ξ = X a

about the reference point: C of buoyancy, C_w of weight, K of the mooring (or its dynamic impedance, a function of ω).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairlead.sea.waves import jonswap

from .coefficients import DOFS, Coefficients
from .interpolation import at_frequencies, at_headings

Impedance = np.ndarray | Callable[[float], np.ndarray] | None
"""What lines do: a stiffness (6N, 6N), or that of a frequency, complex, with their inertia and damping in it."""

ITERATIONS = 60


def cross(lever: np.ndarray) -> np.ndarray:
    """S (3, 3) with S v = lever × v."""
    x, y, z = lever
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rigid_mass(mass: float, centre: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Mass matrix (6, 6) about a point, of a body whose centre of mass is `centre` (3,) from it.

    inertia: [Ixx, Iyy, Izz] about the centre of mass, or six with Ixy, Ixz, Iyz (Ixy = Σ m x y) behind them.
    """
    S = cross(np.asarray(centre, float))
    own = np.diag(np.asarray(inertia, float)[:3])
    if len(inertia) == 6:
        xy, xz, yz = inertia[3:]
        own -= np.array([[0.0, xy, xz], [xy, 0.0, yz], [xz, yz, 0.0]])
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = mass * np.eye(3)
    matrix[:3, 3:], matrix[3:, :3] = -mass * S, mass * S
    matrix[3:, 3:] = own - mass * S @ S
    return matrix


def weight_stiffness(weight: float, centre: np.ndarray) -> np.ndarray:
    """C_w (6, 6) of a weight [N] at `centre` (3,): -W z in roll and pitch, W x and W y of yaw on them (WAMIT's)."""
    x, y, z = centre
    matrix = np.zeros((6, 6))
    matrix[3, 3] = matrix[4, 4] = -weight * z
    matrix[3, 5], matrix[4, 5] = weight * x, weight * y
    return matrix


@dataclass(frozen=True)
class Floater:
    """N floaters as linear theory sees them, about their reference points."""

    coefficients: Coefficients
    """Its stiffness is of buoyancy alone."""
    mass: np.ndarray
    """(6N, 6N)."""
    weight: np.ndarray
    """(6N, 6N) stiffness of the weight."""
    damping: np.ndarray
    """(6N, 6N) beside that of the waves it makes."""

    @property
    def restoring(self) -> np.ndarray:
        """(6N, 6N) of buoyancy and weight."""
        return np.asarray(self.coefficients.stiffness + self.weight)

    def impedance(self, omega: float, mooring: Impedance = None) -> np.ndarray:
        """(6N, 6N) complex: force over motion at a frequency."""
        data = self.coefficients
        inertia = self.mass + data.added_mass_at(omega)
        held = mooring(omega) if callable(mooring) else 0.0 if mooring is None else mooring
        return np.asarray(
            self.restoring + held - omega**2 * inertia + 1j * omega * (data.damping_at(omega) + self.damping)
        )


@dataclass(frozen=True)
class Mode:
    """A natural mode of a floater, with the added mass and damping of its own period."""

    period: float
    """s."""
    damping_ratio: float
    shape: np.ndarray
    """(6N,), the largest motion 1 (m or rad)."""
    motion: str
    """Which motion it mainly is."""


def natural_modes(floater: Floater, mooring: np.ndarray | None = None) -> list[Mode]:
    """Modes by the fixed point of eig(C, M + A(ω_n)), the slowest last; motions that nothing restores have none."""
    restoring = floater.restoring + (0.0 if mooring is None else mooring)
    added = floater.coefficients.added_mass_at
    size = np.sqrt(np.abs(np.diag(floater.mass + added(np.inf))))
    found: list[Mode] = []
    for start in range(len(restoring)):
        omega, shape = _mode(restoring, floater.mass + added(np.inf), size, start, None)
        for _ in range(ITERATIONS):
            if not omega > 0.0:
                break
            last = omega
            omega, shape = _mode(restoring, floater.mass + added(omega), size, start, shape)
            if abs(omega - last) < 1e-10 * last:
                break
        if omega > 1e-4:
            found.append(_described(floater, omega, shape, size, start))
    return sorted(found, key=lambda mode: DOFS.index(mode.motion.split(" ")[0]) + 6 * ("body" in mode.motion))


def _mode(
    restoring: np.ndarray, inertia: np.ndarray, size: np.ndarray, start: int, like: np.ndarray | None
) -> tuple[float, np.ndarray]:
    """Frequency and shape of one mode: the one that mainly moves in motion `start`, or that is most like another."""
    from scipy.linalg import eig

    values, vectors = eig(restoring, inertia)
    vectors = vectors.real * size[:, None]
    vectors /= np.linalg.norm(vectors, axis=0)
    if like is None:
        # each motion leads one mode, the clearest first
        lead = np.abs(vectors)
        taken: dict[int, int] = {}
        for flat in np.argsort(-lead, axis=None):
            i, k = divmod(int(flat), lead.shape[1])
            if i not in taken and k not in taken.values():
                taken[i] = k
        k = taken[start]
    else:
        k = int(np.abs(like @ vectors).argmax())
    square = values[k].real
    return float(np.sqrt(square)) if square > 0.0 else 0.0, vectors[:, k]


def _described(floater: Floater, omega: float, scaled: np.ndarray, size: np.ndarray, start: int) -> Mode:
    """Named after its largest motion; of several bodies, which move together, after the one that it was led by."""
    shape = scaled / size
    data = floater.coefficients
    modal = shape @ (floater.mass + data.added_mass_at(omega)) @ shape
    loss = shape @ (data.damping_at(omega) + floater.damping) @ shape
    i = int(np.abs(scaled).argmax()) if data.bodies == 1 else start
    name = DOFS[i % 6] + (f" of body {i // 6 + 1}" if data.bodies > 1 else "")
    return Mode(2.0 * np.pi / omega, float(loss / (2.0 * omega * modal)), shape / shape[np.abs(shape).argmax()], name)


def responses(floater: Floater, omega: np.ndarray, heading: float = 0.0, mooring: Impedance = None) -> np.ndarray:
    """Response amplitude operators (n, 6N), complex, m/m and rad/m, at frequencies and one heading [rad]."""
    omega = np.asarray(omega, float)
    data = floater.coefficients
    table = at_frequencies(data.omega, data.excitation, omega)
    force = at_headings(data.headings, table, np.full(len(omega), heading))
    return np.array([np.linalg.solve(floater.impedance(w, mooring), x) for w, x in zip(omega, force, strict=True)])


def spectrum(omega: np.ndarray, significant_height: float, peak_period: float, gamma: float = 3.3) -> np.ndarray:
    """JONSWAP's S(ω) [m² s] with the significant height asked for, over all frequencies."""
    peak = 2.0 * np.pi / peak_period
    whole = peak * np.linspace(0.3, 12.0, 6001)
    scale = significant_height**2 / 16.0 / np.trapezoid(jonswap(whole, peak, gamma), whole)
    return np.asarray(scale * jonswap(np.asarray(omega, float), peak, gamma))


def standard_deviations(raos: np.ndarray, omega: np.ndarray, density: np.ndarray) -> np.ndarray:
    """Of motions (6N,) in a sea with the spectrum `density` (n,): √∫ S |H|² dω."""
    return np.asarray(np.sqrt(np.trapezoid(density[:, None] * np.abs(raos) ** 2, omega, axis=0)))
