"""What the twin showed, as results of the usual kind: a file every ten minutes, written by a process of its own.

Finishing a file takes a good part of a second for a large system. In the twin's process that would make it late; here
it cannot, and neither can a slow disk: rows wait in a bounded queue, and what does not fit is counted and left out.
The process ends when its pipe does, so that it also finishes its file after its parent was killed.
"""

from __future__ import annotations

import json
import logging
import queue
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fairlead.results import Extra, ObservationShape, Recorder, ResultError
from fairlead.results.observation import Field

WAITING = 600
"""Rows that wait for a slow disk."""
_ROW = struct.Struct("<dd")
PATTERN = "live_*.nc"

log = logging.getLogger("fairlead.live")


class Segments:
    """The twin's end of it.

    folder    of the files
    shape     of the rows
    metadata  attributes of every file
    segment   simulated seconds in one file
    keep      seconds after which files are deleted
    """

    def __init__(
        self,
        folder: Path,
        shape: ObservationShape,
        metadata: Mapping[str, object],
        *,
        segment: float = 600.0,
        keep: float = 7 * 86400.0,
    ):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.dropped = 0
        command = [sys.executable, "-m", "fairlead.live.recording.segments"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        self._rows: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self._rows.put(told(folder, shape, metadata, segment, keep))
        self._thread = threading.Thread(target=self._write, name="recording", daemon=True)
        self._thread.start()

    def put(self, time: float, wall: float, row: NDArray[np.float64]) -> None:
        """One sample, s and UTC; never waits."""
        try:
            self._rows.put_nowait(sample(time, wall, row))
        except queue.Full:
            self.dropped += 1

    def close(self, patience: float = 30.0) -> None:
        """Have the last file finished."""
        self._rows.put(None)
        self._thread.join(patience)
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            log.warning("the recording did not end within %g s and goes on by itself", patience)

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            while (data := self._rows.get()) is not None:
                pipe.write(data)
                pipe.flush()
            pipe.close()
        except OSError:
            log.error("the recording has ended (code %s); the twin goes on without", self._process.poll())
            while self._rows.get() is not None:
                self.dropped += 1


def told(folder: Path, shape: ObservationShape, metadata: Mapping[str, object], segment: float, keep: float) -> bytes:
    """What the process is told first, in a line."""
    plain = {"folder": str(folder), "shape": asdict(shape), "metadata": dict(metadata)}
    return (json.dumps(plain | {"segment": segment, "keep": keep}) + "\n").encode("utf-8")


def sample(time: float, wall: float, row: NDArray[np.float64]) -> bytes:
    """One sample on its way there, s and UTC."""
    return _ROW.pack(time, wall) + np.ascontiguousarray(row, dtype="<f8").tobytes()


def shape_from(plain: Mapping[str, Any]) -> ObservationShape:
    """A shape of what `asdict` made of it."""
    extras = tuple(Extra(**extra) for extra in plain["extras"])
    fields = tuple(Field(**field) for field in plain["fields"])
    rest = {key: plain[key] for key in ("cables", "nodes_per_cable", "points", "arc_length")}
    return ObservationShape(**rest, extras=extras, fields=fields)


def record(pipe: BinaryIO) -> None:
    """The other end: rows into files until the pipe ends."""
    head = pipe.readline()
    if not head.strip():
        return
    asked = json.loads(head)
    folder, shape = Path(asked["folder"]), shape_from(asked["shape"])
    size = _ROW.size + 8 * shape.size
    recorder: Recorder | None = None
    ends = -float("inf")
    while len(data := pipe.read(size)) == size:
        t, wall = _ROW.unpack_from(data)
        row = np.frombuffer(data, dtype="<f8", offset=_ROW.size)
        if recorder is not None and (t >= ends or t <= recorder.last_time):
            _finish(recorder)
            recorder = None
        if recorder is None:
            began = datetime.fromtimestamp(wall, UTC)
            path = _free(folder, began)
            recorder = Recorder(path, shape, {**asked["metadata"], "start_utc": began.isoformat()}, energy=False)
            ends = t + asked["segment"]
            _forget(folder, asked["keep"])
        recorder.append(t, row)
        recorder.maybe_flush()
    if recorder is not None:
        _finish(recorder)


def _finish(recorder: Recorder) -> None:
    try:
        recorder.close()
    except ResultError as error:
        print(f"recording: {error}", file=sys.stderr)


def _free(folder: Path, began: datetime) -> Path:
    path = folder / f"live_{began:%Y%m%dT%H%M%SZ}.nc"
    number = 2
    while path.exists():
        path = folder / f"live_{began:%Y%m%dT%H%M%SZ}_{number}.nc"
        number += 1
    return path


def _forget(folder: Path, keep: float) -> None:
    """Delete what is older than it is kept: results, and what was heard."""
    for pattern in (PATTERN, "heard_*.jsonl"):
        for old in folder.glob(pattern):
            try:
                if time.time() - old.stat().st_mtime > keep:
                    old.unlink()
            except OSError:
                continue


if __name__ == "__main__":
    record(sys.stdin.buffer)
