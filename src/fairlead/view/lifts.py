"""What an engineer asks of a lift: largest tension, DAF, slack, snap, landing, for every cable on a winch.

The load is the heaviest body or point that hangs below the wire. A hook and slings between the two are not the load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results import seabed_of, settings_of, variable_of
from fairlead.results.events import snap_after, spells_of
from fairlead.results.strength import line_mass
from fairlead.words import number

from .histories import CableHistory, cable_histories
from .things import described

if TYPE_CHECKING:
    import xarray as xr

GRAVITY = 9.81  # m/s², of results that do not tell theirs
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
    hook                        what the end of the wire is made fast to; the load itself where there are no slings
    weight                      in air, of all that hangs on the winch at the largest tension: load, hook, slings, wire
    is_hanging                  whether the wire is steeper than 45 degrees on average: a tow is no lift
    path                        of the load, or of the end of the wire where that is made fast to it, (time, 3), m
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
    hook: str = ""
    weight: float | None = None
    is_hanging: bool = True

    @property
    def height(self) -> NDArray[np.float64]:
        """Height of the load above the mean surface, (time,), m: see ``path``."""
        return self.path[:, 2]

    @property
    def has_slings(self) -> bool:
        """Whether the load hangs on slings below the wire."""
        return self.load != self.hook

    @property
    def daf(self) -> float:
        """Dynamic amplification factor: the largest tension over the weight in air, as DNV-RP-N103 has it.

        Where the masses are not known it is that over the mean while the load hangs.
        """
        static = self.weight or self.tension_mean
        return self.tension_max.value / static if static > 0.0 else float("nan")

    @property
    def daf_words(self) -> str:
        """What the factor is taken over."""
        if self.weight is None:
            return "over the mean while it hangs"
        return f"over the weight in air, {number(self.weight / 1e3)} kN"


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
        "hook": lift.hook,
        "weight": lift.weight,
        "daf": lift.daf if np.isfinite(lift.daf) else None,
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
        if lift.weight is not None and lift.is_hanging:
            daf = f"DAF {number(lift.daf, 3)} ({lift.daf_words})"
            mean = f"mean tension {number(lift.tension_mean / 1e3)} kN while it hangs"
            lines.append(f"lift              {lift.cable} with {name}: {daf}, {mean}")
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
    hook = _hook(dataset, cable.name, at_start)
    hanging = _hanging(dataset, cable.name, hook)
    load = _load(hanging, hook)
    landing = _reported_landing(dataset, load)
    if landing is None and load == hook:
        landing = _landing(dataset, i, cable, at_start, times)
    aloft = times < (landing.time if landing is not None else np.inf)
    lift_off = None
    if landing is not None and f"{load}.bed_force" in dataset:
        aloft = dataset[f"{load}.bed_force"].values <= 0.0
        last = np.flatnonzero(~aloft)
        lift_off = float(times[last[-1] + 1]) if len(last) and last[-1] + 1 < len(times) else None
    pulls = tension[aloft & np.isfinite(tension)]
    mean = float(pulls.mean()) if pulls.size else float(np.nanmean(tension))
    end, far = (0, 1) if at_start else (1, 0)
    low, high = cable.end_tension(end, cable.low), cable.end_tension(end, cable.high)
    slack = cable.end_tension(far, cable.low) < SLACK * mean
    spells, loose = spells_of(times, aloft & slack), spells_of(times, ~aloft & slack)
    snap = snap_after(times, high, spells + loose, mean)
    most = int(np.nanargmax(high))
    least = int(np.nanargmin(np.where(aloft, low, np.nan) if pulls.size else low))
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
        path=_path(dataset, load) if load != hook else cable.position[:, -1 if at_start else 0],
        tension=tension,
        length=None if length is None else np.asarray(length.values, dtype=np.float64),
        elements=np.isfinite(cable.position[:, :, 2]).sum(axis=1) - 1,
        hook=hook,
        is_hanging=_is_hanging(cable),
        weight=_weight(dataset, cable.name, hanging, None if length is None else float(length.values[most])),
    )


def _place(end: object) -> str:
    """Name of the point or body to which an end is made fast; empty where it is free."""
    name = end.get("point") if isinstance(end, dict) else end
    return str(name).partition(".")[0] if name else ""


def _hook(dataset: xr.Dataset, cable: str, at_start: bool) -> str:
    """Name of what the end that is not on the winch is made fast to."""
    return _place(described(dataset, "cables", cable).get("end" if at_start else "start"))


def _is_hanging(cable: CableHistory) -> bool:
    """Whether a cable is steeper than 45 degrees, from the first node that is out to the last, in the mean of all."""
    active = np.isfinite(cable.position[:, :, 0])
    rows = np.flatnonzero(active.any(axis=1))
    first, last = active.argmax(axis=1), active.shape[1] - 1 - active[:, ::-1].argmax(axis=1)
    chord = np.abs(cable.position[rows, last[rows]] - cable.position[rows, first[rows]])
    return bool(np.hypot(chord[:, 0], chord[:, 1]).mean() < chord[:, 2].mean()) if len(rows) else False


@dataclass(frozen=True)
class Hanging:
    """What hangs on a wire: masses (kg) of free points and bodies by name, and the cables between them."""

    masses: dict[str, float]
    slings: tuple[str, ...]


def _hanging(dataset: xr.Dataset, wire: str, hook: str) -> Hanging:
    """The hook and what slings hold below it."""
    mass = _mass(dataset, hook)
    if mass is None:
        return Hanging({}, ())
    cables = settings_of(dataset).get("cables")
    others = {
        name: (_place(facts.get("start")), _place(facts.get("end")))
        for name, facts in (cables if isinstance(cables, dict) else {}).items()
        if name != wire and isinstance(facts, dict) and not facts.get("winch")
    }
    found, slings, ahead = {hook: mass}, set(), [hook]
    while ahead:
        here = ahead.pop()
        for name, ends in others.items():
            for near, far in (ends, ends[::-1]):
                below = _mass(dataset, far) if near == here else None
                if below is None:
                    continue
                slings.add(name)
                if far not in found:
                    found[far] = below
                    ahead.append(far)
    return Hanging(found, tuple(sorted(slings)))


def _load(hanging: Hanging, hook: str) -> str:
    """The heaviest of what hangs."""
    masses = hanging.masses
    return max(masses, key=lambda name: (masses[name], name == hook)) if masses else hook


def _weight(dataset: xr.Dataset, wire: str, hanging: Hanging, out: float | None) -> float | None:
    """Weight in air of all that hangs with `out` metres of the wire, N; None where it is not known."""
    names = [str(name) for name in dataset["cable"].values]
    if not sum(hanging.masses.values()) > 0.0 or any(name not in names for name in hanging.slings):
        return None
    lines = sum(line_mass(dataset, names.index(name)) for name in hanging.slings)
    lines += line_mass(dataset, names.index(wire), out)
    environment = settings_of(dataset).get("environment")
    gravity = environment.get("gravity", GRAVITY) if isinstance(environment, dict) else GRAVITY
    weight = gravity * (sum(hanging.masses.values()) + lines)
    return float(weight) if np.isfinite(weight) else None


def _mass(dataset: xr.Dataset, name: str) -> float | None:
    """Mass of a free point or body, kg; None of what is held: an anchor, a ship that is moved."""
    facts = described(dataset, "bodies", name) or described(dataset, "points", name)
    if facts.get("kind") != "free":
        return None
    mass = facts.get("mass", 0.0)
    return float(mass) if isinstance(mass, int | float) else 0.0


def _path(dataset: xr.Dataset, point: str) -> NDArray[np.float64]:
    names = [str(name) for name in dataset["point"].values]
    return np.asarray(dataset["point_position"].values[:, names.index(point)], dtype=np.float64)


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
