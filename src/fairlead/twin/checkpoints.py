"""The whole of a twin in one file: members, parameters, what was heard and not compared yet, forecasts under way.

Arrays as numpy writes them and the rest as JSON, nothing that could run when it is read. It is written aside, forced to
the disk and put in its place at once, so that a kill at any time leaves the last one whole.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .estimate import Forecast

if TYPE_CHECKING:
    from .twin import Twin

VERSION = 1


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
    fleet, errors = twin.fleet, twin._errors
    arrays = {
        "Y": fleet.Y, "reals": fleet._reals, "inputs": fleet.inputs, "rows": fleet.rows, "status": fleet.status,
        "theta": twin.theta, "shown": twin.estimate.rows,
        "history_times": np.array([time for time, _ in twin._history]),
        "history": np.array([seen for _, seen in twin._history]),
        "squares": errors.squares, "weights": errors.weights,
        "issued": np.array([time for time, _ in errors.open]), "means": np.array([mean for _, mean in errors.open]),
    }  # fmt: skip
    if twin.forecast is not None:
        f = twin.forecast
        arrays |= {"f_times": f.times, "f_values": f.values, "f_errors": f.errors}
        arrays["f_scalars"] = np.array([f.issued, f.doubt])
    rest = {
        "version": VERSION,
        "identity": identity(twin),
        "ticks": twin._ticks,
        "shift": twin._shift.tolist(),
        "frame": None if twin.frame is None else [twin.frame.latitude, twin.frame.longitude, twin.frame.heading],
        "headings": twin._headings,
        "updates": twin.updates, "lost": twin.lost, "losses": list(twin._losses), "open_loop": twin.open_loop,
        "consistency": twin.consistency,
        "updated": twin.estimate.updated,
        "updated_at": _out(twin._updated_at),
        "sensors": {n: [s.pending, _out(s.cut), _out(s.last), s.counts, s.deviation] for n, s in twin.sensors.items()},
        "tracks": {n: [t.fixes, t.doubted, twin._counts[n]] for n, t in twin.tracks.items()},
        "driver": {n: [p.tolist(), v.tolist()] for n, (p, v) in twin._driver.before.items()},
        "away": {n: [t, a.tolist()] for n, (t, a) in twin._driver.away.items()},
        "warnings": [
            [w.level, w.since, w.acknowledged, w.quiet_since, w.value, w.probability, _out(w.when)]
            for w in twin._warnings
        ],
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
            raise CheckpointError(f"{path} was written by another version")
        if rest.get("identity") != identity(twin):
            raise CheckpointError(f"{path} is of another system or another twin; start without it")
        _take(twin, arrays, rest)
    except CheckpointError:
        raise
    except Exception as error:  # whatever a damaged file leads to
        raise CheckpointError(f"{path} cannot be read: {type(error).__name__}: {error}") from None


def _take(twin: Twin, arrays: dict[str, np.ndarray], rest: dict[str, Any]) -> None:
    fleet, errors = twin.fleet, twin._errors
    for y in arrays["Y"]:
        fault = fleet.compiled.check_state(y)
        if fault is not None:
            raise CheckpointError(f"it holds no state of the system: {fault}")
    for name, rows in (("Y", fleet.Y), ("reals", fleet._reals), ("inputs", fleet.inputs), ("rows", fleet.rows),
                       ("status", fleet.status), ("theta", twin.theta)):  # fmt: skip
        rows[:] = arrays[name]
    twin._history = deque(zip(arrays["history_times"].tolist(), arrays["history"], strict=True))
    errors.squares[:], errors.weights[:] = arrays["squares"], arrays["weights"]
    errors.open = deque(zip(arrays["issued"].tolist(), arrays["means"], strict=True))
    if "f_times" in arrays:
        watched = twin._parts.watched
        issued, doubt = arrays["f_scalars"].tolist()
        twin.forecast = Forecast(issued, arrays["f_times"], tuple(watched), tuple(w.unit for w in watched.values()),
                                 arrays["f_values"], arrays["f_errors"], doubt)  # fmt: skip
    twin._ticks, twin.updates, twin.lost = rest["ticks"], rest["updates"], rest["lost"]
    twin._losses, twin.open_loop, twin.consistency = deque(rest["losses"]), rest["open_loop"], rest["consistency"]
    twin._shift, twin._headings = np.array(rest["shift"]), rest["headings"]
    if rest["frame"] is not None:
        from .earth import Frame

        twin.frame = Frame(*rest["frame"])
    fleet.time = twin.time
    for name, (pending, cut, last, counts, deviation) in rest["sensors"].items():
        sensor = twin.sensors[name]
        sensor.pending = [(stamp, tuple(value)) for stamp, value in pending]
        sensor.cut, sensor.last, sensor.counts, sensor.deviation = _in(cut), _in(last), counts, deviation
    for name, (fixes, doubted, counts) in rest["tracks"].items():
        twin.tracks[name].fixes = [(stamp, tuple(value)) for stamp, value in fixes]
        twin.tracks[name].doubted, twin._counts[name] = doubted, counts
    twin._driver.before = {n: (np.array(p), np.array(v)) for n, (p, v) in rest["driver"].items()}
    twin._driver.away = {n: (t, np.array(a)) for n, (t, a) in rest["away"].items()}
    for warning, kept in zip(twin._warnings, rest["warnings"], strict=True):
        level, since, known, quiet, value, chance, when = kept
        warning.level, warning.since, warning.acknowledged, warning.quiet_since = level, since, known, quiet
        warning.value, warning.probability, warning.when = value, chance, _in(when)
    twin._updated_at = _in(rest["updated_at"])
    twin._shown = arrays["shown"]
    twin.estimate = twin._estimate(rest["updated"])


def _out(value: float) -> float | None:
    """Numbers that JSON has."""
    return value if np.isfinite(value) else None if value < 0 else 1e300


def _in(value: float | None) -> float:
    return -np.inf if value is None else np.inf if value == 1e300 else value
