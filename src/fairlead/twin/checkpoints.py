"""The whole of a twin in one file: members, parameters, what was heard and not compared yet, forecasts under way.

Arrays as numpy writes them and the rest as JSON, nothing that could run when it is read. It is written aside, forced to
the disk and put in its place at once, so that a kill at any time leaves the last one whole.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import zipfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.ensembles.fleet import Fleet

from .courses import Straight
from .driving import Away, Driver
from .earth import Frame
from .estimate import Forecast
from .innovations import Innovations
from .placing import Placement
from .quantities import positive_of
from .repeats import Repeats
from .scatter import Scatter
from .smoothing import Windows
from .stamps import Stamps
from .stopping import Stopping
from .unheard import Unheard

if TYPE_CHECKING:
    from .twin import Twin

VERSION = 13


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the text says why."""


def identity(twin: Twin) -> str:
    """What a checkpoint must fit: the system, its compiled form and what is estimated."""
    words = (
        twin.system.model_dump_json(),
        twin.fleet.compiled.layout.fingerprint,
        twin.file.model_dump_json(include={"clock", "drive", "sensors", "estimate", "look_ahead", "limits"}),
    )
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def write(twin: Twin, path: Path) -> None:
    """All that the future of a twin depends on."""
    fleet, updating, looking = twin.fleet, twin.updating, twin.forecasting
    errors, hearing = looking.errors, twin.hearing
    means = np.full((len(errors.open), errors.leads, len(errors.names)), np.nan)
    for k, (_, reached) in enumerate(errors.open):
        means[k, : len(reached)] = np.reshape(reached, (len(reached), len(errors.names)))
    arrays = {
        **_members("", fleet, twin.theta), "rows": fleet.rows, "shown": twin.estimate.rows,
        "history_times": np.array([time for time, _ in updating.history]),
        "history": np.array([seen for _, seen in updating.history]),
        "squares": errors.squares, "weights": errors.weights, "moments": errors.moments,
        "seen": errors.seen,
        "issued": np.array([time for time, _ in errors.open]), "means": means,
        "reached": np.array([len(reached) for _, reached in errors.open], dtype=int),
    }  # fmt: skip
    if looking.latest is not None:
        f = looking.latest
        arrays |= {"f_times": f.times, "f_values": f.values, "f_errors": f.errors}
        arrays["f_scalars"] = np.array([f.issued, f.doubt])
    rest = {
        "version": VERSION,
        "identity": identity(twin),
        "ticks": twin.ticks, "bound": twin.bound, "elsewhere": _out(twin.elsewhere), "misdated": twin.misdated,
        "placement": None if twin.placement is None else dataclasses.astuple(twin.placement),
        "shift": hearing.shift.tolist(),
        "frame": None if hearing.frame is None else dataclasses.astuple(hearing.frame),
        "headings": hearing.headings,
        "updates": updating.updates, "lost": updating.lost, "losses": list(updating.losses),
        "open_loop": updating.open_loop, "consistency": updating.consistency,
        "innovations": dataclasses.astuple(updating.innovations),
        "trends": [updating.corrected.tolist(), updating.expected.tolist()],
        "updated": twin.estimate.updated,
        "updated_at": _out(updating.updated_at), "mixed_at": list(updating.mixed_at),
        "sensors": {
            n: [s.pending, _out(s.cut), _out(s.last), s.counts, s.deviation, s.strangeness, s.odd,
                dataclasses.astuple(s.repeats), dataclasses.astuple(s.stamps)]
            for n, s in twin.sensors.items()
        },
        "tracks": {
            n: [t.fixes, t.doubted, twin.counts[n], None if t.rate is None else t.rate.tolist(), _out(t.heard),
                _out(t.since), dataclasses.astuple(t.repeats), dataclasses.astuple(t.windows)]
            for n, t in twin.tracks.items()
        },
        "unheard": {
            n: [one.since, one.place.tolist(), {o: [at.tolist(), w] for o, (at, w) in one.others.items()}, one.doubt]
            for n, one in twin.unheard.items()
        },
        "driver": _driver(twin.driver),
        "warnings": [
            [w.level, w.since, w.acknowledged, w.quiet_since, w.value, w.probability, _out(w.when)]
            for w in twin.watch.warnings
        ],
    }  # fmt: skip
    if looking.under_way is not None:
        a = looking.under_way
        arrays |= _members("a_", a.fleet, a.theta) | {"a_bias": a.bias}
        arrays["a_rows"] = np.reshape(a.rows, (len(a.rows), len(a.theta), len(errors.names)))
        straight = {n: c for n, c in a.courses.items() if isinstance(c, Straight)}
        rest["ahead"] = {
            "driver": _driver(a.driver), "doubt": a.doubt, "issued": a.issued, "wandered": a.wandered, "done": a.done,
            "points": a.points, "gone": looking.gone, "key": a.key, "time": a.fleet.time,
            "courses": {n: [c.value.tolist(), c.rate.tolist(), c.since] for n, c in straight.items()},
        }  # fmt: skip
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    aside = path.with_name(path.name + ".new")
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("twin.json", json.dumps(rest))
    with aside.open("wb") as file:
        file.write(stream.getbuffer())
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def read(twin: Twin, path: Path) -> None:
    """Bring a fresh twin to where a checkpoint was made."""
    try:
        with zipfile.ZipFile(path) as archive:
            rest: dict[str, Any] = json.loads(archive.read("twin.json"))
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files if name != "twin.json"}
        if rest.get("version") != VERSION:
            raise CheckpointError(f"{path} was written by another version of Fairlead; start without it")
        if rest.get("identity") != identity(twin):
            raise CheckpointError(f"{path} is of another system or another twin; start without it")
        _take(twin, arrays, rest)
    except CheckpointError:
        raise
    except Exception as error:  # whatever a damaged file leads to
        raise CheckpointError(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def _members(prefix: str, fleet: Fleet, theta: np.ndarray) -> dict[str, np.ndarray]:
    """What the members of a fleet are, by name."""
    return {f"{prefix}{name}": rows for name, rows in (("Y", fleet.Y), ("reals", fleet._reals),
            ("inputs", fleet.inputs), ("status", fleet.status), ("theta", theta))}  # fmt: skip


def _driver(driver: Driver) -> list[Any]:
    moving = [{n: [p.tolist(), v.tolist()] for n, (p, v) in kept.items()} for kept in (driver.before, driver.course)]
    away = {n: [a.begun, a.off.tolist(), a.drift.tolist(), a.time] for n, a in driver.away.items()}
    scatter = {n: _scatter(s) for n, s in driver.scatter.items()}
    stops = {n: [s.winch, s.rate.tolist(), s.stops.tolist(), s.of_place] for n, s in driver.stops.items()}
    return [*moving, away, scatter, stops]


def _scatter(s: Scatter) -> list[Any]:
    rest = None if s.rest is None else _scatter(s.rest)
    motion = [s.frequencies.tolist(), s.amplitudes.tolist(), s.phases.tolist()]
    return [s.since, s.begun, s.fading, *motion, _out(s.ended), rest]


def _take_scatter(kept: list[Any]) -> Scatter:
    since, begun, fading, w, a, phases, ended, rest = kept
    motion, left = (np.array(w), np.array(a), np.array(phases)), None if rest is None else _take_scatter(rest)
    return Scatter(since, begun, fading, *motion, _in(ended), left)


def _take_driver(driver: Driver, kept: list[Any]) -> None:
    driver.before, driver.course = ({n: (np.array(p), np.array(v)) for n, (p, v) in one.items()} for one in kept[:2])
    driver.away = {n: Away(t, np.array(off), np.array(drift), time) for n, (t, off, drift, time) in kept[2].items()}
    driver.scatter = {n: _take_scatter(one) for n, one in kept[3].items()}
    driver.stops = {
        n: Stopping(winch, np.array(rate), np.array(stops), of_place)
        for n, (winch, rate, stops, of_place) in kept[4].items()
    }


def _take(twin: Twin, arrays: dict[str, np.ndarray], rest: dict[str, Any]) -> None:
    updating, looking, hearing = twin.updating, twin.forecasting, twin.hearing
    for y in arrays["Y"]:
        fault = twin.fleet.compiled.check_state(y)
        if fault is not None:
            raise CheckpointError(f"it holds no state of the system: {fault}")
    if rest["placement"] is not None:
        twin.place(Placement(*rest["placement"]))
    twin.thin(len(arrays["Y"]))
    fleet = twin.fleet
    for name, rows in _members("", fleet, twin.theta).items():
        rows[:] = arrays[name]
    fleet.rows[:] = arrays["rows"]
    updating.history = deque(zip(arrays["history_times"].tolist(), arrays["history"], strict=True))
    errors = looking.errors
    errors.squares[:], errors.weights[:], errors.moments = arrays["squares"], arrays["weights"], arrays["moments"]
    errors.seen = arrays["seen"]
    reached = zip(arrays["issued"].tolist(), arrays["means"], arrays["reached"].tolist(), strict=True)
    errors.open = deque((issued, list(means[:count])) for issued, means, count in reached)
    if "f_times" in arrays:
        watched = twin.watched
        issued, doubt = arrays["f_scalars"].tolist()
        units = tuple(one.unit for one in watched.values())
        looking.latest = Forecast(issued, arrays["f_times"], tuple(watched), units, arrays["f_values"],
                                  arrays["f_errors"], doubt, True, positive_of(watched))  # fmt: skip
    twin.bound, twin.elsewhere = rest["bound"], _in(rest["elsewhere"])
    twin.misdated = {name: (count, off) for name, (count, off) in rest["misdated"].items()}
    twin.ticks, updating.updates, updating.lost = rest["ticks"], rest["updates"], rest["lost"]
    updating.losses, updating.open_loop = deque(rest["losses"]), rest["open_loop"]
    updating.consistency, updating.updated_at = rest["consistency"], _in(rest["updated_at"])
    updating.mixed_at = deque(rest["mixed_at"])
    squares, sums, places, odd, factor = rest["innovations"]
    sums = {name: tuple(one) for name, one in sums.items()}
    updating.innovations = Innovations(squares, sums, tuple(places), tuple(odd), factor)
    updating.corrected, updating.expected = (np.array(one) for one in rest["trends"])
    hearing.shift, hearing.headings = np.array(rest["shift"]), rest["headings"]
    hearing.frame = None if rest["frame"] is None else Frame(*rest["frame"])
    fleet.time = twin.time - twin._since
    for name, (pending, cut, last, counts, deviation, strangeness, odd, repeats, stamps) in rest["sensors"].items():
        sensor = twin.sensors[name]
        sensor.pending = [(stamp, tuple(value)) for stamp, value in pending]
        sensor.cut, sensor.last, sensor.counts, sensor.deviation = _in(cut), _in(last), counts, deviation
        sensor.strangeness, sensor.odd = strangeness, odd
        sensor.repeats, sensor.stamps = _repeats(repeats), Stamps(*stamps)
    for name, (fixes, doubted, counts, rate, heard, since, repeats, windows) in rest["tracks"].items():
        track = twin.tracks[name]
        track.fixes = [(stamp, tuple(value)) for stamp, value in fixes]
        track.doubted, twin.counts[name] = doubted, counts
        track.rate, track.repeats = None if rate is None else np.array(rate), _repeats(repeats)
        track.heard, track.since, track.windows = _in(heard), _in(since), Windows(*windows)
    twin.unheard = {
        n: Unheard(since, np.array(place), {o: (np.array(at), w) for o, (at, w) in others.items()}, doubt)
        for n, (since, place, others, doubt) in rest["unheard"].items()
    }
    _take_driver(twin.driver, rest["driver"])
    for warning, kept in zip(twin.watch.warnings, rest["warnings"], strict=True):
        level, since, known, quiet, value, chance, when = kept
        warning.level, warning.since, warning.acknowledged, warning.quiet_since = level, since, known, quiet
        warning.value, warning.probability, warning.when = value, chance, _in(when)
    if "ahead" in rest:
        _take_ahead(twin, arrays, rest["ahead"])
    twin._shown = arrays["shown"]
    twin.estimate = twin._estimate(rest["updated"])


def _repeats(kept: list[Any]) -> Repeats:
    parts: list[Any] = [tuple(one) if isinstance(one, list) else one for one in kept]
    return Repeats(*parts)


def _take_ahead(twin: Twin, arrays: dict[str, np.ndarray], kept: dict[str, Any]) -> None:
    """The forecast that was being made."""
    looking, ahead = twin.forecasting, twin._ahead(0.0, True)
    for name, rows in _members("a_", ahead.fleet, ahead.theta).items():
        rows[:] = arrays[name]
    ahead.rows, ahead.bias, ahead.fleet.time = list(arrays["a_rows"]), arrays["a_bias"], kept["time"]
    for name in ("doubt", "issued", "wandered", "done", "points", "key"):
        setattr(ahead, name, kept[name])
    straight = {n: Straight(np.array(v), np.array(r), since) for n, (v, r, since) in kept["courses"].items()}
    planned = {n: course for n, course in ahead.courses.items() if not isinstance(course, Straight)}
    ahead.courses = planned | straight
    _take_driver(ahead.driver, kept["driver"])
    looking.under_way, looking.gone, looking.means = ahead, kept["gone"], looking.errors.open[-1][1]


def _out(value: float) -> float | None:
    """Numbers that JSON has."""
    return value if np.isfinite(value) else None if value < 0 else 1e300


def _in(value: float | None) -> float:
    return -np.inf if value is None else np.inf if value == 1e300 else value
