"""Several formulations over one another: shapes, end force, how far apart they are, and what each costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .style import (
    FAINT,
    INK,
    PALETTE,
    WATER,
    in_house_style,
    legend_below,
    new_figure,
    panel_area,
    plain,
    scale_for,
)

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INSTANTS = 3
AXIS_LABELS = ("x, north (m)", "y, west (m)", "z, up (m)")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 1, 1, 1)), (0, (8, 3)))
"""The first formulation is a broad solid line; the others are thin and broken, so that lines on top of one another
all show."""


@in_house_style
def comparison(dataset: xr.Dataset) -> Figure:
    """A Dataset with the dimension `formulation` as one picture.

    Left: the cables from the side and from above at three instants, light to dark. Right: force at the end that is
    pulled hardest, distance of the shapes from that of the first formulation, and CPU time.
    """
    names = [str(name) for name in dataset["formulation"].values]
    figure = new_figure(dataset, f"{', '.join(names)}: the same system over one another", 13.0, 8.2)
    area = panel_area(figure, left=0.8, right=0.3, below=0.95)
    grid = figure.add_gridspec(6, 2, width_ratios=(1.25, 1.0), wspace=0.20, hspace=1.6, **area)
    side, plan = figure.add_subplot(grid[:3, 0]), figure.add_subplot(grid[3:, 0])
    force, apart, cost = (figure.add_subplot(grid[2 * k : 2 * k + 2, 1]) for k in range(3))
    across = _across(dataset)
    samples = _samples(dataset)
    _shapes(side, dataset, across, 2, samples)
    _shapes(plan, dataset, across, 1 - across, samples)
    times = dataset["time"].values[samples]
    when = ", ".join(f"{t:.4g}" for t in times)
    side.set_title(f"From the side at {when} s, light to dark")
    plan.set_title("From above")
    _history(force, dataset, np.linalg.norm(_hardest(dataset), axis=-1), "N", "end force")
    force.set_title("Force at the end that is pulled hardest")
    _differences(apart, dataset)
    _costs(cost, dataset, names)
    handles = [_sample_line(i) for i in range(len(names))]
    legend_below(figure, handles, names, len(names))
    return figure


def _look(i: int) -> dict[str, Any]:
    return {
        "color": PALETTE[i % len(PALETTE)],
        "ls": DASHES[i % len(DASHES)],
        "lw": 3.4 if i == 0 else 1.7,
        "alpha": 0.45 if i == 0 else 1.0,
        "zorder": 2 + i,
    }


def _sample_line(i: int) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], **_look(i))


def _across(dataset: xr.Dataset) -> int:
    """The horizontal direction, 0 or 1, in which the cables reach farther."""
    places = dataset["position"].values
    reach = [np.nanmax(places[..., k]) - np.nanmin(places[..., k]) for k in (0, 1)]
    return int(reach[1] > reach[0])


def _samples(dataset: xr.Dataset) -> list[int]:
    """A few instants from first to last that all formulations have."""
    known = np.isfinite(dataset["position"].values).any(axis=(2, 3, 4)).all(axis=0)
    last = int(np.flatnonzero(known)[-1])
    return sorted({round(part * last) for part in np.linspace(0.0, 1.0, INSTANTS)})


def _shapes(axes: Axes, dataset: xr.Dataset, across: int, up: int, samples: list[int]) -> None:
    places = dataset["position"].values  # (formulation, time, cable, node, axis)
    for i in range(places.shape[0]):
        for age, sample in enumerate(samples, start=1):
            look = _look(i)
            look["alpha"] *= 0.25 + 0.75 * age / len(samples)
            for cable in range(places.shape[2]):
                axes.plot(places[i, sample, cable, :, across], places[i, sample, cable, :, up], **look)
    axes.set_aspect("equal", adjustable="datalim")
    low, high = np.nanmin(places[..., 2]), np.nanmax(places[..., 2])
    if up == 2 and low < 0.0 <= high + 0.05 * (high - low):
        axes.axhline(0.0, color=WATER, lw=1.0, zorder=1)
    if across == 1:
        axes.invert_xaxis()
    axes.set_xlabel(AXIS_LABELS[across], fontsize=9)
    axes.set_ylabel(AXIS_LABELS[up], fontsize=9)
    axes.tick_params(labelsize=8)


def _hardest(dataset: xr.Dataset) -> NDArray[np.float64]:
    """Force (formulation, time, axis) at the end that the first formulation pulls hardest, N."""
    forces = dataset["force_end"].values
    sizes = np.linalg.norm(forces[0], axis=-1)
    cable, end = np.unravel_index(int(np.nanargmax(np.nanmax(sizes, axis=0))), sizes.shape[1:])
    return np.asarray(forces[:, :, cable, end])


def _history(axes: Axes, dataset: xr.Dataset, values: NDArray[np.float64], unit: str, label: str) -> None:
    divisor, shown = scale_for(values, unit)
    for i, line in enumerate(values):
        axes.plot(dataset["time"].values, line / divisor, **_look(i))
    axes.set_ylabel(f"{label} ({shown})", fontsize=9)
    axes.set_xlabel("time (s)", fontsize=9)
    axes.margins(x=0.01)
    axes.tick_params(labelsize=8)


def _differences(axes: Axes, dataset: xr.Dataset) -> None:
    values = dataset["shape_difference"].transpose("formulation", "time").values
    first = str(dataset["formulation"].values[0])
    for i in range(1, len(values)):
        axes.plot(dataset["time"].values, values[i], **_look(i))
    if len(values) == 1:
        axes.text(0.5, 0.5, "only one formulation ran", ha="center", va="center", color=FAINT, transform=axes.transAxes)
    axes.set_title(plain(f"Largest distance of a node from its place by {first}"))
    axes.set_ylabel("distance (m)", fontsize=9)
    axes.set_xlabel("time (s)", fontsize=9)
    axes.set_ylim(bottom=0.0)
    axes.margins(x=0.01)
    axes.tick_params(labelsize=8)


def _costs(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    cpu, steps = dataset["cpu_time"].values, dataset["steps"].values
    rows = np.arange(len(names))[::-1]
    axes.barh(rows, cpu, color=[PALETTE[i % len(PALETTE)] for i in range(len(names))], height=0.62, alpha=0.85)
    axes.set_yticks(rows, [plain(name) for name in names])
    for row, seconds, count in zip(rows, cpu, steps, strict=True):
        note = f"{seconds:.3g} s in {int(count)} steps"
        axes.annotate(
            note, (seconds, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8, color=INK
        )
    axes.set_xlim(0.0, 1.45 * float(np.nanmax(cpu)) or 1.0)
    axes.grid(axis="y", visible=False)
    axes.set_title("CPU time")
    axes.set_xlabel("CPU time (s)", fontsize=9)
    axes.tick_params(labelsize=8)
