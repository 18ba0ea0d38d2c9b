"""Where the crest of the unit wave is: phases moved from one place to another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairlead.model.waves import wavenumber

from .coefficients import Coefficients
from .soundness import require_sound


def wave_numbers(coefficients: Coefficients) -> np.ndarray:
    """k(ω) (nw,) of ω² = g k tanh kh, 1/m."""
    return np.array([wavenumber(w, coefficients.depth, coefficients.gravity) for w in coefficients.omega.tolist()])


def at_reference(coefficients: Coefficients, measured: np.ndarray | None = None) -> Coefficients:
    """Excitation whose crest is at `measured` (3,) (the origin when left out) as one whose crest is at each reference.

    X' = X e^{+ik·(x_reference - x_measured)}
    """
    require_sound(coefficients)
    origin = np.zeros(3) if measured is None else measured
    shifts = coefficients.reference[:, :2] - origin[:2]
    if not coefficients.has_excitation or not shifts.any():
        return coefficients
    k = wave_numbers(coefficients)
    direction = np.stack([np.cos(coefficients.headings), np.sin(coefficients.headings)], axis=1)
    along = direction @ shifts.T  # (nh, N)
    turn = np.exp(1j * k[None, :, None] * along[:, None, :])
    return replace(coefficients, excitation=coefficients.excitation * np.repeat(turn, 6, axis=2))
