"""A spar and a semi-submersible by coefficients: responses, decay and an irregular sea, in time and in frequency."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import expm

from fairlead.floaters.frequency import natural_modes, responses
from fairlead.sea.waves import wave_components
from fairlead.simulate import simulate
from fairlead.studies.verification.platforms import SEMI, SPAR, Platform, afloat, amplitude, body, made
from fairlead.studies.verification.record import Record

FREQUENCY = "the coefficients in the frequency domain, X/(C + K - ω²(M + A) + iωB)"
MODES = "natural modes with A and B of their own frequency"
DAMPED = "linear oscillators with A and B of the mode's frequency"
SUM = "sum of the responses to the waves of the same sea"
MOTIONS = {"surge": 0, "heave": 2, "pitch": 4}
BOUNDS = {
    "spar": {"surge": 0.003, "heave": 0.003, "pitch": 0.003}, "semi": {"surge": 0.005, "heave": 0.005, "pitch": 0.01},
}  # fmt: skip
WAVES = {"spar": (0.3, 0.4, 0.52, 0.8, 1.2), "semi": (0.28, 0.5, 0.64, 0.92, 1.08)}
HEIGHT = 0.02


def check() -> Iterator[Record]:
    for platform in (SPAR, SEMI):
        yield from in_regular_waves(platform)
        yield from let_go(platform)
        yield from in_a_sea(platform)
        yield from by_its_past(platform)


def in_regular_waves(platform: Platform) -> Iterator[Record]:
    """Errors are those of the complex response, over its size or a twentieth of the motion's largest."""
    _, floater = made(platform)
    K = np.diag(platform.mooring)
    peak = np.abs(responses(floater, np.linspace(0.25, 1.3, 200), 0.0, K)).max(axis=0)
    for omega in WAVES[platform.name]:
        period = 2.0 * np.pi / omega
        step = period / round(period / 0.1)
        waves = {"kind": "regular", "height": HEIGHT, "period": period, "ramp": 60 * period}
        result = simulate(afloat({"p": body([platform], 0)}, step, 150 * period, waves))
        known = responses(floater, np.array([omega]), 0.0, K)[0]
        for motion, i in MOTIONS.items():
            found = amplitude(result[f"p.{motion}"].values, result["time"].values, omega, 40) / (0.5 * HEIGHT)
            size = max(abs(known[i]), 0.05 * peak[i])
            name = f"{platform.name} in waves of {omega:g} rad/s, {motion}, error of the complex response"
            yield Record.absolute(name, FREQUENCY, abs(found - known[i]) / size, 0.0, BOUNDS[platform.name][motion])


def let_go(platform: Platform) -> Iterator[Record]:
    """Let go in the shape of each of its modes."""
    _, floater = made(platform)
    for mode in natural_modes(floater, np.diag(platform.mooring)):
        if mode.motion not in ("surge", "heave", "pitch"):
            continue
        start = 0.01 * mode.shape
        displaced = [*start[:3], *np.degrees(start[3:])]
        one = body([platform], 0) | {"displaced": displaced}
        step = mode.period / round(mode.period / 0.2)
        result = simulate(afloat({"p": one}, step, 4 * mode.period + 10 * step))
        signal = result[f"p.{mode.motion}"].values
        times, heights = peaks(signal * np.sign(signal[0]), step)
        name = f"{platform.name} let go in {mode.motion}"
        yield Record.relative(f"{name}, period", MODES, float(times[2] - times[0]) / 2.0, mode.period, 0.005)
        i = MOTIONS[mode.motion]
        linear = free_motion(platform, 2.0 * np.pi / mode.period, start, step, len(signal))[:, i]
        _, known = peaks(linear * np.sign(linear[0]), step)
        wanted = float(known[2] / known[0])
        yield Record.absolute(f"{name}, third peak over the first", DAMPED, heights[2] / heights[0], wanted, 0.02)


def by_its_past(platform: Platform) -> Iterator[Record]:
    """Let go in surge, heave and pitch together: the integral over the past against the poles that are fitted."""
    start = [0.1, 0.0, 0.1, 0.0, 0.1, 0.0]
    found = []
    for radiation in ("state_space", "convolution"):
        one = body([platform], 0) | {"displaced": start, "radiation": radiation}
        result = simulate(afloat({"p": one}, 0.1, 120.0))
        found.append(np.array([result[f"p.{motion}"].values for motion in MOTIONS]))
    for k, motion in enumerate(MOTIONS):
        error = float(np.abs(found[1][k] - found[0][k]).max() / np.abs(found[0][k]).max())
        name = f"{platform.name} let go, {motion}, radiation by convolution beside poles, over the largest motion"
        yield Record.absolute(name, "the fitted poles", error, 0.0, 0.005)


def free_motion(platform: Platform, omega: float, start: np.ndarray, step: float, count: int) -> np.ndarray:
    """Displacements (count, 6) of the platform let go, with the added mass and damping of one frequency."""
    _, floater = made(platform)
    data = floater.coefficients
    inverse = np.linalg.inv(floater.mass + data.added_mass_at(omega))
    rates = np.zeros((12, 12))
    rates[:6, 6:] = np.eye(6)
    rates[6:, :6] = -inverse @ (floater.restoring + np.diag(platform.mooring))
    rates[6:, 6:] = -inverse @ (data.damping_at(omega) + floater.damping)
    onward, found = expm(step * rates), [np.concatenate([start, np.zeros(6)])]
    for _ in range(count - 1):
        found.append(onward @ found[-1])
    return np.array(found)[:, :6]


def peaks(signal: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights of upper peaks after the start, by parabolas."""
    i = np.flatnonzero((signal[1:-1] > signal[:-2]) & (signal[1:-1] >= signal[2:])) + 1
    a, b, c = signal[i - 1], signal[i], signal[i + 1]
    shift = 0.5 * (a - c) / (a - 2 * b + c)
    return step * (i + shift), b - 0.25 * (a - c) * shift


def in_a_sea(platform: Platform) -> Iterator[Record]:
    """The motions of an irregular sea, against the sum of what each of its waves does."""
    _, floater = made(platform)
    waves = {"kind": "jonswap", "significant_height": 0.6, "peak_period": 12.0, "components": 60, "ramp": 600.0}
    system = afloat({"p": body([platform], 0)}, 0.1, 3000.0, waves)
    result = simulate(system)
    t = result["time"].values
    kept = t > 1800.0
    rows = wave_components(system.environment)
    H = responses(floater, rows[:, 3], 0.0, np.diag(platform.mooring))
    turning = rows[:, 0, None] * np.exp(1j * (rows[:, 3, None] * t[kept] - rows[:, 4, None]))
    for motion, i in MOTIONS.items():
        known = (H[:, i] @ turning).real
        found = result[f"p.{motion}"].values[kept]
        name = f"{platform.name} in an irregular sea, {motion}, standard deviation"
        yield Record.relative(name, SUM, float(found.std()), float(known.std()), 0.005)
