"""Figures of a floater by its coefficients: responses, coefficients, the memory of the water."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import FAINT, PALETTE, in_house_style, legend_below, new_figure, panel_area

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

LEAST = 1e-4
"""Motions that answer or radiate less than this part of the largest of their kind are not drawn."""
COLUMNS = 7
"""Motions side by side in the legend of the radiation."""
STROKES: tuple[Any, ...] = ("-", (0, (6, 1.5)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1.5)))
"""Lines of the first body and of others; colours are those of the motions."""


def _drawn(values: np.ndarray, names: list[str]) -> list[int]:
    """Motions that are worth drawing, moves and turns each against the largest of their kind."""
    size = np.abs(values).max(axis=0)
    kinds = [name.split(".")[-1] in ("roll", "pitch", "yaw") for name in names]
    largest = [max((s for s, k in zip(size, kinds, strict=True) if k == kind), default=0.0) for kind in kinds]
    return [i for i, (s, most) in enumerate(zip(size, largest, strict=True)) if s > LEAST * most > 0.0]


@in_house_style
def floater_responses(dataset: xr.Dataset) -> Figure:
    """Response amplitude operators over the period, without lines and with their stiffness."""
    names = [str(name) for name in dataset["motion"].values]
    period = 2.0 * np.pi / dataset["response_omega"].values
    free = dataset["response_free"].values
    moored = dataset["response_moored"].values if "response_moored" in dataset else None
    figure = new_figure(dataset, "Responses to waves", 11.0, 5.2)
    grid = figure.add_gridspec(1, 2, wspace=0.25, **panel_area(figure, left=0.9, right=0.4, below=0.6))
    drawn = _drawn(free, names)
    shown = period < 60.0
    for panel, turns in enumerate((False, True)):
        axes = figure.add_subplot(grid[panel])
        axes.set_xlabel("period (s)")
        axes.set_ylabel("degrees per metre of wave amplitude" if turns else "metres per metre of wave amplitude")
        scale = 180.0 / np.pi if turns else 1.0
        own = [i for i in drawn if (names[i].split(".")[-1] in ("roll", "pitch", "yaw")) == turns]
        for n, i in enumerate(own):
            colour = PALETTE[n % len(PALETTE)]
            axes.plot(period[shown], scale * free[shown, i], color=colour, linestyle=(0, (4, 2)), linewidth=1.1)
            if moored is not None:
                axes.plot(period[shown], scale * moored[shown, i], color=colour, label=names[i])
        if own:
            axes.legend(title="dashed: without lines")
        axes.set_ylim(bottom=0.0)
    return figure


@in_house_style
def floater_radiation(dataset: xr.Dataset) -> Figure:
    """Damping and the memory of the water: of the file, and as the poles have it."""
    names = [str(name) for name in dataset["motion"].values]
    drawn = _drawn(dataset["damping"].values, names)
    strips = -(-(len(drawn) + 1) // COLUMNS)
    figure = new_figure(dataset, "Radiation: coefficients and fit", 11.0, 5.2 + 0.25 * strips)
    below = 0.6 + 0.25 * strips
    grid = figure.add_gridspec(1, 2, wspace=0.25, **panel_area(figure, left=0.9, right=0.4, below=below))
    handles: list[Any] = []
    for panel, (value, fitted, along, label) in enumerate(
        (
            ("damping", "damping_fitted", "omega", "frequency (rad/s)"),
            ("memory", "memory_fitted", "lag", "time (s)"),
        )
    ):
        axes = figure.add_subplot(grid[panel])
        axes.set_xlabel(label)
        axes.set_ylabel(f"{value}, over its largest")
        largest = np.abs(dataset[value].values).max(axis=0)
        shown = dataset[value].values[:, drawn] / largest[drawn]
        handles = []
        for n, i in enumerate(drawn):
            look = {"color": PALETTE[i % 6], "linestyle": STROKES[i // 6 % len(STROKES)]}
            handles += axes.plot(dataset[along].values, shown[:, n], **look)
            (fit,) = axes.plot(dataset[along].values, dataset[fitted].values[:, i] / largest[i], color=FAINT, ls=":")
        low, high = np.nanmin(shown, initial=0.0), np.nanmax(shown, initial=1.0)
        axes.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))  # of the data: the fit knows no more
    if handles:
        legend_below(figure, [*handles, fit], [*(names[i] for i in drawn), "the fit"], COLUMNS)
    return figure
