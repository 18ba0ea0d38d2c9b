"""Where the cables are: a view in space, from above and from the side, at several instants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results import Ground, seabed_of

from .histories import CableHistory, cable_histories, instant_labels, snapshot_samples
from .labels import AXIS_LABELS, Box, covered, label_points, on_page
from .style import (
    BED,
    BODY,
    FAINT,
    INK,
    WATER,
    in_house_style,
    legend_below,
    new_figure,
    panel_area,
    time_colours,
)
from .things import body_lines, described, has_water
from .waves import Surface, surface_of

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PATCHES = 50
"""Patches along either side of a sea with waves."""
EDGE = 0.08
"""Least distance of a name from the edge of the page, inches."""
CLEAR = 3.0
"""Least distance of the name of the upright axis from its numbers, pixels."""
MOST_FITS = 6
"""Times the view in space is measured and put right: its texts keep their size when it shrinks."""
MOST_AZIMUTHS = 12
"""Lines whose azimuths fit into a plan."""
AZIMUTH_SIZE = 8.5  # points
AZIMUTH_PLACES = (0.45, 0.55, 0.65, 0.35, 0.75, 0.25)
"""Where on its line an azimuth may stand, as a part of the way to the anchor, the best first."""
NICE_FACTORS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Scene:
    """What the three views share: cables and points at the chosen instants, and the box (2, 3) around them, m."""

    cables: list[CableHistory]
    samples: NDArray[np.intp]
    colours: list[Any]
    point_names: list[str]
    point_position: NDArray[np.float64]
    bed: Ground | None
    water: bool
    waves: Surface
    bodies: list[NDArray[np.float64]]
    """Outlines of bodies at the last instant: lines of (n, 3), m."""
    azimuths: list[tuple[NDArray[np.float64], float]]
    """Of the lines that end on the ground: their upper and lower end (2, 3), m, and the direction from there to the
    anchor as from above, degrees from north (x) towards west (y)."""
    time: float
    """Of the last instant, s: the sea is drawn as it is then."""
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @property
    def surface(self) -> bool:
        """Whether the mean surface is in the picture."""
        reach = self.waves.highest
        return bool(self.water and self.low[2] <= reach and -reach <= self.high[2])

    @property
    def extent(self) -> NDArray[np.float64]:
        """Size of the box, (3,), m."""
        return self.high - self.low


@in_house_style
def geometry(dataset: xr.Dataset, instants: Sequence[float] | None = None) -> Figure:
    """Cables in space, from above and from the side at ``instants`` (s; by default six from first to last).

    Lengths are to scale in every view; where that would leave a flat line, the vertical is stretched by a round factor
    that the view states. Waves are drawn as they are at the last of the instants.
    """
    scene = _scene(dataset, instants)
    subject = "Geometry: early instants light, late ones dark" if len(scene.samples) > 1 else "Geometry"
    subject += "; azimuths from north towards west" if scene.azimuths else ""
    figure = new_figure(dataset, subject, 12.0, 6.6)
    width, height = figure.get_size_inches()
    area = panel_area(figure, left=7.25, right=0.25, below=0.85)
    space = figure.add_axes(
        (0.015, area["bottom"] - 0.03, 0.515, area["top"] - area["bottom"] + 0.05),
        projection="3d",
        computed_zorder=False,
    )
    grid = figure.add_gridspec(2, 1, hspace=0.42, **area)
    plan, side = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
    factor = _draw_space(space, scene)
    place = (0.18 / width, area["top"] + 0.07 / height)
    figure.text(*place, _titled("In space", factor), fontsize=11, fontweight="bold", va="bottom")
    panel = plan.get_position()
    shape = panel.height * height / (panel.width * width)
    _draw_plan(plan, scene, shape)
    _draw_side(side, scene, shape)
    _fit_space(space, (plan, side))
    handles, labels = _legend(scene, instant_labels(dataset["time"].values[scene.samples]))
    legend_below(figure, handles, labels, max(1, min(len(handles), 9)))
    return figure


def _scene(dataset: xr.Dataset, instants: Sequence[float] | None) -> Scene:
    samples = snapshot_samples(dataset, instants)
    cables = cable_histories(dataset)
    has_points = "point_position" in dataset
    points = dataset["point_position"].values if has_points else np.empty((dataset.sizes["time"], 0, 3))
    path = points[samples[0] : samples[-1] + 1]
    solids = [line for body in body_lines(dataset) for line in body.at(samples[-1], points[samples[-1], body.point])]
    solids = [line for line in solids if np.isfinite(line).all()]
    shown = np.concatenate([*(c.position[samples].reshape(-1, 3) for c in cables), path.reshape(-1, 3), *solids])
    shown = shown[np.isfinite(shown).all(axis=1)]
    shown = shown if len(shown) else np.zeros((1, 3))
    low, high = shown.min(axis=0), shown.max(axis=0)
    size = max(float((high - low).max()), 1e-9)
    bed = seabed_of(dataset)
    # A bed far below everything would shrink the picture to a speck: it is drawn only when it is near.
    if bed is not None:
        fine = 2 if bed.relief is None else PATCHES
        ground = bed.height(*np.meshgrid(*(np.linspace(low[k], high[k], fine) for k in (0, 1))))
        if low[2] - ground.max() > 2.0 * size:
            bed = None
        else:
            low[2] = min(low[2], ground.min())
    water = has_water(dataset)
    if water and (abs(low[2]) < 2.0 * size or abs(high[2]) < 2.0 * size):
        low[2], high[2] = min(low[2], 0.0), max(high[2], 0.0)
    thin = np.maximum(0.0, 0.05 * size - (high - low)) / 2
    return Scene(
        cables,
        samples,
        time_colours(len(samples)),
        [str(name) for name in dataset["point"].values] if has_points else [],
        points,
        bed,
        water,
        surface_of(dataset),
        solids,
        _azimuths(dataset, cables, int(samples[-1])),
        float(dataset["time"].values[samples[-1]]),
        low - thin * (1, 1, 0) - 0.03 * size * np.array([1, 1, 0]),
        high + thin * (1, 1, 0) + 0.03 * size * np.array([1, 1, 0]),
    )


def _azimuths(dataset: xr.Dataset, cables: list[CableHistory], sample: int) -> list[tuple[NDArray[np.float64], float]]:
    """Of every cable with one end at an anchor or a fixed point; of several, not of many that would cover the plan."""
    found = []
    for cable in cables:
        facts = described(dataset, "cables", cable.name)
        held = [_held(dataset, facts.get(end)) for end in ("start", "end")]
        if held[0] == held[1]:
            continue
        places = cable.position[sample]
        places = places[np.isfinite(places).all(axis=1)]
        if len(places) < 2:
            continue
        foot, top = (places[0], places[-1]) if held[0] else (places[-1], places[0])
        way = (foot - top)[:2]
        if np.hypot(*way) > 0.05 * np.linalg.norm(foot - top):
            found.append((np.array([top, foot]), float(np.degrees(np.arctan2(way[1], way[0])))))
    return found if 1 < len(found) <= MOST_AZIMUTHS else []


def _held(dataset: xr.Dataset, end: Any) -> bool:
    """Whether an end of a cable is at a point that stays where it is."""
    name = end.get("point") if isinstance(end, dict) else end
    return described(dataset, "points", str(name)).get("kind") in ("anchor", "fixed")


def _draw_space(axes: Any, scene: Scene) -> float:
    """Draw the view in space; returns by what factor its vertical is stretched."""
    low, high = scene.low.copy(), scene.high.copy()
    # A slab much thinner than long is hard to see in perspective: widen the drawn sea, not the scale.
    widest = max(high[0] - low[0], high[1] - low[1], 0.8 * (high[2] - low[2]))
    for k in (0, 1):
        missing = max(0.0, 0.45 * widest - (high[k] - low[k])) / 2
        low[k], high[k] = low[k] - missing, high[k] + missing
    factor = _stretch(widest, high[2] - low[2], 0.20)
    box = high - low
    box[2] = max(box[2] * factor, 0.1 * widest)
    wide = box[2] < 0.8 * widest
    axes.set_box_aspect(box / box.max(), zoom=1.08 if wide else 0.85)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_zlim(low[2], high[2] if high[2] > low[2] else low[2] + 1.0)
    # Seen from the same side as the flat view: the longer axis runs to the right as it does there.
    axes.view_init(elev=24, azim=-152 if _directions(scene)[0] == 1 else -62)

    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    if scene.bed is not None and scene.bed.relief is not None:
        _draw_sheet(axes, scene.bed.height, BED, 0.30, low, high, zorder=0)
    elif scene.bed is not None:
        heights = scene.bed.height(corners[:, 0], corners[:, 1])
        _plane(axes, np.column_stack([corners, heights]), BED, 0.30, zorder=0)
    for cable in scene.cables:
        for sample, colour in zip(scene.samples, scene.colours, strict=True):
            axes.plot(*cable.position[sample].T, color=colour, lw=1.7, zorder=3, clip_on=False)
    waves = scene.waves.longer_than(3.0 * float((high - low)[:2].max()) / PATCHES)
    if scene.surface and waves.moves:
        _draw_sheet(axes, lambda x, y: waves.elevation(scene.time, x, y), WATER, 0.14, low, high, zorder=4)
    elif scene.surface:
        _plane(axes, np.column_stack([corners, np.zeros(4)]), WATER, 0.13, zorder=4)
    for line in scene.bodies:
        axes.plot(*line.T, color=BODY, lw=0.9, zorder=3.5, clip_on=False)
    _draw_points(axes, scene, (0, 1, 2))
    for setter, label in zip((axes.set_xlabel, axes.set_ylabel, axes.set_zlabel), AXIS_LABELS, strict=True):
        setter(label, labelpad=5, fontsize=9)
    axes.zaxis.set_rotate_label(False)
    axes.zaxis.label.set_rotation(90)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.pane.set_facecolor("white")
        axis.pane.set_edgecolor("#dfe5ea")
        axis.set_major_locator(_few_ticks(5))
    for axis, k in ((axes.xaxis, 0), (axes.yaxis, 1)):  # where two axes meet, neither has a number
        room = 0.06 * (high[k] - low[k])
        axis.set_ticks([v for v in _few_ticks(5).tick_values(low[k], high[k]) if low[k] + room < v < high[k] - room])
    axes.tick_params(labelsize=8, pad=1)
    # numbers are written about a place beside their axis: long ones further off, so that minus signs stand clear of it
    letters = max(map(len, axes.zaxis.get_major_formatter().format_ticks(axes.get_zticks())))
    axes.tick_params(axis="z", pad=1.5 * letters if wide else 3 + 2.5 * letters)
    axes.zaxis.labelpad = 3.2 * letters - 8 if wide else 6 + 4.0 * letters
    return factor


def _fit_space(axes: Any, panels: tuple[Axes, Axes]) -> None:
    """Keep the view in space between the left edge of the page and the panels, the name of its upright axis clear of
    its numbers."""
    figure = axes.figure
    edge = EDGE * figure.dpi
    figure.draw_without_rendering()  # names and numbers of axes find their places when they are drawn
    room = min(_name_box(panel.yaxis).x0 for panel in panels) - 4.0 * edge
    for panel in panels:  # they stay as they are, and need not be drawn again
        panel.set_visible(False)
    for _ in range(MOST_FITS - 1):
        if _fits(axes, edge, room):
            break
        figure.draw_without_rendering()
    else:
        _fits(axes, edge, room)
    for panel in panels:
        panel.set_visible(True)


def _fits(axes: Any, edge: float, room: float) -> bool:
    """Whether what was drawn needs no change; where it does, it is changed for the next time."""
    figure = axes.figure
    overlap = _overlap(axes.zaxis)
    axes.zaxis.labelpad += overlap * 72.0 / figure.dpi
    drawn = (axes.xaxis, axes.yaxis, axes.zaxis)
    written = [box for axis in drawn for box in (_name_box(axis), *_number_boxes(axis))]
    left, right = min(box.x0 for box in written), max(box.x1 for box in written)
    panel = axes.get_position(original=True)
    shrunk = min(1.0, room / (right - left))
    move = max(edge - left, 0.0) or min(edge + room - right, 0.0)
    thinned = [_thin(axis) for axis in (axes.xaxis, axes.yaxis)]
    if shrunk == 1.0 and move == 0.0 and overlap == 0.0 and not any(thinned):
        return True
    width, height = shrunk * panel.width, shrunk * panel.height
    axes.set_position(
        (panel.x0 + move / figure.bbox.width + 0.5 * (panel.width - width),
         panel.y0 + 0.5 * (panel.height - height), width, height)
    )  # fmt: skip
    return False


def _name_box(axis: Any) -> Any:
    return axis.label.get_window_extent()


def _number_boxes(axis: Any) -> list[Any]:
    low, high = sorted(axis.get_view_interval())
    ticks = zip(axis.get_major_ticks(), axis.get_majorticklocs(), strict=False)
    return [tick.label1.get_window_extent() for tick, value in ticks if low <= value <= high and tick.label1.get_text()]


def _thin(axis: Any) -> bool:
    """Leave every second number out where they would cover one another; returns whether they would."""
    boxes = _number_boxes(axis)
    if not any(first.overlaps(second) for first, second in pairwise(boxes)):
        return False
    axis.set_ticks(axis.get_majorticklocs()[len(boxes) % 2 == 0 :: 2])
    return True


def _overlap(axis: Any) -> float:
    """How far the name of an upright axis would have to go to stand clear of its numbers, pixels."""
    name = _name_box(axis)
    across = [box for box in _number_boxes(axis) if box.y0 < name.y1 and name.y0 < box.y1]
    if not across:
        return 0.0
    middle = 0.5 * (min(box.x0 for box in across) + max(box.x1 for box in across))
    if 0.5 * (name.x0 + name.x1) < middle:
        return max(0.0, float(name.x1 - min(box.x0 for box in across)) + CLEAR)
    return max(0.0, float(max(box.x1 for box in across) - name.x0) + CLEAR)


def _draw_sheet(
    axes: Any,
    height: Callable[..., NDArray[np.float64]],
    colour: str,
    thick: float,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    zorder: int,
) -> None:
    """A surface of small patches, each a little lighter or darker as it leans."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    x, y = (np.linspace(low[k], high[k], PATCHES + 1) for k in (0, 1))
    places = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    grid = np.concatenate([places, height(places[..., 0], places[..., 1])[..., np.newaxis]], axis=-1)
    corners = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2).reshape(-1, 4, 3)
    lean = (corners[:, 2, 2] - corners[:, 0, 2]) / np.linalg.norm(corners[0, 2, :2] - corners[0, 0, :2])
    shade = np.clip(thick + 0.6 * lean, 0.3 * thick, 2.1 * thick)
    faces = [(*_rgb(colour), a) for a in shade]
    sheet = Poly3DCollection(corners, facecolor=faces, edgecolor="none", lw=0, zorder=zorder)
    sheet.set_clip_on(False)
    axes.add_collection3d(sheet)


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def _directions(scene: Scene) -> tuple[int, int]:
    """Which horizontal axis runs across the flat views (the longer one) and which goes away from the reader.

    Seen from above, with x north and y west: either x to the right and y up, or x up and y to the LEFT.
    """
    return (0, 1) if scene.extent[0] >= scene.extent[1] else (1, 0)


def _draw_plan(axes: Axes, scene: Scene, shape: float) -> None:
    across, up = _directions(scene)
    _frame(axes, scene, across, up, 1.0, shape)
    taken = _draw_flat(axes, scene, across, up)
    for ends, angle in scene.azimuths:
        _write_azimuth(axes, ends[:, [across, up]], angle, taken)
    axes.set_title(_titled("From above", 1.0))


def _write_azimuth(axes: Axes, ends: NDArray[np.float64], angle: float, taken: list[Box]) -> None:
    """Write an azimuth on its line, where it covers nothing that is written; near the middle where it must."""
    shown = round(angle) % 360
    text = f"{shown - 360 if shown > 180 else shown:d}°".replace("-", "−")
    pixel = axes.figure.dpi / 72.0
    half = 0.5 * np.array([0.62 * len(text) + 0.3, 1.3]) * AZIMUTH_SIZE * pixel
    places = [ends[0] + part * (ends[1] - ends[0]) for part in AZIMUTH_PLACES]
    boxes = [(x - half[0], x + half[0], y - half[1], y + half[1]) for x, y in on_page(axes, np.array(places))]
    free = next((k for k, box in enumerate(boxes) if not covered(box, taken)), 0)
    taken.append(boxes[free])
    axes.annotate(
        text, tuple(places[free]), ha="center", va="center", fontsize=AZIMUTH_SIZE, color=FAINT, zorder=5.5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
    )  # fmt: skip


def _draw_side(axes: Axes, scene: Scene, shape: float) -> None:
    across, away = _directions(scene)
    factor = _stretch(scene.extent[across], scene.extent[2], 0.12)
    _frame(axes, scene, across, 2, factor, shape)
    _draw_flat(axes, scene, across, 2)
    start, stop = axes.get_xlim()
    floor = axes.get_ylim()[0]
    if scene.bed is not None:
        ends = np.linspace(start, stop, 2 if scene.bed.relief is None else 400)
        middle = np.full(len(ends), 0.5 * (scene.low[away] + scene.high[away]))
        heights = scene.bed.height(*((ends, middle) if across == 0 else (middle, ends)))
        floor = min(floor, float(heights.min()) - 0.04 * (axes.get_ylim()[1] - floor))
        axes.fill_between(ends, heights, floor, color=BED, alpha=0.35, lw=0, zorder=1)
        axes.plot(ends, heights, color=BED, lw=1.2, zorder=1.5)
    axes.set_ylim(bottom=floor)
    if scene.water and axes.get_ylim()[0] <= 0.0 <= axes.get_ylim()[1]:
        along, middle = np.linspace(start, stop, 800), 0.5 * (scene.low[away] + scene.high[away])
        waves = scene.waves.longer_than(6.0 * abs(stop - start) / len(along))
        height = waves.elevation(scene.time, *((along, middle) if across == 0 else (middle, along)))
        axes.plot(along, height, color=WATER, lw=1.2, zorder=1.5)
        axes.fill_between(along, height, floor, color=WATER, alpha=0.07, lw=0, zorder=0)
    axes.set_xlim(start, stop)
    axes.set_title(_titled("From the side", factor))


def _draw_flat(axes: Axes, scene: Scene, across: int, up: int) -> list[Box]:
    """Draw cables, bodies and points; returns where names stand."""
    for cable in scene.cables:
        for sample, colour in zip(scene.samples, scene.colours, strict=True):
            axes.plot(cable.position[sample, :, across], cable.position[sample, :, up], color=colour, zorder=3)
    for line in scene.bodies:
        axes.plot(line[:, across], line[:, up], color=BODY, lw=0.9, zorder=3.5)
    written = _draw_points(axes, scene, (across, up))
    axes.set_xlabel(AXIS_LABELS[across], fontsize=9)
    axes.set_ylabel(AXIS_LABELS[up], fontsize=9)
    axes.tick_params(labelsize=8)
    return written


def _draw_points(axes: Any, scene: Scene, directions: tuple[int, ...]) -> list[Box]:
    """Points at the last instant, and the way they took; returns where their names stand."""
    path = scene.point_position[scene.samples[0] : scene.samples[-1] + 1][..., list(directions)]
    places, names = [], []
    for i, name in enumerate(scene.point_names):
        if np.isfinite(path[-1, i]).all():
            axes.plot(*path[:, i].T, color=FAINT, lw=0.8, ls=":", zorder=2, clip_on=False)
            axes.plot(*path[-1:, i].T, "o", color=INK, ms=4.5, mec="white", mew=0.7, zorder=5, clip_on=False)
            places.append(path[-1, i])
            names.append(name)
    return label_points(axes, np.array(places), names) if places else []


def _frame(axes: Axes, scene: Scene, across: int, up: int, factor: float, shape: float) -> None:
    """Limits that hold the scene with ``factor`` between the two scales; ``shape`` is the panel's height over width."""
    middle = 0.5 * (scene.low + scene.high)
    wide = max(scene.extent[across], scene.extent[up] * 1.14 * factor / shape)
    tall = wide * shape / factor
    axes.set_xlim(middle[across] - wide / 2, middle[across] + wide / 2)
    axes.set_ylim(middle[up] - tall / 2, middle[up] + tall / 2)
    if across == 1:
        axes.invert_xaxis()
    axes.xaxis.set_major_locator(_few_ticks(8))
    axes.yaxis.set_major_locator(_few_ticks(5))


def _stretch(long: float, short: float, least: float) -> float:
    """The smallest round factor that makes ``short`` at least the fraction ``least`` of ``long``."""
    if short <= 0.0:
        return 1.0
    return float(next((f for f in NICE_FACTORS if short * f >= least * long), NICE_FACTORS[-1]))


def _titled(name: str, factor: float) -> str:
    return f"{name} (to scale)" if factor == 1 else f"{name} (vertical scale × {factor:g})"


def _plane(axes: Any, corners: NDArray[np.float64], colour: str, alpha: float, zorder: float) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    plane = Poly3DCollection([corners], facecolor=colour, edgecolor=colour, lw=0.8, alpha=alpha, zorder=zorder)
    plane.set_clip_on(False)
    axes.add_collection3d(plane)


def _few_ticks(count: int) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(count, steps=[1, 2, 2.5, 5, 10])


def _legend(scene: Scene, labels: list[str]) -> tuple[list[Any], list[str]]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Line2D([], [], color=colour, lw=2.2) for colour in scene.colours]
    if not scene.cables:
        handles, labels = [], []  # no cable, no instants of it
    if scene.bodies:
        handles.append(Line2D([], [], color=BODY, lw=1.6))
        labels = [*labels, f"bodies at {instant_labels(np.array([scene.time]))[0]}"]
    if scene.surface:
        handles.append(Patch(facecolor=WATER, edgecolor=WATER, alpha=0.35))
        labels = [
            *labels,
            f"surface at {instant_labels(np.array([scene.time]))[0]}" if scene.waves.moves else "mean surface",
        ]
    if scene.bed is not None:
        handles.append(Patch(facecolor=BED, edgecolor=BED, alpha=0.45))
        labels = [*labels, "seabed"]
    return handles, labels
