"""All that the twin heard, in the order in which it heard it: from this its estimates come again, bit for bit.

A tick is one call of the twin: what was put into it, and the time it then went to. It is written before the twin makes
it, one line of JSON, in files that begin anew every few minutes:

    {"tick": 412, "until": 41.2, "heard": [["gps", {"latitude": 59.0, "longitude": 3.0}, 41.05]]}

A kill leaves at most a last line that is torn; it was never acted on, and is dropped.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairlead.results import ResultError

HEAD = "heard.json"
PREFIX = "heard_"
SCHEMA = 1


@dataclass(frozen=True)
class Heard:
    """A message that the twin was told: its input, numbers by name, and its stamp in the twin's time, s."""

    source: str
    fields: Mapping[str, float]
    stamp: float


@dataclass(frozen=True)
class Tick:
    """One call of the twin: what it was told, and the time, s, it went to."""

    number: int
    until: float
    heard: tuple[Heard, ...]
    members: int | None = None
    """With how many it goes on from then on, where it was late; a repeated log thins it at the same tick."""

    def line(self) -> str:
        """As it stands in the file."""
        heard = [[one.source, dict(one.fields), one.stamp] for one in self.heard]
        fewer = {} if self.members is None else {"members": self.members}
        said = {"tick": self.number, "until": self.until, **fewer, "heard": heard}
        return json.dumps(said, separators=(",", ":")) + "\n"

    @classmethod
    def of(cls, line: str) -> Tick | None:
        """From a line of a file; None where it is torn or none of ours."""
        try:
            found = json.loads(line)
            heard = tuple(Heard(str(n), {k: float(v) for k, v in f.items()}, float(s)) for n, f, s in found["heard"])
            members = found.get("members")
            return cls(int(found["tick"]), float(found["until"]), heard, None if members is None else int(members))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None


class Log:
    """Writes ticks.

    folder   where
    epoch    UTC of the twin's time 0, s since 1970
    segment  simulated seconds in one file
    """

    def __init__(self, folder: Path, epoch: float, segment: float = 600.0, identity: str = ""):
        self.folder, self.segment = folder, segment
        self._file: Any = None
        self._ends = -float("inf")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # for its owner's eyes only
        self._head = folder / HEAD
        self.epoch, self.identity = epoch, identity
        if self._head.exists():
            past = Past.of(folder)
            self.epoch, self.identity = past.epoch, past.identity
            self._written = past.epoch
        else:
            self._write_head()

    def _write_head(self) -> None:
        text = json.dumps({"schema": SCHEMA, "epoch": self.epoch, "identity": self.identity}) + "\n"
        replace_file(self._head, text.encode("utf-8"))
        self._written = self.epoch

    def set_epoch(self, epoch: float) -> None:
        """The machine's clock was set: the twin's time 0 is another UTC. `OSError` where that cannot be written; `sync`
        tries again."""
        self.epoch = epoch
        if self._written != epoch:
            self._write_head()

    def write(self, tick: Tick) -> None:
        """Before the twin makes it."""
        if tick.until > self._ends:
            if self._file is not None:
                self._file.close()
            self._file = open(self.folder / f"{PREFIX}{tick.number:010d}.jsonl", "a", encoding="utf-8")  # noqa: SIM115
            self._ends = tick.until + self.segment
        self._file.write(tick.line())
        self._file.flush()

    def sync(self) -> None:
        """Make sure that a loss of power does not take it."""
        with contextlib.suppress(OSError):
            self.set_epoch(self.epoch)
        with contextlib.suppress(OSError, ValueError):
            if self._file is not None:
                os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self.sync()
            self._file.close()
            self._file = None


@dataclass(frozen=True)
class Past:
    """A log as it is read.

    epoch     UTC of the twin's time 0, s since 1970
    identity  of the twin's file
    """

    folder: Path
    epoch: float
    identity: str

    @classmethod
    def of(cls, folder: Path) -> Past:
        """`ResultError` where a folder holds no log."""
        try:
            found = json.loads((folder / HEAD).read_text(encoding="utf-8"))
            return cls(folder, float(found["epoch"]), str(found["identity"]))
        except (OSError, ValueError, TypeError, KeyError):
            raise ResultError(
                f"{folder}: holds no log of a live twin; name the folder that the twin's file has under record"
            ) from None

    def ticks(self, after: int = -1) -> Iterator[Tick]:
        """Every tick whose number is above ``after``, in order; files that cannot hold one are not opened."""
        files = sorted(self.folder.glob(f"{PREFIX}*.jsonl"))
        starts = [int(file.stem[len(PREFIX) :]) for file in files if file.stem[len(PREFIX) :].isdigit()]
        last = after
        for k, file in enumerate(files):
            if k + 1 < len(files) and starts[k + 1] <= after + 1:
                continue
            with open(file, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    tick = Tick.of(line) if line.endswith("\n") else None
                    if tick is not None and tick.number > last:
                        last = tick.number
                        yield tick


def replace_file(path: Path, data: bytes) -> None:
    """Write a file so that a kill at any moment leaves the old one or the new one, whole."""
    beside = path.with_name(f".{path.name}.new")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
