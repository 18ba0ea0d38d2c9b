"""The numbers people ask for first, from a result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.words import aligned, force, number, percentage

from .amplitudes import amplitudes
from .dataset import remarks_of, settings_of, warnings_of
from .energy import BED_DAMPING, GOOD_BALANCE, POOR_BALANCE, STORED, WORKS, EnergyBalance, energy_balance
from .errors import ResultError
from .events import event_lines, events_of, phases_of
from .on_bed import lying, on_the_bed, uplift_words
from .peaks import (
    Along,
    check_extremes,
    extreme_of,
    finite,
    force_in_steps,
    since,
    tension_extreme,
    tension_in_steps,
)
from .seabed import Ground, seabed_of
from .strength import sharpest_bend, utilisation
from .variables import ENDS

if TYPE_CHECKING:
    import xarray as xr

MOST_CABLES_IN_TEXT = 8
ROUNDING = 1e-12
"""A tension below this share of the largest in its cable is the last digit of a sum: the cable is slack there."""

ON_THE_BED = 1e-3
"""Height above the bed of an end that stays there, m."""


def summarise(dataset: xr.Dataset, after: float | None = None) -> dict[str, Any]:
    """Largest and smallest tensions, end forces, lowest point, clearance, touchdown and energy error of a result.

    Plain numbers, texts, lists and dictionaries, in SI units, ready for JSON. An extreme is that of every step where
    the result has it, a dictionary of ``value``, ``time`` (s), ``cable``, ``arc_length`` (m along the unstretched
    cable) and ``from``, what that is counted from: "its start", or "its drum". ``utilisation`` is the share of the
    breaking load of a cable's type, ``bend_radius_min`` the radius (m) nearest to what its type allows, where types
    tell these. ``line_distance`` is the least distance between any two cables over the samples of the whole run, with
    time and place along both. ``swing`` and ``heave`` of points are amplitudes (m) in the first and the last third of
    the samples, see `amplitudes`. ``events`` are releases, weak links, slack, snaps, touchdowns and landings
    (`results.events`); ``phases`` are the tensions before and after each release. ``after`` (s) leaves out what came
    before.
    """
    check_extremes(dataset)
    whole, dataset = dataset, since(dataset, after)
    bed = seabed_of(dataset)
    names = [str(name) for name in dataset["cable"].values] if "cable" in dataset.coords else []
    cables = {name: _cable(dataset, i, name, bed) for i, name in enumerate(names)}
    if after is not None:
        for i, name in enumerate(names):
            cables[name]["touchdown"]["first_time"] = _first_touch(whole, i)
    times = dataset["time"].values
    events = [event for event in events_of(whole) if event["time"] >= times[0]]
    out: dict[str, Any] = {
        "title": str(dataset.attrs.get("title", "")),
        "formulation": str(dataset.attrs.get("formulation", "")),
        "status": str(dataset.attrs.get("status", "")),
        "time_start": float(times[0]),
        "time_end": float(times[-1]),
        "samples": len(times),
        "after": after,
        "tension_max": _extreme_of_all(cables, "tension_max", largest=True),
        "tension_min": _extreme_of_all(cables, "tension_min", largest=False),
        "utilisation": _extreme_of_all(cables, "utilisation", largest=True),
        "curvature_max": _extreme_of_all(cables, "curvature_max", largest=True),
        "clearance_min": _extreme_of_all(cables, "clearance_min", largest=False),
        "stretching": _stretching(dataset),
        "line_distance": json.loads(dataset.attrs.get("line_distance", "null")),
        "cables": cables,
        "points": _points(dataset),
        "events": events,
        "phases": phases_of(dataset, events),
        "start_up": _start_up(dataset),
        "energy_error": None,
        "energy_idle": False,
        "energy_made": False,
        "energy_landed": False,
        "warnings": list(warnings_of(dataset)),
    }
    if all(name in whole for name in (*STORED, *WORKS)):
        balance = energy_balance(whole)
        out["energy_error"], out["energy_idle"] = _number(balance.error), balance.idle
        out["energy_made"] = balance.made
        out["energy_landed"] = _landed(dataset, balance)
    return out


def summary_lines(numbers: dict[str, Any], lifted: Sequence[str] = ()) -> tuple[str, ...]:
    """The summary as text to print: a table of the most loaded cables, then events and what else is to be known.

    Slack and landings of ``lifted``, cables on winches and their loads, are left to the lines on the lift.
    """
    lines = []
    if numbers["title"]:
        lines.append(numbers["title"])
    if numbers["after"] is not None:
        lines.append(f"summary           of what came after {number(numbers['after'], 6)} s")
    lines += _table(numbers)
    lines += _as_it_starts(numbers)
    lines += event_lines(numbers, lifted)
    if numbers["tension_min"] and numbers["tension_min"]["value"] < 0.0:
        lines.append(f"compression       {force(numbers['tension_min']['value'])} {_where(numbers['tension_min'])}")
    lines += _bend_lines(numbers)
    for name, cable in _most_loaded(numbers):
        if cable["touchdown"]["first_time"] is not None:
            touch = cable["touchdown"]
            at_first = numbers["after"] is None and touch["first_time"] <= numbers["time_start"]
            since = "on the seabed" if at_first else f"first on the seabed at {number(touch['first_time'], 6)} s"
            lines.append(f"cable {name}: {since}, {number(touch['length'])} m of it at the end{uplift_words(cable)}")
    touched = any(cable["touchdown"]["first_time"] is not None for cable in numbers["cables"].values())
    if numbers["clearance_min"] and not touched:
        clearance = numbers["clearance_min"]
        climbs = [name for name, cable in numbers["cables"].items() if cable["clearance_leaves_out"]]
        left = f" (without the climb of {_listed(climbs)} from the bed)" if climbs else ""
        lines.append(f"least clearance   {number(clearance['value'])} m above the seabed {_where(clearance)}{left}")
    lines += line_distance_words(numbers["line_distance"])
    if numbers["stretching"] is not None:
        lines.append(f"waves             read near the surface by stretching: {numbers['stretching']}")
    if numbers["energy_error"] is not None:
        share = f"closes to {percentage(numbers['energy_error'])} of the energy exchanged"
        share += _judged(numbers["energy_error"], numbers["energy_made"], numbers["energy_landed"])
        lines.append(f"energy balance    {'next to nothing was exchanged' if numbers['energy_idle'] else share}")
    if numbers["status"] not in ("", "complete"):
        lines.append(f"status            {numbers['status']}")
    return tuple(lines)


def _stretching(dataset: xr.Dataset) -> str | None:
    """How waves were read near the surface; nothing where there are none."""
    sea = settings_of(dataset).get("environment")
    waves = sea.get("waves") if isinstance(sea, dict) else None
    return str(waves["stretching"]) if isinstance(waves, dict) and "stretching" in waves else None


def line_distance_words(nearest: dict[str, Any] | None) -> tuple[str, ...]:
    """The least distance between two cables, in a line to print."""
    if nearest is None:
        return ()
    (one, two), (here, there) = nearest["cables"], nearest["along"]
    places = f"'{one}' ({number(here)} m along) and '{two}' ({number(there)} m)"
    return (f"nearest lines     {number(nearest['distance'])} m between {places} at {number(nearest['time'], 6)} s",)


def _landed(dataset: xr.Dataset, balance: EnergyBalance) -> bool:
    """Whether what a balance lacks went where line landed on the bed: the run has told so, and books less of it."""
    told = any(BED_DAMPING in line for line in remarks_of(dataset))
    return told and bool(balance.residual[-1] < balance.works["work_damping"][-1])


def _judged(error: float, made: bool, landed: bool) -> str:
    """What an energy balance that does not close well means."""
    if error > POOR_BALANCE:
        return ", which is poor: do not rely on this result"
    if error > GOOD_BALANCE and landed and not made:
        return f", which is fair: most of that went where line landed, see {BED_DAMPING}"
    if error > GOOD_BALANCE:
        return f", which is fair: the steps {'made' if made else 'lost'} so much, a smaller simulation.step less"
    return ""


def _most_loaded(numbers: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Cables that are pulled hardest, in the order of the share of their strength where it is known of all."""
    cables = {name: cable for name, cable in numbers["cables"].items() if cable["tension_max"] is not None}
    by_share = all(cable["utilisation"] is not None for cable in cables.values())
    key = "utilisation" if by_share else "tension_max"
    ranked = sorted(cables.items(), key=lambda item: -float(item[1][key]["value"]))
    return ranked[:MOST_CABLES_IN_TEXT]


def _table(numbers: dict[str, Any]) -> list[str]:
    """Tensions of the most loaded cables, aligned; the mean is that at the place of the largest."""
    ranked = _most_loaded(numbers)
    if not ranked:
        return []
    rows = [["cable", "largest tension", "at", "from", "time", "mean there", "least", "of breaking load"]]
    for name, cable in ranked:
        most, used = cable["tension_max"], cable["utilisation"]
        rows.append(
            [
                name,
                force(most["value"]),
                f"{number(most['arc_length'])} m",
                str(most["from"]),
                f"{number(most['time'], 5)} s",
                force(cable["tension_mean"]),
                force(cable["tension_min"]["value"]),
                "" if used is None else percentage(used["value"]),
            ]
        )
    if not any(row[-1] for row in rows[1:]):
        rows = [row[:-1] for row in rows]
    rest = len(numbers["cables"]) - len(ranked)
    return aligned(rows) + ([f"... and {rest} more cables (--json gives all)"] if rest else [])


def _bend_lines(numbers: dict[str, Any]) -> list[str]:
    """How near cables come to the radius to which they may be bent; all that pass it or are not resolved, else the
    nearest."""
    known = [cable["bend_radius_min"] for cable in numbers["cables"].values() if cable["bend_radius_min"] is not None]
    known.sort(key=lambda bend: float(bend.get("expected", bend["value"]) / bend["allowed"]))
    passed = [bend for bend in known if bend["value"] < bend["allowed"] or "unresolved" in bend]
    return [
        f"bend radius       {number(bend['value'])} m, {number(bend['allowed'])} m is allowed, {_where(bend)}"
        + (f"; {bend['unresolved']}" if "unresolved" in bend else "")
        for bend in (passed or known[:1])[:MOST_CABLES_IN_TEXT]
    ]


def _cable(dataset: xr.Dataset, i: int, name: str, bed: Ground | None) -> dict[str, Any]:
    along = Along.of(dataset, i)
    position = finite(dataset["position"].values[:, i, : len(along.arc)])
    most, least = (tension_extreme(dataset, i, largest=largest) for largest in (True, False))
    if most and least and abs(least["value"]) < ROUNDING * abs(most["value"]):
        least["value"] = 0.0
    return {
        "length": float(along.arc[-1]),
        "tension_max": most,
        "tension_min": least,
        "tension_mean": _mean_at_largest(dataset, i),
        "utilisation": utilisation(dataset, i),
        "bend_radius_min": sharpest_bend(dataset, i),
        **{f"force_{end}": _force_statistics(*force_in_steps(dataset, i, k)) for k, end in enumerate(ENDS)},
        "curvature_max": _curvature(dataset, i, name, along),
        "lowest": extreme_of(position[..., 2], along, name, largest=False),
        "clearance_min": None if bed is None else _clearance(dataset, i, name, along, position, bed),
        "clearance_leaves_out": [] if bed is None else [ENDS[end] for end in _fastened(_height(position, bed))],
        **on_the_bed(dataset, i, ENDS),
        "touchdown": _touchdown(dataset, i, along) | lying(dataset, i),
    }


def _mean_at_largest(dataset: xr.Dataset, i: int) -> float | None:
    """Mean of the samples of tension where the largest of all steps is, N."""
    largest = tension_in_steps(dataset, i)[1]
    if np.isnan(largest).all():
        return None
    node = np.unravel_index(np.nanargmax(largest), largest.shape)[1]
    return _number(float(np.nanmean(finite(dataset["tension_effective"].values[:, i, node]))))


def _curvature(dataset: xr.Dataset, i: int, name: str, along: Along) -> dict[str, Any] | None:
    """The largest curvature of all steps; None where the result does not tell."""
    if "curvature_max" not in dataset:
        return None
    values = finite(dataset["curvature_max"].values[:, i, : len(along.arc)])
    values[0] = np.nan  # of steps before the first sample
    when = dataset["curvature_max_time"].values[:, i], dataset["curvature_max_node"].values[:, i]
    return extreme_of(values, along, name, True, *when)


def _clearance(
    dataset: xr.Dataset, i: int, name: str, along: Along, position: NDArray[np.float64], bed: Ground
) -> dict[str, Any] | None:
    """The least height above the bed: of all steps, or of the samples where these were lower or are all there is.

    An end that is fastened on the bed has no clearance, nor has what climbs from there: both are left out, of samples,
    and `clearance_leaves_out` names these ends. None is left of a cable that only climbs.
    """
    height = _height(position, bed)
    fastened = _fastened(height)
    for end in fastened:
        from_end = height if end == 0 else height[:, ::-1]
        climbs = np.logical_and.accumulate(np.diff(from_end, axis=1) > 0.0, axis=1)
        from_end[:, 0] = np.nan
        from_end[:, 1:][climbs] = np.nan
    least = extreme_of(height, along, name, largest=False)
    steps = finite(dataset["clearance_min"].values[1:, i]) if "clearance_min" in dataset else np.empty(0)
    if least is None or fastened or not np.isfinite(steps).any() or np.nanmin(steps) >= least["value"]:
        return least
    k = int(np.nanargmin(steps)) + 1
    node, time = int(dataset["clearance_min_node"].values[k, i]), float(dataset["clearance_min_time"].values[k, i])
    return least | {"value": float(steps[k - 1]), "time": time, "arc_length": along.at(node, time)}


def _height(position: NDArray[np.float64], bed: Ground) -> NDArray[np.float64]:
    """Of nodes above the bed [m]."""
    return np.asarray(position[..., 2] - bed.height(position[..., 0], position[..., 1]))


def _fastened(height: NDArray[np.float64]) -> list[int]:
    """Ends, 0 or -1, that stay on the bed; what is on a drum is nowhere."""
    return [end for end in (0, -1) if (np.abs(height[:, end]) < ON_THE_BED).all()]


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _points(dataset: xr.Dataset) -> dict[str, Any]:
    """Largest acceleration and least height above the bed of every point and body, of all steps; and its amplitudes in
    the first and the last third of the samples."""
    if "point" not in dataset.coords or "acceleration_max" not in dataset:
        return {}
    out: dict[str, Any] = {}
    for i, name in enumerate(dataset["point"].values):
        found: dict[str, Any] = {}
        for key, variable, largest in (
            ("acceleration_max", "acceleration_max", True),
            ("clearance_min", "point_clearance_min", False),
        ):
            values = finite(dataset[variable].values[1:, i])
            found[key] = None
            if np.isfinite(values).any():
                k = int(np.nanargmax(values) if largest else np.nanargmin(values))
                time = float(dataset[f"{variable}_time"].values[k + 1, i])
                found[key] = {"value": float(values[k]), "time": time}
        found |= amplitudes(dataset["time"].values, dataset["point_position"].values[:, i])
        out[str(name)] = found
    return out


def _start_up(dataset: xr.Dataset) -> float | None:
    """Until when the run is starting: its waves and motions grow, or a first period begins with a jerk."""
    value = dataset.attrs.get("start_up", 0.0)
    try:
        until = float(value)
    except (TypeError, ValueError):
        raise ResultError(f"its attribute start_up is no number but '{value}'; run its input file again") from None
    return until if until > 0.0 else None


def _as_it_starts(numbers: dict[str, Any]) -> list[str]:
    """A word where the largest tension belongs to the start of the run."""
    until, most = numbers["start_up"], numbers["tension_max"]
    if until is None or most is None or most["time"] >= until:
        return []
    leave = f"--after {until:.4g} leaves it out"
    return [f"start-up          holds the largest tension, and lasts until {until:.4g} s: {leave}"]


def _first_touch(dataset: xr.Dataset, i: int) -> float | None:
    """When a cable first lies on the bed."""
    touching = np.nan_to_num(dataset["contact_force"].values[:, i]).any(axis=(1, 2))
    return float(dataset["time"].values[np.argmax(touching)]) if touching.any() else None


def _touchdown(dataset: xr.Dataset, i: int, along: Along) -> dict[str, float | None]:
    """When a cable first lies on the bed, and how much of it (and from where to where) at the last sample."""
    arc = along.arc
    touching = np.linalg.norm(dataset["contact_force"].values[-1, i, : len(arc)], axis=-1) > 0.0
    last = np.flatnonzero(touching)
    share = np.gradient(arc) if len(arc) > 1 else np.zeros_like(arc)
    if len(arc) > 1:
        share[[0, -1]] *= 0.5
    end = float(along.times[-1])
    return {
        "first_time": _first_touch(dataset, i),
        "length": float(share[last].sum()),
        "arc_length_first": along.at(int(last[0]), end) if len(last) else None,
        "arc_length_last": along.at(int(last[-1]), end) if len(last) else None,
    }


def _force_statistics(
    sampled: NDArray[np.float64], least: NDArray[np.float64], largest: NDArray[np.float64]
) -> dict[str, float | None]:
    known = sampled[np.isfinite(sampled)]
    if not known.size:
        return {"min": None, "mean": None, "max": None, "final": None}
    return {
        "min": float(np.nanmin(finite(least))),
        "mean": float(known.mean()),
        "max": float(np.nanmax(finite(largest))),
        "final": _number(sampled[-1]),
    }


def _extreme_of_all(cables: dict[str, Any], key: str, largest: bool) -> dict[str, Any] | None:
    found: list[dict[str, Any]] = [cable[key] for cable in cables.values() if cable[key] is not None]
    if not found:
        return None
    return (max if largest else min)(found, key=lambda extreme: extreme["value"])


def _number(value: float) -> float | None:
    """A number JSON can carry: None for NaN and infinity."""
    return float(value) if np.isfinite(value) else None


def _where(extreme: dict[str, Any]) -> str:
    place = f"{number(extreme['arc_length'])} m from {extreme['from']}"
    return f"in cable {extreme['cable']}, {place}, at {number(extreme['time'], 6)} s"
