"""Quick estimates in linear mode: added mass, damping, excitation and response of a hull at one wave frequency.

Runs in time on the mean position, read off by harmonic analysis of their last periods: forced motion for added mass
and damping, a fixed hull in a wave of unit amplitude for the excitation. With all six degrees of freedom of one hull:

    (−ω²(M + A) − iω(B + B_p) + K) X = F,    x = Re X e^{−iωt}, crest of the wave at the hull's x = 0 at t = 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.model.waves import wavenumber

from .hulls import Hull
from .incident import IncidentWave, airy, still
from .mechanism import Moved
from .panels import Floats
from .surface import FreeSurface, absorbing
from .surface_mesh import SurfaceMesh, disc, rings_about
from .water import Water

RAMP_PERIODS = 3.0
READ_PERIODS = 2


@dataclass(frozen=True)
class Setting:
    """The water and how finely it is cut; the defaults keep errors of a sphere near 1 %."""

    depth: float | None = None
    """m; None for deep water."""
    density: float = 1025.0
    gravity: float = 9.81
    symmetric: bool = True
    """Use the plane of symmetry y = 0 of hull and wave."""
    radius: float = 2.0
    """Of the free surface, in wave lengths; absorbed from half of it on."""
    columns: int = 32
    """Panels round the middle of the free surface over a submerged hull."""
    inner: float | None = None
    """Size of the panels over a submerged hull, m; from the hull when left out."""
    outer: float = 0.13
    """Largest panels of the free surface, in wave lengths."""
    periods: int = 14
    """Length of a run."""
    steps: int = 40
    """Steps a period."""


@dataclass(frozen=True)
class Coefficients:
    """What the water does to one hull at one frequency."""

    omega: float
    """rad/s."""
    added_mass: Floats
    """A (6, 6), kg, kg m, kg m²; columns of motions that were not asked for are NaN."""
    damping: Floats
    """B (6, 6), N s/m and so on."""
    excitation: np.ndarray
    """F (6,) complex, N/m, N: for a wave of 1 m; F e^{−iωt}."""

    def response(self, mass: Floats, stiffness: Floats, damping: Floats, dofs: Sequence[int]) -> np.ndarray:
        """X (len(dofs),) complex, m/m or rad/m, with these matrices (6, 6) and all other degrees of freedom held."""
        at = np.ix_(list(dofs), list(dofs))
        w = self.omega
        Z = -(w**2) * (mass + self.added_mass)[at] - 1j * w * (damping + self.damping)[at] + stiffness[at]
        return np.asarray(np.linalg.solve(Z, self.excitation[list(dofs)]))


def basin(hull: Hull, place: Floats, omega: float, setting: Setting, mechanism: object, wave: IncidentWave) -> Water:
    """Water in linear mode round one hull, its free surface made for waves of that frequency."""
    depth = math.inf if setting.depth is None else setting.depth
    length = 2.0 * math.pi / wavenumber(omega, depth, setting.gravity)
    _, line = hull.placed(place)
    mesh = surface_mesh(hull, place, line, length, setting)
    if setting.symmetric:
        hull, mesh = hull.halved(), mesh.halved()
    centre = (float(place[0]), float(place[1]))
    radius = setting.radius * length
    damping = absorbing(mesh.at(), 0.5 * radius, radius, omega, centre)
    surface = FreeSurface(mesh, damping, gravity=setting.gravity, symmetric=setting.symmetric, linear=True)
    return Water(surface, [hull], mechanism, wave, density=setting.density, depth=setting.depth)  # type: ignore[arg-type]


def surface_mesh(hull: Hull, place: Floats, line: Floats, length: float, setting: Setting) -> SurfaceMesh:
    """Of radius `setting.radius` wave lengths round a hull: rings from its waterline, or a disc over it."""
    centre = (float(place[0]), float(place[1]))
    radius = setting.radius * length
    if hull.piercing:
        return rings_about(line, centre, radius, setting.outer * length)
    reach = float(np.abs(hull.rigid.vertices[:, :2]).max())
    inner = setting.inner or min(0.8 * length / setting.columns, 16.0 * reach / setting.columns)
    return disc(centre, radius, setting.columns, inner, setting.outer * length)


def coefficients(
    hull: Hull, place: Floats, omega: float, dofs: Sequence[int], setting: Setting | None = None
) -> Coefficients:
    """A, B and F of a hull at rest at `place`; dofs: translations 0, 1, 2 (surge, sway, heave) to be moved."""
    setting = setting or Setting()
    place = np.asarray(place, dtype=float)
    A, B = np.full((6, 6), np.nan), np.full((6, 6), np.nan)
    for dof in dofs:
        A[:, dof], B[:, dof] = radiation(hull, place, omega, dof, setting)
    return Coefficients(omega, A, B, excitation(hull, place, omega, setting))


def radiation(hull: Hull, place: Floats, omega: float, dof: int, setting: Setting) -> tuple[Floats, Floats]:
    """Columns of A and B (6,) for one translation: the hull is moved as ramp · sin ωt and the force read off."""
    if dof not in (0, 1, 2):
        raise ValueError(f"degree of freedom {dof}: surge 0, sway 1 and heave 2 can be forced")
    if setting.symmetric and dof == 1:
        raise ValueError("sway needs symmetric=False: it has no plane of symmetry y = 0")
    ramp = RAMP_PERIODS * 2.0 * math.pi / omega
    axis = np.eye(3)[dof]

    def path(t: float) -> tuple[Floats, Floats, Floats]:
        x, v, a = ramped_sine(t, omega, ramp)
        return place + x * axis, v * axis, a * axis

    depth = math.inf if setting.depth is None else setting.depth
    water = basin(hull, place, omega, setting, Moved(path), still(depth, setting.gravity))
    force = harmonic(water, omega, setting, lambda y: np.zeros(0))[0]
    # x = sin ωt = Re(i e^{−iωt}); F = −A ẍ − B ẋ gives F̂ = (ω²A + iωB) i
    transfer = force / 1j
    return np.real(transfer) / omega**2, np.imag(transfer) / omega


def excitation(hull: Hull, place: Floats, omega: float, setting: Setting) -> np.ndarray:
    """F (6,) on the fixed hull in a wave of unit amplitude along x."""
    depth = math.inf if setting.depth is None else setting.depth
    wave = airy(1.0, omega, depth, setting.gravity, ramp=RAMP_PERIODS * 2.0 * math.pi / omega)
    nothing = np.zeros(3)
    water = basin(hull, place, omega, setting, Moved(lambda t: (place, nothing, nothing)), wave)
    return harmonic(water, omega, setting, lambda y: np.zeros(0))[0]


def harmonic(
    water: Water, omega: float, setting: Setting, watch: Callable[[Floats], Floats]
) -> tuple[np.ndarray, np.ndarray]:
    """Run, then complex amplitudes F̂ (6,) of the force on the first hull and of `watch(state)`: Re F̂ e^{−iωt}."""
    dt = 2.0 * math.pi / omega / setting.steps
    y, forces, watched, times = water.initial_state(), [], [], []
    total = setting.periods * setting.steps
    for i in range(total):
        y = water.step(i * dt, y, dt)
        if i >= total - READ_PERIODS * setting.steps:
            forces.append(water.stage((i + 1) * dt, y).forces[0])
            watched.append(watch(y))
            times.append((i + 1) * dt)
    wheel = np.exp(1j * omega * np.array(times))
    return 2.0 * np.mean(wheel[:, None] * forces, axis=0), 2.0 * np.mean(wheel[:, None] * watched, axis=0)


def ramped_sine(t: float, omega: float, ramp: float) -> tuple[float, float, float]:
    """r(t) sin ωt with r = sin²(πt/2T) up to t = T, and its two derivatives."""
    s, c = math.sin(omega * t), math.cos(omega * t)
    if t >= ramp:
        return s, omega * c, -(omega**2) * s
    q = math.pi / ramp
    r, r1, r2 = math.sin(0.5 * q * t) ** 2, 0.5 * q * math.sin(q * t), 0.5 * q * q * math.cos(q * t)
    return r * s, r1 * s + r * omega * c, r2 * s + 2.0 * r1 * omega * c - r * omega**2 * s
