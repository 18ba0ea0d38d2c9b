"""Eight numbers side by side: one to four instructions of the processor make a sum or product of them all.

For long sums over constants whose columns lie one behind the other in an array, such as the waves of a sea: then
`lanes(array, at)` are eight of them. And for eight members of an ensemble that are computed together (`packs`): then
every number of a kernel is one of each member, and what differs between members is decided by

    where(c, a, b)     a in the lanes where c holds, b in the others; numbers, or tuples of them
    any_lane(c)        whether c holds in any lane: `if any_lane(c):` goes before work that few lanes need
    all_lanes(c)       whether it holds in all of them
    common(x)          a number that is the same in all lanes, such as a count or a law, which a plain `if` may ask for

In a kernel for one member c is true or false, and they are `a if c else b`, c, c and x. In Python lanes are arrays of
eight, so that the same functions run uncompiled; what compiled code makes of them is in `lane_types` and `mask_types`.
"""

from __future__ import annotations

from typing import Any

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


ROUND = 1.5 * 2.0**52
"""Added to a number it leaves nothing behind the point; the last bits of the sum are the nearest whole number."""


def counted(x: np.ndarray, per: float) -> np.ndarray:
    """ROUND and the whole numbers nearest to x·per, below 2⁵¹ in size."""
    return np.asarray(np.round(x * per) + ROUND)


def quarter_turned(s: np.ndarray, c: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of the angle that is n − ROUND quarter turns more than that of s and c."""
    odd, half = np.mod(n - ROUND, 2) == 1, np.mod(n - ROUND, 4) >= 2
    sine, cosine = np.where(odd, c, s), np.where(odd, -s, c)
    return np.where(half, -sine, sine), np.where(half, -cosine, cosine)


def half_turned(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """x with the other sign where n − ROUND is odd: sine or cosine of the angle that is so many half turns more."""
    return np.where(np.mod(n - ROUND, 2) == 1, -x, x)


def times_power_of_two(x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """x·2ⁿ of a whole n + ROUND, where neither is too small or too large for a number of full precision."""
    return np.asarray(np.ldexp(x, np.asarray(n - ROUND, dtype=np.int64)))


def at_least(x: np.ndarray, least: float) -> np.ndarray:
    """The larger of x and a number; NaN stays NaN."""
    return np.asarray(np.maximum(x, least))


def where(c: Any, a: Any, b: Any) -> Any:
    """a where c holds, else b."""
    if isinstance(c, np.ndarray):
        return tuple(where(c, x, y) for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else np.where(c, a, b)
    return a if c else b


def any_lane(c: Any) -> bool:
    """Whether c holds in any lane."""
    return bool(np.any(c))


def all_lanes(c: Any) -> bool:
    """Whether c holds in all lanes."""
    return bool(np.all(c))


def common(x: Any) -> Any:
    """What all lanes have alike."""
    return x[0] if isinstance(x, np.ndarray) else x


def pick(x: Any, k: int) -> Any:
    """Number, or tuple of numbers, of lane k."""
    if isinstance(x, tuple):
        return tuple(pick(one, k) for one in x)
    return x[k] if isinstance(x, np.ndarray) else x


def placed(x: Any, k: int, value: Any) -> Any:
    """x with `value` in lane k."""
    if isinstance(x, tuple):
        return tuple(placed(one, k, number) for one, number in zip(x, value, strict=True))
    if not isinstance(x, np.ndarray):
        return value
    found = x.copy()
    found[k] = value
    return found


def like(x: Any, number: Any) -> Any:
    """A number in as many lanes as x has."""
    return np.full(len(x), number) if isinstance(x, np.ndarray) else number


def step_of_lanes(array: np.ndarray) -> int:
    """How many columns of an array `lanes` takes: eight; in a pack one, of eight members."""
    return WIDTH


def total_of(x: np.ndarray, array: np.ndarray) -> Any:
    """Sum of what `lanes` of an array has made: of the eight; in a pack each member has its own."""
    return total(x)


ROOM = 512
"""How often eight numbers can be kept in a `room`: 32 kB."""


def room() -> np.ndarray:
    """Memory for eight numbers, ROOM times, that a kernel has while it runs: what one of its loops finds for a later
    one."""
    return np.empty((ROOM, WIDTH))


def keep(within: np.ndarray, k: int, numbers: np.ndarray) -> None:
    """Write the k-th eight numbers of a room."""
    within[k] = numbers


def kept(within: np.ndarray, k: int) -> np.ndarray:
    """The k-th eight numbers of a room."""
    return np.asarray(within[k])


def from_bits(x: Any, offset: float, factor: float) -> Any:
    """The number whose bits, read as a whole number, are offset − factor times those of x."""
    bits = np.asarray(x, dtype=np.float64).view(np.int64)
    return np.asarray(offset - factor * bits.astype(np.float64)).astype(np.int64).view(np.float64)[()]
