"""Natural modes: each in the plane in which it moves, at both ends of its swing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .histories import cable_histories
from .style import FAINT, INK, PALETTE, in_house_style, legend_below, new_figure, panel_area

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 12
COLUMNS = 3
AMPLITUDE = 0.08
"""Drawn amplitude as a fraction of the picture's width."""
UP = np.array([0.0, 0.0, 1.0])


@in_house_style
def mode_shapes(dataset: xr.Dataset) -> Figure:
    """The modes of a Dataset that has ``frequency``, ``motion`` and ``mode_shape`` along ``mode``, slowest first."""
    from matplotlib.lines import Line2D

    count = min(dataset.sizes["mode"], MOST_PANELS)
    rows = -(-count // COLUMNS)
    left_out = dataset.sizes["mode"] - count
    subject = "Natural modes about the static equilibrium" + (f" (the slowest {count})" if left_out else "")
    figure = new_figure(dataset, subject, 11.0, 2.1 + 2.6 * rows)
    area = panel_area(figure, left=0.75, right=0.2, below=0.62)
    grid = figure.add_gridspec(rows, COLUMNS, wspace=0.28, hspace=0.55, **area)
    cables = [cable.position[0] for cable in cable_histories(dataset)]
    for k in range(count):
        axes = figure.add_subplot(grid[k // COLUMNS, k % COLUMNS])
        moved = [dataset["mode_shape"].values[k, i, : len(nodes)] for i, nodes in enumerate(cables)]
        _draw(axes, cables, moved, str(dataset["motion"].values[k]))
        frequency, period = float(dataset["frequency"].values[k]), float(dataset["period"].values[k])
        axes.set_title(f"{k + 1}: {frequency:.4g} Hz, {period:.4g} s, {dataset['motion'].values[k]}", fontsize=9)
    handles = [Line2D([], [], color=FAINT, lw=1.2), *(Line2D([], [], color=c, lw=1.8) for c in PALETTE[:2])]
    legend_below(figure, handles, ["at rest", "one end of the swing", "the other"], 3)
    return figure


def _draw(axes: Axes, cables: list[NDArray[np.float64]], moved: list[NDArray[np.float64]], motion: str) -> None:
    across, up, labels = _plane(np.concatenate(cables), np.concatenate(moved), motion)
    places = [np.column_stack([nodes @ across, nodes @ up]) for nodes in cables]
    swings = [np.column_stack([d @ across, d @ up]) for d in moved]
    everything = np.concatenate(places)
    size = float(np.ptp(everything, axis=0).max()) or 1.0
    largest = max(float(np.linalg.norm(s, axis=1).max()) for s in swings)
    reach = AMPLITUDE * size / largest if largest > 0.0 else 0.0
    for place, swing in zip(places, swings, strict=True):
        axes.plot(*place.T, color=FAINT, lw=1.2, zorder=2)
        for sign, colour in ((1, PALETTE[0]), (-1, PALETTE[1])):
            if reach:
                axes.plot(*(place + sign * reach * swing).T, color=colour, lw=1.6, zorder=3)
    if not reach:
        axes.text(0.5, 0.5, "twists in place", transform=axes.transAxes, ha="center", color=INK, fontsize=9)
    middle = 0.5 * (everything.min(axis=0) + everything.max(axis=0))
    half = 0.5 * np.maximum(np.ptp(everything, axis=0) + 2.2 * AMPLITUDE * size, 0.35 * size)
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    axes.set_xlabel(labels[0], fontsize=8, labelpad=1)
    axes.set_ylabel(labels[1], fontsize=8, labelpad=1)
    axes.tick_params(labelsize=7)
    axes.locator_params(nbins=5)


def _plane(
    nodes: NDArray[np.float64], moved: NDArray[np.float64], motion: str
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[str, str]]:
    """The two directions of a picture that shows a mode best, and what to write along them."""
    nodes, moved = nodes[np.isfinite(nodes).all(axis=1)], moved[np.isfinite(moved).all(axis=1)]
    spread = nodes[:, :2] - nodes[:, :2].mean(axis=0)
    straight_down = np.ptp(nodes[:, :2], axis=0).max() < 0.05 * max(float(np.ptp(nodes[:, 2])), 1e-9)
    level = moved[:, :2] if straight_down and np.abs(moved[:, :2]).max(initial=0.0) > 0.0 else spread
    along = _main_direction(level)
    if motion == "out of plane":
        return along, np.cross(UP, along), ("along (m)", "across, seen from above (m)")
    return along, UP, ("along (m)" if not straight_down else "sideways (m)", "z, up (m)")


def _main_direction(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The horizontal direction along which vectors (n, 2) are longest, pointing to positive x (or y)."""
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    x, y = directions[0]
    sign = -1.0 if (x if abs(x) > 1e-9 else y) < 0.0 else 1.0
    return sign * np.array([x, y, 0.0])
