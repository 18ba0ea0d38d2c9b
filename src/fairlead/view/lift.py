"""The course of a lift: tension at the winch, line out, elements, height and path of the load, events marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ResultError, seabed_of
from fairlead.words import number

from .lifts import Lift, lifts
from .style import BED, FAINT, INK, PALETTE, WATER, in_house_style, new_figure, panel_area, plain, scale_for, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 3  # lifts in one figure


@in_house_style
def lift(dataset: xr.Dataset) -> Figure:
    """Tension at the winch, line out, elements and height of the load over time, a column for each cable on a winch.

    Marked: when the load crosses the mean surface, when it lands and leaves the bed, slack spells, the largest tension.
    A single lift also shows the path of the load, seen from the side.
    """
    found = lifts(dataset)[:MOST]
    if not found:
        raise ResultError("the result has no cable on a winch, which the figure lift shows")
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    bed = seabed_of(dataset)
    figure = new_figure(dataset, "The course of the lift", 11.0, 8.4)
    area = panel_area(figure, left=0.95, right=0.3, below=0.52)
    single = len(found) == 1
    grid = figure.add_gridspec(
        4, 2 if single else len(found), hspace=0.24, wspace=0.26, height_ratios=(1.6, 0.8, 0.55, 1.0),
        width_ratios=(1.0, 0.28) if single else None, **area,
    )  # fmt: skip
    level = -bed.depth if bed is not None and bed.level else None
    for column, one in enumerate(found):
        tension, length, elements, height = (figure.add_subplot(grid[row, column]) for row in range(4))
        _draw_tension(tension, one, times)
        tension.set_title(plain(short(one.cable) + (f" with {short(one.load)}" if one.load else "")))
        out = one.length if one.length is not None else np.full_like(times, np.nan)
        length.plot(times, out, color=PALETTE[0])
        length.set_ylabel("line out (m)")
        elements.step(times, one.elements, where="post", color=PALETTE[0])
        elements.set_ylabel("elements")
        height.plot(times, one.height, color=PALETTE[0])
        height.set_ylabel("load, z (m)" if one.has_slings else "end of the wire, z (m)")
        height.set_xlabel("time (s)")
        _draw_levels(height, level)
        for axes in (tension, length, elements, height):
            _mark_events(axes, one, times)
            axes.margins(x=0.01)
            axes.tick_params(labelbottom=axes is height)
    if single:
        _draw_path(figure.add_subplot(grid[:, 1]), found[0], level)
    figure.align_ylabels()
    return figure


def _draw_levels(axes: Axes, bed: float | None) -> None:
    axes.axhline(0.0, color=WATER, lw=1.2)
    if bed is not None:
        axes.axhline(bed, color=BED, lw=1.4)


def _draw_path(axes: Axes, one: Lift, bed: float | None) -> None:
    """Path in the vertical plane in which it strays most from where it began: down in one colour, up in another."""
    away = one.path[:, :2] - one.path[0, :2]
    far = away[int(np.nanargmax(np.linalg.norm(away, axis=1)))]
    size = float(np.linalg.norm(far))
    along = away @ (far / size) if size > 0.0 else away[:, 0]
    lowest = int(np.nanargmin(one.height))
    axes.plot(along[lowest:], one.height[lowest:], color=PALETTE[1], lw=1.0, label="up")
    axes.plot(along[: lowest + 1], one.height[: lowest + 1], color=PALETTE[0], lw=1.2, label="down")
    _draw_levels(axes, bed)
    axes.set_title("Path")
    axes.set_xlabel("drift (m)")
    axes.set_ylabel("")
    if lowest < len(along) - 2:
        axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.94), handlelength=1.2)


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
        f"{number(most.value / divisor)} {unit}, DAF {number(one.daf, 3)}",
        (most.time, most.value / divisor),
        xytext=(-6 if late else 6, 0),
        textcoords="offset points",
        ha="right" if late else "left",
        fontsize=9,
    )
    for spells, colour in ((one.slack, PALETTE[1]), (one.loose, FAINT)):
        for start, end in spells:
            axes.axvspan(start, max(end, start + 1e-3 * np.ptp(times)), color=colour, alpha=0.25, lw=0)
    axes.set_ylabel(f"tension at the winch ({unit})")
    axes.set_ylim(min(0.0, float(np.nanmin(one.tension)) / divisor), 1.3 * most.value / divisor)


def _mark_events(axes: Axes, one: Lift, times: NDArray[np.float64]) -> None:
    first = bool(axes.get_ylabel().startswith("tension"))
    events = [(time, "surface", WATER) for time in crossings(times, one.height)[:4]]
    if one.landing is not None:
        events.append((one.landing.time, f"lands at {number(one.landing.value, 2)} m/s", BED))
    if one.lift_off is not None:
        events.append((one.lift_off, "leaves the bed", BED))
    whole = float(np.ptp(times))
    events.sort()
    for i, (time, words, colour) in enumerate(events):
        axes.axvline(time, color=colour, lw=1.2, ls=(0, (2, 2)), zorder=1)
        if first:
            ahead = events[i + 1][0] if i + 1 < len(events) else times[0] + 1.15 * whole
            late = ahead - time < 0.2 * whole and time - times[0] > 0.2 * whole  # no room for words before the next
            axes.text(
                time, 0.93 - 0.075 * (i % 2), f"{words} " if late else f" {words}", color=colour, fontsize=8.5,
                ha="right" if late else "left", transform=axes.get_xaxis_transform(),
            )  # fmt: skip
