"""Tension over time and along each cable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results.peaks import tension_extreme
from fairlead.results.strength import Strength
from fairlead.words import number

from .events import mark_events
from .histories import CableHistory, cable_histories, instant_labels, snapshot_samples
from .limits import draw_limit
from .style import (
    FAINT,
    INK,
    PALETTE,
    in_house_style,
    legend_below,
    legend_beside,
    marker_for,
    new_figure,
    panel_area,
    plain,
    scale_for,
    short,
    time_colours,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OTHERS = "#b4bec7"
DASHES = (0, (4, 1.5))
ENDS = (("-", INK), (DASHES, "white"))


@in_house_style
def tension_history(dataset: xr.Dataset) -> Figure:
    """Effective tension over time: the largest anywhere in each cable, and that at both ends of each cable.

    Of many cables those with the largest tensions have a colour of their own; the others stay grey behind them. Dotted
    lines mark ends that were released or parted, and landings.
    """
    from matplotlib.lines import Line2D

    cables = cable_histories(dataset)
    times = dataset["time"].values
    divisor, unit = _tension_scale(cables)
    colours = _colours(cables)
    figure = new_figure(dataset, "Effective tension over time", 11.0, 7.0)
    longest = max((len(short(name)) for name in colours), default=0)
    right = max(1.55, 0.85 + 0.075 * longest)
    grid = figure.add_gridspec(2, 1, hspace=0.26, **panel_area(figure, left=0.85, right=right, below=0.52))
    whole = figure.add_subplot(grid[0])
    ends = figure.add_subplot(grid[1], sharex=whole)
    marker = marker_for(len(times))
    for cable in cables:
        colour = colours.get(cable.name)
        style: dict[str, Any] = {"color": colour, "zorder": 3} if colour else {"color": OTHERS, "lw": 0.8, "zorder": 2}
        whole.plot(times, _peak(cable) / divisor, marker=marker, **style)
        ends.plot(times, cable.end_tension(0) / divisor, marker=marker, ls="-", **style)
        ends.plot(times, cable.end_tension(1) / divisor, marker=marker, mfc="white", ls=DASHES, **style)
    _mark_largest(whole, dataset, cables, times, divisor, unit)
    _draw_least_breaking_load(whole, dataset, cables, times, divisor, unit)
    whole.set_title("Largest in each cable")
    ends.set_title("At the ends of each cable")
    whole.tick_params(labelbottom=False)
    ends.set_xlabel("time (s)")
    for axes in (whole, ends):
        axes.set_ylabel(f"tension ({unit})")
        axes.margins(x=0.01 if len(times) > 1 else 0.1)
        _start_at_zero(axes)
    mark_events(dataset, ends, [whole])
    figure.align_ylabels()
    handles = [Line2D([], [], lw=2, color=colour) for colour in colours.values()]
    labels = [short(name) for name in colours]
    if len(cables) > len(colours):
        handles.append(Line2D([], [], lw=1, color=OTHERS))
        labels.append(f"{len(cables) - len(colours)} others")
    legend_beside(whole, handles, labels)
    either = [Line2D([], [], color=INK, ls=style, marker=marker, mfc=face) for style, face in ENDS]
    legend_beside(ends, either, ["at its start", "at its end"])
    return figure


@in_house_style
def tension_along(dataset: xr.Dataset, instants: Sequence[float] | None = None) -> Figure:
    """Effective tension along each cable: its range and mean over the run, and at ``instants`` (s; by default six)."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    cables = cable_histories(dataset)
    samples = snapshot_samples(dataset, instants)
    colours = time_colours(len(samples))
    divisor, unit = _tension_scale(cables)
    columns = min(len(cables), 2 if len(cables) <= 4 else 3 if len(cables) <= 9 else 4)
    rows = -(-len(cables) // columns)
    height = 2.5 + (2.9 if rows <= 2 else 2.3) * rows
    figure = new_figure(dataset, "Effective tension along each cable, over the run and at instants", 11.0, height)
    area = panel_area(figure, left=0.85, right=0.25, below=0.95)
    grid = figure.add_gridspec(rows, columns, wspace=0.10, hspace=0.34, **area)
    first: Axes | None = None
    for k, cable in enumerate(cables):
        axes = figure.add_subplot(grid[k // columns, k % columns], sharey=first)
        first = first or axes
        _draw_along(axes, cable, samples, colours, divisor)
        _draw_breaking_load(axes, dataset, k, cable, divisor, unit)
        axes.set_title(plain(short(cable.name)))
        if k % columns == 0:
            axes.set_ylabel(f"tension ({unit})")
        else:
            axes.tick_params(labelleft=False)
        if k + columns >= len(cables):
            axes.set_xlabel(f"{'unstretched distance ' if columns <= 2 else ''}from {cable.origin} (m)")
    if first is not None:
        _start_at_zero(first)
    handles: list[Any] = [Patch(color=PALETTE[5], alpha=0.35, lw=0), Line2D([], [], color=INK, lw=2.2)]
    handles += [Line2D([], [], color=colour) for colour in colours]
    labels = ["least to largest of the run", "mean of the run", *instant_labels(dataset["time"].values[samples])]
    legend_below(figure, handles, labels, min(len(handles), 8))
    return figure


def _draw_along(axes: Axes, cable: CableHistory, samples: Any, colours: list[Any], divisor: float) -> None:
    seen = np.isfinite(cable.tension).any(axis=0)
    arc, tension = cable.arc_length[seen], cable.tension[:, seen] / divisor
    low, high = np.nanmin(cable.low[:, seen], axis=0) / divisor, np.nanmax(cable.high[:, seen], axis=0) / divisor
    mean = np.nanmean(tension, axis=0)
    axes.fill_between(arc, low, high, color=PALETTE[5], alpha=0.30, lw=0, zorder=1)
    for edge in (low, high):
        axes.plot(arc, edge, color=PALETTE[5], lw=0.8, zorder=1.5)
    for sample, colour in zip(samples, colours, strict=True):
        axes.plot(arc, tension[sample], color=colour, lw=1.1, zorder=2)
    axes.plot(arc, mean, color=INK, lw=2.2, zorder=3)
    axes.margins(x=0.01)


def _draw_least_breaking_load(
    axes: Axes, dataset: xr.Dataset, cables: list[CableHistory], times: Any, divisor: float, unit: str
) -> None:
    """The breaking load of the cable that comes nearest to its own."""
    loads = [Strength.of(dataset, i).breaking for i in range(len(cables))]
    known = [(float(np.nanmin(load)), c) for load, c in zip(loads, cables, strict=True) if np.isfinite(load).any()]
    if not known:
        return
    least, cable = min(known, key=lambda one: one[0] / max(float(np.nanmax(one[1].high, initial=0.0)), 1e-300))
    largest = max(float(np.nanmax(c.high, initial=0.0)) for c in cables)
    words = plain(f"breaking load of {short(cable.name)} {number(least / divisor)} {unit}")
    draw_limit(axes, times, np.full(len(times), least / divisor), largest / divisor, words, words)


def _draw_breaking_load(
    axes: Axes, dataset: xr.Dataset, i: int, cable: CableHistory, divisor: float, unit: str
) -> None:
    """What the cable can bear, where its types say so."""
    breaking = Strength.of(dataset, i).breaking / divisor
    if np.isfinite(breaking).any():
        name = f"breaking load {number(float(np.nanmin(breaking)))} {unit}"
        draw_limit(axes, cable.arc_length, breaking, float(np.nanmax(cable.high, initial=0.0)) / divisor, name, name)


def _mark_largest(
    axes: Axes, dataset: xr.Dataset, cables: list[CableHistory], times: Any, divisor: float, unit: str
) -> None:
    """Point out the largest tension of the run, with its place."""
    most = max(
        filter(None, (tension_extreme(dataset, i, largest=True) for i in range(len(cables)))),
        key=lambda found: float(found["value"]),
        default=None,
    )
    if most is None:
        return
    value, time = most["value"] / divisor, most["time"]
    axes.plot(time, value, "o", ms=5, color=INK, mec="white", mew=0.8, zorder=5)
    late = time > 0.5 * (times[0] + times[-1])
    place = f"{short(most['cable'])}, {number(most['arc_length'])} m from {most['from']}"
    text = f"{number(value)} {unit} at {number(time, 5)} s in {place}"
    axes.annotate(
        plain(text),
        (time, value),
        xytext=(-4 if late else 4, 7),
        textcoords="offset points",
        ha="right" if late else "left",
        fontsize=8.5,
        color=INK,
    )
    low, high = axes.get_ylim()
    axes.set_ylim(low, max(high, value + 0.16 * (value - min(0.0, low))))


def _peak(cable: CableHistory) -> Any:
    """Largest tension anywhere in the cable, (time,), NaN where none of it is out."""
    filled = np.where(np.isfinite(cable.high), cable.high, -np.inf).max(axis=1)
    return np.where(np.isfinite(filled), filled, np.nan)


def _start_at_zero(axes: Axes) -> None:
    """Show zero tension: from there a reader judges slack and the size of variations."""
    low, high = axes.get_ylim()
    if low > 0.0:
        axes.set_ylim(0.0, high)
    else:
        axes.axhline(0.0, color=FAINT, lw=0.9, zorder=1)


def _tension_scale(cables: list[CableHistory]) -> tuple[float, str]:
    return scale_for([np.nanmax(np.abs(c.high)) for c in cables if np.isfinite(c.high).any()], "N")


def _colours(cables: list[CableHistory]) -> dict[str, str]:
    """A colour for each cable, or for those with the largest tensions if there are more cables than colours."""
    peaks = [np.nanmax(c.tension) if np.isfinite(c.tension).any() else -np.inf for c in cables]
    foremost = sorted(np.argsort(peaks)[::-1][: len(PALETTE)])
    return {cables[i].name: colour for i, colour in zip(foremost, PALETTE, strict=False)}
