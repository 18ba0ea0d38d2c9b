"""One HTML file that shows all scenarios of a study; nothing is fetched when it opens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.words import number
from fairlead.words import page_text as escape

from ..replay.scene import to_json
from ..report import report_style
from ..report.html import folded, table
from .names import LOST, spoken

if TYPE_CHECKING:
    import xarray as xr

MOST_SHOWN = 20_000
"""Scenarios that a page draws; of more, evenly chosen ones and those with replays."""
MOST_FAILURES = 20
_OWN = ("weight", "failed_at")
_TIMES = (".min_time", ".max_time")


Tables = Mapping[str, tuple[Sequence[str], Sequence[Sequence[str]]]]


def study_page(result: xr.Dataset, replays: Mapping[int, str] | None = None, tables: Tables | None = None) -> str:
    """The text of the page.

    replays  addresses of the replays that are there, by the number of their scenario
    tables   statistics, extremes, worst cases: heads and rows by the title of the table
    """
    replays = replays or {}
    own = resources.files("fairlead.view.study")
    parts = {
        "TITLE": escape(str(result.attrs.get("title", "")) or "A study"),
        "STYLE": report_style() + (own / "study.css").read_text(encoding="utf-8"),
        "FACTS": escape(_facts(result)),
        "CARDS": _cards(result, len(replays)),
        "TABLES": "".join(_table(title, *cells) for title, cells in (tables or {}).items()),
        "FAILURES": _failures(result),
        "FILE": folded("The study file", str(result.attrs.get("study_file", ""))),
        "DATA": to_json([_data(result, replays)]),
        "PROGRAM": (own / "study.js").read_text(encoding="utf-8"),
    }
    pieces = (own / "study.html").read_text(encoding="utf-8").split("@")
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))


WORDS_BELOW = {
    "Extremes": "A Gumbel fit to the maxima of each condition: all that varies except seeds. Most probable maximum of "
    "a run, and the value that nine of ten such runs stay below, with its 95 % interval. Conditions with fewer than "
    "ten maxima have none: keep block maxima, or run more seeds.",
    "Worst cases": "The scenarios with the largest maximum of each channel.",
}
MOST_ROWS = 60


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table under its title; long ones open on a click."""
    if not rows:
        return ""
    words = f'<p class="under">{escape(WORDS_BELOW[title])}</p>' if title in WORDS_BELOW else ""
    rest = len(rows) - MOST_ROWS
    more = f"<p>and {rest:,} more; <code>fairlead export</code> writes all</p>" if rest > 0 else ""
    numeric = 2 if title != "Worst cases" else 99
    return f"<section><h2>{escape(title)}</h2>{words}{table(heads, rows[:MOST_ROWS], numeric)}{more}</section>"


def _facts(result: xr.Dataset) -> str:
    seconds = float(result.attrs.get("core_seconds", 0.0))
    took = f"{number(seconds, 3)} s" if seconds < 600.0 else f"{number(seconds / 3600.0, 3)} h"
    kept = f"{number(float(result.attrs['kept_time']))} s kept of each run"
    return f"{result.attrs['status']}; design {result.attrs['design']}; {kept}; {took} of one core"


def _cards(result: xr.Dataset, replays: int) -> str:
    status = result["status"].values
    run = int(np.sum(status != "not run"))
    failed = int(np.sum((status != "not run") & (status != "complete")))
    cards = [(f"{run:,}", "scenarios run"), (f"{failed:,}", "failed"), (f"{replays:,}", "with a replay")]
    return "".join(f"<div><b>{escape(value)}</b><span>{escape(words)}</span></div>" for value, words in cards)


def _failures(result: xr.Dataset) -> str:
    status = result["status"].values
    failed = [i for i, words in enumerate(status) if words not in ("complete", "not run")]
    if not failed:
        return ""
    rows = [[str(int(result["scenario"].values[i])), str(status[i])] for i in failed[:MOST_FAILURES]]
    more = f"<p>and {len(failed) - MOST_FAILURES:,} more</p>" if len(failed) > MOST_FAILURES else ""
    return f"<section><h2>What failed</h2>{table(['scenario', 'why'], rows)}{more}</section>"


def _data(result: xr.Dataset, replays: Mapping[int, str]) -> dict[str, Any]:
    """Axes of what varies and of what came out, and their numbers for the scenarios that are drawn."""
    count = result.sizes["scenario"]
    shown = np.arange(count)
    if count > MOST_SHOWN:
        evenly = np.linspace(0, count - 1, MOST_SHOWN).astype(int)
        shown = np.unique(np.concatenate([evenly, np.array(sorted(replays), dtype=int)]))
    axes = [_axis(str(name), result[name], shown, True) for name in result.coords if name != "scenario"]
    axes += [
        _axis(str(name), variable, shown, False)
        for name, variable in result.data_vars.items()
        if variable.dims == ("scenario",) and variable.dtype.kind == "f"
        and name not in _OWN and not str(name).endswith(_TIMES)
    ]  # fmt: skip
    numbers = result["scenario"].values[shown]
    return {
        "count": count,
        "scenario": numbers.tolist(),
        "weight": [_plain(value) for value in result["weight"].values[shown]],
        "status": [str(value)[:300] for value in result["status"].values[shown]],
        "axes": axes,
        "replays": {str(i): address for i, address in replays.items()},
    }


def _axis(name: str, values: xr.DataArray, shown: np.ndarray, varied: bool) -> dict[str, Any]:
    words = spoken(name, varied, str(values.attrs.get("long_name", "")))
    found: dict[str, Any] = {"name": name, "words": words, "unit": str(values.attrs.get("units", "")), "varied": varied}
    if values.dtype.kind in "fiu":
        factor, prefix = _scale(values) if found["unit"] in ("N", "N m") else (1.0, "")
        found["unit"] = prefix + found["unit"].replace("m s-1", "m/s").replace("rad s-1", "rad/s")
        return found | {"values": [_plain(value / factor) for value in values.values[shown]]}
    chosen = [str(value) or ("intact" if name == LOST else "none") for value in values.values]
    names = list(dict.fromkeys(chosen))
    places = {word: k for k, word in enumerate(names)}
    return found | {"names": names, "values": [places[chosen[i]] for i in shown]}


def _scale(values: xr.DataArray) -> tuple[float, str]:
    """What forces and moments are divided by, and the prefix of their unit: as they are written elsewhere."""
    largest = float(np.nanmax(np.abs(values.values), initial=0.0))
    return (1e6, "M") if largest >= 1e7 else (1e3, "k") if largest >= 1e4 else (1.0, "")


def _plain(value: Any) -> float | None:
    """A number as JSON has it."""
    return float(f"{float(value):.7g}") if math.isfinite(value) else None
