"""The course of a lift: tension at the winch, line out and the height of the load, with what happens marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ResultError, seabed_of

from .lifts import Lift, lifts
from .style import BED, FAINT, INK, PALETTE, WATER, in_house_style, new_figure, panel_area, plain, scale_for, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 3  # lifts in one figure


@in_house_style
def lift(dataset: xr.Dataset) -> Figure:
    """Tension at the winch, line out and height of the load over time, a column for each cable on a winch.

    Marked: when the load crosses the mean surface, when it lands, slack spells, the largest tension.
    """
    found = lifts(dataset)[:MOST]
    if not found:
        raise ResultError("the result has no cable on a winch, which the figure lift shows")
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    bed = seabed_of(dataset)
    figure = new_figure(dataset, "The course of the lift", 11.0, 7.6)
    area = panel_area(figure, left=0.95, right=0.3, below=0.52)
    grid = figure.add_gridspec(3, len(found), hspace=0.24, wspace=0.26, height_ratios=(1.5, 0.8, 1.0), **area)
    for column, one in enumerate(found):
        tension, length, height = (figure.add_subplot(grid[row, column]) for row in range(3))
        _draw_tension(tension, one, times)
        tension.set_title(plain(short(one.cable) + (f" with {short(one.load)}" if one.load else "")))
        out = one.length if one.length is not None else np.full_like(times, np.nan)
        length.plot(times, out, color=PALETTE[0])
        length.set_ylabel("line out (m)")
        height.plot(times, one.height, color=PALETTE[0])
        height.axhline(0.0, color=WATER, lw=1.2)
        if bed is not None and bed.slope == (0.0, 0.0):
            height.axhline(-bed.depth, color=BED, lw=1.4)
        height.set_ylabel("end of the wire, z (m)")
        height.set_xlabel("time (s)")
        for axes in (tension, length, height):
            _mark_events(axes, one, times)
            axes.margins(x=0.01)
            axes.tick_params(labelbottom=axes is height)
    figure.align_ylabels()
    return figure


def crossings(times: NDArray[np.float64], height: NDArray[np.float64]) -> list[float]:
    """When a load passes the mean surface, s."""
    over = height > 0.0
    return [
        float(times[i] + (times[i + 1] - times[i]) * height[i] / (height[i] - height[i + 1]))
        for i in np.flatnonzero(over[1:] != over[:-1])
        if np.isfinite(height[i : i + 2]).all()
    ]


def _draw_tension(axes: Axes, one: Lift, times: NDArray[np.float64]) -> None:
    divisor, unit = scale_for(one.tension, "N")
    axes.plot(times, one.tension / divisor, color=INK, lw=1.2)
    axes.axhline(one.tension_mean / divisor, color=FAINT, lw=1.0, ls=(0, (4, 2)))
    most = one.tension_max
    axes.plot(most.time, most.value / divisor, "o", ms=5, color=PALETTE[1], mec="white", zorder=5)
    late = most.time > 0.5 * (times[0] + times[-1])
    axes.annotate(
        f"{most.value / divisor:.4g} {unit}",
        (most.time, most.value / divisor),
        xytext=(-6 if late else 6, 4),
        textcoords="offset points",
        ha="right" if late else "left",
        fontsize=9,
    )
    for start, end in one.slack:
        axes.axvspan(start, max(end, start + 1e-3 * np.ptp(times)), color=PALETTE[1], alpha=0.35, lw=0)
    axes.set_ylabel(f"tension at the winch ({unit})")
    axes.set_ylim(min(0.0, float(np.nanmin(one.tension)) / divisor), 1.12 * most.value / divisor)


def _mark_events(axes: Axes, one: Lift, times: NDArray[np.float64]) -> None:
    first = bool(axes.get_ylabel().startswith("tension"))
    events = [(time, "surface", WATER) for time in crossings(times, one.height)[:4]]
    if one.landing is not None:
        events.append((one.landing.time, f"lands at {one.landing.value:.2g} m/s", BED))
    for time, words, colour in events:
        axes.axvline(time, color=colour, lw=1.2, ls=(0, (2, 2)), zorder=1)
        if first:
            axes.text(time, 0.94, f" {words}", color=colour, fontsize=8.5, transform=axes.get_xaxis_transform())
