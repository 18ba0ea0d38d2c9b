"""What a study found, as tables: extremes with their confidence, and the worst scenarios.

Maxima of different seas have no common distribution. Scenarios are therefore grouped by everything that varies except
seeds; each group is one condition, and the extremes are those of the conditions with enough maxima for a fit.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results import ResultError
from fairlead.words import aligned, number

from .extremes import extreme_of
from .factors import LOST
from .summary import summary

if TYPE_CHECKING:
    import xarray as xr

SHARE = 0.9
WORST = 3
"""Scenarios named for each channel."""
MOST_CONDITIONS = 40
"""Of more conditions no extremes are fitted: most studies of so many vary something in small steps."""
MOST_MAXIMA = 50_000
"""Of more maxima in a condition quantiles need no fit."""
MOST_ROWS_IN_TEXT = 8
INTACT = "intact"
"""How a scenario is called in which no cable is lost."""


def extremes(result: xr.Dataset) -> list[dict[str, Any]]:
    """Of every channel and condition a Gumbel fit to the maxima: most probable maximum and p90 with its 95 % interval.

    Each row has ``channel``, ``condition`` (words), ``count`` (maxima), ``most_probable``, ``p90``, ``low``, ``high``
    and ``unit``, of a duration as long as what is kept of a run. Conditions with failed or missing scenarios, and those
    with fewer than ten maxima, have no row.
    """
    found = []
    groups = conditions(result)
    for channel in json.loads(str(result.attrs["channels"])):
        kept = [name for name in (f"{channel}.block_maxima", f"{channel}.max") if name in result]
        if not kept:
            continue
        unit = str(result[kept[0]].attrs.get("units", ""))
        each = result[kept[0]].size // max(1, result.sizes["scenario"])
        for condition, members in groups.items():
            if each * len(members) > MOST_MAXIMA:
                continue
            try:
                one = extreme_of(result.isel(scenario=members), channel, "gumbel", SHARE)
            except ResultError:
                continue
            a, b = one.parameters
            most_probable = a + b * float(np.log(one.blocks))
            row = {"channel": channel, "condition": condition, "count": one.count, "most_probable": most_probable}
            found.append(row | {"p90": one.value, "low": one.low, "high": one.high, "unit": unit})
    return found


def conditions(result: xr.Dataset) -> dict[str, np.ndarray]:
    """Numbers of the scenarios of each condition, by its words: all that varies but seeds."""
    names = [str(name) for name in result.coords if name != "scenario" and not re.search(r"(^|\.)seed$", str(name))]
    count = result.sizes["scenario"]
    if not names:
        return {"all scenarios": np.arange(count)}
    columns = [result[name].values for name in names]
    keys: dict[tuple[Any, ...], list[int]] = {}
    for i in range(count):
        keys.setdefault(tuple(column[i] for column in columns), []).append(i)
        if len(keys) > MOST_CONDITIONS:
            return {}
    return {condition_words(names, key, result): np.array(members) for key, members in keys.items()}


def condition_words(names: list[str], values: tuple[Any, ...], result: xr.Dataset) -> str:
    """`significant_height 5 m, peak_period 11 s, north lost`."""
    return ", ".join(value_words(name, value, result) for name, value in zip(names, values, strict=True))


def value_words(name: str, value: Any, result: xr.Dataset) -> str:
    """One varied value in words."""
    if name == LOST:
        return f"{value} lost" if str(value) else INTACT
    unit = str(result[name].attrs.get("units", ""))
    unit = "" if unit in ("", "1") else f" {unit}"
    short = name.rpartition(".")[2].replace("_", " ")
    return f"{short} {number(float(value))}{unit}" if isinstance(value, int | float | np.number) else f"{short} {value}"


def worst_cases(result: xr.Dataset, count: int = WORST) -> list[dict[str, Any]]:
    """The scenarios with the largest maximum of every channel: ``channel``, ``scenario``, ``value``, ``unit``,
    ``condition`` (words for all that varies, seeds too)."""
    names = [str(name) for name in result.coords if name != "scenario"]
    found = []
    for channel in json.loads(str(result.attrs["channels"])):
        name = f"{channel}.max"
        if name not in result:
            continue
        values = np.asarray(result[name].values, dtype=float)
        known = np.flatnonzero(np.isfinite(values))
        for i in known[np.argsort(-values[known], kind="stable")][:count]:
            words = condition_words(names, tuple(result[n].values[i] for n in names), result)
            one = {"channel": channel, "scenario": int(result["scenario"].values[i]), "value": float(values[i])}
            found.append(one | {"unit": str(result[name].attrs.get("units", "")), "condition": words})
    return found


EXTREME_HEADS = ["channel", "condition", "maxima", "most probable", "p90", "95 % interval of it", "unit"]
WORST_HEADS = ["channel", "scenario", "largest", "unit", "condition"]


def extreme_rows(found: list[dict[str, Any]]) -> list[list[str]]:
    """Extremes as text."""
    return [
        [one["channel"], one["condition"], str(one["count"]), number(one["most_probable"]), number(one["p90"]),
         f"{number(one['low'])} to {number(one['high'])}", one["unit"]]
        for one in found
    ]  # fmt: skip


def worst_rows(found: list[dict[str, Any]]) -> list[list[str]]:
    """Worst cases as text."""
    return [
        [one["channel"], str(one["scenario"]), number(one["value"]), one["unit"], one["condition"]] for one in found
    ]


def extreme_lines(result: xr.Dataset) -> list[str]:
    """The largest extremes as a terminal shows them; nothing where no fit is possible."""
    found = sorted(extremes(result), key=lambda one: -one["p90"])
    if not found:
        return []
    lines = ["", "extremes (Gumbel) of a run, by condition:"]
    lines += aligned([EXTREME_HEADS, *extreme_rows(found[:MOST_ROWS_IN_TEXT])])
    rest = len(found) - MOST_ROWS_IN_TEXT
    return lines + ([f"... and {rest} more (`fairlead study report` and --json have all)"] if rest > 0 else [])


def tables_of(result: xr.Dataset) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Statistics, extremes and worst cases as text for a page: heads and rows by the name of the table."""
    rows = []
    for name, one in summary(result).items():
        cells = [number(one[key]) for key in ("mean", "half_width_95", "min", "p50", "p90", "max")]
        rows.append([name, str(result[name].attrs.get("units", "")), *cells, str(one["scenario_of_max"])])
    heads = ["statistic", "unit", "mean", "± 95 %", "least", "p50", "p90", "largest", "in scenario"]
    return {
        "Statistics over the scenarios": (heads, rows),
        "Extremes": (EXTREME_HEADS, extreme_rows(extremes(result))),
        "Worst cases": (WORST_HEADS, worst_rows(worst_cases(result))),
    }
