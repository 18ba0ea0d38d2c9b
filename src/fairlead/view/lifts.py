"""What an engineer asks of a lift: largest tension, slack, snap, landing, for every cable on a winch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results import seabed_of, variable_of
from fairlead.results.events import snap_after, spells_of
from fairlead.words import number

from .histories import CableHistory, cable_histories
from .things import described

if TYPE_CHECKING:
    import xarray as xr

SLACK = 0.02  # a wire that pulls its load with less than this part of its mean tension is slack
NEAR_LOWEST = 0.05  # m above its lowest place at which a load that stopped has landed
NEAR_BED = 3.0  # m above the bed, at most, of a load that stands on it


@dataclass(frozen=True)
class Extreme:
    """A value and when it was reached (s)."""

    value: float
    time: float


@dataclass(frozen=True)
class Lift:
    """One cable on a winch; tensions in N, times in s, lengths in m, speeds in m/s (downwards positive).

    tension_max                 at the winch, of all steps
    tension_min, tension_mean   at the winch, while the load hangs; the least of all steps
    slack                       spells (from, to) in which the wire does not pull the load while it hangs
    loose                       the same while the load stands on the bed, as it should
    snap                        largest tension just after either, when it is more than 1.2 times the mean
    landing                     speed of the load when it reaches the bed; None when it does not
    lift_off                    when it leaves the bed again; None when it does not
    path                        of the end of the wire at the load, (time, 3), m
    tension                     at the winch, (time,), N
    length                      line out, (time,), m; None where the result does not tell
    elements                    elements off the winch, (time,)
    """

    cable: str
    load: str
    tension_max: Extreme
    tension_min: Extreme
    tension_mean: float
    slack: tuple[tuple[float, float], ...]
    loose: tuple[tuple[float, float], ...]
    snap: Extreme | None
    landing: Extreme | None
    lift_off: float | None
    path: NDArray[np.float64]
    tension: NDArray[np.float64]
    length: NDArray[np.float64] | None
    elements: NDArray[np.int_]

    @property
    def height(self) -> NDArray[np.float64]:
        """Height of the end of the wire at the load above the mean surface, (time,), m."""
        return self.path[:, 2]


def lifts(dataset: xr.Dataset) -> list[Lift]:
    """The findings for every cable on a winch."""
    found = []
    for i, cable in enumerate(cable_histories(dataset)):
        facts = described(dataset, "cables", cable.name)
        winch = facts.get("winch")
        if isinstance(winch, dict) or f"{cable.name}.winch.length" in dataset:
            at_start = not isinstance(winch, dict) or winch.get("end", "start") == "start"
            lift = _lift(dataset, i, cable, at_start)
            if lift is not None:
                found.append(lift)
    return found


def lift_numbers(lift: Lift) -> dict[str, Any]:
    """The findings as plain numbers, for JSON."""

    def plain(extreme: Extreme | None) -> dict[str, float] | None:
        return None if extreme is None else {"value": extreme.value, "time": extreme.time}

    return {
        "load": lift.load,
        "tension_max": plain(lift.tension_max),
        "tension_min": plain(lift.tension_min),
        "tension_mean": lift.tension_mean,
        "slack": [list(spell) for spell in lift.slack],
        "snap": plain(lift.snap),
        "landing": plain(lift.landing),
        "lift_off": lift.lift_off,
    }


def lift_lines(found: Sequence[Lift]) -> tuple[str, ...]:
    """What happened to each load, in a line or a few of text to print."""
    lines = []
    for lift in found:
        name = lift.load or lift.cable
        if lift.landing is not None:
            words = f"{name} at {number(lift.landing.time, 5)} s with {number(lift.landing.value, 3)} m/s"
            after = "" if lift.lift_off is None else f", off the bed again at {number(lift.lift_off, 5)} s"
            lines.append(f"landing           {words}{after}")
        if lift.slack:
            longest = max(end - start for start, end in lift.slack)
            spells = f"{len(lift.slack)} spell{'s' if len(lift.slack) > 1 else ''} while {name} hangs"
            first = f"first at {number(lift.slack[0][0], 5)} s, up to {number(longest, 3)} s"
            lines.append(f"slack             {lift.cable}: {spells}, {first}")
        if lift.snap is not None:
            share = lift.snap.value / lift.tension_mean
            lines.append(
                f"snap              {lift.cable}: {number(lift.snap.value / 1e3)} kN at {number(lift.snap.time, 5)} s, "
                f"{number(share, 3)} x its mean tension"
            )
    return tuple(lines)


def _lift(dataset: xr.Dataset, i: int, cable: CableHistory, at_start: bool) -> Lift | None:
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    tension = cable.end_tension(0 if at_start else 1)
    if not np.isfinite(tension).any():
        return None
    load = _load(dataset, cable.name, at_start)
    landing = _reported_landing(dataset, load) or _landing(dataset, i, cable, at_start, times)
    hanging = times < (landing.time if landing is not None else np.inf)
    lift_off = None
    if landing is not None and f"{load}.bed_force" in dataset:
        hanging = dataset[f"{load}.bed_force"].values <= 0.0
        last = np.flatnonzero(~hanging)
        lift_off = float(times[last[-1] + 1]) if len(last) and last[-1] + 1 < len(times) else None
    aloft = tension[hanging & np.isfinite(tension)]
    mean = float(aloft.mean()) if aloft.size else float(np.nanmean(tension))
    end, far = (0, 1) if at_start else (1, 0)
    low, high = cable.end_tension(end, cable.low), cable.end_tension(end, cable.high)
    slack = cable.end_tension(far, cable.low) < SLACK * mean
    spells, loose = spells_of(times, hanging & slack), spells_of(times, ~hanging & slack)
    snap = snap_after(times, high, spells + loose, mean)
    most = int(np.nanargmax(high))
    least = int(np.nanargmin(np.where(hanging, low, np.nan) if aloft.size else low))
    length = variable_of(dataset, f"{cable.name}.winch.length")
    return Lift(
        cable=cable.name,
        load=load,
        tension_max=Extreme(float(high[most]), float(times[most])),
        tension_min=Extreme(float(low[least]), float(times[least])),
        tension_mean=mean,
        slack=spells,
        loose=loose,
        snap=None if snap is None else Extreme(*snap),
        landing=landing,
        lift_off=lift_off,
        path=cable.position[:, -1 if at_start else 0],
        tension=tension,
        length=None if length is None else np.asarray(length.values, dtype=np.float64),
        elements=np.isfinite(cable.position[:, :, 2]).sum(axis=1) - 1,
    )


def _load(dataset: xr.Dataset, cable: str, at_start: bool) -> str:
    """Name of what hangs at the end that is not on the winch."""
    end = described(dataset, "cables", cable).get("end" if at_start else "start")
    name = end.get("point") if isinstance(end, dict) else end
    return str(name).partition(".")[0] if name else ""


def _reported_landing(dataset: xr.Dataset, load: str) -> Extreme | None:
    """The landing that the formulation itself saw, to the step."""
    time, speed = (variable_of(dataset, f"{load}.landing_{what}") for what in ("time", "speed"))
    if time is None or speed is None or not float(time.values[-1]) > 0.0:
        return None
    return Extreme(float(speed.values[-1]), float(time.values[-1]))


def _landing(
    dataset: xr.Dataset, i: int, cable: CableHistory, at_start: bool, times: NDArray[np.float64]
) -> Extreme | None:
    """When the far end comes to stand on the bed, and how fast it went down at the sample before."""
    node = len(cable.arc_length) - 1 if at_start else 0
    place = cable.position[:, node]
    contact = np.linalg.norm(np.nan_to_num(dataset["contact_force"].values[:, i, node]), axis=-1)
    down = -dataset["velocity"].values[:, i, node, 2]
    bed = seabed_of(dataset)
    touched = np.flatnonzero(contact > 0.0)
    if not len(touched) and bed is not None:
        height = place[:, 2] - bed.height(place[:, 0], place[:, 1])
        lowest = float(np.nanmin(height)) if np.isfinite(height).any() else np.inf
        low = height <= lowest + NEAR_LOWEST
        stays = np.flatnonzero(low)
        if lowest < NEAR_BED and len(stays) > 2 and bool(np.abs(np.diff(height[stays])).max() < NEAR_LOWEST):
            touched = stays
    if not len(touched) or touched[0] == 0:
        return None
    first = int(touched[0])
    return Extreme(float(down[first - 1]), float(times[first]))
