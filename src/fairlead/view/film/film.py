"""A result as a film."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ResultError

from ..free_surface import WaterPicture
from . import encoders
from .picture import Picture

if TYPE_CHECKING:
    import xarray as xr

LENGTH = 20.0  # s
RATES = {".mp4": 25.0, ".gif": 12.5}  # images a second


def film(
    dataset: xr.Dataset,
    path: str | Path,
    *,
    view: str = "space",
    colour: str = "tension",
    speed: float | None = None,
    rate: float | None = None,
    size: tuple[int, int] | None = None,
    stretch: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a film of a result (.mp4 or .gif) and return its path.

    view      space, side or top; water for the free surface round hulls
    colour    tension, curvature, speed or moment
    speed     times real time; by default such that the film lasts 20 s
    rate      images a second; 25, or 12.5 for GIF
    size      width and height in pixels, even numbers; 1280 x 720, or 800 x 450 for GIF
    stretch   factor on heights
    progress  called with (images done, images in all)
    """
    path = Path(path)
    encoders.require(path)
    gif = path.suffix.lower() == ".gif"
    wide, tall = size or ((800, 450) if gif else (1280, 720))
    if wide < 160 or tall < 120 or wide % 2 or tall % 2:
        raise ResultError(f"a film of {wide} x {tall} pixels cannot be written; use even numbers from 160 x 120 on")
    rate = rate or RATES[path.suffix.lower()]
    times = film_times(np.asarray(dataset["time"].values, dtype=np.float64), speed, rate)
    picture = _picture(dataset, view, colour, (wide, tall), stretch)

    def images() -> Iterator[NDArray[np.uint8]]:
        for k, time in enumerate(times):
            yield picture.at(float(time))
            if progress is not None:
                progress(k + 1, len(times))

    encoders.write(path, images(), rate)
    return path


def _picture(
    dataset: xr.Dataset, view: str, colour: str, size: tuple[int, int], stretch: float
) -> Picture | WaterPicture:
    """What draws the images of a view."""
    if view != "water":
        return Picture(dataset, view, colour, size, stretch)
    if "surface_perturbation" not in dataset:
        raise ResultError("the result has no free surface of its own; the view 'water' is for systems with hydro")
    return WaterPicture(dataset, size)


def film_times(times: NDArray[np.float64], speed: float | None, rate: float) -> NDArray[np.float64]:
    """The instants of the images: from first to last sample, ``speed`` times real time."""
    span = float(times[-1] - times[0])
    if speed is not None and not 0.0 < speed < np.inf:
        raise ResultError(f"a film cannot run at {speed:g} times real time; use a positive number")
    length = span / speed if speed is not None else min(LENGTH, max(span, 1.0) if span < 5.0 else LENGTH)
    count = max(2, round(length * rate)) if span > 0.0 else 1
    if count > 100_000:
        raise ResultError(f"the film would have {count} images; play it faster with --speed")
    return np.linspace(times[0], times[-1], count)
