"""Events of a run in its figures: a line where an end parted, a load landed or a line snapped taut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairlead.results.events import PARTINGS, events_of
from fairlead.words import number

from .style import INK, plain, short

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

MARKED = (*PARTINGS, "landing")
MOST = 6
NEAR = 0.16
"""Part of the axis within which the words of two events stand below each other."""
ROWS = 3


def mark_events(dataset: xr.Dataset, labelled: Axes, others: Sequence[Axes] = ()) -> None:
    """Draw a dotted line at each release, weak link and landing in all axes; `labelled` also names them at its top."""
    times = dataset["time"].values
    marked = [event for event in events_of(dataset) if event["kind"] in MARKED and event["time"] >= times[0]][:MOST]
    if not marked:
        return
    span = float(times[-1] - times[0]) or 1.0
    low, high = labelled.get_ylim()
    labelled.set_ylim(low, high + 0.14 * (high - low))
    row, before = 0, -1.0
    for event in marked:
        for axes in (labelled, *others):
            axes.axvline(event["time"], color=INK, lw=0.9, ls=(0, (1, 2)), zorder=4)
        at = (event["time"] - times[0]) / span
        row = (row + 1) % ROWS if before >= 0.0 and at - before < NEAR else 0
        before = at
        late = at > 0.75
        labelled.annotate(
            plain(_words(event)),
            (event["time"], 1.0),
            xycoords=labelled.get_xaxis_transform(),
            xytext=(-4 if late else 4, -11 - 11 * row),
            textcoords="offset points",
            ha="right" if late else "left",
            fontsize=8.5,
            color=INK,
            bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1.0},
            zorder=6,
        )


def _words(event: dict[str, Any]) -> str:
    what = {"release": "released", "weak link": "parted", "landing": "lands"}[event["kind"]]
    return f"{short(event.get('cable') or event['point'])} {what}, {number(event['time'], 5)} s"
