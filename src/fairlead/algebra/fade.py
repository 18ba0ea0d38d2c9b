"""How motions and waves begin from rest: a share that grows smoothly from 0 to 1."""

from __future__ import annotations

from .compiled import kernel


@kernel
def fade(s):
    """r = s³(10 − 15s + 6s²) and its first two derivatives for s from 0 to 1; 0 before, 1 after.

    The first and the second derivative are zero at both ends: neither velocities nor accelerations jump.
    """
    if s <= 0.0:
        return 0.0, 0.0, 0.0
    if s >= 1.0:
        return 1.0, 0.0, 0.0
    left = s * (1.0 - s)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * left * left, 60.0 * left * (1.0 - 2.0 * s)
