"""How well a twin is: its estimate, its parameters, its sensors, and its limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fairlead.ensembles.fleet import Fleet
from fairlead.results import NODE_COLUMNS
from fairlead.words import number

from .estimate import Alarm, Forecast, Health, ParameterEstimate, SensorHealth
from .file import TwinFile
from .sensors import Sensor, force_share
from .tracks import Track
from .unheard import Unheard
from .updating import Updating
from .watching import Limit, Warning

INCONSISTENT = 3.0
"""Measure of consistency above which measurements do not fit."""
FAR_OFF = "is far from what all others say, and not listened to"
UNSETTLED = "the sea changes faster than the file says, or in a way that no member knows; what is measured is followed"
ON_THE_WAY = "on the way to fixes that jumped; nothing is compared meanwhile"
TO_THE_FIRST = "on the way to its first fixes; nothing is compared meanwhile"
GUESSED = "it is taken to go on as it did, and how far that is off nobody tells"
SWAYING = "it is taken to sway on as it did, each member in its own way, so that its place is told to"
ALONG = "it is taken to go along with those beside it, as it did, to"
NOT_MEANWHILE = "; nothing is compared meanwhile"
HEARD_AGAIN = "what drives it was silent and is heard again; nothing is compared until members have found back to it"
SILENT_AFTER = 10.0
"""Of a drive whose input the file does not describe, s."""
MISSED = 3.0
"""Fixes that do not come, by the usual time between them, from which on a drive is silent."""
MISDATED = 3
"""Readings in a row that are refused for their stamps from which on that is told."""
NOISY = 0.03
"""Noise of fixes from which on the way of an anchor is not told by them, m: four seas with 0.05 m gave 0.9 to 2.2 m
where 0.8 m are true, each sure to 0.05 m."""
DAY = 86400.0
"""s."""
STILL = 1.0
"""Time after an update in which alarms are held, s: mixed states shake for a moment."""


def is_silent(file: TwinFile, drive: str, track: Track, accepted: int, now: float) -> bool:
    """Whether a drive was not heard for so long that it has fallen silent: for `silent_after`, and for three times the
    time between its fixes (of a single fix, three times `silent_after`). What a program has placed once, and at rest,
    is not.

    accepted  fixes so far
    """
    source = file.inputs.get(file.drive[drive].source.partition(".")[0])
    if accepted == 1 and track.rests and (source is None or source.kind == "calls"):
        return False
    age, least = now - track.last, source.silent_after if source is not None else SILENT_AFTER
    return age > least and age > MISSED * (track.usual_gap or least)


def parameters(updating: Updating, tracks: Mapping[str, Track]) -> dict[str, ParameterEstimate]:
    """What is estimated, by name."""
    found = {}
    noise = max((track.noise for track in tracks.values() if track.retold), default=0.0)
    anchors = {part.first for part in updating.unknowns.anchors} if noise > NOISY else set[int]()
    for k, one in enumerate(updating.unknowns.numbers):
        if not one.shown:
            continue
        values = updating.theta[:, k]
        mean, sd = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
        scale = float(np.exp(mean)) if one.factor else 1.0
        shown, prior = (scale, 1.0) if one.factor else (mean, 0.0)
        found[one.name] = ParameterEstimate(
            one.name, one.unit, shown, scale * sd, scale * one.sd, prior, one.label, noise if k in anchors else 0.0
        )
    return found


def health(
    file: TwinFile,
    updating: Updating,
    tracks: Mapping[str, Track],
    counts: Mapping[str, Mapping[str, int]],
    now: float,
    misdated: Mapping[str, tuple[int, float]],
    astray: Sequence[str] = (),
    elsewhere: float = -np.inf,
    unheard: Mapping[str, Unheard] | None = None,
    swaying: Mapping[str, float] | None = None,
) -> Health:
    """Whether the estimate can be relied on, and what came of every sensor and drive.

    elsewhere  time [s] up to which nothing that is measured is compared
    unheard    how drives go on that fell silent, by name
    swaying    those of which members each have their own way, and how far these are apart, m (standard deviation)
    """
    sensors = {}
    jumped = {name: _of_clocks(off) for name, (count, off) in misdated.items() if count >= MISDATED}
    for name, sensor in updating.sensors.items():
        c, age = sensor.counts, now - sensor.last
        sensors[name] = SensorHealth(name, sensor.last, age, age > sensor.silent_after, c["accepted"], c["late"],
                                     c["implausible"], c["doubted"], sensor.deviation,
                                     sensor.repeats.words or jumped.get(name, _off(sensor)))  # fmt: skip
    for name, track in tracks.items():
        heard, age = counts[name], now - track.last
        sensors[name] = SensorHealth(name, track.last, age, is_silent(file, name, track, heard["accepted"], now),
                                     heard["accepted"], heard["late"], heard["implausible"],
                                     fault=track.repeats.words if track.repeats.run > 1 else jumped.get(name, "")
                                     )  # fmt: skip
    silent = [name for name, sensor in sensors.items() if sensor.silent and sensor.last > -np.inf]
    drives_silent = any(name in tracks for name in silent)
    faults = [f"{name} {sensor.fault}" for name, sensor in sensors.items() if sensor.fault]
    guesses = _guesses([name for name in silent if name in tracks], unheard or {}, swaying or {}, now)
    state, reason = "good", ""
    if file.estimate.method == "none":
        state, reason = "open loop", "the file asks for no estimate"
    elif updating.open_loop:
        state, reason = "open loop", updating.open_loop
    elif faults:
        state, reason = "inconsistent", "; ".join([*faults, *guesses])
    elif astray:
        state, words = ("inconsistent", ON_THE_WAY) if updating.updates else ("starting", TO_THE_FIRST)
        reason = f"{', '.join(astray)} {words}"
    elif updating.consistency > INCONSISTENT:
        state, reason = "inconsistent", "measurements are further from what was expected than they should be"
    elif drives_silent or elsewhere > now:
        state = "uncertain" if updating.updates else "starting"
        meanwhile = NOT_MEANWHILE if elsewhere > now else ""
        others = [name for name in silent if name not in tracks]
        quiet = [f"{', '.join(others)} silent"] if others else []
        reason = "; ".join([*guesses, *quiet]) + meanwhile if drives_silent else HEARD_AGAIN
    elif not updating.updates:
        state, reason = "starting", "nothing was compared yet"
    elif silent:
        state, reason = "uncertain", f"{', '.join(silent)} silent; {_least_known(updating.fleet)}"
    elif updating.innovations.factor > 1.0:
        state, reason = "uncertain", UNSETTLED
    members, asked = updating.fleet.members, file.estimate.members
    note = f"late: {members} of {asked} members" if members < asked else ""
    return Health(state, reason, members, updating.lost, updating.consistency, updating.updates, sensors, note)  # type: ignore[arg-type]


def _guesses(silent: list[str], unheard: Mapping[str, Unheard], swaying: Mapping[str, float], now: float) -> list[str]:
    """What is done about drives that are silent."""
    along = [name for name in silent if name in unheard and unheard[name].others]
    found = [f"{name} silent; {ALONG} {number(unheard[name].spread(now))} m" for name in along]
    found += [f"{name} silent; {SWAYING} {number(swaying[name])} m" for name in silent if name in swaying]
    alone = [name for name in silent if name not in along and name not in swaying]
    return [*found, f"{', '.join(alone)} silent; {GUESSED}"] if alone else found


def _off(sensor: Sensor) -> str:
    """What is wrong with what a sensor says, by the rest; empty where nothing is."""
    return "; ".join(words for words in (FAR_OFF if sensor.odd else "", sensor.stamps.words) if words)


def _least_known(fleet: Fleet) -> str:
    """How well the place of a cable is known that is known least."""
    nodes = fleet.rows[:, : NODE_COLUMNS * fleet.compiled.shape.node_count].reshape(fleet.members, -1, NODE_COLUMNS)
    spread = float(np.sqrt(np.nanmax(nodes[:, :, :3].var(axis=0, ddof=1).sum(axis=1), initial=0.0)))
    return f"the place that is least known is told to {number(spread)} m"


def _of_clocks(off: float) -> str:
    """What is wrong with stamps that are so far off the twin's time, s."""
    where = "after" if off > 0.0 else "before"
    return f"is stamped {_span(abs(off))} {where} the twin's time, and not listened to: a clock has jumped"


def _span(seconds: float) -> str:
    """A span of time in words."""
    for unit, size in (("years", 365.25 * DAY), ("days", DAY)):
        if seconds >= 3.0 * size:
            return f"{seconds / size:.0f} {unit}" if seconds < 1e4 * size else f"more than 10000 {unit}"
    return f"{seconds:.0f} s"


class Watch:
    """All limits over time."""

    def __init__(self, limits: Sequence[Limit]) -> None:
        self.warnings = [Warning(limit) for limit in limits]

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        return tuple(warning.alarm for warning in self.warnings)

    def acknowledge(self, name: str) -> bool:
        """An alarm is known of; False where there is none of that name."""
        found = [warning for warning in self.warnings if warning.limit.name == name]
        for warning in found:
            warning.acknowledged = True
        return bool(found)

    def look(self, updating: Updating, time: float, forecast: Forecast | None) -> None:
        """Hold what the members show against the limits, but for a moment after an update, which shakes them."""
        if not self.warnings or time - updating.updated_at < STILL:
            return
        share = force_share(list(updating.sensors.values()), updating.fleet.rows.mean(axis=0))
        for warning in self.warnings:
            values = warning.limit.watched.of(updating.fleet.rows)
            mean = float(values.mean())
            off = share * abs(mean) if warning.limit.watched.unit == "N" else 0.0
            spread = float(np.hypot(values.std(ddof=1) if len(values) > 1 else 0.0, off))
            warning.look(time, mean, spread, forecast)
