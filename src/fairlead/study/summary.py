"""The numbers a study comes to over all its scenarios, counted by their weights."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from fairlead.words import aligned, number, percentage

from .estimates import half_width, missing_share, weighted_mean, weighted_quantile

if TYPE_CHECKING:
    import xarray as xr

LEAST_SCENARIOS = 3
_TIMES = ("min_time", "max_time")


def statistics_of(result: xr.Dataset) -> list[str]:
    """Variables that are statistics of scenarios, one number each."""
    channels = json.loads(str(result.attrs["channels"]))
    return [
        str(name)
        for name, variable in result.data_vars.items()
        if variable.dims == ("scenario",)
        and any(str(name).startswith(f"{channel}.") for channel in channels)
        and not str(name).endswith(_TIMES)
    ]


def summary(result: xr.Dataset) -> dict[str, dict[str, float]]:
    """Of every statistic over the scenarios by weight: mean with half its 95 % interval, least, largest, p50, p90.

    `missing_weight` is the share of the weight of scenarios without a number: the others are of the rest alone.
    """
    weights = result["weight"].values
    found: dict[str, dict[str, float]] = {}
    for name in statistics_of(result):
        values = result[name].values
        good = np.isfinite(values)
        if not good.any():
            continue
        mean, half = weighted_mean(values, weights, "omit"), float("nan")
        if good.sum() >= LEAST_SCENARIOS:
            mean, half = half_width(values[good], weights[good], None)
        found[name] = {
            "mean": mean,
            "half_width_95": half,
            "min": float(values[good].min()),
            "p50": weighted_quantile(values, weights, 0.5, "omit"),
            "p90": weighted_quantile(values, weights, 0.9, "omit"),
            "max": float(values[good].max()),
            "scenario_of_max": int(result["scenario"].values[good][np.argmax(values[good])]),
            "missing_weight": missing_share(values, weights),
        }
    return found


def summary_lines(result: xr.Dataset) -> list[str]:
    """As a terminal shows it; with the share of the weight that is missing, where some is."""
    found = summary(result)
    some = any(one["missing_weight"] > 0.0 for one in found.values())
    rows = [["over the scenarios", "unit", "mean", "±95 %", "least", "p50", "p90", "largest", "in"]]
    rows[0] += ["missing"] if some else []
    for name, one in found.items():
        unit = str(result[name].attrs.get("units", ""))
        cells = [one[key] for key in ("mean", "half_width_95", "min", "p50", "p90", "max")]
        rows.append([name, unit, *(number(cell) for cell in cells), str(one["scenario_of_max"])])
        rows[-1] += [percentage(one["missing_weight"])] if some else []
    lines = aligned(rows)
    if some:
        lines.append(
            "missing: weight of the scenarios that failed or were not run; means and percentiles leave them out"
        )
    return lines
