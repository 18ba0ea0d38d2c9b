"""Pictures of hulls in their own water: the free surface round them, how they move, and what the water does to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .hulls import Mesh, hulls_of
from .labels import AXIS_LABELS
from .style import FAINT, HOUSE, INK, PALETTE, in_house_style, new_figure, panel_area, plain, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.tri import Triangulation

NEAR = 0.5
"""Part of the surface that is drawn, about the middle: beyond it waves are absorbed."""
HULL = "#D9A441"
ZOOM, FILM_ZOOM = 1.25, 1.4
"""A low box on its side leaves room round it, in a figure and in a film: draw it larger."""
FULL = (720, 405)
"""Pixels of a film in which words have their full size; in smaller ones they shrink with the rest."""


@dataclass(frozen=True)
class Water:
    """The free surface of a result, both halves of it where only one was computed."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    incident: NDArray[np.float64]
    perturbation: NDArray[np.float64]
    """Each (time, panel), m."""
    hulls: dict[str, Mesh]
    radius: float
    """Of the part that is drawn, m."""

    @property
    def height(self) -> NDArray[np.float64]:
        """Of the whole surface (time, panel), m."""
        return np.asarray(self.incident + self.perturbation)

    def inside(self, k: int) -> NDArray[np.bool_]:
        """Panels near the middle at sample k."""
        away = np.hypot(self.x[k] - self.x[k].mean(), self.y[k] - self.y[k].mean())
        return np.asarray(away < self.radius)


def water_of(dataset: xr.Dataset) -> Water:
    """The free surface a result holds."""
    x, y = dataset["surface_x"].values, dataset["surface_y"].values
    incident, perturbation = dataset["surface_incident"].values, dataset["surface_perturbation"].values
    if dataset.attrs.get("hydro_symmetric") == "yes":
        x, y = np.concatenate([x, x], axis=1), np.concatenate([y, -y], axis=1)
        incident = np.concatenate([incident, incident], axis=1)
        perturbation = np.concatenate([perturbation, perturbation], axis=1)
    radius = NEAR * float(np.hypot(x[0] - x[0].mean(), y[0] - y[0].mean()).max())
    return Water(x, y, incident, perturbation, hulls_of(dataset), radius)


def hull_places(dataset: xr.Dataset, water: Water, k: int) -> dict[str, NDArray[np.float64]]:
    """Panels (m, 4, 3) of each hull where it is at sample k, m."""
    names = [str(name) for name in dataset["point"].values]
    found = {}
    for name, (vertices, quads) in water.hulls.items():
        place = dataset["point_position"].values[k, names.index(name)]
        angles = [float(dataset[f"{name}.{turn}"].values[k]) for turn in ("roll", "pitch", "yaw")]
        (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in angles)
        turn = np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )
        found[name] = (vertices @ turn.T + place)[quads]
    return found


@in_house_style
def free_surface(dataset: xr.Dataset) -> Figure:
    """The water when the perturbation is largest: in space with the hulls, and the perturbation from above."""
    from matplotlib.ticker import MaxNLocator

    water = water_of(dataset)
    k = int(np.argmax(dataset["perturbation_max"].values))
    moment = f"at t = {float(dataset['time'].values[k]):.2f} s, when the perturbation is largest"
    figure = new_figure(dataset, f"The free surface {moment}", 13.0, 6.4)
    area = panel_area(figure, left=0.3, right=0.9, below=0.6)
    grid = figure.add_gridspec(1, 2, width_ratios=(1.25, 1.0), wspace=0.32, **area)
    space = figure.add_subplot(grid[0, 0], projection="3d")
    draw_space(space, dataset, water, k)
    above = figure.add_subplot(grid[0, 1])
    inside = water.inside(k)
    most = float(np.abs(water.perturbation[k, inside]).max()) or 1.0
    shades = above.tricontourf(
        water.x[k, inside],
        water.y[k, inside],
        water.perturbation[k, inside],
        np.linspace(-most, most, 21),
        cmap="RdBu_r",
    )
    figure.colorbar(shades, ax=above, shrink=0.8, label="perturbation (m)", ticks=MaxNLocator(7, steps=[1, 2, 5, 10]))
    for panels in hull_places(dataset, water, k).values():
        above.plot(*_outline(panels), color=INK, lw=1.2)
    above.set_aspect("equal")
    above.set_title("Perturbation from above")
    above.set_xlabel(AXIS_LABELS[0])
    above.set_ylabel(AXIS_LABELS[1])
    above.grid(False)
    return figure


def _outline(panels: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The outer line of a hull seen from above, closed: x and y."""
    from scipy.spatial import ConvexHull

    flat = panels[:, :, :2].reshape(-1, 2)
    order = ConvexHull(flat).vertices
    order = np.append(order, order[0])
    return flat[order, 0], flat[order, 1]


def draw_space(axes: Any, dataset: xr.Dataset, water: Water, k: int, zoom: float = ZOOM) -> None:
    """Surface, hulls and cables at sample k on 3D axes."""
    from matplotlib.tri import Triangulation
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    inside = water.inside(k)
    x, y, z = water.x[k, inside], water.y[k, inside], water.height[k, inside]
    triangles = Triangulation(x, y)
    longest = np.linalg.norm(
        np.diff(np.stack([x[triangles.triangles], y[triangles.triangles]], axis=-1)[:, [0, 1, 2, 0]], axis=1), axis=2
    ).max(axis=1)
    placed, started = hull_places(dataset, water, k), hull_places(dataset, water, 0)
    hulls = list(placed.values())
    piercing = [panels for name, panels in placed.items() if started[name][..., 2].max() > 0.0]
    reach, middle = 0.6 * water.radius, np.array([x.mean(), y.mean()])
    away = np.hypot(x - middle[0], y - middle[1])[triangles.triangles].max(axis=1)
    torn = longest > 6.0 * float(np.median(longest))
    triangles.set_mask(torn | (away > reach) | _within(triangles, piercing))
    axes.computed_zorder = False  # what is under water, the water, what is above it
    surface = axes.plot_trisurf(triangles, z, cmap=_blues(), alpha=0.75, lw=0.15, edgecolor="#ffffff80", zorder=2)
    surface.set_clip_on(False)  # it fits the box, which is wider than the axes where these are zoomed in
    for panels in hulls:
        dry = panels[..., 2].mean(axis=1) > float(z.mean())
        for some, order in ((panels[~dry], 1), (panels[dry], 3)):
            axes.add_collection3d(
                Poly3DCollection(some, facecolor=HULL, edgecolor="#6b5a2a", lw=0.2, alpha=0.95, zorder=order)
            )
    lowest, highest = _heights(dataset, water)
    if "position" in dataset:
        for nodes in dataset["position"].values[k]:
            line = _near(nodes, middle, reach)
            if not np.isfinite(line).any():
                continue  # all of it lies outside the picture
            under = np.nanmax(line[:, 2]) < float(z.mean())
            axes.plot(*line.T, "-o", color=PALETTE[1], ms=3, lw=1.5, zorder=1 if under else 4)
    axes.set_xlim(middle[0] - reach, middle[0] + reach)
    axes.set_ylim(middle[1] - reach, middle[1] + reach)
    axes.set_zlim(lowest, highest)
    axes.set_box_aspect((1.0, 1.0, (highest - lowest) / (2.0 * reach)), zoom=zoom)
    axes.view_init(elev=22.0, azim=-62.0)
    for axis, label, room in zip((axes.xaxis, axes.yaxis, axes.zaxis), AXIS_LABELS, (9, 9, 3), strict=True):
        axis.set_label_text(label)
        axis.labelpad = room  # numbers stand between an axis and its name
        axis.pane.set_facecolor("white")
        axis.pane.set_edgecolor("#dfe5ea")
    axes.zaxis.set_rotate_label(False)
    axes.zaxis.label.set_rotation(90)
    axes.tick_params(axis="z", pad=5)
    axes.locator_params(axis="z", nbins=3)
    axes.locator_params(axis="y", nbins=4)


def _blues() -> Any:
    """From troughs to crests, none so light that it is lost on paper."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["Blues_r"](np.linspace(0.05, 0.75, 128)))


def _within(triangles: Triangulation, hulls: list[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Triangles (n,) of the surface that lie inside hulls which go through it."""
    from matplotlib.path import Path

    middles = np.stack([triangles.x, triangles.y], axis=1)[triangles.triangles].mean(axis=1)
    inside = np.zeros(len(middles), dtype=bool)
    for panels in hulls:
        inside |= Path(np.stack(_outline(panels), axis=1)).contains_points(middles)
    return inside


def _near(nodes: NDArray[np.float64], middle: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """Nodes (..., 3) of cables over and under the water that is drawn; the others are no numbers."""
    away = np.abs(nodes[..., :2] - middle).max(axis=-1, keepdims=True)
    return np.where(away <= reach, nodes, np.nan)


def _heights(dataset: xr.Dataset, water: Water) -> tuple[float, float]:
    """Lowest and highest thing over the whole run, m."""
    low, high = float(np.nanmin(water.height)), float(np.nanmax(water.height))
    for k in (0, len(dataset["time"]) // 2, len(dataset["time"]) - 1):
        for panels in hull_places(dataset, water, k).values():
            low, high = min(low, float(panels[..., 2].min())), max(high, float(panels[..., 2].max()))
    if "position" in dataset:
        z = dataset["position"].values[..., 2]
        low, high = min(low, float(np.nanmin(z))), max(high, float(np.nanmax(z)))
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


@in_house_style
def floaters(dataset: xr.Dataset) -> Figure:
    """How the hulls move and turn, what the water does to them, how the cables on them swing and stretch."""
    names = list(water_of(dataset).hulls)
    kinds = [_motion, *([_turning] if _turned(dataset, names) else []), _force, _surface]
    if "position" in dataset:
        kinds += [_swing, _stretch]
    figure = new_figure(dataset, "Hulls in their own water", 12.0, 1.6 + 1.9 * len(kinds))
    grid = figure.add_gridspec(len(kinds), 1, hspace=0.42, **panel_area(figure, left=1.0, right=1.9, below=0.6))
    first: Axes | None = None
    for row, draw in enumerate(kinds):
        first = axes = figure.add_subplot(grid[row, 0], sharex=first)
        draw(axes, dataset, names)
        axes.margins(x=0.0)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
    axes.set_xlabel("time (s)")
    figure.align_ylabels()
    return figure


def _turned(dataset: xr.Dataset, names: list[str]) -> dict[str, NDArray[np.float64]]:
    """The angles of hulls that change, by their names, degrees."""
    angles = {f"{name} {turn}": np.degrees(dataset[f"{name}.{turn}"].values)
              for name in names for turn in ("roll", "pitch", "yaw")}  # fmt: skip
    return {name: angle for name, angle in angles.items() if np.ptp(angle) > 1e-6}


def _motion(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    _named(axes, "Motion from the start", "motion (m)")
    time = dataset["time"].values
    for name in names:
        moved = dataset["point_position"].sel(point=name).values
        for axis in range(3):
            if np.ptp(moved[:, axis]) > 1e-9:
                axes.plot(time, moved[:, axis] - moved[0, axis], label=f"{name} {'xyz'[axis]}")
    axes.plot(time, dataset["incident_elevation"].values, color=FAINT, lw=0.9, label="incident wave")


def _turning(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    _named(axes, "Turning", "angle (deg)")
    for name, angle in _turned(dataset, names).items():
        axes.plot(dataset["time"].values, angle, label=name)


def _force(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    _named(axes, "Force of the water, from its value at the start", "force (kN)")
    for name in names:
        for letter in "xyz":
            force = dataset[f"{name}.water_force_{letter}"].values
            if np.ptp(force) > 1e-6:
                axes.plot(dataset["time"].values, (force - force[0]) / 1e3, label=f"{name} {letter}")


def _surface(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    _named(axes, "Free surface", "height (m)")
    time, incident = dataset["time"].values, dataset["incident_elevation"].values
    axes.plot(time, dataset["perturbation_max"].values, color=PALETTE[1], label="largest perturbation")
    axes.plot(time, np.abs(incident), color=FAINT, lw=0.9, label="incident wave")


def _swing(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    """Of the first element of every cable that is out, where a winch holds others."""
    _named(axes, "Angle of the first element from the vertical, in the plane of x and z", "angle (deg)")
    for name, nodes in _nodes(dataset):
        steps = np.diff(nodes, axis=1)
        out = np.isfinite(steps).all(axis=2)
        first = steps[np.arange(len(steps)), out.argmax(axis=1)]
        angle = np.degrees(np.arctan2(first[:, 0], -first[:, 2]))
        axes.plot(dataset["time"].values, np.unwrap(angle, period=360.0), label=plain(short(name)))


def _stretch(axes: Axes, dataset: xr.Dataset, names: list[str]) -> None:
    _named(axes, "Length of the last element", "length (m)")
    for name, nodes in _nodes(dataset):
        last = np.linalg.norm(nodes[:, -1] - nodes[:, -2], axis=1)
        axes.plot(dataset["time"].values, last, lw=1.0, label=plain(short(name)))


def _nodes(dataset: xr.Dataset) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Name and nodes (time, node, 3) of every cable, m."""
    for i, name in enumerate(dataset["cable"].values):
        yield str(name), dataset["position"].values[:, i, : int(dataset["node_count"].values[i])]


def _named(axes: Axes, title: str, label: str) -> None:
    axes.set_title(title)
    axes.set_ylabel(label)


class WaterPicture:
    """A result's free surface, hulls and cables as a moving picture of ``size`` (pixels); see `film`."""

    def __init__(self, dataset: xr.Dataset, size: tuple[int, int] = (1280, 720)):
        from matplotlib import style

        self.times = np.asarray(dataset["time"].values, dtype=np.float64)
        self._dataset, self._water = dataset, water_of(dataset)
        with style.context(HOUSE, after_reset=True):
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure

            dpi = 100 * min(1.0, size[0] / FULL[0], size[1] / FULL[1])
            self._figure = Figure(figsize=(size[0] / dpi, size[1] / dpi), dpi=dpi)
            self._canvas = cast(Any, FigureCanvasAgg(self._figure))
            self._axes = self._figure.add_axes((0.0, 0.06, 1.0, 0.88), projection="3d")
            title = str(dataset.attrs.get("title", ""))
            fitting = 1.35 * 72 / dpi * size[0] / max(40, len(title) + 16)  # a letter is about 0.6 of its size wide
            self._title = self._figure.text(0.02, 0.97, "", va="top", size=min(14.0, fitting), weight="bold")
            self._words = f"{title}    t = "

    def at(self, time: float) -> NDArray[np.uint8]:
        """The image at the sample nearest to a time, (row, column, 3)."""
        from matplotlib import style

        k = int(np.abs(self.times - time).argmin())
        with style.context(HOUSE, after_reset=True):
            self._axes.clear()
            draw_space(self._axes, self._dataset, self._water, k, FILM_ZOOM)
            self._title.set_text(f"{self._words}{self.times[k]:.1f} s")
            self._canvas.draw()
            return np.ascontiguousarray(np.asarray(self._canvas.buffer_rgba())[..., :3])
