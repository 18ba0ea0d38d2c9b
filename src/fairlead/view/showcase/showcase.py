"""The page `index.html` of a run, and what stands beside it: replay, report, pictures."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from fairlead.words import page_text as escape

from ..catalogue import figures, save
from ..replay import replay_page
from ..report import key_numbers, report_page, report_style
from ..report.html import folded

if TYPE_CHECKING:
    import xarray as xr

PICTURES = {
    "geometry": "Where the lines lie, in space, from above and from the side",
    "tension_history": "Tension over time, largest and at the ends",
    "tension_along": "Tension along each line, at several instants",
    "envelopes": "Least and largest along each line, over the whole run",
}
"""Figures that the page shows, and what is seen in them."""


def showcase(
    dataset: xr.Dataset, folder: Path, facts: str, steps: Sequence[tuple[str, Sequence[str]]]
) -> tuple[Path, list[Path]]:
    """Write the page of a run and what it shows into ``folder``, which is there; returns the page and the rest.

    facts  a sentence on what was computed and how fast
    steps  what to try next: what for, and the words of a command
    """
    replay, report = folder / "replay.html", folder / "report.html"
    replay.write_text(replay_page({"run": dataset}), encoding="utf-8")
    drawn = figures(dataset, tuple(PICTURES))
    report.write_text(report_page(dataset, drawn=drawn), encoding="utf-8")
    pictures = [save(figure, folder / f"{kind}.png") for kind, figure in drawn.items()]
    page = folder / "index.html"
    page.write_text(_page(dataset, facts, steps), encoding="utf-8")
    return page, [replay, report, *pictures]


def _page(dataset: xr.Dataset, facts: str, steps: Sequence[tuple[str, Sequence[str]]]) -> str:
    own = resources.files("fairlead.view.showcase")
    shown = "".join(
        f'<a href="{kind}.png"><img src="{kind}.png" alt="{escape(words)}"><span>{escape(words)}</span></a>'
        for kind, words in PICTURES.items()
    )
    tries = "".join(f"<li>{escape(words)}<pre>$ {escape(shlex.join(command))}</pre></li>" for words, command in steps)
    text = str(dataset.attrs.get("input_file", ""))
    parts = {
        "TITLE": escape(str(dataset.attrs.get("title", "")) or "Untitled run"),
        "STYLE": report_style() + (own / "showcase.css").read_text(encoding="utf-8"),
        "FACTS": escape(facts),
        "NUMBERS": key_numbers(dataset),
        "PICTURES": shown,
        "STEPS": tries,
        "FILE": folded("The file that was run", text) if text else "",
    }
    page = (own / "index.html").read_text(encoding="utf-8")
    pieces = page.split("@")  # every other piece is the name of a part: what goes in is never looked through again
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))
