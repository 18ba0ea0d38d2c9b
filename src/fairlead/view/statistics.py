"""Statistics of the tension at the ends of cables, as numbers and as a table."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results.peaks import since

from .histories import CableHistory, cable_histories
from .rainflow import rainflow
from .style import FAINT, PALETTE, in_house_style, new_figure, panel_area, plain, scale_for, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDS = ("start", "end")
MEASURES = {
    "mean": "mean tension",
    "std": "standard deviation of the tension",
    "min": "smallest tension of all steps",
    "max": "largest tension of all steps",
    "significant": "significant range: mean of the largest third of the ranges between crossings of the mean",
    "equivalent": "range that as many equal rainflow cycles would need for the same fatigue at exponent 3",
}
MOST_ROWS = 12
FATIGUE_EXPONENT = 3.0
ROUNDING = 1e-7
"""Ranges below this part of the largest tension are no cycles."""


def tension_statistics(dataset: xr.Dataset, after: float | None = None) -> xr.Dataset:
    """Statistics of the effective tension at both ends of each cable, from ``after`` (s) on.

    ``min`` and ``max`` are of every step, the others of the samples. Variables over (cable, end), in N: ``mean``,
    ``std``, ``min``, ``max``, ``significant`` (mean of the largest third of the ranges between upward crossings of the
    mean; 4 std for a narrow band) and ``equivalent`` (the damage-equivalent range, sum(n r^3) over the number of
    cycles, to the power 1/3); ``cycles`` is the rainflow count.
    """
    import xarray as xr

    dataset = since(dataset, after)
    cables = cable_histories(dataset)
    table = np.full((len(cables), len(ENDS), len(MEASURES) + 1), np.nan)
    for i, cable in enumerate(cables):
        for k in range(len(ENDS)):
            low, high = cable.end_tension(k, cable.low), cable.end_tension(k, cable.high)
            table[i, k] = _measures(cable.end_tension(k), low, high)
    attrs = {name: {"units": "N", "long_name": words} for name, words in MEASURES.items()}
    attrs["cycles"] = {"units": "1", "long_name": "number of rainflow cycles"}
    return xr.Dataset(
        {name: (("cable", "end"), table[..., j], words) for j, (name, words) in enumerate(attrs.items())},
        coords={"cable": [cable.name for cable in cables], "end": list(ENDS)},
    )


@in_house_style
def statistics(dataset: xr.Dataset, after: float | None = None) -> Figure:
    """A table of tension statistics of the most loaded ends, and how often which range of tension was reached."""
    numbers = tension_statistics(dataset, after)
    cables = cable_histories(dataset)
    rows = _most_loaded(numbers)
    divisor, unit = scale_for(numbers["max"].values, "N")
    since = "" if after is None else f" from {after:g} s on"
    lines = 0.27 * (len(rows) + 2)
    subject = f"Tension at the ends of cables{since}, in {unit}; significant and equivalent are ranges"
    figure = new_figure(dataset, subject, 11.0, 4.9 + lines)
    width, height = figure.get_size_inches()
    table = figure.add_axes((0.3 / width, 1 - (1.05 + lines) / height, 1 - 0.6 / width, lines / height))
    _draw_table(table, numbers, rows, divisor)
    area = panel_area(figure, left=0.9, right=2.6, below=0.55)
    below = figure.add_axes(
        (area["left"], area["bottom"], area["right"] - area["left"], 1 - (1.75 + lines) / height - area["bottom"])
    )
    chosen = dataset["time"].values >= (-np.inf if after is None else after)
    _draw_exceedance(below, cables, rows, chosen, divisor, unit)
    return figure


def _measures(tension: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    finite = tension[np.isfinite(tension)]
    if not finite.size:
        return np.array([np.nan] * len(MEASURES) + [0.0])
    cycles = counted_cycles(finite)
    count = cycles[:, 2].sum()
    damage = (cycles[:, 2] * cycles[:, 0] ** FATIGUE_EXPONENT).sum()
    equivalent = (damage / count) ** (1.0 / FATIGUE_EXPONENT) if count > 0 else 0.0
    return np.array(
        [finite.mean(), finite.std(), np.nanmin(low), np.nanmax(high), significant_range(finite), equivalent, count]
    )


def counted_cycles(tension: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rainflow cycles of a tension, without those that are rounding: a cable at rest has none."""
    cycles = rainflow(tension)
    largest = float(np.nanmax(np.abs(np.where(np.isfinite(tension), tension, 0.0)), initial=0.0))
    return cycles[cycles[:, 0] > ROUNDING * largest]


def significant_range(values: NDArray[np.float64]) -> float:
    """Mean of the largest third of the ranges between upward crossings of the mean; NaN where there is none."""
    about = values - values.mean()
    upward = np.flatnonzero((about[:-1] < 0.0) & (about[1:] >= 0.0)) + 1
    ranges = sorted((np.ptp(about[a:b]) for a, b in pairwise(upward)), reverse=True)
    largest = ranges[: max(1, len(ranges) // 3)] if ranges else [np.nan]
    return float(np.mean(largest))


def _most_loaded(numbers: xr.Dataset) -> list[tuple[int, int]]:
    peaks = np.nan_to_num(numbers["max"].values, nan=-np.inf)
    order = np.argsort(-peaks, axis=None, kind="stable")[:MOST_ROWS]
    return [(int(i), int(k)) for i, k in zip(*np.unravel_index(order, peaks.shape), strict=True)]


def _draw_table(axes: Axes, numbers: xr.Dataset, rows: list[tuple[int, int]], divisor: float) -> None:
    axes.set_axis_off()
    titles = ("cable", "at its", *MEASURES, "cycles")
    places = (0.0, 0.20, *np.linspace(0.36, 0.90, len(MEASURES)), 1.0)
    top = len(rows) + 1
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.5, top + 0.5)

    def write(x: float, y: float, text: str, **look: Any) -> None:
        axes.text(x, y, plain(text), ha="left" if x < 0.3 else "right", va="center", fontsize=9, **look)

    for x, title in zip(places, titles, strict=True):
        write(x, top, title, fontweight="bold")
    axes.axhline(top - 0.5, color=FAINT, lw=0.9)
    for row, (i, k) in enumerate(rows):
        y = top - 1 - row
        write(places[0], y, short(str(numbers["cable"].values[i])))
        write(places[1], y, ENDS[k])
        for x, name in zip(places[2:], MEASURES, strict=False):
            value = float(numbers[name].values[i, k])
            write(x, y, f"{value / divisor:#.4g}".rstrip(".") if np.isfinite(value) else "–")
        write(places[-1], y, f"{float(numbers['cycles'].values[i, k]):g}")
    if numbers["max"].size > len(rows):
        write(0.0, -0.2, f"the {len(rows)} most loaded of {numbers['max'].size} ends", color=FAINT)


def _draw_exceedance(
    axes: Axes,
    cables: list[CableHistory],
    rows: list[tuple[int, int]],
    chosen: NDArray[np.bool_],
    divisor: float,
    unit: str,
) -> None:
    drawn = False
    for (i, k), colour in zip(rows, PALETTE, strict=False):
        cycles = counted_cycles(cables[i].end_tension(k)[chosen])
        cycles = cycles[np.argsort(-cycles[:, 0])]
        if not len(cycles):
            continue
        drawn = True
        reached = np.cumsum(cycles[:, 2])
        label = plain(f"{short(cables[i].name)}, {ENDS[k]}")
        axes.step(np.append(cycles[:, 0], 0.0) / divisor, np.append(reached, reached[-1]), color=colour, label=label)
    axes.set_title("Rainflow: how many cycles of tension were at least so large")
    axes.set_xlabel(f"range of tension ({unit})")
    axes.set_ylabel("cycles (–)")
    axes.set_xlim(left=0.0)
    if not drawn:
        axes.text(0.5, 0.5, "the tension does not vary", transform=axes.transAxes, ha="center", color=FAINT)
    if drawn:
        axes.set_yscale("log")
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0)
