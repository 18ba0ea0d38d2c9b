"""The picture of one instant, redrawn quickly: what stands still is painted once, what moves on top of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ResultError, seabed_of

from ..histories import cable_histories
from ..labels import label_points
from ..quantities import NAMES, along_cables
from ..style import BED, BODY, FAINT, INK, WATER, house_style, plain, scale_for, short
from ..things import body_lines, has_water
from ..waves import Surface, surface_of
from .camera import VIEWS, camera, window

if TYPE_CHECKING:
    import xarray as xr

BRIGHTEST = 0.86  # of the colour map: beyond it yellow would vanish on white
DPI = 100
WIDER = 0.10
"""How far bed and surface reach beyond the system, as a part of its width."""
FINE = 240
"""Points along a line on a moving surface."""
CONTACT = "#e8a200"
SAND = "#dacdb6"


class Picture:
    """A result as a moving picture of ``size`` (pixels): :meth:`at` gives the image of an instant.

    ``view`` is space, side or top; ``colour`` tension, curvature, speed or moment; ``stretch`` multiplies heights.
    """

    def __init__(
        self,
        dataset: xr.Dataset,
        view: str = "space",
        colour: str = "tension",
        size: tuple[int, int] = (1280, 720),
        stretch: float = 1.0,
    ):
        if view not in VIEWS:
            raise ResultError(f"there is no view called {view}; there are {', '.join(VIEWS)}")
        if colour not in NAMES:
            raise ResultError(f"cables cannot be coloured by {colour}; there are {', '.join(NAMES)}")
        self.times = np.asarray(dataset["time"].values, dtype=np.float64)
        self._read(dataset, colour)
        self._window = window(self._everything, None if self._bed is None else self._bed_height(), self._water)
        self._camera = camera(view, self._window.high - self._window.low, stretch)
        self._view = view
        with house_style():
            self._prepare(dataset, colour, size)

    def at(self, time: float) -> NDArray[np.uint8]:
        """The image at a time, (row, column, 3)."""
        with house_style():
            self._canvas.restore_region(self._still)
            self._move(time)
            rows = np.asarray(self._canvas.buffer_rgba())
        return np.ascontiguousarray(rows[..., :3])

    # --- the result ---------------------------------------------------------------------------------------------

    def _read(self, dataset: xr.Dataset, colour: str) -> None:
        cables = cable_histories(dataset)
        self._counts = [len(c.arc_length) for c in cables]
        samples = len(self.times)
        self._nodes = np.concatenate([c.position for c in cables] or [np.empty((samples, 0, 3))], axis=1)
        quantities = along_cables(dataset, cables)
        if cables and colour not in quantities:
            raise ResultError(f"the result has no {NAMES[colour][0].lower()}; colour by {', '.join(quantities)}")
        self._values = quantities[colour].values if cables else np.empty((samples, 0))
        self._bodies = body_lines(dataset)
        has_points = "point_position" in dataset
        self._names = [str(name) for name in dataset["point"].values] if has_points else []
        points = dataset["point_position"].values if has_points else np.empty((samples, 0, 3))
        self._points = np.where(np.isfinite(points), points, np.nan)
        self._everything = np.concatenate([self._nodes, self._points], axis=1)
        contact = np.zeros(self._values.shape, dtype=bool)
        if "contact_force" in dataset and cables:
            touching = np.linalg.norm(np.nan_to_num(dataset["contact_force"].values), axis=-1) > 0.0
            contact = np.concatenate([touching[:, i, :n] for i, n in enumerate(self._counts)], axis=1)
        self._contact = contact
        self._bed = seabed_of(dataset)
        self._water = has_water(dataset)
        self._surface = surface_of(dataset)
        peaks = np.where(np.isfinite(self._values), self._values, -np.inf).max(axis=1, initial=-np.inf)
        self._peaks = np.where(np.isfinite(peaks), peaks, np.nan)

    def _bed_height(self) -> float:
        assert self._bed is not None
        known = self._everything[np.isfinite(self._everything).all(axis=-1)]
        middle = known.mean(axis=0) if len(known) else np.zeros(3)
        return float(self._bed.height(middle[0], middle[1]))

    def _blend(self, values: NDArray[np.float64], time: float) -> NDArray[np.float64]:
        """Values at a time, on the line between two samples; those of the earlier where the later has none."""
        after = int(np.clip(np.searchsorted(self.times, time, side="right"), 1, max(len(self.times) - 1, 1)))
        before = after - 1
        if len(self.times) == 1:
            return np.asarray(values[0])
        share = float(np.clip((time - self.times[before]) / (self.times[after] - self.times[before]), 0.0, 1.0))
        line = values[before] + share * (values[after] - values[before])
        return np.asarray(np.where(np.isfinite(line), line, values[before] if share < 1.0 else values[after]))

    # --- drawing ------------------------------------------------------------------------------------------------

    def _prepare(self, dataset: xr.Dataset, colour: str, size: tuple[int, int]) -> None:
        from matplotlib import colormaps
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.colors import ListedColormap, Normalize
        from matplotlib.figure import Figure

        wide, tall = size
        scale = min(wide / 1280, tall / 720)
        self._scale = scale
        figure = Figure(figsize=(wide / DPI, tall / DPI), dpi=DPI)
        self._canvas = cast(Any, FigureCanvasAgg(figure))
        self._figure = figure
        title = str(dataset.attrs.get("title", "")) or "Untitled run"
        figure.text(0.02, 0.972, plain(short_title(title)), va="top", fontsize=17 * scale, fontweight="bold")
        self._clock = figure.text(0.98, 0.972, "", va="top", ha="right", fontsize=17 * scale, fontweight="bold")
        self._clock.set_animated(True)
        scene = figure.add_axes((0.0, 0.215, 0.90, 0.705))
        scene.set_axis_off()
        self._axes = scene
        palette = ListedColormap(colormaps["plasma"](np.linspace(0.0, BRIGHTEST, 256)))
        finite = self._values[np.isfinite(self._values)]
        low, high = (float(v) for v in np.percentile(finite, (0.5, 99.5))) if finite.size else (0.0, 1.0)
        low = 0.0 if 0.0 <= low < 0.5 * high else low
        high = high if high > low else low + 1.0
        name, unit = NAMES[colour][0].lower(), NAMES[colour][1]
        divisor, unit = scale_for([low, high], unit)
        norm = Normalize(low / divisor, high / divisor)
        self._divisor = divisor
        self._sheets = [
            PolyCollection([], facecolor=SAND, alpha=1.0, lw=0, zorder=1, animated=True),
            PolyCollection([], facecolor=WATER, alpha=0.13, lw=0, zorder=2, animated=True),
        ]
        self._grids = [
            LineCollection([], colors=BED, lw=0.7 * scale, alpha=0.9, zorder=1.5, animated=True),
            LineCollection([], colors=WATER, lw=0.6 * scale, alpha=0.5, zorder=2.5, animated=True),
        ]
        self._lines = LineCollection(
            [], cmap=palette, norm=norm, lw=3.4 * scale, capstyle="round", zorder=5, animated=True
        )
        self._solids = LineCollection([], colors=BODY, lw=1.1 * scale, alpha=0.9, zorder=4.5, animated=True)
        for collection in (*self._sheets, *self._grids, self._lines, self._solids):
            scene.add_collection(collection)
        self._crests = self._crest_image(scene)
        look: dict[str, Any] = {"ls": "", "animated": True}
        (self._touching,) = scene.plot([], [], "o", ms=6.5 * scale, color=CONTACT, mew=0, zorder=4, **look)
        (self._dots,) = scene.plot([], [], "o", ms=7 * scale, color=INK, mec="white", mew=1, zorder=6, **look)
        bar = figure.add_axes((0.915, 0.30, 0.014, 0.50))
        figure.colorbar(self._lines, cax=bar)
        bar.set_title(f"{name}\n({unit})", fontsize=11 * scale, loc="center", pad=8 * scale)
        bar.tick_params(labelsize=10 * scale)
        self._strip(figure, name, unit, scale)
        figure.text(0.02, 0.012, plain(foot(dataset, self._camera.stretch)), fontsize=8.5 * scale, color=FAINT)
        self._place(self._window.low, self._window.high)
        self._canvas.draw()
        self._still = self._canvas.copy_from_bbox(figure.bbox)

    def _strip(self, figure: Any, name: str, unit: str, scale: float) -> None:
        """Under the scene: the largest value anywhere over time, with a mark that goes along."""
        strip = figure.add_axes((0.075, 0.085, 0.905, 0.105))
        strip.plot(self.times, self._peaks / self._divisor, color=INK, lw=1.2 * scale)
        strip.set_ylabel(f"largest\n({unit})", fontsize=9 * scale)
        strip.set_xlabel("time (s)", fontsize=9 * scale, labelpad=1)
        strip.tick_params(labelsize=8.5 * scale)
        strip.margins(x=0.0, y=0.12)
        (self._mark,) = strip.plot([], [], "o", ms=6 * scale, color="#D55E00", mec="white", animated=True, zorder=5)
        self._strip_axes = strip

    def _place(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        """Set the limits of the scene so that the box fits, to scale; in space with the sheets that reach beyond it."""
        if self._view == "space":
            beyond = WIDER * float((high - low)[:2].max()) * np.array([1.0, 1.0, 0.0])
            low, high = low - beyond, high + beyond
        corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        flat = self._camera.project(corners)
        spare = 1.02 if self._view == "space" else 1.08
        middle, size = 0.5 * (flat.min(axis=0) + flat.max(axis=0)), np.ptp(flat, axis=0) * spare
        panel = self._axes.get_window_extent()
        tall = max(size[1], size[0] * panel.height / panel.width, 1e-3)
        wide = tall * panel.width / panel.height
        self._axes.set_xlim(middle[0] - wide / 2, middle[0] + wide / 2)
        self._axes.set_ylim(middle[1] - tall / 2, middle[1] + tall / 2)

    def _move(self, time: float) -> None:
        nodes, points = self._blend(self._nodes, time), self._blend(self._points, time)
        known = np.concatenate([nodes, points])
        known = known[np.isfinite(known).all(axis=1)]
        middle = 0.5 * (known.min(axis=0) + known.max(axis=0)) if len(known) else np.zeros(3)
        low, high = self._window.at(middle)
        if self._window.travels:
            self._place(low, high)
        self._draw_sea(low, high, time)
        self._draw_cables(nodes, self._blend(self._values, time), time)
        nearest = int(np.abs(self.times - time).argmin())
        outlines = [line for b in self._bodies for line in b.at(nearest, points[b.point]) if np.isfinite(line).all()]
        self._solids.set_segments([self._camera.project(line) for line in outlines])
        seen = np.asarray(np.isfinite(points).all(axis=1))
        flat = self._camera.project(points[seen])
        self._dots.set_data(flat[:, 0], flat[:, 1])
        self._clock.set_text(f"{time:.1f} s")
        peak = float(np.interp(time, self.times, self._peaks)) / self._divisor
        self._mark.set_data([time], [peak])
        sheets = (
            self._sheets if self._view != "side" else self._sheets[::-1]
        )  # beside it, the bed lies before the water
        for artist in (*sheets, self._crests, *self._grids, self._touching, self._solids, self._lines, self._dots):
            self._axes.draw_artist(artist)
        label_points(self._axes, flat, [short(name) for name, there in zip(self._names, seen, strict=True) if there])
        for text in list(self._axes.texts):
            self._axes.draw_artist(text)
            text.remove()
        self._strip_axes.draw_artist(self._mark)
        self._figure.draw_artist(self._clock)

    def _draw_cables(self, nodes: NDArray[np.float64], values: NDArray[np.float64], time: float) -> None:
        flat = self._camera.project(nodes)
        segments, colours, start = [], [], 0
        for count in self._counts:
            part, level = flat[start : start + count], values[start : start + count]
            pairs = np.stack([part[:-1], part[1:]], axis=1)
            good = np.isfinite(pairs).all(axis=(1, 2))
            segments.append(pairs[good])
            colours.append((0.5 * (level[:-1] + level[1:]))[good])
            start += count
        if segments:
            self._lines.set_segments(list(np.concatenate(segments)))
            self._lines.set_array(np.nan_to_num(np.concatenate(colours)) / self._divisor)
        nearest = int(np.abs(self.times - time).argmin())
        touching = flat[self._contact[nearest] & np.isfinite(flat).all(axis=1)]
        self._touching.set_data(touching[:, 0], touching[:, 1])

    def _draw_sea(self, low: NDArray[np.float64], high: NDArray[np.float64], time: float) -> None:
        wider = WIDER * float((high - low)[:2].max())
        x = np.array([low[0] - wider, high[0] + wider])
        y = np.array([low[1] - wider, high[1] + wider])
        size = float((high - low).max())
        spacing = round_step(max(np.ptp(x), np.ptp(y)) / 12.0)
        near = self._bed is not None and low[2] - self._bed_height() < 0.6 * size
        reach = self._surface.highest
        wet = self._water and low[2] <= reach + 1e-9 and high[2] >= -reach - 1e-9
        waves = self._surface.longer_than(3.0 * max(np.ptp(x), np.ptp(y)) / FINE)

        def surface(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
            return waves.elevation(time, a, b)

        moving = waves.moves
        points = 2 if self._bed is None or self._bed.relief is None else 120
        ground = self._bed.height if self._bed else surface
        self._draw_sheet(0, near, _Sheet(x, y, float(low[2]), ground, points), spacing)
        # still water has few lines, so that it does not hide the cables; moving water needs them to show its shape
        lines = spacing * (0.5 if moving else 5.0)
        self._draw_sheet(1, wet, _Sheet(x, y, float(low[2]), surface, FINE if moving else 2), lines)
        self._crests.set_visible(wet and moving and self._view == "top")
        if self._crests.get_visible():
            self._draw_crests(waves, time, x, y)
            self._grids[1].set_segments([])

    def _crest_image(self, scene: Any) -> Any:
        """From above a surface with waves looks flat: its crests are shown light and its troughs dark."""
        from matplotlib.colors import LinearSegmentedColormap, to_rgba

        shades = LinearSegmentedColormap.from_list("crests", [to_rgba(WATER, 0.30), to_rgba(WATER, 0.0)])
        look: dict[str, Any] = {"cmap": shades, "vmin": -1.0, "vmax": 1.0, "origin": "lower", "aspect": "auto"}
        return scene.imshow(np.zeros((2, 2)), zorder=2, animated=True, interpolation="bilinear", **look)

    def _draw_crests(self, waves: Surface, time: float, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        corners = np.array([[a, b, 0.0] for a in x for b in y])
        flat = self._camera.project(corners)
        low, high = flat.min(axis=0), flat.max(axis=0)
        across, up = (np.linspace(low[k], high[k], FINE // 2) for k in (0, 1))
        place = across[np.newaxis, :, np.newaxis] * self._camera.right + up[:, np.newaxis, np.newaxis] * self._camera.up
        height = waves.elevation(time, place[..., 0], place[..., 1])
        self._crests.set_data(height / max(0.6 * waves.highest, 1e-9))
        self._crests.set_extent((low[0], high[0], low[1], high[1]))

    def _draw_sheet(self, k: int, shown: bool, sheet: _Sheet, spacing: float) -> None:
        across = 0 if abs(self._camera.right[0]) > abs(self._camera.right[1]) else 1
        outline = sheet.cut(across) if self._view == "side" else sheet.outline()
        lines = [sheet.edge(across)] if self._view == "side" else sheet.lines(spacing)
        self._sheets[k].set_verts([self._camera.project(outline)] if shown else [])
        self._grids[k].set_segments([self._camera.project(line) for line in lines] if shown else [])


@dataclass(frozen=True)
class _Sheet:
    """The bed or the surface over the box ``x`` (2,), ``y`` (2,), drawn by so many ``points`` along a line, m."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    floor: float
    height: Callable[..., Any]
    points: int

    def over(self, x: Any, y: Any) -> NDArray[np.float64]:
        """The line over places (n,), (n,) on the ground, (n, 3)."""
        x, y = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
        return np.column_stack([x, y, np.asarray(self.height(x, y)) + np.zeros(len(x))])

    def outline(self) -> NDArray[np.float64]:
        """The edge of the sheet, all the way round."""
        x, y = self._along(0), self._along(1)
        sides = (self.over(x, self.y[0]), self.over(self.x[1], y), self.over(x[::-1], self.y[1]))
        return np.concatenate([*sides, self.over(self.x[0], y[::-1])])

    def lines(self, spacing: float) -> list[NDArray[np.float64]]:
        """Lines at round distances."""
        x, y = self._along(0), self._along(1)
        return [self.over(value, y) for value in _rounds(self.x, spacing)] + [
            self.over(x, value) for value in _rounds(self.y, spacing)
        ]

    def _along(self, axis: int) -> NDArray[np.float64]:
        limits = (self.x, self.y)[axis]
        return np.linspace(limits[0], limits[1], self.points)

    def edge(self, across: int) -> NDArray[np.float64]:
        """From the side a sheet is a line: that through its middle."""
        along = self._along(across)
        middle = float((self.y, self.x)[across].mean())
        return self.over(along, middle) if across == 0 else self.over(middle, along)

    def cut(self, across: int) -> NDArray[np.float64]:
        """What lies below that line, to fill."""
        top = self.edge(across)
        under = top[[-1, 0]]
        under[:, 2] = self.floor - 0.25 * max(np.ptp(self.x), np.ptp(self.y))
        return np.concatenate([top, under])


def _rounds(limits: NDArray[np.float64], spacing: float) -> NDArray[np.float64]:
    return np.arange(np.ceil(limits[0] / spacing) * spacing, limits[1], spacing)


def round_step(rough: float) -> float:
    """The round number (1, 2, 5 times a power of ten) at or above a rough one."""
    power = 10.0 ** np.floor(np.log10(max(rough, 1e-12)))
    return float(next(f * power for f in (1.0, 2.0, 5.0, 10.0) if f * power >= rough * 0.999))


def short_title(title: str) -> str:
    """A title that fits beside the clock."""
    one_line = " ".join(title.split())
    return one_line if len(one_line) <= 80 else one_line[:79] + "…"


def foot(dataset: xr.Dataset, stretch: float) -> str:
    """Where the numbers come from, and the scale."""
    parts = [
        f"Fairlead {dataset.attrs.get('fairlead_version', '')}".strip(),
        f"formulation {dataset.attrs['formulation']}" if dataset.attrs.get("formulation") else "",
        "to scale" if stretch == 1.0 else f"vertical scale × {stretch:g}",
    ]
    return "  ·  ".join(part for part in parts if part)
