"""Packs: eight members of an ensemble that one thread computes together, a number of each side by side.

The arrays of a pack are (number, lane), and `Schema.pack` gives them the names that `Schema.view` gives the arrays of
one member. A kernel reads and writes rows of a pack as it does rows of one system; what it gets is a number of every
member (`lanes`), and with `where` and `any_lane` for its decisions the same source serves one member and eight. Counts,
settings and whole numbers are the same for all members; so are tables that are SHARED, which have single numbers.

What is rare, or full of decisions, is done lane by lane:

    for k in range(lane_count(sys)):
        drive_points(t, 0, u, lane_of(sys, k))

where `lane_of` is one member as a system of its own; of an array of a pack it is the array of that member. For a system
that is no pack there is one lane, which is itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .lanes import WIDTH

ALIGNED = 64
"""Bytes: no number of a pack then lies on two lines of the processor's memory."""


def lane_count(sys: Any) -> int:
    """How many members a system is."""
    return 1


def lane_of(sys: Any, k: int) -> Any:
    """Member k of it."""
    return sys


def pack_array(size: int) -> np.ndarray:
    """Zeros, (number, lane)."""
    spare = np.zeros(size * WIDTH * 8 + ALIGNED, dtype=np.uint8)
    first = -spare.ctypes.data % ALIGNED
    return spare[first : first + size * WIDTH * 8].view(np.float64).reshape(size, WIDTH)
