"""What a cable can bear, as lines in figures: breaking load and least bend radius."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .style import FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIMIT = "#b3261e"
IN_VIEW = 3.0
"""A limit of more than so many times the largest value is told in words: its line would flatten the curve."""


def draw_limit(
    axes: Axes, along: NDArray[np.float64], limit: NDArray[np.float64], largest: float, name: str, words: str
) -> None:
    """Draw a limit (node,) along a cable or over time as a dashed line, or say it where it is far above the curve.

    name   of the limit, on its line
    words  the limit in words, where it has no line
    """
    known = np.isfinite(limit)
    if not known.any() or not largest > 0.0:
        return
    seen = known & (limit <= IN_VIEW * largest)
    if not seen.any():
        axes.text(
            0.995, 1.015, words, transform=axes.transAxes, ha="right", va="bottom", fontsize=7.5, color=FAINT, zorder=6
        )  # fmt: skip
        return
    axes.plot(along, np.where(seen, limit, np.nan), color=LIMIT, lw=1.2, ls=(0, (5, 2)), zorder=5)
    at = int(np.flatnonzero(seen)[-1])
    axes.annotate(
        name, (along[at], limit[at]), xytext=(-2, 2), textcoords="offset points", ha="right", va="bottom",
        fontsize=7.5, color=LIMIT, zorder=6,
    )  # fmt: skip
    low, high = axes.get_ylim()
    axes.set_ylim(low, max(high, 1.15 * float(limit[seen].max())))
