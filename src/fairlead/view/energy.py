"""The energy balance as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results import EnergyBalance, energy_balance
from fairlead.words import percentage

from .style import (
    ENERGY_COLOURS,
    FAINT,
    INK,
    in_house_style,
    legend_beside,
    marker_for,
    new_figure,
    panel_area,
    scale_for,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = {
    "energy_kinetic": "kinetic",
    "energy_gravity": "gravity",
    "energy_elastic": "elastic",
    "work_drag": "water and wind",
    "work_take_off": "power take-off",
    "work_damping": "damping",
    "work_friction": "friction",
    "work_drives": "drives and loads",
}
ROUNDING = 1e-11  # of the largest energy: below it nothing was exchanged
LEAST_PERCENT = 0.01  # half height of the residual panel: less would magnify rounding
MOST_STACKED_SAMPLES = 2000  # more than the eye can see, few enough for a vector file


@in_house_style
def energy(dataset: xr.Dataset) -> Figure:
    """Stored energies and works stacked over time since the start, and what the balance leaves over.

    What was gained is stacked upward, what was lost downward; the two sums must agree.
    """
    balance = energy_balance(dataset)
    figure = new_figure(dataset, "Energy balance since the start of the run", 11.0, 8.4)
    area = panel_area(figure, left=0.95, right=1.65, below=0.52)
    grid = figure.add_gridspec(3, 1, hspace=0.30, height_ratios=(3, 3, 1.7), **area)
    stored, works, rest = (figure.add_subplot(grid[k]) for k in range(3))
    divisor, unit = scale_for([*balance.stored.values(), *balance.works.values()], "J")
    _stack(stored, balance.time, balance.stored, balance.change, divisor, "sum")
    _stack(works, balance.time, works_by_name(dataset, balance), balance.work, divisor, "sum")
    stored.set_title("Change of the energy that is stored")
    works.set_title("Energy given to cables and bodies (+) or taken from them (−)")
    for axes in (stored, works):
        axes.set_ylabel(f"energy ({unit})")
        axes.tick_params(labelbottom=False)
    low = min(stored.get_ylim()[0], works.get_ylim()[0])
    high = max(stored.get_ylim()[1], works.get_ylim()[1])
    for axes in (stored, works):
        axes.set_ylim(low, high)
    rest.plot(balance.time, 100.0 * balance.relative_residual, color=INK, marker=marker_for(len(balance.time)))
    rest.axhline(0.0, color=FAINT, lw=0.9, zorder=1)
    low, high = rest.get_ylim()
    rest.set_ylim(min(low, -LEAST_PERCENT), max(high, LEAST_PERCENT))
    rest.set_title(_verdict(balance, _size(dataset)))
    rest.set_ylabel("residual (%)")
    rest.set_xlabel("time (s)")
    for axes in (stored, works, rest):
        axes.margins(x=0.01 if len(balance.time) > 1 else 0.1)
    figure.align_ylabels()
    return figure


def works_by_name(dataset: xr.Dataset, balance: EnergyBalance) -> dict[str, NDArray[np.float64]]:
    """The works of a balance; what power take-offs take out, which a result counts as damping, stands for itself."""
    gears = [str(name).removesuffix(".pto_force") for name in dataset if str(name).endswith(".pto_force")]
    taken = [dataset[f"{gear}.energy"].values - dataset[f"{gear}.energy"].values[0] for gear in gears]
    if not taken:
        return balance.works
    out = np.sum(taken, axis=0)
    return {**balance.works, "work_take_off": -out, "work_damping": balance.works["work_damping"] + out}


def _size(dataset: xr.Dataset) -> float:
    """The largest energy of a run that is neither NaN nor infinite, J."""
    values = np.concatenate([dataset[name].values for name in NAMES if name in dataset])
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


def _verdict(balance: EnergyBalance, size: float) -> str:
    if not np.isfinite(balance.error):
        return "Left over: unknown, an energy is not a finite number"
    if balance.exchanged[-1] <= ROUNDING * size:
        return "Left over: nothing was exchanged but rounding"
    divisor, unit = scale_for(balance.exchanged, "J")
    told = "nothing" if balance.error <= 1e-12 else percentage(balance.error)
    share = f"at most {told}" if told[0].isdigit() else told
    return f"Left over: {share} of the {balance.exchanged[-1] / divisor:.3g} {unit} exchanged"


def _stack(
    axes: Axes,
    time: NDArray[np.float64],
    parts: dict[str, NDArray[np.float64]],
    total: NDArray[np.float64],
    divisor: float,
    total_name: str,
) -> None:
    thin = slice(None, None, max(1, len(time) // MOST_STACKED_SAMPLES))
    up, down = np.zeros(len(time[thin])), np.zeros(len(time[thin]))
    handles, labels = [], []
    for name, values in parts.items():
        part = np.where(np.isfinite(values), values, np.nan)[thin] / divisor
        for base, side in ((up, np.maximum(part, 0.0)), (down, np.minimum(part, 0.0))):
            band = axes.fill_between(time[thin], base, base + side, color=ENERGY_COLOURS[name], alpha=0.75, lw=0)
            base += side
        handles.append(band)
        labels.append(NAMES[name])
    (line,) = axes.plot(time, total / divisor, color=INK, lw=1.8, marker=marker_for(len(time)), zorder=3)
    axes.axhline(0.0, color=FAINT, lw=0.9, zorder=1)
    legend_beside(axes, [*handles, line], [*labels, total_name])
