"""Run the examples and studies and draw the pictures of the documentation, small enough to be committed.

`make pictures` draws all; `python docs/make_pictures.py NAME ...` those of the named examples. What is drawn of an
example stands in `examples.toml`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import twin_pictures
import xarray as xr
from example_pages import EXAMPLES, IMAGES, Example, entries
from matplotlib.figure import Figure
from PIL import Image, ImageSequence

import fairlead as fl
from fairlead.cli.main import main
from fairlead.results import open_result
from fairlead.studies import compare
from fairlead.view import comparison, save, save_all
from fairlead.view.film import film
from fairlead.view.labels import AXIS_LABELS
from fairlead.view.style import PALETTE, in_house_style, legend_beside, new_figure, panel_area

HERE = Path(__file__).resolve().parent
BENCHMARKS = HERE.parent / "benchmarks"
WIDTH, COLOURS = 1200, 64
"""Of a picture, at most: half the bytes of 256 colours, and nothing that is seen."""
STUDIES = {
    "efficiency_study": {"literal_cost": "efficiency_cost", "literal_error": "efficiency_error"},
    "filtering_effect": {"literal": "filtering_effect"},
}
"""Scripts under `benchmarks/`, the pictures they leave and the names they get here."""

FILM: dict[str, Any] = {"size": (480, 270), "rate": 4.0, "speed": 2.4}
FILMED = 12.0
"""Films on a page are small, and of so many seconds in the middle of a run."""


def shrink(source: Path, name: str) -> None:
    """Keep a smaller copy of a picture, with a palette instead of full colour."""
    with Image.open(source) as picture:
        width = min(WIDTH, picture.width)
        size = (width, round(picture.height * width / picture.width))
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    # maximum coverage keeps the few pixels of a thin line in their own colour; a median cut would not
    palette = small.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    palette.save(IMAGES / f"{name}.png", optimize=True)
    print(f"docs/images/{name}.png")


def draw_example(example: Example, folder: Path) -> None:
    """Run one example and keep its pictures."""
    if example.sources[0].suffix == ".py":
        draw_script(example, folder)
    elif (EXAMPLES / example.files[0] / "storm.yaml").exists():
        draw_storms(example, folder)
    elif any("study run" in command for command in example.run) and any(
        command.startswith("python ") for command in example.run
    ):
        draw_by_commands(example, folder)
    elif example.name.startswith("twin_"):
        figure = getattr(twin_pictures, example.name.removeprefix("twin_"))()
        shrink(save(figure, folder / "twin.png"), example.name)
    elif (EXAMPLES / example.files[0] / "together.yaml").exists():
        draw_co_simulation(example, folder)
    else:
        draw_model(example, folder)


def draw_model(example: Example, folder: Path) -> None:
    """A model file: figures of its result, what its script draws of it, and formulations over one another."""
    name, file = example.name, folder / f"{example.name}.nc"
    result = fl.simulate(example.sources[0], output=file, progress=sys.stderr.isatty())
    for kind, path in save_all(result, folder, ["geometry", *example.pictures]).items():
        shrink(path, name if kind == "geometry" else f"{name}-{kind}")
    if example.script:
        subprocess.run([sys.executable, EXAMPLES / example.script, file], check=True, cwd=folder)
        for path in sorted(folder.glob(f"{name}-*.png")):
            shrink(path, path.stem)
    if example.film:
        draw_film(result, name, example.film)
    if example.compare:
        found = compare(example.sources[0], example.compare)
        shrink(save(comparison(found), folder / "compare.png"), f"{name}-compare")


def draw_film(result: xr.Dataset, name: str, view: str) -> None:
    """A small film of the middle of a run."""
    middle = 0.5 * float(result["time"][0] + result["time"][-1])
    some = result.sel(time=slice(middle - 0.5 * FILMED, middle + 0.5 * FILMED))
    shrink_film(film(some, IMAGES / f"{name}-film.gif", view=view, **FILM))
    print(f"docs/images/{name}-film.gif")


def shrink_film(path: Path) -> None:
    """Write a film again with one small palette for all its frames, undithered."""
    with Image.open(path) as film:
        pause = film.info["duration"]
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    palette = frames[-1].quantize(COLOURS)
    first, *rest = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    first.save(path, save_all=True, append_images=rest, duration=pause, loop=0, optimize=True)


def draw_script(example: Example, folder: Path) -> None:
    """A script that draws its own picture."""
    path = folder / f"{example.name}.png"
    subprocess.run([sys.executable, example.sources[0], "-o", path], check=True, stdout=subprocess.DEVNULL)
    shrink(path, example.name)


def draw_by_commands(example: Example, folder: Path) -> None:
    """A study, and what its script draws of its result: the commands of its page, in a copy of its folder."""
    copy = Path(shutil.copytree(EXAMPLES / example.files[0], folder / example.name))
    (script,) = copy.glob("*.py")
    fairlead = [sys.executable, "-c", "from fairlead.cli.main import program; program()"]
    for command in example.run[1:]:
        if " report " not in command:
            first, *words = command.split()
            subprocess.run([*(fairlead if first == "fairlead" else [sys.executable]), *words], check=True, cwd=copy)
    shrink(script.with_suffix(".png"), example.name)


def draw_storms(example: Example, folder: Path) -> None:
    """A study: what its scenarios came to, with all lines and with one lost."""
    result = fl.Study(EXAMPLES / example.files[0] / "storm.yaml", folder=folder / "study").run()
    shrink(save(_storms(result), folder / "storms.png"), example.name)


@in_house_style
def _storms(result: xr.Dataset) -> object:
    figure = Figure(figsize=(12.0, 4.4), layout="constrained")
    figure.suptitle("Forty storms of a buoy, each point a run of five minutes", x=0.01, ha="left", fontweight="bold")
    height = result["environment.waves.significant_height"].values
    shown = (("west.tension@buoy.max", 1e3, "largest tension of the western line (kN)"),
             ("buoy.offset.max", 1.0, "largest offset of the buoy (m)"))  # fmt: skip
    for k, (name, divisor, label) in enumerate(shown):
        axes = figure.add_subplot(1, 2, k + 1)
        for lost, words, colour in (("", "all lines", PALETTE[0]), ("north", "north lost", PALETTE[1])):
            chosen = result["cables"].values == lost
            axes.plot(height[chosen], result[name].values[chosen] / divisor, "o", ms=5, color=colour, label=words)
        axes.set(xlabel="significant height (m)", ylabel=label)
        axes.set_ylim(bottom=0.0)
        axes.legend()
    return figure


def draw_co_simulation(example: Example, folder: Path) -> None:
    """FMUs run together: the force at the first lead-in of either side beside one simulation of the whole, and the
    geometry that the FMUs show, as the paper has it (its Figures 10 and 12)."""
    file = folder / "together.nc"
    set_up = EXAMPLES / example.files[0] / "together.yaml"
    main(["cosim", str(set_up), "-o", str(file), "-q"], standalone_mode=False)
    whole = fl.simulate(EXAMPLES / "seismic_front_end.yaml")
    split = open_result(file)
    shrink(save(_co_simulation(split, whole), folder / "together.png"), example.name)
    shrink(save(_front_end(split), folder / "geometry.png"), f"{example.name}-geometry")


@in_house_style
def _co_simulation(split: xr.Dataset, whole: xr.Dataset) -> object:
    subject = "Force at the winch of lead-in 1: three FMUs (thin) over one simulation (broad)"
    figure = new_figure(whole.assign_attrs(title="The seismic front end as three FMUs"), subject, 12.0, 6.6)
    grid = figure.add_gridspec(2, 1, hspace=0.32, **panel_area(figure, left=0.9, right=2.2, below=0.52))
    above, below = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
    for side, colour in zip(("port", "starboard"), PALETTE, strict=False):
        cable = f"{side}_lead_in_1"
        one = np.linalg.norm(whole["force_end"].sel(cable=cable, end="start").values, axis=1) / 1e3
        three = np.linalg.norm(split[f"{side}.{cable}.force_start"].values, axis=1) / 1e3
        above.plot(whole["time"], one, color=colour, lw=4, alpha=0.35, label=f"{side}, one simulation")
        above.plot(split["time"], three, color=colour, lw=1.2, label=f"{side}, FMU")
        off = 100.0 * (np.interp(whole["time"], split["time"], three) / one - 1.0)
        below.plot(whole["time"], off, color=colour, lw=1.2, label=side)
    above.set(ylabel="force (kN)", title="Force")
    below.set(
        ylabel="difference (%)", xlabel="time (s)", title="Difference of the FMU from the simulation", ylim=(-1, 1)
    )
    for axes in (above, below):
        axes.margins(x=0.01)
        legend_beside(axes, *axes.get_legend_handles_labels())
    above.set_ylim(12.5, 15.5)
    return figure


SIDE_VIEWS = {"right after the start": 1.0, "before the buoys move": 100.0}
TOP_VIEWS = {"neutral": 100.0, "furthest to port": 257.0, "furthest to starboard": 571.0}
"""When the paper shows its front end, s: the sway begins at 100 s with a period of 628 s."""


SHOWN_BY_FMUS = "Geometry shown by the FMUs, port blue, starboard red: from the side (Fig. 10), from above (Fig. 12)"


@in_house_style
def _front_end(split: xr.Dataset) -> object:
    """The cables of all FMUs from the side and from above."""
    figure = new_figure(split, SHOWN_BY_FMUS, 12.0, 8.4)
    grid = figure.add_gridspec(2, 6, hspace=0.32, wspace=0.75, **panel_area(figure, left=0.9, right=0.3, below=0.52))
    panels = [(figure.add_subplot(grid[0, 3 * k : 3 * k + 3]), t, 0, 2) for k, t in enumerate(SIDE_VIEWS.items())]
    panels += [(figure.add_subplot(grid[1, 2 * k : 2 * k + 2]), t, 1, 0) for k, t in enumerate(TOP_VIEWS.items())]
    for axes, (words, time), across, up in panels:
        now = split.sel(time=time, method="nearest")
        for cable in split["cable"].values:
            place = now["position"].sel(cable=cable).values
            colour = PALETTE[0] if str(cable).startswith("port") else PALETTE[1]
            axes.plot(place[:, across], place[:, up], color=colour, lw=1.0)
        axes.set(title=f"{words}, {float(now['time']):g} s", xlabel=AXIS_LABELS[across], ylabel=AXIS_LABELS[up])
        if across == 1:
            axes.invert_xaxis()  # y points to port
    return figure


def draw_study(script: str, folder: Path) -> None:
    """Run one study and keep its pictures."""
    subprocess.run([sys.executable, BENCHMARKS / f"{script}.py", "-o", folder], check=True, stdout=subprocess.DEVNULL)
    for source, name in STUDIES[script].items():
        shrink(folder / f"{source}.png", name)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    wanted = sys.argv[1:]
    unknown = set(wanted) - {example.name for example in entries()}
    if unknown:
        sys.exit(f"examples.toml has no entry {', '.join(sorted(unknown))}")
    for example in entries():
        if not wanted or example.name in wanted:
            with tempfile.TemporaryDirectory() as place:
                draw_example(example, Path(place))
    with tempfile.TemporaryDirectory() as place:
        for study in () if wanted else STUDIES:
            draw_study(study, Path(place))
