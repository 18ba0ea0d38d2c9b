"""Coefficients between their frequencies and headings: straight lines of the complex number."""

from __future__ import annotations

import math

import numpy as np

from .coefficients import CoefficientError

NEAR = math.radians(5.0)
"""Directions that one heading alone may stand for, either side."""


class MissingHeading(CoefficientError):
    """A wave that comes from where there are no data."""

    def __init__(self, known: np.ndarray, wanted: float) -> None:
        span = f"{math.degrees(known[0]):.4g}"
        span += f" to {math.degrees(known[-1]):.4g}" if len(known) > 1 else ""
        super().__init__(
            f"a wave runs towards {math.degrees(wanted):.4g} deg in the floater's axes, and there are coefficients for "
            f"{span} deg only; compute that heading too, or turn the waves (direction_deg) or the floater"
        )


def at_frequencies(known: np.ndarray, table: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Rows of a table (heading, frequency, ...) at other frequencies: held below the data, nothing above."""
    i = np.clip(np.searchsorted(known, omega) - 1, 0, max(len(known) - 2, 0))
    if len(known) == 1:
        return np.asarray(table[:, np.zeros(len(omega), int)])
    share = np.clip((omega - known[i]) / (known[i + 1] - known[i]), 0.0, 1.0)[:, None]
    between = (1.0 - share) * table[:, i] + share * table[:, i + 1]
    return np.where((omega > known[-1] * (1 + 1e-9))[:, None], 0.0, between)


def at_headings(known: np.ndarray, table: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """From (heading, wave, ...) to (wave, ...) at the heading of each wave, which must lie within the data."""
    turn = 2 * math.pi
    if len(known) == 1:
        apart = np.abs((beta - known[0] + math.pi) % turn - math.pi)
        if apart.max(initial=0.0) > NEAR + 1e-9:
            raise MissingHeading(known, float(beta[int(apart.argmax())]))
        return np.asarray(table[0])
    whole = known[-1] - known[0] > turn - 1.5 * np.diff(known).max()
    first = known[0]
    at = first + (beta - first + 1e-9) % turn - 1e-9
    if whole:
        known = np.append(known, first + turn) if known[-1] - first < turn - 1e-6 else known
        table = np.concatenate([table, table[:1]]) if len(table) < len(known) else table
    elif at.max(initial=first) > known[-1] + 1e-6:
        raise MissingHeading(known, float(beta[int(at.argmax())]))
    i = np.clip(np.searchsorted(known, at, side="right") - 1, 0, len(known) - 2)
    share = np.clip((at - known[i]) / (known[i + 1] - known[i]), 0.0, 1.0)[:, None]
    wave = np.arange(len(beta))
    return np.asarray((1.0 - share) * table[i, wave] + share * table[i + 1, wave])
