"""A hanging chain that swings in a run: its first three frequencies against the zeros of Bessel's function."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import j0, jn_zeros

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

LENGTH, ELEMENTS, GRAVITY = 20.0, 20, 9.81  # m, 1, m/s2
ANGLE = 0.01  # rad
DURATION = 200.0  # s
SOURCE = "hanging chain, (j0k / 2) sqrt(g / L), zeros of J0"


def exact_frequencies(count: int = 3) -> np.ndarray:
    """First angular frequencies (count,) of a chain without bending stiffness, rad/s."""
    zeros: np.ndarray = 0.5 * jn_zeros(0, count) * np.sqrt(GRAVITY / LENGTH)
    return zeros


def swinging_frequencies(step: float) -> np.ndarray:
    """First three angular frequencies (3,) rad/s of the motion, let go as a straight line slightly inclined.

    The motion of the nodes is projected on each mode's shape; the frequency is where the windowed Fourier integral of
    that series is largest.
    """
    tip = [LENGTH * np.sin(ANGLE), 0.0, -LENGTH * np.cos(ANGLE)]
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {"chain": {"diameter": 0.01, "mass_per_length": 5.0, "axial_stiffness": 1e7}},
            "points": {"top": {"kind": "fixed", "position": [0, 0, 0]}, "tip": {"kind": "free", "position": tip}},
            "cables": {
                "chain": {"type": "chain", "length": LENGTH, "elements": ELEMENTS, "start": "top", "end": "tip"}
            },
            "simulation": {"start": "catenary", "duration": DURATION, "step": step, "output_every": 0.1},
        }
    )
    result = simulate(system)
    time, sideways = result["time"].values, result["position"].values[:, 0, :, 0]
    height = np.maximum(0.0, 1.0 - result["arc_length"].values[0] / LENGTH)
    weight = np.ones(ELEMENTS + 1)
    weight[[0, -1]] = 0.5
    window = np.hanning(len(time))
    found = []
    for zero, near in zip(jn_zeros(0, 3), exact_frequencies(), strict=True):
        series = window * (sideways @ (weight * j0(zero * np.sqrt(height))))

        def weakness(omega: float, series: np.ndarray = series) -> float:
            return -float(np.abs(np.sum(series * np.exp(-1j * omega * time))))

        peak = minimize_scalar(weakness, bounds=(0.97 * near, 1.03 * near), method="bounded", options={"xatol": 1e-9})
        found.append(peak.x)
    return np.array(found)


def check() -> Iterator[Record]:
    """The first three frequencies of 20 bars."""
    pairs = zip(swinging_frequencies(0.005), exact_frequencies(), (2e-4, 3e-3, 1.1e-2), strict=True)
    for number, (found, exact, bound) in enumerate(pairs, start=1):
        yield Record.relative(f"hanging chain, frequency {number} from a run, 20 bars", SOURCE, found, exact, bound)
