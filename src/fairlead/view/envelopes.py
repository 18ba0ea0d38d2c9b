"""Envelopes: what each place along a cable went through in a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results.peaks import curvature_in_steps
from fairlead.results.peaks import since as cut
from fairlead.results.strength import Strength
from fairlead.words import number

from .histories import CableHistory, cable_histories
from .limits import draw_limit
from .shape import curvature_along
from .style import FAINT, INK, PALETTE, in_house_style, legend_below, new_figure, panel_area, plain, scale_for, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CABLES = 4


@dataclass(frozen=True)
class Quantity:
    """Something along the cables: ``values`` (time, node) of each cable by name, its unit, whether zero must show.

    low, high  least and largest of all steps since the sample before, where they are known
    limit      what each node can bear, where its type says so, and what that limit is called
    """

    name: str
    unit: str
    values: dict[str, NDArray[np.float64]]
    from_zero: bool
    low: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    high: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    limit: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    limit_name: str = ""

    def envelope(self, cable: str) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Least, mean and largest of one cable, each (node,)."""
        values = self.values[cable]
        low, mean, high = envelope(values)
        if cable in self.low:
            low = envelope(self.low[cable])[0]
        if cable in self.high:
            high = envelope(self.high[cable])[2]
        return low, mean, high


def envelope(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Least, mean and largest over time of (time, node), each (node,); NaN for a node that never was in the water."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    low = np.where(known, values, np.inf).min(axis=0)
    high = np.where(known, values, -np.inf).max(axis=0)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    return tuple(np.where(count > 0, part, np.nan) for part in (low, mean, high))  # type: ignore[return-value]


@in_house_style
def envelopes(dataset: xr.Dataset, after: float | None = None) -> Figure:
    """Least, mean and largest tension, curvature, bending moment, speed and height along the most loaded cables.

    ``after`` (s) leaves out what came before. What is zero everywhere has no row.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    dataset = cut(dataset, after)
    cables = _most_loaded(cable_histories(dataset))
    rows = _quantities(dataset, cables)
    since = "" if after is None else f" from {after:g} s on"
    figure = new_figure(dataset, f"Envelopes along the cables{since}", 11.0, 1.95 + 1.75 * len(rows))
    area = panel_area(figure, left=1.0, right=0.25, below=0.85)
    grid = figure.add_gridspec(len(rows), max(len(cables), 1), wspace=0.09, hspace=0.20, **area)
    for r, quantity in enumerate(rows):
        first: Axes | None = None
        seen = [*quantity.values.values(), *quantity.high.values()]
        divisor, unit = scale_for([np.nanmax(np.abs(v), initial=0.0) for v in seen], quantity.unit)
        for c, cable in enumerate(cables):
            axes = figure.add_subplot(grid[r, c], sharey=first)
            first = first or axes
            _draw(axes, cable.arc_length, *(edge / divisor for edge in quantity.envelope(cable.name)))
            if cable.name in quantity.limit:
                _draw_limit(axes, cable, quantity, divisor, unit)
            axes.tick_params(labelleft=c == 0, labelbottom=r == len(rows) - 1, labelsize=8)
            if r == 0:
                axes.set_title(plain(short(cable.name)))
            if c == 0:
                axes.set_ylabel(f"{quantity.name} ({unit})", fontsize=9)
            if r == len(rows) - 1:
                axes.set_xlabel(f"from {cable.origin} (m)", fontsize=9)
        if first is not None and quantity.from_zero and first.get_ylim()[0] > 0.0:
            first.set_ylim(bottom=0.0)
    figure.align_ylabels()
    handles: list[Any] = [Patch(color=PALETTE[5], alpha=0.35, lw=0), Line2D([], [], color=INK, lw=1.8)]
    legend_below(figure, handles, ["least to largest", "mean"], 2)
    return figure


def _draw(
    axes: Axes,
    arc: NDArray[np.float64],
    low: NDArray[np.float64],
    mean: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None:
    axes.fill_between(arc, low, high, color=PALETTE[5], alpha=0.32, lw=0)
    for edge in (low, high):
        axes.plot(arc, edge, color=PALETTE[0], lw=1.0)
    axes.plot(arc, mean, color=INK, lw=1.8)
    if np.nanmin(low, initial=0.0) < 0.0 < np.nanmax(high, initial=0.0):
        axes.axhline(0.0, color=FAINT, lw=0.8)
    axes.margins(x=0.01)


def _draw_limit(axes: Axes, cable: CableHistory, quantity: Quantity, divisor: float, unit: str) -> None:
    limit = quantity.limit[cable.name]
    if not np.isfinite(limit).any():
        return
    largest, least = float(np.nanmax(quantity.envelope(cable.name)[2], initial=0.0)), float(np.nanmin(limit))
    words = f"{number(1.0 / least)} m" if quantity.unit == "1/m" else f"{number(least / divisor)} {unit}"
    name = f"{quantity.limit_name} {words}"
    draw_limit(axes, cable.arc_length, limit / divisor, largest / divisor, name, name)


def _most_loaded(cables: list[CableHistory]) -> list[CableHistory]:
    """The cables with the largest tensions, in the order of the result."""
    peaks = [float(np.nanmax(c.high, initial=-np.inf)) for c in cables]
    return [cables[i] for i in sorted(np.argsort(peaks)[::-1][:MOST_CABLES])]


def _quantities(dataset: xr.Dataset, cables: list[CableHistory]) -> list[Quantity]:
    order = [str(name) for name in dataset["cable"].values]

    def recorded(name: str) -> dict[str, NDArray[np.float64]]:
        values = {c.name: dataset[name].values[:, order.index(c.name), : len(c.arc_length)] for c in cables}
        return {cable: np.where(np.isfinite(v), v, np.nan) for cable, v in values.items()}

    bent = {c.name: curvature_along(dataset, order.index(c.name), c.position) for c in cables}
    strength = {c.name: Strength.of(dataset, order.index(c.name)) for c in cables}
    most_bent = {name: curvature_in_steps(dataset, order.index(name), values) for name, values in bent.items()}
    found = [
        Quantity(
            "tension",
            "N",
            {c.name: c.tension for c in cables},
            True,
            {c.name: c.low for c in cables},
            {c.name: c.high for c in cables},
            {name: known.breaking for name, known in strength.items()},
            "breaking load",
        ),
        Quantity(
            "curvature",
            "1/m",
            bent,
            True,
            {},
            most_bent,
            {name: 1.0 / known.radius for name, known in strength.items()},
            "least bend radius",
        ),
    ]
    if "bending_moment" in dataset:
        found.append(Quantity("moment", "N m", recorded("bending_moment"), True))
    if "velocity" in dataset:
        speed = {name: np.linalg.norm(v, axis=-1) for name, v in recorded("velocity").items()}
        found.append(Quantity("speed", "m/s", speed, True))
    found.append(Quantity("height z", "m", {c.name: c.position[:, :, 2] for c in cables}, False))
    return [q for q in found if any(np.nanmax(np.abs(v), initial=0.0) > 0.0 for v in q.values.values())] or found[:1]
