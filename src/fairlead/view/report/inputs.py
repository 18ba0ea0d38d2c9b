"""What went into a run, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairlead.results import settings_of

from .html import folded, table
from .words import plain

if TYPE_CHECKING:
    import xarray as xr

SIZES = ("length", "elements")


def input_summary(dataset: xr.Dataset) -> str:
    """Sea, types, points, bodies and cables of the system that was run, and its file."""
    settings = settings_of(dataset)
    parts = [_mapping("The sea", settings.get("environment"))]
    parts += [_named(title, settings.get(key)) for title, key in _NAMED]
    text = str(dataset.attrs.get("input_file", ""))
    if text:
        parts.append(folded("The file that was run", text))
    whole = "".join(parts)
    return whole or "<p>The result does not carry its settings.</p>"


def simulation_settings(dataset: xr.Dataset) -> str:
    """How it was run: formulation, step, integrator, start, cost."""
    chosen = settings_of(dataset).get("simulation")
    rows = [[name.replace("_", " "), plain(value)] for name, value in (chosen or {}).items()]
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
    return f"<h3>{title}</h3>" + table(
        ("", ""), [[key.replace("_", " "), plain(value)] for key, value in values.items()]
    )


def _named(title: str, parts: Any) -> str:
    """One row a part; a column for each key that any of them sets."""
    if not isinstance(parts, dict) or not parts:
        return ""
    known = {name: part for name, part in parts.items() if isinstance(part, dict)}
    keys = list(dict.fromkeys(key for part in known.values() for key, value in part.items() if _says(value)))
    rows = [[name, *(plain(part.get(key)) for key in keys)] for name, part in known.items()]
    return f"<h3>{title} ({len(parts)})</h3>" + table(("name", *(key.replace("_", " ") for key in keys)), rows)


def _says(value: Any) -> bool:
    return value not in (None, "", [], {}, 0, 0.0, False)
