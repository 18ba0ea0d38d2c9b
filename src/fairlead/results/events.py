"""What happened in a run: ends released, weak links parted, slack, snap loads, touchdown and landings.

Events are read from the result, from the extremes of every step where it has them. A release has the time and force of
the step in which it happened, a landing those of the step in which a foot touched down. Slack and touchdown are known
to the output interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.words import aligned, force, number

from .dataset import settings_of, variable_of
from .peaks import finite, force_in_steps, tension_in_steps
from .variables import ENDS

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
Spells = tuple[tuple[float, float], ...]

PARTINGS = ("release", "weak link")
"""Events after which the system is another one."""
GONE = 1e-9
"""Share of a cable's largest end force below which an end carries nothing."""
SLACK = 1e-3
"""A line held at both ends is slack where its tension, off the bed, is below this share of its mean."""
SNAP_WITHIN = 5.0
"""Time after a slack spell in which the tension that follows belongs to it, s."""
SNAP = 1.2
"""Times the mean tension above which that is a snap load."""
MOST_EVENTS = 12
MOST_CABLES = 8


def events_of(dataset: xr.Dataset) -> list[dict[str, Any]]:
    """All events of a result in the order of time, as plain dictionaries ready for JSON.

    Each has ``kind``, ``time`` (s) and ``cable`` or ``point``. ``release`` and ``weak link`` add ``end``, ``point`` and
    ``force`` (N, the largest in the output interval before the end lets go). ``slack`` stands for all spells of a
    cable: ``spells`` (from, to), their number ``count``, the ``longest`` and the ``total`` (s, to the output interval).
    ``snap`` is the largest tension after any of them: ``tension`` (N) and ``factor`` (times the mean). ``touchdown``
    and ``lift-off`` are the first contact of a cable with the seabed and the end of the last. ``landing`` is that of a
    point or body, with ``speed`` (m/s).
    """
    found: list[dict[str, Any]] = []
    names = [str(name) for name in dataset["cable"].values] if "cable" in dataset.coords else []
    for i, name in enumerate(names):
        partings = _partings(dataset, i, name)
        found += partings
        until = min((event["time"] for event in partings), default=np.inf)
        found += _slack(dataset, i, name, until) + _on_bed(dataset, i, name)
    found += [_landing(name, *what) for name in _points(dataset) if (what := _reported(dataset, name))]
    return sorted(found, key=lambda event: float(event["time"]))


def phases_of(dataset: xr.Dataset, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tensions before, between and after the partings among ``events``; nothing where no end parted.

    Each phase has ``from`` and ``to`` (s), ``after`` (the event that began it; None for the first) and ``cables``: the
    ``max`` and ``min`` anywhere in a cable, of all steps, and the ``mean`` of its largest tension over the samples, N.
    """
    partings = [event for event in events if event["kind"] in PARTINGS]
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    partings = [event for event in partings if times[0] < event["time"] < times[-1]]
    if not partings:
        return []
    edges = sorted({float(event["time"]) for event in partings})
    edges = [float(times[0]), *edges, float(times[-1])]
    out, names = [], list(enumerate(dataset["cable"].values))
    for k, (first, last) in enumerate(pairwise(edges)):
        began = [event for event in partings if event["time"] == first] if k else []
        cables = {str(name): _tensions(dataset, i, times, first, last) for i, name in names}
        out.append({"from": first, "to": last, "after": began or None, "cables": cables})
    return out


def event_lines(numbers: dict[str, Any], without: Sequence[str] = ()) -> list[str]:
    """Events and phases of a summary as text to print; slack, snaps and landings of cables ``without`` are left out.

    Touchdown is left out too: the summary prints it with the length on the bed.
    """
    shown = [
        event
        for event in numbers["events"]
        if event["kind"] not in ("touchdown", "lift-off")
        and (event["kind"] in PARTINGS or not {event.get("cable"), event.get("point")} & set(without))
    ]
    lines = [f"{event['kind']:<17} {event_words(event)}" for event in shown[:MOST_EVENTS]]
    if len(shown) > MOST_EVENTS:
        lines.append(f"... and {len(shown) - MOST_EVENTS} more events (--json gives all)")
    if numbers["phases"]:
        lines += ["before and after:", *aligned([PHASE_HEADS, *phase_rows(numbers["phases"])[: MOST_EVENTS + 12]])]
    return lines


def event_words(event: dict[str, Any]) -> str:
    """What happened, in words."""
    when = f"at {number(event['time'], 6)} s"
    match event["kind"]:
        case "release" | "weak link":
            verb = "released" if event["kind"] == "release" else "parted"
            return f"{event['cable']} {verb} from {event['point']} {when}, at {force(event['force'])}"
        case "slack":
            spells = f"{event['count']} spell{'s' if event['count'] > 1 else ''}"
            longest = f"longest {number(event['longest'], 3)} s"
            return f"{event['cable']}: {spells}, first {when}, {longest}, {number(event['total'], 3)} s in total"
        case "snap":
            factor = f"{number(event['factor'], 3)} x its mean tension"
            return f"{event['cable']}: {force(event['tension'])} {when}, {factor}"
        case "touchdown":
            return f"{event['cable']} touches the seabed {when}"
        case "lift-off":
            return f"{event['cable']} leaves the seabed {when}"
        case _:
            return f"{event['point']} {when} with {number(event['speed'], 3)} m/s"


PHASE_HEADS = ["from", "to", "cable", "mean tension", "largest", "least"]


def phase_rows(phases: Sequence[dict[str, Any]]) -> list[list[str]]:
    """A row of text for every phase and cable, the most loaded cables first."""
    rows = []
    for phase in phases:
        span = [f"{number(phase['from'], 6)} s", f"{number(phase['to'], 6)} s"]
        known = {name: cable for name, cable in phase["cables"].items() if cable["max"] is not None}
        for name, cable in sorted(known.items(), key=lambda item: -item[1]["max"])[:MOST_CABLES]:
            rows.append([*span, name, *(force(cable[key]) for key in ("mean", "max", "min"))])
    return rows


def spells_of(times: Floats, slack: NDArray[np.bool_]) -> Spells:
    """Spells (from, to) of samples for which something holds, s."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], slack.astype(int), [0]))))
    return tuple((float(times[a]), float(times[b - 1])) for a, b in zip(edges[::2], edges[1::2], strict=True))


def snap_after(times: Floats, tension: Floats, spells: Spells, mean: float) -> tuple[float, float] | None:
    """The largest tension just after slack spells and its time; None where none is above SNAP times the mean."""
    largest: tuple[float, float] | None = None
    for _, end in spells:
        after = np.flatnonzero((times > end) & (times <= end + SNAP_WITHIN) & np.isfinite(tension))
        if len(after):
            peak = int(after[np.argmax(tension[after])])
            if tension[peak] > SNAP * mean and (largest is None or tension[peak] > largest[0]):
                largest = float(tension[peak]), float(times[peak])
    return largest


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _ends(dataset: xr.Dataset, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both ends of a cable as the settings of a result describe them."""
    cable = _mapping(_mapping(settings_of(dataset).get("cables")).get(name))
    start, end = (cable.get(key) for key in ENDS)
    return tuple(end if isinstance(end, dict) else {"point": end} for end in (start, end))  # type: ignore[return-value]


def _partings(dataset: xr.Dataset, i: int, name: str) -> list[dict[str, Any]]:
    """When the ends of cable i let go: from then on they carry nothing."""
    times, found = dataset["time"].values, []
    for side, end in enumerate(_ends(dataset, name)):
        release = _mapping(end.get("release"))
        if not release:
            continue
        sampled, _, high = force_in_steps(dataset, i, side)
        held = np.flatnonzero(~(finite(sampled) <= GONE * np.nanmax(finite(high), initial=0.0)))
        first = int(held[-1]) + 1 if len(held) else 0
        if first >= len(times):
            continue
        at, before = release.get("time"), max(first - 1, 0)
        by_time = isinstance(at, int | float) and at <= times[first]
        if not by_time and (release.get("tension") is None or first == 0):
            continue
        peak, time = float(high[first]), float(times[first])
        if isinstance(at, int | float) and times[before] <= at <= times[first]:
            time = float(at)
        elif peak > 0.0:
            time = _reached(dataset, "force_end_max_time", first, time, i, side)
        found.append(
            {
                "kind": "release" if by_time else "weak link",
                "time": time,
                "cable": name,
                "end": ENDS[side],
                "point": str(end.get("point")),
                "force": peak if peak > 0.0 else float(sampled[before]),
            }
        )
    return found


def _reached(dataset: xr.Dataset, name: str, sample: int, otherwise: float, *place: int) -> float:
    """When the extreme of an output interval was reached, where the steps tell it."""
    time = float(dataset[name].values[(sample, *place)]) if name in dataset and sample > 0 else np.nan
    return time if np.isfinite(time) else otherwise


def _slack(dataset: xr.Dataset, i: int, name: str, until: float) -> list[dict[str, Any]]:
    """Slack spells of cable i while both ends are held, and the largest tension just after one."""
    ends = _ends(dataset, name)
    if not all(end.get("point") for end in ends):
        return []
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    low, high = tension_in_steps(dataset, i)
    count = high.shape[1]
    lies = np.nan_to_num(dataset["contact_force"].values[:, i, :count]).any(axis=-1)
    off_bed = np.where(lies, np.nan, low)
    most, mean = _largest(high), float(np.nanmean(_largest(high), where=np.isfinite(_largest(high)) & (times < until)))
    if not mean > 0.0:
        return []
    least = -_largest(-off_bed)
    spells = spells_of(times, (least < SLACK * mean) & (times < until))
    if not spells:
        return []
    interval = float(np.diff(times).mean()) if len(times) > 1 else 0.0
    first, lengths = spells[0][0], [end - start + interval for start, end in spells]
    found: list[dict[str, Any]] = [
        {
            "kind": "slack", "time": first, "cable": name, "count": len(spells), "longest": max(lengths),
            "total": sum(lengths), "spells": [list(spell) for spell in spells],
        }
    ]  # fmt: skip
    snap = snap_after(times, np.where(times < until, most, np.nan), spells, mean)
    if snap is not None:
        tension, time = snap
        time = _reached(dataset, "tension_max_time", int(np.searchsorted(times, time)), time, i)
        found.append({"kind": "snap", "time": time, "cable": name, "tension": tension, "factor": tension / mean})
    return found


def _on_bed(dataset: xr.Dataset, i: int, name: str) -> list[dict[str, Any]]:
    """When cable i first touches the seabed after the start, and when it has left it for good."""
    times = dataset["time"].values
    touches = np.nan_to_num(dataset["contact_force"].values[:, i]).any(axis=(1, 2))
    where, found = np.flatnonzero(touches), []
    if len(where) and where[0] > 0:
        found.append({"kind": "touchdown", "time": float(times[where[0]]), "cable": name})
    if len(where) and where[-1] + 1 < len(times):
        found.append({"kind": "lift-off", "time": float(times[where[-1] + 1]), "cable": name})
    return found


def _points(dataset: xr.Dataset) -> list[str]:
    return [str(name) for name in dataset["point"].values] if "point" in dataset.coords else []


def _reported(dataset: xr.Dataset, point: str) -> tuple[float, float] | None:
    """Time (s) and speed (m/s) of the first landing of a point or body, as the steps saw it."""
    time, speed = (variable_of(dataset, f"{point}.landing_{what}") for what in ("time", "speed"))
    if time is None or speed is None or not float(time.values[-1]) > 0.0:
        return None
    return float(time.values[-1]), float(speed.values[-1])


def _landing(point: str, time: float, speed: float) -> dict[str, Any]:
    return {"kind": "landing", "time": time, "point": point, "speed": speed}


def _largest(values: Floats) -> Floats:
    """Largest along a cable, (time,); NaN where none of it is out."""
    filled = np.where(np.isfinite(values), values, -np.inf).max(axis=1)
    return np.where(np.isfinite(filled), filled, np.nan)


def _tensions(dataset: xr.Dataset, i: int, times: Floats, first: float, last: float) -> dict[str, float | None]:
    """Mean, largest and least tension of cable i from ``first`` to ``last`` (s).

    The extreme of the output interval in which one phase ends and the next begins belongs to the one it was reached in.
    """
    low, high = tension_in_steps(dataset, i)
    sampled = _largest(finite(dataset["tension_effective"].values[:, i, : high.shape[1]]))

    def reached(name: str) -> Floats:
        known = np.asarray(dataset[name].values[:, i]) if name in dataset else times
        return np.where(np.isfinite(known) & (np.arange(len(times)) > 0), known, times)

    def within(at: Floats) -> NDArray[np.bool_]:
        return np.asarray(((at > first) | (times[0] == first)) & (at <= last))

    mean = sampled[within(times) & np.isfinite(sampled)]
    most = _largest(high)[within(reached("tension_max_time"))]
    least = -_largest(-low)[within(reached("tension_min_time"))]
    return {
        "mean": float(mean.mean()) if mean.size else None,
        "max": float(np.nanmax(most)) if np.isfinite(most).any() else None,
        "min": float(np.nanmin(least)) if np.isfinite(least).any() else None,
    }
