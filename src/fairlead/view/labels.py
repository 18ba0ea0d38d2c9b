"""Names of axes, and names beside points, as many as fit without covering each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .style import plain, short

AXIS_LABELS = ("x, north (m)", "y, west (m)", "z, up (m)")
FONT_SIZE = 9.0  # points
WIDTH_PER_LETTER = 0.68 * FONT_SIZE  # points, bold letters on average
GAP = 5.0  # points between a point and its name


Box = tuple[float, float, float, float]
"""Left, right, bottom and top of a text on the page, pixels."""


def covered(box: Box, others: Sequence[Box]) -> bool:
    """Whether a text would cover one of others."""
    return any(box[0] < b[1] and b[0] < box[1] and box[2] < b[3] and b[2] < box[3] for b in others)


def label_points(axes: Any, places: NDArray[np.float64], names: Sequence[str]) -> list[Box]:
    """Write names beside ``places``, (point, 2), or (point, 3) in a view in space, whose limits are already set.

    Returns where they stand. A name near the right edge goes to the left of its point; one that would cover another is
    left out.
    """
    from matplotlib.patheffects import withStroke

    pixel = axes.figure.dpi / 72.0
    right_edge = axes.bbox.x1
    taken: list[Box] = []
    for place, name, (x, y) in zip(places, names, on_page(axes, places), strict=True):
        text = short(name)
        width, height = WIDTH_PER_LETTER * len(text) * pixel, 1.3 * FONT_SIZE * pixel
        leftward = x + GAP * pixel + width > right_edge
        start = x - GAP * pixel - width if leftward else x + GAP * pixel
        box = (start, start + width, y, y + height)
        if covered(box, taken):
            continue
        taken.append(box)
        axes.annotate(
            plain(text),
            _flat(axes, place[None, :])[0],
            xytext=(-GAP if leftward else GAP, 4),
            textcoords="offset points",
            ha="right" if leftward else "left",
            fontsize=FONT_SIZE,
            fontweight="bold",
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
            zorder=6,
            annotation_clip=False,
        )
    return taken


def _flat(axes: Any, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places in the flat coordinates of the panel, (point, 2): in space, after projection."""
    if places.shape[1] == 2:
        return places
    from mpl_toolkits.mplot3d.proj3d import proj_transform

    return np.column_stack(proj_transform(*places.T, axes.get_proj())[:2])


def on_page(axes: Any, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places on the page, (point, 2), pixels."""
    axes.apply_aspect()
    return np.asarray(axes.transData.transform(_flat(axes, places)))
