"""The house style: one look for every figure, safe for colour-blind eyes, readable on paper and on a projector."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from io import BytesIO
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = ParamSpec("P")
R = TypeVar("R")

INK = "#1b2a38"
FAINT = "#5f6f7d"
WATER = "#3d8fc4"
BED = "#a8844f"
BODY = "#8a3f6d"
# Okabe and Ito's colours in an order that keeps neighbours far apart; the yellow is left out, it vanishes on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4d4d4d")
ENERGY_COLOURS = {
    "energy_kinetic": "#56B4E9",
    "energy_gravity": "#0072B2",
    "energy_elastic": "#E69F00",
    "work_drag": "#009E73",
    "work_take_off": "#4d4d4d",
    "work_damping": "#CC79A7",
    "work_friction": "#D55E00",
    "work_drives": "#6a5acd",
}

HOUSE: dict[str, Any] = {
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.prop_cycle": f"cycler('color', {list(PALETTE)})",
    "grid.color": "#dfe5ea",
    "grid.linewidth": 0.7,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "savefig.dpi": 150,
    "svg.hashsalt": "fairlead",
}

LONGEST_NAME = 20
SCALES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def in_house_style(draw: Callable[P, R]) -> Callable[P, R]:
    """Run a drawing function under the house style, whatever the user's own matplotlib settings are."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> R:
        with house_style():
            return draw(*args, **kwargs)

    return styled


@contextmanager
def house_style() -> Iterator[None]:
    """The house style for as long as it lasts, or for a function of yours: `@house_style()`.

    Signs that the font lacks are drawn as boxes, without a warning.
    """
    from matplotlib import style

    with style.context(HOUSE, after_reset=True), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


@cache
def _house_figure() -> type[Figure]:
    """The class of our figures, made when matplotlib is loaded."""
    from matplotlib.figure import Figure

    class HouseFigure(Figure):
        """A figure that a notebook shows by itself."""

        def _repr_png_(self) -> bytes:
            from .catalogue import save_to

            picture = BytesIO()
            save_to(self, picture, "png")
            return picture.getvalue()

    return HouseFigure


def new_figure(dataset: xr.Dataset, subject: str, width: float, height: float) -> Figure:
    """An empty figure (inches) with the result's title, what is shown, and where the numbers come from.

    Panels belong between :data:`TOP` and :data:`BOTTOM` inches from its edges. No pyplot: nothing global is touched.
    """
    figure: Figure = _house_figure()(figsize=(width, height))
    title = str(dataset.attrs.get("title", "")) or "Untitled run"
    shown = plain(textwrap.shorten(title, width=int(8.5 * width), placeholder=" …"))
    left = 0.18 / width
    figure.text(left, 1 - 0.16 / height, shown, va="top", ha="left", fontsize=14, fontweight="bold")
    figure.text(left, 1 - 0.50 / height, subject, va="top", ha="left", fontsize=10.5, color=FAINT)
    figure.text(left, 0.10 / height, plain(_origin(dataset)), va="bottom", ha="left", fontsize=8, color=FAINT)
    status = str(dataset.attrs.get("status", ""))
    if status not in ("", "complete"):
        note = plain(textwrap.shorten(status, width=int(6 * width), placeholder=" …"))
        figure.text(1 - left, 0.10 / height, note, va="bottom", ha="right", fontsize=8, color=PALETTE[1])
    return figure


TOP = 1.08  # inches kept for the heading
BOTTOM = 0.32  # inches kept for the line at the foot


def panel_area(figure: Figure, left: float = 0.0, right: float = 0.0, below: float = 0.0) -> dict[str, float]:
    """The rectangle for panels as fractions of the figure; ``left``, ``right`` and ``below`` (inches) stay free."""
    width, height = figure.get_size_inches()
    return {
        "left": left / width,
        "right": 1 - right / width,
        "bottom": (BOTTOM + below) / height,
        "top": 1 - TOP / height,
    }


def plain(text: str) -> str:
    """Text that matplotlib shows as it is: a dollar sign starts no formula, a leading underscore hides no legend."""
    shown = text.replace("$", r"\$")
    return "\u2009" + shown if shown.startswith("_") else shown


def short(name: str) -> str:
    """A name cut to what a legend or a label has room for."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def scale_for(values: ArrayLike, unit: str) -> tuple[float, str]:
    """Divisor and unit that give readable numbers: (1000.0, "kN") for thousands of "N"."""
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    largest = float(np.abs(finite).max()) if finite.size else 0.0
    for divisor, prefix in SCALES:
        if largest >= divisor:
            return divisor, prefix + unit
    return 1.0, unit


def time_colours(count: int) -> list[Any]:
    """Colours for instants from early (light) to late (dark), told apart in grey print as well."""
    from matplotlib import colormaps

    return [colormaps["viridis_r"](x) for x in (np.linspace(0.18, 1.0, count) if count > 1 else [1.0])]


def marker_for(samples: int) -> str | None:
    """A result of one sample would draw no line: mark it."""
    return "o" if samples == 1 else None


def legend_below(figure: Figure, handles: Sequence[Any], labels: Sequence[str], columns: int) -> None:
    """A legend in one strip under the panels, above the foot line."""
    height = figure.get_size_inches()[1]
    figure.legend(
        list(handles),
        [plain(label) for label in labels],
        loc="lower center",
        bbox_to_anchor=(0.5, (BOTTOM + 0.02) / height),
        ncols=columns,
        handlelength=2.2,
        columnspacing=1.6,
    )


def legend_beside(axes: Axes, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """A legend to the right of a panel."""
    axes.legend(
        list(handles),
        [plain(label) for label in labels],
        loc="upper left",
        bbox_to_anchor=(1.01, 1.02),
        borderaxespad=0.0,
        handlelength=2.2,
    )


def _origin(dataset: xr.Dataset) -> str:
    parts = [
        f"Fairlead {dataset.attrs.get('fairlead_version', '')}".strip(),
        f"formulation {dataset.attrs.get('formulation', '')}" if dataset.attrs.get("formulation") else "",
    ]
    if "time" in dataset.coords:
        times = dataset["time"].values
        parts.append(
            f"{times[0]:g} to {times[-1]:g} s in {len(times)} samples" if len(times) > 1 else f"at {times[0]:g} s"
        )
    return "  ·  ".join(part for part in parts if part)
