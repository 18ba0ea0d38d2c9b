"""The report of one result, as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results import summarise, warnings_of
from fairlead.results.events import PHASE_HEADS, event_words, phase_rows
from fairlead.words import page_text as escape
from fairlead.words import percentage

from ..catalogue import OWN, figures
from ..lifts import Lift, lifts
from ..statistics import ENDS, MEASURES, tension_statistics
from ..style import scale_for
from .checks import Check, Limits, checks
from .html import picture, section, table
from .inputs import input_summary, simulation_settings
from .words import counted, force, metres, seconds

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

FIGURES = ("lift", "geometry", "tension_history", "tension_along", "envelopes", "spectra", "energy")
WORDS = {"good": "good", "look": "look at it", "bad": "not good", "open": "open"}
MOST_ROWS = 40
SMALLEST = 1e-9
"""Of the largest of a row: what is less is the rounding of a number that is 0."""


def report_page(dataset: xr.Dataset, limits: Limits | None = None, drawn: Mapping[str, Figure] | None = None) -> str:
    """The report of a result as the text of an HTML page that needs no other file.

    Key numbers, checks, the answers for a lift where there is a winch, statistics, figures, input and settings.
    ``drawn`` has figures of this result by kind that are at hand and need not be drawn again.
    """
    limits = limits or Limits()
    numbers = summarise(dataset)
    found = lifts(dataset)
    answers = checks(dataset, numbers, found, limits)
    title = numbers["title"] or "Untitled run"
    parts = [
        _head(dataset, title, numbers),
        _cards(numbers, found, answers),
        section("Checks", _checks(answers), _warnings(dataset)),
        section("The lift", *map(_lift, found)) if found else "",
        section("Events", *_events(numbers)) if numbers["events"] else "",
        section("Tension in the cables", _cables(numbers), _statistics(dataset)),
        section("Figures", *_figures(dataset, drawn or {})),
        section("What was run", input_summary(dataset)),
        section("How it was run", simulation_settings(dataset)),
        f"<footer>Made by Fairlead {escape(str(dataset.attrs.get('fairlead_version', '')))}. Tensions are effective "
        "tensions, positive when a cable pulls; extremes are those of every step. x is north, y west, z up from the "
        "mean surface.</footer>",
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        'img-src data:">'
        f"<title>{escape(title)}</title><style>{report_style()}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def report_style() -> str:
    """How a report looks, as CSS."""
    return (resources.files("fairlead.view.report") / "report.css").read_text(encoding="utf-8")


def key_numbers(dataset: xr.Dataset, limits: Limits | None = None) -> str:
    """What is looked for first, as a row of cards."""
    numbers, found = summarise(dataset), lifts(dataset)
    return _cards(numbers, found, checks(dataset, numbers, found, limits or Limits()))


def _head(dataset: xr.Dataset, title: str, numbers: dict[str, Any]) -> str:
    facts = [
        f"formulation {numbers['formulation']}" if numbers["formulation"] else "",
        f"{seconds(numbers['time_start'])} to {seconds(numbers['time_end'])} in {numbers['samples']} samples",
        f"{counted(len(numbers['cables']), 'cable')}, {counted(dataset.sizes.get('point', 0), 'point')}",
    ]
    words = " ".join(str(dataset.attrs.get("description", "")).split())
    description = f'<p class="under">{escape(words)}</p>' if words else ""
    return f'<h1>{escape(title)}</h1><p class="under">{escape(" · ".join(f for f in facts if f))}</p>{description}'


def _cards(numbers: dict[str, Any], found: list[Lift], answers: list[Check]) -> str:
    def card(name: str, value: str, words: str) -> str:
        return f"<div><span>{escape(name)}</span><b>{escape(value)}</b><span>{escape(words)}</span></div>"

    out = []
    for key, name in (("tension_max", "Largest tension"), ("tension_min", "Least tension")):
        extreme = numbers[key]
        if extreme is not None:
            out.append(card(name, force(extreme["value"]), _place(extreme)))
    landed = [(lift, lift.landing) for lift in found if lift.landing is not None]
    for lift, landing in landed[:1]:
        where = f"{lift.load or lift.cable}, at {seconds(landing.time)}"
        out.append(card("Landing speed", f"{landing.value:.3g} m/s", where))
    touched = [c["touchdown"] for c in numbers["cables"].values() if c["touchdown"]["first_time"] is not None]
    if touched:
        on_bed = sum(t["length"] for t in touched)
        first = min(t["first_time"] for t in touched)
        out.append(card("On the bed at the end", metres(on_bed), f"first contact at {seconds(first)}"))
    elif numbers["clearance_min"] is not None:
        clearance = numbers["clearance_min"]
        out.append(card("Least clearance", metres(clearance["value"]), _place(clearance)))
    wrong = sum(answer.verdict == "bad" for answer in answers)
    look = sum(answer.verdict == "look" for answer in answers)
    verdict = "all good" if not wrong and not look else f"{wrong} not good" if wrong else f"{look} to look at"
    rest = f", {wrong} not good, {look} to look at" if wrong or look else ""
    out.append(card("Checks", verdict, f"{len(answers)} made{rest}"))
    return f'<div class="cards">{"".join(out)}</div>'


def _place(extreme: dict[str, Any]) -> str:
    return f"{extreme['cable']}, {metres(extreme['arc_length'])} from {extreme['from']}, at {seconds(extreme['time'])}"


def _checks(answers: list[Check]) -> str:
    items = (
        f'<li class="{a.verdict}"><em>{WORDS[a.verdict]}</em><span>{escape(a.name)}</span>'
        f"<span>{escape(a.answer)}</span></li>"
        for a in answers
    )
    return f'<ul class="checks">{"".join(items)}</ul>'


def _warnings(dataset: xr.Dataset) -> str:
    warned = warnings_of(dataset)
    return "<h3>Warnings</h3><ul>" + "".join(f"<li>{escape(w)}</li>" for w in warned) + "</ul>" if warned else ""


def _lift(lift: Lift) -> str:
    slack = ", ".join(f"{start:.5g} to {end:.5g} s" for start, end in lift.slack[:8]) or "none while the load hangs"
    rows = [
        ["largest tension at the winch", force(lift.tension_max.value), f"at {seconds(lift.tension_max.time)}"],
        ["least tension while the load hangs", force(lift.tension_min.value), f"at {seconds(lift.tension_min.time)}"],
        ["mean tension while the load hangs", force(lift.tension_mean), ""],
        ["DAF", f"{lift.daf:.3g}", f"dynamic amplification factor: largest tension {lift.daf_words}"],
        ["slack", counted(len(lift.slack), "spell") if lift.slack else "none", slack],
        *_on_the_bed(lift),
        [
            "snap after slack",
            force(lift.snap.value) if lift.snap else "none",
            f"at {seconds(lift.snap.time)}" if lift.snap else "no tension above 1.2 times the mean after a slack spell",
        ],
        [
            "landing",
            f"{lift.landing.value:.3g} m/s" if lift.landing else "none",
            f"at {seconds(lift.landing.time)}" if lift.landing else "the load does not reach the bed",
        ],
    ]
    if lift.length is not None:
        most = metres(float(np.nanmax(lift.length)))
        words = (
            f"{metres(lift.length[0])} at the start, at most {most} in {counted(int(lift.elements.max()), 'element')}"
        )
        rows.append(["line out at the end", metres(lift.length[-1]), words])
    carried = f" with {lift.load}" if lift.load else ""
    return f"<h3>{escape(lift.cable + carried)}</h3>" + table(("", "value", ""), rows)


def _on_the_bed(lift: Lift) -> list[list[str]]:
    """Rows of what happens while the load stands on the bed."""
    if lift.landing is None or lift.lift_off is None:
        return []
    spell = f"{seconds(lift.landing.time)} to {seconds(lift.lift_off)}"
    loose = "the wire goes loose" if lift.loose else "the wire keeps some tension"
    return [["on the bed", seconds(lift.lift_off - lift.landing.time), f"{spell}; {loose}"]]


def _events(numbers: dict[str, Any]) -> list[str]:
    """What happened, in the order of time, and the tensions before and after each parting."""
    rows = [[seconds(event["time"]), event["kind"], event_words(event)] for event in numbers["events"][:MOST_ROWS]]
    rest = len(numbers["events"]) - len(rows)
    parts = [table(("time", "event", ""), rows)] + ([f"<p>… and {rest} more.</p>"] if rest else [])
    if numbers["phases"]:
        parts += ["<h3>Before and after</h3>", table(PHASE_HEADS, phase_rows(numbers["phases"])[:MOST_ROWS], numeric=3)]
    return parts


def _cables(numbers: dict[str, Any]) -> str:
    heads = ["cable", "length", "largest", "at", "least", "at", "end force: start", "end", "on the bed"]
    strong = any(cable["utilisation"] is not None for cable in numbers["cables"].values())
    heads += ["of breaking load"] if strong else []
    rows = []
    ranked = sorted(numbers["cables"].items(), key=lambda item: -_value(item[1]["tension_max"]))
    for name, cable in ranked[:MOST_ROWS]:
        most, least = cable["tension_max"], cable["tension_min"]
        rows.append(
            [
                name,
                metres(cable["length"]),
                force(most and most["value"]),
                seconds(most and most["time"]),
                force(least and least["value"]),
                seconds(least and least["time"]),
                force(cable["force_start"]["max"]),
                force(cable["force_end"]["max"]),
                metres(cable["touchdown"]["length"]) if cable["touchdown"]["first_time"] is not None else "–",
            ]
            + ([percentage(cable["utilisation"]["value"]) if cable["utilisation"] else "–"] if strong else [])
        )
    rest = len(numbers["cables"]) - len(rows)
    return table(heads, rows, numeric=1) + (f"<p>… and {rest} cables with smaller tensions.</p>" if rest else "")


def _value(extreme: dict[str, Any] | None) -> float:
    return -np.inf if extreme is None else float(extreme["value"])


def _statistics(dataset: xr.Dataset) -> str:
    numbers = tension_statistics(dataset)
    peaks = np.nan_to_num(numbers["max"].values, nan=-np.inf)
    order = np.argsort(-peaks, axis=None, kind="stable")[:MOST_ROWS]
    divisor, unit = scale_for(peaks[np.isfinite(peaks)], "N")
    rows = []
    for i, k in zip(*np.unravel_index(order, peaks.shape), strict=True):
        values = [float(numbers[name].values[i, k]) / divisor for name in MEASURES]
        least = SMALLEST * float(numbers["max"].values[i, k]) / divisor
        cells = [_digits(value, least) if np.isfinite(value) else "–" for value in values]
        rows.append([str(numbers["cable"].values[i]), ENDS[k], *cells, f"{float(numbers['cycles'].values[i, k]):g}"])
    words = (
        "<p class=under>significant: mean of the largest third of the ranges between crossings of the mean; "
        "equivalent: the range that as many equal cycles would need for the same fatigue (exponent 3); "
        "cycles: rainflow count.</p>"
    )
    whole = table(("cable", "at its", *MEASURES, "cycles"), rows, numeric=2)
    return f"<h3>Statistics at the ends, in {unit}</h3>{whole}{words}"


def _digits(value: float, least: float) -> str:
    """Four digits that count, and nothing for what is below ``least``: the rest of a difference."""
    return f"{value:#.4g}".rstrip(".") if abs(value) > least else "0"


def _figures(dataset: xr.Dataset, drawn: Mapping[str, Figure]) -> list[str]:
    cables = "cable" in dataset.coords
    there = {"energy": "work_drag" in dataset, "lift": bool(lifts(dataset))}
    wanted = [kind for kind in FIGURES if there.get(kind, cables)]
    wanted += [kind for kind, (needed, _) in OWN.items() if needed in dataset and not cables]
    found = {**figures(dataset, [kind for kind in wanted if kind not in drawn]), **drawn}
    return [picture(found[kind], kind.replace("_", " ")) for kind in wanted]
