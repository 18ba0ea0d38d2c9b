"""A measured history of the surface as a sum of regular waves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NOTHING = 1e-6
"""Part of the highest wave below which a wave is left out."""


def fourier_series(rows: Sequence[tuple[float, float]], shortest: float) -> tuple[Floats, Floats, Floats]:
    """a [m], ω [rad/s] and φ of η = Σ a cos(ωt + φ) through a record of rows (t, η), each (n,).

    The record is read at equal steps, as many as it has rows, and goes on after its last step as it began: its waves
    have the periods T/j of its length T. Its mean is left out, and so are waves of periods below `shortest` [s].
    """
    none = np.zeros(0)
    if len(rows) < 2:
        return none, none, none
    t, height = np.array(rows, dtype=float).T
    step = (t[-1] - t[0]) / (len(t) - 1)
    even = np.interp(t[0] + step * np.arange(len(t)), t, height)
    parts = np.fft.rfft(even - even.mean()) * (2.0 / len(even))
    omega = 2.0 * math.pi * np.fft.rfftfreq(len(even), step)
    if len(even) % 2 == 0:
        parts[-1] *= 0.5
    kept = (omega > 0.0) & (omega <= 2.0 * math.pi / shortest * (1.0 + 1e-9))
    kept &= np.abs(parts) > NOTHING * np.abs(parts).max(initial=0.0)
    return np.abs(parts[kept]), omega[kept], np.angle(parts[kept]) - omega[kept] * t[0]
