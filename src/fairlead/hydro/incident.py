"""The incident wave as a floater's water sees it: surface and flow with all derivatives the equations ask for.

A wave is a sum of harmonics on water of depth h,

    η = Σ aᵢ cos θᵢ,   φ = Σ bᵢ Cᵢ(z) sin θᵢ,   Cᵢ = cosh κᵢ(z + h) / cosh κᵢh,   θᵢ = kᵢ·x − ωᵢt + δᵢ,  κᵢ = |kᵢ|,

so one class serves a linear wave (one term), a linear irregular sea (one term a component) and a steady wave of any
order (Stokes, Fenton: κᵢ = iκ, ωᵢ = iω). φ solves Laplace's equation and the condition at the bed exactly; how well the
conditions at the surface hold is a matter of the amplitudes.

A ramp r(t) = s²(3 − 2s), s = t/T, may start it from rest, as that of the sea does: r multiplies η and φ, and enters all
time derivatives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.model.waves import wavenumber
from fairlead.sea.fenton import fenton
from fairlead.sea.steady_wave import SteadyWave, check_breaking
from fairlead.sea.stokes import stokes

PHI, PHI_T, GRAD, GRAD_T, HESSIAN = 0, 1, 2, 5, 8
"""Columns of the compiled flow: φ, φ_t, ∇φ (3), ∇φ_t (3), φ_xx φ_xy φ_xz φ_yy φ_yz φ_zz."""
COLUMNS = 14
_FULL = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])


@dataclass(frozen=True)
class IncidentWave:
    """A sum of harmonics; the arrays are (terms,)."""

    elevation: np.ndarray
    """a, m."""
    potential: np.ndarray
    """b, m²/s."""
    kx: np.ndarray
    ky: np.ndarray
    """Components of k, rad/m."""
    frequency: np.ndarray
    """ω, rad/s."""
    phase: np.ndarray
    """δ, rad."""
    depth: float
    """h, m; may be infinite."""
    gravity: float = 9.81
    bernoulli: float = 0.0
    """B of φ_t + ½|∇φ|² + gη = B on the surface, m²/s²; zero for linear waves."""
    ramp: float = 0.0
    """T, s; 0 for a wave that is there from the start."""

    def surface(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """η, η_t, η_x, η_y at places (n,), each (n,) [m, m/s, –, –]."""
        x, y = _flat(x), _flat(y)
        out = np.empty((4, len(x)))
        r, rate, _ = self.ramped(t)
        _surface(float(t), x, y, *self._terms, r, rate, out)
        return out[0], out[1], out[2], out[3]

    def flow(self, t: float, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> dict[str, np.ndarray]:
        """The flow at places (n,): `phi` (n,), `phi_t` (n,), `grad` (n, 3), `grad_t` (n, 3), `hessian` (n, 3, 3).

        `phi_t` has the constant of Bernoulli's equation taken off, so that the pressure is
        −ρ(φ_t + ½|∇φ|² + gz), nothing at the surface of an exact wave.
        """
        x, y, z = _flat(x), _flat(y), _flat(z)
        out = np.empty((len(x), COLUMNS))
        r, rate, _ = self.ramped(t)
        _flow(float(t), x, y, z, *self._terms, self.potential, self.depth, r, rate, r * r * self.bernoulli, out)
        return {
            "phi": out[:, PHI],
            "phi_t": out[:, PHI_T],
            "grad": out[:, GRAD : GRAD + 3],
            "grad_t": out[:, GRAD_T : GRAD_T + 3],
            "hessian": out[:, HESSIAN:][:, _FULL],
        }

    def ramped(self, t: float) -> tuple[float, float, float]:
        """Ramp, its rate [1/s] and the rate of that [1/s²]."""
        if self.ramp <= 0.0 or t >= self.ramp:
            return 1.0, 0.0, 0.0
        if t <= 0.0:
            return 0.0, 0.0, 0.0
        s = t / self.ramp
        return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / self.ramp, (6.0 - 12.0 * s) / self.ramp**2

    @property
    def steepest(self) -> tuple[float, float]:
        """Wavenumber [rad/m] and frequency [rad/s] of the term of largest elevation."""
        if len(self.elevation) == 0:
            return 0.0, 0.0
        i = int(np.argmax(np.abs(self.elevation)))
        return float(math.hypot(self.kx[i], self.ky[i])), float(self.frequency[i])

    @property
    def wavelength(self) -> float:
        """Of the term of largest elevation, m; infinite for still water."""
        k, _ = self.steepest
        return 2.0 * math.pi / k if k > 0.0 else math.inf

    @property
    def period(self) -> float:
        """Of the term of largest elevation, s; infinite for still water."""
        _, w = self.steepest
        return 2.0 * math.pi / w if w > 0.0 else math.inf

    @property
    def amplitude(self) -> float:
        """Half the distance from trough to crest of a regular wave; √2 σ of an irregular one, m."""
        if len(self.elevation) == 0:
            return 0.0
        _, w = self.steepest
        regular = np.allclose(self.frequency, w * np.arange(1, len(self.frequency) + 1))
        if regular:
            odd = self.elevation[::2]
            return float(np.abs(odd.sum()))
        return float(math.sqrt(np.sum(self.elevation**2)))

    @property
    def symmetric(self) -> bool:
        """Whether the plane y = 0 is a plane of symmetry: all terms travel along ±x."""
        return bool(np.all(np.abs(self.ky) <= 1e-12 * (np.hypot(self.kx, self.ky) + 1e-300)))

    @property
    def _terms(self) -> tuple[np.ndarray, ...]:
        return self.elevation, self.kx, self.ky, self.frequency, self.phase


def still(depth: float, gravity: float = 9.81) -> IncidentWave:
    """No wave at all."""
    none = np.zeros(0)
    return IncidentWave(none, none, none, none, none, none, float(depth), gravity)


def airy(
    amplitude: float,
    frequency: float,
    depth: float,
    gravity: float = 9.81,
    direction_deg: float = 0.0,
    phase: float = 0.0,
    ramp: float = 0.0,
) -> IncidentWave:
    """The linear wave η = A cos(κs − ωt + δ), s along its direction; φ = (Ag/ω) C(z) sin(κs − ωt + δ)."""
    return components([amplitude], [frequency], depth, gravity, [direction_deg], [phase], ramp)


def components(
    amplitude: np.ndarray | list[float],
    frequency: np.ndarray | list[float],
    depth: float,
    gravity: float = 9.81,
    direction_deg: np.ndarray | list[float] | float = 0.0,
    phase: np.ndarray | list[float] | float = 0.0,
    ramp: float = 0.0,
) -> IncidentWave:
    """A linear irregular sea: the sum of linear waves, one a component."""
    a, w = np.atleast_1d(np.asarray(amplitude, dtype=float)), np.atleast_1d(np.asarray(frequency, dtype=float))
    k = np.array([wavenumber(float(one), depth, gravity) for one in w])
    beta = np.radians(np.broadcast_to(np.asarray(direction_deg, dtype=float), a.shape))
    delta = np.array(np.broadcast_to(np.asarray(phase, dtype=float), a.shape))
    kx, ky = k * np.cos(beta), k * np.sin(beta)
    ky[np.abs(ky) < 1e-15 * k] = 0.0
    return IncidentWave(a, a * gravity / w, kx, ky, w, delta, float(depth), gravity, 0.0, float(ramp))


def steady(wave: SteadyWave, direction_deg: float = 0.0, phase: float = 0.0, ramp: float = 0.0) -> IncidentWave:
    """A steady wave of any order, its crest at x = y = 0 at t = 0 when `phase` is zero."""
    j = np.arange(1.0, len(wave.elevation) + 1)
    beta = math.radians(direction_deg)
    along = np.array([math.cos(beta), math.sin(beta)])
    along[np.abs(along) < 1e-15] = 0.0
    return IncidentWave(
        wave.elevation, wave.potential, j * wave.wavenumber * along[0], j * wave.wavenumber * along[1],
        j * wave.frequency, j * phase, float(wave.depth), wave.gravity, wave.bernoulli, float(ramp),
    )  # fmt: skip


def regular(
    theory: str,
    height: float,
    period: float,
    depth: float,
    gravity: float = 9.81,
    direction_deg: float = 0.0,
    phase: float = 0.0,
    ramp: float = 0.0,
) -> IncidentWave:
    """A regular wave by the theory `airy`, `stokes2`, `stokes5` or `fenton`; one that breaks is refused."""
    if theory == "airy":
        omega = 2.0 * math.pi / period
        check_breaking(height, wavenumber(omega, depth, gravity), depth)
        return airy(0.5 * height, omega, depth, gravity, direction_deg, phase, ramp)
    if theory == "fenton":
        return steady(fenton(height, period, depth, gravity), direction_deg, phase, ramp)
    order = {"stokes2": 2, "stokes5": 5}.get(theory)
    if order is None:
        raise ValueError(f"unknown wave theory '{theory}'; there are: airy, stokes2, stokes5, fenton")
    return steady(stokes(order, height, period, depth, gravity), direction_deg, phase, ramp)


def _flat(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x, dtype=float).ravel()


@entry
def _surface(t, x, y, a, kx, ky, w, delta, r, rate, out):
    """η, η_t, η_x, η_y, (4, n)."""
    for p in range(x.shape[0]):
        eta, eta_t, eta_x, eta_y = 0.0, 0.0, 0.0, 0.0
        for i in range(a.shape[0]):
            theta = kx[i] * x[p] + ky[i] * y[p] - w[i] * t + delta[i]
            c, s = a[i] * math.cos(theta), a[i] * math.sin(theta)
            eta += c
            eta_t += w[i] * s
            eta_x -= kx[i] * s
            eta_y -= ky[i] * s
        out[0, p], out[1, p], out[2, p], out[3, p] = r * eta, r * eta_t + rate * eta, r * eta_x, r * eta_y


@entry
def _flow(t, x, y, z, a, kx, ky, w, delta, b, depth, r, rate, head, out):
    """The columns `PHI` … `HESSIAN`, (n, 14)."""
    for p in range(x.shape[0]):
        for j in range(COLUMNS):
            out[p, j] = 0.0
        for i in range(a.shape[0]):
            u, v = kx[i], ky[i]
            k = math.sqrt(u * u + v * v)
            up, fade = math.exp(k * z[p]), math.exp(-2.0 * k * (z[p] + depth))
            full = 1.0 + math.exp(-2.0 * k * depth)
            C, S = up * (1.0 + fade) / full, up * (1.0 - fade) / full
            theta = u * x[p] + v * y[p] - w[i] * t + delta[i]
            s, c = b[i] * math.sin(theta), b[i] * math.cos(theta)
            out[p, 0] += C * s
            out[p, 1] -= w[i] * C * c
            out[p, 2] += u * C * c
            out[p, 3] += v * C * c
            out[p, 4] += k * S * s
            out[p, 5] += w[i] * u * C * s
            out[p, 6] += w[i] * v * C * s
            out[p, 7] -= w[i] * k * S * c
            out[p, 8] -= u * u * C * s
            out[p, 9] -= u * v * C * s
            out[p, 10] += u * k * S * c
            out[p, 11] -= v * v * C * s
            out[p, 12] += v * k * S * c
            out[p, 13] += k * k * C * s
        out[p, 1] = r * out[p, 1] + rate * out[p, 0] - head
        for j in range(3):
            out[p, 5 + j] = r * out[p, 5 + j] + rate * out[p, 2 + j]
            out[p, 2 + j] *= r
        for j in range(8, 14):
            out[p, j] *= r
        out[p, 0] *= r
