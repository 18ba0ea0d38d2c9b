"""Linear waves: which regular waves a sea is made of, and how the water under them moves.

    η = Σ a cos θ,  θ = kx x + ky y − ωt + phase,  ω² = g k tanh(kh)

Every sea grows from still water at t = 0 over its ramp r(t), so that velocity is r u and acceleration r ∂u/∂t + r′ u.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import WIDTH, alike, any_lane, lanes, step_of_lanes, total_of, where
from fairlead.algebra.recorded import numbers
from fairlead.algebra.trigonometry import powers_of_e, sines_cosines
from fairlead.model import Environment, JonswapWaves
from fairlead.model.seas import ComponentWaves, RecordWaves, SpectrumWaves
from fairlead.model.waves import wavenumber

AMPLITUDE, KX, KY, OMEGA, PHASE, NUMBER, ECHO, SPEED, COSINE, SINE = range(10)
"""Columns of the regular waves, the longest first: amplitude, wave number (kx, ky), ω, phase, k, e^(−2kh), the orbital
speed aω/(1 − e^(−2kh)), kx/k, ky/k. A place by itself takes eight waves at a time, for which waves of no amplitude make
the last eight full; eight places take one."""

FADED = 12.0
"""A wave is not felt where k times the depth is more than this: e^-12 of it is left."""

_LOWEST, _HIGHEST = 0.4, 5.0
"""Band of frequencies kept of a spectrum, over its peak frequency."""


def wave_components(environment: Environment) -> np.ndarray:
    """Rows [amplitude (m), kx, ky (1/m), ω (rad/s), phase (rad)] of the regular waves of a sea, (n, 5)."""
    trains = [_train(train, index, environment) for index, (_, train) in enumerate(environment.trains)]
    return np.concatenate([np.zeros((0, 5)), *trains])


def _train(waves: Any, index: int, environment: Environment) -> np.ndarray:
    """The rows of one train, (n, 5); `index` is its place among the trains of the sea."""
    place = (0.0, 0.0)
    if isinstance(waves, ComponentWaves):
        amplitude, period, angle, phase = np.array(waves.table).T
        omega, angle, phase = 2 * math.pi / period, np.radians(angle), np.radians(phase)
    elif isinstance(waves, RecordWaves):
        amplitude, omega, ahead = waves.series
        angle, phase, place = np.full(len(omega), math.radians(waves.direction_deg)), -ahead, waves.position
    elif isinstance(waves, JonswapWaves | SpectrumWaves):
        amplitude, omega, phase, angle = _irregular(waves, index)
        angle = angle + math.radians(waves.direction_deg)
    else:
        amplitude, omega = numbers([0.5 * waves.height]), np.array([2 * math.pi / waves.period])
        phase, angle = np.array([math.radians(waves.phase_deg)]), np.full(1, math.radians(waves.direction_deg))
    k = np.array([wavenumber(w, environment.depth, environment.gravity) for w in omega])
    kx, ky = k * np.cos(angle), k * np.sin(angle)
    return np.column_stack([amplitude, kx, ky, omega, phase - kx * place[0] - ky * place[1]])


def jonswap(omega: np.ndarray, peak: float, gamma: float) -> np.ndarray:
    """Shape of the JONSWAP spectrum over ω [rad/s]: ω⁻⁵ exp(−5/4 (ω_p/ω)⁴) γ^b, not scaled."""
    ratio = omega / peak
    width = np.where(ratio <= 1, 0.07, 0.09)
    bump = np.exp(-0.5 * ((ratio - 1) / width) ** 2)
    return np.asarray(ratio**-5 * np.exp(-1.25 * ratio**-4) * gamma**bump)


def _irregular(
    waves: JonswapWaves | SpectrumWaves, index: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Amplitude, ω, phase and angle from the main direction of the regular waves of an irregular sea.

    The spectrum is cut into bands of equal energy; each has one wave, whose frequency is drawn from the energy within
    it, so that the sea does not repeat itself. Trains of one seed draw numbers of their own.
    """
    random = np.random.default_rng([waves.seed, index] if index else waves.seed)
    count = waves.components
    if isinstance(waves, SpectrumWaves):
        given, values = np.array(waves.table).T
        grid = np.linspace(given[0], given[-1], 4001)
        density, height = np.interp(grid, given, values), waves.main_height
    else:
        peak, height = 2 * math.pi / waves.peak_period, waves.significant_height
        grid = peak * np.linspace(_LOWEST, _HIGHEST, 4001)
        density = jonswap(grid, peak, waves.gamma)
    energy = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(grid) * (density[1:] + density[:-1]))])
    share = (np.arange(count) + random.random(count)) / count
    omega = np.interp(share * energy[-1], energy, grid)
    amplitude = numbers([height / 4 * math.sqrt(2 / count)] * count)
    phase = random.uniform(0, 2 * math.pi, count)
    angle = np.zeros(count)
    if waves.spreading is not None:
        fan = np.linspace(-math.pi, math.pi, 2001)
        spread = np.cumsum(np.cos(fan / 2) ** (2 * waves.spreading))
        angle = np.interp(random.random(count) * spread[-1], spread, fan)
    return amplitude, omega, phase, angle


def wave_columns(environment: Environment) -> np.ndarray:
    """The regular waves of a sea as the kernels read them, (10, n), the longest first, n a multiple of eight."""
    rows = wave_components(environment)
    k = np.hypot(*rows[:, 1:3].astype(float).T)
    echo = np.exp(-2 * k * float(environment.depth))
    speed = rows[:, 0] * rows[:, 3] / (1 - echo)
    columns = np.vstack([rows.T, k, echo, speed, rows[:, 1] / k, rows[:, 2] / k])[:, np.argsort(k, kind="stable")]
    columns = np.pad(columns, [(0, 0), (0, -len(k) % WIDTH)], mode="edge" if len(k) else "constant")
    columns[[AMPLITUDE, SPEED], len(k) :] = 0.0
    return np.asarray(columns)


@kernel
def growth(t, ramp):
    """Share of the waves that is there at t, and its rate [1/s]: none at t = 0, all after `ramp`."""
    if t <= 0.0:
        return 0.0, 0.0
    if t >= ramp:
        return 1.0, 0.0
    s = t / ramp
    return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / ramp


@inlined
def phases(t, x, y, at, count, sea):
    """θ of the eight waves that stand at `at` in each of the columns, which are `count` long."""
    along = lanes(sea, at + KX * count) * x + lanes(sea, at + KY * count) * y
    return along - lanes(sea, at + OMEGA * count) * t + lanes(sea, at + PHASE * count)


@kernel
def wave_elevation(t, x, y, first, count, sea):
    """Σ a cos θ of the waves whose columns begin at `first` [m]."""
    surface = alike(0.0)
    for at in range(first, first + count, step_of_lanes(sea)):
        _, c = sines_cosines(phases(t, x, y, at, count, sea))
        surface += lanes(sea, at) * c
    return total_of(surface, sea)


@kernel
def wave_surface(t, x, y, first, count, sea):
    """Σ a cos θ [m], its rate Σ a ω sin θ [m/s] and its slopes −Σ a kx sin θ and −Σ a ky sin θ."""
    surface, rate, slope_x, slope_y = alike(0.0), alike(0.0), alike(0.0), alike(0.0)
    for at in range(first, first + count, step_of_lanes(sea)):
        s, c = sines_cosines(phases(t, x, y, at, count, sea))
        amplitude = lanes(sea, at)
        surface += amplitude * c
        s *= amplitude
        rate += lanes(sea, at + OMEGA * count) * s
        slope_x -= lanes(sea, at + KX * count) * s
        slope_y -= lanes(sea, at + KY * count) * s
    return total_of(surface, sea), total_of(rate, sea), total_of(slope_x, sea), total_of(slope_y, sea)


@inlined
def is_felt(z, at, count, sea):
    """Whether the eight waves from `at` on in each column are felt at the level z ≤ 0: the longest of them is."""
    return not (sea[at + NUMBER * count] * z < -FADED)


@inlined
def with_eight(sums, t, x, y, z, near, at, count, sea):
    """Sums of velocity and acceleration at the level z with the eight waves from `at` on, in the lanes that are `near`.

    u = a ω cosh k(z+h)/sinh kh cos θ along the wave, w = a ω sinh k(z+h)/sinh kh sin θ; with e = e^(kz) and
    E = e^(−2kh) the two ratios are (e ± E/e)/(1 − E), which no depth makes overflow.
    """
    u, v, w, du, dv, dw = sums
    for i in range(at, at + WIDTH, step_of_lanes(sea)):
        s, c = sines_cosines(phases(t, x, y, i, count, sea))
        e, back = powers_of_e(lanes(sea, i + NUMBER * count) * z)
        echo = lanes(sea, i + ECHO * count) * back
        speed, omega = where(near, lanes(sea, i + SPEED * count), alike(0.0)), lanes(sea, i + OMEGA * count)
        ahead_x, ahead_y = lanes(sea, i + COSINE * count), lanes(sea, i + SINE * count)
        along, up = speed * (e + echo), speed * (e - echo)
        u += ahead_x * (along * c)
        v += ahead_y * (along * c)
        w += up * s
        along *= omega
        du += ahead_x * (along * s)
        dv += ahead_y * (along * s)
        dw -= omega * (up * c)
    return u, v, w, du, dv, dw


@inlined
def no_sums():
    """Sums of velocity and acceleration before the first wave."""
    return alike(0.0), alike(0.0), alike(0.0), alike(0.0), alike(0.0), alike(0.0)


@inlined
def totals(sums, sea):
    """Velocity (3) and acceleration (3)."""
    u, v, w, du, dv, dw = sums
    return (
        (total_of(u, sea), total_of(v, sea), total_of(w, sea)),
        (total_of(du, sea), total_of(dv, sea), total_of(dw, sea)),
    )


@kernel
def wave_flow(t, x, y, z, first, count, sea):
    """Velocity (3) and local acceleration (3) of the water at the level z ≤ 0 of linear theory."""
    sums = no_sums()
    for at in range(first, first + count, WIDTH):
        near = is_felt(z, at, count, sea)
        if not any_lane(near):
            break
        sums = with_eight(sums, t, x, y, z, near, at, count, sea)
    return totals(sums, sea)


@kernel
def wave_flows(t, p, level1, q, level2, first, count, sea):
    """`wave_flow` below two places at levels of their own."""
    one = wave_flow(t, p[0], p[1], level1, first, count, sea)
    return one, wave_flow(t, q[0], q[1], level2, first, count, sea)
