"""What went into a run, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from fairlead.model.settings import SimulationSettings
from fairlead.results import settings_of
from fairlead.words import page_text as escape

from .html import folded, table
from .words import plain

if TYPE_CHECKING:
    import xarray as xr

WIDEST = 110
"""Letters of a row that fit beside each other on paper."""
UNITS = "Numbers are in SI units (kg, m, s, N), and in degrees where the name ends in deg."
BESIDE = 3
"""Parts beside each other where every key has a row."""


def input_summary(dataset: xr.Dataset) -> str:
    """Sea, types, points, bodies and cables of the system that was run, and its file."""
    settings = settings_of(dataset)
    parts = [_mapping("The sea", settings.get("environment"))]
    parts += [_named(title, settings.get(key)) for title, key in _NAMED]
    text = str(dataset.attrs.get("input_file", ""))
    if text:
        parts.append(folded("The file that was run", text))
    whole = "".join(parts)
    return f"<p>{UNITS}</p>{whole}" if whole else "<p>The result does not carry its settings.</p>"


def simulation_settings(dataset: xr.Dataset) -> str:
    """How it was run: formulation and its settings, step, integrator, start, cost."""
    chosen = settings_of(dataset).get("simulation") or {}
    formulations = get_args(SimulationSettings.model_fields["formulation"].annotation)
    others = {name for name in formulations if name != chosen.get("formulation")}
    rows = [[name.replace("_", " "), plain(value)] for name, value in chosen.items() if name not in others]
    given = {"integrator": "integrator used", "start": "started from", "steps": "steps taken"}
    rows += [[words, plain(dataset.attrs[name])] for name, words in given.items() if dataset.attrs.get(name)]
    for name, words in (("cpu_time", "CPU time"), ("wall_time", "wall-clock time")):
        if name in dataset.attrs:
            rows.append([words, f"{float(dataset.attrs[name]):.3g} s"])
    if dataset.attrs.get("history"):
        rows.append(["history", str(dataset.attrs["history"])])
    return table(("setting", "value"), rows)


_NAMED = (("Types of cable", "types"), ("Points", "points"), ("Bodies", "bodies"), ("Cables", "cables"))


def _mapping(title: str, values: Any) -> str:
    if not isinstance(values, dict) or not values:
        return ""
    given = {key: value for key, value in values.items() if value not in (None, "", [], {})}
    return f"<h3>{title}</h3>" + table(("", ""), [[_words(key), plain(value)] for key, value in given.items()])


def _named(title: str, parts: Any) -> str:
    """One row a part and a column a key; where that is too wide, one row a key and a column for each of a few parts."""
    if not isinstance(parts, dict) or not parts:
        return ""
    known = {name: part for name, part in parts.items() if isinstance(part, dict)}
    keys = list(dict.fromkeys(key for part in known.values() for key, value in part.items() if _says(value)))
    heading = f"<h3>{title} ({len(parts)})</h3>"
    rows = [[name, *(plain(part.get(key)) for key in keys)] for name, part in known.items()]
    longest = [max(len(row[k]) for row in rows) for k in range(len(keys) + 1)] if rows else []
    if sum(longest) <= WIDEST:
        return heading + table(("name", *map(_words, keys)), rows)
    names = list(known)
    return heading + "".join(
        _upright({name: known[name] for name in names[k : k + BESIDE]}) for k in range(0, len(names), BESIDE)
    )


def _upright(parts: dict[str, dict[str, Any]]) -> str:
    """A few parts beside each other, one row a key; their response operators below, in tables of their own."""
    raos = {name: _responses(name, part) for name, part in parts.items()}
    keys = dict.fromkeys(key for part in parts.values() for key, value in part.items() if _says(value))

    def cell(name: str, key: str) -> str:
        return "see below" if raos[name] and key == "motion" else plain(parts[name].get(key))

    rows = [[_words(key), *(cell(name, key) for name in parts)] for key in keys]
    return table(("", *parts), rows) + "".join(raos.values())


def _responses(name: str, part: dict[str, Any]) -> str:
    """Response amplitude operators, a table for each heading: periods down, degrees of freedom across."""
    motion = part.get("motion")
    found = motion.get("raos") if isinstance(motion, dict) else None
    out = []
    for response in found or []:
        rows = [row for row in response.get("table") or [] if isinstance(row, dict)]
        freedoms = [key for key in dict.fromkeys(k for row in rows for k in row) if key != "period"]
        cells = [[f"{plain(row.get('period'))} s", *(_answer(row.get(key)) for key in freedoms)] for row in rows]
        heading = plain(response.get("heading_deg"))
        words = f"{name}: response to waves at a heading of {heading}°, amplitude per metre ∠ phase"
        out.append(f"<p>{escape(words)}</p>" + table(("period", *map(_words, freedoms)), cells, numeric=1))
    return "".join(out)


def _answer(value: Any) -> str:
    return f"{plain(value[0])} ∠ {plain(value[1])}°" if isinstance(value, list) and len(value) == 2 else plain(value)


def _words(key: str) -> str:
    return key.replace("_", " ")


def _says(value: Any) -> bool:
    return value not in (None, "", [], {}, 0, 0.0, False, [0, 0, 0], [0.0, 0.0, 0.0])
