"""A floater in the frequency domain: natural periods, damping ratios, responses to waves, what a sea makes of them.

    [C + C_w + K - ω² (M + A(ω)) + iω (B(ω) + B_1)] ξ = X a

about the reference point: C of buoyancy, C_w of weight, K of the mooring (or its dynamic impedance, a function of ω).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairlead.sea.waves import jonswap

from .coefficients import DOFS, Coefficients
from .interpolation import at_frequencies, at_headings

Impedance = np.ndarray | Callable[[float], np.ndarray] | None
"""What lines do: a stiffness (6N, 6N), or that of a frequency, complex, with their inertia and damping in it."""

ITERATIONS = 60
ALIKE = 1e-7
"""Frequencies that are this near, over themselves, are one."""


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
    shares: np.ndarray
    """(6N,) of its motions about the centres of inertia, together 1: squares times inertia, as in kinetic energy."""
    motion: str
    """Which motion it mainly is, of several bodies with whose; with a number where another mode is more of it."""


def natural_modes(floater: Floater, mooring: np.ndarray | None = None, bodies: Sequence[str] = ()) -> list[Mode]:
    """Modes by the fixed point of eig(C, M + A(ω_n)), body by body; motions that nothing restores have none.

    bodies: the names of several; without them they are body 1, body 2, ...
    """
    restoring = floater.restoring + (0.0 if mooring is None else mooring)
    added = floater.coefficients.added_mass_at
    found: list[tuple[float, np.ndarray]] = []
    for omega, shape in zip(*_eigenmodes(restoring, floater.mass + added(np.inf)), strict=True):
        for _ in range(ITERATIONS):
            if not omega > 0.0:
                break
            last = omega
            omega, shape = _followed(restoring, floater.mass + added(omega), shape)
            if abs(omega - last) < 1e-10 * last:
                break
        if omega > 1e-4:
            found.append((omega, shape))
    return _named([_described(floater, omega, shape) for omega, shape in found], bodies)


def _eigenmodes(restoring: np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (n,), 0 where nothing restores, and shapes (n, n), one a row, each with a modal mass of 1."""
    from scipy.linalg import eig

    values, vectors = eig(restoring, inertia)
    return np.sqrt(np.maximum(values.real, 0.0)), _normalised(vectors.real.T, inertia)


def _followed(restoring: np.ndarray, inertia: np.ndarray, shape: np.ndarray) -> tuple[float, np.ndarray]:
    """The mode most like a shape; of modes with one frequency, which may be any mixture, the mixture most like it."""
    omegas, shapes = _eigenmodes(restoring, inertia)
    like = shapes @ inertia @ shape
    omega = omegas[np.abs(like).argmax()]
    together = np.abs(omegas - omega) <= ALIKE * omega
    return float(omega), _normalised(like[together] @ shapes[together], inertia)[0]


def _described(floater: Floater, omega: float, shape: np.ndarray) -> Mode:
    data = floater.coefficients
    inertia = floater.mass + data.added_mass_at(omega)
    loss = shape @ (data.damping_at(omega) + floater.damping) @ shape
    ratio = float(loss / (2.0 * omega * (shape @ inertia @ shape)))
    centred = _centred(inertia)
    back = np.linalg.inv(centred)
    shares = (centred @ shape) ** 2 * np.abs(np.diag(back.T @ inertia @ back))
    return Mode(2.0 * np.pi / omega, ratio, shape / shape[np.abs(shape).argmax()], shares / shares.sum(), "")


def _centred(inertia: np.ndarray) -> np.ndarray:
    """(6N, 6N) that turns motions of the reference points into those of the centres of inertia, the water's with it."""
    matrix = np.eye(len(inertia))
    for at in range(0, len(inertia), 6):
        M = inertia[at : at + 6, at : at + 6]
        lever = M[:3, 3:] / np.diag(M)[:3, None]
        x, y, z = ((lever[i, j] - lever[j, i]) / 2.0 for i, j in ((1, 2), (2, 0), (0, 1)))
        matrix[at : at + 3, at + 3 : at + 6] = -cross(np.array([x, y, z]))
    return matrix


def _named(modes: list[Mode], bodies: Sequence[str]) -> list[Mode]:
    """Each by its leading motion, in the order of bodies and motions; those of one motion by how much they are it."""
    named: list[Mode] = []
    for i in sorted({int(mode.shares.argmax()) for mode in modes}):
        name = DOFS[i % 6]
        if len(modes[0].shares) > 6:
            name += f" of {bodies[i // 6] if bodies else f'body {i // 6 + 1}'}"
        led = sorted((mode for mode in modes if mode.shares.argmax() == i), key=lambda mode: -mode.shares[i])
        named += [replace(one, motion=f"{name} ({k})" if k > 1 else name) for k, one in enumerate(led, 1)]
    return named


def paired(modes: Sequence[Mode], others: Sequence[Mode], inertia: np.ndarray) -> list[tuple[Mode | None, Mode | None]]:
    """Modes of one list beside those of another that are most like them, each once; alone where none is half alike.

    Alike is the square of the overlap of two shapes by inertia: 1 for one shape, 0 for shapes across each other.
    """
    first, second = (_normalised([mode.shape for mode in each], inertia) for each in (modes, others))
    alike = (second @ inertia @ first.T) ** 2
    found: dict[int, int] = {}
    for flat in np.argsort(-alike, axis=None, kind="stable"):
        k, i = divmod(int(flat), len(modes))
        if alike[k, i] > 0.5 and k not in found and i not in found.values():
            found[k] = i
    rows: list[tuple[Mode | None, Mode | None]] = [
        (modes[found[k]] if k in found else None, other) for k, other in enumerate(others)
    ]
    return rows + [(one, None) for i, one in enumerate(modes) if i not in found.values()]


def _normalised(shapes: np.ndarray | list[np.ndarray], inertia: np.ndarray) -> np.ndarray:
    """(k, 6N): shapes, one a row, with a modal mass of 1."""
    rows = np.array(shapes).reshape(-1, len(inertia))
    modal = np.einsum("ki,ij,kj->k", rows, inertia, rows)
    return np.asarray(rows / np.sqrt(np.abs(modal))[:, None])


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
