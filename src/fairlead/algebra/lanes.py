"""Eight numbers side by side: one to four instructions of the processor make a sum or product of them all.

For long sums over constants whose columns lie one behind the other in an array, such as the waves of a sea: then
`lanes(array, at)` are eight of them. In Python they are arrays of eight, so that the same functions run uncompiled;
what compiled code makes of them is in `lane_types`.
"""

from __future__ import annotations

import numpy as np

WIDTH = 8
"""As many as the widest registers hold. Narrower ones take several, which keeps a processor busy that begins more than
one instruction at a time."""


def lanes(array: np.ndarray, at: int) -> np.ndarray:
    """Eight numbers of an array, from `at` on."""
    return array[at : at + WIDTH]


def alike(number: float) -> np.ndarray:
    """A number eight times."""
    return np.full(WIDTH, number)


def total(x: np.ndarray) -> float:
    """Sum of the eight."""
    return float(np.sum(x))


def whole(x: np.ndarray) -> np.ndarray:
    """The nearest whole numbers, below 2⁵¹ in size."""
    return np.round(x)


def quarter_turned(s: np.ndarray, c: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of the angle that is n quarter turns more than that of s and c."""
    odd, half = np.mod(n, 2) == 1, np.mod(n, 4) >= 2
    sine, cosine = np.where(odd, c, s), np.where(odd, -s, c)
    return np.where(half, -sine, sine), np.where(half, -cosine, cosine)


def times_power_of_two(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """x·2ⁿ of whole n, where neither is too small or too large for a number of full precision."""
    return np.asarray(np.ldexp(x, np.asarray(n, dtype=np.int64)))


def at_least(x: np.ndarray, least: float) -> np.ndarray:
    """The larger of x and a number; NaN stays NaN."""
    return np.asarray(np.maximum(x, least))
