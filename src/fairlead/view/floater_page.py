"""A floater by its coefficients as one page: periods, lines, checks, responses, radiation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairlead.words import number
from fairlead.words import page_text as escape

from .floater import floater_radiation, floater_responses
from .report import report_style
from .report.html import picture, section, table

if TYPE_CHECKING:
    import xarray as xr

_VERDICT = {"error": "bad", "warning": "look", "note": "good"}


def floater_page(reports: Sequence[tuple[dict[str, Any], xr.Dataset]]) -> str:
    """The text of the page, of one report (its summary and its dataset) for each water."""
    title = str(reports[0][0]["title"])
    parts = [part for summary, dataset in reports for part in _parts(summary, dataset)]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        'img-src data:">'
        f"<title>{escape(title)}</title><style>{report_style()}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _parts(summary: dict[str, Any], dataset: xr.Dataset) -> list[str]:
    data = summary["coefficients"]
    low, high, count = data["frequencies"]
    headings = len(data["headings_deg"])
    facts = f"{data['format']}: {count} frequencies from {low:.3g} to {high:.3g} rad/s, {headings} headings"
    parts = [f'<h1>{escape(str(summary["title"]))}</h1><p class="under">{escape(facts)}</p>']
    items = "".join(
        f'<li class="{_VERDICT[one["level"]]}"><em>{one["level"]}</em><span>{escape(one["check"])}</span>'
        f"<span>{escape(one['text'])}{escape('; ' + one['cure'] if one['cure'] else '')}</span></li>"
        for one in summary["findings"]
    )
    parts.append(section("Checks", f'<ul class="checks">{items}</ul>' if items else "<p>Nothing was found wrong.</p>"))
    if summary["modes_moored"]:
        rows = [
            [
                one["motion"], _shown(one["without_lines"]), _shown(one["with_lines"]),
                f"{100 * one['damping_ratio']:.2g} %",
            ]
            for one in summary["periods"]
        ]  # fmt: skip
        heads = ["motion", "without lines (s)", "with lines (s)", "damping ratio"]
        parts.append(section("Natural periods", table(heads, rows, 1)))
    for line in summary["mooring"]:
        rows = [[name, *(f"{value:.4g}" for value in row)] for name, row in zip(_ROWS, line["stiffness"], strict=True)]
        parts.append(section(f"Lines on {line['name']}: stiffness (N/m, N, N m)", table(["", *_HEADS], rows, 1)))
    if "response_free" in dataset:
        parts.append(section("Responses", picture(floater_responses(dataset), "response amplitude operators")))
    fit = summary["radiation"]
    rows = [
        [", ".join(block), str(order), f"{100 * error:.2g} %"]
        for block, order, error in zip(fit["blocks"], fit["orders"], fit["errors"], strict=True)
    ]
    fitted = table(["motions", "poles", "error"], rows, 1)
    parts.append(section("Radiation", fitted, picture(floater_radiation(dataset), "damping and memory of the water")))
    return parts


_HEADS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
_ROWS = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")


def _shown(value: float | None) -> str:
    return "-" if value is None else number(value, 4)
