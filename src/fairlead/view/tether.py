"""The diagnostics of a tether of controlled links: lengths, their error, and the energies (Brateau, Figs. 3 to 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .histories import cable_histories
from .style import FAINT, INK, PALETTE, in_house_style, new_figure, panel_area, scale_for

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CRIMSON, GOLD, BAND, GREY = "#c2143c", "#E69F00", "#56B4E9", "#b9c2ca"
BAND_FACTOR = 1.96  # standard deviations on either side hold 95 % of a normal distribution
LEDGER = {
    "work_proportional": "P part",
    "work_integral": "I part",
    "work_derivative": "D part",
    "work_weight": "weight, buoyancy",
    "work_drag": "drag",
    "work_drives": "moving ends",
}


@in_house_style
def tether_links(dataset: xr.Dataset) -> Figure:
    """What the paper draws of a tether, and the ledger of works that its energies should have been.

    Grey is each link or node, red their mean, blue the 95 % band, gold the target.
    """
    figure = new_figure(dataset, "Links and energies: each grey, mean red, 95 % band blue, target gold", 13.0, 9.6)
    area = panel_area(figure, left=1.0, right=1.75, below=0.5)
    grid = figure.add_gridspec(3, 2, hspace=0.42, wspace=0.24, **area)
    length, error, kinetic, potential, mechanical, ledger = (
        figure.add_subplot(grid[row, column]) for row in range(3) for column in range(2)
    )
    time = dataset["time"].values
    _lengths(length, dataset)
    error.plot(time, 100.0 * dataset["link_length_error"].values, color=CRIMSON)
    error.axhline(0.0, color=GOLD, lw=1.2)
    _label(error, "Mean length beside the target (Fig. 4)", "relative error (%)")
    share = _shares(dataset)
    for axes, name, title in (
        (kinetic, "energy_kinetic", "Kinetic energy (Fig. 5)"),
        (potential, "energy_potential_paper", "The paper's potential energy (Fig. 6)"),
        (mechanical, "energy_mechanical_paper", "The paper's mechanical energy (Fig. 7)"),
    ):
        total = dataset[name].values
        divisor, unit = _energy_scale(total)
        _spread(axes, time, share * total[:, None] / divisor)
        _label(axes, title, f"energy of a node ({unit})")
    _works(ledger, dataset)
    for axes in (mechanical, ledger):
        axes.set_xlabel("time (s)", fontsize=9)
    figure.align_ylabels()
    return figure


def _lengths(axes: Axes, dataset: xr.Dataset) -> None:
    lengths = np.concatenate(
        [np.linalg.norm(np.diff(cable.position, axis=1), axis=-1) for cable in cable_histories(dataset)], axis=1
    )
    _spread(axes, dataset["time"].values, lengths)
    mean, error = dataset["link_length_mean"].values, dataset["link_length_error"].values
    axes.plot(dataset["time"].values, mean / (1.0 + error), color=GOLD, lw=1.4, zorder=5)
    _label(axes, "Length of the links (Fig. 3)", "length (m)")


def _spread(axes: Axes, time: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Every column grey, their mean and the band of 1.96 standard deviations about it."""
    mean, band = values.mean(axis=1), BAND_FACTOR * values.std(axis=1)
    axes.plot(time, values, color=GREY, lw=0.6, zorder=2)
    axes.fill_between(time, mean - band, mean + band, color=BAND, alpha=0.28, lw=0, zorder=3)
    axes.plot(time, mean, color=CRIMSON, lw=1.6, zorder=4)


def _shares(dataset: xr.Dataset) -> NDArray[np.float64]:
    """Part of the kinetic energy in each node, (time, node), by the square of its speed.

    All forces together have done just that work on the node: the paper's potential energy is shared out likewise.
    """
    speeds = np.concatenate(
        [
            (dataset["velocity"].values[:, i, : int(count)] ** 2).sum(axis=-1)
            for i, count in enumerate(dataset["node_count"].values)
        ],
        axis=1,
    )
    total = speeds.sum(axis=1, keepdims=True)
    return np.asarray(speeds / np.where(total > 0.0, total, 1.0))


def _works(axes: Axes, dataset: xr.Dataset) -> None:
    """Works of all forces since the start, and the energy that is stored."""
    time = dataset["time"].values
    stored = sum(dataset[name].values - dataset[name].values[0] for name in ("energy_gravity", "energy_elastic"))
    stored = np.asarray(stored) + dataset["energy_kinetic"].values - dataset["energy_kinetic"].values[0]
    works = {label: dataset[name].values for name, label in LEDGER.items() if name in dataset}
    divisor, unit = _energy_scale(np.array([stored, *works.values()]))
    for i, (label, values) in enumerate(works.items()):
        if np.abs(values).max() > 0.0:
            axes.plot(time, values / divisor, color=PALETTE[i % len(PALETTE)], lw=1.4, label=label)
    axes.plot(time, stored / divisor, color=INK, lw=2.0, ls="--", label="change of what\nis stored")
    axes.axhline(0.0, color=FAINT, lw=0.8, zorder=1)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0, handlelength=1.8, fontsize=8)
    _label(axes, "Work of each force since the start", f"work ({unit})")


def _energy_scale(values: NDArray[np.float64]) -> tuple[float, str]:
    """Divisor and unit that give readable numbers, down to millijoules."""
    return (1e-3, "mJ") if np.abs(values).max() < 0.1 else scale_for(values, "J")


def _label(axes: Axes, title: str, label: str) -> None:
    axes.set_title(title)
    axes.set_ylabel(label, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.margins(x=0.01)
